"""Requests to other people's servers, through httpx: bounded, and only where the user allows."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
import zlib
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

import httpx

from cn_daemon.adapters.runners.addresses import is_public
from cn_daemon.application.libraries.library_ports import HttpResponse
from cn_daemon.domain.libraries.http_requests import HttpRequest
from cn_shared import __version__
from cn_shared.errors import DeadlineError, ExecutionError, ForbiddenError

# They log whole addresses, which may hold a secret.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)

_REDIRECTS = 5
_CONNECT_S = 10.0
_ENCODING = "gzip"


class HttpxCaller:
    """`application.library_ports.HttpCaller`. private: whether addresses of this machine and of private networks may be
    asked. proxy: through which all requests go, "" for none; those of the environment are not used."""

    def __init__(
        self, limit_bytes: Callable[[], int], private: Callable[[], bool], proxy: Callable[[], str] = lambda: ""
    ) -> None:
        self._limit_bytes = limit_bytes
        self._private = private
        self._proxy = proxy

    async def send(self, request: HttpRequest, deadline: float) -> HttpResponse:
        """See the port."""
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                for _ in range(_REDIRECTS):
                    response = await self._once(request)
                    onward = _onward(request, response)
                    if onward is None:
                        return response
                    request = request._replace(url=onward)
                raise ExecutionError("redirected", f"{_place(request.url)} redirects without end.")
        except TimeoutError:
            raise DeadlineError(
                "api_timeout",
                f"{_place(request.url)} did not answer in time.",
                "Allow more with --deadline, or with the setting execute_timeout_s.",
            ) from None
        except zlib.error:
            raise ExecutionError(
                "bad_encoding", f"{_place(request.url)} sent an answer that cannot be unpacked."
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            # Only its kind: a message may quote the address with what it carries.
            cause = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise ExecutionError("unreachable", f"{_place(request.url)} cannot be asked: {cause}.") from None

    async def _once(self, request: HttpRequest) -> HttpResponse:
        url = httpx.URL(request.url)
        proxy = self._proxy()
        # The connection goes to the address that was checked: a second look-up could give another one. A proxy looks
        # names up itself.
        target = url if proxy else url.copy_with(host=await self._address(url))
        if proxy:
            self._admit(url.host, url.host)
        port = f":{url.port}" if url.port else ""
        host = f"[{url.host}]" if ":" in url.host else url.host
        headers = {"user-agent": f"cn/{__version__}", **request.headers, "host": f"{host}{port}"}
        headers["accept-encoding"] = _ENCODING
        async with (
            httpx.AsyncClient(
                trust_env=False, proxy=proxy or None, timeout=httpx.Timeout(None, connect=_CONNECT_S)
            ) as client,
            client.stream(
                request.method,
                target,
                headers=headers,
                content=request.body,
                extensions={} if proxy else {"sni_hostname": url.host},
            ) as response,
        ):
            body, truncated = await self._bounded(response)
            return HttpResponse(response.status_code, dict(response.headers), body, truncated)

    async def _address(self, url: httpx.URL) -> str:
        """The address of the URL's host. Raises ForbiddenError when it is not the public's."""
        port = url.port or (443 if url.scheme == "https" else 80)
        found = await asyncio.get_running_loop().getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        addresses = [str(row[4][0]).partition("%")[0] for row in found]
        for address in addresses:
            self._admit(url.host, address)
        return addresses[0]

    def _admit(self, host: str, address: str) -> None:
        if not self._private() and not is_public(address):
            raise ForbiddenError(
                "private_address",
                f"{host} is an address of this machine or of a private network ({address}).",
                "To allow that: private_addresses in the user's config.json, or CN_PRIVATE_ADDRESSES=1.",
            )

    async def _bounded(self, response: httpx.Response) -> tuple[bytes, bool]:
        """The decoded body, up to the limit. httpx would expand a whole piece before anybody counts: a
        thousandfold with gzip, more with others."""
        limit = self._limit_bytes()
        unpack = _unpacker(response.headers.get("content-encoding", ""))
        body = bytearray()
        async for piece in response.aiter_raw():
            body += unpack.decompress(piece, limit + 1 - len(body)) if unpack else piece
            if len(body) > limit:
                return bytes(body[:limit]), True
        if unpack and not unpack.eof and body:
            raise zlib.error("it ends in the middle")
        return bytes(body), False


def _unpacker(encoding: str) -> zlib._Decompress | None:
    """None for a body that is sent as it is. Raises ExecutionError."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name not in (_ENCODING, f"x-{_ENCODING}"):
        raise ExecutionError("unknown_encoding", f"The answer is encoded as {name[:40]!r}, which nobody asked for.")
    return zlib.decompressobj(16 + zlib.MAX_WBITS)


def _onward(request: HttpRequest, response: HttpResponse) -> str | None:
    """Where a read is redirected to within its own origin. Elsewhere is not followed: its headers are secrets."""
    where = response.headers.get("location")
    if where is None or response.status not in (301, 302, 303, 307, 308) or request.method not in ("GET", "HEAD"):
        return None
    target = urljoin(request.url, where)
    same = [(parts.scheme, parts.netloc) for parts in (urlsplit(request.url), urlsplit(target))]
    return target if same[0] == same[1] else None


def _place(url: str) -> str:
    """Scheme and host alone: the rest may hold secrets."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
