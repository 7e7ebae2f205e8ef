"""A budget of tokens: an answer that is too long is cut in stages, says what is missing, and fits."""

from __future__ import annotations

import re
import shlex
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_client.invocation import read
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces import text
from cn_daemon.interfaces.budget import CHARACTERS_PER_TOKEN, fitted
from cn_daemon.interfaces.replies import json_bytes
from cn_daemon.interfaces.typed import typed
from cn_shared.relations import (
    CalleesAnswer,
    CallersAnswer,
    FileUses,
    HoverAnswer,
    RefsAnswer,
    Relative,
    TypesAnswer,
    Use,
)
from cn_shared.surveys import ChangedAnswer, DiagnosticsAnswer, GrepAnswer, OverviewAnswer
from cn_shared.wire import (
    CodeContext,
    Completeness,
    FileCount,
    FindAnswer,
    InspectAnswer,
    LineRange,
    MapAnswer,
    Undecided,
    UndecidedPlace,
    document,
)
from tests.fakes.door import Door
from tests.fakes.services import FOUND, MAPPED, RELATED, SURVEYED

MANY = 200


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def size(answer: Answer) -> int:
    return len(text.render(answer, color=False))


def long(answer: Answer) -> Answer:
    """The same, with many of what it lists."""
    match answer:
        case FindAnswer(references=references):
            return replace(answer, references=(references or []) * MANY, total=3 * MANY)
        case RefsAnswer(files=files):
            return replace(answer, files=files * MANY)
        case GrepAnswer(files=files):
            return replace(answer, files=files * MANY)
        case CallersAnswer(callers=callers):
            return replace(answer, callers=callers * MANY, total=len(callers) * MANY)
        case MapAnswer(symbols=symbols):
            return replace(answer, symbols=symbols * MANY)
        case ChangedAnswer(files=files):
            return replace(answer, files=files * MANY)
        case OverviewAnswer(symbols=rows):
            return replace(answer, symbols=rows * MANY)
        case DiagnosticsAnswer(diagnostics=found):
            return replace(answer, diagnostics=found * MANY, total=len(found) * MANY)
        case HoverAnswer():
            return replace(answer, documentation="What it does. " * 4 * MANY)
    for name in ("callees", "implementations", "subtypes"):
        if hasattr(answer, name):
            return replace(answer, **{name: getattr(answer, name) * MANY})  # type: ignore[type-var]
    raise AssertionError(answer)


LONG = {
    "find": long(FOUND),
    "map": long(MAPPED),
    **{name: long(answer) for name, answer in RELATED.items()},
    **{name: long(answer) for name, answer in SURVEYED.items()},
    "inspect": InspectAnswer(CodeContext("a.ts", LineRange(1, 900), "const a = 1;\n" * 900, ["a"] * 300)),
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("tokens", [1000, 300, 120])
def test_what_is_too_long_is_cut_and_says_so(name: str, tokens: int) -> None:
    whole = LONG[name]
    assert size(whole) > 1000 * CHARACTERS_PER_TOKEN
    answer, left_out = fitted(whole, tokens, size)
    shown = text.render(answer, color=False, left_out=left_out)
    assert len(shown) <= tokens * CHARACTERS_PER_TOKEN
    assert left_out.endswith(f"; all of it takes about {-(-size(whole) // CHARACTERS_PER_TOKEN)}")
    assert shown.endswith(left_out + "\n")
    assert answer.outcome() == whole.outcome()


@pytest.mark.parametrize("name", LONG)
def test_what_fits_is_whole(name: str) -> None:
    whole = LONG[name]
    assert fitted(whole, None, size) == (whole, "")
    assert fitted(whole, size(whole), size) == (whole, "")


def test_find_goes_from_code_to_places_to_fewer_of_them() -> None:
    whole = LONG["find"]
    assert isinstance(whole, FindAnswer)
    seen: dict[str, FindAnswer] = {}
    for tokens in range(size(whole), 150, -100):
        answer, left_out = fitted(whole, tokens, size, first=0)
        assert isinstance(answer, FindAnswer)
        seen.setdefault(re.split(r" left out| \(", left_out)[0], answer)
    assert list(seen) == ["", "lines of code", "the last places"]
    assert seen["lines of code"].next is whole.next
    shown = len(seen["the last places"].references or ())
    assert 0 < shown < 3 * MANY
    assert (seen["the last places"].next, seen["the last places"].definition) == (str(shown), FOUND.definition)
    tiny, left_out = fitted(whole, 1, size, first=0)
    assert left_out.startswith(f"other symbols and the last places ({3 * MANY - 1} of {3 * MANY})")
    assert isinstance(tiny, FindAnswer)
    assert (len(tiny.references or ()), tiny.candidates, tiny.next) == (1, [], "1")


def test_results_of_a_search_lose_their_end() -> None:
    whole = PlainAnswer([{"name": f"command {number}", "summary": "x" * 50} for number in range(50)], total=50)

    def length(answer: Answer) -> int:
        assert isinstance(answer, PlainAnswer)
        return len(str(answer.document))

    answer, left_out = fitted(whole, 200, length)
    assert isinstance(answer, PlainAnswer)
    shown = len(answer.document)
    assert 3 < shown < 12
    assert answer.document == whole.document[:shown]
    assert left_out.startswith(f"the last results ({50 - shown} of 50) left out")
    listed = PlainAnswer({"commands": whole.document, "total": 50})
    answer, _ = fitted(listed, 200, length)
    assert isinstance(answer, PlainAnswer)
    assert 3 < len(answer.document["commands"]) < 12
    assert fitted(PlainAnswer({"content": "x" * 5000}), 10, length).left_out == ""


PAGED = {
    "map": ("symbols", MapAnswer),
    "find": ("references", FindAnswer),
    "callers": ("callers", CallersAnswer),
    "callees": ("callees", CalleesAnswer),
    "diagnostics": ("diagnostics", DiagnosticsAnswer),
}
PLACES = 151


def page(name: str, first: int, limit: int) -> Answer:
    """What a use case answers for that cursor and limit, of 151 places that differ in their line alone."""
    lines = range(first + 1, min(first + limit, PLACES) + 1)
    more = str(first + limit) if first + limit < PLACES else None
    if name == "search":
        # The last page of a search knows neither how many there are nor where it began.
        return PlainAnswer([{"canonical_id": f"md:{line}", "summary": "x" * (line % 90)} for line in lines], next=more)
    if name == "commands":
        rows = [{"canonical_id": f"md:{line}", "summary": "x" * (line % 90)} for line in lines]
        document = {"commands": rows, "total": PLACES, **({"next": more} if more else {})}
        return PlainAnswer(document, PLACES, more)
    if name == "refs":
        whole = RELATED["refs"]
        assert isinstance(whole, RefsAnswer)
        by_file: dict[str, list[Use]] = {}
        for line in lines:
            by_file.setdefault(f"src/f{line // 7}.ts", []).append(
                Use(f"ref::a.ts::{line}::1", line, "call", "x" * (line % 90))
            )
        files = [FileUses(path, 7, uses) for path, uses in by_file.items()]
        return replace(whole, files=files, total=PLACES, next=more)
    key, _ = PAGED[name]
    source: Any = {"find": FOUND, "map": MAPPED, **RELATED, **SURVEYED}[name]
    one: Any = (getattr(source, key) or [])[0]
    numbered = [
        replace(one, symbol=replace(one.symbol, line=line, name="n" * (line % 40)))
        if name in ("callers", "callees")
        else replace(one, line=line, id=f"ref::a.ts::{line}::1")
        for line in lines
    ]
    total = PLACES if name != "map" or first or more else None
    return replace(source, **{key: numbered, "total": total, "next": more})  # type: ignore[no-any-return]


def lines_of(name: str, answer: Any) -> list[int]:
    if name in ("search", "commands"):
        rows = answer.document if name == "search" else answer.document["commands"]
        return [int(row["canonical_id"].removeprefix("md:")) for row in rows]
    if name == "refs":
        return [use.line for file in answer.files for use in file.uses]
    rows = getattr(answer, PAGED[name][0])
    return [row.symbol.line if name in ("callers", "callees") else row.line for row in rows]


@given(
    name=st.sampled_from([*PAGED, "refs", "search", "commands"]),
    tokens=st.integers(1, 3000),
    limit=st.integers(1, 200),
    shape=st.sampled_from(["text", "json"]),
)
def test_whoever_follows_the_cursors_sees_each_place_once(name: str, tokens: int, limit: int, shape: str) -> None:
    """The cursor of an answer that a budget cut passed over all that the cut had left out."""

    def long_as(answer: Answer) -> int:
        if shape == "text":
            return len(text.render(answer, color=False, verb=name))
        return len(json_bytes(answer.document if isinstance(answer, PlainAnswer) else document(answer)))

    seen: list[int] = []
    first = 0
    while True:
        answer: Any
        answer, left_out = fitted(page(name, first, limit), tokens, long_as, first=first)
        seen += lines_of(name, answer)
        if answer.next is None:
            break
        if shape == "text":
            assert f"more: --cursor {answer.next}" in text.render(answer, color=False, verb=name)
        if name == "commands":
            assert answer.document["next"] == answer.next
        assert left_out or int(answer.next) == first + limit
        assert int(answer.next) > first
        first = int(answer.next)
    assert seen == list(range(1, PLACES + 1))


def test_the_cursor_goes_on_behind_the_last_place_that_was_shown(door: Door) -> None:
    """By HTTP, as text and as JSON; with the cursor of the call before counted in."""
    door.services.find.answer = page("find", 40, 60)
    told = door.ask(
        "POST", "/find", json={"query": "User", "cursor": "40"}, headers={"Accept": "application/json; budget=200"}
    )
    assert told.json()["next"] == str(40 + len(told.json()["references"])) != "100"
    shown = door.ask(
        "POST", "/find", json={"query": "User", "cursor": "40"}, headers={"Accept": "text/plain; budget=200"}
    )
    lines = re.findall(r"^  (\d+):17", shown.text, re.MULTILINE) or re.findall(
        r"^  (\d+):\d+$", shown.text, re.MULTILINE
    )
    assert f"more: --cursor {lines[-1]}\n" in shown.text


def test_a_number_of_what_was_cut_is_not_told_as_all() -> None:
    for name in ("impls", "types", "map", "changed"):
        answer, _ = fitted(LONG[name], 200, size)
        assert re.search(r"\d+ (\w+ )?(in \d+ files? )?shown\b", text.render(answer, color=False)), name
        assert " shown" not in text.render(LONG[name], color=False)


def test_a_deep_tree_loses_its_levels_before_its_first_types() -> None:
    whole = RELATED["types"]
    assert isinstance(whole, TypesAnswer)
    one = whole.subtypes[0]
    below = [replace(one, further=[Relative(one.symbol, one.relation)] * 2 * MANY)] * 3
    answer, left_out = fitted(replace(whole, subtypes=below), 400, size)
    assert isinstance(answer, TypesAnswer)
    assert ([len(one.further) for one in answer.subtypes], left_out.partition(" left")[0]) == (
        [0] * 3,
        "further levels",
    )


def test_the_code_is_cut_before_the_parts_that_were_asked_for() -> None:
    whole = replace(LONG["inspect"], tests=[FileCount("test/user.ts", 3)])  # type: ignore[type-var]
    answer, left_out = fitted(whole, 200, size)
    assert isinstance(answer, InspectAnswer)
    assert answer.tests == [FileCount("test/user.ts", 3)]
    assert answer.result.code.startswith("const a = 1;\nconst a")
    assert left_out.startswith("the end of the code (")


def test_the_command_that_shows_the_rest_is_told_word_for_word(door: Door) -> None:
    door.services.find.answer = LONG["find"]
    asked = {"query": "a b.User", "limit": 0, "mode": "both"}
    for accept in ("application/json", "text/plain"):
        told = door.ask("POST", "/find", json=asked, headers={"Accept": f"{accept}; budget=300"})
        sentence = told.text.strip() if "plain" in accept else told.json()["leftOut"]
        command = sentence.rpartition(" takes about ")[2].partition(": ")[2]
        assert command == "cn find 'a b.User' --limit 0"
        call = read(shlex.split(command)[1:])
        assert call is not None
        assert (call.verb.name, call.parameters) == ("find", {"query": "a b.User", "limit": 0})


def test_a_command_is_typed_where_the_caller_stands(tmp_path: Path) -> None:
    inspected = {"target_id": "a.ts#B", "expand": "block", "lines": 5, "parts": ["callers", "tests"], "server": "auto"}
    inside = typed("inspect", inspected, tmp_path, tmp_path / "src")
    assert inside == "cn inspect 'a.ts#B' --with callers --with tests"
    outside = typed("diagnostics", {"files": ["a.ts", "b c.ts"], "limit": 5}, tmp_path, tmp_path.parent)
    assert outside == f"cn diagnostics --root {tmp_path} a.ts 'b c.ts' --limit 5"
    assert (
        typed("reports list", {"command": "x", "limit": 9}, tmp_path, None) == "cn reports list --command x --limit 9"
    )
    assert typed("search", {"query": "x", "fields": True, "top": None}, tmp_path, None) == "cn search x --fields"
    # Asked again it would do it again.
    assert typed("invoke", {"command_id": "x"}, tmp_path, None) == ""


def test_over_http_it_is_a_parameter_of_accept(door: Door) -> None:
    door.services.find.answer = LONG["find"]
    told = door.ask("POST", "/find", json={"query": "User"}, headers={"Accept": "application/json; budget=400"})
    assert len(told.content) <= 400 * CHARACTERS_PER_TOKEN
    assert told.json()["leftOut"].startswith("the last places (")
    shown = door.ask("POST", "/find", json={"query": "User"}, headers={"Accept": "text/plain; budget=150"})
    assert len(shown.content) <= 150 * CHARACTERS_PER_TOKEN
    for wrong in ("x", "-1", "", "1.5", "9" * 40):
        refused = door.ask("POST", "/find", json={"query": "User"}, headers={"Accept": f"text/plain; budget={wrong}"})
        assert (refused.status_code, "budget" in refused.text) == (400, True)


@pytest.mark.parametrize("tokens", [60, 200, 2000])
def test_what_is_not_decided_is_left_out_before_what_is(tokens: int) -> None:
    places = [UndecidedPlace(**asdict(one)) for one in FOUND.references or ()] * MANY
    completeness = Completeness("partial", 3, 97, 40, "time ran out", Undecided(len(places), places))
    cut = fitted(replace(FOUND, completeness=completeness), tokens, size)
    assert isinstance(cut.answer, FindAnswer)
    assert cut.answer.completeness.undecided == Undecided(len(places), [])
    assert cut.left_out.startswith("the mentions that are not decided")
    assert len(text.render(cut.answer, color=False)) <= max(tokens, 110) * CHARACTERS_PER_TOKEN
    assert cut.answer.references
    assert (cut.answer.references == FOUND.references) == (tokens > 100)
