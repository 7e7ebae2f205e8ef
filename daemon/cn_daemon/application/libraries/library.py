"""All commands of all sources, and the index over them, kept in step with the files."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cn_daemon.application.libraries.library_ports import CommandShelf, CommandSource, Freshness, KeptUnits, Refresh
from cn_daemon.domain.libraries.commands import Command, CommandText
from cn_daemon.domain.libraries.ranking.best import BestIndex, prepare
from cn_daemon.domain.libraries.ranking.kept import frozen
from cn_shared.wire import LibraryStatus

# More changed commands than this are indexed in a thread, and the old index answers meanwhile; and are kept for the
# next daemon, which reads fewer anew in no time.
_AT_ONCE = 25
# Whoever meets a source that has not answered for this long does not wait for it again.
_STUCK_S, _STUCK_WAIT_S = 2.0, 0.05
# A first reading may take long.
_STUCK_AT_FIRST_S = 60.0


@dataclass
class _Source:
    """One source's commands, by unit, as of its last refresh. pulling: since when it is being asked."""

    port: CommandSource
    units: dict[str, list[Command]] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    order: Sequence[str] = ()
    warnings: Sequence[str] = ()
    failures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    freshness: Freshness = field(default_factory=lambda: Freshness(False))
    known: bool = False
    # Whether a question gave up waiting for it, and it has reported nothing since.
    late: bool = False
    pulling: dict[int, float] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Library:
    """Reads on the event loop; a refresh changes what the next question sees, all of a source at once."""

    def __init__(self, sources: Sequence[CommandSource], shelf: CommandShelf | None = None) -> None:
        self._sources = [_Source(port) for port in sources]
        self._shelf = shelf
        self._taking: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._unkept = 0
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._all: list[Command] | None = None
        self._by_key: dict[Hashable, Command] = {}
        self.index = BestIndex()
        self.generation = 0

    async def refresh(self, deadline: float, *, everything: bool = False, source: str = "") -> Freshness:
        """The barrier before an answer: each source is asked, as far as the deadline allows."""
        wanted = [one for one in self._sources if not source or one.port.name == source]
        now = time.monotonic()
        tasks: dict[asyncio.Task[None], _Source] = {}
        stuck = False
        for one in wanted:
            if one.pulling and now - min(one.pulling.values()) > (_STUCK_S if one.known else _STUCK_AT_FIRST_S):
                stuck = one.late = True
                continue
            task = asyncio.create_task(self._pull(one, everything))
            self._tasks.add(task)  # a caller that hangs up must not take the changes with it
            task.add_done_callback(self._tasks.discard)
            tasks[task] = one
        if tasks:
            await asyncio.wait(tasks, timeout=max(0.0, deadline - now))
        elif stuck and self._tasks:
            left = min(_STUCK_WAIT_S, max(0.0, deadline - now))
            await asyncio.wait(self._tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        for task, one in tasks.items():
            one.late = not task.done()
            if task.done() and not task.cancelled():
                task.result()
        return self.freshness(source)

    def freshness(self, source: str = "") -> Freshness:
        """How far what is known now can be trusted."""
        wanted = [one for one in self._sources if not source or one.port.name == source]
        unknown = [one.port.name for one in wanted if not one.known]
        stale = [one.freshness.stale for one in wanted if one.freshness.stale]
        late = [f"{one.port.name}: not answering" for one in wanted if one.known and one.late]
        detail = f"still indexing {', '.join(unknown)}" if unknown else ""
        return Freshness(not unknown, "; ".join(stale + late), detail)

    def commands(self, source: str = "") -> list[Command]:
        """The commands that are to be found, in the order of their sources; canonical ids are unique."""
        if self._all is None:
            self._gather()
        assert self._all is not None
        return [one for one in self._all if one.source == source] if source else self._all

    def callable(self) -> list[Command]:
        """Every command, those too that only serve others."""
        self.commands()
        return list(self._by_key.values())

    def command(self, key: Hashable) -> Command:
        """The command that the index calls `key`."""
        self.commands()
        return self._by_key[key]

    def keyed(self) -> Iterable[tuple[Hashable, Command]]:
        """Every command with what the index calls it."""
        self.commands()
        return self._by_key.items()

    def warnings(self) -> list[str]:
        return [warning for one in self._sources for warning in one.warnings]

    def failures(self, source: str = "") -> dict[str, tuple[str, str]]:
        """By unit (a Climpt agent, a file): the path that could not be read, and why."""
        wanted = [one for one in self._sources if not source or one.port.name == source]
        return {unit: failure for one in wanted for unit, failure in one.failures.items()}

    def outdated(self, source: str = "") -> list[str]:
        """The units that cannot be read any more, and go on with what they held."""
        wanted = [one for one in self._sources if not source or one.port.name == source]
        return [unit for one in wanted for unit in one.failures if unit in one.units]

    def units(self, source: str) -> list[str]:
        """The units of a source that have commands: of Climpt, the agents."""
        return [unit for one in self._sources if one.port.name == source for unit in one.units]

    def progress(self) -> list[LibraryStatus]:
        """One row per source, for `cn status`."""
        return [
            LibraryStatus(
                one.port.name,
                "ready" if one.known else "indexing",
                sum(map(len, one.units.values())),
                one.freshness.stale or one.freshness.detail or None,
            )
            for one in self._sources
        ]

    async def warm(self) -> None:
        """Read everything before the first question."""
        await asyncio.gather(*(self._pull(one, False) for one in self._sources))

    async def content(self, command: Command, deadline: float) -> str:
        for one in self._sources:
            if one.port.name == command.source:
                return await one.port.content(command, deadline)
        return ""

    async def contents(self, commands: Sequence[Command], deadline: float) -> dict[str, str]:
        """By canonical id, the texts of those that can be read in time."""
        found: dict[str, str] = {}
        for one in self._sources:
            mine = [command for command in commands if command.source == one.port.name]
            if mine:
                texts = await one.port.contents(mine, deadline)
                rows = zip(mine, texts, strict=True)
                found |= {command.canonical_id: text for command, text in rows if text is not None}
        return found

    def replace(self, sources: Sequence[CommandSource], shelf: CommandShelf | None = None) -> None:
        """Go on with other sources; commands of those that stay are kept by name until they are asked."""
        for one in self._sources:
            one.port.close()
        self._sources = [_Source(port) for port in sources]
        self._shelf, self._taking, self._unkept = shelf, None, 0
        self.index = BestIndex()
        self._changed()

    def close(self) -> None:
        for one in self._sources:
            one.port.close()

    async def _pull(self, one: _Source, everything: bool) -> None:
        number = id(asyncio.current_task())
        one.pulling[number] = time.monotonic()
        try:
            if self._shelf is not None:
                # Whoever stops waiting must not take it from the others.
                self._taking = self._taking or asyncio.create_task(self._take(self._shelf))
                await asyncio.shield(self._taking)
            found = await one.port.refresh(everything=everything)
            # A source's changes count in their order. Whoever has none does not wait for another source's.
            async with one.lock:
                await self._apply(one, found)
        finally:
            one.pulling.pop(number, None)
        self._keep()

    async def _take(self, shelf: CommandShelf) -> None:
        """Go on with what an earlier daemon read; the sources then tell what differs."""
        kept = await asyncio.to_thread(shelf.load)
        if kept is None or shelf is not self._shelf:
            return
        self.index = kept.best
        for one in self._sources:
            units = kept.units.get(one.port.name, {})
            one.units = {unit: list(commands) for unit, (_, commands) in units.items()}
            one.marks = {unit: mark for unit, (mark, _) in units.items()}
            one.order = list(units)
            one.port.resume(one.marks)
        self._changed()

    def _keep(self) -> None:
        """Keep what was read for the next daemon, once there is much of it and no source is being asked."""
        if (
            self._shelf is None
            or self._unkept <= _AT_ONCE
            or any(one.pulling for one in self._sources)
            or (self._keeping is not None and not self._keeping.done())
        ):
            return
        self._unkept = 0
        units: KeptUnits = {one.port.name: _kept(one) for one in self._sources}
        self._keeping = asyncio.create_task(asyncio.to_thread(self._shelf.save, units, frozen(self.index)))

    async def _apply(self, one: _Source, found: Refresh) -> None:
        """Make one source's changes visible, all at once."""
        name = one.port.name
        fresh = [
            ((name, unit, number), text)
            for unit, texts in found.files.items()
            for number, text in enumerate(texts)
            if not text.command.hidden
        ]
        gone = [(name, unit, number) for unit in found.files for number in range(len(one.units.get(unit, ())))]
        if fresh or gone:
            async with self._lock:
                if len(fresh) > _AT_ONCE:
                    index = await asyncio.to_thread(_rebuilt, self.index, gone, fresh)
                    if all(one is not other for other in self._sources):
                        return  # replaced meanwhile
                    self.index = index
                else:
                    self.index.remove(gone)
                    self.index.extend((key, prepare(text)) for key, text in fresh)
        self._unkept += len(fresh) + len(gone)
        for unit, texts in found.files.items():
            one.marks.pop(unit, None)
            if texts:
                one.marks[unit] = found.marks.get(unit, "")
                one.units[unit] = [text.command for text in texts]
            else:
                one.units.pop(unit, None)
        one.order, one.warnings, one.freshness = found.order, found.warnings, found.freshness
        one.failures = found.failures
        one.late = False
        one.known = one.known or found.freshness.complete
        if found.files:
            self._changed()

    def _changed(self) -> None:
        self._all = None
        self.generation += 1

    def _gather(self) -> None:
        used_ids: set[str] = set()
        self._by_key = {}
        rows: list[Command] = []
        for one in self._sources:
            for unit in one.order:
                for number, command in enumerate(one.units.get(unit, ())):
                    unique = _unique(command, used_ids)
                    used_ids.add(unique.canonical_id)
                    self._by_key[one.port.name, unit, number] = unique
                    if not command.hidden:
                        rows.append(unique)
        self._all = rows


def _kept(one: _Source) -> dict[str, tuple[str, Sequence[Command]]]:
    ordered = dict.fromkeys([*one.order, *one.units])
    return {unit: (one.marks.get(unit, ""), one.units[unit]) for unit in ordered if unit in one.units}


def _rebuilt(before: BestIndex, gone: Iterable[Hashable], fresh: Iterable[tuple[Hashable, CommandText]]) -> BestIndex:
    """A new index with the changes; the one before answers meanwhile, and is not touched but for its spelling."""
    kept = before.prepared()
    for key in gone:
        kept.pop(key, None)
    kept.update((key, prepare(text)) for key, text in fresh)
    index = BestIndex(before.vocabulary)
    index.extend(kept.items())
    return index


def _unique(command: Command, used_ids: set[str]) -> Command:
    """The command under an id that no earlier one has: `md:x` of the user's folder beside the workspace's."""
    if command.canonical_id not in used_ids:
        return command
    names = itertools.chain([command.origin], map(str, itertools.count(2)))
    other = (f"{command.canonical_id}@{name}" for name in names)
    return replace(command, canonical_id=next(text for text in other if text not in used_ids))
