"""Which projects the native server has loaded, and that it knows what changed in them.

It loads the project of a file when it is asked for it, and keeps it while one of its files is open.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Iterable

from cn_daemon.adapters.language_servers.ambient import FILE as AMBIENT
from cn_daemon.adapters.language_servers.lsp.open_files import tell
from cn_daemon.adapters.language_servers.native.configs import Configs
from cn_daemon.adapters.language_servers.native.files import NativeFiles
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.sources import LOOSE_FILES, is_configuration, is_installation
from cn_daemon.application.ports import Changes, Coverage
from cn_shared.errors import DeadlineError


class NativeProjects:
    """Every change is told before a question is asked."""

    def __init__(
        self,
        link: NativeLink,
        files: NativeFiles,
        appeared: Callable[[], int],
        configured: Callable[[], Iterable[str]],
    ) -> None:
        """appeared: another number when there are more files that git ignores. configured: the tsconfigs of the
        workspace."""
        self._link = link
        self._files = files
        self._appeared = appeared
        self._ignored = 0
        self._tsconfigs = Configs(configured)
        self._turn = asyncio.Lock()
        self.loading: str | None = None
        # The tsconfig that each file was loaded with, "" for none.
        self._configs: dict[str, str] = {}
        # Those of them of whose files some changed since they were asked about.
        self._behind: set[str] = set()
        link.supervisor.forgets += [self._configs.clear, self._behind.clear]

    async def loss(self, deadline: float) -> str:
        """Why some tsconfig of the workspace makes this server lose references; empty when none does."""
        async with self._turn:
            await self._synchronize(deadline)
            await self._bring_in(list(await self._tsconfigs.read(self._link.program)), deadline)
            return self._tsconfigs.any_loss()

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        async with self._turn:
            await self._synchronize(deadline)
            if self._files.redirect():
                self._behind.update(self._files.anchors.values())
            reason = ""
            missing: list[str] = []
            await self._bring_in([*await self._tsconfigs.read(self._link.program), *paths], deadline)
            try:
                held = set(filter(None, self._files.anchors.values()))
                others = [path for path in sorted(paths) if self._configs.get(path) not in held]
                missing = [path for path in others if not await self._loaded(path, deadline)]
                await self._catch_up({self._configs.get(path, "") for path in paths}, deadline)
            except DeadlineError:
                where = self.loading or "a project"
                reason = f"{os.path.basename(where)} is still being loaded"
                missing = [path for path in paths if path not in self._configs]
        configs = {self._configs.get(path, "") for path in paths}
        if missing and not reason:
            reason = f"{len(missing)} files lie outside every project, too many to open"
        self._files.hold(paths)
        lost = next(filter(None, map(self._tsconfigs.loss, sorted(configs))), "")
        if lost and not reason:
            reason = f"{lost}: uses that depend on it are missing (server: typescript finds them)"
        self.loading = None if not reason else self.loading
        self._files.standing.loaded()
        total = len(configs) + len({os.path.dirname(path) for path in missing})
        unfound = {config: self._tsconfigs.unfound(config) for config in configs}
        return Coverage(len(configs), total, missing, reason, {one: lost for one, lost in unfound.items() if lost})

    def of(self, path: str) -> str:
        return self._configs.get(path, "")

    def together(self, one: str, other: str) -> bool:
        # What no tsconfig holds is one project.
        loose = not any(self._configs.get(path) or self._tsconfigs.owner(path) for path in (one, other))
        return loose or self._tsconfigs.together(one, other, set(self._files.anchors.values()))

    async def _loaded(self, path: str, deadline: float) -> bool:
        """Load the project of `path` and hold it with an open file. False when too many loose files are open."""
        config = self._configs.get(path) or self._tsconfigs.owner(path)
        if path in self._files.anchors or (config and config in self._files.anchors.values()):
            self._configs.setdefault(path, config or "")
            return True
        if not config and sum(1 for one in self._files.anchors.values() if not one) >= LOOSE_FILES:
            return False
        self.loading = path
        for one in (path,) if config or AMBIENT in self._files.anchors else (AMBIENT, path):
            self._files.give(self._files.as_on_disk(one))
            self._files.anchors[one] = ""
        try:
            # It is the server's to say which project it takes: a tsconfig may list files that it reads by another.
            project = await self._files.project_of(path, deadline)
        except BaseException:
            self._files.anchors.pop(path, None)  # a new process may have begun without any
            self._files.take(path)
            raise
        self._files.anchors[path] = self._configs[path] = project
        self.loading = None
        return True

    async def _catch_up(self, configs: Collection[str], deadline: float) -> None:
        """Have the server read these projects as they are now: asked about the file of another one it goes on into what
        each of them held before."""
        for config in self._behind.intersection(configs):
            for path in [path for path, project in self._files.anchors.items() if project == config]:
                # What lay outside of all may have come into one.
                if await self._files.reread(path, deadline) == config:
                    break
            self._behind.discard(config)

    async def _synchronize(self, deadline: float) -> None:
        """Tell the server every change before the question: in the pipe they come first."""
        # Before the changes are taken: a question that ends here has told nobody of them.
        await self._link.supervisor.same_session(deadline)
        changes, unnoted = self._files.what_changed()
        if unnoted or any(is_installation(path) for group in changes for path in group):
            # For an outline it has loaded a project, and of what was created since then nobody has told it. And it
            # would look into node_modules again only for events of every file in there.
            await self._link.supervisor.restart()
        session = await self._link.supervisor.same_session(deadline)
        self._reconsider(changes)
        if not any(changes):
            return
        waited = False
        try:
            # For what is lent by then; what is lent from now on is as new as this.
            waited = await self._files.forms.acquire()
            # What is new may be in a project that was loaded for an outline meanwhile, or have been there long ago.
            await self._files.forgotten(session, changes.created, deadline)
        finally:
            try:
                self._behind.update(self._files.anchors.values())
                self._files.pass_on(session, changes)
            finally:
                if waited:
                    self._files.forms.release()

    def _reconsider(self, changes: Changes) -> None:
        """Where a file may belong to another project now, that is to be asked again."""
        if any(is_configuration(path) for group in changes for path in group):
            self._configs.clear()
            self._tsconfigs.forget(files=False)
            self._files.leave_all()
        ignored, self._ignored = self._ignored, self._appeared()
        if ignored != self._ignored or any(is_installation(path) for group in changes for path in group):
            self._tsconfigs.forget(files=True)
        for path in (*changes.created, *changes.deleted):
            self._configs.pop(path, None)

    async def _bring_in(self, paths: Collection[str], deadline: float) -> None:
        """Tell of those whose changes nobody has noted so far: the server may know them, or not yet."""
        fresh = self._files.fresh(paths)
        if fresh:
            session = await self._link.supervisor.same_session(deadline)
            tell(session, Changes(changed=fresh))
            if self._configs:
                await self._files.forgotten(session, fresh, deadline)
                tell(session, Changes(created=fresh))
