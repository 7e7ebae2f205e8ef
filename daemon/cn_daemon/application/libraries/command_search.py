"""One search over all sources: the ranking that was asked for, as rows of a command and why it is there."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from cn_daemon.application.libraries.library import Library
from cn_daemon.application.libraries.library_ports import ReportStore, Usage
from cn_daemon.application.libraries.remembered import Remembered
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.domain.libraries.ranking import bm25, cosine, fuzzy, tfidf, tiers
from cn_daemon.domain.libraries.ranking.exact import named_in
from cn_daemon.domain.libraries.ranking.fusion import fused
from cn_daemon.domain.libraries.ranking.use import Use, raised
from cn_daemon.domain.libraries.ranking.words import terms
from cn_daemon.domain.libraries.reports import ReportQuery, spelled
from cn_shared.errors import CnError

RANKINGS = ("best", "cosine", "bm25", "tfidf", "fuzzy", "tiers")
EXACT = 100
_REPORTS_ASKED = 20
# Of each of several phrasings, whatever page is asked for: on all pages the order is one.
FUSED_AMONG = 1000
_RAISED_AMONG = 20


class Row(NamedTuple):
    """relevance: 0–100. score: the ranking's own, for those that have one. tier: 1 names, 2 contents, 3 reports."""

    command: Command
    relevance: int
    reason: str
    score: float = 0.0
    tier: int = 2


class Result(NamedTuple):
    """rows: best first. wanted: the query's terms, for excerpts. corrected: what was corrected as a slip.
    excerpts: by canonical id, those that were built already. total: how many commands hold something of the query."""

    rows: list[Row]
    wanted: frozenset[str]
    corrected: dict[str, str]
    excerpts: dict[str, str]
    total: int | None = None


class CommandSearch:
    """The rankings over the library as it stands; repeated questions are answered from memory."""

    def __init__(self, library: Library, reports: ReportStore, usage: Usage) -> None:
        self._library = library
        self._reports = reports
        self._usage = usage
        self._answers: Remembered[_Answer] = Remembered()
        self._names: tuple[int, dict[str, list[Command]]] = (-1, {})
        self._haystacks: tuple[int, list[tuple[str, str]]] = (-1, [])

    async def search(
        self,
        query: str,
        ranking: str,
        commands: Callable[[Command], bool],
        scope: str,
        limit: int,
        deadline: float,
        *,
        identifiers: bool = False,
    ) -> Result:
        """The best `limit` commands. commands, scope: which count, and a name for that choice. identifiers: tfidf
        reads them too."""
        if identifiers and ranking == "tfidf":
            ranking = "tfidf of all"
        generation = self._library.generation, self._reports.generation, self._usage.generation, date.today()
        question = query, ranking, scope, limit
        known = self._answers.get(generation, question)
        if known is None:
            known = _Answer(await self._search(query, ranking, commands, limit, deadline))
            self._answers.put(generation, question, known)
        return known.result

    async def _search(
        self, query: str, ranking: str, counts: Callable[[Command], bool], limit: int, deadline: float
    ) -> Result:
        corrected: dict[str, str] = {}
        text = query
        if ranking in ("best", "tiers"):
            text, corrected = self._library.index.corrected(query, with_bodies=ranking == "tiers")
        exact, alone = self._exact(query, counts) if ranking in ("best", "tiers") else ([], False)
        rows = [Row(command, EXACT, f"exact name: {command.name}", tier=1) for command in exact]
        if not alone:
            first = {command.canonical_id for command in exact}
            found = await self._ranked(text, ranking, counts, limit, deadline)
            rows += [row for row in found if row.command.canonical_id not in first]
            if ranking == "best" and len(rows) < tiers.REPORTS_BELOW:
                rows += await self._of_reports(text, counts, {row.command.canonical_id for row in rows}, deadline)
        total = len(rows) if len(rows) < limit else None
        return Result(rows[:limit], frozenset(terms(text)), corrected, {}, total)

    def _exact(self, query: str, counts: Callable[[Command], bool]) -> tuple[list[Command], bool]:
        generation, names = self._names
        if generation != self._library.generation:
            names = {}
            for command in self._library.commands():
                for name in typed_names(command):
                    names.setdefault(name, []).append(command)
            self._names = self._library.generation, names
        found, alone = named_in(query, names)
        called = [command for command in found or () if counts(command)]
        return called, alone and bool(called)

    async def _ranked(
        self, query: str, ranking: str, counts: Callable[[Command], bool], limit: int, deadline: float
    ) -> list[Row]:
        if ranking == "best":
            return self._best(query, counts, limit, await self._usage.uses())
        if ranking == "tiers":
            return await self._tiers(query, counts, limit, deadline)
        if ranking == "fuzzy":
            return self._fuzzy(query, counts)
        commands = [command for command in self._library.commands() if counts(command)]
        targets = [command.description if ranking == "tfidf" else searched_text(command) for command in commands]
        rank = {"cosine": cosine.rank, "bm25": bm25.rank}.get(ranking, tfidf.rank)
        found = rank(query, targets)
        # A cosine is 1 at most; a sum of weights has no end, and is given relative to the best.
        top = max(1.0, found[0][1]) if found else 1.0
        tier = _tiers(query)
        return [
            Row(commands[at], min(99, round(100 * score / top)), "shared words", score, tier(commands[at]))
            for at, score in found
        ]

    def _best(self, query: str, counts: Callable[[Command], bool], limit: int, uses: Mapping[str, Use]) -> list[Row]:
        index, rows, tier = self._library.index, [], _tiers(query)
        # Where only some commands count, and where use may raise one, more are ranked than are wanted.
        most = limit + _RAISED_AMONG if uses else limit
        for hit in index.search(query, most if counts is everything else len(index)):
            command = self._library.command(hit.key)
            if counts(command):
                reason = f"holds {round(100 * hit.matched)} % of the query"
                rows.append(Row(command, hit.relevance, reason, hit.score, tier(command)))
                if len(rows) == most:
                    break
        if uses:
            today = date.today()
            rows.sort(key=lambda row: -raised(row.score, uses.get(row.command.canonical_id), today))
        return rows[:limit]

    def _fuzzy(self, query: str, counts: Callable[[Command], bool]) -> list[Row]:
        generation, pairs = self._haystacks
        commands = self._library.commands()
        if generation != self._library.generation:
            pairs = [(command.canonical_id, fuzzy.haystack(command)) for command in commands]
            self._haystacks = self._library.generation, pairs
        chosen = [at for at, command in enumerate(commands) if counts(command)]
        found = fuzzy.rank(query, [pairs[at] for at in chosen])
        top, tier = max(1, found[0][1]) if found else 1, _tiers(query)
        rows = [(commands[chosen[at]], score) for at, score in found]
        return [
            Row(command, max(0, min(99, round(99 * score / top))), "letters in order", score, tier(command))
            for command, score in rows
        ]

    async def _tiers(self, query: str, counts: Callable[[Command], bool], limit: int, deadline: float) -> list[Row]:
        order = {hit.key: at for at, hit in enumerate(self._library.index.search(query, len(self._library.index)))}
        found = self._by_holding(query, counts, order, names=True)
        if len(found) < tiers.CONTENTS_BELOW:
            known = {row.key for row in found}
            found += [row for row in self._by_holding(query, counts, order, names=False) if row.key not in known]
        if len(found) < tiers.REPORTS_BELOW:
            known = {row.key for row in found}
            found += [row for row in await self._by_reports(query, counts, deadline) if row.key not in known]
        return self._rows(found[:limit])

    async def _of_reports(
        self, query: str, counts: Callable[[Command], bool], known: set[str], deadline: float
    ) -> list[Row]:
        """The commands that past reports name, of those that are not known; none when there are no such reports."""
        try:
            found = self._rows(await self._by_reports(query, counts, deadline))
        except CnError:  # the index of reports did not answer: what is found without it is an answer
            return []
        return [row for row in found if row.command.canonical_id not in known]

    def _rows(self, found: Sequence[tiers.Tiered]) -> list[Row]:
        rows = [(row, self._library.command(row.key)) for row in found]
        return [Row(command, row.relevance, row.reason, tier=row.tier) for row, command in rows]

    def _by_holding(
        self, query: str, counts: Callable[[Command], bool], order: Mapping[Hashable, int], *, names: bool
    ) -> list[tiers.Tiered]:
        index, command, wanted = self._library.index, self._library.command, tiers.keywords(query)
        holders = {word: [key for key in index.holders(word, names=names) if counts(command(key))] for word in wanted}
        return tiers.by_holding(wanted, holders, 1 if names else 2, tiers.said(query), order)

    async def _by_reports(self, query: str, counts: Callable[[Command], bool], deadline: float) -> list[tiers.Tiered]:
        owners = {spelled(command.name): key for key, command in self._library.keyed() if counts(command)}
        hits = await self._reports.search(ReportQuery(query), _REPORTS_ASKED, min(deadline, time.monotonic() + 2))
        return tiers.by_reports(
            [
                (owners[name], hit.relevance, hit.report.date, hit.report.path)
                for hit in hits
                if (name := spelled(hit.report.command_name)) in owners
            ]
        )


class _Answer(NamedTuple):
    """A result that is as long as its rows."""

    result: Result

    def __len__(self) -> int:
        return len(self.result.rows)


def _tiers(query: str) -> Callable[[Command], int]:
    """Which tier a command of an answer is of: 1 when its name holds half of what the query asks for."""
    wanted = tiers.keywords(query)

    def tier(command: Command) -> int:
        name = set(terms(command.name))
        return 1 if sum(word in name for word in wanted) >= tiers.HALF * len(wanted) else 2

    return tier


def together(results: Sequence[Result], limit: int) -> Result:
    """The best `limit` of one question's phrasings, of which each was searched for with the same limit."""
    if len(results) == 1:
        return results[0]
    rows = [result.rows for result in results]
    return Result(
        fused(rows, lambda row: row.command.canonical_id, lambda row: row.relevance)[:limit],
        frozenset().union(*(result.wanted for result in results)),
        {slip: word for result in results for slip, word in result.corrected.items()},
        {},
        len({row.command.canonical_id for row in itertools.chain(*rows)}),
    )


def everything(command: Command) -> bool:
    """The choice that leaves nothing out."""
    return True


def searched_text(command: Command) -> str:
    """What cosine compares: "c1 c2 c3 description" (specs/climpt-command-operations), or the name instead."""
    if command.climpt is not None:
        return f"{' '.join(command.climpt.identity)} {command.description}"
    return f"{command.name} {command.description}"


def typed_names(command: Command) -> set[str]:
    """What calls this command when it is typed, lower-cased."""
    names = {command.canonical_id.lower(), command.name.lower(), *map(str.lower, command.aliases)}
    if command.climpt is not None:
        identity = command.climpt.identity
        names |= {
            " ".join(identity).strip().lower(),
            " ".join(identity[1:]).strip().lower(),
            "/".join(identity).lower(),
        }
    elif command.source == "markdown":
        names.add(command.name.lower().replace("/", ":"))
    return names - {""}
