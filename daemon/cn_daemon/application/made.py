"""Members of what the language server does not know in scripts: of what a function makes (`A.prototype.b = …`), and of
what a function is given whose type only a comment tells (`function(A): B`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules, site_at, site_of
from cn_daemon.application.pointing import identifier_at
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.callbacks import taker_of, typed_callback
from cn_daemon.domain.own_members import is_made
from cn_daemon.domain.reading import SCRIPTS, SourceText
from cn_daemon.domain.symbols import Symbol

# Mentions that are asked for, at most.
_ASKED = 100


async def doubt(
    symbol: Symbol, hits: Collection[Hit], paths: Iterable[str], documents: Documents, modules: Modules
) -> str:
    """Why a use may be missing, or nothing. hits: those that were found. paths: of the files that may have the member
    from somewhere."""
    main = symbol.main
    document = documents.try_get(main.path) if main.path.endswith(SCRIPTS) and main.parent is not None else None
    if main.parent is None or document is None:
        return ""
    made = is_made(document, document.once(SourceText).offset(main.position))
    made = made and not await modules.definitions(Site(main.path, main.position))
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
            taker = None if made or not path.endswith(SCRIPTS) else taker_of(holding, found.start())
            asked += made or taker is not None
            if not (made or taker is not None) or (asked <= _ASKED and await modules.origins(site)):
                continue
            where = f"{os.path.basename(path)}:{site.position.line}"
            if made:
                return (
                    f"the language server does not know what new {main.parent.name} makes: .{main.name} in {where} may "
                    "be its own"
                )
            if taker is not None and await _is_unread(site_at(holding, taker), documents, modules):
                return f"the language server does not read the type of the function in {where}: .{main.name} may be its"
    return ""


async def _is_unread(taker: Site, documents: Documents, modules: Modules) -> bool:
    """Whether a comment tells what is given to a function, in a form that the server does not read."""
    for hit in await modules.origins(taker):
        document = documents.try_get(hit.path) if hit.path.endswith(SCRIPTS) else None
        place = typed_callback(document, document.once(SourceText).offset(hit.span.start)) if document else None
        if document is not None and place is not None and not await modules.definitions(site_at(document, place)):
            return True
    return False
