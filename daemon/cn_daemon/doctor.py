"""`python -m cn_daemon.doctor`: what `cn doctor` becomes. Looks at everything a question needs, and changes nothing.

Exit: 0 all is well, 1 something could be better, 5 something does not work.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import TypeVar

from cn_daemon.adapters.checkup import projects, standing, toolchain
from cn_daemon.adapters.checkup.projects import Files
from cn_daemon.adapters.checkup.toolchain import Examined
from cn_daemon.adapters.language_servers.languages import configured
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.domain.checkup import Finding, State, worst
from cn_daemon.interfaces import checkup_text
from cn_daemon.interfaces.replies import json_bytes
from cn_daemon.settings import Settings
from cn_shared.errors import EXIT_EMPTY, EXIT_FOUND, EXIT_INPUT, EXIT_LANGUAGE_SERVER
from cn_shared.execution import outside
from cn_shared.folders import base

T = TypeVar("T")

EXITS: dict[State, int] = {"ok": EXIT_FOUND, "warn": EXIT_EMPTY, "fail": EXIT_LANGUAGE_SERVER}
# Each has limits of its own: this is for a disk or a program that does not answer at all.
_PATIENCE_S = 40.0

_NOWHERE = Finding(
    "files", "fail", "/ is the whole file system, and no workspace", "go to a folder of the project, or name it: --root"
)


def main(arguments: list[str] | None = None) -> int:
    """Look, tell, and the exit code."""
    parser = argparse.ArgumentParser(prog="cn doctor")
    parser.add_argument("--root", required=True)
    parser.add_argument("--format", choices=("json", "text", "color"), default="text")
    options = parser.parse_args(arguments)
    root = Path(os.path.realpath(options.root))
    findings = asyncio.run(examine(root))
    if options.format == "json":
        output = json_bytes(checkup_text.document(findings))
    else:
        output = checkup_text.render(findings, color=options.format == "color").encode("utf-8", "backslashreplace")
    try:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        pass
    except OSError as error:
        print(f"error: The answer cannot be written: {error.strerror}. [unwritable]", file=sys.stderr)
        return EXIT_INPUT
    return EXITS[worst(findings)]


async def examine(root: Path) -> list[Finding]:
    """All findings about the workspace at `root` (a real path), in the order in which they are listed."""
    settings, about_settings = standing.settings_of(root, os.environ)
    cache = settings.cache_directory or Path(base("XDG_CACHE_HOME", ".cache"))
    further = configured(settings.language_servers)
    files = _NOWHERE if root == root.parent else await _patient("files", projects.listed(root, further))
    running, tracked, code = await asyncio.gather(
        _patient("daemon", standing.daemon(root)),
        _patient("git", standing.git(root)),
        _code(root, settings, files, Cache.of(settings, cache)),
    )
    here = await _patient("folders", asyncio.to_thread(standing.folders, root, cache))
    return [one for part in (code, running, here, tracked, about_settings) for one in _findings(part)]


async def _code(root: Path, settings: Settings, files: Files | Finding, cache: Cache) -> list[Finding]:
    """The programs that answer about the code, and what they cover: of the languages that are there."""
    if isinstance(files, Finding):
        return [files]
    environ = outside(os.environ, root)
    others = await _patient("server", toolchain.languages(files.others, root, environ, cache))
    examined: Examined | Finding = Examined()
    if files.sources or not files.others:
        examined = await _patient("server", toolchain.examine(root, settings, environ, cache))
    compiler = examined.compiler if isinstance(examined, Examined) else ()
    covered = await _patient("tsconfig", projects.coverage(root, files, compiler))
    return [one for part in (examined, others, covered) for one in _findings(part)]


async def _patient(check: str, looking: Awaitable[T]) -> T | Finding:
    """What it finds; that it could not be found out, when it takes too long or the system does not let us look."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await looking
    except TimeoutError:
        message = f"could not be checked within {_PATIENCE_S:g} s"
    except OSError as error:
        message = f"could not be checked: {error}"
    return Finding(check, "fail", message, "look at the disk and at what this machine is busy with")


def _findings(part: Examined | Finding | list[Finding]) -> Iterator[Finding]:
    if isinstance(part, Examined):
        yield from part.findings
    elif isinstance(part, Finding):
        yield part
    else:
        yield from part


if __name__ == "__main__":
    code = main()
    # A thread that waits for a dead disk would keep the process.
    os._exit(code)
