"""The environment that a Python workspace's dependencies are installed in, looked for at every question.

Nothing of it is run: a folder with a `pyvenv.cfg`, or that of an interpreter on PATH, is read. The order is ty's:
VIRTUAL_ENV, CONDA_PREFIX, a virtual environment in the workspace, the first `python3` on PATH; before that the one that
Poetry keeps for a project's folder.
"""

from __future__ import annotations

import base64
import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.python.manifests import normal
from cn_shared.execution import find_executables
from cn_shared.folders import named

_CONFIGURATION = "pyvenv.cfg"
_PACKAGES = (
    "lib/python3*/site-packages", "lib64/python3*/site-packages", "Lib/site-packages", "lib/python3*/dist-packages",
    "local/lib/python3*/dist-packages",
)  # fmt: skip
_VERSION = re.compile(r"^version(?:_info)?\s*=\s*([\d.]+)", re.MULTILINE)
_DISTRIBUTION = re.compile(r"(.+?)-[^-]+\.(?:dist|egg)-info$")
# What is told by name of what is not installed.
_TOLD = 3


@dataclass(frozen=True, slots=True)
class Environment:
    """prefix: its folder, "" where there is none. packages: the folders that hold what is installed. isolated: whether
    it is one of a project, and no interpreter's own. mark: what differs when something was installed or removed."""

    prefix: str = ""
    packages: tuple[str, ...] = ()
    isolated: bool = False
    version: str = ""
    mark: tuple[object, ...] = ()

    def lacking(self, wanted: Iterable[str]) -> list[str]:
        """The distributions, by their normalised names, that are not installed in it."""
        names: set[str] = set()
        for folder in self.packages:
            found = (_DISTRIBUTION.match(name) for name in _listed(folder))
            names.update(normal(one[1]) for one in found if one)
        return [name for name in wanted if name not in names]


def find_environment(root: Path, environ: Mapping[str, str], projects: Iterable[str] = ()) -> Environment:
    """environ: the caller's variables. projects: the folders of the workspace that a project lies in."""
    projects = list(projects)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        named = environ.get(variable, "")
        if os.path.isabs(named) and (found := _environment(named, isolated=True)):
            return found
    own = (f"{folder}/.venv" for folder in (str(root), *sorted(projects)))
    for place in (*own, *_beside(str(root))):
        if os.path.lexists(f"{place}/{_CONFIGURATION}") and (found := _environment(place, isolated=True)):
            return found
    for place in _of_poetry((str(root), *sorted(projects))):
        if found := _environment(place, isolated=True):
            return found
    for program in find_executables("python3", root, environ):
        if found := _environment(str(program.resolve().parent.parent), isolated=False):
            return found
    return Environment()


def described(environment: Environment, root: Path) -> str:
    """Which one it is, for a status line."""
    if not environment.prefix:
        return "no environment"
    inside = os.path.relpath(environment.prefix, root)
    where = environment.prefix if inside.startswith("..") else inside
    return f"environment {where}" + (f", Python {environment.version}" if environment.version else "")


def lack(environment: Environment, wanted: Iterable[str]) -> str:
    """Which dependencies are not installed, and what helps; nothing when all are."""
    wanted = list(wanted)
    missing = environment.lacking(wanted)
    if not missing:
        return ""
    names = ", ".join(missing[:_TOLD]) + (", …" if len(missing) > _TOLD else "")
    return f"{len(missing)} of {len(wanted)} dependencies are not installed ({names})"


def _environment(prefix: str, *, isolated: bool) -> Environment | None:
    """None when it holds no packages."""
    folders = tuple(
        one for pattern in _PACKAGES for one in sorted(glob.glob(f"{glob.escape(prefix)}/{pattern}")) if _is_own(one)
    )
    if not folders:
        return None
    configuration = f"{prefix}/{_CONFIGURATION}"
    try:
        version = _VERSION.search(Path(configuration).read_text("utf-8", "replace"))
    except OSError:
        version = None
    named = re.search(r"python(3[\d.]*)/", folders[0])
    mark = tuple(_mark(path) for path in (configuration, *folders))
    return Environment(prefix, folders, isolated, version[1] if version else named[1] if named else "", mark)


def _is_own(folder: str) -> bool:
    """`lib64` is often a link to `lib`."""
    return os.path.isdir(folder) and not os.path.islink(os.path.dirname(os.path.dirname(folder)))


def _beside(folder: str) -> Iterator[str]:
    """What else may be a virtual environment: any folder with the mark of one."""
    yield from (os.path.dirname(path) for path in sorted(glob.glob(f"{glob.escape(folder)}/*/{_CONFIGURATION}")))


def _of_poetry(folders: Iterable[str]) -> Iterator[str]:
    """Where Poetry has the environments of projects, by its `EnvManager.generate_env_name`."""
    cache = os.path.dirname(named("XDG_CACHE_HOME", ".cache"))  # beside cn's own
    kept = f"{glob.escape(cache)}/pypoetry/virtualenvs"
    for folder in folders:
        digest = hashlib.sha256(os.path.realpath(folder).encode()).digest()
        name = base64.urlsafe_b64encode(digest).decode()[:8]
        yield from sorted(glob.glob(f"{kept}/*-{name}-py3*"), reverse=True)


def _mark(path: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_ino


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
