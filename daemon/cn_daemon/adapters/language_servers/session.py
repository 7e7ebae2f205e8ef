"""A language server process, spoken to through pygls: raw results, deadlines that cancel, a death that is told.

What pygls leaves to its user, and is done here: stderr goes to the log instead of a pipe that nobody reads;
results stay plain dicts (typed decoding costs seconds for ten thousand references), and messages are read by a faster
reader than json's, which pygls has look at each nested dict; a request that times out is cancelled at the server; a
request to a dead server fails instead of hanging.
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
from concurrent.futures import Future
from typing import Any, cast

from cattrs import Converter
from lsprotocol.types import ResponseError, ResponseErrorMessage
from pydantic_core import from_json
from pygls.client import JsonRPCClient
from pygls.exceptions import JsonRpcException
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCProtocol,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)

from cn_daemon.adapters.language_servers import greeting
from cn_daemon.adapters.language_servers.spawning import spawn
from cn_shared.errors import DeadlineError, LanguageServerError

log = logging.getLogger(__name__)
for _name in ("pygls.protocol.json_rpc", "pygls.client", "pygls.feature_manager"):
    # They log whole messages, source text included, and warn about every answer to a cancelled request.
    logging.getLogger(_name).setLevel(logging.ERROR)

Request = Callable[[Any], Any]
_LENGTH = re.compile(rb"content-length:\s*(\d+)\s*", re.IGNORECASE)


class _RawProtocol(JsonRPCProtocol):
    """JSON-RPC whose params and results stay plain dicts."""

    answers: Mapping[str, Request]

    def structure_message(self, data: dict[str, Any]) -> Any:
        if "method" in data:
            if "id" in data:
                return JsonRPCRequestMessage(data["id"], data["method"], "2.0", data.get("params"))
            return JsonRPCNotification(data["method"], "2.0", data.get("params"))
        if data.get("error") is not None:
            return ResponseErrorMessage(jsonrpc="2.0", id=data["id"], error=_response_error(data["error"]))
        return JsonRPCResponseMessage(data["id"], "2.0", data.get("result"))

    def _serialize_message(self, data: Any) -> dict[str, Any]:
        message = super()._serialize_message(data)
        # No params are none at all (JSON-RPC): the native server refuses a `shutdown` with null, and had to be killed.
        if "method" in message and message["params"] is None:
            del message["params"]
        return message

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


def _response_error(told: Any) -> ResponseError:
    if not isinstance(told, dict):
        return ResponseError(code=0, message=str(told))
    return ResponseError(code=told.get("code", 0), message=str(told.get("message", "")), data=told.get("data"))


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
        # What it said at its start that it can be asked.
        self.capabilities: Mapping[str, Any] = {}
        self._ids = itertools.count(1)
        # What `Place.start` has asked, before there was a session.
        self._greeting = self._protocol._request_futures[greeting.ID] = Future()
        self._killed = False
        self._reader = asyncio.create_task(self._read(process.stdout))
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

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
        if "method" in message and "id" not in message and message["method"] not in self._protocol.answers:
            # Some log twenty lines for a question, and pygls would spend 2 ms on them.
            return
        try:
            self._protocol.handle_message(self._protocol.structure_message(message))
        except Exception:
            log.exception("%s: a message could not be handled", self.name)

    @property
    def alive(self) -> bool:
        return not self._killed and not self._reader.done() and self.process.returncode is None

    def notify(self, method: str, params: Any) -> None:
        if self.alive:
            self._protocol.notify(method, params)

    async def request(self, method: str, params: Any, *, timeout_s: float) -> Any:
        """The plain result of `method`.

        Raises DeadlineError (`timed_out`; the server is told to cancel), LanguageServerError
        (`language_server_died`, or `request_refused` with the server's own words).
        """
        if not self.alive:
            raise self._death(method)
        # A string, because pygls keeps both sides' requests in one table and servers number theirs 0, 1, 2.
        identity = f"cn-{next(self._ids)}"
        reply = self._protocol.send_request(method, params, msg_id=identity)
        return await self._answer(method, identity, reply, timeout_s)

    async def greeted(self, timeout_s: float) -> Any:
        """What it answers to the `initialize` that it was started with. Raises what `request` raises."""
        return await self._answer("initialize", greeting.ID, self._greeting, timeout_s)

    async def _answer(self, method: str, identity: str, reply: Future[Any], timeout_s: float) -> Any:
        answer = asyncio.wrap_future(reply)
        finished = False
        try:
            await asyncio.wait({answer, self.ended}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            finished = answer.done()
            if finished:
                return answer.result()
            if self.ended.done():
                raise self._death(method)
            raise DeadlineError("timed_out", f"{self.name} did not answer {method} within {timeout_s:.1f} s.")
        except JsonRpcException as error:
            raise LanguageServerError("request_refused", f"{self.name}: {error.message}", method=method) from error
        finally:
            # What pygls drops where it gives results a type.
            self._protocol._result_types.pop(identity, None)
            if not finished:
                self._protocol._request_futures.pop(identity, None)
                self.notify("$/cancelRequest", {"id": identity})

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
