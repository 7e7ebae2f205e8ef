"""What ty is told of a Python workspace: its import roots and its environment, as they are at the moment of a question.

ty reads both once, when it starts: where they have changed it is started anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters.disclosure import Disclosure
from cn_daemon.adapters.language_servers.lsp.link import Further
from cn_daemon.adapters.python.environment import Environment, described, find_environment, lack
from cn_daemon.adapters.python.manifests import dependencies


class PythonProject:
    """root: the workspace, a real path. roots: as of `Words.roots`. manifests: its files that tell of
    projects. variables: the caller's, as of now. note: what is not installed, "" for nothing."""

    def __init__(
        self,
        root: Path,
        roots: Callable[[], Sequence[str]],
        manifests: Callable[[], Sequence[str]],
        variables: Callable[[], Mapping[str, str]],
        disclosure: Disclosure,
    ) -> None:
        self.note = ""
        self._root = root
        self._roots = roots
        self._listed = manifests
        self._variables = variables
        self._disclosure = disclosure
        self._given: tuple[object, ...] = ()
        self._environment = Environment()

    @property
    def title(self) -> str:
        """Which environment it is."""
        return described(self._look(), self._root)

    def further(self) -> Further:
        """The roots and the environment of a process that starts now."""
        self._environment = self._look()
        self._given = (self._environment, self._roots(), self._named())
        inside, extra = self._named()
        roots = dict.fromkeys([*inside, *self._roots()])
        wanted = dependencies(self._manifests(), self._disclosure.reads)
        self.note = lack(self._environment, wanted)
        # What runs on another system is code as well.
        environment: dict[str, Any] = {"python-platform": "all", **({"root": list(roots)} if roots else {})}
        if self._environment.prefix:
            environment["python"] = self._environment.prefix
        self._disclosure.add([*self._environment.packages, *extra])
        if extra:
            environment["extra-paths"] = extra
        prefix = self._environment.prefix
        reading = [f"{prefix}/{name}" for name in ("pyvenv.cfg", "bin") if prefix]
        return Further(options={"configuration": {"environment": environment}}, reading=reading)

    def is_other(self, *, marked: bool = False, edited: Collection[str] = ()) -> bool:
        """Whether what the running process was given has changed."""
        return self._given != (self._look(), self._roots(), self._named())

    def _look(self) -> Environment:
        return find_environment(self._root, self._variables(), map(os.path.dirname, self._manifests()))

    def _manifests(self) -> list[str]:
        return [path for path in self._listed() if path.endswith("/pyproject.toml")]

    def _named(self) -> tuple[list[str], list[str]]:
        """The folders in the caller's PYTHONPATH: those of the workspace below its own, and those outside."""
        named = self._variables().get("PYTHONPATH", "").split(os.pathsep)
        real = [os.path.realpath(one) for one in named if os.path.isabs(one) and os.path.isdir(one)]
        inside = [one for one in real if one.startswith(f"{self._root}/")]
        return inside, [one for one in real if one not in inside and one != str(self._root)]
