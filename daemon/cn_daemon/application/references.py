"""All uses of a symbol: load what could hold one, ask, and follow the names that exports give it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from cn_daemon.application import made, patterned
from cn_daemon.application.commonjs import Exported, Taken
from cn_daemon.application.documents import Documents
from cn_daemon.application.doubts import Look
from cn_daemon.application.exports import exported_names, exports_default, is_own
from cn_daemon.application.kin import Kin
from cn_daemon.application.links import Leads, LinkCheck
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules import Modules
from cn_daemon.application.noted import Noted
from cn_daemon.application.ports import Coverage, Hit, LanguageServer, Site, Words, stem_of
from cn_daemon.application.programs import Programs
from cn_daemon.application.reach import Reach, Ways, is_member
from cn_daemon.application.resolve import Resolver
from cn_daemon.application.unread import Unread
from cn_daemon.domain.forms import form_of
from cn_daemon.domain.outline import flatten
from cn_daemon.domain.reading import SCRIPTS, SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Span
from cn_shared.errors import DeadlineError
from cn_shared.wire import Completeness

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_ASSIGNMENT = re.compile(r"\s*=(?![=>])")
_FOLDER = re.compile(r"['\"](?:\.{1,2}/)*\.{1,2}/?['\"]")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*$|\$[\w$]*$")


class Uses(NamedTuple):
    """hits: the references, declarations left out, unsorted."""

    hits: list[Hit]
    completeness: Completeness


class References:
    """For one question: shares its documents."""

    def __init__(
        self,
        words: Words,
        leads: Leads,
        resolver: Resolver,
        server: LanguageServer,
        documents: Documents,
        deadline: float,
    ) -> None:
        self._words = words
        self._resolver = resolver
        self._leads = leads
        self._server = server
        self._documents = documents
        self._deadline = deadline

    def _holding(self, symbol: Symbol, asked: Site | None) -> set[str]:
        """The files that hold the symbol's name."""
        paths = {path for path in self._words.files_with(symbol.main.name.lstrip("#")) if self._mine(path)}
        paths.update(one.path for one in symbol.declarations)
        if asked is not None:
            paths.add(asked.path)
        return paths

    async def uses(self, symbol: Symbol, asked: Site | None) -> Uses:
        sites = list(dict.fromkeys(Site(one.path, one.position) for one in symbol.declarations))
        paths = self._holding(symbol, asked)
        coverage = Coverage(0, 1, [])
        hits: list[Hit] = []
        required: Collection[Site] = ()
        try:
            modules = Modules(self._words, self._server, self._documents, self._deadline)
            programs = Programs(symbol, self._words, self._server, self._documents, modules, self._deadline)
            coverage = await self._server.load(paths, self._deadline)
            if form_of(symbol.main.path) is not None:
                return await self._told(symbol, sites, paths, coverage)
            names = {symbol.main.name.lstrip("#")}
            hits, coverage = await self._follow(programs, names, sites, paths, coverage)
            own = is_own(symbol, self._documents.try_get(symbol.main.path), names)
            silent = set() if own else paths - {hit.path for hit in hits}
            if silent:
                # A project that merely holds a file may know nothing of the types or globals that its own has.
                before = coverage.projects_loaded
                await self._server.load(silent, self._deadline, own=True)
                coverage = await self._server.load(paths, self._deadline)
                if coverage.projects_loaded > before:
                    hits, coverage = await self._follow(programs, names, sites, paths, coverage)
                    silent = paths - {hit.path for hit in hits}
            links = LinkCheck(self._words, self._leads, self._server, self._documents, self._deadline)
            told = await links.check(symbol, names, silent)
            if told.twins:
                sites += told.twins
                hits, coverage = await self._follow(programs, names, sites, paths, coverage)
            odd = "" if any(not hit.definition for hit in hits) else await modules.importer(symbol, paths)
            hits = await self._through_kin(symbol, programs, hits, paths)
            taken = Taken(symbol, self._documents, modules)
            hits, coverage = await self._taken(taken, programs, names, sites, paths, hits, coverage)
            await Noted(symbol, taken, self._documents, modules).look(hits, paths)
            hits, required = taken.among(hits), taken.uses
            reason = coverage.reason or told.reason or await programs.unread(names, silent)
            reach = Reach(self._words, self._documents, self._leads.steps)
            near = Ways(reach, symbol, self._documents, lambda: paths).open
            shown = filter(near, sorted(paths))
            reason = reason or taken.doubt or await made.doubt(symbol, hits, shown, self._documents, modules)
            reason = reason or await patterned.doubt(symbol, hits, sorted(paths), near, self._documents, modules)
            reason = reason or self._unread(symbol, names)
            if odd and not reason and all(hit.definition for hit in hits):
                reason = f"{os.path.basename(odd)} imports {symbol.main.name}: the language server knows no use"
        except DeadlineError:
            reason = "time ran out before every use was known; the language server goes on, ask again"
        return Uses(self._uses(symbol, hits, required), verdict(coverage, len(paths), reason))

    async def _through_kin(self, symbol: Symbol, programs: Programs, hits: list[Hit], paths: set[str]) -> list[Hit]:
        """These hits, and the uses of what a member overrides or implements in projects that do not hold the member.

        Where one project holds all, these are hits as well. tsserver goes on into no other one, TypeScript 7 once into
        each.
        """
        main = symbol.main
        apart = (path for path in paths - {hit.path for hit in hits} if not self._server.together(main.path, path))
        if not is_member(symbol) or main.static or next(apart, None) is None:
            return hits
        kin = Kin(symbol, self._resolver, self._server, self._documents, self._deadline)
        await kin.gather()
        known = {_site(hit): hit for hit in hits}
        asked = {_site(hit) for hit in hits if hit.path == main.path}
        for site in sorted(kin.sites & known.keys()):
            if site not in asked:
                more = await programs.references([site])
                asked.update(_site(hit) for hit in more if hit.definition)
                known = {_site(hit): hit._replace(definition=False) for hit in more} | known
        return list(known.values())

    def _unread(self, symbol: Symbol, names: set[str]) -> str:
        path = symbol.main.path
        document = self._documents.try_get(path)
        default = document is not None and symbol.main.parent is None and exports_default(document, names)
        importers = self._importers(path) if default else set()
        unread = Unread(self._words, self._documents)
        return unread.reason(symbol, names, importers) or unread.keyed(symbol)

    async def _told(self, symbol: Symbol, sites: list[Site], paths: set[str], coverage: Coverage) -> Uses:
        """In languages without exports under other names: what the server tells, and what it passed over."""
        told = await self._server.references(sites, self._deadline)
        hits = [hit for hit in told if self._words.holds(hit.path)]
        kin = Kin(symbol, self._resolver, self._server, self._documents, self._deadline)
        await kin.gather()
        look = Look(symbol, kin, self._server, self._documents, self._deadline)
        look.renamed(hits)
        names = set(look.names)
        while names:
            # Under a name that an import gave the symbol the servers tell uses in that file, if any.
            further = {path for name in names for path in self._words.files_with(name) if self._mine(path)} - paths
            if further:
                paths |= further
                coverage = await self._server.load(paths, self._deadline)
            fresh = await look.missed(names, paths, hits)
            hits = [*hits, *fresh]
            names = look.renamed(fresh)
        hits = self._uses(symbol, await self._without_declarations(hits), ())
        reason = coverage.reason or look.reason or ("" if told else self._unknown(symbol))
        return Uses(hits, verdict(coverage, len(paths), reason))

    def _unknown(self, symbol: Symbol) -> str:
        """Why a server tells nothing of a symbol, not even where it is declared."""
        form = form_of(symbol.main.path)
        if form is None or not self._words.holds(symbol.main.path):
            return ""
        return f"{self._server.name} does not know the declaration of {symbol.main.name}: {form.unknown}"

    async def _without_declarations(self, hits: list[Hit]) -> list[Hit]:
        """The hits at which nothing is declared: a constructor, or a definition in another file, is no use."""
        documents = [self._documents.try_get(path) for path in dict.fromkeys(hit.path for hit in hits)]
        outlines = await self._server.outlines([one for one in documents if one is not None], self._deadline)
        declared = {(one.path, one.position) for outline in outlines.values() for one in flatten(outline)}
        return [hit for hit in hits if (hit.path, hit.span.start) not in declared]

    def _uses(self, symbol: Symbol, hits: list[Hit], required: Collection[Site]) -> list[Hit]:
        """The hits that declare nothing, in files of the workspace."""
        declared: dict[str, list[Span]] = {}
        for one in symbol.declarations:
            declared.setdefault(one.path, []).append(one.name_span)
        uses: list[Hit] = []
        for path, here in by_file(hits).items():
            if self._built(path):
                continue
            # A link to a folder holds every file of it once more.
            spans = declared.get(path if self._words.holds(path) else os.path.realpath(path), ())
            here = [one for one in here if _site(one) in required or not _any_overlap(one.span, spans)]
            document = self._documents.try_get(path)
            if document is not None and any(one.path == path and one.parent is None for one in symbol.declarations):
                here = [one for one in here if _site(one) in required or not _imported(document, one.span)]
            script = document if path.endswith(SCRIPTS) else None
            uses += [hit for hit in here if not hit.definition or _site(hit) in required or _assigned(script, hit.span)]
        return uses

    async def _follow(
        self, programs: Programs, names: set[str], sites: list[Site], paths: set[str], coverage: Coverage
    ) -> tuple[list[Hit], Coverage]:
        """The references, asked again until no export leads to further files.

        `paths` grows by those, `names` by the names that exports give the symbol.
        """
        while True:
            hits = await programs.uses(sites, names, paths)
            further = self._further(hits, names) - paths
            if not further:
                return hits, coverage
            # An export under another name, or a default export: its users need not hold the symbol's own name.
            paths |= further
            coverage = await self._server.load(paths, self._deadline)

    async def _taken(
        self,
        taken: Taken,
        programs: Programs,
        names: set[str],
        sites: list[Site],
        paths: set[str],
        hits: list[Hit],
        coverage: Coverage,
    ) -> tuple[list[Hit], Coverage]:
        """These hits, and what else files take of scripts, until no script gives the symbol to further files."""
        followed: set[Site] = set()
        while True:
            taken.add(hits)
            await taken.look(paths)
            names.update(one.name for one in taken.exported if one.name)
            further = self._takers(taken.exported) - paths
            if further:
                paths |= further
                coverage = await self._server.load(paths, self._deadline)
            fresh = [site for site in taken.follow if site not in followed]
            followed.update(fresh)
            if not fresh and not further:
                await taken.own(hits)
                return hits, coverage
            more, coverage = await self._follow(programs, names, [*sites, *fresh], paths, coverage)
            hits = list({_site(hit): hit for hit in [*more, *hits]}.values())

    def _takers(self, exported: Iterable[Exported]) -> set[str]:
        """Files that could take one of these."""
        found: set[str] = set()
        handing = set(self._words.files_with("exports"))
        for module, name in exported:
            importers = self._importers(module) if module.endswith(SCRIPTS) else set()
            # Some of those hand on all that the module exports, without a name.
            found.update([*self._words.files_with(name), *(importers & handing)] if name else importers)
        return {path for path in found if self._mine(path)}

    def _built(self, path: str) -> bool:
        """Whether a file is a package's, or declarations that a build wrote: no source of the workspace."""
        return "/node_modules/" in path or (path.endswith(_DECLARATIONS) and not self._words.holds(path))

    def _mine(self, path: str) -> bool:
        return os.path.splitext(path)[1] in self._server.endings

    def _further(self, hits: Iterable[Hit], known: set[str]) -> set[str]:
        """Files that could use the symbol under a name that an export gave it; `known` grows by those names."""
        found: set[str] = set()
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path) if "/node_modules/" not in path else None
            if document is None or "export" not in document.text:
                continue
            exported = document.once(exported_names)
            spans = (hit.span for hit in here if hit.span.start.line == hit.span.end.line) if exported else ()
            for word in {document.at(span) for span in spans} - known:
                if _IDENTIFIER.match(word) and word in exported:
                    known.add(word)
                    found.update(self._words.files_with(word))
            if exports_default(document, known):
                found.update(self._importers(path))
        return {path for path in found if self._mine(path)}

    def _importers(self, path: str) -> set[str]:
        """Files that could import the module `path` by its name: a default import chooses its own."""
        stem = stem_of(path)
        if stem == "index":
            stem = os.path.basename(os.path.dirname(path))
        found: set[str] = set()
        for name in {stem, *self._words.packages().specifiers(path)}:
            words = [word for word in re.split(r"[^\w$]+", name) if word]
            if words:
                found |= set.intersection(*(set(self._words.files_with(word)) for word in words))
        return found | self._below(path)

    def _below(self, path: str) -> set[str]:
        """Scripts that could require the module `path` by its folder (`..`), which holds no word."""
        packages = self._words.packages()
        folders = {os.path.dirname(path)} if stem_of(path) == "index" else set()
        folders.update(packages.folders[name] for name in packages.specifiers(path) & packages.folders.keys())
        if not folders or not path.endswith(SCRIPTS):
            return set()
        below = (one for one in self._words.files_with("require") if any(one.startswith(f"{up}/") for up in folders))
        documents = map(self._documents.try_get, below)
        return {one.path for one in documents if one is not None and _FOLDER.search(one.text)}


def _site(hit: Hit) -> Site:
    return Site(hit.path, hit.span.start)


def _imported(document: Document, span: Span) -> bool:
    """Whether an import gives a name there: in the file that declares the symbol at its top it declares it as well, as
    a type beside a value of the same name."""
    source = document.once(SourceText)
    start, end = source.offset(span.start), source.offset(span.end)
    imports = source.import_at(start).lstrip().startswith("import")
    return imports and not source.text[end : end + 40].lstrip().startswith("as ")


def _assigned(document: Document | None, span: Span) -> bool:
    """Whether a script assigns to a member there: to compilers each `this.a = …` declares `a`."""
    if document is None:
        return False
    index = document.index(span.start)
    line = document.line(span.start.line)
    return line[:index].endswith(".") and _ASSIGNMENT.match(line, document.index(span.end)) is not None


def _any_overlap(one: Span, others: Iterable[Span]) -> bool:
    """The servers begin the name of a quoted key within its quotes, and that of a constructor before its line."""
    return any(one.start < other.end and other.start < one.end for other in others)


def verdict(coverage: Coverage, files: int, reason: str = "") -> Completeness:
    """The completeness that an answer states."""
    reason = reason or coverage.reason
    return Completeness(
        status="partial" if reason or coverage.missing else "complete",
        projects_loaded=coverage.projects_loaded,
        projects_total=coverage.projects_total,
        files=files,
        reason=reason or None,
    )


def doubted(completeness: Completeness, doubt: str) -> Completeness:
    """The same, partial when there is a further reason for it."""
    if not doubt:
        return completeness
    return replace(completeness, status="partial", reason=completeness.reason or doubt)
