"""Members of what a script has from a function that it requires, and of which the server does not know what it is: of
`module.exports = A; module.exports.b = c` the native one knows A alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cn_daemon.application.modules.modules import site_at, site_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.untold import Untold
from cn_daemon.domain.mentions.taking import members_called, takes
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document

_CALLED = r"\b(?:const|let|var)\s+{}\s*=\s*(?:await\s+)?([\w$]+(?:\.[\w$]+)*)\s*\("
# Mentions that are asked for, at most.
_ASKED = 100


class UnknownMakers(Untold):
    """For one member: there may be uses, none is told."""

    async def look(self, hits: Iterable[Hit], paths: Iterable[str]) -> None:
        """In these files. hits: what is known."""
        main = self._symbol.main
        if main.parent is None or main.static or not main.path.endswith(SCRIPTS):
            return
        known = {*map(site_of, hits), *(Site(one.path, one.position) for one in self._symbol.declarations)}
        asked = 0
        for document in filter(None, map(self._documents.try_get, paths)):
            if not document.path.endswith(SCRIPTS) or "require" not in document.text:
                continue
            required = {one.here for one in takes(document) if one.here}
            for place in members_called(document, main.name) if required else ():
                called = maker_at(document, place)
                if called.partition(".")[0] not in required or site_at(document, place) in known:
                    continue
                asked += 1
                if asked > _ASKED or await self._is_unknown(document, place, called):
                    where = self._documents.place(document.path, site_at(document, place).position.line)
                    self.doubt = (
                        f"the language server does not know what {called} makes: .{main.name} in {where} may be a use"
                    )
                    return

    async def _is_unknown(self, document: Document, place: int, called: str) -> bool:
        """Whether the server knows neither the member nor the function, which a file of the workspace declares."""
        if await self._modules.definitions(site_at(document, place)):
            return False
        supposed = Document(document.path, f"{document.text}\n;{called}.call")
        source = supposed.once(SourceText)
        member, function = (source.position(len(source.text) - back) for back in (len("call"), len("call") + 2))
        if await self._modules.supposed(supposed, member):
            return False
        return any(map(self._modules.is_inside, await self._modules.supposed(supposed, function)))


def maker_at(document: Document, place: int) -> str:
    """The function that a file calls for what a member is taken of: `a.b` of `a.b(c).d`, and of `x.d` behind
    `const x = a.b(c)`."""
    script = brackets(document)
    last = script.at(place) - 2
    if script.text(last) != ")":
        found = (
            re.search(_CALLED.format(re.escape(script.text(last))), document.text)
            if script.words[last].is_name
            else None
        )
        return found[1] if found and script.text(last - 1) != "." else ""
    last = script.opener[last] - 1
    words = [script.text(last)]
    while script.text(last - 1) == "." and script.words[last - 2].is_name:
        last -= 2
        words.insert(0, script.text(last))
    return ".".join(words) if script.words[last].is_name and script.text(last - 1) not in ("new", ".") else ""
