"""Which version of TypeScript a workspace asks for. Its files are read, as data: nothing of it is run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.provisioning.lockfiles import Lockfiles, below, json_object
from cn_daemon.adapters.language_servers.provisioning.packages import BESIDE, Package, in_workspace, members
from cn_daemon.adapters.language_servers.provisioning.releases import newest
from cn_daemon.adapters.language_servers.provisioning.versions import TESTED, TYPESCRIPT, parse
from cn_shared.execution import Territory

_DEPENDENCIES = ("devDependencies", "dependencies", "optionalDependencies")
# Neither a file, a folder, a repository, a patch, an address, nor another package's name.
_OF_REGISTRY = re.compile(rf"(?:npm:)?(?:{TYPESCRIPT}@)?[^:/@]*")
_CATALOG_FILES = ("pnpm-workspace.yaml", ".yarnrc.yml")


@dataclass(frozen=True, slots=True)
class Wanted:
    """version: None when it is no release that the registry has. source: what says so: `node_modules`, or a file's
    name. specifier: as it is written there. installed: the package, when it is there."""

    version: str | None
    source: str
    specifier: str
    installed: Package | None = None


def wanted(root: Path) -> Wanted | None:
    """What is installed, else what the lock file says, else the newest release in the manifest's range: of the root,
    else of the folders above it that belong to the same code, else the newest of its member packages."""
    if installed := in_workspace(root, TYPESCRIPT):
        return Wanted(installed.version, "node_modules", installed.version, installed)
    places, locks = Territory(root).folders, Lockfiles()
    for depth, folder in enumerate(places):
        if found := _requested(folder, places[depth:], locks):
            return found
    found_below = [_requested(folder, _upward(folder, root, places), locks) for folder in members(root)]
    return max(filter(None, found_below), key=_rank, default=None)


def _rank(one: Wanted) -> tuple[bool, tuple[int, ...]]:
    version = one.version or ""
    return TESTED[TYPESCRIPT].holds(version), parse(version) or ()


def _upward(folder: Path, root: Path, places: Sequence[Path]) -> list[Path]:
    return [*(one for one in (folder, *folder.parents) if one != root and one.is_relative_to(root)), *places]


def _requested(folder: Path, places: Sequence[Path], locks: Lockfiles) -> Wanted | None:
    """What the package in `folder` asks for. places: it and the folders above it."""
    manifest = json_object(locks.text(folder / "package.json"))
    specifier = next(filter(None, (_group(manifest, name).get(TYPESCRIPT) for name in _DEPENDENCIES)), "")
    # Without a word in the manifest, a package of another may have brought one: at this folder's own top.
    if specifier.startswith("catalog:"):
        specifier = _catalogued(specifier.partition(":")[2], places, locks)
    locked = locks.version(folder, places if specifier else [folder], specifier)
    if locked and _OF_REGISTRY.fullmatch(specifier):
        return Wanted(locked.version, locked.file, locked.version)
    return Wanted(_released(specifier), "package.json", specifier) if specifier else None


def _released(specifier: str) -> str | None:
    """The version that npm would choose for it."""
    name, _, text = specifier.removeprefix("npm:").rpartition("@")
    if name == BESIDE:  # a package of its own numbers, which requires the last 6
        return newest("6")
    if name not in ("", TYPESCRIPT):
        return None
    exact = text.strip().removeprefix("=").strip().removeprefix("v")
    return exact if parse(exact) else newest(text)


def _group(manifest: dict[str, Any], name: str) -> dict[str, str]:
    return {key: one for key, one in _object(manifest, name).items() if isinstance(one, str)}


def _object(holder: dict[str, Any], name: str) -> dict[str, Any]:
    found = holder.get(name)
    return found if isinstance(found, dict) else {}


def _catalogued(name: str, places: Sequence[Path], locks: Lockfiles) -> str:
    """What a catalog of pnpm's, yarn's or bun's says of TypeScript. name: "" is the one without."""
    name = "" if name == "default" else name
    for place in places:
        for file in _CATALOG_FILES:
            lines = locks.text(place / file).split("\n")
            named = below(below(lines, "catalogs"), name or "default")
            for line in [*named, *([] if name else below(lines, "catalog"))]:
                key, _, value = line.strip().partition(":")
                if key.strip("'\"") == TYPESCRIPT:
                    return value.partition(" #")[0].strip(" '\"")
        manifest = json_object(locks.text(place / "package.json"))
        for holder in (manifest, _object(manifest, "workspaces")):  # of bun
            catalog = _group(_object(holder, "catalogs"), name) if name else _group(holder, "catalog")
            if TYPESCRIPT in catalog:
                return catalog[TYPESCRIPT]
    return f"catalog:{name}"
