"""TypeScript ≤ 6: typescript-language-server, and through it tsserver's own requests."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.sources import ENDINGS, that_are_there
from cn_daemon.adapters.language_servers.supervisor import Supervised
from cn_daemon.adapters.language_servers.tsserver.files import TsserverFiles
from cn_daemon.adapters.language_servers.tsserver.line_ends import line_ends_of
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.shapes import (
    KINDS,
    arguments,
    hits,
    plain,
    span,
)
from cn_daemon.application.ports import Coverage, Description, Finding, Hit, Site
from cn_shared.errors import LanguageServerError


class TypeScriptServer(Supervised):
    """The port `TellsMeaning` over typescript-language-server."""

    def __init__(self, link: TsserverLink, files: TsserverFiles) -> None:
        self.name = link.supervisor.name
        self.endings = frozenset(ENDINGS)
        self._link = link
        self._files = files

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        return await self._files.show(paths, deadline)

    async def project_of(self, path: str, deadline: float) -> str:
        """The tsconfig by which a loaded file is read, "" for none."""
        return await self._files.project_of(path, deadline)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        for body in await asyncio.gather(*(self._ask_at("references", site, deadline) for site in sites)):
            found.update(dict.fromkeys(hits(body["refs"] if body else ())))
        # Asked at one declaration of a symbol it may tell the others as mere uses.
        return [hit for hit in found if hit.definition or hit._replace(definition=True) not in found]

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        bodies = await asyncio.gather(*(self._ask_at("definition", site, deadline) for site in sites))
        return [that_are_there(hits(body, definition=True)) for body in bodies]

    async def describe(self, site: Site, deadline: float) -> Description | None:
        body = await self._ask_at("quickinfo", site, deadline)
        if not body:
            return None
        kind = KINDS.get(body["kind"], "Variable")
        return Description(kind, body["displayString"], plain(body.get("documentation", "")))

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            rows: list[dict[str, Any]] = []
            for command in ("syntacticDiagnosticsSync", "semanticDiagnosticsSync"):
                rows += await self._files.ask(command, {"file": path}, deadline) or ()
            ends = line_ends_of(path)
            found[path] = [
                Finding(span(row, ends), row["category"], f"TS{row['code']}", row["text"])
                for row in rows
                if row["category"] in ("error", "warning")
            ]
        return found

    async def _ask_at(self, command: str, site: Site, deadline: float) -> Any:
        """None as well for what no project holds: it was not loaded."""
        try:
            return await self._files.ask(command, arguments(site), deadline)
        except LanguageServerError as error:
            if error.code == "request_refused" and "No Project" in error.message:
                return None
            raise
