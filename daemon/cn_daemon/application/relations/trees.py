"""Trees of symbols that grow until they are deep enough, meet themselves, or are too large; that of callers."""

from __future__ import annotations

from collections.abc import Sequence

from cn_daemon.application.ports import Coverage, Hit, Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.mentions import Mention, Mentions
from cn_daemon.application.undecided import Undecided
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.text import Position
from cn_shared import wire
from cn_shared.relations import Caller
from cn_shared.wire import Completeness, LocationRef

# Of one caller; refs tells the others.
USES = 3
# A tree stops growing at this many declarations, and says so.
TREE = 300

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
        # Why something may be missing besides.
        self.doubt = ""
        self._undecided: Undecided | None = None

    @property
    def completeness(self) -> Completeness:
        """The worst of all that was asked."""
        reasons = [one.reason for one in self._verdicts if one.status == "partial"]
        first = self._verdicts[0] if self._verdicts else Coverage().verdict(1)
        reason = next(filter(None, [*reasons, self.doubt]), "") or (
            f"more than {TREE} declarations: the others are left out" if self._full else ""
        )
        if not reasons and not reason:
            return first
        return Completeness("partial", first.projects_loaded, first.projects_total, first.files, reason or None)

    def undecided(self, symbol: Symbol, most: int) -> wire.Undecided | None:
        """At most so many of the places (0 is all) that time ran out over, of the symbol that was asked about."""
        return self._question.locations.undecided(self._undecided, symbol.main.kind, most)

    async def _uses(self, symbol: Symbol, site: Site | None = None) -> list[Mention]:
        self._known.add(key_of(symbol.main))
        hits = await self._hits(symbol, site)
        mentions = Mentions(self._question)
        found = await mentions.of(mentions.ordered(hits))
        self.doubt = self.doubt or mentions.doubt
        return found

    async def _hits(self, symbol: Symbol, site: Site | None = None) -> Sequence[Hit]:
        uses = await self._question.references.uses(symbol, site)
        if not self._verdicts:
            self._undecided = uses.undecided
        self._verdicts.append(uses.completeness)
        return uses.hits

    def room(self) -> bool:
        """Whether there may be more declarations."""
        self._full = self._full or len(self._known) >= TREE
        return not self._full

    def first(self, declaration: Declaration) -> bool:
        """Whether a declaration is met for the first time."""
        known = key_of(declaration) in self._known
        self._known.add(key_of(declaration))
        return not known


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
        calling = Mentions(self._question).calling(symbol, mentions)
        by_holder: dict[tuple[str, Key | None], list[Mention]] = {}
        for one in calling:
            by_holder.setdefault((one.hit.path, key_of(one.within) if one.within else None), []).append(one)
        callers = [Calling(path, group[0].within, group) for (path, _), group in by_holder.items()]
        return callers, len(mentions) - len(calling)

    async def grown(self, callers: Sequence[Calling], depth: int) -> list[Caller]:
        """As they are answered, with `depth` - 1 levels above each. A caller is followed where it is met first."""
        described = Mentions(self._question)
        grown = []
        for caller in callers:
            symbol = self._place(caller)
            above: list[Caller] | None = None
            repeated: bool | None = None
            if caller.declaration is not None and depth > 1:
                if key_of(caller.declaration) in self._known:
                    repeated = True
                elif self.room():
                    level, _ = await self.level(await self._question.symbol(caller.declaration))
                    above = await self.grown(level, depth - 1)
            uses = [described.use(one._replace(within=None)) for one in caller.mentions[:USES]]
            grown.append(Caller(symbol, len(caller.mentions), uses, above, repeated))
        return grown

    def _place(self, caller: Calling) -> LocationRef:
        locations = self._question.locations
        if caller.declaration is not None:
            return locations.declaration(caller.declaration)
        name = locations.relative(caller.path).rpartition("/")[2]
        return locations.of(caller.path, Position(1, 1), "Module", name=name)
