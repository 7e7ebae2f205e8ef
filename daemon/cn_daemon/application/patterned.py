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
    read = (documents.try_get(path) for path in paths if form_of(path) is None)
    keys = [(one, key) for one in read if one is not None for key in one.known(doubtful_keys, main.name)]
    known = {*map(site_of, hits), *(Site(one.path, one.position) for one in symbol.declarations)} if keys else set()
    for document, key in keys:
        # Some servers begin a quoted name at its quote.
        sites = [site_at(document, key.place), site_at(document, key.place - 1)]
        doubtful = known.isdisjoint(sites) and may_take(document.path)
        if doubtful and (key.computed or not await modules.is_member(sites[0])):
            where = f"{os.path.basename(document.path)}:{sites[0].position.line}"
            return f"the language server does not tell whose {main.name} a pattern takes in {where}"
    return ""
