"""Files that hold a symbol's name and show no use of it: do they reach it by another way, or not at all?

A package of the workspace that is imported by name may lead to its built declarations (`dist/index.d.ts`), whose
symbols are twins of the ones in the sources; or nowhere, when the workspace is not installed or an alias is unknown
to the project. Twins are asked for too; a way that leads nowhere makes the answer partial.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import LanguageServer, Site, Words
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Position
from cn_daemon.domain.tokens import tokens
from cn_shared.errors import LanguageServerError

_SPECIFIER = re.compile(
    r"(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(?P<quote>['\"])(?P<name>[^'\"\n]+)(?P=quote)"
)
# How an alias of a folder usually begins: `@/`, `~/`, `#`.
_ALIAS = re.compile(r"[@~#]/?")
# Modules of the runtimes: a source of that name is another's, unless the project leads there.
_NODE = frozenset(
    "assert async_hooks buffer bun child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib".split()
)
SCRIPTS = (".js", ".cjs", ".jsx")
_BUILT = (".d.ts", ".d.mts", ".d.cts")
_COMMONJS = re.compile(r"\bexports\s*=\s*\{")
_MENTIONS = 3
# Each is one request, of a millisecond or so. Beyond them the answer says that it is partial.
CHECKS = 1000


class Links(NamedTuple):
    """twins: further declarations of the symbol to ask about. reason: why files may be missing, or nothing."""

    twins: list[Site]
    reason: str


class Import(NamedTuple):
    """How a specifier is read: alike in all files of one project and one package, for one language server."""

    server: str
    project: str
    package: str | None
    specifier: str


class Leads:
    """Where specifiers lead, kept between questions until something is created, deleted, installed or configured.

    by_import: the files. lost: the packages of which some specifier leads nowhere. inside: whether some source's path
    ends with a specifier.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self.by_import: dict[Import, list[str]] = {}
        self.lost: set[Import] = set()
        self.inside: dict[str, bool] = {}

    def refresh(self) -> None:
        """After the words' barrier, before a question reads what is kept."""
        changes = self._words.tail("leads")
        if changes.created or changes.deleted or not all(map(self._words.holds, changes.changed)):
            self.by_import.clear()
            self.lost.clear()
            self.inside.clear()

    def lead_inside(self, module: str) -> bool:
        known = self.inside.get(module)
        if known is None:
            known = self.inside[module] = self._words.leads_inside(module)
        return known


class _TooManyError(Exception):
    """More would have to be asked than one question may ask."""


class LinkCheck:
    """For one question: shares its documents."""

    def __init__(
        self, words: Words, leads: Leads, server: LanguageServer, documents: Documents, deadline: float
    ) -> None:
        self._packages = words.packages()
        self._leads = leads
        self._server = server
        self._documents = documents
        self._deadline = deadline
        self._asked = 0
        leads.refresh()

    async def check(self, symbol: Symbol, names: Collection[str], silent: Collection[str]) -> Links:
        """names: the symbol's own and those that exports give it. silent: files that hold one and gave no hit."""
        owner = self._packages.owner(symbol.main.path)
        twins: dict[str, Site] = {}
        lost: dict[str, set[str]] = {}
        reason = ""
        try:
            for path in sorted(silent):
                document = self._documents.try_get(path)
                for specifier, offset in self._specifiers(document) if document else ():
                    assert document is not None
                    leads = await self._lead(document, specifier, offset)
                    if not leads and _package_of(specifier) not in _NODE:
                        lost.setdefault(_package_of(specifier), set()).add(path)
                    for module in leads:
                        if module not in twins and module.endswith(_BUILT) and self._packages.owner(module) == owner:
                            twin = await self._twin(symbol, names, document)
                            twins.update({module: twin} if twin else {})
        except _TooManyError:
            reason = _too_many(silent)
        return Links(list(dict.fromkeys(twins.values())), _reason(lost) or reason)

    async def required(self, symbol: Symbol, paths: Collection[str], known: Collection[Site]) -> Links:
        """Where files take the symbol from `module.exports = { X }`, whose X is a symbol of its own to the servers.

        paths: the files that hold its name. known: the uses that were told.
        """
        declared = {one.path for one in symbol.declarations if one.path.endswith(SCRIPTS)}
        texts = [document.text for path in declared if (document := self._documents.try_get(path))]
        if not any(_COMMONJS.search(text) for text in texts):
            return Links([], "")
        found = []
        try:
            for path in sorted(paths):
                document = self._documents.try_get(path) if path.endswith(SCRIPTS) else None
                if document is not None and "require" in document.text:
                    for position in _mentions(document.once(_source), [symbol.main.name]):
                        site = Site(path, position)
                        if site not in known and any(leads.path in declared for leads in await self._ask(site)):
                            found.append(site)
        except _TooManyError:
            return Links(found, _too_many(paths))
        return Links(found, "")

    async def _lead(self, document: Document, specifier: str, offset: int) -> list[str]:
        """The files that a specifier leads to; kept."""
        path = document.path
        # Without a project, what is installed in the folders above decides alone.
        project = self._server.project(path) or path.rpartition("/")[0]
        read = Import(self._server.name, project, self._packages.owner(path), specifier)
        root = read._replace(specifier=_package_of(specifier))
        leads = self._leads.by_import.get(read)
        if leads is None and root in self._leads.lost:
            # Where one way into a package leads nowhere the answer is partial, whatever the others do.
            return []
        if leads is None:
            place = document.once(_source).position(offset + 1)
            leads = [site.path for site in await self._ask(Site(path, place))]
            self._leads.by_import[read] = leads
            if not leads:
                self._leads.lost.add(root)
        return leads

    def _specifiers(self, document: Document) -> Iterator[tuple[str, int]]:
        """The specifiers that should lead into the workspace: its packages, and aliases of its folders."""
        for specifier, offset in document.once(_by_name):
            root = _package_of(specifier)
            folder = self._packages.folders.get(root)
            if folder is not None:
                if not _below(document.path, folder):
                    yield specifier, offset
            elif root not in self._packages.dependencies:
                alias = _ALIAS.match(specifier)
                if self._leads.lead_inside(specifier[alias.end() :] if alias else specifier):
                    yield specifier, offset

    async def _twin(self, symbol: Symbol, names: Collection[str], document: Document) -> Site | None:
        """The symbol's declaration in what a build wrote, by a file that uses it from there."""
        known = {(one.path, one.position) for one in symbol.declarations}
        for position in _mentions(document.once(_source), names):
            for site in await self._ask(Site(document.path, position)):
                if site.path.endswith(_BUILT) and (site.path, site.position) not in known:
                    twin = self._documents.try_get(site.path)
                    if twin is not None and self._packages.owner(site.path) == self._packages.owner(symbol.main.path):
                        return site
        return None

    async def _ask(self, site: Site) -> list[Site]:
        self._asked += 1
        if self._asked > CHECKS:
            raise _TooManyError
        try:
            hits = await self._server.definitions(site, self._deadline)
        except LanguageServerError as error:
            if error.code != "request_refused":
                raise
            return []
        return [Site(hit.path, hit.span.start) for hit in hits if hit.path != site.path]


def _source(document: Document) -> SourceText:
    return SourceText(document)


def _by_name(document: Document) -> list[tuple[str, int]]:
    """Every specifier that is no path, with its offset."""
    found = ((match["name"], match.start("name")) for match in _SPECIFIER.finditer("\n".join(document.lines)))
    return [(name, offset) for name, offset in found if not name.startswith((".", "/")) and ":" not in name]


def _mentions(source: SourceText, names: Collection[str]) -> list[Position]:
    found = (
        source.position(token.start)
        for token in tokens(source.text, jsx=source.jsx)
        if token.kind in ("name", "keyword") and source.text[token.start : token.end] in names
    )
    return [position for _, position in zip(range(_MENTIONS), found, strict=False)]


def _package_of(specifier: str) -> str:
    parts = specifier.split("/")
    return "/".join(parts[:2]) if specifier.startswith("@") and len(parts) > 1 else parts[0]


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def _too_many(silent: Collection[str]) -> str:
    return (
        f"{len(silent)} files hold the name and show no use; more than {CHECKS} of their places would have to be asked"
    )


def _reason(lost: dict[str, set[str]]) -> str:
    if not lost:
        return ""
    names, files = ", ".join(sorted(lost)), set[str]().union(*lost.values())
    return f"imports of {names} lead nowhere, in {len(files)} or more files (is the workspace installed?)"
