"""Which files the imports of a file may lead to, by texts alone: a package that is not installed, or not built, is
followed to its sources. That is too little to know a use by, and enough to know what a file cannot mean.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain, takewhile
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.modules import joined
from cn_daemon.application.ports import Hit, Words
from cn_daemon.domain.declarations.outline import MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText
from cn_daemon.domain.source.specifiers import NODE, aliased, from_root, is_code, package_of, specifiers
from cn_daemon.domain.source.text import Document, occurrences

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
_MODULE = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)
_WHOLE = re.compile(r"\bexport\s*=|\bexports\b")
_EXPORTS = re.compile(r"\bexports?\b")
_AMBIENT = re.compile(r"declare\s+(?:global|module)\b")
# What stands before and behind a name that is declared as a member, or given as one.
_BEFORE_MEMBER = re.compile(
    r"(?:^|[{};,(<)\]]|\*/|\b(?:this|prototype)\s*\.)\s*(?:(?:public|private|protected|readonly|static|abstract|override"
    r"|declare|accessor|async|get|set)\s+|\*\s*|@\w+\s+)*#?['\"]?\Z",
    re.MULTILINE,
)
_BEHIND_MEMBER = re.compile(r"['\"]?\s*(?:[?!]?\s*[:(=;<,}]|$)", re.MULTILINE)
# Of so many files one question follows the imports; beyond them any may lead anywhere.
FOLLOWED = 3000
# In the place of a file: some file of that folder.
ANYWHERE = "/"


class Places(NamedTuple):
    """files: of these. folders: or some file in one of those."""

    files: frozenset[str]
    folders: tuple[str, ...]

    def may_hold(self, path: str) -> bool:
        return path in self.files or path.startswith(self.folders)


def places_of(found: Iterable[str]) -> Places:
    """Of what `Reach` has found, but for what may lead anywhere."""
    told = frozenset(found) - {ANYWHERE}
    return Places(told, tuple(place for place in told if place.endswith("/")))


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

    def of_all(self, paths: Iterable[str]) -> Iterator[str]:
        """The places of all these files, each once."""
        passed: set[str] = set()
        for path in paths:
            if path not in passed:
                for place in self.places(path, passed):
                    passed.add(place)
                    yield place

    def files(self, paths: Iterable[str], passed: set[str]) -> set[str]:
        """These files, and those that compilers read for their imports, but for those that were passed; these grow."""
        found = ahead = set(paths) - passed
        while ahead:
            passed |= ahead
            ahead = {one for place in ahead for one in self._kept(place)[2]} - passed
            found = found | ahead
        return found

    def exports_whole(self, path: str, specifier: str) -> bool:
        """Whether a module may export the members of something as its names (`export =`, `module.exports =`)."""
        for place in self.lead(path, specifier):
            document = None if place.endswith("/") else self._documents.try_get(place)
            if document is None or _WHOLE.search(document.text):
                return True
        return False

    def is_handed_on(self, hit: Hit) -> bool:
        """Whether what stands there only names what another module declares."""
        document = self._documents.try_get(hit.path)
        source = document.once(SourceText) if document is not None else None
        return source is None or source.in_imports(source.offset(hit.span.start))

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

    def is_written(self, path: str) -> bool:
        """Whether a build wrote these declarations, or this script beside some, of a source that stands."""
        if not path.endswith(_WRITTEN) or OUTPUT.isdisjoint(path.split("/")):
            return False
        stem = _ENDING.sub("", path)
        if not any(self._words.stamp(stem + ending) for ending in DECLARATIONS):
            return False
        return any(not source.endswith(_WRITTEN) for source in self._sources(path)) and not self._is_by_hand(path)

    def _is_by_hand(self, path: str) -> bool:
        document = self._documents.try_get(path)
        return document is not None and is_by_hand(document, self._packages.owner(path))

    def _package(self, module: str) -> str:
        """What is not there, a build or a generator may make of anything in its package."""
        folder = self._packages.owner(f"{module}/")
        return f"{folder}/" if folder else ANYWHERE


def is_by_hand(document: Document, package: str | None) -> bool:
    """Whether what stands in a folder of outputs takes something by path of another one, as a script that hands on what
    is built: what a build writes leads to what it wrote beside that."""
    if package is None or "../" not in document.text:
        return False
    own = _top(document.path, package)
    paths = (name for name, _ in document.once(specifiers) if name.startswith("../"))
    return any(_top(joined(document.path, name), package) in OUTPUT - {own} for name in paths)


def _top(path: str, package: str) -> str:
    """The outermost folder in a package that a path leads through."""
    return path.removeprefix(f"{package}/").partition("/")[0]


class Ways:
    """Whether the imports of files may lead to a symbol, or to what it may be kin of."""

    def __init__(
        self, reach: Reach, symbol: Symbol, documents: Documents, holding: Callable[[], Iterable[str]]
    ) -> None:
        """holding: tells the files that hold the symbol's name."""
        self._reach = reach
        self._symbol = symbol
        self._documents = documents
        self._holding = holding
        self._closed: set[str] = set()

    def open(self, path: str, specifier: str = "") -> bool:
        """Whether a file may take the symbol from somewhere, or from what the specifier leads to."""
        if self._ambient or not self._exported:
            return self._ambient
        starts = self._reach.lead(path, specifier) if specifier else [path]
        return any(self._leads(one) for one in starts if one not in self._closed)

    def _leads(self, start: str) -> bool:
        passed = set()
        for place in self._reach.places(start, self._closed):
            if may_be(place, self._ends):
                return True
            passed.add(place)
        self._closed |= passed
        return False

    @cached_property
    def _ambient(self) -> bool:
        return any(_is_ambient(document) for document in self._declaring)

    @cached_property
    def _exported(self) -> bool:
        return is_member(self._symbol) or any(one and _EXPORTS.search(one.text) for one in self._declaring)

    @cached_property
    def _declaring(self) -> list[Document | None]:
        return [self._documents.try_get(one.path) for one in self._symbol.declarations]

    @cached_property
    def _ends(self) -> set[str]:
        """Where the symbol is declared, and what it may be one with."""
        ends = {one.path for one in self._symbol.declarations}
        if is_member(self._symbol):
            # Members of two types may be one by a third, which both of their files know.
            known = {place for path in ends for place in self._reach.places(path)}
            folders = tuple(place for place in known if place.endswith("/"))
            ends |= {path for path in self._holding() if path in known or path.startswith(folders) if self._gives(path)}
        return ends

    def _gives(self, path: str) -> bool:
        document = self._documents.try_get(path)
        return document is not None and document.known(_has_member, self._symbol.main.name.lstrip("#"))


def may_be(place: str, ends: Collection[str]) -> bool:
    """Whether a place is one of these files, or a folder that may stand for one."""
    return place in ends or (place.endswith("/") and any(end.startswith(place) for end in ends))


def _has_member(document: Document, name: str) -> bool:
    """Whether a member of that name may be declared, or given to something."""
    text = document.text
    return any(
        _BEHIND_MEMBER.match(text, start + len(name)) and _BEFORE_MEMBER.search(text[max(0, start - 80) : start])
        for start in occurrences(text, name)
    )


def _is_ambient(document: Document | None) -> bool:
    """Whether what a file declares is known without an import."""
    return document is None or document.once(_declares_for_all)


def _declares_for_all(document: Document) -> bool:
    if _AMBIENT.search(document.text):
        return True
    return document.path.endswith(("ts", "tsx")) and not _MODULE.search(document.text)


def is_member(symbol: Symbol) -> bool:
    main = symbol.main
    if main.kind == "Constructor" and main.parent is not None:
        # It is called by the name of its class.
        return main.parent.parent is not None
    return main.parent is not None or main.kind in MEMBERS
