"""The import roots of a Python workspace: the folders from which its absolute imports are read.

A language server that is not given them takes an import for what is installed, a copy of the workspace's own package
among it. First come the folders that manifests name, then `src` and the folder of each project, then those that hold a
package or a conftest.py; the workspace's own folder is the last, as ty has it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator

from cn_daemon.adapters.python import manifests

_PACKAGE = frozenset({"__init__.py", "__init__.pyi"})
# As a name of the workspace's own it is a usual one.
_STANDARD = sys.stdlib_module_names - {"test"}
# So many are given: a folder more costs every import that is read from none of them.
_MOST = 200


def import_roots(
    root: str, sources: Iterable[str], projects: Iterable[str], allowed: Callable[[str], bool] | None = None
) -> tuple[str, ...]:
    """sources: the Python files of the workspace at `root`. projects: its files of `manifests.NAMES`.
    allowed: whether a file that really lies there may be read."""
    files = sorted(sources)
    if not files:
        return ()
    modules = _modules(files)
    # In the order of their depth: the workspace's own manifests first.
    ordered = sorted(projects, key=lambda path: (path.count("/"), path))
    declared = [folder for path in ordered for folder in manifests.folders(path, allowed)]
    assumed = [folder for path in ordered for folder in _assumed(path)]
    inside = (one for one in declared if _lies_in(one, root))
    found = dict.fromkeys([*inside, *filter(modules.__contains__, [f"{root}/src"])])
    for folder in (*assumed, *_holding(files, modules)):
        # What nobody has declared must not stand for the standard library.
        if folder in modules and modules[folder].isdisjoint(_STANDARD):
            found.setdefault(folder)
    found.pop(root, None)
    return (*list(found)[:_MOST], root)


def _lies_in(folder: str, root: str) -> bool:
    """By its name, and behind links: what a repository names outside of it is none of its roots."""
    named = f"{folder}/".startswith(f"{root}/") and os.path.isdir(folder)
    return named and f"{os.path.realpath(folder)}/".startswith(f"{root}/")


def _assumed(path: str) -> Iterator[str]:
    """The folders that stand for a project without a word: its `src`, and itself."""
    folder, name = os.path.split(path)
    if name in manifests.PROJECTS:
        yield from (f"{folder}/src", folder)


def _modules(files: Iterable[str]) -> dict[str, frozenset[str]]:
    """By folder that is no package, the names of the modules and packages that stand in it, those without an
    `__init__.py` left out."""
    packages = {os.path.dirname(path) for path in files if os.path.basename(path) in _PACKAGE}
    found: dict[str, set[str]] = {}
    for path in (*files, *packages):
        folder, name = os.path.split(path)
        if folder not in packages:
            found.setdefault(folder, set()).add(name.partition(".")[0])
        while (folder := os.path.dirname(folder)) not in found and folder not in packages and folder != "/":
            found[folder] = set()
    return {folder: frozenset(names) for folder, names in found.items()}


def _holding(files: Iterable[str], modules: dict[str, frozenset[str]]) -> Iterator[str]:
    """The folders that hold a package, or the conftest.py by which pytest makes them roots."""
    for path in files:
        folder, name = os.path.split(path)
        above = os.path.dirname(folder)
        if name in _PACKAGE and above in modules:
            yield above
        elif name == "conftest.py" and folder in modules:
            yield folder
