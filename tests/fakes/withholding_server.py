"""The real language server behind a pipe that withholds its answers to requests of one kind, and notes what it is told.

argv: a word; a file; a command line. A request whose text holds the word is noted in the file as `asked <id>` and
passed on, and its answer is kept back; `$/cancelRequest` is noted as `cancelled <id>`. Imports nothing of ours.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any, BinaryIO

WORD, NOTES, *COMMAND = sys.argv[1:]


def read(stream: BinaryIO) -> bytes:
    """The next message's body, b"" at the end."""
    length = 0
    while (line := stream.readline()) not in (b"", b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return stream.read(length)


def write(stream: BinaryIO, body: bytes) -> None:
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def note(line: str) -> None:
    with open(NOTES, "a", encoding="utf-8") as notes:
        notes.write(line + "\n")


def main() -> None:
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    answers: BinaryIO = server.stdout  # type: ignore[assignment]
    withheld: set[Any] = set()

    def back() -> None:
        while body := read(answers):
            message = json.loads(body)
            if "method" in message or message.get("id") not in withheld:
                write(sys.stdout.buffer, body)

    threading.Thread(target=back, daemon=True).start()
    while body := read(sys.stdin.buffer):
        message = json.loads(body)
        if message.get("method") == "$/cancelRequest":
            note(f"cancelled {message['params']['id']}")
        elif "id" in message and "method" in message and WORD.encode() in body:
            withheld.add(message["id"])
            note(f"asked {message['id']}")
        write(server.stdin, body)  # type: ignore[arg-type]
    server.stdin.close()
    server.wait()


if __name__ == "__main__":
    main()
