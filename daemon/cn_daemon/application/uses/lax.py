"""Members of what is `any` in a project without `noImplicitAny` (`let a; a = b(); a.c`): the compiler knows them where
files that no tsconfig lists import the file, since they are read strictly, and what they import with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.leads import Leads
from cn_daemon.application.modules.reach import Reach
from cn_daemon.application.ports import Hit, reads
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText


class Lax:
    """For one question: which such files it has to load. Else what it tells would hang on what others have loaded."""

    def __init__(self, context: Context, reach: Reach, leads: Leads) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._scopes = self._words.packages().scopes
        self._reach = reach
        self._leads = leads

    async def readers(self, names: Collection[str], hits: Iterable[Hit], paths: Iterable[str]) -> set[str]:
        """The files that have to be loaded for all that these names may be in these files. hits: what is known."""
        if not any(scope.lax for scope in self._scopes.values()):
            return set()
        told = by_file(hits)
        wanted = {path for path in paths if self._is_lax(path) and self._has_more(path, names, told.get(path, ()))}
        found: set[str] = set()
        passed: set[str] = set()
        for path in self._leads.unlisted() if wanted else ():
            if path in passed or not reads(self._server, path):
                continue
            places = set(self._reach.places(path, passed))
            if wanted & places:
                await self._server.load([path], self._deadline)
                if self._server.project(path):
                    # Which does not list it, and imports it.
                    continue
                found.add(path)
                wanted -= places
            if not wanted:
                break
            passed |= places
        return found

    def _is_lax(self, path: str) -> bool:
        scope = self._scopes.get(self._server.project(path))
        return scope is not None and scope.lax and not path.endswith((*SCRIPTS, *DECLARATIONS))

    def _has_more(self, path: str, names: Collection[str], hits: Sequence[Hit]) -> bool:
        """Whether more of its mentions are taken of something than the server told."""
        document = self._documents.try_get(path)
        if document is None:
            return False
        source = document.once(SourceText)
        taken = sum(source.text.endswith(".", 0, source.offset(hit.span.start)) for hit in hits)
        return sum(source.text.count(f".{name}") for name in names) > taken
