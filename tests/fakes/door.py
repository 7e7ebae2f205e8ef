"""The HTTP door over fake services, asked in the process: no socket, no daemon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Mapping
from pathlib import Path
from typing import Any

import httpx

from cn_daemon.interfaces.http import DaemonInfo, create_app
from tests.fakes.services import FakeServices

PORT = 4711
TOKEN = "f" * 64


class Door:
    """`ask` sends one request with the right Host and token, unless told otherwise.

    shutdowns: how often one was asked for.
    """

    def __init__(self, root: Path = Path("/nowhere"), port: int = PORT) -> None:
        self.services = FakeServices()
        self.shutdowns = 0
        self.info = DaemonInfo(
            root=root,
            pid=42,
            port=port,
            log=root / "cn.log",
            state_file=root / ".cn-daemon.json",
            memory=lambda pid: 50_000_000,
        )
        self.app = create_app(self.services, token=TOKEN, on_shutdown=self._shutdown, info=self.info)

    def _shutdown(self) -> None:
        self.shutdowns += 1

    def ask(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content: bytes | AsyncIterable[bytes] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> httpx.Response:
        return asyncio.run(self.asked(method, path, json=json, content=content, headers=headers))

    async def asked(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content: bytes | AsyncIterable[bytes] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> httpx.Response:
        """As `ask`, within a running loop. A header that is None is left out."""
        sent = {"Authorization": f"Bearer {TOKEN}", **(headers or {})}
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as client:
            request = client.build_request(
                method,
                path,
                json=json,
                content=content,
                headers={name: value for name, value in sent.items() if value is not None},
            )
            return await client.send(request)
