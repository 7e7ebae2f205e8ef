"""What implements a type, or a member of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.relations.heirs import MADE, NO_TYPE, Heir, Heirs, is_added
from cn_daemon.application.relations.mentions import Mentions, holder, source, whole_name
from cn_daemon.application.relations.trees import Key, key_of
from cn_daemon.application.verdicts import verdict
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration, Enclosing, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.said import said_by
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.text import Document
from cn_shared.wire import LocationRef

# An object literal begins otherwise.
_NO_OBJECT = ("this", "[")
# Before a key of an object or of a pattern.
_KEY = re.compile(r"[{,]\s*(?:(?:async|get|set)\s+|\*\s*)*['\"`]?\Z")
_NEAR = 80
_PROMISES = ("Promise", "PromiseLike")
_DECLARES_ONLY = ("Interface", "TypeAlias")


class Implementations(Heirs):
    """For one question. Classes are found by their heritage: the servers tell no field without a value, and no class
    that names the type by another one. They know the objects."""

    async def of(self, symbol: Symbol) -> list[LocationRef]:
        """The classes that implement or extend a type, or their members of that name, and objects or their keys."""
        main = symbol.main
        if main.kind in MEMBERS and main.parent is not None:
            return await self._of_member(symbol, await self._symbol(main.parent))
        below = await self._heirs(symbol)
        named = [heir.declaration for heir in below]
        passed = [one for one in named if one.kind in _DECLARES_ONLY]
        hits = {(hit.path, hit.span.start): hit for hit in await self._told_by_server(symbol, passed)}
        for heir in below:
            # The servers tell the class that is the value of what has the name, and all of one that has none.
            for place in (heir.place.position, heir.declaration.span.start):
                hits.pop((heir.place.path, place), None)
        told = [hit for hit in hits.values() if not await self._is_stray_class(hit, symbol)]
        return await self._told_of(symbol, named, told, {one.name for one in (main, *passed)})

    async def _of_member(self, symbol: Symbol, types: Symbol) -> list[LocationRef]:
        main = symbol.main
        children = [child for heir in await self._heirs(types) for child in heir.declaration.children]
        named = [one for one in children if one.name == main.name and one.static == main.static]
        uses = {(hit.path, self._whole(hit).span.start) for hit in await self._hits(symbol)}
        hits = await self._told_by_server(symbol)
        told = [hit for hit in hits if not await self._is_stray_class(hit, types)]
        stray = await self._stray_keys(told, uses, {key_of(one) for one in (*symbol.declarations, *named)})
        told = [hit for hit in told if (hit.path, hit.span.start) not in stray]
        return await self._told_of(symbol, named, told, ())

    async def _told_of(
        self, symbol: Symbol, named: Sequence[Declaration], hits: Sequence[Hit], said: Collection[str]
    ) -> list[LocationRef]:
        """named: declarations of heirs. hits: what the server tells besides. said: as for `_implementing`."""
        known = {key_of(one): one for one in named if one.kind not in _DECLARES_ONLY}
        found = {(hit.path, hit.span.start): hit for hit in hits}
        found |= {place: Hit(one.path, one.name_span) for place, one in known.items()}
        for own in symbol.declarations:
            found.pop(key_of(own), None)
        places = [
            await self._implementing(hit, known.get((hit.path, hit.span.start)), said)
            for hit in Mentions(self._question).ordered(found.values())
        ]
        return [place for place in places if place is not None]

    async def _is_stray_class(self, hit: Hit, above: Symbol) -> bool:
        """Whether a class that a server tells, or whose member it tells, is not below that type: the servers take a
        class for one that inherits from all that the value has which it extends. Scripts tell it in other ways."""
        text = source(self._question.documents.get(hit.path))
        if text.form is not None or text.script:
            return False
        for one in flatten(await self._outline(hit.path)):
            heir = one.parent if one.kind in MEMBERS else one
            if one.position == hit.span.start and heir is not None and heir.kind == "Class":
                return above.main.kind in MADE and await self.inherits(heir, above) is False
        return False

    async def _stray_keys(self, hits: Iterable[Hit], uses: Collection[Key], own: Collection[Key]) -> set[Key]:
        """The keys of objects that are of other members: from `{ a }` servers go on to where that a comes from, through
        patterns too; and of types that share a base, or that a value may be, they tell the objects of all.

        own: the declarations of the member, with those of heirs.
        """
        question, sites, stray = self._question, [], set[Key]()
        for hit in hits:
            text, place = source(question.documents.get(hit.path)), (hit.path, hit.span.start)
            start = text.offset(hit.span.start)
            if text.form is not None or not _KEY.search(text.text, max(0, start - _NEAR), start):
                continue
            if place in uses or text.script:
                sites.append(Site(*place))
            else:
                stray.add(place)
        for site, leads in zip(sites, await question.modules.all_definitions(sites), strict=True):
            place, meant = (site.path, site.position), {(lead.path, lead.span.start) for lead in leads}
            if meant and place not in meant and meant.isdisjoint(own):
                # What was built leads to the sources.
                symbols = await self._bases.defined(site)
                if not any(key_of(one) in own for each in symbols for one in each.declarations):
                    stray.add(place)
        return stray

    async def _told_by_server(self, symbol: Symbol, passed: Sequence[Declaration] = ()) -> list[Hit]:
        """Asked until no class leads to files that were not loaded. passed: types that have its implementations too."""
        question = self._question
        names = {one.name.lstrip("#") for one in (symbol.main, *passed)}
        # To the server overloads are one: asked for each of twenty it looks through the workspace as often.
        first = {(one.path, id(one.parent), one.kind): one for one in reversed(symbol.declarations)}
        sites = [Site(one.path, one.position) for one in (*reversed(first.values()), *passed)]
        while True:
            wanted = question.holding(names) | {one.path for one in symbol.declarations}
            coverage = await question.server.load(wanted, question.deadline)
            hits = await question.server.implementations(sites, question.deadline)
            if symbol.main.kind not in MEMBERS:
                names |= {word for hit in hits if (word := self._word(hit)).replace("$", "_").isidentifier()}
            if question.holding(names) <= wanted:
                break
        self._verdicts.append(verdict(coverage, len(wanted)))
        # A library's own are none of the workspace's.
        return [self._whole(hit) for hit in hits if question.documents.try_get(hit.path) is not None]

    def _whole(self, hit: Hit) -> Hit:
        return hit._replace(span=whole_name(source(self._question.documents.get(hit.path)), hit.span))

    async def _heirs(self, symbol: Symbol) -> list[Heir]:
        """The types below a type, however deep."""
        heirs: dict[Key, Heir] = {}
        waiting = [symbol]
        while waiting and self._room():
            for heir in [one async for one in self.heirs(waiting.pop())]:
                if key_of(heir.declaration) not in heirs:
                    heirs[key_of(heir.declaration)] = heir
                    below = await self._symbol(heir.declaration)
                    waiting += [below] if self._leads_on(below) else []
                    for one in await self._merged(below):
                        heirs.setdefault(key_of(one), Heir(one, heir.relation, Site(one.path, one.position)))
        return list(heirs.values())

    async def _merged(self, symbol: Symbol) -> list[Declaration]:
        """The classes that an interface makes heirs: those that it merges with."""
        main = symbol.main
        symbols = [symbol]
        if is_added(main):
            symbols += await self._bases.defined(Site(main.path, main.position))
        declared = [one for each in symbols for one in each.declarations]
        return [one for one in declared if one.kind == "Class"]

    async def _implementing(self, hit: Hit, heir: Declaration | None, said: Collection[str]) -> LocationRef | None:
        """An implementation as it is answered: a declaration, or the one that holds an object literal. None for an
        interface and its members, which only declare, for a static member, for an export, for `this` and lists of a
        fitting type, and for what is of another type that mentions it. said: the names of the type."""
        question = self._question
        if heir is not None and heir.kind == "Class":
            return self._told(heir)
        document = question.documents.get(hit.path)
        outline = await self._outline(hit.path)
        around = holder(Enclosing(outline, local=False), hit.span.start)
        innermost = holder(Enclosing(outline), hit.span.start) or around
        text = source(document)
        start = text.offset(hit.span.start)
        declares = around is not None and around.position == hit.span.start
        if text.in_imports(start) or (not declares and text.text.startswith(_NO_OBJECT, start)):
            return None
        if not declares and not text.form and said and not await self._is_said(document, start, said):
            return None
        if around is None:
            return question.locations.of(hit.path, hit.span.start, "Constant")
        # Local to a body, too.
        holders = (around, around.parent, innermost, innermost and innermost.parent)
        if any(one is not None and one.kind in _DECLARES_ONLY for one in holders):
            return None
        if declares:
            return None if around.static or around.kind in NO_TYPE else self._told(around)
        return question.locations.of(
            hit.path, hit.span.start, around.kind, name=around.name, container=around.container
        )

    async def _is_said(self, document: Document, start: int, said: Collection[str]) -> bool:
        """Whether an object or a function may be said to be of the type. What a class or an interface is given as an
        argument is not the type of what is of theirs, but for the promises of asynchronous functions."""
        ways = said_by(brackets(document), start, said)
        for around in ways or ():
            for place in around:
                told = await self._bases.defined(Site(document.path, source(document).position(place)))
                # Beside a value of its name.
                types = [one.main for one in told if one.main.kind in (*MADE, "TypeAlias")]
                if types and all(one.kind in MADE and one.name not in _PROMISES for one in types):
                    break
            else:
                return True
        return ways is None

    def _word(self, hit: Hit) -> str:
        document = self._question.documents.try_get(hit.path)
        return document.at(hit.span) if document and hit.span.start.line == hit.span.end.line else ""
