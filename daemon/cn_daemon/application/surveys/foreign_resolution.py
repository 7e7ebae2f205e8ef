"""What TypeScript complains of in files whose imports something else resolves: Deno, or Yarn's Plug'n'Play.

Complaints that come of its own resolution are left out, and the answer says so.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cn_daemon.application.ports import Finding, Workspace
from cn_daemon.application.relations.untyped import NOT_FOUND
from cn_daemon.domain.source.forms import form_of

_DENO = ("deno.json", "deno.jsonc")
_PNP = (".pnp.cjs", ".pnp.js")
_CONFIGURATIONS = ("tsconfig.json", "jsconfig.json")
# A parameter without a type, as where what it is given to is not known.
_IMPLICIT_ANY = frozenset({"TS7006", "TS7031"})
_RELATIVE = re.compile(r"'\.{0,2}/|'\.{1,2}'")
# Deno declares these, TypeScript's own libraries do not.
_DENO_GLOBAL = re.compile(r"'(?:Deno|ImportMeta|Temporal)'")


class _Resolution(NamedTuple):
    """by: the file that says so, relative to the root. check: the command whose complaints are complete."""

    name: str
    by: str
    check: str


class ForeignResolution:
    """For one question."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._root = str(workspace.root)
        self._folders: dict[str, _Resolution | None] = {}
        self._present: dict[str, str] = {}
        self._left_out: Counter[_Resolution] = Counter()

    def sifted(self, path: str, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The complaints about a file that hold for whatever resolves its imports."""
        folder = os.path.dirname(path)
        if form_of(path) is not None or not path.startswith(f"{self._root}/"):
            return findings
        if folder not in self._folders:
            self._folders[folder] = self._of(folder)
        resolution = self._folders[folder]
        if resolution is None:
            return findings
        kept = [one for one in findings if not _is_its_own(one, findings, resolution)]
        if resolution.name == "Deno" or len(kept) < len(findings):
            self._left_out[resolution] += len(findings) - len(kept)
        return kept

    def reason(self) -> str:
        """Why complaints are missing, or nothing."""
        return "; ".join(
            f"{one.by}: {one.name} resolves the imports there, TypeScript does not: errors caused by that are "
            f"left out ({count}), others may be missing; {one.check} shows all"
            for one, count in self._left_out.items()
        )

    def _of(self, folder: str) -> _Resolution | None:
        """By the files above: a project of TypeScript's own is none of Deno's, and may be one of Yarn's."""
        is_own = False
        for above in self._upward(folder):
            is_own = is_own or bool(self._first(above, _CONFIGURATIONS))
            if not is_own and (file := self._first(above, _DENO)):
                return _Resolution("Deno", file, "deno check")
            if file := self._first(above, _PNP):
                return _Resolution("Yarn's Plug'n'Play", file, "yarn tsc")
            is_own = is_own or bool(self._first(above, ("package.json",)))
        return None

    def _upward(self, folder: str) -> Iterator[str]:
        while folder != self._root:
            yield folder
            folder = os.path.dirname(folder)
        yield folder

    def _first(self, folder: str, names: Sequence[str]) -> str:
        for name in names:
            path = os.path.join(folder, name)
            if path not in self._present:
                is_there = self._workspace.kind(path, None) == "file"
                self._present[path] = os.path.relpath(path, self._root) if is_there else ""
            if self._present[path]:
                return self._present[path]
        return ""


def _is_its_own(one: Finding, beside: Sequence[Finding], resolution: _Resolution) -> bool:
    """Whether a complaint comes of how TypeScript resolves what a file imports, and names."""
    lost = [other for other in beside if _is_lost(other, resolution)]
    if one in lost or (lost and one.code in _IMPLICIT_ANY):
        return True
    return resolution.name == "Deno" and _DENO_GLOBAL.search(one.message) is not None


def _is_lost(one: Finding, resolution: _Resolution) -> bool:
    return one.code in NOT_FOUND and (resolution.name == "Deno" or not _RELATIVE.search(one.message))
