"""What the semantic server is given to read: the files that hold its projects open, and what changed."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.ambient import FILE as AMBIENT
from cn_daemon.adapters.language_servers.deadlines import held
from cn_daemon.adapters.language_servers.redirects import Redirects
from cn_daemon.adapters.language_servers.sources import (
    as_compiled,
    indexed,
    is_configuration,
    is_installation,
    is_map,
    is_project,
    is_read_by_name,
)
from cn_daemon.adapters.language_servers.standing import Standing
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.projects import Opening, Projects
from cn_daemon.adapters.language_servers.tsserver.roll import FILE as ROLL
from cn_daemon.adapters.language_servers.tsserver.roll import Roll
from cn_daemon.adapters.language_servers.unmapped import mapped
from cn_daemon.application.hard_texts import ENDING
from cn_daemon.application.ports import Changes, Coverage
from cn_daemon.domain.source.reading import SCRIPTS
from cn_daemon.domain.source.specifiers import is_module
from cn_daemon.domain.source.text import Document
from cn_shared.errors import LanguageServerError

# Beyond this many changed files one reload is cheaper than telling each.
RELOAD_AT = 500
_EXPORTS_WHOLE = re.compile(r"exports\s*=(?![=>])")
_EXPORTS_PART = re.compile(r"exports\s*\.\s*[\w$]+\s*=(?![=>])")
_FOR_ALL = re.compile(r"\bdeclare\s+global\b")
_COMMON = re.compile(r"\brequire\s*\(|\bexports\b")
# What it says of a file that the project it is asked about does not hold.
_LOST = re.compile("No Project|Could not find source file")


class TsserverFiles:
    """Questions about projects, which are loaded, and brought up to date, before."""

    def __init__(
        self,
        root: Path,
        link: TsserverLink,
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
        is_output: Callable[[str], bool],
        follow: Callable[[Iterable[str]], set[str]],
        redirects: Redirects,
    ) -> None:
        """read: a file's text. changes: what changed since it was last asked. is_output: whether a build wrote it.
        follow: notes changes of files that git ignores, too."""
        self._root = root
        self._link = link
        self._read = read
        self._changes = changes
        self._is_output = is_output
        self._follow = follow
        self._redirects = redirects
        # Held by whoever changes what the semantic server has open.
        self.turn = asyncio.Lock()
        self._standing = Standing(link.supervisor.name)
        self.projects = Projects(self._open, self._close, self._project_of, self._standing.lost, self._declares_globals)
        # What the semantic server has yet to learn, since a question ended half-way: changes, and new packages.
        self._behind = self._parting = False
        # What it may have open, which may be more than the projects need; and whether it was ever given anything.
        self._given: set[str] = set()
        # Open since maps would lead away from what is in them, or for what is loose.
        self._hidden: set[str] = set()
        self._roll = Roll(self._declares_globals)
        # With what some of their specifiers mean instead; open, but for those that no loaded project is known to read.
        self._redirected: dict[str, Mapping[str, str]] = {}
        self._awaited: set[str] = set()
        # Those of them that are open in others' projects, their own not being loaded for it.
        self._guests: set[str] = set()
        self._fresh = True
        link.supervisor.forgets.append(self._forget)

    def _forget(self) -> None:
        self._behind = self._parting = False
        self._fresh = True
        self._given.clear()
        self._hidden.clear()
        self._roll.clear()
        self._redirected.clear()
        self._awaited.clear()
        self._guests.clear()
        if self._link.overflowed:
            self._link.overflowed = False
            self.projects.overflowed()
        self.projects.forget()

    async def load(self, paths: Collection[str], deadline: float, *, own: bool) -> Coverage:
        async with held(self.turn, deadline):
            await self._synchronize(deadline)
            await self._redirect(deadline)
            coverage = await self.projects.load(paths, deadline, own=own)
            if self._roll.keep(self.projects.unclaimed):
                await self.tell([self.as_on_disk(ROLL)], (), deadline)
            # What they are not expected to read, and do.
            while read := set(filter(self.projects.covers, self._awaited)):
                await self._invite(read, deadline)
            await self._hide(paths, deadline)
        self._standing.loaded()
        if ending := sorted(self._link.overflowing.now()):
            others = f" (so are {len(ending) - 1} more)" if len(ending) > 1 else ""
            told = f"{os.path.relpath(ending[0], self._root)} {ENDING}, and is left out{others}"
            return coverage._replace(reason=coverage.reason or told)
        return coverage

    async def _hide(self, paths: Collection[str], deadline: float) -> None:
        """Keep open what maps would lead away from in these files or beside them, and what loose ones know types by."""
        fresh = mapped(paths) - self._hidden
        self._follow(fresh)
        if self.projects.loose and not self._link.knows_types and AMBIENT not in self._hidden:
            fresh.add(AMBIENT)
        if fresh:
            await self.tell(self._all_on_disk(fresh), (), deadline)
            self._hidden |= fresh

    async def _redirect(self, deadline: float) -> None:
        """Keep open what imports packages that are not built, where a project reads it."""
        before, wanted = self._redirected, dict(self._redirects.given)
        if before != wanted:
            self._redirected = wanted
            given = {path for path in wanted if before.get(path) != wanted[path]}
            left = before.keys() - wanted
            if any(wanted.get(path) != told for path, told in before.items()):
                self._standing.lost()
            self._awaited = (self._awaited - left) | (given - self._given)
            again = (given & self._given) | (left & self.anchors)
            await self.tell(self._all_on_disk(again), sorted((left & self._given) - self.anchors), deadline)
            await self.projects.read_again(again | left, deadline)
            if self._awaited and self.projects.anchors:
                # Loaded projects may not be known to hold what came to be there, or is imported now.
                await self._invite(self._redirects.read_by(self.projects.anchors), deadline)

    async def _invite(self, paths: Collection[str], deadline: float) -> None:
        """Open as guests what is awaited of these: for the sake of the projects that read it, and not of its own."""
        guests = self._awaited.intersection(paths)
        if guests:
            self._guests |= guests
            await self.tell(self._all_on_disk(guests), (), deadline)
            self._awaited -= guests
            await self.projects.read_again(guests, deadline)

    @property
    def anchors(self) -> set[str]:
        """What is to be open."""
        return self.projects.anchors | self._hidden | (self._redirected.keys() - self._awaited)

    def check(self) -> None:
        """Raises LanguageServerError when what the question has loaded is not loaded any more."""
        self._standing.check()

    def lost(self) -> None:
        """It may not read what it was told to: whoever goes on tells it everything anew."""
        self._behind = True
        self._standing.lost()

    async def ask(self, command: str, arguments: dict[str, Any], deadline: float) -> Any:
        """About the projects that the question has loaded."""
        self._standing.check()
        try:
            return await self._link.request(command, arguments, deadline)
        except LanguageServerError as error:
            if _LOST.search(error.message) and self.projects.covers(arguments["file"]):
                # Its own watchers saw the tsconfig gone, as when git puts another in its place, and not yet come back.
                # Or a project held the file by an import, which is gone.
                self.lost()
                self._standing.check()
            raise

    # What the projects need

    async def _open(self, paths: Sequence[str], deadline: float) -> None:
        """And with them, as guests, what their programs are expected to read of what is awaited."""
        hosted = self._guests.intersection(paths)
        if hosted:
            # As long as it is open a guest goes on to belong to no tsconfig.
            await self.tell([], sorted(hosted), deadline)
        self._awaited.difference_update(paths)
        guests = self._awaited & self._redirects.read_by(paths) if self._awaited else set[str]()
        self._guests |= guests
        called = len(paths) > 1 and self._roll.add(paths)
        if called:
            self._hidden.add(ROLL)
        ending = self._link.overflowing.now() - self._hidden.union(paths)
        self._hidden |= ending
        # Guests: for their sake no project is loaded.
        self._guests |= ending
        # All in one go, the guests behind: they are known then to be read by a project.
        opened = [
            *([self.as_on_disk(ROLL)] if called else []),
            *self._all_on_disk(ending),
            *map(self.as_on_disk, paths),
        ]
        await self.tell(opened + self._all_on_disk(guests), (), deadline)
        self._awaited -= guests
        await self.projects.read_again(guests, deadline)

    async def _close(self, paths: Sequence[str], deadline: float) -> None:
        await self.tell([], sorted(set(paths) - self._hidden - self._redirected.keys()), deadline)

    async def _project_of(self, path: str, deadline: float) -> Opening:
        body = await self._link.request("projectInfo", {"file": path, "needFileNameList": True}, deadline)
        return Opening(body["configFileName"], body.get("fileNames", []), bool(body.get("languageServiceDisabled")))

    def _declares_globals(self, path: str) -> bool:
        """It errs towards yes."""
        document = Document(path, as_compiled(path, self._read))
        if is_module(document):
            return _FOR_ALL.search(document.text) is not None
        return not (path.endswith(SCRIPTS) and _COMMON.search(document.text))

    async def tell(self, opened: Sequence[dict[str, str]], closed: Sequence[str], deadline: float) -> None:
        if opened:
            self._fresh = False
            self._given.update(file["file"] for file in opened)
        await self._link.update(opened, closed, deadline)
        self._given.difference_update(closed)
        self._guests.difference_update(closed)

    def as_on_disk(self, path: str) -> dict[str, str]:
        return self.opening(path, self._roll.text() if path == ROLL else as_compiled(path, self._read))

    def _all_on_disk(self, paths: Iterable[str]) -> list[dict[str, str]]:
        return [self.as_on_disk(path) for path in sorted(paths)]

    def exports_mingled(self, path: str) -> bool:
        """Whether a script exports something whole, and parts besides: `module.exports = a; module.exports.b = c`."""
        text = as_compiled(path, self._read)
        return _EXPORTS_WHOLE.search(text) is not None and _EXPORTS_PART.search(text) is not None

    def is_redirected(self, path: str) -> bool:
        """Whether the text that it has of a file is not the disk's."""
        return path in self._redirected

    def opening(self, path: str, text: str) -> dict[str, str]:
        """How a file is opened with this text."""
        # tsserver loads the project of what is opened, which it looks for from the file's folder up to this one.
        root = os.path.dirname(path) if path in self._guests else ""
        return self._link.opening(path, self._redirects.text(path, text), root)

    # What changed

    async def _synchronize(self, deadline: float) -> None:
        """Tell the semantic server what changed. tsserver watches files itself, but sees new ones late, and never
        what changed below an open document."""
        await self._link.supervisor.same_session(deadline)
        changes = self._changes(self._link.supervisor.name)
        moved = any(map(is_read_by_name, changes.created | changes.deleted))
        if not self._fresh and (moved or any(map(is_project, changes.changed))):
            # Of a tsconfig, or what one extends, that was not there it may go on to say so, and never look again; it
            # looks by its own watchers, and one that git replaced it may have seen gone.
            await self._link.supervisor.restart()
            await self._link.supervisor.same_session(deadline)
        if self._fresh:
            return
        self._parting |= any(is_installation(path) for group in changes for path in group)
        # What a build wrote may have been a source until git began to ignore it.
        self.projects.deleted(changes.deleted.union(filter(self._is_output, changes.changed & self.projects.anchors)))
        self._hidden -= changes.deleted
        for path in changes.deleted & self._redirected.keys():
            del self._redirected[path]
        self._awaited -= changes.deleted
        if self._parting:
            await self._part(deadline)
            self._parting = self._behind = False
            return
        told = {path for group in changes for path in group if indexed(path)}
        configured = any(is_configuration(path) for group in changes for path in group)
        # It looks into folders that are new to it a second later.
        configured |= any(map(self._is_output, changes.created | changes.deleted))
        anchors = self.anchors
        left = self._given - anchors
        if self._behind or configured or len(told) > RELOAD_AT:
            # Until it is done, this question's changes count as untold: it may end half-way.
            self._behind = True
            # What a tsconfig extends is kept until then.
            await self._let_watchers_speak(deadline)
            await self._link.request("reloadProjects", {}, deadline)
            self.projects.reloaded()
            told = anchors | left
        elif told or left or any(map(is_map, changes.changed)):
            told |= left
            self._behind = True
            await self._let_watchers_speak(deadline)
        if told:
            # What is open goes on with the text that it has; what is not there, opened and closed, is known to be gone.
            await self.tell(self._all_on_disk(told), (), deadline)
            await self.tell([], sorted(told - anchors), deadline)
        self._behind = False

    async def _part(self, deadline: float) -> None:
        """Begin anew with every project: one that is reloaded goes on where the links in node_modules led before."""
        self.projects.forget()
        self._hidden.clear()
        self._roll.clear()
        self._redirected.clear()
        self._awaited.clear()
        given = sorted(self._given)
        # It fails at the end of what is not open, and what a question that was given up has opened may not be.
        await self.tell([self.as_on_disk(path) for path in given], (), deadline)
        await self.tell([], given, deadline)
        # What no open file holds goes when another file is opened.
        other = str(self._root / "node_modules" / ".cn.ts")
        await self.tell([self._link.opening(other, "")], (), deadline)
        await self.tell([], [other], deadline)
        for path in given:
            if await self._is_held(path, deadline):
                # Asked about places that maps lead to, it may keep projects that no open file is in.
                await self._link.supervisor.restart()
                await self._link.supervisor.same_session(deadline)
                return

    async def _is_held(self, path: str, deadline: float) -> bool:
        try:
            await self._link.request("projectInfo", {"file": path, "needFileNameList": False}, deadline)
        except LanguageServerError as error:
            if error.code != "request_refused":
                raise
            return False
        return True

    async def _let_watchers_speak(self, deadline: float) -> None:
        """tsserver learns from its own file watchers which failed imports may lead somewhere now. What the kernel had
        told it before our request is read, at the latest, in the turn of its event loop that follows the answer."""
        for _ in range(2):
            await self._link.request("status", {}, deadline)
