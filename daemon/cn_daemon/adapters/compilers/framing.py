"""JSON-RPC over pipes, framed as in LSP: `Content-Length: 12`, an empty line, a body of that many bytes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

_HEADER = b"Content-Length: "


def framed(message: Mapping[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return _HEADER + str(len(body)).encode() + b"\r\n\r\n" + body


async def received(reader: asyncio.StreamReader) -> dict[str, Any]:
    """The next message. Raises EOFError when there is none, ValueError when it is none."""
    try:
        header = await reader.readuntil(b"\r\n\r\n")
        if not header.startswith(_HEADER):
            raise ValueError(f"no header: {header[:80]!r}")
        body = await reader.readexactly(int(header[len(_HEADER) :]))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise EOFError("the process has ended") from error
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ValueError("no object")
    return message
