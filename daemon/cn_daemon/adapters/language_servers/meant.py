"""Which source is meant by the name of a package that is not built, or by a path into what its build is to write."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from cn_daemon.adapters.language_servers.sources import ENDINGS
from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.exports import exported_names, exports_default
from cn_daemon.application.modules.reach import OUTPUT, Reach, Steps, joined
from cn_daemon.application.ports import Words, Workspace, stem_of
from cn_daemon.domain.declarations.symbols import exported_names as declared_names
from cn_daemon.domain.mentions.noted import specifiers
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText, imports
from cn_daemon.domain.source.specifiers import package_of
from cn_daemon.domain.source.text import Position

_ALL = re.compile(r"\s*export\s*(?:type\s*)?\*\s*from\s*['\"](?P<module>[^'\"\n]+)")
# What exports the members of something as its names.
_WHOLE = re.compile(r"\bexport\s*=|\bexports\b|\bexport\s*(?:type\s*)?\*\s*as\b")
_UNQUOTABLE = re.compile(r"[\"'`\\\n]")


class Import(NamedTuple):
    """By a file of one folder, for names that of its package where it has one: alike for all of them."""

    folder: str
    specifier: str


class Exports(NamedTuple):
    """names: what a module exports, None where nobody knows. told_by: the modules that say so."""

    names: set[str] | None
    told_by: set[str]


class Meant:
    """By what package.json and tsconfig files say and what lies in the workspace."""

    def __init__(self, workspace: Workspace, words: Words) -> None:
        self._workspace = workspace
        self._words = words
        self._steps = Steps()
        self._sources: dict[Import, str] = {}
        self._exported: dict[str, Exports] = {}
        # For the files of a folder, of the folder of a package.
        self._another: dict[tuple[str, str], bool | None] = {}
        self._lost: frozenset[str] | None = None
        # What files import, as of a stamp.
        self._read: dict[str, tuple[object, list[tuple[Import, Position]]]] = {}

    def forget(self) -> None:
        """What there is has become other."""
        self._steps.clear()
        self._sources.clear()
        self._exported.clear()
        self._another.clear()
        self._lost = None
        self._read.clear()

    def reach(self) -> Reach:
        return Reach(self._words, Documents(self._workspace), self._steps)

    def imports(self, path: str) -> list[tuple[Import, Position]]:
        """Those of a file by which a source may be meant, each with a place in its specifier."""
        stamp, known = self._words.stamp(path), self._read.get(path)
        if known is None or stamp is None or known[0] != stamp:
            known = self._read[path] = (stamp, list(self._read_imports(path)))
        return known[1]

    def imports_others(self, path: str) -> bool:
        """Whether a file imports something else than when it was read last."""
        _, before = self._read.get(path, (None, []))
        return [one for one, _ in before] != [one for one, _ in self.imports(path)]

    def source(self, path: str, specifier: str) -> str:
        """The one that a specifier in a file means, or nothing: also where a path leads to what is there."""
        asked = self._import(path, specifier)
        if asked not in self._sources:
            self._sources[asked] = self._read_source(path, specifier)
        return self._sources[asked]

    def lost_packages(self) -> frozenset[str]:
        """The workspace's packages that are not built or not installed, as it seems by what is on disk."""
        if self._lost is None:
            packages = self._words.packages()
            none = not (self._workspace.root / "node_modules").exists()
            targets = {name: packages.targets(name) for name in packages.folders}
            built = (name for name, told in targets.items() if not told or any(map(os.path.isfile, told)))
            self._lost = frozenset(packages.folders if none else packages.folders.keys() - built)
        return self._lost

    def is_nowhere(self, path: str, one: Import) -> bool:
        """Whether there is not even a folder where an import of a file leads: no compiler finds anything."""
        targets = self.targets(path, one.specifier) if not self.is_alias(one.specifier) else []
        return bool(targets) and not any(map(_may_stand, targets)) and not self.is_another(path, one.specifier)

    def is_lost_package(self, specifier: str) -> bool:
        return package_of(specifier) in self.lost_packages()

    def is_alias(self, specifier: str) -> bool:
        """Whether a tsconfig says where it leads, to the files of its project."""
        return not specifier.startswith("#") and self._words.packages().is_alias(specifier)

    def is_unknown(self, config: str, specifier: str) -> bool:
        """Whether it is an alias, and not of that tsconfig; "" is that of files outside of all."""
        return self.is_alias(specifier) and not self._words.packages().knows(config, specifier)

    def is_lacking(self, config: str) -> bool:
        """Whether other tsconfigs have an alias that this one may not know."""
        packages = self._words.packages()
        scope = packages.scopes.get(config)
        known = scope.aliases if scope is not None else None if config else frozenset[str]()
        return known is not None and any(not one.startswith("#") for one in packages.aliases - known)

    def not_of(self, config: str, paths: Iterable[str]) -> set[str]:
        """Those of these files that this tsconfig does not list, but others do; for those outside of all ("") also
        those that none lists: the nearest one may know how they import."""
        scopes = dict(self._words.packages().scopes)
        own = scopes.pop(config, None)
        left = (path for path in paths if own is None or not own.lists(path))
        return {path for path in left if not config or any(one.lists(path) for one in scopes.values())}

    def targets(self, path: str, specifier: str) -> list[str]:
        """What a specifier in a file leads to by what package.json and tsconfig files say, there or not."""
        packages = self._words.packages()
        if specifier.startswith("."):
            return [joined(path, specifier)] if not OUTPUT.isdisjoint(specifier.split("/")) else []
        root = package_of(specifier)
        if root in packages.folders:
            # What package.json does not tell of is a path in the package.
            below = specifier.removeprefix(root)
            return packages.targets(specifier) or ([packages.folders[root] + below] if below else [])
        # An alias is that of its package, or there is no other.
        targets = packages.targets(specifier) if packages.is_alias(specifier) else []
        owner = packages.owner(path)
        own = [target for target in targets if owner is not None and target.startswith(f"{owner}/")]
        return own or (targets if len(targets) == 1 and not specifier.startswith("#") else [])

    def decisive(self, path: str, specifier: str) -> set[str]:
        """The folders that what it leads to may be in, and where a package manager would put it for that file."""
        return {*map(os.path.dirname, self.targets(path, specifier)), *self._installed(path, specifier)}

    def leads_elsewhere(self, path: str, specifier: str) -> bool:
        """Whether it seems to lead to something else than a source, by what is on disk: to a build, or a copy."""
        is_another = self.is_another(path, specifier)
        if is_another is not False:
            return is_another is True
        source = self.source(path, specifier)
        return any(target != source and os.path.isfile(target) for target in self.targets(path, specifier))

    def is_another(self, path: str, specifier: str) -> bool | None:
        """Whether what is installed for that file is not the package of the workspace that has the name; None for
        nothing."""
        packages = self._words.packages()
        folder = packages.folders.get(package_of(specifier))
        if folder is None or folder == packages.owner(path):
            return False
        asked = os.path.dirname(path), folder
        if asked not in self._another:
            installed = next(filter(os.path.exists, self._installed(path, specifier)), None)
            self._another[asked] = None if installed is None else os.path.realpath(installed) != folder
        return self._another[asked]

    def _installed(self, path: str, specifier: str) -> list[str]:
        """Where compilers look for a package, the nearest first; there or not."""
        if specifier.startswith((".", "#")):
            return []
        above = [folder for folder in Path(path).parents if folder.is_relative_to(self._workspace.root)]
        return [str(folder / "node_modules" / package_of(specifier)) for folder in above]

    def lacking(self, path: str, names: set[str]) -> set[str]:
        """Those of these names that a module is known not to export."""
        if not names:
            return names
        if path not in self._exported:
            self._exported[path] = self._read_exports(path)
        exported = self._exported[path].names
        return names - exported if exported is not None else set()

    def changed(self, paths: Collection[str]) -> set[str]:
        """The modules of which something else may be told now that these have changed."""
        touched = {path for path, exported in self._exported.items() if not exported.told_by.isdisjoint(paths)}
        for path in touched:
            del self._exported[path]
        return touched

    def _read_exports(self, path: str) -> Exports:
        names: set[str] = set()
        passed, ahead = {path}, [path]
        for module in ahead:
            document = Documents(self._workspace).try_get(module)
            if document is None or _WHOLE.search(document.text):
                return Exports(None, passed)
            names |= exported_names(document) | {*declared_names(document.text)}
            if exports_default(document, {"default"}):
                names.add("default")
            for first, last in document.once(imports):
                handed = _ALL.match(document.text, first, last)
                leads = self.reach().lead(module, handed["module"]) if handed else []
                if handed and not any(map(self._words.holds, leads)):
                    return Exports(None, passed)
                fresh = [lead for lead in leads if lead not in passed]
                passed.update(fresh)
                ahead += fresh
        return Exports(names, passed)

    def _read_imports(self, path: str) -> Iterator[tuple[Import, Position]]:
        packages = self._words.packages()
        document = Documents(self._workspace).try_get(path) if packages.folders and not path.endswith("/") else None
        if document is None:
            return
        for specifier, offset in specifiers(document):
            if self.source(path, specifier):
                yield self._import(path, specifier), document.once(SourceText).position(offset + 1)

    def _import(self, path: str, specifier: str) -> Import:
        owner = None if specifier.startswith(".") else self._words.packages().owner(path)
        return Import(owner or os.path.dirname(path), specifier)

    def _read_source(self, path: str, specifier: str) -> str:
        targets = self.targets(path, specifier)
        # Of several that are built of one package the types are what compilers read.
        declared = [target for target in targets if target.endswith(DECLARATIONS)]
        reach = self.reach()
        found = (*reach.standing(declared), *reach.standing(targets))
        if specifier.startswith(".") and any(_stem(one) == _stem(targets[0]) for one in found):
            return ""
        sources = (one for one in found if os.path.splitext(one)[1] in ENDINGS and not _UNQUOTABLE.search(one))
        # Compilers do not look into a script of which they have the types.
        return min(sources, key=lambda one: (one.endswith(SCRIPTS), one.endswith(DECLARATIONS)), default="")


def _may_stand(target: str) -> bool:
    """Whether something may be at a path of a package.json, which may be a folder's or lack its ending."""
    if os.path.splitext(target)[1]:
        return os.path.isdir(os.path.dirname(target))
    return os.path.isdir(target) or any(os.path.isfile(target + ending) for ending in (*DECLARATIONS, *ENDINGS))


def _stem(path: str) -> str:
    """Without its endings."""
    return os.path.join(os.path.dirname(path), stem_of(path))
