"""TypeScript ≤ 6: typescript-language-server, and through it tsserver's own requests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.outlines import Outlines
from cn_daemon.adapters.language_servers.sources import ENDINGS, that_are_there
from cn_daemon.adapters.language_servers.tsserver.files import TsserverFiles
from cn_daemon.adapters.language_servers.tsserver.lending import TsserverLending
from cn_daemon.adapters.language_servers.tsserver.line_ends import line_ends, line_ends_of
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.shapes import (
    KINDS,
    arguments,
    hits,
    items,
    location,
    plain,
    span,
)
from cn_daemon.application.ports import Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.declarations.blocks import Fold
from cn_daemon.domain.declarations.items import Item
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SCRIPTS
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

OUTLINES_AT_ONCE = 64


class TypeScriptServer:
    """The port `LanguageServer` over typescript-language-server."""

    def __init__(self, root: Path, link: TsserverLink, files: TsserverFiles) -> None:
        self.name = link.supervisor.name
        self.endings = frozenset(ENDINGS)
        self._root = root
        self._link = link
        self._files = files
        self._lending = TsserverLending(link, files)
        self._outlines = Outlines()

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(wanted: Sequence[Document]) -> list[list[Item]]:
            found: dict[str, list[Item]] = {}
            # The longest first: it is read while the others are asked for.
            longest = sorted(wanted, key=lambda document: len(document.text), reverse=True)
            for start in range(0, len(longest), OUTLINES_AT_ONCE):
                batch = longest[start : start + OUTLINES_AT_ONCE]
                # As offsets: lines and characters take longer to be worked out, and are twice as long to be sent.
                requests = [("navtree-full", {"file": document.path}) for document in batch]
                told = await self._lending.in_projects(batch, requests, deadline, items)
                if told is None:
                    told = await self._lending.by_form(batch, requests, deadline, items)
                found.update(zip((document.path for document in batch), told, strict=True))
            return [found[document.path] for document in wanted]

        return await self._outlines.of(documents, name, fetch)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        (spans,) = await self._lending.by_form([document], [("getOutliningSpans", {"file": document.path})], deadline)
        ends = line_ends(document.text)
        return [Fold(row["kind"], span(row["textSpan"], ends)) for row in spans]

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        ends = line_ends(document.text)
        asked = {"file": document.path, "locations": [location(place, ends)]}
        (ranges,) = await self._lending.by_form([document], [("selectionRange", asked)], deadline)
        spans = []
        above = ranges[0] if ranges else None
        while above:
            spans.append(span(above["textSpan"], ends))
            above = above.get("parent")
        return spans

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        return await self._files.load(paths, deadline, own=own)

    def project(self, path: str) -> str:
        return self._files.projects.of(path)

    def together(self, one: str, other: str) -> bool:
        return self._files.projects.together(one, other)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        self._files.check()
        # tsserver refuses what is in no project: `load` has told of it.
        covered = [site for site in sites if self._files.projects.covers(site.path)]
        for body in await asyncio.gather(*(self._uses(one, deadline) for one in covered)):
            found.update(dict.fromkeys(hits(body["refs"] if body else ())))
        # Asked at one declaration of a symbol it may tell the others as mere uses.
        return [hit for hit in found if hit.definition or hit._replace(definition=True) not in found]

    async def _uses(self, site: Site, deadline: float) -> Any:
        asked = arguments(site)
        if site.path.endswith(SCRIPTS) and self._files.exports_mingled(site.path):
            # When it first meets who requires the module its checker makes what that exports another symbol, with these
            # parts: what stands behind is no use of the one that is looked for.
            await self._files.ask("references", asked, deadline)
        return await self._files.ask("references", asked, deadline)

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        bodies = await asyncio.gather(*(self._ask_there("definition", site, deadline) for site in sites))
        return [that_are_there(hits(body, definition=True)) for body in bodies]

    async def supposed(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        request = ("definition", self._there(Site(document.path, place)))
        told = await self._lending.in_turn([document], [request], deadline)
        return that_are_there(hits(told[0] if told else (), definition=True))

    async def describe(self, site: Site, deadline: float) -> Description | None:
        body = await self._ask_there("quickinfo", site, deadline)
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

    async def _ask_there(self, command: str, site: Site, deadline: float) -> Any:
        """None as well where the map of a library's declarations leads to a source that no project holds."""
        try:
            return await self._files.ask(command, self._there(site), deadline)
        except LanguageServerError as error:
            if "No Project" not in error.message or self._files.projects.covers(site.path):
                raise
            return None

    def _there(self, site: Site) -> dict[str, Any]:
        """A place as the project of its file reads it: of several that hold the file tsserver takes any, and globals
        are other ones there."""
        project = self._files.projects.of(site.path)
        return {**arguments(site), "projectFileName": project} if project else arguments(site)

    def status(self) -> LanguageServerStatus:
        projects = self._files.projects
        anchors = [os.path.relpath(path, self._root) for path in projects.anchors]
        return self._link.status(loading=projects.loading is not None, open_anchors=anchors)

    async def warm(self) -> None:
        await self._link.supervisor.warm()

    async def close(self) -> None:
        await self._link.supervisor.close()
