"""Python modules of one name: two roots may have it, a script has its folder's before all others, and a copy of the
workspace's package may be installed. Servers know one order for all files; where that may be wrong it is a doubt."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Words
from cn_daemon.domain.python_modules import ENDINGS, module_names, module_stem
from cn_daemon.domain.source.reading import SourceText

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<module>[^\W\d][\w.]*)[ \t]+import\b|import[ \t]+(?P<modules>[^\n#;]+))", re.M
)
_INSTALLED = re.compile(r"(?P<root>.*/(?:site|dist)-packages)/")


class Homonyms:
    """For the module `path`, in one question."""

    def __init__(self, path: str, words: Words, documents: Documents) -> None:
        self._path = path
        self._words = words
        self._documents = documents
        self._stem = module_stem(path)

    @cached_property
    def others(self) -> list[str]:
        """The other modules of its last name, stubs of itself aside."""
        if self._stem == "conftest":
            return []  # nobody imports it: pytest gives the fixtures of the nearest one
        bare = os.path.splitext(self._path)[0]
        ends = tuple(f"/{self._stem}{end}" for end in (*ENDINGS, *(f"/__init__{one}" for one in ENDINGS)))
        files = (one for one in self._words.files() if one.endswith(ends))
        return [one for one in files if os.path.splitext(one)[0] != bare]

    def is_sure(self, path: str, module: str) -> bool:
        """Whether imports of a file that may mean one of the modules of that last name surely mean it. What is imported
        by another dotted name is another module, and no question."""
        return all(named == module for named in self._meant(path, module)) if self.others else True

    def is_copy(self, target: str) -> bool:
        """Whether a file outside of the workspace's sources is an installed module of a name that the module has, seen
        from some folder."""
        installed = _INSTALLED.match(target)
        if installed is None or self._words.holds(target):
            return False
        bare = os.path.splitext(self._path)[0].removesuffix("/__init__")
        ends = ["/" + name.replace(".", "/") for name in module_names(target, [installed["root"]])]
        # From within a package nothing is imported by a shorter name: what a project has vendored is its own.
        return any(bare.endswith(end) and not self._is_package(bare.removesuffix(end)) for end in ends)

    def _is_package(self, folder: str) -> bool:
        return any(self._words.holds(f"{folder}/__init__{end}") for end in ENDINGS)

    def _meant(self, path: str, module: str) -> Iterator[str]:
        """What each dotted name means by which a file imports what may be a module: "?" where that cannot be known."""
        folder = os.path.dirname(path)
        # A script's own folder comes first; a package's is none.
        own = [] if self._is_package(folder) else [folder]
        roots = [*self._words.roots(), *own]
        imported = set(self._imported(path))
        named: dict[str, list[tuple[int, str, str]]] = {}
        for one in (self._path, *self.others):
            for name, root in module_names(one, roots).items():
                if name in imported:
                    # Of roots above the file the nearest is its project's.
                    nearness = len(root) if f"{path}/".startswith(f"{root}/") else 0
                    named.setdefault(name, []).append((nearness, root, one))
        for found in named.values():
            modules = {one for _, _, one in found}
            if module not in modules or modules == {module}:
                continue
            nearest = [one for one in found if one[0] == max(found)[0]]
            _, root, reached = nearest[0]
            decided = len({one for _, _, one in nearest}) == 1 and root in self._words.roots()
            yield reached if decided else "?"

    def _imported(self, path: str) -> Iterator[str]:
        """The dotted names that absolute imports of a file may mean the module by."""
        document = self._documents.try_get(path)
        for found in _IMPORT.finditer(document.once(SourceText).text) if document is not None else ():
            for one in (found["module"] or found["modules"]).split(","):
                name = one.split()[0] if one.strip() else ""
                yield from (name, f"{name}.{self._stem}")
