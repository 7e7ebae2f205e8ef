"""Members of what the language server does not know: of what a function makes in scripts (`A.prototype.b = …`), of what
a prototype is given by a call (`Object.assign(A.prototype, { b })`, `util.inherits(B, A)`), and of what a function is
given whose type only a comment tells (`function(A): B`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.modules import Modules, site_at, site_of, word_at
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.untold import Untold
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.callbacks import taker_of, typed_callback
from cn_daemon.domain.mentions.exporting import exports
from cn_daemon.domain.mentions.makers import Value, bases_of, overrides, says_maker, value_before, value_of
from cn_daemon.domain.mentions.own_members import GIVES, given_by_call, has_own, is_made, is_own_this
from cn_daemon.domain.mentions.taking import WHOLE, members_called
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document

_WHOLE = re.compile(r"(?:module\s*\.\s*)?exports\b")
# Mentions that are asked for, at most.
_ASKED = 100


class Made(Untold):
    """For one member."""

    def __init__(self, symbol: Symbol, documents: Documents, modules: Modules) -> None:
        super().__init__(symbol, documents, modules)
        self._asked = 0
        # The name of what has the member, whether the server does not know it, and whether something inherits from it.
        self._holder = ""
        self._unknown = self._inherited = False
        # Whether that is to be asked: a key of `A.prototype = { b }` is known to servers that do not know what A makes.
        self._unsure = False
        # Where that is declared which is given the member by a call.
        self._given: set[Site] = set()
        # And what inherits nothing from it, but it from that; once it is known.
        self._bases: set[Site] | None = None

    async def look(self, hits: Iterable[Hit], paths: Iterable[str]) -> None:
        """In these files. hits: what is known."""
        main = self._symbol.main
        document = self._documents.try_get(main.path)
        if document is None or not await self._begin(document):
            return
        is_assigned = self._unknown or is_made(document, document.once(SourceText).offset(main.position))
        known = {*map(site_of, hits), *(Site(one.path, one.position) for one in self._symbol.declarations)}
        taken = re.compile(rf"(?<=\.){re.escape(main.name)}(?![\w$]|\s*=(?![=>]))")
        for holding in filter(None, map(self._documents.try_get, paths)):
            text = holding.once(SourceText).text
            for place in members_called(holding, main.name) if taken.search(text) else ():
                if taken.match(text, place) and site_at(holding, place) not in known:
                    # No server knows what is taken of a function's prototype, and not every one what each class makes.
                    prototype = is_assigned and text.endswith("prototype.", 0, place)
                    said = not main.static and says_maker(holding, place, self._holder)
                    if self._unsure:
                        self._unsure, self._unknown = False, not await self._makes_known(document)
                    made = self._unknown or bool(self._given) or prototype or said or self._inherited
                    await self._look_at(holding, place, made=made)
                if self.doubt:
                    return
            for place, base in overrides(holding, main.name) if self._unknown and main.name in text else ():
                if site_at(holding, place) not in known:
                    self._judge(holding, place, await self._is_made(holding, Value(makers=(base,))))

    async def _begin(self, document: Document) -> bool:
        """Whether there is something to look for of what is declared in that file."""
        main, script = self._symbol.main, document.path.endswith(SCRIPTS)
        if not script and GIVES not in document.text:
            return False
        place = document.once(SourceText).offset(main.position)
        given = given_by_call(document, place)
        if given is not None:
            self._given = set(map(site_of, await self._modules.origins(site_at(document, given))))
            self._holder = word_at(document, site_at(document, given))
            self._unknown = script
        elif script and main.parent is not None:
            self._holder = main.parent.name
            asked = is_made(document, place)
            self._unknown = asked and not await self._modules.definitions(Site(main.path, main.position))
            self._unsure = asked and not self._unknown and not document.once(SourceText).text.endswith(".", 0, place)
        if script and self._holder:
            self._inherited = await self._modules.is_inherited(main.path, self._holder)
        return bool(self._holder)

    async def _makes_known(self, document: Document) -> bool:
        """Whether the server knows what `new A().b` is, or not even what A is."""
        made = f"{self._holder}().{self._symbol.main.name}"
        supposed = Document(document.path, f"{document.text}\n;new {made}")
        source = supposed.once(SourceText)
        ends = len(self._symbol.main.name), len(made)
        member, maker = [
            await self._modules.supposed(supposed, source.position(len(source.text) - end)) for end in ends
        ]
        return bool(member) or not maker

    async def _look_at(self, document: Document, place: int, *, made: bool) -> None:
        main, site, script = self._symbol.main, site_at(document, place), document.path.endswith(SCRIPTS)
        value = value_before(document, place) if made and script else Value(open=not self._given)
        taker = taker_of(document, place) if script and not made else None
        if taker is None and value == Value(open=True) and not self._unknown:
            return
        self._asked += 1
        if self._asked > _ASKED:
            self._judge(document, place, None)
        elif leads := await self._modules.origins(site):
            if self._given and any([await self._declares(hit) for hit in leads]):
                self._judge(document, place, is_own=True)
        elif made:
            self._judge(document, place, await self._is_made(document, value))
        elif taker is not None and await _is_unread(site_at(document, taker), self._documents, self._modules):
            where = self._documents.place(document.path, site.position.line)
            self.doubt = self.doubt or (
                f"the language server does not read the type of the function in {where}: .{main.name} may be its"
            )

    async def _declares(self, hit: Hit) -> bool:
        """Whether that is a member of what is given this one, as an interface tells it."""
        member = await self._modules.declared_at(hit)
        return (
            member is not None
            and member.parent is not None
            and Site(member.parent.path, member.parent.position) in self._given
        )

    def _judge(self, document: Document, place: int, is_own: bool | None) -> None:
        main, span = self._symbol.main, document.once(SourceText).span(place, place + len(self._symbol.main.name))
        if is_own:
            self.uses.append(Hit(document.path, span))
        elif is_own is None and (self._unknown or self._asked > _ASKED):
            where = self._documents.place(document.path, span.start.line)
            self.doubt = self.doubt or (
                f"the language server does not know what new {self._holder} makes: .{main.name} in {where} may be "
                "its own"
            )

    async def _is_made(self, document: Document, value: Value) -> bool | None:
        """Whether a value is what the symbol's holder makes; None where that is not known."""
        main = self._symbol.main
        if value.variable is not None:
            leads = await self._modules.origins(site_at(document, value.variable))
            declaring = self._documents.try_get(leads[0].path) if len(leads) == 1 else None
            if declaring is None or not declaring.path.endswith(SCRIPTS):
                return None
            document = declaring
            source = document.once(SourceText)
            place = source.offset(leads[0].span.start)
            if place == 0 or _WHOLE.match(source.text, place):
                # A required module leads to its beginning, or to where it exports something.
                place = next((one.key for one in exports(document) if one.name == WHOLE), place)
            value = value_of(document, place)
        if value.own is not None and document.path == main.path:
            own = is_own_this(document, document.once(SourceText).offset(main.position), value.own)
            if own is not False or not value.makers:
                return own
        made = await self._of_any(document, value.makers, set())
        return None if made is False and (value.open or value.variable is not None) else made

    async def _of_any(self, document: Document, makers: Iterable[int], passed: set[Site]) -> bool | None:
        """Whether one of these is the symbol's holder, or inherits from it; None where that is not known."""
        found: set[bool | None] = {False}
        for maker in makers:
            hits = await self._modules.origins(site_at(document, maker))
            if any(map(self._is_holder, hits)):
                return True
            found |= {await self._has(hit, passed) for hit in hits} or {None}
        return True if True in found else None if None in found else False

    def _is_holder(self, hit: Hit) -> bool:
        """A class or function that is a value may have a name of its own beside the one that it is assigned to."""
        if self._given:
            return site_of(hit) in self._given
        holder, document = self._symbol.main.parent, self._documents.try_get(hit.path)
        if holder is None or document is None or holder.path != hit.path or document.at(hit.span) != holder.name:
            return False
        return holder.position == hit.span.start or holder.span.encloses(hit.span)

    async def _has(self, maker: Hit, passed: set[Site]) -> bool | None:
        """Whether what `new` makes of that has the member from the symbol's holder, or one that this overrides."""
        site = site_of(maker)
        if site in passed or not self._modules.is_inside(maker):
            return False
        passed.add(site)
        declared, document = await self._modules.declared_at(maker), self._documents.try_get(maker.path)
        if declared is None or document is None:
            return None
        place = document.once(SourceText).offset(maker.span.start)
        bases = bases_of(document, place)
        if bases is None or not (bases or declared.kind in ("Class", "Function")):
            return None
        own = has_own(document, place, self._symbol.main.name)
        if self._unknown and site in await self._above():
            return own or None
        if own:
            return False
        return await self._of_any(document, bases, passed)

    async def _above(self) -> set[Site]:
        """Where that is declared which the symbol's holder inherits from."""
        if self._bases is None:
            parent = self._symbol.main.parent
            waiting = list(self._given) if parent is None else [Site(parent.path, parent.position)]
            for site in waiting:
                document = self._documents.try_get(site.path)
                places = bases_of(document, document.once(SourceText).offset(site.position)) if document else None
                for base in [site_at(document, place) for place in places or ()] if document else ():
                    found = map(site_of, await self._modules.origins(base))
                    waiting += [one for one in found if one not in waiting]
            self._bases = set(waiting)
        return self._bases


async def _is_unread(taker: Site, documents: Documents, modules: Modules) -> bool:
    """Whether a comment tells what is given to a function, in a form that the server does not read."""
    for hit in await modules.origins(taker):
        document = documents.try_get(hit.path) if hit.path.endswith(SCRIPTS) else None
        place = typed_callback(document, document.once(SourceText).offset(hit.span.start)) if document else None
        if document is not None and place is not None and not await modules.definitions(site_at(document, place)):
            return True
    return False
