"""Members that patterns take (`({ a: b } = c)`), where the language server does not know whose they are.

It is asked about a text in which the same pattern declares: of those it knows it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules, site_at, site_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.forms import form_of
from cn_daemon.domain.outline import CONTAINERS, MEMBERS
from cn_daemon.domain.patterns import Key, doubtful_keys, supposed
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document

# Each has the server read a text twice.
_CHECKS = 40


class Patterned(NamedTuple):
    """uses: those that the server did not tell. doubt: why some may be missing, or nothing."""

    uses: list[Hit]
    doubt: str


async def taken(
    symbol: Symbol,
    hits: Collection[Hit],
    paths: Iterable[str],
    may_take: Callable[[str], bool],
    documents: Documents,
    modules: Modules,
) -> Patterned:
    """hits: those that were found. paths: of the files that hold the name. may_take: whether a file may have the symbol
    from somewhere."""
    main = symbol.main
    if main.kind not in MEMBERS:
        return Patterned([], "")
    read = (documents.try_get(path) for path in paths if form_of(path) is None)
    keys = [(one, key) for one in read if one is not None for key in one.known(doubtful_keys, main.name)]
    own = {Site(one.path, one.position) for one in symbol.declarations}
    known = own.union(map(site_of, hits)) if keys else own
    uses: list[Hit] = []
    checked = 0
    for document, key in keys:
        # Some servers begin a quoted name at its quote.
        sites = [site_at(document, key.place), site_at(document, key.place - 1)]
        if not known.isdisjoint(sites) or not may_take(document.path):
            continue
        checked += 1
        leads = await _leads(document, key, main.name, modules) if checked <= _CHECKS else []
        if not leads and (key.computed or not await modules.is_member(sites[0])):
            where = f"{os.path.basename(document.path)}:{sites[0].position.line}"
            return Patterned(uses, f"the language server does not tell whose {main.name} a pattern takes in {where}")
        if any([site_of(one) in own or (site_of(one) in known and await _inherits(one, modules)) for one in leads]):
            uses.append(Hit(document.path, document.once(SourceText).span(key.place, key.place + len(main.name))))
    return Patterned(uses, "")


async def _inherits(found: Hit, modules: Modules) -> bool:
    """Whether what is declared there may override or implement: a literal's key, which has a type of its own, does
    not."""
    declared = await modules.declared_at(found)
    return declared is not None and declared.parent is not None and declared.parent.kind in CONTAINERS


async def _leads(document: Document, key: Key, name: str, modules: Modules) -> list[Hit]:
    """Where the member is declared that a key takes; nothing where the server does not tell."""
    other = supposed(document, key, name)
    if other is None:
        return []
    source, here, leads = other.document.once(SourceText), document.once(SourceText), []
    for hit in await modules.supposed(other.document, source.position(other.place)):
        place = other.original(source.offset(hit.span.start)) if hit.path == document.path else None
        if hit.path != document.path:
            leads.append(hit)
        elif place is not None:
            leads.append(hit._replace(span=here.span(place, place)))
    return leads
