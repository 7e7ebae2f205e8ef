"""A language server of a row of `languages`, in plain LSP.

A file that may hold an answer is opened with the text that is on disk: so every server sees it, whatever it has
indexed, and as it stands now. Of all other files it is notified what changed before the question is sent. Which
mentions of a name it did not tell is looked into by the question (`application.doubts`), not here.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.lsp.anchors import Anchors
from cn_daemon.adapters.language_servers.lsp.files import OPEN, LspFiles
from cn_daemon.adapters.language_servers.lsp.link import LspLink
from cn_daemon.adapters.language_servers.lsp.outline import behind, declarations
from cn_daemon.adapters.language_servers.lsp.shapes import findings, fold, hits, identifier, place
from cn_daemon.adapters.language_servers.plain_texts import PlainTexts
from cn_daemon.adapters.language_servers.supervisor import Supervised
from cn_daemon.application.ports import Changes, Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.declarations.blocks import Around
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import AnswersByText, Document, Position, Span
from cn_shared.errors import CnError

OUTLINES_AT_ONCE = 64
# What a file is called in whose stead a text is asked about.
_BESIDE = "__overlay"
# In types as ty writes them.
_PARTLY_KNOWN = re.compile(r"\b(?:Unknown|Any|Todo|Divergent)\b|\bomitted \d+ union")
_TYPE_ARGUMENTS = re.compile(r"\[[^\[\]]*\]")
# Markdown: where it stands, if that is given, the signature as code, then the documentation.
_HOVER = re.compile(
    r"\s*(?:```\w*\n[^\n]*\n```\s*(?=```))?(?:```\w*\n(?P<signature>.*?)\n?```)?\s*(?:-{3,})?\s*(?P<documentation>.*)$",
    re.DOTALL,
)
_CLASS = re.compile(r"<class '([\w.]+)'>$")


class LspServer(Supervised, PlainTexts):
    """The port `LanguageServer` over the server of a row."""

    def __init__(self, link: LspLink, read: Callable[[str], str], changes: Callable[[str], Changes]) -> None:
        """read, changes: as for `LspFiles`."""
        self.name = link.row.server
        self.endings = frozenset(link.row.endings)
        self.row = link.row
        self._read = read
        self._link: LspLink = link
        self._files = LspFiles(link, read, changes)
        self._outlines = AnswersByText[list[Declaration]]()

    @property
    def title(self) -> str:
        """Its language, and what it was sent about the workspace."""
        project_title = self._link.project.title if self._link.project is not None else ""
        return f"{self.row.title} ({project_title})" if project_title else self.row.title

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(missing: Sequence[Document]) -> list[list[Declaration]]:
            found: list[list[Declaration]] = []
            for start in range(0, len(missing), OUTLINES_AT_ONCE):
                batch = missing[start : start + OUTLINES_AT_ONCE]
                rows = await self._files.about(batch, "documentSymbol", deadline)
                found += [declarations(one, symbols or (), self.row) for one, symbols in zip(batch, rows, strict=True)]
            return found

        own = [one for one in documents if os.path.splitext(one.path)[1] in self.endings]
        return {**{one.path: [] for one in documents}, **await self._outlines.of(own, fetch)}

    async def around(self, document: Document, place: Position, deadline: float) -> Around:
        if not await self._link.offers("foldingRange", deadline):
            return Around([])
        (rows,) = await self._files.about([document], "foldingRange", deadline)
        return Around([fold(row) for row in rows or ()])

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        left = await self._files.show(paths, deadline)
        reason = f"{len(left)} files hold the name beyond the {OPEN} that are read" if left else ""
        return Coverage(0 if reason else 1, 1, left, reason)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        if self.row.by_word or self.row.anchored:
            return [hit for site in sites for hit in self._repeats(site)]
        found: dict[Hit, None] = {}
        for site in sites:
            parameters = {**place(site), "context": {"includeDeclaration": True}}
            found.update(dict.fromkeys(hits(await self._link.request("textDocument/references", parameters, deadline))))
        return self._at_names(found)

    def _repeats(self, site: Site) -> list[Hit]:
        """What is sure of a symbol of such a language; each further mention is looked at."""
        document = Document(site.path, self._read(site.path))
        if self.row.anchored:
            return [
                Hit(site.path, span, span.start == site.position) for span in Anchors(document).repeats(site.position)
            ]
        return [Hit(site.path, Span(site.position, site.position), definition=True)]

    def _at_names(self, found: Collection[Hit]) -> list[Hit]:
        """Where the names stand of what is answered."""
        before = self.row.before
        if before is None:
            return list(found)
        documents: dict[str, Document] = {}
        for path in {hit.path for hit in found}:
            with contextlib.suppress(CnError):
                documents[path] = Document(path, self._read(path))
        named = (hit for hit in found if hit.path in documents)
        return [hit._replace(span=behind(documents[hit.path], hit.span, before)) for hit in named]

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        return [await self._definition(site, deadline) for site in sites]

    async def _definition(self, site: Site, deadline: float) -> list[Hit]:
        if self.row.anchored:
            declared = Anchors(Document(site.path, self._read(site.path))).at(site.position)
            return [Hit(site.path, span, definition=True) for span in declared]
        answer = await self._link.request("textDocument/definition", place(site), deadline)
        found = self._at_names(hits(answer, definition=True))
        if self.row.typed is None or not any(map(self.row.typed.search, (hit.path for hit in found))):
            return found
        answer = await self._link.request("textDocument/declaration", place(site), deadline)
        return hits(answer, definition=True) or found

    async def overlay_definitions(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        """As of `TellsOverlays`."""
        return await self._overlay("definition", document, place, deadline)

    async def overlay_types(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        """As of `TellsOverlays`."""
        found = await self._overlay("typeDefinition", document, place, deadline)
        # Of what is known in part, `Foo | (Unknown & ~AlwaysFalsy)`, the known types alone are answered.
        answer = await self._beside("hover", document, place, deadline) if found else None
        shown = _markdown(answer["contents"]) if answer else ""
        while shown != (outer := _TYPE_ARGUMENTS.sub("", shown)):
            shown = outer
        return [] if _PARTLY_KNOWN.search(shown) else found

    async def _overlay(self, request: str, document: Document, at: Position, deadline: float) -> list[Hit]:
        if not self.row.rooted or not await self._link.offers(request, deadline):
            return []
        path = self._path_beside(document)
        found = hits(await self._beside(request, document, at, deadline), definition=True)
        return [hit._replace(path="") if hit.path == path else hit for hit in found]

    async def _beside(self, request: str, document: Document, at: Position, deadline: float) -> Any:
        """Asked of a file beside it, which is not on disk: other questions learn nothing of that."""
        beside = Document(self._path_beside(document), document.text)
        return await self._files.at(beside, request, at, deadline)

    def _path_beside(self, document: Document) -> str:
        stem, ending = os.path.splitext(document.path)
        return f"{stem}{_BESIDE}{ending}"

    async def implementations(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        for site in sites:
            if await self._may_have_heirs(site, deadline):
                rows = await self._link.request("textDocument/implementation", place(site), deadline)
                found.update(dict.fromkeys(hits(rows)))
        return list(found)

    async def _may_have_heirs(self, site: Site, deadline: float) -> bool:
        """Of what cannot have any some servers tell the siblings, or the interface."""
        if self.row.overriding:
            return True
        document = Document(site.path, self._read(site.path))
        declared = declaration_at((await self.outlines([document], deadline))[site.path], site.position)
        return declared is None or "Interface" in {declared.kind, declared.parent.kind if declared.parent else ""}

    async def describe(self, site: Site, deadline: float) -> Description | None:
        answer = await self._link.request("textDocument/hover", place(site), deadline)
        match = _HOVER.match(_markdown(answer["contents"])) if answer else None
        if match is None:
            return None
        signature = (match["signature"] or match["documentation"].partition("\n")[0]).strip()
        named = _CLASS.match(signature)
        documentation = match["documentation"].strip() if match["signature"] else ""
        return Description("Variable", f"class {named[1]}" if named else signature, documentation)

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            report = await self._link.request("textDocument/diagnostic", {"textDocument": identifier(path)}, deadline)
            found[path] = findings(report)
        return found


def _markdown(contents: Any) -> str:
    if isinstance(contents, list):
        return "\n".join(map(_markdown, contents))
    if isinstance(contents, dict):
        text = str(contents.get("value", ""))
        return f"```{contents['language']}\n{text}\n```" if "language" in contents else text
    return str(contents)
