"""The pinned typescript-language-server and TypeScript: installed by npm, checked against their hashes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.fetching import (
    FETCH_IDLE_S,
    FETCH_TOTAL_S,
    NPM_REMEDY,
    plain,
    reason,
    remedy,
)
from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed, install_once
from cn_daemon.adapters.language_servers.provisioning.node import Cache, Node, wheel_node
from cn_daemon.adapters.language_servers.provisioning.packages import Package, program_in, read_package
from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.adapters.language_servers.provisioning.releases import releases
from cn_daemon.adapters.language_servers.provisioning.versions import (
    NATIVE,
    PINNED,
    PINNED_FILES,
    SERVER,
    TYPESCRIPT,
)
from cn_shared import folders
from cn_shared.execution import find_executables

TITLE = f"{SERVER} {PINNED[SERVER]} with TypeScript {PINNED[TYPESCRIPT]}"

# When npm is silent for so long, the pinned TypeScript answers instead.
_PATIENCE_S = 10.0
# Whatever npm's configuration or an `npm run` around us says, this installs two packages right here. No
# script of a package is run. A copy in npm's cache is as good as the registry's: the hash decides.
_OPTIONS = (
    "--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--prefer-offline", "--loglevel=http",
    "--no-global", "--no-workspaces", "--no-dry-run", "--install-strategy=hoisted", "--include=prod",
    "--legacy-peer-deps", "--no-audit", "--no-fund", "--no-update-notifier",
)  # fmt: skip


def pinned() -> Manifests:
    """The server, and the TypeScript for workspaces that ask for none."""
    name = f"{SERVER}-{PINNED[SERVER]}-typescript-{PINNED[TYPESCRIPT]}"
    by_hand = (
        "Or install them by hand where cn finds them: npm install -g "
        f"{SERVER}@{PINNED[SERVER]} {TYPESCRIPT}@{PINNED[TYPESCRIPT]}, and name the lib folder of the second one "
        "in the setting typescript (CN_TYPESCRIPT)."
    )
    return Manifests(read_manifests(PINNED_FILES), name, TITLE, by_hand, _is_complete)


def release(version: str) -> Manifests:
    """TypeScript of that version, as the registry has it: by the hash of our table, where that knows the version and it
    is one package."""
    root = {"name": "cn-typescript", "private": True, "dependencies": {TYPESCRIPT: version}}
    files = {"package.json": json.dumps(root).encode()}
    integrity = releases().get(version)
    if integrity and not NATIVE.holds(version):
        package = {"version": version, "integrity": integrity}
        packages = {"": root, f"node_modules/{TYPESCRIPT}": package}
        files["package-lock.json"] = json.dumps({"lockfileVersion": 3, "requires": True, "packages": packages}).encode()

    def is_complete(folder: Path) -> bool:
        return read_release(folder, version) is not None

    return Manifests(files, f"{TYPESCRIPT}-{version}", f"TypeScript {version}", "", is_complete, _PATIENCE_S)


def read_release(folder: Path, version: str) -> Package | None:
    """The package that `release` had installed into `folder`, when it is complete."""
    package = read_package(folder / "node_modules" / TYPESCRIPT, TYPESCRIPT)
    if package is None or package.version != version:
        return None
    return package if package.usable or (NATIVE.holds(version) and program_in(package.folder, version)) else None


def read_manifests(files: Traversable) -> dict[str, bytes]:
    """A package.json with its lock."""
    return {name: (files / name).read_bytes() for name in ("package.json", "package-lock.json")}


@dataclass(frozen=True, slots=True)
class Manifests:
    """files: a package.json, and its lock, by their names. name: of the folder in the cache. is_complete: whether one
    is complete. idle_s: how long nothing may come; where something else answers instead, that is short."""

    files: Mapping[str, bytes]
    name: str
    title: str
    by_hand: str
    is_complete: Callable[[Path], bool]
    idle_s: float | None = None


async def install_manifests(
    wanted: Manifests, node: Node, root: Path, environ: Mapping[str, str], cache: Cache, progress: Progress
) -> Path:
    """The folder whose node_modules holds what the lock names. Raises LanguageServerError."""

    async def fill(folder: Path) -> None:
        await _npm_ci(wanted, folder, node, root, environ, cache, progress)

    return await install_once(place(wanted, cache), wanted.title, fill, wanted.is_complete, progress)


def place(wanted: Manifests, cache: Cache) -> Path:
    """The folder in the cache that they are installed into."""
    lock = hashlib.sha256(wanted.files.get("package-lock.json", b"")).hexdigest()[:8]
    return cache.packages(f"{wanted.name}-{lock}")


def _is_complete(folder: Path) -> bool:
    packages = [read_package(folder / "node_modules" / name, name) for name in PINNED]
    return all(package and package.version == PINNED[package.name] and package.usable for package in packages)


async def _npm_ci(
    wanted: Manifests,
    folder: Path,
    node: Node,
    root: Path,
    environ: Mapping[str, str],
    cache: Cache,
    progress: Progress,
) -> None:
    command = await _npm(node, root, environ, cache, progress)
    for name, content in wanted.files.items():
        (folder / name).write_bytes(content)
    finished = await run(
        # Without --prefix, by which npm finds the machine's own npmrc: the package.json here says where.
        [*command, "ci" if "package-lock.json" in wanted.files else "install", *_OPTIONS],
        cwd=folder,
        # Behind a company's proxy only the system knows its certificate.
        env={"NODE_USE_SYSTEM_CA": "1", **_home(cache), **_of_user(plain(environ))},
        total_s=FETCH_TOTAL_S,
        idle_s=wanted.idle_s or FETCH_IDLE_S,
        root=root,
    )
    if not finished.succeeded:
        raise failed(
            f"{wanted.title} could not be installed: {reason(finished)}",
            f"{remedy(finished, NPM_REMEDY)} {wanted.by_hand}",
            output=finished.output[-2000:],
        )


def _of_user(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables without those that a package manager gives to the scripts of a package: they say what its .npmrc
    says, the registry and its proxy above all."""
    if "npm_lifecycle_event" not in environ:
        return dict(environ)
    return {name: value for name, value in environ.items() if not name.startswith("npm_config_")}


def _home(cache: Cache) -> dict[str, str]:
    """npm wants a home, and to keep its cache there: some users have none."""
    if folders.can_be(os.path.join(folders.home(), ".npm")):
        return {}
    return {"HOME": folders.home(), "npm_config_cache": str(cache.folder / "npm")}


async def _npm(
    node: Node, root: Path, environ: Mapping[str, str], cache: Cache, progress: Progress
) -> list[str | Path]:
    """The npm that came with `node`, else the one on PATH, else the wheel's with its own Node.js.

    Debian packages Node.js without npm.
    """
    if found := npm_of(node, root, environ):
        return found
    other = await wheel_node(root, environ, cache, progress)
    if script := _npm_beside(other.program):
        return [other.program, script]
    raise failed("There is no npm, neither on PATH nor beside Node.js.", f"Install npm, or {TITLE} by hand.")


def npm_of(node: Node, root: Path, environ: Mapping[str, str]) -> list[str | Path] | None:
    """The npm beside that Node.js, else the one on PATH."""
    if script := _npm_beside(node.program):
        return [node.program, script]
    for program in find_executables("npm", root, environ):
        real = program.resolve()
        return [node.program, real] if real.suffix == ".js" else [program]
    return None


def _npm_beside(program: Path) -> Path | None:
    for folder in (program.parent.parent / "lib", program.parent):
        script = folder / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if script.is_file():
            return script
    return None
