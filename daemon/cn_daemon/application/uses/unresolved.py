"""Mentions of a name in a file whose imports lead nowhere: which may mean a symbol that such an import brings."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator

from cn_daemon.application.modules.reach import Reach, Ways, is_member
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.contexts import givers
from cn_daemon.domain.mentions.taking import WHOLE, Take, taken_of, takes
from cn_daemon.domain.source.brackets import Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.specifiers import added_to, package_of, quoted
from cn_daemon.domain.source.text import Document, Position

_CHAIN = re.compile(r"(?<![\w$.)\]}])(?P<root>[\w$]+)(?:\s*[!?]?\.\s*[\w$]+)*\s*[!?]?\.\s*$")
_ANY = re.compile(r"\bas\s+any\s*\)\s*\??\.$")
# What stands before the type of an object, and in the head of a class.
_TYPES = frozenset({"<", "&", "|", "extends"})
_HEAD = frozenset({"<", ">", ",", ".", "(", ")"})
_STATEMENTS = frozenset({"return", "default", "yield", "case", "else", "do"})
Definitions = Callable[[Site], Awaitable[list[Hit]]]


class Unresolved:
    """One file. nowhere: the packages that its imports do not find."""

    def __init__(self, document: Document, nowhere: Collection[str], reach: Reach, ways: Ways) -> None:
        self._document = document
        self._reach = reach
        self._ways = ways
        self._source = document.once(SourceText)
        self._nowhere = nowhere

    async def meaning(self, symbol: Symbol, places: Iterable[Position], definitions: Definitions) -> Position | None:
        """The first of these mentions that may be the symbol: the server knows nothing of it, or no more than an import
        from nowhere. Raises what `definitions` raises."""
        for position in places:
            hits = await definitions(Site(self._document.path, position))
            if any(hit.path != self._document.path for hit in hits):
                continue
            if self._adds_to(symbol, position):
                return position
            own = [hit.span.start for hit in hits]
            imports = [text for place in [*own, position] if (text := self._import_at(place))]
            if imports:
                if any(self._may_bring(text, symbol) for text in imports):
                    return position
                continue
            # A bare name of which nothing is known is a global, or nothing. A key of an object that is handed to
            # something unknown is its own definition, as is a name in a pattern.
            before = self._source.before(position).rstrip()
            unknown = before.endswith(("{", ",")) if position in own else not hits and before.endswith((".", "{", ","))
            if unknown and await self._may_be(symbol, position, before, definitions):
                return position
        return None

    def _adds_to(self, symbol: Symbol, position: Position) -> bool:
        """Whether it stands in `declare module "a"`, as the symbol does, where `a` leads nowhere."""
        around = symbol.main.parent
        if around is None or around.kind != "Module" or not self._is_lost(around.name):
            return False
        return added_to(self._document, self._source.offset(position)) == around.name

    def _may_bring(self, imported: str, symbol: Symbol) -> bool:
        """Whether an import from nowhere may name the symbol: a member only as part of what a module exports whole."""
        lost = (name for name, _ in quoted(imported) if self._is_lost(name))
        if is_member(symbol):
            return any(self._reach.exports_whole(self._document.path, one) for one in lost)
        return any(self._ways.open(self._document.path, one) for one in lost)

    def _is_lost(self, specifier: str) -> bool:
        return package_of(specifier) in self._nowhere

    def _import_at(self, place: Position) -> str:
        return self._source.import_at(self._source.offset(place))

    async def _may_be(self, symbol: Symbol, position: Position, before: str, definitions: Definitions) -> bool:
        if not is_member(symbol):
            return self._of_module(position, before)
        if before.endswith("."):
            # A rest takes no member. What is said to be any does not depend on an import.
            return not before.endswith(("import.", "...")) and _ANY.search(before) is None
        # What declares a member is no use of another. Those of an enum no object is given.
        script = brackets(self._document)
        brace = script.opener[script.at(self._source.offset(position))]
        pattern = script.text(script.closer.get(brace, 0) + 1) == "="
        if script.text(brace) != "{":
            return False
        if symbol.main.kind == "EnumMember":
            return pattern
        # A script's comment may give a type to a variable.
        given = None if self._source.script else givers(script, brace)
        if _opens_type(script, brace) or given == []:
            return False
        return given is None or not all([await self._is_known(script.words[at].start, definitions) for at in given])

    async def _is_known(self, offset: int, definitions: Definitions) -> bool:
        """Whether a name is that of something which another file declares: no import from nowhere has a say in it."""
        path = self._document.path
        hits = await definitions(Site(path, self._source.position(offset)))
        return bool(hits) and not any(hit.path == path or self._reach.is_handed_on(hit) for hit in hits)

    def _of_module(self, position: Position, before: str) -> bool:
        """Whether something may be taken there from a module that is nowhere: what no type holds is only taken so."""
        path = self._document.path
        lost = [
            one
            for one in takes(self._document)
            if self._is_lost(one.specifier) and self._ways.open(path, one.specifier)
        ]
        named = {one.module for one in lost if one.here}
        if any(one.member in (WHOLE, "then") and one.module not in named for one in lost):
            # A module that has no name here may have any: `import("a").then((it) => it.b)`.
            return True
        if before.endswith("."):
            chain = _CHAIN.search(before)
            return chain is None or any(chain["root"] == one.here for one in lost)
        offset = self._source.offset(position)
        return any(offset in (one.place, one.local) for one in self._patterns(lost))

    def _patterns(self, lost: list[Take]) -> Iterator[Take]:
        for one in lost:
            yield one
            if one.here and one.member == WHOLE:
                yield from (take for _, take in taken_of(self._document, one))


def _opens_type(script: Brackets, brace: int) -> bool:
    """Whether a brace opens a class or the type of an object, and no object."""
    before, around = script.text(brace - 1), script.opener[brace]
    if before == ":" and script.text(around) == "{":
        return _opens_type(script, around)
    if before == ":":
        # `(a: {` and `(a?: {`, not `(a ? b : {`.
        level = [at for at in range(around + 1, brace - 2) if script.opener[at] == around]
        return script.text(around) == "(" and "?" not in map(script.text, level)
    return before in _TYPES or _declares_type(script, brace - 1)


def _declares_type(script: Brackets, end: int) -> bool:
    """Whether the head of a class, an interface, a type or an enum ends there."""
    at = end - (script.text(end) == "=")
    while (script.words[at].is_name and script.text(at) not in _STATEMENTS) or script.text(at) in _HEAD:
        if script.text(at) in ("class", "interface", "type", "enum"):
            return (script.text(at) == "type") == (script.text(end) == "=")
        at = (script.opener[at] if script.text(at) == ")" else at) - 1
    return False
