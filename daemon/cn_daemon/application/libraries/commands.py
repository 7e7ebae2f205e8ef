"""The verbs over command libraries: search, describe, get, commands, reload."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cn_daemon.application.libraries import command_shapes as shapes
from cn_daemon.application.libraries.command_errors import ClimptNotFoundError, RegistryError
from cn_daemon.application.libraries.command_search import (
    FUSED_AMONG,
    RANKINGS,
    CommandSearch,
    Result,
    Row,
    everything,
    together,
    typed_names,
)
from cn_daemon.application.libraries.library import Library
from cn_daemon.application.libraries.library_ports import Freshness, ReportStore, Traits, Usage
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.commands import Command, named
from cn_daemon.domain.libraries.enrichment import INCLUDE_INPUTS
from cn_daemon.domain.libraries.excerpts import cut, excerpt, without_frontmatter
from cn_daemon.domain.libraries.ranking.fusion import phrasings
from cn_daemon.domain.libraries.ranking.words import terms
from cn_daemon.domain.libraries.reports import spelled
from cn_shared.errors import CnError, DeadlineError, InputError, NotFoundError
from cn_shared.wire import LibraryStatus

DEFAULT_AGENT = "climpt"
CLIMPT_RESULTS = 3
SOURCES = ("climpt", "markdown", "catalog", "mcp")
_MOST_RESULTS = 1000
_WHOLE = 1_000_000
_NEAR = 3
# Left of the deadline for shaping an answer.
_MARGIN_S = 0.1
_LAST_USED_S = 0.5
_WARNINGS_SHOWN = 2
_REASONS = 3


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """results: of a search that names no number. timeout_s: how long a search waits for the index. warnings: what is
    wrong with the settings."""

    results: int = 10
    timeout_s: float = 5.0
    warnings: tuple[str, ...] = ()


class Commands:
    """The use cases. `limits` is asked for each question, as settings change."""

    def __init__(
        self,
        library: Library,
        reports: ReportStore,
        limits: Callable[[], SearchLimits],
        usage: Usage,
        workspace: Traits,
    ) -> None:
        self._library = library
        self._reports = reports
        self._limits = limits
        self._usage = usage
        self._workspace = workspace
        self._search = CommandSearch(library, reports, usage)

    def use(self, reports: ReportStore) -> None:
        """Go on with another library of reports."""
        self._reports = reports
        self._search = CommandSearch(self._library, reports, self._usage)

    async def search(
        self,
        call: Call,
        query: str | None = None,
        queries: Sequence[str] | None = None,
        agent: str | None = None,
        top: int | None = None,
        ranking: str | None = None,
        include_inputs: str = "none",
        source: str | None = None,
        fields: bool = False,
        max_results: int | None = None,
        cursor: str | None = None,
        vendor: str | None = None,
        suggest: bool = False,
    ) -> PlainAnswer:
        """The commands that a query means, best first. queries: the same question in other words; what several of
        them find comes first.

        agent: only that Climpt agent's, as {c1, c2, c3, description, score}, by cosine, three of them. Otherwise
        all sources, by `best`. vendor: only its catalogs' commands. fields: tfidf reads the identifiers too.
        suggest: in the place of a query, what the workspace consists of.
        Raises InputError (`bad_request`, `bad_cursor`).
        """
        ranking = ranking or ("cosine" if agent is not None else "best")
        if query is None and not queries and not suggest:
            hint = "--suggest searches without one, by the workspace's files."
            raise InputError("bad_request", "query is missing.", hint, parameter="query")
        _among("ranking", ranking, RANKINGS)
        _among("include_inputs", include_inputs, INCLUDE_INPUTS)
        if source is not None:
            _among("source", source, SOURCES)
        wanted = top or max_results or (CLIMPT_RESULTS if agent is not None else self._limits().results)
        first, wanted = _cursor(cursor), min(wanted, _MOST_RESULTS)
        freshness = await self._fresh(call, "climpt" if agent is not None else source or "", agent)
        questions = phrasings([query or "", *(queries or ())])
        traits: Mapping[str, str] = {}
        if suggest:
            if questions or ranking != "best":
                raise InputError("bad_request", "suggest takes no query, and ranks by best.", parameter="suggest")
            traits = await self._workspace.traits()
            questions = [" ".join(traits)] if traits else []
        if not questions:
            why = "Nothing in the workspace says what it is made of." if suggest else "The query is empty."
            return _answer([], freshness, total=0, hint=why)
        counts = _choice(agent, source, vendor)
        self._loaded(agent)
        deadline = call.deadline - _MARGIN_S
        scope = f"{agent}|{source}|{vendor}"
        # Duplicates go after ranking: what an agent has is ranked as one, and is small.
        limit = _WHOLE if agent is not None else first + wanted + 1
        most = limit if len(questions) == 1 else max(limit, FUSED_AMONG)
        results = [
            await self._search.search(one, ranking, counts, scope, most, deadline, identifiers=fields)
            for one in questions
        ]
        found = together(results, limit)
        if agent is not None:
            found = found._replace(rows=_first_of_each(found.rows))
        page = [_suggested(row, traits) if suggest else row for row in found.rows[first : first + wanted]]
        following = str(first + wanted) if len(found.rows) > first + wanted else None
        hint = (self._unknown(agent) or self._hint(questions[0], found, counts)) if freshness.complete else ""
        if not page and ranking != "best" and freshness.complete:
            other = await self._search.search(questions[0], "best", counts, scope, 1, deadline)
            if other.rows:
                hint = f"No command shares a word with it. --ranking best finds {other.rows[0].command.canonical_id}."
        hint = hint if page else self._warned(hint)
        if agent is not None:
            rows = [shapes.scored(row) for row in page if row.command.climpt is not None]
            return _answer(rows, freshness, total=len(found.rows), following=following, hint=hint)
        return _answer(await self._shaped(page, found, include_inputs, deadline), freshness, total=found.total,
                       following=following, hint=hint)  # fmt: skip

    async def describe(self, call: Call, c1: str, c2: str, c3: str, agent: str = DEFAULT_AGENT) -> PlainAnswer:
        """Every command of the agent with exactly these identifiers; none is an empty array."""
        freshness = await self._fresh(call, "climpt", agent)
        self._loaded(agent)
        rows = [shapes.described(command) for command in self._climpt(agent, c1, c2, c3)]
        hint = "" if rows or not freshness.complete else self._unknown(agent) or self._like(agent, c1, c2, c3)
        return _answer(rows, freshness, total=len(rows), hint=hint)

    async def get(self, call: Call, command_id: str) -> PlainAnswer:
        """One command in full. Raises what `find` raises."""
        command = await self.find(call, command_id)
        content = ""
        if command.source == "markdown":
            content = await self.content(call, command)
        used = await self._last_used([command], call.deadline)
        return _answer(shapes.complete(command, content, used.get(command.canonical_id, "")), self._library.freshness())

    async def commands(
        self, call: Call, cursor: str | None = None, page_size: int = 50, source: str | None = None
    ) -> PlainAnswer:
        """All commands, a page at a time, in the order of their sources."""
        if source is not None:
            _among("source", source, SOURCES)
        first = _cursor(cursor)
        freshness = await self._fresh(call)
        commands = self._library.commands(source or "")
        document: dict[str, Any] = {
            "commands": [shapes.listed(command) for command in commands[first : first + page_size]],
            "total": len(commands),
        }
        if len(commands) > first + page_size:
            document["next"] = str(first + page_size)
        hint = "" if commands else self._warned("No library here holds a command.")
        return _answer(document, freshness, total=len(commands), following=document.get("next"), hint=hint)

    async def reload(self, call: Call, agent: str | None = None) -> PlainAnswer:
        """Read an agent's registry again, or everything. What cannot be read keeps its commands, and says so."""
        freshness = await self._library.refresh(
            call.deadline - _MARGIN_S, everything=True, source="climpt" if agent is not None else ""
        )
        counts: dict[str, int] = dict.fromkeys(self._library.units("climpt"), 0)
        for command in self._library.commands():
            name = command.climpt.agent if command.climpt is not None else command.source
            counts[name] = counts.get(name, 0) + 1
        failures = self._library.failures("climpt" if agent is not None else "")
        if agent is not None:
            if agent not in counts and agent not in failures:
                raise NotFoundError("agent_not_found", f"There is no agent {agent}.", agent=agent, near=sorted(counts))
            counts = {agent: counts.get(agent, 0)}
            failures = {unit: failure for unit, failure in failures.items() if unit == agent}
        else:
            await self._reports.refresh(call.deadline - _MARGIN_S, everything=True)
        unread = [*failures, *([freshness.stale] if freshness.stale else [])]
        document: dict[str, Any] = {
            "success": not failures and not freshness.stale and freshness.complete,
            "reloaded": [{"agent": name, "commandCount": count} for name, count in counts.items()],
        }
        if failures:
            document["failed"] = [
                {"agent": unit, "error": "Failed to load registry", "path": path, "details": details}
                for unit, (path, details) in failures.items()
            ]
        if unread and freshness.complete:
            # What is known goes on as it was: the answer is there, and not what was asked for.
            freshness = freshness._replace(complete=False, detail=f"not read again: {', '.join(unread)}")
        return _answer(document, freshness)

    async def find(self, call: Call, command_id: str) -> Command:
        """The command that an id or a name means.

        Raises NotFoundError (`command_not_found`, with near names), InputError (`ambiguous_command`, with all ids),
        DeadlineError (`still_indexing`) for one that may yet turn up.
        """
        freshness = await self._fresh(call, wait=True)
        commands = self._library.callable()
        found = named(commands, command_id) or [
            command for command in commands if command_id.strip().lower() in typed_names(command)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            ids = [command.canonical_id for command in found]
            raise InputError("ambiguous_command", f"{command_id} is the name of {len(found)} commands.",
                             f"Name one of: {', '.join(ids[:10])}", ids=ids[:50])  # fmt: skip
        _all_known(command_id, freshness)
        near = self._near(command_id, commands)
        hint = f"Did you mean {' or '.join(near)}?" if near else "`cn commands` lists all."
        raise NotFoundError("command_not_found", f"There is no command {command_id}.", hint, near=near)

    async def find_climpt(self, call: Call, agent: str, c1: str, c2: str, c3: str) -> Command:
        """The agent's first command with these identifiers. Raises ClimptNotFoundError, DeadlineError."""
        freshness = await self._fresh(call, "climpt", wait=True)
        self._loaded(agent)
        found = self._climpt(agent, c1, c2, c3)
        if found:
            return found[0]
        _all_known(f"{c1} {c2} {c3}".strip(), freshness)
        raise ClimptNotFoundError(c1, c2, c3, self._unknown(agent) or self._like(agent, c1, c2, c3))

    async def content(self, call: Call, command: Command) -> str:
        """A Markdown command's whole text. Raises NotFoundError (`file_not_found`), DeadlineError."""
        return await self._library.content(command, call.deadline)

    def warnings(self) -> list[str]:
        """What could not be read, by name; for `cn status`."""
        return [*self._library.warnings(), *self._reports.warnings()]

    def progress(self) -> list[LibraryStatus]:
        """A row per source; for `cn status`."""
        return self._library.progress()

    async def _fresh(self, call: Call, source: str = "", agent: str | None = None, *, wait: bool = False) -> Freshness:
        """agent: whose registry matters. wait: as long as the caller does, and not as a search does, which has an
        answer anyway."""
        limit = call.deadline - _MARGIN_S
        if not wait:
            limit = min(limit, time.monotonic() + self._limits().timeout_s)
        freshness = await self._library.refresh(limit, source=source)
        outdated = [f"{unit}: cannot be read any more" for unit in self._library.outdated(source)
                    if agent in (None, unit)]  # fmt: skip
        return freshness._replace(stale="; ".join(filter(None, [freshness.stale, *outdated])))

    def _loaded(self, agent: str | None) -> None:
        """Raises RegistryError for an agent of which nothing is known because its registry cannot be read."""
        failure = self._library.failures("climpt").get(agent) if agent is not None else None
        if failure and agent not in self._library.units("climpt"):
            raise RegistryError(*failure)

    def _unknown(self, agent: str | None) -> str:
        """What to tell of an agent that is none, "" for one that is."""
        agents = self._library.units("climpt")
        if agent is None or agent in agents:
            return ""
        if agents:
            return f"There is no agent {agent}; there are {', '.join(agents)}."
        others = "`cn search` searches the other commands, `cn find` code"
        return f"There is no Climpt registry, so no agent {agent}: {others}."

    def _like(self, agent: str, c1: str, c2: str, c3: str) -> str:
        """The agent's identifiers that are near to these, as a question."""
        found = (command.climpt for command in self._library.commands("climpt"))
        names = {" ".join(call.identity).strip(): 0 for call in found if call is not None and call.agent == agent}
        near = difflib.get_close_matches(f"{c1} {c2} {c3}".strip(), names, _NEAR, 0.5)
        return f"Did you mean {' or '.join(near)}?" if near else ""

    def _climpt(self, agent: str, c1: str, c2: str, c3: str) -> list[Command]:
        wanted = c1, c2, c3
        return [
            command
            for command in self._library.commands("climpt")
            if command.climpt is not None and command.climpt.agent == agent and command.climpt.identity == wanted
        ]

    async def _shaped(self, rows: list[Row], found: Result, include: str, deadline: float) -> list[dict[str, Any]]:
        await self._excerpt([row.command for row in rows], found, deadline)
        used = await self._last_used([row.command for row in rows], deadline) if rows else {}
        return [
            shapes.result(
                row,
                found.excerpts.get(row.command.canonical_id) or cut(row.command.description, found.wanted),
                used.get(row.command.canonical_id, ""),
                include,
            )
            for row in rows
        ]

    async def _excerpt(self, commands: list[Command], found: Result, deadline: float) -> None:
        """Build those excerpts that are not there yet; without a text the description serves."""
        due = [one for one in commands if one.source == "markdown" and one.canonical_id not in found.excerpts]
        for name, text in (await self._library.contents(due, deadline)).items() if due else ():
            found.excerpts[name] = excerpt(without_frontmatter(text), found.wanted)

    async def _last_used(self, commands: Sequence[Command], deadline: float) -> Mapping[str, str]:
        """By canonical id, the day of the newest report or of the last use, the later one; "" for neither."""
        try:
            newest = await self._reports.newest(min(deadline, time.monotonic() + _LAST_USED_S))
        except CnError:
            newest = {}
        reported, uses = {spelled(name): date for name, date in newest.items()}, await self._usage.uses()
        return {
            one.canonical_id: max(
                reported.get(spelled(one.name), ""), uses[one.canonical_id].last if one.canonical_id in uses else ""
            )
            for one in commands
        }

    def _hint(self, query: str, found: Result, counts: Callable[[Command], bool]) -> str:
        if found.corrected and found.rows:
            return "Searched for " + ", ".join(f"{new} instead of {old}" for old, new in found.corrected.items()) + "."
        if found.rows:
            return ""
        near = self._near(query, [command for command in self._library.commands() if counts(command)])
        symbol = f" For a symbol of the code: cn find {query}" if query.isidentifier() else ""
        none = "No command holds these words." if self._library.commands() else "No library here holds a command."
        return (f"Did you mean {' or '.join(near)}?" if near else none) + symbol

    def _warned(self, hint: str) -> str:
        """What was not found may be in what could not be read."""
        return with_warnings(hint, [*self._limits().warnings, *self.warnings()])

    def _near(self, name: str, commands: list[Command]) -> list[str]:
        by_name = {command.name.lower(): command.canonical_id for command in commands}
        by_name |= {command.canonical_id.lower(): command.canonical_id for command in commands}
        near = difflib.get_close_matches(name.strip().lower(), by_name, _NEAR, 0.6)
        return list(dict.fromkeys(by_name[one] for one in near))


def _suggested(row: Row, traits: Mapping[str, str]) -> Row:
    """A result of what the workspace consists of, with what of that its name and description hold."""
    own_terms = {*terms(f"{row.command.name} {row.command.description}")}
    because = [f"{word} ({file})" for word, file in traits.items() if own_terms.intersection(terms(word))]
    return row._replace(reason=f"the workspace has {', '.join(because[:_REASONS])}") if because else row


def with_warnings(hint: str, warnings: Sequence[str]) -> str:
    """A hint with the first of the warnings, and where the others are listed."""
    more = len(warnings) - _WARNINGS_SHOWN
    others = f"`cn status` tells {more} more." if more > 0 else ""
    return " ".join(filter(None, [hint, *warnings[:_WARNINGS_SHOWN], others]))


def _all_known(name: str, freshness: Freshness) -> None:
    """Raises DeadlineError when a command that is not known may only not be read yet."""
    if not freshness.complete:
        raise DeadlineError(
            "still_indexing",
            f"{name} is not known yet: {freshness.detail or 'still indexing'}.",
            "Ask again; `cn status` shows how far it is.",
        )


def _choice(agent: str | None, source: str | None, vendor: str | None) -> Callable[[Command], bool]:
    if agent is not None:
        return lambda command: command.climpt is not None and command.climpt.agent == agent
    if vendor is not None:
        wanted = vendor.lower()
        return lambda command: (
            command.catalog is not None
            and command.catalog.vendor.lower() == wanted
            and source in (None, command.source)
        )
    return everything if source is None else lambda command: command.source == source


def _first_of_each(rows: list[Row]) -> list[Row]:
    """Without the later ones of the same c1, c2, c3 (specs/climpt-command-operations, 重複排除)."""
    seen: dict[object, Row] = {}
    for row in rows:
        seen.setdefault(row.command.climpt.identity if row.command.climpt else row.command.canonical_id, row)
    return list(seen.values())


def _answer(
    document: Any,
    freshness: Freshness,
    *,
    total: int | None = None,
    following: str | None = None,
    hint: str = "",
) -> PlainAnswer:
    partial = "" if freshness.complete else freshness.detail or "still indexing"
    return PlainAnswer(document, total, following, partial, freshness.stale, hint)


def _among(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError("bad_request", f"{name} must be one of {', '.join(choices)}.", parameter=name)


def _cursor(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal()):
        raise InputError("bad_cursor", f"{cursor!r} is not a cursor.", hint="Pass on the `next` of an answer.")
    return int(cursor)
