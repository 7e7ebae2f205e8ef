"""What implements a type, or a member of one."""

from __future__ import annotations

from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.heirs import DECLARES_ONLY, Heirs
from cn_daemon.application.relations.lineage import heirs_of
from cn_daemon.application.relations.mentions import holder, source
from cn_daemon.application.relations.named_heirs import NO_TYPE
from cn_daemon.application.relations.trees import key_of
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration, Enclosing
from cn_daemon.domain.declarations.symbols import Symbol
from cn_shared.wire import Completeness, LocationRef


class Implementations:
    """For one question."""

    def __init__(self, question: Question, site: Site | None = None) -> None:
        """site: where the symbol was asked about."""
        self._question = question
        self._site = site
        self._heirs: Heirs | None = None

    @property
    def completeness(self) -> Completeness:
        """Of what was asked; `of` comes first."""
        assert self._heirs is not None
        return self._heirs.completeness

    async def of(self, symbol: Symbol) -> list[LocationRef]:
        """The classes that implement or extend a type, or their members of that name, and objects or their keys."""
        question, main = self._question, symbol.main
        parent = main.parent if main.kind in MEMBERS else None
        types = await question.symbol(parent) if parent is not None else symbol
        heirs = self._heirs = heirs_of(question, types, self._site if parent is None else None)
        below = await heirs.all_below(types)
        named = [heir.declaration for heir in below if heir.declaration.kind not in DECLARES_ONLY]
        if parent is not None:
            children = [child for one in named for child in one.children]
            named = [one for one in children if one.name == main.name and one.static == main.static]
        hits = [] if main.static else await heirs.instances(symbol, below)
        found: dict[tuple[object, ...], Hit] = {(hit.path, hit.span.start): hit for hit in hits}
        known = {key_of(one): one for one in named}
        found |= {place: Hit(one.path, one.name_span) for place, one in known.items()}
        for own in symbol.declarations:
            found.pop(key_of(own), None)
        ordered = question.locations.ordered(found.values())
        places = [await self._place(hit, known.get((hit.path, hit.span.start))) for hit in ordered]
        return [place for place in places if place is not None]

    async def _place(self, hit: Hit, named: Declaration | None) -> LocationRef | None:
        """An implementation as it is answered: a declaration, or the one that holds an object literal. None for what
        only declares, and for an import."""
        question, start = self._question, hit.span.start
        if named is not None:
            return question.locations.declaration(named)
        text = source(question.documents.get(hit.path))
        if text.in_imports(text.offset(start)):
            return None
        outline = await question.outline(hit.path)
        around = holder(Enclosing(outline, local=False), start)
        innermost = holder(Enclosing(outline), start) or around
        if around is None:
            return question.locations.of(hit.path, start, "Constant")
        # Local to a body, too.
        holders = (around, around.parent, innermost, innermost and innermost.parent)
        if any(one is not None and one.kind in DECLARES_ONLY for one in holders):
            return None
        if around.position != start:
            kind, name, container = around.kind, around.name, around.container
            return question.locations.of(hit.path, start, kind, name=name, container=container)
        return None if around.static or around.kind in NO_TYPE else question.locations.declaration(around)
