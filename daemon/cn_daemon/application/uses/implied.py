"""What is exported without a word that says so: all that stands at the top of `declare module "a"`, and of a
declaration file that is a module. The compiler looks for uses of it where it is declared, and in no other file.
What is imported of a namespace that is the whole module (`export = A`) is lost as well, and what is taken of one that
lists it (`namespace A { export { B } }`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from cn_daemon.application.documents import Documents
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.exports import exported_names
from cn_daemon.application.modules.leads import CHECKS, too_many
from cn_daemon.application.modules.modules import Modules, site_of, word_at
from cn_daemon.application.ports import Hit, Site, stem_of
from cn_daemon.application.uses.additions import is_added
from cn_daemon.application.uses.candidates import Candidates
from cn_daemon.application.uses.handed import handed_to, typed_as_built
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.taking import takes
from cn_daemon.domain.mentions.usage import mentions_in
from cn_daemon.domain.mentions.whole_values import taken_in
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.reading import DECLARATIONS, SourceText
from cn_daemon.domain.source.specifiers import is_module
from cn_daemon.domain.source.text import Document, line_start

_ADDS = re.compile(r"\bdeclare\s+module\s*['\"]")
_LIST = re.compile(r"export\s*(?:type\s*)?\{")
# In braces, as it seems: at the margin it is the module's own.
_IN_BRACES = re.compile(r"(?:[{;]|^[ \t])[ \t]*\Z")
_WHOLE = re.compile(r"\bexport\s*=")
_TAKES = re.compile(r"\b(?:import|require|from)\b")
_MERGING = re.compile(r"\b(?:interface|namespace|class|enum)\s+\Z")
_DECLARING = re.compile(r"\b(?:interface|namespace|class|enum|function)\s+\Z")
_BEFORE = 40
_GIVEN = re.compile(r"\s*=(?![=>])")
_RENAMED = re.compile(r"\s+as\s+(?P<name>[\w$]+)")


class Implied:
    """For one symbol and one question. any: whether it is so exported. follow: names that imports and exports give
    it, to be asked about too. reason: why uses may be missing, or nothing. Of what is only handed on with its module no
    more is looked at than what may be members."""

    def __init__(
        self,
        symbol: Symbol,
        documents: Documents,
        modules: Modules,
        candidates: Candidates,
        handed: dict[str, Collection[str] | None],
        together: Callable[[str, str], bool],
    ) -> None:
        """handed: to which files modules are known to be handed on as values, None for any; grows. together: whether a
        project that one of two files is at home in may hold both."""
        self._documents = documents
        self._together = together
        self._modules = modules
        self._declared = [one for one in symbol.declarations if _is_implied(one, documents.try_get(one.path))]
        self._is_top = symbol.main.parent is None and not symbol.main.local
        document = documents.try_get(symbol.main.path) if self._is_top else None
        exported = document is not None and (symbol.main.exported or symbol.main.name in document.once(exported_names))
        path = symbol.main.path
        if exported and path not in handed:
            handed[path] = handed_to(path, candidates, documents)
        self._handed_to = handed[path] if exported else ()
        if exported and self._handed_to is not None:
            self._handed_to = {*self._handed_to, *typed_as_built(symbol.main.name, candidates, documents)}
        self._handed = self._handed_to is None or bool(self._handed_to)
        self._everywhere = bool(self._declared)
        self._symbol = symbol
        if self._handed:
            self._declared = list(symbol.declarations)
        self.any = bool(self._declared)
        self._as_default = {
            stem_of(one.path) for one in self._declared if _is_default(one, documents.try_get(one.path))
        }
        # What the compiler makes one of: `declare module "a" { interface B {} }` adds to what others declare.
        self._merged: set[Site] = set()
        self._asked: set[Site] = {Site(one.path, one.position) for one in symbol.declarations}
        self._checks = 0
        self._found: dict[Site, Hit] = {}
        self.follow: dict[Site, None] = {}
        self.reason = ""

    async def with_missed(self, hits: list[Hit], names: Collection[str], paths: Collection[str]) -> list[Hit]:
        """The hits, and what these files hold besides."""
        if not self._everywhere and self._is_top and self._is_listed(hits):
            self._everywhere, self._declared = True, list(self._symbol.declarations)
        self._everywhere = self._everywhere or (self._is_top and any(map(self._is_added, hits)))
        self.any = self._everywhere or self._handed
        if not self.any:
            return hits
        self._asked.update(map(site_of, hits))
        self._merged.update(site_of(hit) for hit in hits if hit.definition or self._is_list(hit))
        sites: list[Site] = []
        near = None if self._everywhere else self._handed_to
        for path in sorted(paths if near is None else set(paths).intersection(near)):
            document = self._documents.try_get(path)
            if document is not None and document.once(_takes_some):
                sites += self._untold(document, {*names, *self._defaults(document)})
        await self._look(sites)
        return list({**{site_of(hit): hit for hit in hits}, **self._found}.values())

    def add(self, sites: Collection[Site]) -> None:
        """What else declares it."""
        if sites:
            self._everywhere, self._declared = True, list(self._symbol.declarations)
            self._merged.update(sites)
            self._asked.update(sites)

    def _is_list(self, hit: Hit) -> bool:
        """Whether that is in an `export { … }`, which servers may take for its declaration."""
        document = self._documents.try_get(hit.path)
        source = document.once(SourceText) if document is not None else None
        return source is not None and source.in_imports(source.offset(hit.span.start))

    def _is_listed(self, hits: Iterable[Hit]) -> bool:
        """Whether a list makes it a part of a namespace somewhere."""
        groups = ((self._documents.try_get(path), here) for path, here in by_file(hits).items())
        return any(
            _is_part(document, hit)
            for document, here in groups
            if document is not None and document.once(_has_list)
            for hit in here
        )

    def _is_added(self, hit: Hit) -> bool:
        """Whether another file adds to it there, for its module."""
        document = self._documents.try_get(hit.path) if hit.definition and site_of(hit) not in self._asked else None
        return document is not None and _ADDS.search(document.text) is not None

    def _defaults(self, document: Document) -> Iterator[str]:
        """The names by which a file may import it as the `default` of a namespace that is the whole module."""
        for take in takes(document) if self._as_default else ():
            if take.imported and take.here and not take.member and stem_of(take.specifier) in self._as_default:
                yield take.here

    def _untold(self, document: Document, names: Collection[str]) -> Iterator[Site]:
        """Where a file may use it that nobody has told, or asked about."""
        everywhere = mentions_in(document.once(SourceText), names) if self._everywhere else None
        for position in taken_in(document, names) if everywhere is None else everywhere:
            site = Site(document.path, position)
            if site not in self._asked:
                self._asked.add(site)
                yield site

    async def _look(self, sites: Sequence[Site]) -> None:
        asked = sites[: CHECKS - self._checks]
        if len(asked) < len(sites):
            self.reason = too_many([sites[len(asked)].path])
        self._checks += len(asked)
        for site, leads in zip(asked, await self._modules.all_definitions(asked), strict=True):
            merged = not self._merged.isdisjoint(map(site_of, leads)) and self._is_near(site.path)
            if (merged or any(map(self._declares, leads))) and not self._adds(site) and not self._is_given(site, leads):
                self._note(self._documents.lenient(site.path), site)

    def _is_given(self, site: Site, leads: Sequence[Hit]) -> bool:
        """Whether a variable is called there, `const b = a`: servers tell it, and the function whose type it has."""
        word = word_at(self._documents.lenient(site.path), site)
        for target in leads if len(leads) > 1 else ():
            if site_of(target) in self._merged or self._declares(target):
                continue
            document = self._documents.try_get(target.path)
            if document is None or document.at(target.span) != word:
                continue
            source = document.once(SourceText)
            starts, ends = source.offset(target.span.start), source.offset(target.span.end)
            given = target.path == site.path or _GIVEN.match(source.text, ends) is not None
            if given and _DECLARING.search(source.text[max(0, starts - _BEFORE) : starts]) is None:
                return True
        return False

    def _is_near(self, path: str) -> bool:
        """Whether a file's own project may know what the symbol adds to a module. One around both, which makes it one
        with what the file means, says nothing of that file."""
        adding = [one.path for one in self._declared if is_added(one)]
        return not adding or any(self._together(path, one) for one in adding)

    def _adds(self, site: Site) -> bool:
        """Whether another declaration begins there that the compiler makes one with it."""
        source = self._documents.lenient(site.path).once(SourceText)
        return _MERGING.search(source.before(site.position)) is not None

    def _declares(self, target: Hit) -> bool:
        """A class that is made leads to its constructor."""
        for one in self._declared:
            if one.path == target.path and one.span.encloses(target.span):
                document = self._documents.try_get(one.path)
                if one.position == target.span.start or (document and document.at(target.span) == "constructor"):
                    return True
        return False

    def _note(self, document: Document, site: Site) -> None:
        source = document.once(SourceText)
        start = source.offset(site.position)
        end = start + len(word_at(document, site))
        self._found[site] = Hit(site.path, source.span(start, end))
        if source.in_imports(start):
            renamed = _RENAMED.match(source.text, end)
            given = source.span(*renamed.span("name")) if renamed else self._found[site].span
            named = Site(site.path, given.start)
            self._found[named] = Hit(site.path, given)
            self.follow[named] = None


def _is_implied(one: Declaration, document: Document | None) -> bool:
    if document is None or one.local:
        return False
    around = one.parent
    if around is not None and around.kind == "Namespace":
        return _is_module(around.parent) and document.once(_is_whole)
    if around is None:
        return not one.exported and one.path.endswith(DECLARATIONS) and is_module(document)
    return not one.exported and _is_module(around)


def _is_part(document: Document, hit: Hit) -> bool:
    """Whether a list makes it a part of a namespace there."""
    script, source = brackets(document), document.once(SourceText)
    around = script.opener[script.at(source.offset(hit.span.start))]
    return script.text(around - 1 - (script.text(around - 1) == "type")) == "export" and script.opener[around] > 0


def _has_list(document: Document) -> bool:
    text = document.text
    lists = (one.start() for one in _LIST.finditer(text))
    return any(_IN_BRACES.search(text[line_start(text, at) : at]) for at in lists)


def _takes_some(document: Document) -> bool:
    return _TAKES.search(document.text) is not None


def _is_whole(document: Document) -> bool:
    return _WHOLE.search(document.text) is not None


def _is_default(one: Declaration, document: Document | None) -> bool:
    """Whether a namespace that is the whole module may hand it on as its `default`."""
    if document is None or not document.once(_is_whole):
        return False
    return re.search(rf"(?<![\w$]){re.escape(one.name)}\s+as\s+default\b", document.text) is not None


def _is_module(around: Declaration | None) -> bool:
    return around is None or (around.kind == "Module" and around.parent is None)
