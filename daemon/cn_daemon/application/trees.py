"""Trees of symbols that grow until they are deep enough, meet themselves, or are too large."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cn_daemon.application.mentions import Mention, Mentions, holder, source
from cn_daemon.application.ports import Coverage, Hit, Site
from cn_daemon.application.question import Question
from cn_daemon.application.references import Uses, verdict
from cn_daemon.domain.outline import MEMBERS, Declaration
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Position, Span
from cn_daemon.domain.usage import Heir, heritage
from cn_shared.relations import Caller, Relative
from cn_shared.wire import Completeness, LocationRef

# Of one caller; refs tells the others.
USES = 3
# A tree stops growing at this many declarations, and says so.
TREE = 300
# An object literal begins otherwise.
_NO_OBJECT = ("this", "[")
# What a type can use is no call of it, but handing one of these on is as good as calling it.
HANDED_ON = frozenset({"Function", "Method", "Constructor", "Property", "Accessor", "Constant", "Variable"})

Key = tuple[str, Position]


def key_of(declaration: Declaration) -> Key:
    """What tells a declaration from every other."""
    return declaration.path, declaration.position


class Grown:
    """What a tree has met so far: how complete it is, and which declarations it holds."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._verdicts: list[Completeness] = []
        self._known: set[Key] = set()
        self._full = False

    @property
    def completeness(self) -> Completeness:
        """The worst of all that was asked."""
        reasons = [one.reason for one in self._verdicts if one.status == "partial"]
        first = self._verdicts[0] if self._verdicts else verdict(Coverage(0, 0, []), 1)
        reason = next((reason for reason in reasons if reason), "") or (
            f"more than {TREE} declarations: the others are left out" if self._full else ""
        )
        if not reasons and not reason:
            return first
        return Completeness("partial", first.projects_loaded, first.projects_total, first.files, reason or None)

    async def _uses(self, symbol: Symbol, site: Site | None = None) -> list[Mention]:
        self._known.add(key_of(symbol.main))
        uses: Uses = await self._question.references.uses(symbol, site)
        self._verdicts.append(uses.completeness)
        mentions = Mentions(self._question)
        return await mentions.of(mentions.ordered(uses.hits))

    async def _symbol(self, declaration: Declaration) -> Symbol:
        document = self._question.documents.get(declaration.path)
        outline = (await self._question.server.outlines([document], self._question.deadline))[declaration.path]
        return self._question.resolver.symbol_of(declaration, outline)

    def _room(self) -> bool:
        self._full = self._full or len(self._known) >= TREE
        return not self._full


class Calling:
    """One caller while its tree grows. declaration: None for the top level of a file."""

    def __init__(self, path: str, declaration: Declaration | None, mentions: list[Mention]) -> None:
        self.path = path
        self.declaration = declaration
        self.mentions = mentions


class CallerTree(Grown):
    """Callers and their callers, for one question."""

    async def level(self, symbol: Symbol, site: Site | None = None) -> tuple[list[Calling], int]:
        """The callers of one symbol, and how many other uses it has."""
        mentions = await self._uses(symbol, site)
        roles = {"call", "use"} if symbol.main.kind in HANDED_ON else {"call"}
        calling = [one for one in mentions if one.role in roles]
        by_holder: dict[tuple[str, Key | None], list[Mention]] = {}
        for one in calling:
            by_holder.setdefault((one.hit.path, key_of(one.within) if one.within else None), []).append(one)
        callers = [Calling(path, group[0].within, group) for (path, _), group in by_holder.items()]
        return callers, len(mentions) - len(calling)

    async def grown(self, callers: Sequence[Calling], depth: int) -> list[Caller]:
        """As they are answered, with `depth` - 1 levels above each. A caller is followed where it is met first."""
        told = Mentions(self._question)
        grown = []
        for caller in callers:
            symbol = self._place(caller)
            above: list[Caller] | None = None
            repeated: bool | None = None
            if caller.declaration is not None and depth > 1:
                if key_of(caller.declaration) in self._known:
                    repeated = True
                elif self._room():
                    level, _ = await self.level(await self._symbol(caller.declaration))
                    above = await self.grown(level, depth - 1)
            uses = [told.use(one) for one in caller.mentions[:USES]]
            grown.append(Caller(symbol, len(caller.mentions), uses, above, repeated))
        return grown

    def _place(self, caller: Calling) -> LocationRef:
        locations = self._question.locations
        if caller.declaration is not None:
            return locations.declaration(caller.declaration)
        name = locations.relative(caller.path).rpartition("/")[2]
        return locations.of(caller.path, Position(1, 1), "Module", name=name)


class TypeTree(Grown):
    """Types above and below, and implementations, for one question."""

    async def above(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What a type extends and implements, `depth` levels of it."""
        relatives: list[Relative] = []
        told: set[Key] = set()
        for declaration in symbol.declarations:
            for heir, span in self._heritage(declaration):
                for target in await self._question.resolver.defined(Site(declaration.path, span.start)):
                    if key_of(target.main) in told:
                        continue
                    told.update(map(key_of, target.declarations))
                    further = await self.above(target, depth - 1) if depth > 1 else []
                    relatives.append(Relative(self._told(target.main), heir.relation, further))
        return relatives

    async def below(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What extends and implements a type, `depth` levels of it."""
        relatives: list[Relative] = []
        for mention in await self._uses(symbol):
            found = self._inherits(mention)
            if found is None:
                continue
            heir, declaration = found
            further: list[Relative] = []
            repeated = None
            if depth > 1:
                if key_of(declaration) in self._known:
                    repeated = True
                elif self._room():
                    further = await self.below(await self._symbol(declaration), depth - 1)
            relatives.append(Relative(self._told(declaration), heir.relation, further, repeated))
        return relatives

    async def implementations(self, symbol: Symbol) -> list[LocationRef]:
        """The classes that implement or extend a type, or their members of that name, and object literals.

        Classes are found by their heritage: the servers tell no field without a value, and no class that names the
        type by another one. They know the object literals.
        """
        found = {(hit.path, hit.span.start): hit for hit in await self._told_by_server(symbol)}
        main = symbol.main
        if main.kind in MEMBERS and main.parent is not None:
            heirs = await self._heirs(await self._symbol(main.parent))
            named = [
                child
                for heir in heirs
                for child in heir.children
                if child.name == main.name and child.static == main.static
            ]
        else:
            named = await self._heirs(symbol)
        found |= {key_of(one): Hit(one.path, one.name_span) for one in named}
        for own in symbol.declarations:
            found.pop(key_of(own), None)
        places = [await self._implementing(hit) for hit in Mentions(self._question).ordered(found.values())]
        return [place for place in places if place is not None]

    async def _told_by_server(self, symbol: Symbol) -> list[Hit]:
        """Asked until no class leads to files that were not loaded."""
        question = self._question
        names = {symbol.main.name.lstrip("#")}
        # To the server overloads are one: asked for each of twenty it looks through the workspace as often.
        first = {(one.path, id(one.parent), one.kind): one for one in reversed(symbol.declarations)}
        sites = [Site(one.path, one.position) for one in reversed(first.values())]
        while True:
            wanted = question.holding(names) | {one.path for one in symbol.declarations}
            coverage = await question.server.load(wanted, question.deadline)
            hits = await question.server.implementations(sites, question.deadline)
            if symbol.main.kind not in MEMBERS:
                names |= {word for hit in hits if (word := self._word(hit)).isidentifier()}
            if question.holding(names) <= wanted:
                break
        self._verdicts.append(verdict(coverage, len(wanted)))
        return hits

    async def _heirs(self, symbol: Symbol) -> list[Declaration]:
        """The classes and interfaces below a type, however deep."""
        heirs: dict[Key, Declaration] = {}
        waiting = [symbol]
        while waiting and self._room():
            for mention in await self._uses(waiting.pop()):
                found = self._inherits(mention)
                if found is not None and key_of(found[1]) not in heirs:
                    heirs[key_of(found[1])] = found[1]
                    waiting.append(await self._symbol(found[1]))
        return list(heirs.values())

    async def _implementing(self, hit: Hit) -> LocationRef | None:
        """An implementation as it is answered: a declaration, or the one that holds an object literal. None for an
        interface and its members, which only declare, for a static member, and for `this` and lists of a fitting type.
        """
        question = self._question
        document = question.documents.get(hit.path)
        outline = (await question.server.outlines([document], question.deadline))[hit.path]
        around = holder(outline, hit.span.start)
        if around is None:
            return question.locations.of(hit.path, hit.span.start, "Constant")
        if around.kind == "Interface" or (around.parent is not None and around.parent.kind == "Interface"):
            return None
        if around.position == hit.span.start:
            return None if around.static else self._told(around)
        text = source(document)
        if text.text.startswith(_NO_OBJECT, text.offset(hit.span.start)):
            return None
        return question.locations.of(
            hit.path, hit.span.start, around.kind, name=around.name, container=around.container
        )

    def _word(self, hit: Hit) -> str:
        document = self._question.documents.try_get(hit.path)
        return document.at(hit.span) if document and hit.span.start.line == hit.span.end.line else ""

    def _heritage(self, declaration: Declaration) -> Iterable[tuple[Heir, Span]]:
        if declaration.kind not in ("Class", "Interface"):
            return
        text = source(self._question.documents.get(declaration.path))
        for heir in heritage(text.text, text.offset(declaration.name_span.end), text.form):
            yield heir, text.span(heir.start, heir.end)

    def _inherits(self, mention: Mention) -> tuple[Heir, Declaration] | None:
        """The heritage clause that a mention stands in, and whose it is."""
        if mention.within is None:
            return None
        for heir, span in self._heritage(mention.within):
            if span.start == mention.hit.span.start:
                return heir, mention.within
        return None

    def _told(self, declaration: Declaration) -> LocationRef:
        return self._question.locations.declaration(declaration)
