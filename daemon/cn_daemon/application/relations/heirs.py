"""What inherits from a type, in one step: by the clauses in which its mentions stand, and through what holds it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Iterator
from typing import NamedTuple

from cn_daemon.application.ports import Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.bases import Bases, Made
from cn_daemon.application.relations.carried import Above, Carried
from cn_daemon.application.relations.mentions import Mention, source
from cn_daemon.application.relations.trees import Grown, key_of
from cn_daemon.application.verdicts import verdict
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.clauses import clause_at
from cn_daemon.domain.mentions.heritage import Clause, Relation, base_at, extending, inherited
from cn_daemon.domain.mentions.holding import holder_at, is_argument, is_extended, is_made, leads_on
from cn_daemon.domain.mentions.parts import is_opaque
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import DECLARATIONS, SourceText
from cn_daemon.domain.source.text import Document, Span
from cn_shared.wire import LocationRef

# What a chain of names can begin with (`extends lib.Base.with(a)`) inherits nothing to anybody.
NO_TYPE = ("Module", "Namespace")
_TYPES = ("Interface", "TypeAlias")
# What a class may implement.
_MEMBERS = MEMBERS - {"Constructor", "EnumMember"}
# Before the word `class` of one without a name.
_DEFAULT = re.compile(r"\bdefault\s+(?:abstract\s+)?\Z")
_NEAR = 80
# What a name is declared as.
_WORD = re.compile(r"\b(interface|type)\s+\Z")
_KINDS = {"interface": "Interface", "type": "TypeAlias"}
_CLASS = re.compile(r"\bclass\s+([\w$]+)")
_NAME = re.compile(r"[\w$]*")
# Whose heirs can be told by the types of what classes extend.
MADE = ("Class", "Interface")


class Heir(NamedTuple):
    """place: of the class itself, where it has no name or another one than what holds it. renamed: it is an alias, and
    no other type."""

    declaration: Declaration
    relation: Relation
    place: Site
    renamed: bool = False


class Heirs(Grown):
    """For one question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self._bases = Bases(question)
        self._carried = Carried(question)
        # Whether some class extends a thing of that name.
        self._extended: dict[str, bool] = {}

    async def heirs(self, symbol: Symbol) -> AsyncIterator[Heir]:
        """Those of one step, each once, by path and place."""
        told = {key_of(one) for one in symbol.declarations}
        asked: set[Site] = set()
        waiting, made = [symbol], self._is_returned(symbol.main)
        # A class extends the variable that a library has beside the interface: that is no use of the interface.
        makers = {symbol.main.name} if is_added(symbol.main) else set()
        while waiting:
            asking = waiting.pop()
            # What holds a class is one: also the interface that has its constructor.
            value = asking.main.kind not in _TYPES or asking is not symbol
            for mention in await self._uses(asking):
                heir = await self._heir(mention, symbol, asking)
                if heir is None:
                    makers.update(self._maker(mention))
                    for one in [one async for one in self._holding(mention, asked, value=value)]:
                        if one.main.kind in _TYPES:
                            made = True
                        else:
                            waiting.append(one)
                elif key_of(heir.declaration) not in told:
                    told.add(key_of(heir.declaration))
                    yield heir
        if made or makers:
            async for heir in self._making(symbol, set() if made else makers):
                if key_of(heir.declaration) not in told:
                    told.add(key_of(heir.declaration))
                    yield heir
        for heir in await self._by_members(symbol):
            if key_of(heir.declaration) not in told:
                told.add(key_of(heir.declaration))
                yield heir

    def clauses(self, declaration: Declaration) -> Iterator[tuple[Relation, Span]]:
        """What a declaration says that it inherits from."""
        text = source(self._question.documents.get(declaration.path))
        for heir in inherited(text.text, text.offset(declaration.name_span.end), declaration.kind, text.form):
            yield heir.relation, text.span(heir.start, heir.end)

    async def _heir(self, mention: Mention, symbol: Symbol, asking: Symbol) -> Heir | None:
        """What inherits where a mention stands in its clause."""
        hit, within = mention.hit, mention.within
        text = source(self._question.documents.get(hit.path))
        if text.form is not None:
            spans = self.clauses(within) if within is not None else ()
            stands = any(span.start == hit.span.start for _, span in spans)
            return Heir(within, "extends", Site(hit.path, within.position)) if within and stands else None
        clause = clause_at(text, text.offset(hit.span.start))
        if clause is None:
            return None
        if not await self._is_heir(text, clause, text.offset(hit.span.start), symbol, asking):
            return None
        place = Site(hit.path, text.position(clause.place))
        return Heir(await self._declared(text, clause, within), clause.relation, place, clause.renamed)

    async def parents(self, declaration: Declaration) -> tuple[list[tuple[Relation, Symbol]], bool]:
        """What a declaration inherits from, and whether there may be other types that it inherits from."""
        text = source(self._question.documents.get(declaration.path))
        base = base_at(text.text, text.offset(declaration.name_span.end)) if declaration.kind == "Class" else None
        made = await self._bases.made(text, base) if base is not None and text.form is None else Made([])
        found: list[tuple[Relation, Symbol]] = [("extends", one) for one in made.symbols]
        for relation, span in self.clauses(declaration):
            if relation == "implements" or base is None or made.open:
                told = await self._bases.defined(Site(declaration.path, span.start))
                # What is called, and what is given to it, inherits nothing to anybody.
                named = relation == "implements" or base is None or base == (text.offset(span.start), 0)
                found += [
                    (relation, one) for one in told if one.main.kind in MADE or (named and one.main.kind not in NO_TYPE)
                ]
        return found, made.open or self.is_opaque(declaration)

    def is_opaque(self, declaration: Declaration) -> bool:
        """Whether only a compiler knows what an alias inherits from."""
        if declaration.kind != "TypeAlias" or form_of(declaration.path) is not None:
            return False
        text = source(self._question.documents.get(declaration.path))
        return is_opaque(text.text, text.offset(declaration.name_span.end))

    async def inherits(self, declaration: Declaration, above: Symbol) -> bool | None:
        """Whether a type is below another, as far as names tell; None where it may be."""
        keys = {key_of(one) for one in above.declarations}
        waiting, seen = [declaration], {key_of(declaration)}
        is_open = False
        while waiting:
            parents, is_left = await self.parents(waiting.pop())
            is_open = is_open or is_left
            for one in (each for _, symbol in parents for each in symbol.declarations):
                if key_of(one) in keys:
                    return True
                if key_of(one) not in seen:
                    seen.add(key_of(one))
                    waiting.append(one)
        return None if is_open else False

    async def _is_heir(self, text: SourceText, clause: Clause, place: int, symbol: Symbol, asking: Symbol) -> bool:
        """Whether a class that mentions a type, or what holds it, where it tells what it extends, inherits from it."""
        base = clause.base
        if base is None or clause.relation != "extends" or (asking is symbol and base == (place, 0)):
            return True
        made = await self._bases.made(text, base)
        if clause.inner:
            # Most that is handed to a call is none of what it makes.
            return made.holds(symbol)
        if made.lacking and symbol.main.kind in MADE and not made.holds(symbol):
            where = self._question.documents.place(text.document.path, text.position(clause.place).line)
            self._doubt = self._doubt or (
                f"what {text.text[clause.start : clause.end]} in {where} extends has {made.lacking}: it may inherit "
                f"from {symbol.main.name}"
            )
            return False
        return made.open or symbol.main.kind not in MADE or made.holds(symbol)

    async def _making(self, symbol: Symbol, makers: Collection[str]) -> AsyncIterator[Heir]:
        """The classes that extend what makes such a type, wherever a value says that it does. makers: the names of such
        values, as far as they are known."""
        paths = self._question.holding(["extends"])
        for path in sorted(paths & self._question.holding(makers) if makers else paths):
            document = self._question.documents.try_get(path)
            if document is None or form_of(path) is not None:
                continue
            text = source(document)
            for clause in document.once(_extending):
                if clause.base is not None and (await self._bases.made(text, clause.base)).holds(symbol):
                    place = Site(path, text.position(clause.place))
                    yield Heir(await self._declared(text, clause, None), "extends", place)

    async def _by_members(self, symbol: Symbol) -> list[Heir]:
        """The classes that implement what only a compiler can follow to the type."""
        question, found = self._question, []
        if symbol.main.kind not in MADE:
            return []
        root = not any(True for one in symbol.declarations for _ in self.clauses(one))
        above = Above(symbol.main.name, await self._members(symbol), root)
        carrying = list(self._carried.below(above))
        if carrying:
            paths = {symbol.main.path, *(one.document.path for one in carrying)}
            self._verdicts.append(verdict(await question.server.load(paths, question.deadline), len(paths)))
        for one in carrying:
            text, clause = source(one.document), one.told.clause
            declaration = await self._declared(text, clause, None)
            inherits = await self._carried.inherits(declaration, one, above)
            if inherits:
                found.append(Heir(declaration, "implements", Site(one.document.path, text.position(clause.place))))
            elif inherits is None and await self.inherits(declaration, symbol) is None:
                where = question.documents.place(one.document.path, text.position(clause.place).line)
                self._doubt = self._doubt or (
                    f"{declaration.name} in {where} implements what only a compiler can follow: it may be "
                    f"{symbol.main.name}"
                )
        return found

    async def _members(self, symbol: Symbol) -> list[Declaration]:
        """Its own, methods first: what implements them declares those. An outline for a name has no others."""
        keys = {key_of(one) for one in symbol.declarations}
        outlines = [await self._outline(path) for path in dict.fromkeys(one.path for one in symbol.declarations)]
        types = [one for outline in outlines for one in flatten(outline) if key_of(one) in keys]
        own = [child for one in types for child in one.children if child.kind in _MEMBERS and not child.static]
        return sorted(own, key=lambda child: child.kind != "Method")

    async def _declared(self, text: SourceText, clause: Clause, within: Declaration | None) -> Declaration:
        """The declaration of that name; one of its own for a class that no outline lists."""
        name = text.span(clause.start, clause.end)
        unnamed = text.text[clause.start : clause.end] == "class"
        default = _DEFAULT.search(text.text, max(0, clause.start - _NEAR), clause.start) if unnamed else None
        start = text.position(default.start()) if default else name.start
        for one in flatten(await self._outline(text.document.path)):
            if one.position == start:
                return one
        word = within.name if unnamed and within else text.document.at(name)
        declares = _WORD.search(text.text, max(0, clause.start - _NEAR), clause.start)
        kind = _KINDS[declares[1]] if declares else "Class"
        return Declaration(text.document.path, word, kind, name, name, local=True)

    def _leads_on(self, symbol: Symbol) -> bool:
        """Whether something may inherit from it, by the texts that hold its name: of most types nothing does."""
        main = symbol.main
        if form_of(main.path) is not None or not main.name.isidentifier() or main.name == "default":
            return True
        if self._is_returned(main):
            return True
        texts = (source(one) for one in self._texts(main.name))
        value = main.kind not in _TYPES
        return any(leads_on(one, main.name, value=value) for one in texts)

    def _is_returned(self, declaration: Declaration) -> bool:
        """Whether it is a class in an expression: what that gives, some class may extend."""
        if declaration.kind != "Class" or form_of(declaration.path) is not None:
            return False
        text = source(self._question.documents.get(declaration.path))
        return text.in_expression(declaration.span.start)

    async def _holding(self, mention: Mention, asked: set[Site], *, value: bool) -> AsyncIterator[Symbol]:
        """What holds the class that is mentioned, as far as some class extends a thing of that name. value: whether the
        mention is a class, and no mere type."""
        text = source(self._question.documents.get(mention.hit.path))
        start, end = text.offset(mention.hit.span.start), text.offset(mention.hit.span.end)
        if mention.role == "import" or text.form or not (held := holder_at(text.text, start, end, value=value)):
            return
        around = None if held.name else mention.within
        if around is not None and around.parent is not None and around.parent.kind in _TYPES:
            around = around.parent
        if not held.name and around is None:
            return
        site = Site(mention.hit.path, around.position if around else text.position(held.start))
        makes = around is not None and around.kind in _TYPES
        if makes and not is_made(text.text, start):
            return
        if site not in asked and (makes or self._is_extended(around.name if around else held.name)):
            asked.add(site)
            if around is not None:
                yield await self._symbol(around)
                return
            symbols = self._question.resolver.symbols
            # Where a pattern takes the class, servers lead on to that.
            own = held.start == start and await symbols.at(mention.hit)
            for symbol in [own] if own else (await symbols.defined(site))[:1]:
                yield symbol

    def _maker(self, mention: Mention) -> Iterator[str]:
        """What may make the type that is mentioned as an argument of another one, as far as some class extends a thing
        of that name; and what has a class that may extend what it is given of that type."""
        text, within = source(self._question.documents.get(mention.hit.path)), mention.within
        if mention.role == "import" or text.form or within is None or within.kind in _TYPES:
            return
        if is_argument(text.text, text.offset(mention.hit.span.start)) and self._is_extended(within.name):
            yield within.name
            return
        first, last = text.offset(mention.hit.span.end), text.offset(within.span.end)
        # Most mentions have no class behind them: whole texts are not read for those.
        has_class = text.text.find("class", first, last) >= 0
        if has_class and any(first < clause.place < last for clause in text.document.once(_extending)):
            yield within.name

    def _is_extended(self, name: str) -> bool:
        if name not in self._extended:
            self._extended[name] = any(is_extended(one.text, name) for one in self._texts(name))
        return self._extended[name]

    def _told(self, declaration: Declaration) -> LocationRef:
        return self._question.locations.declaration(declaration)

    def _texts(self, name: str) -> Iterator[Document]:
        """The texts that hold a word."""
        documents = map(self._question.documents.try_get, sorted(self._question.holding([name.lstrip("#")])))
        return (document for document in documents if document is not None)


def is_added(declaration: Declaration) -> bool:
    """Whether an interface may be merged with what a library declares: in a block that adds to a module, or for all
    files."""
    in_block = declaration.parent is not None or declaration.path.endswith(DECLARATIONS)
    return declaration.kind == "Interface" and in_block


def _extending(document: Document) -> list[Clause]:
    """The classes that extend what is no class of the same file."""
    text = source(document).text
    found = extending(text)
    own = set(_CLASS.findall(text))
    return [one for one in found if one.base and (one.base.calls or _NAME.findall(text, one.base.start)[0] not in own)]
