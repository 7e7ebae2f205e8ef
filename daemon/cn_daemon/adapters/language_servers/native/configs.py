"""Which tsconfig owns which file, as the native compiler itself reads the tsconfigs.

Its language server tells this too, but takes some 60 ms for each file that is not open; `tsc --showConfig` lists the
files of a whole tsconfig in 15 ms.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.native.unfound import is_old, unfound
from cn_daemon.adapters.patient_files import read_file

_TIMEOUT_S = 20
_AT_ONCE = 4
_NO_FILES = re.compile(r"\bTS1800[23]\b")
PLAIN = ("tsconfig.json", "jsconfig.json")
# Tried one by one: with these TypeScript 7 resolves other files than the workspace meant. What else it no longer reads
# (`moduleResolution: node`, `target: es5`, `outFile`) loses nothing.
_LOSING: dict[str, frozenset[str] | None] = {
    "baseUrl": None,
    "moduleResolution": frozenset({"classic"}),
    "module": frozenset({"amd", "umd", "system"}),
}


class Configs:
    """configured: the paths of the workspace's tsconfigs and jsconfigs. Read at the first question, until `forget`."""

    def __init__(self, configured: Callable[[], Iterable[str]]) -> None:
        self._configured = configured
        # Of each that extends none and lists files: its text, and what the compiler shows for it.
        self._shown: dict[str, tuple[bytes, dict[str, Any]]] = {}
        self._owners: dict[str, str] | None = None
        self._files: dict[str, frozenset[str]] = {}
        self._losses: dict[str, str] = {}
        self._unfound: dict[str, frozenset[str]] = {}
        self.complaints: dict[str, str] = {}
        """Of each tsconfig that could not be read, what the compiler says."""
        self.without_files: set[str] = set()
        """The tsconfigs by which the compiler finds no file, and no other project."""

    def forget(self, *, files: bool) -> None:
        """A configuration has changed. files: other files may be there, too, for which nobody asks the server."""
        if files:
            self._shown.clear()
        self._owners = None
        self._files.clear()
        self._losses.clear()
        self._unfound.clear()
        self.complaints.clear()
        self.without_files.clear()

    def owner(self, path: str) -> str | None:
        """The nearest tsconfig whose files `path` is one of, among those that the server finds by itself: they have
        the plain name, or one of these refers to them."""
        return (self._owners or {}).get(path)

    def together(self, one: str, other: str, configs: Iterable[str]) -> bool:
        """Whether one of these tsconfigs lists both files."""
        listed = (self._files.get(config, frozenset()) for config in configs)
        return any(one in files and other in files for files in listed)

    def loss(self, config: str) -> str:
        """Why the options of a tsconfig make the native server lose references; empty when nothing does."""
        return self._losses.get(config, "")

    def unfound(self, config: str) -> frozenset[str]:
        """The packages that the compilers which a tsconfig was written for found, and this one does not."""
        return self._unfound.get(config, frozenset())

    def any_loss(self) -> str:
        """The loss of the first tsconfig that has one."""
        return next(filter(None, self._losses.values()), "")

    async def read(self, *command: Path) -> Iterable[str]:
        """command: of the compiler; the program, and what it is given first. The files that tsconfigs list, when they
        were read anew."""
        if self._owners is not None:
            return ()
        configs = sorted(self._configured())
        shown = await self._show_all(command, configs)
        self.complaints = {config: one["complaint"] for config, one in zip(configs, shown, strict=True)
                           if "complaint" in one}  # fmt: skip
        self.without_files = {config for config, one in zip(configs, shown, strict=True) if not one}
        found = _found(dict(zip(configs, shown, strict=True)))
        owners: dict[str, str] = {}
        for config, document in zip(configs, shown, strict=True):
            folder = os.path.dirname(config)
            if document.get("files"):
                options = document.get("compilerOptions", {})
                if is_old(options):
                    self._unfound[config] = await asyncio.to_thread(unfound, folder)
                self._losses[config] = _loss(config, options, self.unfound(config))
            files = document.get("files", ()) if config in found else ()
            self._files[config] = frozenset(os.path.normpath(os.path.join(folder, file)) for file in files)
            for path in self._files[config]:
                if path not in owners or _nearness(config) > _nearness(owners[path]):
                    owners[path] = config
        self._owners = owners
        return owners

    async def _show_all(self, command: tuple[Path, ...], configs: list[str]) -> list[dict[str, Any]]:
        """What the compiler shows for each; it is not asked again for one that hangs on its own text alone, and has the
        text that it had."""
        turn = asyncio.Semaphore(_AT_ONCE)
        texts = await asyncio.to_thread(lambda: {config: _text_of_one_alone(config) for config in configs})
        self._shown = {config: one for config, one in self._shown.items() if one[0] == texts.get(config)}
        unknown = [config for config in configs if config not in self._shown]
        asked = await asyncio.gather(*(_show(command, config, turn) for config in unknown))
        told = dict(zip(unknown, asked, strict=True))
        for config, document in told.items():
            text = texts[config]
            if text is not None and document.get("files"):
                self._shown[config] = text, document
        return [told[config] if config in told else self._shown[config][1] for config in configs]


def _found(shown: Mapping[str, dict[str, Any]]) -> set[str]:
    pending = [config for config in shown if os.path.basename(config) in PLAIN]
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


def _nearness(config: str) -> tuple[int, bool]:
    """The deeper folder first, then the plain name, as an editor looks for it."""
    return len(os.path.dirname(config)), os.path.basename(config) in PLAIN


def _text_of_one_alone(config: str) -> bytes | None:
    """The text of a tsconfig that extends none; None for others, and for what cannot be read."""
    try:
        text = read_file(config)
    except OSError:
        return None
    # A key may be written by escapes, or in UTF-16.
    return None if any(part in text for part in (b"extends", b"\\u", b"\0")) else text


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


def _loss(config: str, options: dict[str, Any], lost: Collection[str]) -> str:
    for key, values in _LOSING.items():
        value = options.get(key)
        if value is not None and (values is None or str(value).lower() in values):
            return f"{os.path.basename(config)} sets {key}, which TypeScript 7 no longer reads"
    if lost and "moduleResolution" in options:
        # Where it is not set TypeScript 6 does not find them either.
        return f"{os.path.basename(config)} sets moduleResolution, without which {', '.join(sorted(lost))} is not found"
    return ""
