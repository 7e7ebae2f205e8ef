"""Which programs of the user's may run: none that the code in question may have brought along.

A clone brings everything from the root up to the top of the repository that holds it, and an archive may bring
repositories of its own. Whoever puts a program there (`node_modules/.bin`, which `npm run` puts on PATH) must not
thereby choose what runs. What the file system does not answer is a no.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from cn_shared.folders import home

# What a folder holds that is the top of a repository, or a part of a project.
_MARKS = (
    ".git", ".hg", ".jj", ".sl", ".svn", ".bzr", "_darcs", ".pijul", ".fslckout",
    "package.json", "node_modules", ".pnp.cjs", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
    "pnpm-workspace.yaml", "lerna.json", "nx.json", "deno.json", "deno.jsonc", "tsconfig.json", "jsconfig.json",
    "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".venv", "go.mod", "go.work", "Cargo.toml",
    "rust-toolchain", "rust-toolchain.toml", "compile_commands.json", "CMakeLists.txt", "WORKSPACE", "MODULE.bazel",
    ".cn.json", ".ai-command-tool.json",
)  # fmt: skip
# A repository that has no `.git` around it, or a folder that looks like one.
_BARE = ("HEAD", "objects", "refs")
# Where systems keep their programs: of a workspace that is all of the file system these are no part.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/snap", "/System", "/Library")
# By what programs and their loaders are given further folders and files, and would find those of the current folder.
_SEARCHED = (
    "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "NODE_PATH",
    "PYTHONPATH",
)  # fmt: skip
_LOADED = ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES")  # a space parts them as well


class Territory:
    """Everything that came with the code at a root, for all one can tell. top: the highest folder of it.

    Upward from the root that is the topmost folder with a repository's or a project's mark, whoever put it there. The
    home of the user, and what is above it, are taken for it only when the root itself is there: many keep their
    settings in a repository, or once ran npm in the wrong folder.
    """

    def __init__(self, root: str | Path) -> None:
        self._root = Path(os.path.realpath(root))
        self.top = _top(str(self._root))
        self._known = _identity(self.top)

    @property
    def folders(self) -> list[Path]:
        """From the root upward to its top."""
        return [folder for folder in (self._root, *self._root.parents) if folder.is_relative_to(self.top)]

    def holds(self, path: str | Path) -> bool:
        """Whether `path` lies in it: by its name, or when links are resolved."""
        return self._contains(os.path.abspath(path)) or self._contains(os.path.realpath(path))

    def _contains(self, path: str) -> bool:
        if os.path.dirname(self.top) == self.top:
            return not any(path == folder or path.startswith(folder + os.sep) for folder in _SYSTEM)
        # By what it is and not by its name: some disks do not tell Code from code, and some are mounted twice.
        while True:
            found = _identity(path)
            if found == _UNKNOWN or found == self._known:
                return True
            above = os.path.dirname(path)
            if above == path:
                return False
            path = above


def find_executables(name: str, root: str | Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Every `name` on PATH, in its order, without those of the root's territory and those in relative folders."""
    territory = Territory(root)
    seen = set()
    for folder in environ.get("PATH", "").split(os.pathsep):
        if not os.path.isabs(folder) or not (found := shutil.which(name, path=folder)):
            continue
        if territory.holds(folder) or territory.holds(found):
            continue
        if (real := os.path.realpath(found)) not in seen:
            seen.add(real)
            yield Path(found)


def outside(environ: Mapping[str, str], root: str | Path) -> dict[str, str]:
    """The variables for programs that read the code at `root`: what those run, or load, is looked for elsewhere."""
    territory = Territory(root)
    kept = dict(environ)
    for variable in kept.keys() & {*_SEARCHED, *_LOADED}:
        places = re.split(r"[:\s]" if variable in _LOADED else re.escape(os.pathsep), kept[variable])
        kept[variable] = os.pathsep.join(
            place for place in places if os.path.isabs(place) and not territory.holds(place)
        )
        if not kept[variable] and variable != "PATH":  # an empty one is the current folder
            del kept[variable]
    return kept


_UNKNOWN = (-1, -1)


def _identity(path: str) -> tuple[int, int] | None:
    """None when nothing is there; _UNKNOWN when that cannot be known."""
    try:
        facts = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return _UNKNOWN
    return facts.st_dev, facts.st_ino


def _top(root: str) -> str:
    top, own = root, os.path.realpath(home())
    for folder in map(str, Path(root).parents):
        if own == folder or own.startswith(folder.rstrip(os.sep) + os.sep):
            break
        if any(_is_there(folder, mark) for mark in _MARKS) or all(_is_there(folder, mark) for mark in _BARE):
            top = folder
    return top


def _is_there(folder: str, name: str) -> bool:
    try:
        os.lstat(os.path.join(folder, name))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
