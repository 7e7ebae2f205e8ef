"""A language server that misbehaves as it is told. Run as a program; imports nothing of ours.

argv: what to do. Every behaviour answers `initialize` first, unless it says otherwise.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

# With the place in its own code, as tsserver tells it.
REFUSAL = "out of order\nError: out of order\n    at serve (/lib/server.js:1:2)\n    at /lib/server.js:3:4"

BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else ""


def read() -> dict[str, Any] | None:
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return None
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        if line == b"\r\n":
            message: dict[str, Any] = json.loads(sys.stdin.buffer.read(length))
            return message


def send(message: object) -> None:
    write(json.dumps(message).encode())


def write(body: bytes) -> None:
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def answer(message: dict[str, Any], result: object) -> None:
    send({"jsonrpc": "2.0", "id": message["id"], "result": result})


def bare(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "jsonrpc"}


def misbehave(message: dict[str, Any], seen: list[dict[str, Any]]) -> None:
    method = message["method"]
    if method == "seen":
        answer(message, [bare(one) for one in seen])
    elif method == "die":
        os._exit(3)
    elif method == "hang":
        pass
    elif method == "work":
        while True:
            pass
    elif method == "no message":
        write(b"<html>this is no JSON</html>")
    elif method == "no headers":
        sys.stdout.buffer.write(b"segmentation fault " * 10_000)
        sys.stdout.buffer.flush()
    elif method == "close output":
        os.close(1)
        time.sleep(60)
    elif method == "half an answer":
        sys.stdout.buffer.write(b'Content-Length: 1000\r\n\r\n{"jsonrpc"')
        sys.stdout.buffer.flush()
        os._exit(0)
    elif method == "talk":
        os.write(2, b"x" * (2 << 20))
        answer(message, "told")
    elif method == "ask back":
        # Numbered as servers do: from the start, whatever the other side's numbers are.
        send({"jsonrpc": "2.0", "id": 1, "method": message["params"], "params": {"items": [1, 2]}})
        reply = read()
        while reply is not None and "method" in reply:
            reply = read()
        answer(message, bare(reply or {}))
    elif method == "shutdown" and "params" in message:
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32602, "message": "expected no params"}})
    elif method == "refuse":
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32603, "message": REFUSAL}})
    elif method == "half a character":
        answer(message, "\ud800")
    elif method == "deep":
        answer(message, json.loads("[" * 600 + "]" * 600))
    elif method == "large":
        answer(message, [{"n": number} for number in range(20_000)])
    elif method == "strange":
        send({"jsonrpc": "2.0", "id": "nobody's", "result": 1})
        send({"jsonrpc": "2.0", "method": "custom/unknown", "params": {}})
        send({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": 1, "value": {"kind": "begin"}}})
        answer(message, "strange")
    else:
        answer(message, {"echo": message.get("params")})


def main() -> None:
    if BEHAVIOUR == "dies at once":
        sys.stderr.write("cannot start\n")
        sys.exit(7)
    if BEHAVIOUR == "never answers":
        time.sleep(60)
    seen: list[dict[str, Any]] = []
    while (message := read()) is not None:
        seen.append(message)
        if "id" not in message:
            if message["method"] == "exit" and "params" not in message and BEHAVIOUR != "does not exit":
                break
        elif "method" in message:
            misbehave(message, seen)
    if BEHAVIOUR == "does not exit":
        time.sleep(60)


if __name__ == "__main__":
    main()
