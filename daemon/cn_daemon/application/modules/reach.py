"""Which files the imports of a file may lead to, by texts alone: a package that is not installed, or not built, is
followed to its sources. That is too little to know a use by, and enough to know what a file cannot mean.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, takewhile
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Words
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS
from cn_daemon.domain.source.specifiers import NODE, aliased, from_root, is_code, package_of, specifiers

_ENDINGS = tuple(".d.ts .d.mts .d.cts .ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte".split())
_ENDING = re.compile("(?:" + "|".join(map(re.escape, _ENDINGS)) + ")$")
# What no code stands in that could bring a symbol.
ASSET = re.compile(
    r"\.(?:css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|json5?|html?|mdx?|txt|wasm)$"
)
# What a build writes, where the repository may hold it.
_WRITTEN = (*DECLARATIONS, *SCRIPTS)
# Folders that a build writes, and where it may have read what it wrote.
OUTPUT = frozenset({"dist", "build", "out", "lib", "es", "esm", "cjs"})
_VARIANTS = frozenset({"production", "development", "types", "node", "browser", "umd", "modern", "legacy", "module"})
_SOURCES = ("", "src/", "source/", "lib/")
# Of so many files one question follows the imports; beyond them any may lead anywhere.
FOLLOWED = 3000
# In the place of a file: some file of that folder.
ANYWHERE = "/"


class Places(NamedTuple):
    """files: of these. folders: or some file in one of those."""

    files: frozenset[str]
    folders: tuple[str, ...]


class Steps:
    """What is kept of it between questions until something is created, deleted or configured. by_file: where each file
    leads, as of a stamp, and which of that compilers read for it. by_name: where each specifier leads that is no path.
    handed: to which files a module is handed on as a value, None for any, until a file changes."""

    def __init__(self) -> None:
        self.by_file: dict[str, tuple[object, list[str], list[str]]] = {}
        self.by_name: dict[str, list[str]] = {}
        self.handed: dict[str, Collection[str] | None] = {}

    def clear(self) -> None:
        self.by_file.clear()
        self.by_name.clear()


class Reach:
    """For one question: shares its documents."""

    def __init__(self, words: Words, documents: Documents, steps: Steps) -> None:
        self._words = words
        self._packages = words.packages()
        self._documents = documents
        self._steps = steps
        self.handed = steps.handed
        self._read = 0
        self._files: list[str] | None = None

    def places(self, path: str, closed: Collection[str] = ()) -> Iterator[str]:
        """A file, and every one that its imports may lead to, those behind `closed` ones left out. A folder (`/a/`)
        stands for all that is in it."""
        found, ahead = {path}, [path]
        while ahead:
            place = ahead.pop()
            yield place
            fresh = [one for one in self._steps_of(place) if one not in found and one not in closed]
            found.update(fresh)
            ahead += fresh

    def files(self, paths: Iterable[str], passed: set[str]) -> set[str]:
        """These files, and those that compilers read for their imports, but for those that were passed; these grow."""
        found = ahead = set(paths) - passed
        while ahead:
            passed |= ahead
            ahead = {one for place in ahead for one in self._kept(place)[2]} - passed
            found = found | ahead
        return found

    def _steps_of(self, place: str) -> list[str]:
        if place.endswith("/"):
            return self._below(place)
        return self._kept(place)[1]

    def _kept(self, path: str) -> tuple[object, list[str], list[str]]:
        stamp, known = self._words.stamp(path), self._steps.by_file.get(path)
        if known is None or stamp is None or known[0] != stamp:
            known = self._steps.by_file[path] = (stamp, *self._imported(path))
        return known

    def _below(self, folder: str) -> list[str]:
        if folder == ANYWHERE:
            return []
        self._files = self._files or self._words.files()
        return list(takewhile(lambda path: path.startswith(folder), self._files[bisect_left(self._files, folder) :]))

    def _imported(self, path: str) -> tuple[list[str], list[str]]:
        self._read += 1
        if self._read > FOLLOWED:
            return [ANYWHERE], []
        document = self._documents.try_get(path)
        steps: dict[str, None] = {}
        # Types that comments import are read in scripts alone.
        files: dict[str, None] = {}
        written = chain(document.once(specifiers), document.once(from_root)) if document else ()
        for specifier, offset in written:
            code = document is not None and is_code(document.text, offset)
            for step in self.lead(path, specifier):
                if code or not step.endswith("/"):
                    steps[step] = None
                if (code or path.endswith(SCRIPTS)) and not step.endswith("/"):
                    files[step] = None
        return list(steps), list(files)

    def lead(self, path: str, specifier: str) -> list[str]:
        """The files that a specifier may lead to; a folder stands for some of what is in it."""
        if not specifier.startswith("."):
            named = self._steps.by_name
            return named[specifier] if specifier in named else named.setdefault(specifier, self._inside(specifier))
        modules = list(dict.fromkeys(joined(name, specifier) for name in self._words.names(path)))
        found = [one for module in modules for one in self._present(module)]
        if any(one.endswith(DECLARATIONS) for one in found) and not OUTPUT.isdisjoint(specifier.split("/")):
            found += [one for module in modules for one in self._sources(module)]
        further = (target for module in modules for target in self._packages.targets(module))
        return found or self._made(modules[0], [*modules, *further])

    def _inside(self, specifier: str) -> list[str]:
        """Where a name leads in the workspace, if it may."""
        packages, root = self._packages, package_of(specifier)
        targets = packages.targets(specifier)
        if root in packages.folders:
            targets.append(packages.folders[root] + specifier.removeprefix(root))
        if targets:
            return self._made(specifier, targets)
        if root in packages.dependencies or root in NODE or not self._words.leads_inside(aliased(specifier)):
            return []
        return [ANYWHERE]

    def _made(self, specifier: str, targets: Iterable[str]) -> list[str]:
        """The files that stand for one of these paths, or that a build may make one of."""
        found = self.standing(targets)
        if not found:
            lost = [] if ASSET.search(specifier) else targets
            # What is installed is none of the workspace's, nor does it lead back.
            return [self._package(target) for target in lost if "/node_modules/" not in target]
        # Compilers do not look into a script of which they have the types.
        return [path for path in found if not path.endswith(SCRIPTS)] or found

    def standing(self, targets: Iterable[str]) -> list[str]:
        """What is at these paths, and the sources where that is none."""
        return list(dict.fromkeys(path for target in targets for path in self._standing(target)))

    def _standing(self, target: str) -> list[str]:
        found = self._present(target)
        return found if any(not path.endswith(_WRITTEN) for path in found) else [*found, *self._sources(target)]

    def _present(self, module: str) -> list[str]:
        """The files that a path may stand for, whatever its ending."""
        stem = _ENDING.sub("", module)
        likely = [module, *(one + ending for one in {stem, module, f"{module}/index"} for ending in _ENDINGS)]
        found = [one for one in dict.fromkeys(likely) if self._words.holds(one)]
        return found or [one for one in dict.fromkeys(map(self._words.real, likely)) if self._words.holds(one)]

    def _sources(self, target: str) -> list[str]:
        """What a build may make that file of: `dist/esm/a.js` of `src/a.ts`."""
        folder = self._packages.owner(target)
        parts = target.removeprefix(f"{folder}/").split("/") if folder else []
        built = len(list(takewhile((OUTPUT | _VARIANTS).__contains__, parts)))
        rests = ["/".join(parts[first:]) for first in range(built + 1)] if parts else []
        # Of a folder (`"main": "lib/"`) nothing is left but the one that stands for it.
        modules = (f"{folder}/{source}{rest}".rstrip("/") for rest in rests for source in _SOURCES)
        return [one for module in modules for one in self._present(module)]

    def _package(self, module: str) -> str:
        """What is not there, a build or a generator may make of anything in its package."""
        folder = self._packages.owner(f"{module}/")
        return f"{folder}/" if folder else ANYWHERE


def joined(path: str, specifier: str) -> str:
    """The path that a relative specifier in a file means."""
    return os.path.normpath(os.path.join(os.path.dirname(path), specifier))


def may_be(place: str, ends: Collection[str]) -> bool:
    """Whether a place is one of these files, or a folder that may stand for one."""
    return place in ends or (place.endswith("/") and any(end.startswith(place) for end in ends))
