"""Members of what has its type from a package that the compiler does not find, and older ones did."""

from __future__ import annotations

from cn_daemon.application.context import Context
from cn_daemon.application.modules.leads import CHECKS, too_many
from cn_daemon.application.modules.modules import site_of
from cn_daemon.application.modules.reach import Reach, Ways, is_member
from cn_daemon.application.ports import Site
from cn_daemon.application.uses.search import Search
from cn_daemon.application.uses.unresolved import Unresolved
from cn_daemon.domain.mentions.usage import mentions_in
from cn_daemon.domain.source.reading import SourceText


async def doubt(search: Search, reach: Reach, ways: Ways, context: Context) -> str:
    """Why a use may be missing, or nothing: such a package is there, and the server does not tell what a mention is."""
    if not search.coverage.unfound or not is_member(search.symbol):
        return ""
    known = {*map(site_of, search.hits), *search.sites}
    asked = 0
    for document in filter(None, map(context.documents.try_get, filter(ways.open, sorted(search.paths)))):
        unfound = search.coverage.unfound.get(context.server.project(document.path))
        if not unfound:
            continue
        mentions = mentions_in(document.once(SourceText), search.names)
        places = [one for one in mentions if Site(document.path, one) not in known]
        asked += len(places)
        if asked > CHECKS:
            return too_many(search.silent)
        place = await Unresolved(document, unfound, reach, ways).meaning(
            search.symbol, places, search.modules.definitions
        )
        if place is not None:
            where = context.documents.place(document.path, place.line)
            return f"TypeScript 7 does not find the types of {', '.join(sorted(unfound))}; {where} may depend on them"
    return ""
