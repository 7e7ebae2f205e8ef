"""What the semantic server is given to read: the files that it is asked about, and what changed.

tsserver loads the project of a file that is opened, and drops it with the last one.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.deadlines import locked
from cn_daemon.adapters.language_servers.sources import (
    as_compiled,
    indexed,
    is_configuration,
    is_installation,
    is_project,
    is_read_by_name,
    that_may_be_opened,
)
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.application.hard_texts import ENDING
from cn_daemon.application.ports import Changes, Coverage
from cn_shared.errors import LanguageServerError

# So many are kept open: what was asked about once is likely to be asked about again.
OPEN = 100
# Beyond this many changed files one reload is cheaper than telling each.
RELOAD_AT = 500
# What it says of a file that the project it is asked about does not hold.
_LOST = re.compile("No Project|Could not find source file")


class TsserverFiles:
    """Files are kept open until others need their place."""

    def __init__(
        self,
        root: Path,
        link: TsserverLink,
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
        is_output: Callable[[str], bool],
        follow: Callable[[Iterable[str]], set[str]],
    ) -> None:
        """read: a file's text. changes: what changed since it was last asked. is_output: whether a build wrote it.
        follow: has changes of files followed that git ignores."""
        self._root = root
        self._link = link
        self._read = read
        self._changes = changes
        self._is_output = is_output
        self._follow = follow
        # Held by whoever changes what the semantic server has open.
        self._turn = asyncio.Lock()
        # What is to be open, what was needed longest ago first; and what it may have open, since a question ended
        # half-way.
        self._open: OrderedDict[str, None] = OrderedDict()
        self._given: set[str] = set()
        # Those that it may never have been notified of.
        self._unannounced: set[str] = set()
        # Whether it has yet to learn of changes that were fetched, for the same reason; whether it was given anything.
        self._behind = False
        self._fresh = True
        self._most = OPEN
        link.supervisor.forgets.append(self._forget)

    def _forget(self) -> None:
        if self._link.overflowed:
            # It ran out of memory with what was open: the next process is given less.
            self._link.overflowed = False
            self._most = max(1, len(self._open) // 2)
        self._behind = False
        self._fresh = True
        self._open.clear()
        self._given.clear()
        self._unannounced.clear()

    async def show(self, paths: Collection[str], deadline: float) -> Coverage:
        """Have it read these files, each with its project, as they are on disk."""
        async with locked(self._turn, deadline):
            await self._synchronize(deadline)
            ours = that_may_be_opened(paths, self._read)
            wanted, left = ours[: self._most], ours[self._most :]
            # Whatever project reads them ends the process, but for what it is given of them.
            ending = sorted(self._link.overflowing.now())
            needed = dict.fromkeys((*ending, *wanted))
            self._follow(needed)
            self._unannounced.update(path for path in needed if path not in self._open)
            for path in needed:
                self._open[path] = None
                self._open.move_to_end(path)
            await self._make_room(max(self._most, len(needed)), deadline)
            await self._tell(self._all_on_disk(path for path in needed if path in self._unannounced), (), deadline)
            self._unannounced.clear()
        return Coverage(1, 1, left, self._reason(left, ending))

    def _reason(self, left: Sequence[str], ending: Sequence[str]) -> str:
        if left and self._most < OPEN:
            return (
                f"tsserver has run out of memory with more than {self._most} files open, and this needs more "
                "(tsserver_memory_mb sets its ceiling; `server: native` needs a third)"
            )
        if left:
            return f"{len(left)} files hold the name beyond the {self._most} that are read"
        if ending:
            first, *more = ending
            others = f" (so are {len(more)} more)" if more else ""
            return f"{os.path.relpath(first, self._root)} {ENDING}, and is left out{others}"
        return ""

    async def _make_room(self, most: int, deadline: float) -> None:
        """Close what was needed longest ago, before others are read."""
        leaving = list(self._open)[: max(0, len(self._open) - most)]
        for path in leaving:
            del self._open[path]
        await self._tell((), sorted(self._given.intersection(leaving)), deadline)
        if leaving and self._most < OPEN:
            # What no open file needs goes when another one is opened: beside it the next may be too much.
            other = str(self._root / "node_modules" / ".cn.ts")
            await self._tell([self._link.opening(other, "")], (), deadline)
            await self._tell((), [other], deadline)

    async def ask(self, command: str, arguments: dict[str, Any], deadline: float) -> Any:
        """About files that the question has shown."""
        try:
            return await self._link.request(command, arguments, deadline)
        except LanguageServerError as error:
            if _LOST.search(error.message) and arguments["file"] in self._open:
                # Its own watchers saw the tsconfig gone, as when git puts another in its place, and not yet come back.
                self._behind = True
                raise LanguageServerError("projects_changed", error.message, hint="Ask again.") from error
            raise

    async def project_of(self, path: str, deadline: float) -> str:
        """The tsconfig by which it reads a file that is shown, "" for none."""
        answer = await self.ask("projectInfo", {"file": path, "needFileNameList": False}, deadline)
        return "" if "inferredProject" in answer["configFileName"] else str(answer["configFileName"])

    async def _tell(self, opened: Sequence[dict[str, str]], closed: Sequence[str], deadline: float) -> None:
        if not opened and not closed:
            return
        if opened:
            self._fresh = False
            self._given.update(file["file"] for file in opened)
        await self._link.update(opened, closed, deadline)
        self._given.difference_update(closed)

    def _all_on_disk(self, paths: Iterable[str]) -> list[dict[str, str]]:
        return list(map(self._as_on_disk, paths))

    def _as_on_disk(self, path: str) -> dict[str, str]:
        # tsserver loads the project of what is opened, which it looks for from the file's folder up to this one: not
        # for the sake of what it cannot read.
        root = os.path.dirname(path) if path in self._link.overflowing.now() else ""
        return self._link.opening(path, as_compiled(path, self._read), root)

    async def _synchronize(self, deadline: float) -> None:
        """Tell the semantic server what changed. tsserver watches files itself, but sees new ones late, and never
        what changed below an open document."""
        await self._link.supervisor.same_session(deadline)
        changes = self._changes(self._link.supervisor.name)
        moved = changes.created | changes.deleted
        other = any(map(is_read_by_name, moved)) or any(map(is_project, changes.changed))
        if not self._fresh and (other or any(is_installation(path) for group in changes for path in group)):
            # Of a tsconfig, or what one extends, that was not there it may go on to say so, and never look again; it
            # looks by its own watchers, and one that git replaced it may have seen gone. A project that is reloaded
            # goes on where the links in node_modules led before.
            await self._link.supervisor.restart()
            await self._link.supervisor.same_session(deadline)
        if self._fresh:
            return
        for path in changes.deleted:
            self._open.pop(path, None)
        paths = {path for group in changes for path in group if indexed(path)}
        left = self._given - self._open.keys()
        # It looks into folders that are new to it a second later.
        reloading = any(map(is_configuration, changes.changed | moved)) or any(map(self._is_output, moved))
        reloading |= self._behind or len(paths) > RELOAD_AT
        if not (reloading or paths or left):
            return
        # Until it is done, this question's changes count as untold: it may end half-way.
        self._behind = True
        await self._let_watchers_speak(deadline)
        if reloading:
            await self._link.request("reloadProjects", {}, deadline)
            paths = set(self._open)
        paths |= left
        # What is open goes on with the text that it has; what is not there, opened and closed, is known to be gone.
        await self._tell(self._all_on_disk(sorted(paths)), (), deadline)
        await self._tell([], sorted(paths - self._open.keys()), deadline)
        self._behind = False

    async def _let_watchers_speak(self, deadline: float) -> None:
        """tsserver learns from its own file watchers which failed imports may lead somewhere now. What the kernel had
        announced it before our request is read, at the latest, in the turn of its event loop that follows the
        answer."""
        for _ in range(2):
            await self._link.request("status", {}, deadline)
