"""Which version of TypeScript a package manager has written down, by the file it keeps that in. Files are data: none of
the addresses in them is used."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cn_daemon.adapters.language_servers.provisioning.versions import TYPESCRIPT, parse
from cn_daemon.adapters.patient_files import read_file

T = TypeVar("T")

_LARGEST_BYTES = 16 << 20
# Until its format 5 with the name, from 6 on below it; peers may stand behind it.
_IN_PNPM = re.compile(rf"^ *{TYPESCRIPT}:(?: |\n +specifier: .*\n +version: )'?(?P<version>[^\s'(_]+)", re.M)


class Locked(NamedTuple):
    """file: the lock's name."""

    version: str
    file: str


class Lockfiles:
    """Those of one workspace; each is read once."""

    def __init__(self) -> None:
        self._texts: dict[Path, str] = {}
        self._read: dict[Path, Any] = {}

    def version(self, folder: Path, places: Sequence[Path], specifier: str) -> Locked | None:
        """Of the package in `folder`. places: that folder and those above it, where its lock may lie. specifier: how
        its manifest asks for TypeScript, "" when it does not."""
        for place in places:
            here = "" if place == folder else folder.relative_to(place).as_posix()
            for file, read in (
                ("package-lock.json", self._npm), ("npm-shrinkwrap.json", self._npm), ("pnpm-lock.yaml", self._pnpm),
                ("yarn.lock", self._yarn), ("bun.lock", self._bun),
            ):  # fmt: skip
                if version := next(filter(parse, read(place / file, here, specifier)), None):
                    return Locked(version, file)
        return None

    def text(self, file: Path) -> str:
        """ "" when there is none."""
        if file not in self._texts:
            self._texts[file] = ""
            with contextlib.suppress(OSError):
                content = read_file(str(file), _LARGEST_BYTES)
                self._texts[file] = content.decode("utf-8", "replace").replace("\r\n", "\n")
        return self._texts[file]

    def _once(self, file: Path, read: Callable[[str], T]) -> T:
        if file not in self._read:
            self._read[file] = read(self.text(file))
        found: T = self._read[file]
        return found

    def _npm(self, file: Path, here: str, specifier: str) -> Iterator[str]:
        packages, dependencies = self._once(file, _npm_packages)
        folder = here
        while packages:
            found = packages.get(os.path.join(folder, "node_modules", TYPESCRIPT), {})
            if found.get("name", TYPESCRIPT) == TYPESCRIPT:
                yield str(found.get("version"))
            if not folder:
                return
            folder = os.path.dirname(folder)
        for one in dependencies.values():  # until npm 6
            if here and one.get("version") == f"file:{here}":
                yield str(_objects(one.get("dependencies")).get(TYPESCRIPT, {}).get("version"))
        yield str(dependencies.get(TYPESCRIPT, {}).get("version"))

    def _pnpm(self, file: Path, here: str, specifier: str) -> Iterator[str]:
        for found in _IN_PNPM.finditer(self._once(file, _pnpm_importers).get(here or ".", "")):
            yield found["version"]

    def _yarn(self, file: Path, here: str, specifier: str) -> Iterator[str]:
        known = self._once(file, _yarn_versions)
        yield known.get(specifier.removeprefix("npm:"), "")
        if len({*known.values()}) == 1:
            yield from known.values()

    def _bun(self, file: Path, here: str, specifier: str) -> Iterator[str]:
        text = self.text(file)
        named = re.search(rf'^ *"{re.escape(here)}": \{{\s*"name": "([^"\n]+)"', text, re.M) if here else None
        for key in [*([f"{named[1]}/{TYPESCRIPT}"] if named else []), TYPESCRIPT]:
            if found := re.search(rf'^ *"{re.escape(key)}": \["{TYPESCRIPT}@([^"\n]+)"', text, re.M):
                yield found[1]


def _npm_packages(text: str) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    lock = json_object(text)
    return _objects(lock.get("packages")), _objects(lock.get("dependencies"))


def _pnpm_importers(text: str) -> dict[str, str]:
    """By folder, what its package depends on; all of it for a lock of a single package."""
    lines = text.partition("\npackages:\n")[0].split("\n")
    members = below(lines, "importers")
    if not members:
        return {".": "\n".join(lines)}
    found: dict[str, list[str]] = {}
    key, outer = "", _indent(next(filter(str.strip, members)))
    for line in members:
        if line.strip() and _indent(line) == outer:
            key = line.strip().rstrip(":").strip("'\"")
        found.setdefault(key, []).append(line)
    return {key: "\n".join(lines) for key, lines in found.items()}


def _yarn_versions(text: str) -> dict[str, str]:
    """By range."""
    known: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith((f"{TYPESCRIPT}@", f'"{TYPESCRIPT}@')):
            version = next(lines, "").strip().removeprefix("version").strip(': "')
            for key in line.rstrip(":").replace('"', "").split(", "):
                known[key.removeprefix(f"{TYPESCRIPT}@").removeprefix("npm:")] = version
    return known


def below(lines: Sequence[str], key: str) -> list[str]:
    """What stands under a key in YAML as package managers write it: in blocks, a key a line."""
    outer = next((_indent(line) for line in lines if line.strip()), 0)
    for number, line in enumerate(lines):
        if _indent(line) == outer and line.strip() in (f"{key}:", f"'{key}':", f'"{key}":'):
            return list(takewhile(lambda one: not one.strip() or _indent(one) > outer, lines[number + 1 :]))
    return []


def json_object(text: str) -> dict[str, Any]:
    """Empty for anything else."""
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _objects(value: object) -> dict[str, dict[str, Any]]:
    return {key: one for key, one in value.items() if isinstance(one, dict)} if isinstance(value, dict) else {}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
