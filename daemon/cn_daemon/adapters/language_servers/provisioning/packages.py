"""npm packages that are there already. None is run to find it."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.versions import SERVER, TESTED, TYPESCRIPT, parse
from cn_daemon.adapters.patient_files import read_file
from cn_shared.execution import find_executables

# The file that makes a package of use to us.
ENTRIES = {SERVER: Path("lib", "cli.mjs"), TYPESCRIPT: Path("lib", "tsserver.js")}

# What Microsoft gives to those who keep 6 beside 7 under the same name, and what it requires: the very TypeScript 6.
BESIDE, _OLD = "@typescript/typescript6", Path("node_modules", "@typescript", "old")

_MANIFEST_LIMIT = 1 << 20
_FOLDER_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Package:
    """An installed npm package. `folder` is real (pnpm links its packages into node_modules)."""

    name: str
    version: str
    folder: Path

    @property
    def entry(self) -> Path:
        return self.folder / ENTRIES[self.name]

    @property
    def usable(self) -> bool:
        """Whether it lies in the tested range and has the file we run."""
        return self.name in TESTED and TESTED[self.name].holds(self.version) and self.entry.is_file()


def read_package(folder: Path, name: str) -> Package | None:
    """The package `name` that lies in `folder`, or the one that what lies there re-exports; or None."""
    found = _read(folder)
    if found and name == TYPESCRIPT and found.name == BESIDE:
        # Where Node.js looks for what it requires.
        required = (_read(above / _OLD) for above in (found.folder, *found.folder.parents))
        found = next(filter(None, required), None)
    return found if found and found.name == name else None


def _read(folder: Path) -> Package | None:
    try:
        folder = folder.resolve(strict=True)
        manifest = json.loads(read_file(str(folder / "package.json"), _MANIFEST_LIMIT))
    except (OSError, ValueError, RecursionError):
        return None
    name, version = (manifest.get("name"), manifest.get("version")) if isinstance(manifest, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(version, str) or parse(version) is None:
        return None
    return Package(name, version, folder)


def in_workspace(root: Path, name: str) -> Package | None:
    """The workspace's own package: the nearest upward from the root, else the newest of its member packages.

    The nearest one is returned also when it is of no use to us, so that the caller can say why.
    """
    for folder in (root, *root.parents):
        if package := read_package(folder / "node_modules" / name, name):
            return package
    found = filter(None, (read_package(folder / "node_modules" / name, name) for folder in members(root)))
    return max(found, key=lambda package: (TESTED[name].holds(package.version), parse(package.version)), default=None)


def on_path(root: Path, environ: Mapping[str, str]) -> Package | None:
    """The typescript-language-server that PATH leads to, when it is an ordinary npm installation."""
    for script in find_executables(SERVER, root, environ):
        real = script.resolve()
        if real.parts[-2:] == ENTRIES[SERVER].parts and (package := read_package(real.parent.parent, SERVER)):
            return package
    return None


def members(root: Path) -> Iterable[Path]:
    """The folders one and two levels below the root that could be packages of a monorepo."""
    budget = _FOLDER_LIMIT
    level = [root]
    for _ in range(2):
        below: list[Path] = []
        for folder in level:
            children = _folders(folder)[:budget]
            budget -= len(children)
            below += children
        yield from below
        level = below


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in entries
                if entry.name[0] != "." and entry.name != "node_modules" and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def native_package(typescript: Path, version: str) -> Package | None:
    """The package of this platform's compiler, which npm puts beside `typescript` and pnpm beside its real folder."""
    name = platform_package()
    found = (read_package(folder / name, name) for folder in (typescript.parent, typescript / "node_modules"))
    return next((package for package in found if package and package.version == version and program_of(package)), None)


def program_of(package: Package) -> Path | None:
    """The compiler in such a package."""
    program = package.folder / "lib" / ("tsc.exe" if sys.platform == "win32" else "tsc")
    return program if package.name == platform_package() and program.is_file() else None


def program_in(typescript: Path, version: str) -> Path | None:
    """The compiler that goes with an installed `typescript`."""
    package = native_package(typescript, version)
    return program_of(package) if package else None


def platform_package() -> str:
    """As Node.js names platforms: `@typescript/typescript-linux-x64`."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower())
    return f"@typescript/typescript-{sys.platform}-{machine or platform.machine().lower()}"
