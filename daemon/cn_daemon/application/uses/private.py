"""Uses of a private member outside of its class: `a["b"]`, `a.b` where a comment lets the mistake pass, and all that
takes it in scripts, to which a comment says that it is private. Servers look for it in the class alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cn_daemon.application.modules.leads import CHECKS, too_many
from cn_daemon.application.modules.modules import site_of
from cn_daemon.application.modules.reach import is_member
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.untold import Untold
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.mentions.whole_values import taken_in
from cn_daemon.domain.source.comments import documentation
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, Position

_PRIVATE = re.compile(r"\bprivate\s+(?:[a-z]+\s+)*\*?\s*\Z")
_NOTED = re.compile(r"@private\b")
_EXCUSED = re.compile(r"@ts-(?:ignore|expect-error)\b")


class Private(Untold):
    """For one symbol."""

    async def look(self, hits: Iterable[Hit], paths: Iterable[str]) -> None:
        """In these files. hits: what is known."""
        main = self._symbol.main
        declaring = self._documents.try_get(main.path) if is_member(self._symbol) else None
        if declaring is None or not _is_private(main, declaring):
            return
        declared = {Site(one.path, one.position) for one in self._symbol.declarations}
        known = declared | set(map(site_of, hits))
        asked = 0
        for document in filter(None, map(self._documents.try_get, paths)):
            for position in taken_in(document, [main.name]):
                site = Site(document.path, position)
                if site in known or not _may_take(document, position):
                    continue
                asked += 1
                if asked > CHECKS:
                    self.doubt = too_many([document.path])
                    return
                if not declared.isdisjoint(map(site_of, await self._modules.definitions(site))):
                    start = document.once(SourceText).offset(position)
                    self.uses.append(Hit(document.path, document.once(SourceText).span(start, start + len(main.name))))


def _is_private(member: Declaration, document: Document) -> bool:
    source = document.once(SourceText)
    if not document.path.endswith(SCRIPTS):
        return _PRIVATE.search(source.cut(member.span._replace(end=member.position))) is not None
    return _NOTED.search(documentation(document, member.span.start.line)) is not None


def _may_take(document: Document, position: Position) -> bool:
    """Whether a private member may be taken there."""
    if document.path.endswith(SCRIPTS):
        return True
    if document.line(position.line)[: document.index(position)].endswith(("'", '"')):
        return True
    return position.line > 1 and _EXCUSED.search(document.line(position.line - 1)) is not None
