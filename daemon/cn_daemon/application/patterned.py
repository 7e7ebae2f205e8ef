"""Members that patterns take (`({ a: b } = c)`), where the language server does not know whose they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules, site_at, site_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.forms import form_of
from cn_daemon.domain.outline import MEMBERS
from cn_daemon.domain.patterns import doubtful_keys
from cn_daemon.domain.symbols import Symbol


async def doubt(
    symbol: Symbol,
    hits: Collection[Hit],
    paths: Iterable[str],
    may_take: Callable[[str], bool],
    documents: Documents,
    modules: Modules,
) -> str:
    """Why a use may be missing, or nothing. hits: those that were found. paths: of the files that hold the name.
    may_take: whether a file may have the symbol from somewhere."""
    main = symbol.main
    if main.kind not in MEMBERS:
        return ""
    known = {site_of(hit) for hit in hits} | {Site(one.path, one.position) for one in symbol.declarations}
    for path in paths:
        document = documents.try_get(path) if form_of(path) is None else None
        if document is None:
            continue
        for key in document.known(doubtful_keys, main.name):
            # Some servers begin a quoted name at its quote.
            sites = [site_at(document, key.place), site_at(document, key.place - 1)]
            if known.isdisjoint(sites) and may_take(path) and (key.computed or not await modules.is_member(sites[0])):
                where = f"{os.path.basename(path)}:{sites[0].position.line}"
                return f"the language server does not tell whose {main.name} a pattern takes in {where}"
    return ""
