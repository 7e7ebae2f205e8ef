"""Uses of what a script exports that no server tells among the references.

To TypeScript `exports.a = a` is an alias: it knows where `utils.a` leads, and leaves it out of the references of `a`.
The native server leaves out the uses of `exports.b = function () {}` as well, and does not know where they lead once
`module.exports` was assigned; the text tells it then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Collection, Iterator
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Position
from cn_daemon.domain.tokens import tokens

SCRIPTS = (".js", ".cjs", ".jsx")
# What may take from a script.
TAKERS = (*SCRIPTS, ".mjs", ".ts", ".tsx", ".mts", ".cts")
_EXPORTS = re.compile(r"\bexports\b")
_TAKES = re.compile(r"\brequire\s*\(|\bimport\b")
_MODULE = r"(?:[\w$.]+\s*\(\s*)?(?:require|await\s+import)\s*\(\s*['\"](?P<{}>[^'\"\n]+)['\"]"
# What a module, or a part of one that was taken before, is bound to.
_BINDS = re.compile(
    r"(?:\{(?P<body>[^{}]*)\}|(?<![\w$.])(?P<name>[\w$]+))\s*=\s*"
    rf"(?:{_MODULE.format('module')}|(?P<of>[\w$]+)(?:\s*\.\s*[\w$]+)*[^\S\n]*(?:[;,\n]|$))"
)
_IMPORTS = re.compile(r"\bimport\s+(?:[\w$]+\s*,\s*)?(?:\*\s*as\s+)?(?P<name>[\w$]+)[^'\"();]*\bfrom\b")
# What stands before a member: the start of its chain, and what lies between.
_CHAIN = re.compile(
    r"(?:(?<![\w$])(?:(?<=\.\.\.)|(?<!\.))(?P<root>[\w$]+)|\brequire\s*\(\s*['\"](?P<module>[^'\"\n]+)['\"]\s*\)+)"
    r"\s*(?P<between>(?:\??\.\s*[\w$]+\s*)*)\??\.\s*\Z"
)
_TAKEN = re.compile(r"(?<![\w$.])(?P<name>[\w$]+)\s*=\s*\Z")
_RENAMED = re.compile(r"\s*:\s*(?P<name>[\w$]+)")
# Behind the specifier of a `require`.
_PART = re.compile(r"[\s)]*\??\.")
_ASSIGNED = re.compile(r"\bexports\s*\.\s*(?P<name>[\w$]+)\s*=\s*\Z")
_KEYED = re.compile(r"(?P<name>[\w$]+)['\"]?\s*:\s*\Z")
_ENDS = re.compile(r"\s*(?:[;,}\n]|\Z)")
_NAME = re.compile(r"[\w$]*")
_CHAIN_LENGTH = 200


class Place(NamedTuple):
    """A mention that may lead to what another file exports. start: its offset. module: that of what its module is
    taken by, a name or a specifier; None where a part of the module is taken. bound: that of a name of the file that
    stands for it from there on."""

    start: int
    module: int | None
    bound: int | None


class Taken:
    """For one symbol. sites: the uses that were found. follow: further places to ask for references. doubt: why there
    may be more, or nothing."""

    def __init__(
        self, symbol: Symbol, known: Collection[Hit], documents: Documents, ask: Callable[[Site], Awaitable[list[Site]]]
    ) -> None:
        self.sites: list[Site] = []
        self.follow: list[Site] = []
        self.doubt = ""
        self._known = {Site(hit.path, hit.span.start) for hit in known}
        self._documents = documents
        self._ask = ask
        self._declared = {Site(one.path, one.position) for one in symbol.declarations}
        self._scripts = {one.path for one in symbol.declarations if one.path.endswith(SCRIPTS)}
        self._member = symbol.main.parent is not None
        # Where the text hands it on: `a` of `exports.a = …`. To some servers that is the declaration.
        self._handed: set[Site] = set()
        # The names that its modules export it by, as their text has it.
        self._exported: dict[str, set[str]] = {}
        for path in self._scripts:
            document = documents.try_get(path)
            if document is not None:
                source = document.once(_source)
                handed = other_names(document, [hit for hit in known if hit.path == path])
                self._handed |= {Site(path, source.position(one)) for one in handed.values()}
                self._exported[path] = set(handed)
        # The objects that the symbol is a member of in its own file, by file.
        self._holders: dict[str, str] = {}
        for one in symbol.declarations:
            document = documents.try_get(one.path) if one.path in self._scripts else None
            holder = _holder(document.once(_source), one.position) if document is not None else ""
            if holder:
                self._holders[one.path] = holder
                self._exported[one.path].add(one.name)

    def can_be(self) -> bool:
        """Whether a script may have it from another file in a way that servers lose."""
        texts = (document.text for path in self._scripts if (document := self._documents.try_get(path)))
        return any(map(_EXPORTS.search, texts)) if self._scripts else not self._member

    def among(self, hits: list[Hit]) -> list[Hit]:
        """These without what hands the symbol on, and the sites that are not among them."""
        left_out = self._handed | set(self.follow) - set(self.sites)
        hits = [hit for hit in hits if Site(hit.path, hit.span.start) not in left_out]
        there = {Site(hit.path, hit.span.start) for hit in hits}
        found = []
        for site in dict.fromkeys(self.sites):
            document = self._documents.try_get(site.path) if site not in there else None
            if document is not None:
                source = document.once(_source)
                start = source.offset(site.position)
                found.append(Hit(site.path, source.span(start, start + len(_name(source, start)))))
        return [*hits, *found]

    async def look(self, path: str, names: Collection[str]) -> None:
        if not self._scripts and not path.endswith(SCRIPTS):
            return
        document = self._documents.try_get(path)
        if document is None or not (_TAKES.search(document.text) or path in self._holders):
            return
        source = document.once(_source)
        for place in _places(document, names):
            site = Site(path, source.position(place.start))
            if site in self._declared:
                continue
            if site in self._known or await self._leads_here(site, source, place):
                self.sites.append(site)
                if place.bound is not None:
                    self.follow += [site, Site(path, source.position(place.bound))]
        if path in self._holders:
            await self._look_inside(source, names)

    async def _leads_here(self, site: Site, source: SourceText, place: Place) -> bool:
        leads = await self._ask(site)
        if leads or place.module is None:
            return any(
                one in self._declared or one in self._handed or (one.path in self._scripts and one in self._known)
                for one in leads
            )
        # The server does not know the member: does it know the module?
        name = _name(source, place.start)
        if not any(name in names for names in self._exported.values()):
            return False
        modules = await self._ask(Site(site.path, source.position(place.module)))
        return any(name in self._exported.get(one.path, ()) for one in modules)

    async def _look_inside(self, source: SourceText, names: Collection[str]) -> None:
        """By `this`, or by the object itself, in the file where it is a member of one."""
        path = source.document.path
        holder = self._holders[path]
        for start in _named(source, names):
            before = _chain(source, start)
            site = Site(path, source.position(start))
            if before is None or before["between"] or before["root"] not in ("this", holder):
                continue
            if site in self._declared or site in self._known or await self._ask(site):
                continue
            if before["root"] == holder or _is_of(source.text, start, holder):
                self.sites.append(site)
            elif not self.doubt:
                line = source.position(start).line
                self.doubt = f"`this` may be {holder} in {os.path.basename(path)}:{line}, where the name is used"


def other_names(document: Document, hits: Collection[Hit]) -> dict[str, int]:
    """The names that `exports.X = symbol` and `module.exports = { X: symbol }` give a symbol, by hits in a script; each
    with its offset there."""
    if not document.path.endswith(SCRIPTS) or not _EXPORTS.search(document.text):
        return {}
    source = document.once(_source)
    found: dict[str, int] = {}
    objects = document.once(_exported_objects)
    for hit in hits:
        start, end = source.offset(hit.span.start), source.offset(hit.span.end)
        if not _ENDS.match(source.text, end):
            continue
        told = _ASSIGNED.search(source.text, max(0, start - _CHAIN_LENGTH), start)
        keyed = _KEYED.search(source.text, max(0, start - _CHAIN_LENGTH), start)
        if keyed is not None and any(_stands_in(source.text, one, start) for one in objects if one < start):
            told = keyed
        if told is not None:
            found[told["name"]] = told.start("name")
    return found


def _source(document: Document) -> SourceText:
    return SourceText(document)


def _exported_objects(document: Document) -> list[int]:
    return list(document.once(_source).exported_objects())


def _stands_in(text: str, opening: int, place: int) -> bool:
    """Whether a place stands right in the braces that open there."""
    depth = 0
    for token in tokens(text[opening:place], jsx=True):
        mark = text[opening + token.start : opening + token.end]
        depth += 1 if mark in ("{", "(", "[") else -1 if mark in ("}", ")", "]") else 0
        if depth == 0:
            return False
    return depth == 1


def _holder(source: SourceText, position: Position) -> str:
    """`app` of `app.x = …` where `app` is what the module exports, `exports` of `exports.x = …`, else nothing."""
    before = _chain(source, source.offset(position))
    if before is None or before["root"] is None:
        return ""
    root = str(before["root"])
    if (root == "exports" and not before["between"]) or (
        root == "module" and re.fullmatch(r"\.\s*exports\s*", before["between"])
    ):
        return "exports"
    name = re.escape(root)
    handed = (
        rf"(?<![\w$.]){name}\s*=\s*(?:[\w$.]+\s*=\s*)*(?:module\s*\.\s*)?exports\b|\bexports\s*=\s*{name}\b(?!\s*[.(])"
    )
    return root if not before["between"] and re.search(handed, source.text) else ""


def _chain(source: SourceText, start: int) -> re.Match[str] | None:
    return _CHAIN.search(source.text, max(0, start - _CHAIN_LENGTH), start)


def _is_of(text: str, place: int, holder: str) -> bool:
    """Whether `this` is `holder` there: right in a function that is assigned to one of its members."""
    begins = [found.start() for found in re.finditer(rf"^{re.escape(holder)}\s*\.[^\n]*=", text[:place], re.MULTILINE)]
    if not begins:
        return False
    functions, waits = [], False
    for token in tokens(text[begins[-1] : place], jsx=True):
        mark = text[begins[-1] + token.start : begins[-1] + token.end]
        waits = waits or mark in ("function", "class")
        if mark == "{":
            functions.append(waits)
            waits = False
        elif mark == "}" and functions:
            functions.pop()
    return functions.count(True) == 1


def _name(source: SourceText, start: int) -> str:
    match = _NAME.match(source.text, start)
    return match[0] if match is not None else ""


def _named(source: SourceText, names: Collection[str]) -> Iterator[int]:
    for token in tokens(source.text, jsx=source.jsx):
        if token.kind in ("name", "keyword") and source.text[token.start : token.end] in names:
            yield token.start


def _bindings(document: Document) -> tuple[dict[str, bool], list[tuple[int, int, int | None]]]:
    """The names that stand for modules, or (false) for parts of them; and the patterns that take from them: where each
    begins and ends, and where the module's own name or specifier stands."""
    text = document.once(_source).text
    names = {match["name"]: True for match in _IMPORTS.finditer(text)}
    patterns: list[tuple[int, int, int | None]] = []
    for match in _BINDS.finditer(text):
        of = match["of"]
        if of is not None and of not in names:
            continue
        whole = match.start("module") if of is None else match.start("of") if names[of] else None
        if match["name"] is not None:
            part = _PART.match(text, match.end()) if of is None else "." in text[match.start("of") : match.end()]
            names[match["name"]] = not part
        else:
            patterns.append((match.start("body"), match.end("body"), whole))
            for taken in re.findall(r"([\w$]+)\s*(?:=[^,]*)?(?:,|$)", match["body"]):
                names.setdefault(taken, False)
    return names, patterns


def _places(document: Document, names: Collection[str]) -> list[Place]:
    """Where a script may take one of the names from a module."""
    found = list(_likely(document, names))
    # Comments and strings are told apart by reading the whole file.
    there = set(_named(document.once(_source), names)) if found else ()
    return [place for place in found if place.start in there]


def _likely(document: Document, names: Collection[str]) -> Iterator[Place]:
    source = document.once(_source)
    text = source.text
    modules, patterns = document.once(_bindings)
    any_name = "|".join(map(re.escape, names))
    for start, end in (found.span() for found in re.finditer(rf"(?<![\w$])(?:{any_name})(?![\w$])", text)):
        around = next((one for one in patterns if one[0] <= start < one[1]), None)
        if around is not None:
            renamed = _RENAMED.match(text, end)
            if not re.search(r":\s*\Z", text[around[0] : start]):
                yield Place(start, around[2], renamed.start("name") if renamed else start)
        elif (chain := _chain(source, start)) is not None and (chain["module"] or chain["root"] in modules):
            module = chain.start("module") if chain["module"] else chain.start("root")
            known = not chain["between"] and (chain["module"] or modules[chain["root"]])
            taken = _TAKEN.search(text, max(0, chain.start() - _CHAIN_LENGTH), chain.start())
            whole = taken is not None and _ENDS.match(text, end)
            yield Place(start, module if known else None, taken.start("name") if taken and whole else None)
        elif source.in_imports(start):
            yield Place(start, None, start)
