"""The daemon and its state file, the user's folders, git, and the settings."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.domain.checkup import Finding
from cn_daemon.settings import Settings, load
from cn_shared import __version__, state
from cn_shared import git as repositories
from cn_shared.errors import InputError
from cn_shared.folders import base, can_be, named, read_only, runtime_path
from cn_shared.git import Git

_HEALTH_S = 3.0
_GIT_S = 5.0


def settings_of(root: Path, environ: Mapping[str, str]) -> tuple[Settings, list[Finding]]:
    """The settings, and what is wrong with them; the defaults when they cannot be read."""
    try:
        settings = load(root, environ)
    except InputError as error:
        return Settings(), [Finding("settings", "fail", error.message, error.hint or "correct that value")]
    findings = []
    for warning in settings.warnings:
        fix = "cn trust" if "cn trust" in warning else "correct that file"
        findings.append(Finding("settings", "warn", warning, fix))
    return settings, findings or [Finding("settings", "ok", "read, and nothing in them is passed over")]


async def daemon(root: Path) -> list[Finding]:
    """The daemon of this root, and what dead ones left behind."""
    running = state.live(str(root))
    findings = [_left(path) for path in state.places(str(root)) if os.path.lexists(path)
                and (running is None or path != running.path)]  # fmt: skip
    if running is None:
        return findings or [Finding("daemon", "ok", "none runs; the next question starts one")]
    who = f"{running.version}, pid {running.pid}, port {running.port}"
    if running.version != __version__:
        findings.append(
            Finding("daemon", "warn", f"{who}: cn is {__version__}; the next question replaces it", "cn stop")
        )
    elif not await _answers(running.port):
        message = f"{who}: it runs, but did not answer within {_HEALTH_S:g} s"
        findings.append(Finding("daemon", "fail", message, "cn stop"))
    else:
        findings.append(Finding("daemon", "ok", f"{who}, answers"))
    return findings


def _left(path: str) -> Finding:
    """A state file whose daemon is not the running one."""
    if state.owner_of(path) != os.geteuid():
        return Finding("daemon", "ok", f"{path} is another user's; yours is kept in the cache folder")
    if state.of_another_schema(path):
        message = f"{path} is of a daemon of another version, which this one cannot stop"
        return Finding("daemon", "warn", message, "stop it with that version's cn stop, or remove the file")
    if state.read(path) is None:
        return Finding("daemon", "warn", f"{path} is damaged, or others may read it; it is passed over", f"rm {path}")
    return Finding("daemon", "warn", f"{path} is stale: its daemon is gone; the next question replaces it", "cn stop")


async def _answers(port: int) -> bool:
    request = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    try:
        async with asyncio.timeout(_HEALTH_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(request.encode())
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError):
        return False


def folders(root: Path, cache: Path) -> list[Finding]:
    """Whether cn can write where it writes."""
    findings = []
    if not os.access(root, os.W_OK):
        message = f"{root} cannot be written to: the state file lies in the cache folder instead"
        findings.append(Finding("folders", "ok", message))
    for variable, below_home, what in (
        ("XDG_CACHE_HOME", ".cache", "downloads and indexes"),
        ("XDG_STATE_HOME", ".local/state", "logs and trust"),
    ):
        folder = named(variable, below_home)
        if not can_be(folder):
            where = "can only be read" if read_only(variable, below_home) else "cannot be made"
            message = f"{folder} {where}: new {what} go to {base(variable, below_home)}"
            findings.append(Finding("folders", "warn", message, f"{variable} may name a folder that can be written to"))
    wanted = {
        "cache": str(cache),
        "log": base("XDG_STATE_HOME", ".local/state"),
        "runtime": runtime_path(),
    }
    for name, path in wanted.items():
        problem, fix = _problem(path)
        if problem:
            findings.append(Finding("folders", "fail", f"the {name} folder {path} {problem}", fix))
    return findings or [Finding("folders", "ok", f"{', '.join(wanted)} and the root can be written to")]


def _problem(path: str) -> tuple[str, str]:
    """What is wrong with a folder that is there or must be created, and what to do; ("", "") when nothing is."""
    there = path
    while not os.path.lexists(there):
        there = os.path.dirname(there)
    if not os.path.isdir(there):
        return f"cannot be made: {there} is not a folder", f"rename {there}"
    if there == path and os.stat(path).st_uid != os.geteuid():
        return "belongs to another user", f"sudo chown {os.geteuid()} {path}"
    if not os.access(there, os.W_OK | os.X_OK):
        read_only_disk = os.statvfs(there).f_flag & os.ST_RDONLY
        fix = "name another folder with XDG_CACHE_HOME, XDG_STATE_HOME and XDG_RUNTIME_DIR"
        return f"cannot be written to ({there})", fix if read_only_disk else f"chmod u+wx {there}"
    return "", ""


async def git(root: Path) -> Finding:
    """Whether git can be asked, and whether the state file, which holds a token, is kept out of the repository."""
    try:
        found = repositories.find(root, root, os.environ.get("PATH", ""))
        if found is None:
            return Finding("git", "ok", "this is not a git repository")
        if (await _git(found, root, "ls-files", "--error-unmatch", "--", state.NAME)) == 0:
            message = f"{state.NAME} is committed, and it holds the daemon's token"
            return Finding("git", "fail", message, f"git rm --cached {state.NAME}")
        code = await _git(found, root, "check-ignore", "-q", "--", state.NAME)
        found.check_objects()
    except InputError as error:
        lacking = "cn changed cannot answer, and what is ignored is read from .gitignore files alone"
        return Finding("git", "warn", f"{error.message} Until then {lacking}", error.hint)
    except OSError as error:
        return Finding("git", "warn", f"git cannot be asked: {error}", "look at the repository's folder")
    place = os.path.relpath(found.repository.exclude, root)
    if code == 0:
        return Finding("git", "ok", f"{state.NAME} is ignored")
    if not os.path.lexists(os.path.join(root, state.NAME)):
        return Finding("git", "ok", f"{state.NAME} is put into {place} when a daemon starts")
    return Finding("git", "warn", f"{state.NAME} is not ignored", f"echo {state.NAME} >> {_quoted(place)}")


async def _git(found: Git, root: Path, *arguments: str) -> int | None:
    with found.question(*arguments, folder=root) as (command, environ):
        return (await run(command, cwd=root, env=environ, total_s=_GIT_S)).exit_code


def _quoted(path: str) -> str:
    return path if re.fullmatch(r"[\w./-]+", path) else "'" + path.replace("'", "'\\''") + "'"
