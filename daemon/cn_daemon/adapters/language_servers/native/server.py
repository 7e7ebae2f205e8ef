"""TypeScript ≥ 7: the native compiler as a language server (`tsc --lsp --stdio`), spoken to in plain LSP.

It answers for files that are not open, loads the project of a file when it is asked for it, and reads changes of files
only from `workspace/didChangeWatchedFiles`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.ambient import FILE as AMBIENT
from cn_daemon.adapters.language_servers.lsp.shapes import findings, fold, hits, identifier, place, position, span
from cn_daemon.adapters.language_servers.native.files import NativeFiles
from cn_daemon.adapters.language_servers.native.lending import NativeLending
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.native.projects import NativeProjects
from cn_daemon.adapters.language_servers.outlines import Outlines
from cn_daemon.adapters.language_servers.sources import ENDINGS, that_are_there
from cn_daemon.application.ports import Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.declarations.blocks import Fold
from cn_daemon.domain.declarations.items import Item
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SCRIPTS
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.wire import LanguageServerStatus

# LSP's SymbolKind, as far as this server uses it; what is coarse here is read from the text.
KINDS = {
    2: "Namespace", 3: "Namespace", 4: "Namespace", 5: "Class", 6: "Method", 7: "Property", 8: "Property",
    9: "Constructor", 10: "Enum", 11: "Interface", 12: "Function", 13: "Variable", 14: "Variable",
    22: "EnumMember", 26: "TypeAlias",
}  # fmt: skip
HOVER_KINDS = {
    "class": "Class", "interface": "Interface", "type": "TypeAlias", "enum": "Enum", "(enum member)": "EnumMember",
    "function": "Function", "(local function)": "Function", "var": "Variable", "let": "Variable", "const": "Constant",
    "(method)": "Method", "constructor": "Constructor", "(property)": "Property", "(accessor)": "Accessor",
    "(getter)": "Accessor", "(setter)": "Accessor", "namespace": "Namespace", "module": "Module",
    "(parameter)": "Variable", "(type parameter)": "TypeAlias",
}  # fmt: skip
# Markdown: the signature as code, the documentation, then its tags.
_HOVER = re.compile(r"```\w*\n(?P<signature>.*?)\n```(?P<documentation>.*?)(?:\n\n\*@.*)?$", re.DOTALL)


class NativeServer:
    """The port `LanguageServer` over the native compiler."""

    def __init__(self, root: Path, link: NativeLink, files: NativeFiles, projects: NativeProjects) -> None:
        self.name = link.supervisor.name
        self.endings = frozenset(ENDINGS)
        self._root = root
        self._link = link
        self._files = files
        self._projects = projects
        self._lending = NativeLending(link, files)
        self._outlines = Outlines()

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(wanted: Sequence[Document]) -> list[list[Item]]:
            trees = await self._lending.about(wanted, "documentSymbol", deadline)
            return [[_item(child) for child in tree or ()] for tree in trees]

        return await self._outlines.of(documents, name, fetch)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        (rows,) = await self._lending.about([document], "foldingRange", deadline)
        return [fold(row) for row in rows or ()]

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        (ranges,) = await self._lending.about([document], "selectionRange", deadline, positions=[position(place)])
        spans = []
        above = ranges[0] if ranges else None
        while above:
            spans.append(span(above["range"]))
            above = above.get("parent")
        return spans

    async def loss(self, deadline: float) -> str:
        """Why some tsconfig of the workspace makes this server lose references; empty when none does."""
        return await self._projects.loss(deadline)

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        return await self._projects.load(paths, deadline)

    def project(self, path: str) -> str:
        return self._projects.of(path)

    def together(self, one: str, other: str) -> bool:
        return self._projects.together(one, other)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        rows: list[dict[str, Any]] = []
        declared: set[Hit] = set()
        answers = await self._files.current(partial(self._uses, sites, deadline))
        for site, told, declaring in zip(sites, answers[: len(sites)], answers[len(sites) :], strict=True):
            rows += told
            here = hits(declaring)
            if self._is_part(site) or any((one.path, one.span.start) == site for one in here):
                declared.update(here)
        # A constructor with documentation is told as a use of itself, of no length.
        found = dict.fromkeys(hit for hit in hits(rows) if hit.span.start != hit.span.end)
        paths = {hit.path for hit in declared}
        return [hit._replace(definition=True) if hit.path in paths and hit in declared else hit for hit in found]

    async def _uses(self, sites: Sequence[Site], deadline: float) -> list[Any]:
        """Of each the uses, and then of each where it is declared, in other files as well: with the uses it does not
        tell."""
        here = list(map(place, sites))
        # Asked without declarations the server leaves imports out too.
        uses = [("references", {**one, "context": {"includeDeclaration": True}}) for one in here]
        return await self._lending.ask([*uses, *(("definition", one) for one in here)], deadline)

    def _is_part(self, site: Site) -> bool:
        """Whether `a.b = …` in a script declares `b` there: besides others, to which the server leads."""
        if not site.path.endswith(SCRIPTS):
            return False
        document = self._files.as_on_disk(site.path)
        return document.line(site.position.line)[: document.index(site.position)].endswith(".")

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        asked = [("definition", place(site)) for site in sites]
        told = await self._files.current(partial(self._lending.ask, asked, deadline))
        return [that_are_there(hits(rows, definition=True)) for rows in told]

    async def supposed(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        rows = await self._lending.supposed(document, "definition", deadline, position=position(place))
        return that_are_there(hits(rows or (), definition=True))

    async def describe(self, site: Site, deadline: float) -> Description | None:
        (answer,) = await self._lending.ask([("hover", place(site))], deadline)
        if not answer:
            return None
        told = _HOVER.match(answer["contents"]["value"])
        if told is None:
            return None
        signature = told["signature"]
        words = signature.removeprefix("(alias) ")
        kind = next((kind for word, kind in HOVER_KINDS.items() if words.startswith(word + " ")), "Variable")
        return Description(kind, signature, told["documentation"].strip())

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            (report,) = await self._lending.ask([("diagnostic", {"textDocument": identifier(path)})], deadline)
            found[path] = findings(report, "TS")
        return found

    def status(self) -> LanguageServerStatus:
        anchors = [os.path.relpath(path, self._root) for path in self._files.anchors if path != AMBIENT]
        return self._link.status(loading=self._projects.loading is not None, open_anchors=anchors)

    async def warm(self) -> None:
        await self._link.supervisor.warm()

    async def close(self) -> None:
        await self._link.supervisor.close()


def _item(row: dict[str, Any]) -> Item:
    return Item(
        row["name"],
        KINDS.get(row["kind"], ""),
        [span(row["range"])],
        span(row["selectionRange"]),
        [_item(child) for child in row.get("children") or ()],
    )
