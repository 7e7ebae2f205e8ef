"""Which files each tsconfig includes, as the compiler itself reads it: `tsc --showConfig`."""

from __future__ import annotations

import asyncio
import json
import os
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_TIMEOUT_S = 20
_AT_ONCE = 4
_NO_FILES = re.compile(r"\bTS1800[23]\b")
_PLAIN = ("tsconfig.json", "jsconfig.json")


class Tsconfigs:
    """complaints: of each that could not be read, what the compiler says. without_files: those by which it finds no
    file, and no other project. included: the files of those that servers find by themselves: they have the plain name,
    or one of these refers to them."""

    def __init__(self, shown: Mapping[str, dict[str, Any]]) -> None:
        self.complaints = {config: one["complaint"] for config, one in shown.items() if "complaint" in one}
        self.without_files = {config for config, one in shown.items() if not one}
        self.included = {
            os.path.normpath(os.path.join(os.path.dirname(config), file))
            for config in _found(shown)
            for file in shown.get(config, {}).get("files", ())
        }


async def read(command: tuple[Path, ...], configs: Sequence[str]) -> Tsconfigs:
    """command: of the compiler; the program, and what it is given first."""
    turn = asyncio.Semaphore(_AT_ONCE)
    shown = await asyncio.gather(*(_show(command, config, turn) for config in configs))
    return Tsconfigs(dict(zip(configs, shown, strict=True)))


def _found(shown: Mapping[str, dict[str, Any]]) -> set[str]:
    pending = [config for config in shown if os.path.basename(config) in _PLAIN]
    found = set(pending)
    while pending:
        config = pending.pop()
        for reference in shown.get(config, {}).get("references", ()):
            path = os.path.normpath(os.path.join(os.path.dirname(config), str(reference.get("path", ""))))
            target = path if path.endswith(".json") else os.path.join(path, "tsconfig.json")
            if target not in found:
                found.add(target)
                pending.append(target)
    return found


async def _show(command: tuple[Path, ...], config: str, turn: asyncio.Semaphore) -> dict[str, Any]:
    """What `tsc --showConfig` prints; its `complaint` alone for a tsconfig that cannot be read."""
    async with turn:
        process = await asyncio.create_subprocess_exec(
            *command, "--showConfig", "-p", config, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), _TIMEOUT_S)
        except TimeoutError:
            return {"complaint": f"the compiler has not read it within {_TIMEOUT_S} s"}
        finally:
            if process.returncode is None:
                process.kill()
    try:
        document = json.loads(output)
    except ValueError:
        said = output.decode("utf-8", "replace").strip().partition("\n")[0]
        return {} if _NO_FILES.search(said) else {"complaint": said or "the compiler says nothing"}
    return document if isinstance(document, dict) else {}
