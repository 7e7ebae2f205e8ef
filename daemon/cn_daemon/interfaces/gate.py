"""The gate before every route: who may ask, from where, and how much.

A daemon on loopback is reachable by every web page the user opens. So the Host must be ours (a page that
rebinds its own name to 127.0.0.1 still sends its own Host), the Origin must be ours or absent, and the
token, which no page can know, must be right. Everything refused here is refused before any of our code
reads a byte of the body.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cn_daemon.interfaces.connections import ADMITTED
from cn_daemon.interfaces.replies import AmbiguousBodyError, BodyTooLargeError, SlowBodyError, error_reply
from cn_shared.errors import CnError, ForbiddenError, InputError, InternalError, UnauthorizedError

log = logging.getLogger(__name__)

BODY_TIMEOUT_S = 10.0
DRAIN_S = 1.0
DRAIN_BYTES = 64 << 20
NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Reach:
    """From where else than this machine's own loopback a server may be asked (`cn serve`).

    hosts: Host headers to accept, as they are or with any port. origins: of web pages. token: whether one is wanted.
    """

    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    token: bool = True


_TOKEN_KEYS = frozenset({"token", "access_token", "authorization", "bearer"})
# What web pages of the origins that `cn serve` names may read of an answer.
_EXPOSED = ("Mcp-Session-Id", "Mcp-Protocol-Version", "Cn-Exit", "Cn-Outcome")
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})


class Gate:
    """ASGI middleware. open_paths: readable (GET, HEAD) without the token; they hold no data."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        port: int,
        body_limit: Callable[[], int],
        open_paths: frozenset[str] = frozenset(),
        body_timeout_s: float = BODY_TIMEOUT_S,
        reach: Reach | None = None,
    ) -> None:
        self.app = app
        self._behind_head: ASGIApp = self._within
        if reach and reach.origins:
            from starlette.middleware.cors import CORSMiddleware  # late: only `cn serve` has such origins

            # Behind the look at the Host: a page that rebinds its name is not even answered a preflight.
            self._behind_head = CORSMiddleware(
                self._within,
                allow_origins=list(reach.origins),
                allow_methods=["*"],
                allow_headers=["*"],
                expose_headers=_EXPOSED,
            )
        self.authorization = b"Bearer " + token.encode()
        self.hosts = frozenset(f"{name}:{port}".encode() for name in NAMES)
        self.origins = frozenset(f"http://{name}:{port}".encode() for name in NAMES)
        self.other_hosts = frozenset(name.lower().encode() for name in reach.hosts) if reach else frozenset()
        self.other_origins = frozenset(name.encode() for name in reach.origins) if reach else frozenset()
        self.guarded = reach is None or reach.token
        self.body_limit = body_limit
        self.body_timeout_s = body_timeout_s
        self.open_paths = open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            self._check_head(_Headers(scope))
        except CnError as error:
            await self._refuse(error, scope, receive, _Reply(send))
        else:
            await self._behind_head(scope, receive, send)

    async def _within(self, scope: Scope, receive: Receive, send: Send) -> None:
        reply = _Reply(send)
        try:
            headers = _Headers(scope)
            self._admit(scope, headers)
            if headers.has_body:
                receive = _replay(await self._body(headers, receive), receive)
            await self.app(scope, receive, reply)
        except ClientDisconnect:
            log.info("%s %s: the caller hung up in the middle of the body", scope["method"], scope["path"])
        except CnError as error:
            await self._refuse(error, scope, receive, reply)
        except Exception:
            # The last net: nothing below may show a traceback to a caller, or leave one without an answer.
            log.exception("%s %s failed", scope["method"], scope["path"])
            hint = "The log has the details: cn status names it."
            defect = InternalError("internal_error", "cn met a defect of its own.", hint)
            await self._refuse(defect, scope, receive, reply)

    def _check_head(self, headers: _Headers) -> None:
        """Raises ForbiddenError, AmbiguousBodyError."""
        if len(headers.hosts) != 1 or not self._is_ours(headers.hosts[0].lower()):
            raise ForbiddenError("bad_host", "The Host header must be 127.0.0.1 or localhost, with the daemon's port.")
        if headers.get(b"transfer-encoding") and headers.get(b"content-length"):
            raise AmbiguousBodyError("bad_http", "A body has a Content-Length or a Transfer-Encoding, not both.")

    def _admit(self, scope: Scope, headers: _Headers) -> None:
        """Raises ForbiddenError, UnauthorizedError or InputError."""
        if any(origin not in self.origins and origin not in self.other_origins for origin in headers.origins):
            raise ForbiddenError("bad_origin", "Web pages of other origins may not ask.")
        welcome = any(origin in self.other_origins for origin in headers.origins)
        if not welcome and headers.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin"):
            raise ForbiddenError("bad_origin", "Web pages of other sites may not ask.")
        if scope["method"] == "OPTIONS" and headers.get(b"access-control-request-method") is not None:
            raise ForbiddenError("bad_origin", "There is no cross-origin access: preflights are refused.")
        if _token_in(scope["query_string"]):
            raise InputError(
                "token_in_query",
                "The token does not belong in the address, where logs keep it.",
                "Send it as a header: Authorization: Bearer <token>",
            )
        if scope["path"] in self.open_paths and scope["method"] in ("GET", "HEAD"):
            return
        if self.guarded:
            self._know(headers)
        scope.setdefault("state", {})[ADMITTED] = True

    def _know(self, headers: _Headers) -> None:
        """Raises UnauthorizedError unless the caller has the token."""
        given = headers.get(b"authorization")
        if given is None:
            hint = "Send Authorization: Bearer <token>; .cn-daemon.json at the root holds it."
            raise UnauthorizedError("no_token", "A token is needed.", hint)
        # The scheme's name is case-insensitive (RFC 9110), the token is not.
        given = given[:7].lower().capitalize() + given[7:]
        if not hmac.compare_digest(given, self.authorization):
            hint = "Read it again from .cn-daemon.json: a restarted daemon has a new one."
            raise UnauthorizedError("bad_token", "The token is wrong.", hint)

    def _is_ours(self, host: bytes) -> bool:
        if host in self.hosts or host in self.other_hosts:
            return True
        name, colon, port = host.rpartition(b":")
        return bool(colon) and port.isdigit() and name in self.other_hosts

    async def _body(self, headers: _Headers, receive: Receive) -> bytes:
        """The whole body, within the limit and the time, however slowly it drips in."""
        limit = self.body_limit()
        length = headers.get(b"content-length") or b"0"
        if length.isdigit() and (len(length) > 20 or int(length) > limit):
            raise _too_large(limit)
        body = bytearray()
        try:
            async with asyncio.timeout(self.body_timeout_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnect
                    body += message.get("body", b"")
                    if len(body) > limit:
                        raise _too_large(limit)
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            sentence = f"The body did not arrive within {self.body_timeout_s:g} s."
            raise SlowBodyError("slow_body", sentence) from None

    async def _refuse(self, error: CnError, scope: Scope, receive: Receive, reply: _Reply) -> None:
        if reply.started:
            return
        accept = (_Headers(scope).get(b"accept") or b"").decode("latin-1")
        response = error_reply(error, accept)
        if isinstance(error, BodyTooLargeError | SlowBodyError | AmbiguousBodyError):
            response.headers["Connection"] = "close"  # what is left of the body would be read as a request
        if isinstance(error, BodyTooLargeError):
            # Closed while the caller still sends, the connection takes our reply along: read some of the rest away.
            await _drain(receive)
        await response(scope, receive, reply)


class _Headers:
    """The few headers the gate looks at. Host and Origin keep every value: a second one cannot hide."""

    def __init__(self, scope: Scope) -> None:
        self._all: list[tuple[bytes, bytes]] = scope["headers"]
        self.hosts = [value for name, value in self._all if name == b"host"]
        self.origins = [value for name, value in self._all if name == b"origin"]
        self.has_body = any(name in _BODY_HEADERS for name, _ in self._all)

    def get(self, wanted: bytes, default: bytes | None = None) -> bytes | None:
        values = [value for name, value in self._all if name == wanted]
        return b", ".join(values) if values else default


class _Reply:
    """`send`, with the headers that every reply carries."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._began = time.perf_counter()
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            elapsed_ms = (time.perf_counter() - self._began) * 1000
            message["headers"] = [
                *message["headers"],
                (b"server-timing", f"app;dur={elapsed_ms:.2f}".encode()),
                (b"cache-control", b"no-store"),
                (b"x-content-type-options", b"nosniff"),
            ]
        await self._send(message)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body already read, then what comes after it (a disconnect)."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again


def _token_in(query: bytes) -> bool:
    return any(name.lower() in _TOKEN_KEYS for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True))


def _too_large(limit: int) -> BodyTooLargeError:
    message = f"The body is larger than {limit} bytes."
    return BodyTooLargeError("body_too_large", message, "The setting body_limit_bytes sets the limit.")


async def _drain(receive: Receive) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            drained = 0
            while drained < DRAIN_BYTES:
                message = await receive()
                if not message.get("more_body", False):
                    return
                drained += len(message.get("body", b""))
