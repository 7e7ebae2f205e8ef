"""The two clients: one question after the other, or with await. Both start the daemon when none runs."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Self

import httpx

from cn_client import shutdown
from cn_client.call import DEADLINE_S, exchanges, patience_s
from cn_client.connection import SLACK_S, ConnectionLostError, OutOfTimeError, Reply
from cn_client.invocation import Invocation
from cn_client.launcher import warm_or_cold
from cn_client.sdk import asking
from cn_client.sdk.asking import Asker, Path, T
from cn_client.sdk.verbs import AsyncVerbs, Verbs
from cn_shared import environment
from cn_shared.state import State


class Client(Asker, Verbs):
    """cn, for one workspace. May be shared by threads; close it, or use it in a `with`.

    root: the workspace; None looks as the command line does (CN_ROOT, else upward from the current folder).
    deadline_s: how long an answer may take, in seconds. budget: how long it may be, in tokens. Both are for every
    question that does not say otherwise.
    """

    def __init__(self, root: Path | None = None, *, deadline_s: float | None = None, budget: int | None = None) -> None:
        super().__init__(root, deadline_s, budget)
        self._http = httpx.Client(trust_env=False)  # no proxy stands before this machine's own loopback

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(
        self, verb: str, kind: type[T] | None, given: Mapping[str, Any], deadline_s: float | None, budget: int | None
    ) -> Any:
        call = self.invocation(verb, given, deadline_s, budget)
        if verb == "stop":
            return shutdown.stop(self.root, call.deadline_s or DEADLINE_S)
        end = time.monotonic() + patience_s(call)
        daemons = warm_or_cold(call, self.root, end)
        state = next(daemons)
        while True:
            try:
                return asking.answer(self._talk(call, state, end, typed=kind is not None), kind)
            except (ConnectionLostError, OutOfTimeError) as error:
                state = daemons.throw(error)

    def _talk(self, call: Invocation, state: State, end: float, *, typed: bool) -> Reply:
        talk, headers = _talk(call), asking.headers(call, state, end, typed=typed)
        method, path, body = next(talk)
        while True:
            with _translated():
                response = self._http.request(
                    method, _url(state, path), headers=headers, content=body.encode(), timeout=_left(end)
                )
            try:
                method, path, body = talk.send(_reply(response))
            except StopIteration as last:
                reply: Reply = last.value
                return reply


class AsyncClient(Asker, AsyncVerbs):
    """The same with await; close it with `aclose`, or use it in an `async with`.

    A question that is cancelled hangs up, and the daemon stops working on it.
    """

    def __init__(self, root: Path | None = None, *, deadline_s: float | None = None, budget: int | None = None) -> None:
        super().__init__(root, deadline_s, budget)
        self._http = httpx.AsyncClient(trust_env=False)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _ask(
        self, verb: str, kind: type[T] | None, given: Mapping[str, Any], deadline_s: float | None, budget: int | None
    ) -> Any:
        call = self.invocation(verb, given, deadline_s, budget)
        if verb == "stop":
            return await asyncio.to_thread(shutdown.stop, self.root, call.deadline_s or DEADLINE_S)
        end = time.monotonic() + patience_s(call)
        daemons = warm_or_cold(call, self.root, end)
        state = await asyncio.to_thread(next, daemons)
        while True:
            try:
                return asking.answer(await self._talk(call, state, end, typed=kind is not None), kind)
            except (ConnectionLostError, OutOfTimeError) as error:
                state = await asyncio.to_thread(daemons.throw, error)

    async def _talk(self, call: Invocation, state: State, end: float, *, typed: bool) -> Reply:
        talk, headers = _talk(call), asking.headers(call, state, end, typed=typed)
        method, path, body = next(talk)
        while True:
            with _translated():
                response = await self._http.request(
                    method, _url(state, path), headers=headers, content=body.encode(), timeout=_left(end)
                )
            try:
                method, path, body = talk.send(_reply(response))
            except StopIteration as last:
                reply: Reply = last.value
                return reply


def _talk(call: Invocation) -> Generator[tuple[str, str, str], Reply, Reply]:
    return exchanges(call, asking.body(call), environment.values())


def _url(state: State, path: str) -> str:
    return f"http://127.0.0.1:{state.port}{path}"


def _left(end: float) -> float:
    """Seconds for the next piece of a reply. Raises OutOfTimeError."""
    left = end + SLACK_S - time.monotonic()
    if left <= 0:
        raise OutOfTimeError
    return left


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """httpx's errors as those of `connection`."""
    try:
        yield
    except httpx.TimeoutException:
        raise OutOfTimeError from None
    except httpx.TransportError as error:
        raise ConnectionLostError(str(error)) from None


def _reply(response: httpx.Response) -> Reply:
    return Reply(
        response.status_code, {name.lower(): value for name, value in response.headers.items()}, response.content
    )
