"""Files that overflow tsserver's stack: nested templates, long chains of calls, `else if` without an end.

tsserver refuses every question about each project with such a file, and does not say which one it is. So each file is
read by the compiler alone, in a process of its own. Those found are remembered by their content, and tsserver is
given an empty text of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from cn_daemon.adapters.language_servers import sandbox
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.adapters.language_servers.sources import indexed
from cn_daemon.adapters.language_servers.spawning import Place
from cn_daemon.adapters.programs import lean
from cn_daemon.application.hard_texts import ENDING, HardTexts
from cn_shared import children
from cn_shared.errors import CnError

_SCRIPT = Path(__file__).with_suffix(".cjs")
# Less than that of a language service, whose calls begin further down: 984 KB.
_STACK_KB = 900


class Overflowing:
    """files: the workspace's. read: a file's text; raises CnError, also for one that is known to be hard."""

    def __init__(
        self, place: Place, files: Callable[[], Iterable[str]], read: Callable[[str], str], hard: HardTexts
    ) -> None:
        self._place = place
        self._files = files
        self._read = read
        self._hard = hard
        self._found: set[str] = set()
        self._looking = asyncio.Lock()

    def now(self) -> set[str]:
        """Those that were found and still have that text."""
        self._found = {path for path in self._found if self._is_ending(path)}
        return self._found

    async def look(self, toolchain: Toolchain, timeout_s: float) -> bool:
        """Whether there are some that were not known. Those that were found before time ran out count."""
        async with self._looking:
            known = len(self.now())
            scratch = children.scratch(self._place.root)
            try:
                await self._run(toolchain, Path(scratch) / "files", timeout_s)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            return len(self._found) > known

    async def _run(self, toolchain: Toolchain, listed: Path, timeout_s: float) -> None:
        paths = sorted(path for path in self._files() if indexed(path) and path not in self._found)
        listed.write_text("".join(f"{json.dumps(path)}\n" for path in paths))
        library = toolchain.tsserver.with_name("typescript.js")
        command = [str(toolchain.node), f"--stack-size={_STACK_KB}", str(_SCRIPT), str(library), str(listed)]
        if self._place.confined:
            command = list(sandbox.confined(command, []))
        environment = lean(self._place.environment)
        await run(
            command,
            cwd=self._place.root,
            env=environment,
            total_s=timeout_s,
            on_line=self._on_line,
            root=self._place.root,
        )

    def _on_line(self, line: str) -> None:
        try:
            path = json.loads(line)
            if isinstance(path, str) and os.path.isabs(path) and self._hard.add(self._read(path), ENDING):
                self._found.add(path)
        except (ValueError, CnError):  # a warning of Node's; a file that has changed since
            pass

    def _is_ending(self, path: str) -> bool:
        try:
            self._read(path)
        except CnError as error:
            return error.code == "ending_text"
        return False
