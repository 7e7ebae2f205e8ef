"""What in Python is no use of a member of the workspace: a name in an import, a member of what another package has."""

from __future__ import annotations

import os
import re
from functools import cached_property

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Hit
from cn_daemon.application.uses.fixtures import FOREIGN, Fixtures
from cn_daemon.domain.mentions.python_origins import MOCK, OBJECT, PythonOrigins
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.python_modules import ENDINGS, module_stem
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_RECEIVER = re.compile(r"(?<![\w.)\]'\"])(?P<name>[^\W\d]\w*)[ \t]*\.[ \t]*\Z")
# An attribute of an object of the text's own class.
_HELD = re.compile(r"\b(?:self|cls)[ \t]*\.[ \t]*(?P<name>[^\W\d]\w*)[ \t]*\.[ \t]*\Z")


class Receivers:
    """For one question: shares its documents."""

    def __init__(self, context: Context, fixtures: Fixtures) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._fixtures = fixtures

    @cached_property
    def homes(self) -> frozenset[str]:
        """The names that a module of the workspace may be imported by first: those of sources, and of the folders
        above, which need hold none themselves."""
        sources = [path for path in self._words.files() if path.endswith(ENDINGS)]
        above = os.path.dirname(os.path.commonpath(sources)) if sources else ""
        folders = {os.path.relpath(folder, above) for folder in {os.path.dirname(path) for path in sources}}
        return frozenset({name for folder in folders for name in folder.split("/")}.union(map(module_stem, sources)))

    def is_home(self, module: str) -> bool:
        """Whether a module of a dotted name may be the workspace's: by its first name, and by the package below, as the
        packages of one namespace lie in several distributions. A module alone may be written by a build."""
        parts = module.split(".")
        if parts[0] not in self.homes or len(parts) < 3:
            return parts[0] in self.homes
        if parts[1] not in self.homes:
            return False
        return "/".join(parts[:2]) in self._modules

    @cached_property
    def _modules(self) -> frozenset[str]:
        """The last two names of each source, and of each folder above one."""
        found: set[str] = set()
        for path in self._words.files():
            module = os.path.splitext(path)[0] if path.endswith(ENDINGS) else ""
            while module not in found and module.strip("/"):
                found.add(module)
                module = os.path.dirname(module)
        return frozenset("/".join(one.split("/")[-2:]) for one in found)

    def _is_set_elsewhere(self, document: Document, start: int) -> bool:
        """Whether another file gives objects the attribute that has the member there."""
        assigned = _HELD.search(document.once(SourceText).text, max(0, start - 200), start)
        if assigned is None:
            return False
        gives = re.compile(rf"\.\s*{assigned['name']}\s*(?::[^=\n]*)?=(?!=)")
        others = (
            self._documents.try_get(path) for path in self._words.files_with(assigned["name"]) if path != document.path
        )
        return any(one is not None and gives.search(one.text) for one in others)

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
        origins = document.once(PythonOrigins)
        if origins.is_module(start) or origins.is_argument(start, self.is_home):
            return True
        origin = origins.receiver(start, self.is_home)
        if origin >= OBJECT and self._is_set_elsewhere(document, start):
            return False
        if derived or origin >= OBJECT:
            return origin >= (MOCK if derived else OBJECT)
        found = _RECEIVER.search(source.text, max(0, start - 200), start)
        return (
            found is not None
            and found["name"] in FOREIGN - {"request"}
            and any(
                found["name"] in (one.name for one in function.parameters)
                and self._fixtures.asks(document, function)
                and not self._fixtures.declaring(found["name"])
                for function in document.once(PythonTypes).functions
                if function.span[0] <= start < function.span[1]
            )
        )
