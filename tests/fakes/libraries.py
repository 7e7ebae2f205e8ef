"""`CommandSource` and `ReportStore` without a disk: each holds what the test puts there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cn_daemon.application.libraries.library_ports import Freshness, Refresh
from cn_daemon.domain.libraries.commands import Argument, Catalog, ClimptCall, Command, CommandText, HttpCall
from cn_daemon.domain.libraries.ranking.use import Use
from cn_daemon.domain.libraries.reports import Report, ReportHit, ReportQuery
from cn_shared.errors import NotFoundError


def markdown(name: str, description: str = "", body: str = "", origin: str = "library") -> CommandText:
    command = Command(f"md:{name}", name, "markdown", "prompt", description, path=f"/lib/{name}.md", origin=origin,
                      last_modified=1_700_000_000.0, file_size=len(body))  # fmt: skip
    return CommandText(command, body=body)


def climpt(c1: str, c2: str, c3: str, description: str = "", agent: str = "climpt") -> CommandText:
    call = ClimptCall(agent, c1, c2, c3, f"climpt-{c1} {c2} {c3}", {"edition": ["default"], "file": True})
    name = " ".join(filter(None, (c1, c2, c3)))
    return CommandText(
        Command(f"climpt:{agent}/{c1}/{c2}/{c3}", name, "climpt", "climpt", description, climpt=call)
    )  # fmt: skip


def catalog(group: str, name: str, summary: str) -> CommandText:
    schema = {"type": "object", "properties": {"id": {"type": "string"}}}
    command = Command(f"{group} {name}", name, "catalog", "http", summary, flags=(Argument("app", required=True),),
                      output_schema=schema, catalog=Catalog("Apps"), http=HttpCall("GET", "/apps"))  # fmt: skip
    return CommandText(command)


@dataclass
class FakeSource:
    """What `changes` holds is told at the next refresh, and again with `everything`."""

    name: str
    units: dict[str, list[CommandText]] = field(default_factory=dict)
    freshness: Freshness = Freshness()  # noqa: RUF009
    warnings: list[str] = field(default_factory=list)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0
    told: dict[str, list[CommandText]] = field(default_factory=dict)
    closed: bool = False
    resumed: dict[str, str] = field(default_factory=dict)

    def resume(self, marks: Mapping[str, str]) -> None:
        self.resumed = dict(marks)

    async def refresh(self, *, everything: bool = False) -> Refresh:
        await asyncio.sleep(self.delay_s)
        changed = {unit: texts for unit, texts in self.units.items() if everything or self.told.get(unit) != texts}
        gone: dict[str, list[CommandText]] = {unit: [] for unit in self.told.keys() - self.units.keys()}
        self.told = dict(self.units)
        return Refresh(self.freshness, {**changed, **gone}, list(self.units), self.warnings, self.failures)

    async def content(self, command: Command, deadline: float) -> str:
        if command.canonical_id not in self.texts:
            raise NotFoundError("file_not_found", f"{command.path} is gone.")
        return self.texts[command.canonical_id]

    async def contents(self, commands: Sequence[Command], deadline: float) -> list[str | None]:
        return [self.texts.get(command.canonical_id) for command in commands]

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeUsage:
    kept: dict[str, Use] = field(default_factory=dict)
    noted: list[str] = field(default_factory=list)
    generation: int = 0

    async def note(self, canonical_id: str) -> None:
        self.noted.append(canonical_id)

    async def uses(self) -> Mapping[str, Use]:
        return self.kept


@dataclass
class FakeTraits:
    words: dict[str, str] = field(default_factory=dict)

    async def traits(self) -> Mapping[str, str]:
        return self.words


def report(path: str, date: str = "2025-11-20", title: str = "A report") -> Report:
    return Report(path, path.split("-reports/")[0], title, date, 12, 0.0, "A summary.")


@dataclass
class FakeReports:
    reports: list[Report] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    freshness: Freshness = Freshness()  # noqa: RUF009
    asked: list[ReportQuery] = field(default_factory=list)
    refreshed: int = 0
    generation: int = 0
    # A word that a query must hold to find them; any query does without.
    about: str = ""

    async def refresh(self, deadline: float, *, everything: bool = False) -> Freshness:
        self.refreshed += 1
        return self.freshness

    async def search(self, query: ReportQuery, limit: int, deadline: float) -> list[ReportHit]:
        self.asked.append(query)
        return [ReportHit(one, 80, f"…{query.words}…") for one in self.reports[:limit] if self.about in query.words]

    async def listed(
        self, command: str, since: str, until: str, offset: int, limit: int, deadline: float
    ) -> tuple[list[Report], int]:
        found = [
            one for one in self.reports if command in ("", one.command_name) and since <= one.date <= (until or "9999")
        ]
        return found[offset : offset + limit], len(found)

    async def newest(self, deadline: float) -> Mapping[str, str]:
        return {one.command_name: one.date for one in self.reports}

    async def find(self, path: str, deadline: float) -> Report:
        for one in self.reports:
            if one.path == path:
                return one
        raise NotFoundError("report_not_found", f"There is no report {path}.")

    async def text(self, report: Report, deadline: float) -> str:
        return self.texts[report.path]

    def warnings(self) -> Sequence[str]:
        return []

    def close(self) -> None:
        pass
