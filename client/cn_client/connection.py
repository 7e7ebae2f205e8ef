"""One request over a thin HTTP/1.1 on a raw socket: no http.client, no urllib, not even `socket` (8 ms
together).

Every request opens a connection of its own and asks the daemon to close it, so an answer ends where the
stream does and is complete when it has Content-Length bytes.
"""

import os
import time

try:
    from _socket import AF_INET, SOCK_STREAM, socket
except ImportError:  # another Python than CPython
    from socket import AF_INET, SOCK_STREAM, socket  # type: ignore[assignment]

SLACK_S = 2.5  # the daemon ends by itself within a second of the deadline and says what it knows: let it
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


class ConnectionLostError(Exception):
    """The daemon refused, or went away before its answer was complete."""


class OutOfTimeError(Exception):
    """The daemon took the request, or not even that, and did not answer in time."""


class Reply:
    """status: of HTTP. exit: what the process should exit with. Header names are in lower case."""

    __slots__ = ("body", "exit", "headers", "status")

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        code = headers.get("cn-exit", "")
        self.exit = int(code) if code.isdecimal() else None


def compose(
    method: str,
    path: str,
    *,
    port: int,
    token: str,
    accept: str,
    deadline_s: float,
    environment: str = "",
    body: str = "",
) -> bytes:
    """The bytes of one request. `deadline_s`: the time the daemon may take; 0 leaves that to its settings.

    environment: the caller's fingerprint, when the answer depends on it.
    """
    named = head(port, token, accept, deadline_s, environment)
    lines = [f"{method} {path} HTTP/1.1", *[f"{name}: {value}" for name, value in named.items()]]
    content = body.encode()
    if method == "POST":
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


def head(port: int, token: str, accept: str, deadline_s: float, environment: str) -> dict[str, str]:
    """The headers of one request, but those of its body; as `compose` takes them."""
    named = {
        "Host": f"127.0.0.1:{port}",
        "Authorization": f"Bearer {token}",
        "Accept": accept,
        "Connection": "close",
    }
    if deadline_s:
        named["Cn-Deadline"] = f"{deadline_s:.3f}"
    if environment:
        named["Cn-Environment"] = environment
    try:
        named["Cn-Cwd"] = quoted(os.getcwd())
    except OSError:  # the current folder was removed: nothing can be relative to it
        pass
    return named


def quoted(path: str) -> str:
    """A path, percent-encoded byte by byte."""
    return "".join([chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in os.fsencode(path)])


def exchange(port: int, request: bytes, end: float) -> Reply:
    """Send the request to the loopback `port` and read the whole reply, until `end` on the monotonic clock.

    Raises ConnectionLostError, OutOfTimeError.
    """
    connection = socket(AF_INET, SOCK_STREAM)
    try:
        connection.settimeout(_left(end))
        connection.connect(("127.0.0.1", port))
        connection.sendall(request)
        received = []
        while True:
            connection.settimeout(_left(end))
            piece = connection.recv(262144)
            if not piece:
                break
            received.append(piece)
    except TimeoutError:
        raise OutOfTimeError from None
    except OSError as error:
        raise ConnectionLostError(str(error)) from None
    finally:
        connection.close()
    return _reply(b"".join(received))


def _left(end: float) -> float:
    left = end + SLACK_S - time.monotonic()
    if left <= 0:
        raise OutOfTimeError
    return left


def _reply(data: bytes) -> Reply:
    head, separator, body = data.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if not separator or len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdecimal():
        raise ConnectionLostError("the connection closed before the reply's head")
    headers = {}
    for line in rest:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    length = headers.get("content-length", "")
    if not length.isdecimal() or len(body) != int(length):
        raise ConnectionLostError("the connection closed before the reply's end")
    return Reply(int(words[1]), headers, body)
