"""Members of what the language server does not know in scripts: of what a function makes (`A.prototype.b = …`), and of
what a function is given whose type only a comment tells (`function(A): B`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules, site_at, site_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.callbacks import taker_of, typed_callback
from cn_daemon.domain.makers import Value, overrides, says_maker, value_before, value_of
from cn_daemon.domain.modules import WHOLE, exports, members_called
from cn_daemon.domain.own_members import is_made, is_own_this
from cn_daemon.domain.reading import SCRIPTS, SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document

_WHOLE = re.compile(r"(?:module\s*\.\s*)?exports\b")
_INHERITS = re.compile(r"\binherits\b|\bsetPrototypeOf\b|\b__proto__\b|\bObject\.(?:create|assign)\b")
# Mentions that are asked for, at most.
_ASKED = 100


class Made:
    """For one member. uses: those that were found. doubt: why there may be more, or nothing."""

    def __init__(self, symbol: Symbol, documents: Documents, modules: Modules) -> None:
        self.uses: list[Hit] = []
        self.doubt = ""
        self._symbol = symbol
        self._documents = documents
        self._modules = modules
        self._asked = 0
        # Whether the server does not know what has the member.
        self._unknown = False

    async def look(self, hits: Iterable[Hit], paths: Iterable[str]) -> None:
        """In these files. hits: what is known."""
        main = self._symbol.main
        document = self._documents.try_get(main.path) if main.path.endswith(SCRIPTS) and main.parent else None
        if document is None:
            return
        is_assigned = is_made(document, document.once(SourceText).offset(main.position))
        self._unknown = is_assigned and not await self._modules.definitions(Site(main.path, main.position))
        known = {*map(site_of, hits), *(Site(one.path, one.position) for one in self._symbol.declarations)}
        taken = re.compile(rf"(?<=\.){re.escape(main.name)}(?![\w$]|\s*=(?![=>]))")
        for holding in filter(None, map(self._documents.try_get, paths)):
            text = holding.once(SourceText).text
            for place in members_called(holding, main.name) if taken.search(text) else ():
                if taken.match(text, place) and site_at(holding, place) not in known:
                    # No server knows what is taken of a function's prototype, and not every one what each class makes.
                    prototype = is_assigned and text.endswith("prototype.", 0, place)
                    said = not main.static and says_maker(holding, place, (main.parent or main).name)
                    await self._look_at(holding, place, made=self._unknown or prototype or said)
                if self.doubt:
                    return
            for place, base in overrides(holding, main.name) if self._unknown and main.name in text else ():
                if site_at(holding, place) not in known:
                    self._judge(holding, place, await self._is_made(holding, Value(makers=(base,))))

    async def _look_at(self, document: Document, place: int, *, made: bool) -> None:
        main, site = self._symbol.main, site_at(document, place)
        taker = None if made or not document.path.endswith(SCRIPTS) else taker_of(document, place)
        self._asked += made or taker is not None
        if not (made or taker is not None) or (self._asked <= _ASKED and await self._modules.origins(site)):
            return
        if made:
            is_own = await self._is_made(document, value_before(document, place)) if self._asked <= _ASKED else None
            self._judge(document, place, is_own)
        elif taker is not None and await _is_unread(site_at(document, taker), self._documents, self._modules):
            where = f"{os.path.basename(document.path)}:{site.position.line}"
            self.doubt = self.doubt or (
                f"the language server does not read the type of the function in {where}: .{main.name} may be its"
            )

    def _judge(self, document: Document, place: int, is_own: bool | None) -> None:
        main, span = self._symbol.main, document.once(SourceText).span(place, place + len(self._symbol.main.name))
        if is_own:
            self.uses.append(Hit(document.path, span))
        elif is_own is None and self._unknown and main.parent is not None:
            where = f"{os.path.basename(document.path)}:{span.start.line}"
            self.doubt = self.doubt or (
                f"the language server does not know what new {main.parent.name} makes: .{main.name} in {where} may be "
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
        if value.own is not None and not value.makers and document.path == main.path:
            return is_own_this(document, document.once(SourceText).offset(main.position), value.own)
        for maker in value.makers:
            makers = await self._modules.origins(site_at(document, maker))
            if any(map(self._is_holder, makers)):
                return True
            if not makers or any([await self._may_inherit(hit) for hit in makers]):
                return None
        return None if value.open or value.variable is not None else False

    def _is_holder(self, hit: Hit) -> bool:
        """A class or function that is a value may have a name of its own beside the one that it is assigned to."""
        holder, document = self._symbol.main.parent, self._documents.try_get(hit.path)
        if holder is None or document is None or holder.path != hit.path or document.at(hit.span) != holder.name:
            return False
        return holder.position == hit.span.start or holder.span.encloses(hit.span)

    async def _may_inherit(self, maker: Hit) -> bool:
        """Whether what `new` makes of that may have members of another one."""
        declared, document = await self._modules.declared_at(maker), self._documents.try_get(maker.path)
        return declared is None or declared.kind == "Class" or not document or bool(_INHERITS.search(document.text))


async def _is_unread(taker: Site, documents: Documents, modules: Modules) -> bool:
    """Whether a comment tells what is given to a function, in a form that the server does not read."""
    for hit in await modules.origins(taker):
        document = documents.try_get(hit.path) if hit.path.endswith(SCRIPTS) else None
        place = typed_callback(document, document.once(SourceText).offset(hit.span.start)) if document else None
        if document is not None and place is not None and not await modules.definitions(site_at(document, place)):
            return True
    return False
