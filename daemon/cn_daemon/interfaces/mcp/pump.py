"""The pump's end in the daemon: `cn mcp` copies a client's stdio to this loopback socket.

The first line is `{"token", "cwd"?, "values"?, "options"?}`; then JSON-RPC, a message to a line, both ways. A
reply begins with `{"jsonrpc":"2.0","id":…` so that the pump can tell which request it ends without parsing it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from cn_daemon.interfaces.mcp.caller import FOLDER, OPTIONS, VALUES
from cn_shared.state import LINE_LIMIT

log = logging.getLogger(__name__)

HELLO_S = 10.0
PIECE = 1 << 16
# Of the first line, in bytes: what strangers send is kept until its end.
_HELLO_LIMIT = 1 << 18


class Lines:
    """The lines of a connection, of a length that is bounded by who may send them."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._rest = bytearray()

    async def next(self, limit: int) -> bytes:
        """The next line with its end; what is left, or nothing, at the end.

        Raises ValueError past the limit, OSError.
        """
        looked_at = 0
        while (end := self._rest.find(b"\n", looked_at) + 1) == 0:
            looked_at = len(self._rest)
            if looked_at > limit or not (piece := await self._reader.read(PIECE)):
                break
            self._rest += piece
        end = end or len(self._rest)
        if end > limit:
            raise ValueError("the line is too long")
        line = bytes(self._rest[:end])
        del self._rest[:end]
        return line


async def hello(lines: Lines, token: str) -> dict[str, Any] | None:
    """The first line, or None: not one of ours."""
    try:
        line = await asyncio.wait_for(lines.next(_HELLO_LIMIT), HELLO_S)
        greeting = json.loads(line)
        given = greeting["token"]
        if hmac.compare_digest(given.encode(), token.encode()):
            return dict(greeting)
    except (TimeoutError, ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError):
        pass
    log.warning("a connection to the pump's port came without the token")
    return None


def introduce(greeting: Mapping[str, Any]) -> None:
    """Keep what the first line says, for all calls of this connection's task."""
    folder, values, options = greeting.get("cwd"), greeting.get("values"), greeting.get("options")
    if isinstance(folder, str) and folder.startswith("/") and "\0" not in folder:
        FOLDER.set(Path(folder))
    if isinstance(values, dict):
        VALUES.set({name: value for name, value in values.items() if isinstance(value, str) and "\0" not in value})
    if isinstance(options, dict):
        OPTIONS.set(options)


async def serve(
    lines: Lines,
    writer: asyncio.StreamWriter,
    run: Callable[[Any, Any], Awaitable[None]],
    on_line: Callable[[], None] = lambda: None,
) -> None:
    """One client, until its stdin or its pump ends. run: the server's loop over two streams of messages. on_line:
    called for each message."""
    import anyio
    from mcp.shared.message import SessionMessage

    incoming, read_stream = anyio.create_memory_object_stream[Any](0)
    write_stream, outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        async with incoming:
            async for message in _messages(lines, writer):
                on_line()
                await incoming.send(SessionMessage(message))

    async def write() -> None:
        async with outgoing:
            async for sent in outgoing:
                text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                writer.write(text.encode() + b"\n")
                await writer.drain()

    tasks = [asyncio.ensure_future(read()), asyncio.ensure_future(write())]
    try:
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await run(read_stream, write_stream)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _messages(lines: Lines, writer: asyncio.StreamWriter) -> Any:
    import mcp_types as types
    from pydantic import ValidationError

    while True:
        try:
            line = await lines.next(LINE_LIMIT)
        except ValueError:  # more than any pump of ours sends: where the next message begins is not known any more
            return
        except OSError:
            return
        if not line:
            return
        if not line.strip():
            continue
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError:
            await _refuse(writer, line)
            continue
        # With an id that is none, a request is read as a notification: nobody would answer it.
        if isinstance(message, types.JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
            await _refuse(writer, line)
            continue
        yield message


async def _refuse(writer: asyncio.StreamWriter, line: bytes) -> None:
    writer.write(_refusal(line))
    with contextlib.suppress(OSError):
        await writer.drain()


def _refusal(line: bytes) -> bytes:
    """The answer to a line that is no message, under its id where it has one, so that nobody waits for another."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        document = None
    id = document.get("id") if isinstance(document, dict) else None
    code, what = (-32600, "request of MCP") if isinstance(document, dict) else (-32700, "JSON-RPC")
    error = {"code": code, "message": f"This line is no {what}."}
    known_id = id if type(id) in (int, str) else None
    return (
        b'{"jsonrpc":"2.0","id":' + json.dumps(known_id).encode() + b',"error":' + json.dumps(error).encode() + b"}\n"
    )
