"""Node.js, TypeScript and its language server: whose, which version, and whether they start.

The same places are looked at as when a daemon provides for a workspace, but nothing is installed or copied.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cn_daemon.adapters.disclosure import Disclosure
from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.provisioning import fetching, has_native, native, node, npm, programs
from cn_daemon.adapters.language_servers.provisioning.choice import Choice, choose
from cn_daemon.adapters.language_servers.provisioning.node import Cache, Node
from cn_daemon.adapters.language_servers.provisioning.packages import (
    Package,
    on_path,
    program_in,
    program_of,
    read_package,
)
from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.adapters.language_servers.provisioning.versions import (
    NODE,
    PINNED,
    PINNED_NODE,
    SERVER,
    TESTED,
    TYPESCRIPT,
)
from cn_daemon.adapters.python.environment import described, find_environment, lack
from cn_daemon.adapters.python.manifests import dependencies
from cn_daemon.domain.checkup import Finding
from cn_daemon.settings import Settings
from cn_shared.execution import find_executables

_START_S = 20.0
_REGISTRY_S = 12.0
_NODE_FIX = "install Node.js 20 or newer, or: pip install 'cn-bridge[node]'"
_AT_FIRST = "is installed at the first question"
_ASK_FOR_ANOTHER = f"npm install -D typescript@{PINNED[TYPESCRIPT]}"


@dataclass(slots=True)
class Examined:
    """compiler: the command line that reads tsconfigs, () when there is none yet. missing: whether to install some."""

    findings: list[Finding] = field(default_factory=list)
    compiler: tuple[Path, ...] = ()
    missing: bool = False


async def examine(root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache) -> Examined:
    """All of them; the registry only when something must be fetched from it."""
    seen = Examined()
    if settings.server == "native" or (settings.server == "auto" and await asyncio.to_thread(has_native, root)):
        found = await _native(seen, root, settings, environ, cache)
        runs = None if found else await _node(seen, root, settings, environ, cache)
    else:
        runs = await _node(seen, root, settings, environ, cache)
        await _tsserver(seen, runs, root, settings, environ, cache)
    if seen.missing:
        seen.findings.append(await _registry(runs, root, environ))
    return seen


async def _node(
    seen: Examined, root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache
) -> Node | None:
    """The Node.js that would run, or None when one must be fetched."""
    wanted = TESTED[NODE]
    if settings.node:
        found = await node.ask(settings.node, environ)
        good = found is not None and wanted.holds(found.version)
        found_text = f"Node.js {found.version}" if found else "does not run"
        fix = "" if good else "name another in the setting node (CN_NODE), or leave it out"
        seen.findings.append(
            Finding("node", "ok" if good else "fail", f"{settings.node} of the setting node: {found_text}", fix)
        )
        return found if good else None
    places = [(program, "on PATH") for program in find_executables(NODE, root, environ)]
    if wheel := node.installed_wheel():
        places.append((wheel, "the wheel beside cn"))
    places.append((node.program_in(cache.node), "in the cache"))
    old = []
    for program, where in places:
        found = await node.ask(program, environ) if program.is_file() else None
        if found and wanted.holds(found.version):
            seen.findings.append(Finding("node", "ok", f"Node.js {found.version}, {program} ({where})"))
            return found
        if found:
            old.append(f"{program} is {found.version}")
    seen.missing = True
    found_text = f"{', '.join(old)}, and {wanted} is needed" if old else "there is none"
    message = f"{found_text}; {PINNED_NODE} (60 MB) {_AT_FIRST}"
    seen.findings.append(Finding("node", "warn", message, _NODE_FIX))
    return None


async def _tsserver(
    seen: Examined, runs: Node | None, root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache
) -> None:
    folder = npm.place(npm.pinned(), cache)
    kept = {name: read_package(folder / "node_modules" / name, name) for name in (TYPESCRIPT, SERVER)}
    typescript = await _typescript(seen, root, settings, cache, kept[TYPESCRIPT])
    if settings.server_command:
        program = Path(settings.server_command[0])
        there = program.is_file() or any(find_executables(str(program), root, environ))
        message = f"{program} of the setting server_command" + ("" if there else " is not there")
        fix = "" if there else "correct the setting, or leave it out"
        seen.findings.append(Finding("server", "ok" if there else "fail", message, fix))
        return
    server = await _server(root, environ, kept[SERVER])
    if server is None:
        seen.missing = True
        seen.findings.append(Finding("server", "warn", f"{SERVER} {PINNED[SERVER]} {_AT_FIRST}", "cn start"))
    elif runs is None:
        seen.findings.append(Finding("server", "warn", f"{SERVER} {server.version} waits for Node.js", _NODE_FIX))
    else:
        command = (runs.program, server.entry)
        seen.findings.append(await _started(command, f"{SERVER} {server.version}, {server.folder}", environ))
    if runs is not None and typescript is not None:
        seen.compiler = (runs.program, typescript.entry.with_name("tsc.js"))


async def _typescript(
    seen: Examined, root: Path, settings: Settings, cache: Cache, kept: Package | None
) -> Package | None:
    """Tells which TypeScript answers; the package, unless it must be installed."""

    def tell(message: str, fix: str = "", *, state: str = "ok") -> None:
        seen.findings.append(
            Finding("typescript", "fail" if state == "fail" else "warn" if fix else "ok", message, fix)
        )

    if settings.typescript:
        for folder in (settings.typescript.parent, settings.typescript, settings.typescript.parent.parent):
            named = read_package(folder, TYPESCRIPT)
            if named and named.usable:
                tell(f"{named.version} of the setting typescript, {named.folder}")
                return named
        tell(f"{settings.typescript} of the setting typescript is none that cn was tested with ({TESTED[TYPESCRIPT]})",
             "name the lib folder of another, or leave the setting out", state="fail")  # fmt: skip
        return None
    choice = await asyncio.to_thread(choose, root, settings, TESTED[TYPESCRIPT], PINNED[TYPESCRIPT], cache)
    if choice.own:
        tell(_described(choice))
        return choice.own
    if choice.version != PINNED[TYPESCRIPT]:
        kept = npm.read_release(npm.place(npm.release(choice.version), cache), choice.version)
    seen.missing = seen.missing or kept is None
    lacking = "" if kept else f"; it {_AT_FIRST}"
    tell(_described(choice) + lacking, _ASK_FOR_ANOTHER if choice.passed_over else "" if kept else "cn start")
    return kept


def _described(choice: Choice) -> str:
    return f"TypeScript {choice.version}, {choice.reason}"


async def _server(root: Path, environ: Mapping[str, str], kept: Package | None) -> Package | None:
    found = await asyncio.to_thread(on_path, root, environ)
    return found if found and found.usable else kept


async def _native(seen: Examined, root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache) -> bool:
    """Whether the native compiler is there."""
    choice = await asyncio.to_thread(native.choose_native, root, settings, cache)
    wanted = native.pinned_native() if choice.version == native.PINNED_NATIVE else npm.release(choice.version)
    program = program_in(npm.place(wanted, cache) / "node_modules" / TYPESCRIPT, choice.version)
    if choice.own:
        program = program_of(choice.own)
    fix = _ASK_FOR_ANOTHER if choice.passed_over else ""
    if program is None:
        seen.missing = True
        seen.findings.append(Finding("typescript", "warn", f"{_described(choice)}; it {_AT_FIRST}", fix or "cn start"))
        return False
    seen.findings.append(Finding("typescript", "warn" if fix else "ok", _described(choice), fix))
    seen.compiler = (program,)
    seen.findings.append(await _started((program,), f"TypeScript {choice.version} (native), {program}", environ))
    return True


async def languages(rows: Sequence[Language], root: Path, environ: Mapping[str, str], cache: Cache) -> list[Finding]:
    """The servers of the other languages that the workspace holds files of."""
    found = [await _language(row, root, environ, cache) for row in rows]
    if any(row.rooted for row in rows):
        found.append(await asyncio.to_thread(_environment, root, environ))
    return found


def _environment(root: Path, environ: Mapping[str, str]) -> Finding:
    """Where Python's packages are installed, and which of those that the workspace wants are not."""
    manifests = [str(path) for level in ("", "*/", "*/*/") for path in sorted(root.glob(f"{level}pyproject.toml"))]
    found = find_environment(root, environ, map(os.path.dirname, manifests))
    missing = lack(found, dependencies(manifests, Disclosure(root, environ).reads))
    message = "; ".join(filter(None, (described(found, root), missing)))
    fix = "install them (uv sync, pip install -e .), or ask with the environment activated" if missing else ""
    return Finding("python", "warn" if missing else "ok", message, fix)


async def _language(row: Language, root: Path, environ: Mapping[str, str], cache: Cache) -> Finding:
    if row.package:
        pinned = programs.pinned_program(row, cache)
        what = f"{row.server} {pinned.version}"
        if not pinned.path.is_file():
            return Finding(row.name, "warn", f"{what} {_AT_FIRST}", "cn start")
        runs = await programs.version_of(pinned.path, environ) is not None
        if runs:
            return Finding(row.name, "ok", f"{what}, {pinned.path}, starts")
        return Finding(row.name, "fail", f"{what}, {pinned.path}, does not start", _reinstall(pinned.path))
    if row.script:
        packages = programs.pinned_packages(row)
        place = npm.place(packages, cache)
        what = f"{row.server} {packages.name.rpartition('-')[2]}"
        if not packages.is_complete(place):
            return Finding(row.name, "warn", f"{what} {_AT_FIRST}", "cn start")
        return Finding(row.name, "ok", f"{what}, {programs.script_in(place, row)}")
    if refused := await asyncio.to_thread(programs.refusal, row, root):
        return Finding(row.name, "warn", f"{row.title} is not answered here: {refused}", programs.ELSEWHERE)
    found = await programs.find_program(row, root, environ)
    if isinstance(found, str):
        return Finding(row.name, "warn", f"{row.title}: cn needs {found}", row.by_hand)
    if not row.versioned:
        return Finding(row.name, "ok", f"{row.server}, {found.path}")
    return Finding(row.name, "ok", f"{row.server} {found.version}, {found.path}, starts")


async def _started(command: tuple[Path, ...], what: str, environ: Mapping[str, str]) -> Finding:
    """Whether it runs: it is asked for its version."""
    try:
        finished = await run(
            [*command, "--version"], cwd=command[-1].parent, env=fetching.plain(environ), total_s=_START_S
        )
    except OSError as error:
        return Finding("server", "fail", f"{what}, cannot be started: {error.strerror}", _reinstall(command[-1]))
    if finished.succeeded:
        return Finding("server", "ok", f"{what}, starts")
    if finished.exit_code is None:
        return Finding("server", "warn", f"{what}, did not print its version within {_START_S:g} s", "cn doctor")
    return Finding("server", "fail", f"{what}, does not start: {fetching.reason(finished)}", _reinstall(command[-1]))


def _reinstall(program: Path) -> str:
    return f"remove the package that holds {program}, and install it again (in the cache: cn start does)"


async def _registry(runs: Node | None, root: Path, environ: Mapping[str, str]) -> Finding:
    """Whether npm's registry answers, as npm is set up: its proxy and certificates included."""
    command = npm.npm_of(runs, root, environ) if runs else None
    if command is None:
        return Finding("registry", "warn", "there is no npm to ask npm's registry with", _NODE_FIX)
    wanted = f"{SERVER}@{PINNED[SERVER]}"
    with tempfile.TemporaryDirectory(prefix="cn-doctor-") as folder:
        options = ["--fetch-retries=0", "--no-update-notifier", f"--cache={folder}"]
        try:
            finished = await run(
                [*command, "view", wanted, "version", *options],
                cwd=Path(folder),
                env={"NODE_USE_SYSTEM_CA": "1", **fetching.plain(environ)},
                total_s=_REGISTRY_S,
            )
        except OSError as error:
            return Finding("registry", "fail", f"npm does not run: {error.strerror}", _NODE_FIX)
    if finished.succeeded:
        return Finding("registry", "ok", f"npm's registry answers and has {wanted}")
    fix = fetching.remedy(finished, "check the network, npm's proxy settings and registry: npm config list")
    return Finding("registry", "fail", f"npm cannot fetch {wanted}: {fetching.reason(finished)}", fix)
