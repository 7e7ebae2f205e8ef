"""What in Python is no use of a member of the workspace: a name in an import, a member of what another package has."""

from __future__ import annotations

import os
import re
from functools import cached_property

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Hit
from cn_daemon.application.uses.fixtures import FOREIGN, Fixtures
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.python_modules import ENDINGS, module_stem
from cn_daemon.domain.source.reading import SourceText

_RECEIVER = re.compile(r"(?<![\w.)\]'\"])(?P<name>[^\W\d]\w*)[ \t]*\.[ \t]*\Z")


class Receivers:
    """For one question: shares its documents."""

    def __init__(self, context: Context, fixtures: Fixtures) -> None:
        self._words, _, self._documents, _ = context
        self._fixtures = fixtures

    @cached_property
    def homes(self) -> frozenset[str]:
        """The names that a module of the workspace may be imported by first."""
        sources = [path for path in self._words.files() if path.endswith(ENDINGS)]
        folders = {os.path.basename(folder) for folder in {os.path.dirname(path) for path in sources}}
        return frozenset(folders.union(map(module_stem, sources)))

    def is_foreign(self, hit: Hit, *, derived: bool) -> bool:
        """derived: whether the member's type has a parent that is not known: it may have the member from there."""
        document = self._documents.try_get(hit.path)
        if document is None:
            return False
        source = document.once(SourceText)
        start = source.offset(hit.span.start)
        if source.in_imports(start):
            return True
        found = _RECEIVER.search(source.text, max(0, start - 200), start)
        if found is None or derived:
            return False
        types = document.once(PythonTypes)
        module = types.imported.get(found["name"])
        if module is not None:
            return module not in self.homes
        return found["name"] in FOREIGN - {"request"} and any(
            found["name"] in (one.name for one in function.parameters)
            and self._fixtures.asks(document, function)
            and not self._fixtures.given(found["name"])
            for function in types.functions
            if function.span[0] <= start < function.span[1]
        )
