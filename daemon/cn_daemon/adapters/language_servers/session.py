"""A language server process, through pygls: raw results, deadlines that cancel, an end that is reported.

What the server asks and tells is pygls' to answer. Our own messages pass it by: results stay plain dicts (typed
decoding costs seconds for ten thousand references), messages are read by a faster reader than json's, which pygls has
look at each nested dict; a request that times out is cancelled at the server; a request to a dead server fails instead
of hanging. stderr goes to the log instead of a pipe that nobody reads.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

from cattrs import Converter
from pydantic_core import from_json
from pygls.client import JsonRPCClient
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCProtocol, JsonRPCRequestMessage

from cn_daemon.adapters.language_servers import greeting
from cn_daemon.adapters.language_servers.spawning import spawn
from cn_daemon.adapters.process_tree import ended_if_idle
from cn_daemon.application.explained import asking
from cn_shared.errors import DeadlineError, LanguageServerError

log = logging.getLogger(__name__)
for _name in ("pygls.protocol.json_rpc", "pygls.client", "pygls.feature_manager"):
    # They log whole messages, source text included, and warn about every answer to a cancelled request.
    logging.getLogger(_name).setLevel(logging.ERROR)

Request = Callable[[Any], Any]
_LENGTH = re.compile(rb"content-length:\s*(\d+)\s*", re.IGNORECASE)


class _RawProtocol(JsonRPCProtocol):
    """JSON-RPC whose params stay plain dicts, of what the server asks and tells."""

    answers: Mapping[str, Request]

    def structure_message(self, data: dict[str, Any]) -> Any:
        if "id" in data:
            return JsonRPCRequestMessage(data["id"], data["method"], "2.0", data.get("params"))
        return JsonRPCNotification(data["method"], "2.0", data.get("params"))

    def _get_handler(self, feature_name: str) -> Request:
        handler = self.answers.get(feature_name)
        if handler is not None:
            return handler
        if feature_name.startswith(("$/", "window/", "telemetry/", "textDocument/", "workspace/")):
            return lambda params: None
        return super()._get_handler(feature_name)


async def _body(reader: asyncio.StreamReader) -> bytes | None:
    """The next message, None at the end of the output."""
    length = None
    while header := await reader.readline():
        if header.strip():
            found = _LENGTH.fullmatch(header)
            length = int(found[1]) if found else length
        elif length is not None:
            return await reader.readexactly(length)
    return None


def _parsed(body: bytes) -> dict[str, Any]:
    """Raises ValueError."""
    try:
        message = from_json(body)
    except ValueError:
        # Half a surrogate pair, or one nested too deeply for the fast reader.
        message = json.loads(body)
    if not isinstance(message, dict):
        raise ValueError("a message is an object")
    return message


def _given(params: Any) -> dict[str, Any]:
    """No params are none at all (JSON-RPC): the native server refuses a `shutdown` with null, and had to be killed."""
    return {} if params is None else {"params": params}


class PyglsSession:
    """One running server. It cannot be restarted: make a new one."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, answers: Mapping[str, Request]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.name = name
        self.process = process
        # Not the converter of pygls, which takes 60 ms to learn all types of LSP: messages stay plain.
        self._client = JsonRPCClient(protocol_cls=_RawProtocol, converter_factory=Converter)
        self._protocol = cast(_RawProtocol, self._client.protocol)
        self._protocol.answers = answers
        self._protocol.set_writer(process.stdin)
        self._input = process.stdin
        # What it said at its start that it can be asked.
        self.capabilities: Mapping[str, Any] = {}
        self._ids = itertools.count(1)
        loop = asyncio.get_running_loop()
        # What was asked, and how the server answered: with a `result` or an `error`.
        self._pending: dict[object, asyncio.Future[dict[str, Any]]] = {}
        # What `Place.start` has asked, before there was a session.
        self._greeting = self._pending[greeting.ID] = loop.create_future()
        self._killed = False
        # Whether it was ended since it did nothing while it owed an answer.
        self.was_idle = False
        self._reader = asyncio.create_task(self._read(process.stdout))
        self.ended: asyncio.Future[int] = loop.create_future()

    @classmethod
    async def spawn(
        cls, name: str, command: Sequence[str], *, answers: Mapping[str, Request], **where: Any
    ) -> PyglsSession:
        """A session of a new process; `where` as for `spawning.spawn`."""
        return cls(name, await spawn(name, command, **where), answers)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while (body := await _body(reader)) is not None:
                self._handle(_parsed(body))
        except Exception as error:
            log.warning("%s: reading ended: %r", self.name, error)
        # The server closed its output or wrote what is no message: either way it is of no more use.
        self.kill()
        code = await self.process.wait()
        if not self.ended.done():
            self.ended.set_result(code)

    def _handle(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            answer = self._pending.pop(str(message.get("id")), None)
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        if "id" not in message and message["method"] not in self._protocol.answers:
            # Some log twenty lines for a question, and pygls would spend 2 ms on them.
            return
        try:
            self._protocol.handle_message(self._protocol.structure_message(message))
        except Exception:
            log.exception("%s: a message could not be handled", self.name)

    @property
    def alive(self) -> bool:
        return not self._killed and not self._reader.done() and self.process.returncode is None

    def ended_if_idle(self) -> AbstractContextManager[None]:
        """Around a request: a server that does nothing for it is ended."""

        def end() -> None:
            self.was_idle = True
            self.kill()

        return ended_if_idle(self.process.pid, self.name, end)

    def notify(self, method: str, params: Any) -> None:
        if self.alive:
            self._input.write(greeting.written({"method": method, **_given(params)}))

    async def request(self, method: str, params: Any, *, timeout_s: float) -> Any:
        """The plain result of `method`.

        Raises DeadlineError (`timed_out`; the server is asked to cancel), LanguageServerError
        (`language_server_died`, or `request_refused` with the server's own words).
        """
        if not self.alive:
            raise self._death(method)
        identity = f"cn-{next(self._ids)}"
        answer = self._pending[identity] = asyncio.get_running_loop().create_future()
        self._input.write(greeting.written({"id": identity, "method": method, **_given(params)}))
        with asking(self.name):
            return await self._answer(method, identity, answer, timeout_s)

    async def greeted(self, timeout_s: float) -> Any:
        """What it answers to the `initialize` that it was started with. Raises what `request` raises."""
        return await self._answer("initialize", greeting.ID, self._greeting, timeout_s)

    async def _answer(
        self, method: str, identity: str, answer: asyncio.Future[dict[str, Any]], timeout_s: float
    ) -> Any:
        either: set[asyncio.Future[Any]] = {answer, self.ended}
        try:
            await asyncio.wait(either, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return self._result(method, answer.result())
            if self.ended.done():
                raise self._death(method)
            raise DeadlineError("timed_out", f"{self.name} did not answer {method} within {timeout_s:.1f} s.")
        finally:
            if self._pending.pop(identity, None) is not None:
                self.notify("$/cancelRequest", {"id": identity})

    def _result(self, method: str, message: dict[str, Any]) -> Any:
        refusal = message.get("error")
        if refusal is None:
            return message.get("result")
        message_text = refusal.get("message", "") if isinstance(refusal, dict) else refusal
        # Where in its own code that was tells the user nothing, in thousands of characters.
        words = str(message_text).partition("\n    at ")[0]
        raise LanguageServerError("request_refused", f"{self.name}: {words}", method=method)

    def _death(self, method: str) -> LanguageServerError:
        code = self.process.returncode
        return LanguageServerError(
            "language_server_died",
            f"{self.name} ended (exit status {code}) before it answered {method}.",
            hint="It is started again by the next question. `cn status` names the log.",
        )

    def kill(self) -> None:
        """End the whole process group at once."""
        self._killed = True
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    async def stop(self, grace_s: float = 2.0) -> None:
        """`shutdown`, `exit`, and after `grace_s` the group is killed. Nothing of it is left when this returns."""
        if self.alive:
            try:
                await self.request("shutdown", None, timeout_s=grace_s)
                self.notify("exit", None)
                await asyncio.wait_for(asyncio.shield(self.ended), grace_s)
            except (LanguageServerError, DeadlineError, TimeoutError):
                pass
        self.kill()
        await self._reader
