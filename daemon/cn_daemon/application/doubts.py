"""What a language server did not tell: mentions of a name that gave no hit, looked at one by one.

For TypeScript `links` does this by what imports allow. Servers of other languages are asked where each further mention
leads: to the symbol (a use that they missed), to something else, or nowhere. What leads nowhere, most often a member of
something whose type is not known, may be a use, and the answer says so.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, LanguageServer, Site
from cn_daemon.domain.forms import form_of, mentions
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document

# Each is one request, of a millisecond or so. Beyond them the answer says that it is partial.
CHECKS = 1000


class Doubts(NamedTuple):
    """missed: uses that the server did not tell. reason: why there may be more, or nothing."""

    missed: list[Hit]
    reason: str


async def look(
    symbol: Symbol,
    hits: Collection[Hit],
    paths: Iterable[str],
    server: LanguageServer,
    documents: Documents,
    deadline: float,
) -> Doubts:
    """paths: the files that hold the symbol's name. Raises what `LanguageServer.definitions` raises."""
    name = symbol.main.name
    known = {(hit.path, hit.span.start) for hit in hits}
    declared = {(one.path, one.position) for one in symbol.declarations}
    silent = [hit for path in sorted(paths) for hit in _named(documents.try_get(path), name)]
    silent = [hit for hit in silent if (hit.path, hit.span.start) not in known | declared]
    missed: list[Hit] = []
    lost: list[Hit] = []
    for hit in silent[:CHECKS]:
        targets = await server.definitions(Site(hit.path, hit.span.start), deadline)
        if any((target.path, target.span.start) in declared for target in targets):
            missed.append(hit)
        elif not targets:
            lost.append(hit)
    if len(silent) > CHECKS:
        return Doubts(missed, f"{len(silent)} further mentions of {name}; the first {CHECKS} were looked at")
    return Doubts(missed, _reason(name, lost))


def _named(document: Document | None, name: str) -> Iterable[Hit]:
    form = form_of(document.path) if document is not None else None
    if document is None or form is None or name not in document.text:
        return
    source = document.once(SourceText)
    for start in mentions(source.text, form, name):
        yield Hit(document.path, source.span(start, start + len(name)))


def _reason(name: str, lost: list[Hit]) -> str:
    if not lost:
        return ""
    first = f"{os.path.basename(lost[0].path)}:{lost[0].span.start.line}"
    mentioned = "a mention" if len(lost) == 1 else f"{len(lost)} mentions"
    return f"{mentioned} of {name} may be a use as well: the type is not known ({first})"
