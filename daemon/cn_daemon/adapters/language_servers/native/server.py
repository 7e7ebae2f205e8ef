"""TypeScript ≥ 7: the native compiler as a language server (`tsc --lsp --stdio`), in plain LSP.

It loads the project of a file when it is asked about it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.lsp.outline import declarations
from cn_daemon.adapters.language_servers.lsp.shapes import findings, fold, hits, identifier, place, span
from cn_daemon.adapters.language_servers.native.files import OPEN, NativeFiles
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.plain_texts import PlainTexts
from cn_daemon.adapters.language_servers.sources import ENDINGS, that_are_there
from cn_daemon.adapters.language_servers.supervisor import Supervised
from cn_daemon.application.ports import Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.declarations.blocks import Around
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import AnswersByText, Document, Position

# How its outlines are read where nothing reads the syntax tree.
_FORM = Language(
    "typescript",
    "TypeScript",
    {},
    "",
    kinds={2: "Namespace", 8: "Property", 14: "Variable", 26: "TypeAlias"},
    exported=re.compile(r"\bexport\b"),
)
# Callbacks and what else has no name are reported as `a() callback`, `<class>`, `()`.
_NAMED = re.compile(r"""#?[\w$]+\Z|(['"]).+\1\Z""")
# What stands before a name that is imported: to the server it is a variable.
_IMPORTING = re.compile(r"^[ \t]*import\b[^;'\"]*\Z", re.MULTILINE)
# So many lines may an import have.
_FAR = 50
HOVER_KINDS = {
    "class": "Class", "interface": "Interface", "type": "TypeAlias", "enum": "Enum", "(enum member)": "EnumMember",
    "function": "Function", "(local function)": "Function", "var": "Variable", "let": "Variable", "const": "Constant",
    "(method)": "Method", "constructor": "Constructor", "(property)": "Property", "(accessor)": "Accessor",
    "(getter)": "Accessor", "(setter)": "Accessor", "namespace": "Namespace", "module": "Module",
    "(parameter)": "Variable", "(type parameter)": "TypeAlias",
}  # fmt: skip
# Markdown: the signature as code, the documentation, then its tags.
_HOVER = re.compile(r"```\w*\n(?P<signature>.*?)\n```(?P<documentation>.*?)(?:\n\n\*@.*)?$", re.DOTALL)


class NativeServer(Supervised, PlainTexts):
    """The port `LanguageServer` over the native compiler."""

    def __init__(self, link: NativeLink, files: NativeFiles) -> None:
        self.name = link.supervisor.name
        self.endings = frozenset(ENDINGS)
        self._link = link
        self._files = files
        self._outlines = AnswersByText[list[Declaration]]()

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(wanted: Sequence[Document]) -> list[list[Declaration]]:
            trees = await self._files.about(wanted, "documentSymbol", deadline)
            return [declarations(one, _declaring(one, tree), _FORM) for one, tree in zip(wanted, trees, strict=True)]

        return await self._outlines.of(documents, fetch)

    async def around(self, document: Document, place: Position, deadline: float) -> Around:
        (rows,) = await self._files.about([document], "foldingRange", deadline)
        return Around([fold(row) for row in rows or ()])

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        left = await self._files.show(paths, deadline)
        reason = f"{len(left)} files hold the name beyond the {OPEN} that are read" if left else ""
        return Coverage(1, 1, left, reason)

    async def project_of(self, path: str, deadline: float) -> str:
        """The tsconfig by which a loaded file is read, "" for none."""
        return await self._files.project_of(path, deadline)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        await self._files.catch_up(deadline)
        found: dict[Hit, None] = {}
        for site in sites:
            # Asked without declarations the server leaves imports out too.
            rows = await self._files.ask(
                "references", {**place(site), "context": {"includeDeclaration": True}}, deadline
            )
            # A constructor with documentation is reported as a use of itself, of no length.
            found.update(dict.fromkeys(hit for hit in hits(rows) if hit.span.start != hit.span.end))
        declared = {hit[:2] for hits in await self.definitions(sites, deadline) for hit in hits}
        return [hit._replace(definition=hit[:2] in declared) for hit in found]

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        answers = [await self._files.ask("definition", place(site), deadline) for site in sites]
        return [that_are_there(hits(rows, definition=True)) for rows in answers]

    async def describe(self, site: Site, deadline: float) -> Description | None:
        answer = await self._files.ask("hover", place(site), deadline)
        if not answer:
            return None
        match = _HOVER.match(answer["contents"]["value"])
        if match is None:
            return None
        signature = match["signature"]
        words = signature.removeprefix("(alias) ")
        kind = next((kind for word, kind in HOVER_KINDS.items() if words.startswith(word + " ")), "Variable")
        return Description(kind, signature, match["documentation"].strip())

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            report = await self._files.ask("diagnostic", {"textDocument": identifier(path)}, deadline)
            found[path] = findings(report, "TS")
        return found


def _declaring(document: Document, rows: Sequence[dict[str, Any]] | None) -> Iterator[dict[str, Any]]:
    for row in rows or ():
        start = span(row["selectionRange"]).start
        before = "\n".join(document.lines[max(0, start.line - _FAR) : start.line])
        head = before[: len(before) - len(document.line(start.line)) + document.index(start)]
        if _NAMED.match(row["name"]) and not _IMPORTING.search(head):
            yield {**row, "children": list(_declaring(document, row.get("children")))}
