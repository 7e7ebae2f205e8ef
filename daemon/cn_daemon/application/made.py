"""Members of what a function makes (`A.prototype.b = …`), where the language server does not know what `new A` is."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules, site_at, site_of
from cn_daemon.application.pointing import identifier_at
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.own_members import is_made
from cn_daemon.domain.reading import SCRIPTS, SourceText
from cn_daemon.domain.symbols import Symbol

# Mentions that are asked for, at most.
_ASKED = 100


async def doubt(
    symbol: Symbol, hits: Collection[Hit], paths: Iterable[str], documents: Documents, modules: Modules
) -> str:
    """Why a use may be missing, or nothing. hits: those that were found. paths: of the files that may
    have what A makes."""
    main = symbol.main
    document = documents.try_get(main.path) if main.path.endswith(SCRIPTS) and main.parent is not None else None
    if document is None or not is_made(document, document.once(SourceText).offset(main.position)):
        return ""
    if await modules.definitions(Site(main.path, main.position)):
        return ""
    known = {site_of(hit) for hit in hits} | {Site(one.path, one.position) for one in symbol.declarations}
    taken = re.compile(rf"(?<=\.){re.escape(main.name)}(?![\w$]|\s*=(?![=>]))")
    asked = 0
    for path in paths:
        holding = documents.try_get(path)
        if holding is None:
            continue
        for found in taken.finditer(holding.once(SourceText).text):
            site = site_at(holding, found.start())
            if site in known or identifier_at(holding, site.position) != main.name:
                continue
            asked += 1
            if asked > _ASKED or not await modules.origins(site):
                made = main.parent.name if main.parent is not None else ""
                where = f"{os.path.basename(path)}:{site.position.line}"
                return (
                    f"the language server does not know what new {made} makes: .{main.name} in {where} may be its own"
                )
    return ""
