"""The texts of the workspace's Python files, as far as names need them, each as of a stamp."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from cn_daemon.adapters.python_bindings.imports import star_imports
from cn_daemon.adapters.python_bindings.mentions import Analysis, Imported
from cn_daemon.adapters.python_bindings.occurrences import analysis
from cn_daemon.adapters.python_bindings.syntax import Syntax, Trees
from cn_daemon.application.ports import Changes
from cn_daemon.domain.source.text import Document
from cn_shared.errors import CnError

# What may give a module names that it does not spell.
_DYNAMIC = re.compile(r"\b(?:globals\(\)|exec\(|sys\.modules\[|vars\(\)|def __getattr__|__getattr__\b[^=\n]*=)")
# So many names of a text are remembered.
_NAMES_KEPT = 100


Read = Callable[[str], str]


class Index(Protocol):
    """What is asked of the identifier index; paths are absolute."""

    def files(self) -> list[str]: ...
    def holds(self, path: str) -> bool: ...
    def roots(self) -> Sequence[str]: ...
    def files_with(self, word: str) -> list[str]: ...
    def changes_since(self, reader: str) -> Changes: ...
    def stamp(self, path: str) -> object | None: ...


class File:
    """What is known of a text, as of a stamp."""

    def __init__(self, stamp: object) -> None:
        self.stamp = stamp
        self.analyses: dict[str, Analysis] = {}
        self.stars: tuple[Imported, ...] | None = None
        self.torn = self.dynamic = False


class Texts:
    """read: a file's text, leniently."""

    def __init__(self, index: Index, read: Read) -> None:
        self._index = index
        self._read = read
        self._files: dict[str, File] = {}
        self._trees = Trees()

    def forget_gone(self) -> None:
        self._files = {path: file for path, file in self._files.items() if self._index.holds(path)}

    def file(self, path: str) -> File:
        stamp = self._index.stamp(path)
        file = self._files.get(path)
        if file is None or file.stamp != stamp or stamp is None:
            file = self._files[path] = File(stamp)
        if file.stars is None and (syntax := self.syntax(path)) is not None:
            file.stars = tuple(star_imports(syntax))
            file.torn, file.dynamic = syntax.torn, _DYNAMIC.search(syntax.text) is not None
        return file

    def analysis(self, path: str, name: str) -> tuple[File, Analysis | None]:
        """None where the text cannot be read."""
        file = self.file(path)
        if name not in file.analyses:
            syntax = self.syntax(path)
            if syntax is None:
                return file, None
            if len(file.analyses) >= _NAMES_KEPT:
                del file.analyses[next(iter(file.analyses))]
            file.analyses[name] = analysis(syntax.source.document, syntax, name)
        return file, file.analyses[name]

    def syntax(self, path: str) -> Syntax | None:
        stamp = self._index.stamp(path)
        known = self._trees.get(path, stamp) if stamp is not None else None
        if known is not None:
            return known
        try:
            document = Document(path, self._read(path))
        except CnError:
            return None
        return self._trees.add(document, stamp) if stamp is not None else Syntax(document)
