"""inspect, with what hangs together with the symbol: members, callers, implementations, the tests that touch it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from cn_daemon.application.locations import Locations
from cn_daemon.application.navigation import Navigation, row
from cn_daemon.application.ports import Call
from cn_daemon.application.question import WorkspaceSession, parse_query
from cn_daemon.application.relations.impls import Implementations
from cn_daemon.application.relations.mentions import Mention, Mentions
from cn_daemon.domain.declarations.symbols import Symbol, is_test
from cn_shared.errors import InputError
from cn_shared.wire import FileCount, InspectAnswer, LocationRef, SymbolRow

PARTS = ("members", "callers", "impls", "tests")
# Of each part; the verbs of their own list all.
SHOWN = 10


class _Uses(NamedTuple):
    """callers: those outside of tests, most calls first. tests: by file."""

    callers: list[LocationRef]
    tests: list[FileCount]


class Portrait:
    """The use case `inspect`, over the same session as find."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._session = session

    async def inspect(
        self,
        call: Call,
        target_id: str,
        expand: str = "block",
        lines: int = 5,
        parts: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        server: str = "auto",
    ) -> InspectAnswer:
        """The code of a symbol or around a place (spec §3.2 C, §4.4), and the further `parts` that are wanted."""
        wanted = _wanted(parts or (), without or ())
        answer = await Navigation(self._session).inspect(call, target_id, expand, lines, server)
        if not wanted:
            return answer
        return await self._session.retry_on_restart(lambda: self._with(call, target_id, server, answer, wanted))

    async def _with(
        self, call: Call, target_id: str, server: str, answer: InspectAnswer, wanted: set[str]
    ) -> InspectAnswer:
        query = parse_query(target_id)
        question, resolution = await self._session.resolved(call, query, server)
        symbol = resolution.symbol
        if symbol is None:
            return answer
        members = _members(symbol, question.locations) if "members" in wanted else None
        callers = tests = implementations = completeness = None
        if wanted & {"callers", "tests"}:
            uses = await question.references.uses(symbol, None)
            mentions = Mentions(question)
            found = await mentions.of(mentions.ordered(uses.hits))
            users = _users(symbol, found, mentions.calling(symbol, found), question.locations)
            completeness = uses.completeness
            callers = users.callers if "callers" in wanted else None
            tests = users.tests if "tests" in wanted else None
        if "impls" in wanted:
            relation = Implementations(question)
            implementations = (await relation.of(symbol))[:SHOWN]
            if completeness is None or completeness.status == "complete":
                completeness = relation.completeness
        doubt = answer.completeness.reason or "" if answer.completeness else ""
        return replace(
            answer,
            completeness=completeness.doubted(doubt) if completeness else answer.completeness,
            members=members,
            callers=callers,
            implementations=implementations,
            tests=tests,
        )


def _wanted(parts: Sequence[str], without: Sequence[str]) -> set[str]:
    """Raises InputError (`unknown_part`)."""
    for part in (*parts, *without):
        if part not in (*PARTS, "all"):
            known = ", ".join((*PARTS, "all"))
            raise InputError("unknown_part", f"inspect has no part {part!r}.", hint=f"Its parts are {known}.")
    chosen = set(PARTS) if "all" in parts or (without and not parts) else set(parts)
    return chosen - (set(PARTS) if "all" in without else set(without))


def _members(symbol: Symbol, locations: Locations) -> list[SymbolRow]:
    return [
        row(locations.relative(one.path), one)
        for declaration in symbol.declarations
        for one in declaration.children
        if not one.local
    ]


def _users(symbol: Symbol, mentions: Iterable[Mention], calling: Iterable[Mention], locations: Locations) -> _Uses:
    callers: dict[str, tuple[LocationRef, int]] = {}
    tests = Counter(path for one in mentions if is_test(path := locations.relative(one.hit.path)))
    for one in calling:
        if one.within is not None and one.within is not symbol.main and not is_test(locations.relative(one.hit.path)):
            ref = locations.declaration(one.within)
            callers[ref.id] = (ref, callers.get(ref.id, (ref, 0))[1] + 1)
    most = sorted(callers.values(), key=lambda found: -found[1])
    return _Uses([ref for ref, _ in most[:SHOWN]], [FileCount(path, total) for path, total in tests.items()][:SHOWN])
