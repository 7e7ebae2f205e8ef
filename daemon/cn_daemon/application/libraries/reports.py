"""The verbs over past reports: search, list, link, show."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from cn_daemon.application.libraries.commands import with_warnings
from cn_daemon.application.libraries.library_ports import Freshness, ReportStore
from cn_daemon.application.libraries.remembered import Remembered
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.ranking.fusion import fused, phrasings
from cn_daemon.domain.libraries.reports import Report, ReportHit, ReportQuery, iso_day, last_day, read_query
from cn_shared.errors import DeadlineError, InputError, NotFoundError

_MARGIN_S = 0.1
_LISTED = 50
_MOST = 1000
# Of each of several phrasings, whichever of the first pages is asked for, so that their order is one; beyond, _MOST.
_FUSED_AMONG = 50


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """base_url: where reports are served, "" for file links. folder: the reports folder's absolute path, "" for none.
    warnings: what is wrong with the settings."""

    folder: str = ""
    base_url: str = ""
    results: int = 10
    timeout_s: float = 5.0
    warnings: tuple[str, ...] = ()


class Reports:
    """The use cases. `settings` is asked for each question."""

    def __init__(self, store: ReportStore, settings: Callable[[], ReportSettings]) -> None:
        self._store = store
        self._settings = settings
        self._answers: Remembered[Sequence[ReportHit]] = Remembered()

    def use(self, store: ReportStore) -> None:
        """Go on with another library of reports."""
        self._store = store
        self._answers = Remembered()

    async def search(
        self,
        call: Call,
        query: str = "",
        queries: Sequence[str] | None = None,
        command: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PlainAnswer:
        """The reports that a query means, best first, each with the hit in its context. queries: the same question in
        other words.

        Dates in the sentence count ("october 2023", "since 2024-01-05", "latest"). Raises InputError (`bad_date`).
        """
        freshness = await self._fresh(call)
        questions = phrasings([query, *(queries or ())])
        if not questions:
            return PlainAnswer([], 0, hint="The query is empty.")
        wanted, first = min(limit or self._settings().results, _MOST), _cursor(cursor)
        wanted_reports = [self._query(text, command, since, until) for text in questions]
        hits, is_complete = await self._hits(wanted_reports, first + wanted + 1, call)
        page = [
            {**self._row(hit.report), "excerpt": hit.excerpt, "relevance_score": hit.relevance}
            for hit in hits[first : first + wanted]
        ]
        following = str(first + wanted) if len(hits) > first + wanted else None
        # More than were looked at are not counted.
        total = len(hits) if is_complete and not following else None
        return _answer(page, freshness, total, following, "" if page else await self._why_none(call))

    async def list(
        self,
        call: Call,
        command: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PlainAnswer:
        """A command's reports, or all, newest first."""
        freshness = await self._fresh(call)
        wanted, first = min(limit or _LISTED, _MOST), _cursor(cursor)
        found, total = await self._store.listed(
            command or "", _day("since", since), _day("until", until), first, wanted, call.deadline - _MARGIN_S
        )
        following = str(first + wanted) if total > first + wanted else None
        hint = "" if found else await self._why_none(call)
        return _answer([self._row(report) for report in found], freshness, total, following, hint)

    async def link(self, call: Call, path: str) -> PlainAnswer:
        """Where a report can be opened: below the configured URL, else as a file."""
        report = await self._named(call, path)
        ignored = [warning for warning in self._settings().warnings if "report_link_base_url" in warning]
        return PlainAnswer({"path": report.path, "link": self._link(report)}, hint=with_warnings("", ignored))

    async def show(self, call: Call, path: str) -> PlainAnswer:
        """One report in full."""
        report = await self._named(call, path)
        content = await self._store.text(report, call.deadline - _MARGIN_S)
        return PlainAnswer({**self._row(report), "content": content}, text=content)

    async def _named(self, call: Call, path: str) -> Report:
        """The report of that path, waiting for it while the index is built. Raises what the store does."""
        freshness = await self._store.refresh(call.deadline - _MARGIN_S)
        try:
            return await self._store.find(path, call.deadline)
        except NotFoundError:
            if freshness.complete:
                raise
            raise DeadlineError(
                "still_indexing", f"{path} is not known yet: {freshness.detail}.", "Ask again later."
            ) from None

    async def _fresh(self, call: Call) -> Freshness:
        limit = min(call.deadline - _MARGIN_S, time.monotonic() + self._settings().timeout_s)
        return await self._store.refresh(limit)

    async def _hits(self, queries: Sequence[ReportQuery], most: int, call: Call) -> tuple[Sequence[ReportHit], bool]:
        """The best `most`, and whether all that hold something of the question were looked at."""
        deadline = call.deadline - _MARGIN_S
        among = most if len(queries) == 1 else _FUSED_AMONG if most <= _FUSED_AMONG else max(most, _MOST)
        found = [await self._found(one, among, deadline) for one in queries]
        is_complete = all(len(one) < among for one in found)
        return fused(found, lambda hit: hit.report.path, lambda hit: hit.relevance)[:most], is_complete

    async def _found(self, query: ReportQuery, most: int, deadline: float) -> Sequence[ReportHit]:
        generation, question = self._store.generation, (query, most)
        known = self._answers.get(generation, question)
        if known is None:
            known = await self._store.search(query, most, deadline)
            self._answers.put(generation, question, known)
        return known

    async def _why_none(self, call: Call) -> str:
        """What was not found may be in what could not be read, or there is nothing to be found."""
        settings = self._settings()
        hint = "" if settings.folder else "No reports_directory is set: see `cn config show`."
        if settings.folder and not (await self._store.listed("", "", "", 0, 1, call.deadline - _MARGIN_S))[1]:
            hint = "The library holds no report."
        return with_warnings(hint, [*settings.warnings, *self._store.warnings()])

    def _query(self, query: str, command: str | None, since: str | None, until: str | None) -> ReportQuery:
        parsed = read_query(query, datetime.now(UTC).date())
        return replace(
            parsed,
            command=command or "",
            since=_day("since", since) or parsed.since,
            until=_day("until", until) or parsed.until,
        )

    def _row(self, report: Report) -> dict[str, Any]:
        return {
            "report_name": report.report_name,
            "title": report.title,
            "command_name": report.command_name,
            "path": report.path,
            "date": report.date,
            "file_size": report.file_size,
            "summary": report.summary,
            "link": self._link(report),
        }

    def _link(self, report: Report) -> str:
        settings = self._settings()
        if settings.base_url:
            return f"{settings.base_url.rstrip('/')}/{quote(report.path)}"
        return f"file://{quote(settings.folder)}/{quote(report.path)}"


def _day(name: str, text: str | None) -> str:
    if not text:
        return ""
    found = iso_day(text) if name == "since" else last_day(text)
    if not found:
        raise InputError("bad_date", f"{name}: {text!r} is not a date.", "2025-11-20, 2025-11 or 2025",
                         parameter=name)  # fmt: skip
    return found


def _cursor(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal()):
        raise InputError("bad_cursor", f"{cursor!r} is not a cursor.", hint="Pass on the `next` of an answer.")
    return int(cursor)


def _answer(document: Any, freshness: Freshness, total: int | None, following: str | None, hint: str) -> PlainAnswer:
    partial = "" if freshness.complete else freshness.detail or "still indexing"
    return PlainAnswer(document, total, following, partial, freshness.stale, hint)
