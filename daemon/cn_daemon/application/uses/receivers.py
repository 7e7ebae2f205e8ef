"""What in Python is no use of a member of the workspace: a name in an import, a member of what another package has."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from functools import cached_property

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Hit, Site, TellsTypes
from cn_daemon.application.uses.fixtures import FOREIGN, Fixtures
from cn_daemon.domain.mentions.python_origins import MODULE, OBJECT, PythonOrigins
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.python_modules import ENDINGS, module_stem
from cn_daemon.domain.source.reading import SourceText

_RECEIVER = re.compile(r"(?<![\w.)\]'\"])(?P<name>[^\W\d]\w*)[ \t]*\.[ \t]*\Z")
# The name that has the member.
_LAST = re.compile(r"(?<!\w)[^\W\d]\w*(?=[ \t]*\.[ \t]*\Z)")


class Receivers:
    """For one question: shares its documents."""

    def __init__(self, context: Context, fixtures: Fixtures) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._fixtures = fixtures

    @cached_property
    def homes(self) -> frozenset[str]:
        """The names that a module of the workspace may be imported by first."""
        sources = [path for path in self._words.files() if path.endswith(ENDINGS)]
        folders = {os.path.basename(folder) for folder in {os.path.dirname(path) for path in sources}}
        return frozenset(folders.union(map(module_stem, sources)))

    def is_foreign(self, hit: Hit, *, derived: bool) -> bool:
        """derived: whether the member's type has a parent that is another package's, or not known: an object of that
        may be one of the type."""
        document = self._documents.try_get(hit.path)
        if document is None:
            return False
        source = document.once(SourceText)
        start = source.offset(hit.span.start)
        if source.in_imports(start):
            return True
        origin = document.once(PythonOrigins).receiver(start, self.homes.__contains__)
        if derived or origin >= OBJECT:
            return origin >= (MODULE if derived else OBJECT)
        found = _RECEIVER.search(source.text, max(0, start - 200), start)
        return (
            found is not None
            and found["name"] in FOREIGN - {"request"}
            and any(
                found["name"] in (one.name for one in function.parameters)
                and self._fixtures.asks(document, function)
                and not self._fixtures.given(found["name"])
                for function in document.once(PythonTypes).functions
                if function.span[0] <= start < function.span[1]
            )
        )

    async def is_unrelated(self, hit: Hit, types: Collection[Site]) -> bool:
        """Whether what has the member is an object of classes of the workspace which make their members when they are
        asked, and none of them is of `types`, those of the symbol with all above: their subclasses may have it. Raises
        what `LanguageServer.supposed` raises."""
        document = self._documents.try_get(hit.path)
        if document is None or not isinstance(self._server, TellsTypes):
            return False
        source = document.once(SourceText)
        found = _LAST.search(source.text, 0, source.offset(hit.span.start))
        if found is None:
            return False
        place = source.position(found.start())
        told = await self._server.supposed_types(document, place, self._deadline)
        return bool(told) and all(self._is_class(one) and Site(one.path, one.span.start) not in types for one in told)

    def _is_class(self, hit: Hit) -> bool:
        document = self._documents.try_get(hit.path) if self._words.holds(hit.path) else None
        line = document.line(hit.span.start.line) if document is not None else ""
        return document is not None and line.lstrip().startswith("class ") and "def __getattr" in document.text
