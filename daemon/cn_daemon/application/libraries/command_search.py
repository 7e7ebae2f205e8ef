"""One search over all sources: the ranking that was asked for, as rows of a command and why it is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from cn_daemon.application.libraries.library import Library
from cn_daemon.application.libraries.library_ports import ReportStore
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.domain.libraries.ranking import cosine, fuzzy, tfidf, tiers
from cn_daemon.domain.libraries.ranking.exact import named_in
from cn_daemon.domain.libraries.ranking.fusion import fused
from cn_daemon.domain.libraries.ranking.words import terms
from cn_daemon.domain.libraries.reports import ReportQuery, spelled

RANKINGS = ("best", "cosine", "tfidf", "fuzzy", "tiers")
EXACT = 100
_REMEMBERED = 256
_REPORTS_ASKED = 20
# Of each of several phrasings, whatever page is asked for: on all pages the order is one.
FUSED_AMONG = 1000


class Row(NamedTuple):
    """relevance: 0–100. score: the ranking's own, for the rankings that have one. tier: 1–3 or 0."""

    command: Command
    relevance: int
    reason: str
    score: float = 0.0
    tier: int = 0


class Result(NamedTuple):
    """rows: best first. wanted: the query's terms, for excerpts. corrected: what was taken for a slip.
    excerpts: by canonical id, those that were made already."""

    rows: list[Row]
    wanted: frozenset[str]
    corrected: dict[str, str]
    excerpts: dict[str, str]


class CommandSearch:
    """The rankings over the library as it stands; repeated questions are answered from memory."""

    def __init__(self, library: Library, reports: ReportStore) -> None:
        self._library = library
        self._reports = reports
        self._answers: dict[tuple[object, ...], Result] = {}
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
        key = (self._library.generation, query, ranking, scope, limit)
        known = self._answers.get(key)
        if known is None:
            known = await self._search(query, ranking, commands, limit, deadline)
            if len(self._answers) >= _REMEMBERED:
                self._answers.clear()
            if ranking != "tiers":  # its third tier hangs on reports, which have their own changes
                self._answers[key] = known
        return known

    async def _search(
        self, query: str, ranking: str, counts: Callable[[Command], bool], limit: int, deadline: float
    ) -> Result:
        corrected: dict[str, str] = {}
        text = query
        if ranking in ("best", "tiers"):
            text, corrected = self._library.index.corrected(query, whole=ranking == "tiers")
        exact, alone = self._exact(query, counts) if ranking in ("best", "tiers") else ([], False)
        rows = [Row(command, EXACT, f"exact name: {command.name}", tier=1) for command in exact]
        if not alone:
            first = {command.canonical_id for command in exact}
            found = await self._ranked(text, ranking, counts, limit, deadline)
            rows += [row for row in found if row.command.canonical_id not in first]
        return Result(rows[:limit], frozenset(terms(text)), corrected, {})

    def _exact(self, query: str, counts: Callable[[Command], bool]) -> tuple[list[Command], bool]:
        generation, names = self._names
        if generation != self._library.generation:
            names = {}
            for command in self._library.commands():
                for name in spoken_names(command):
                    names.setdefault(name, []).append(command)
            self._names = self._library.generation, names
        found, alone = named_in(query, names)
        called = [command for command in found or () if counts(command)]
        return called, alone and bool(called)

    async def _ranked(
        self, query: str, ranking: str, counts: Callable[[Command], bool], limit: int, deadline: float
    ) -> list[Row]:
        if ranking == "best":
            return self._best(query, counts, limit)
        if ranking == "tiers":
            return await self._tiers(query, counts, limit, deadline)
        if ranking == "fuzzy":
            return self._fuzzy(query, counts)
        commands = [command for command in self._library.commands() if counts(command)]
        targets = [command.description if ranking == "tfidf" else searched_text(command) for command in commands]
        rank = cosine.rank if ranking == "cosine" else tfidf.rank
        return [Row(commands[at], round(100 * score), "shared words", score) for at, score in rank(query, targets)]

    def _best(self, query: str, counts: Callable[[Command], bool], limit: int) -> list[Row]:
        index, rows = self._library.index, []
        # Where only some commands count, more are ranked than are wanted.
        for hit in index.search(query, limit if counts is everything else len(index)):
            command = self._library.command(hit.key)
            if counts(command):
                rows.append(Row(command, hit.relevance, f"holds {round(100 * hit.matched)} % of the query", hit.score))
                if len(rows) == limit:
                    break
        return rows

    def _fuzzy(self, query: str, counts: Callable[[Command], bool]) -> list[Row]:
        generation, pairs = self._haystacks
        commands = self._library.commands()
        if generation != self._library.generation:
            pairs = [(command.canonical_id, fuzzy.haystack(command)) for command in commands]
            self._haystacks = self._library.generation, pairs
        chosen = [at for at, command in enumerate(commands) if counts(command)]
        found = fuzzy.rank(query, [pairs[at] for at in chosen])
        top = max(1, found[0][1]) if found else 1
        return [
            Row(commands[chosen[at]], max(0, min(99, round(99 * score / top))), "letters in order", score)
            for at, score in found
        ]

    async def _tiers(self, query: str, counts: Callable[[Command], bool], limit: int, deadline: float) -> list[Row]:
        order = {hit.key: at for at, hit in enumerate(self._library.index.search(query, len(self._library.index)))}
        found = self._held(query, counts, order, names=True)
        if len(found) < tiers.CONTENTS_BELOW:
            known = {row.key for row in found}
            found += [row for row in self._held(query, counts, order, names=False) if row.key not in known]
        if len(found) < tiers.REPORTS_BELOW:
            known = {row.key for row in found}
            found += [row for row in await self._by_reports(query, counts, deadline) if row.key not in known]
        rows = [(row, self._library.command(row.key)) for row in found]
        return [Row(command, row.relevance, row.reason, tier=row.tier) for row, command in rows[:limit]]

    def _held(
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
    )


def everything(command: Command) -> bool:
    """The choice that leaves nothing out."""
    return True


def searched_text(command: Command) -> str:
    """What cosine compares: "c1 c2 c3 description" (specs/climpt-command-operations), or the name instead."""
    if command.climpt is not None:
        return f"{' '.join(command.climpt.identity)} {command.description}"
    return f"{command.name} {command.description}"


def spoken_names(command: Command) -> set[str]:
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
