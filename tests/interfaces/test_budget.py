"""A budget of tokens: an answer that is too long is cut in stages, says what is missing, and fits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces import text
from cn_daemon.interfaces.budget import CHARACTERS_PER_TOKEN, fitted
from cn_shared.relations import CallersAnswer, RefsAnswer
from cn_shared.surveys import ChangedAnswer, DiagnosticsAnswer, OverviewAnswer
from cn_shared.wire import CodeContext, FindAnswer, InspectAnswer, LineRange, MapAnswer
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
        case CallersAnswer(callers=callers):
            return replace(answer, callers=callers * MANY)
        case MapAnswer(symbols=symbols):
            return replace(answer, symbols=symbols * MANY)
        case ChangedAnswer(files=files):
            return replace(answer, files=files * MANY)
        case OverviewAnswer(symbols=rows):
            return replace(answer, symbols=rows * MANY)
        case DiagnosticsAnswer(diagnostics=found):
            return replace(answer, diagnostics=found * MANY)
    for name in ("callees", "implementations", "subtypes"):
        if hasattr(answer, name):
            return replace(answer, **{name: getattr(answer, name) * MANY})  # type: ignore[type-var]
    raise AssertionError(answer)


LONG = {
    "find": long(FOUND),
    "map": long(MAPPED),
    **{name: long(answer) for name, answer in RELATED.items() if name != "hover"},
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
    assert left_out.endswith(f"the whole answer takes about {-(-size(whole) // CHARACTERS_PER_TOKEN)}")
    assert shown.endswith(left_out + "\n")
    assert answer.outcome() == whole.outcome()


@pytest.mark.parametrize("name", LONG)
def test_what_fits_is_whole(name: str) -> None:
    whole = LONG[name]
    assert fitted(whole, None, size) == (whole, "")
    assert fitted(whole, size(whole), size) == (whole, "")


def test_find_goes_from_code_to_places_to_counts_to_the_total() -> None:
    whole = LONG["find"]
    assert isinstance(whole, FindAnswer)
    seen: dict[str, FindAnswer] = {}
    for tokens in range(size(whole), 20, -100):
        answer, left_out = fitted(whole, tokens, size)
        assert isinstance(answer, FindAnswer)
        seen.setdefault(left_out.partition(" left out")[0], answer)
    assert list(seen) == ["", "lines of code", "places", "places and files"]
    counts = seen["places"]
    assert [(file.file_path, file.total) for file in counts.files or ()] == [("src/app.ts", 400), ("test/user.ts", 200)]
    assert (counts.total, counts.definition) == (3 * MANY, FOUND.definition)


def test_results_of_a_search_lose_their_end() -> None:
    whole = PlainAnswer([{"name": f"command {number}", "summary": "x" * 50} for number in range(50)], total=50)

    def length(answer: Answer) -> int:
        assert isinstance(answer, PlainAnswer)
        return len(str(answer.document))

    answer, left_out = fitted(whole, 200, length)
    assert isinstance(answer, PlainAnswer)
    assert 3 < len(answer.document) < 12
    assert answer.document == whole.document[: len(answer.document)]
    assert left_out.startswith("the last results left out")
    listed = PlainAnswer({"commands": whole.document, "total": 50})
    answer, _ = fitted(listed, 200, length)
    assert isinstance(answer, PlainAnswer)
    assert 3 < len(answer.document["commands"]) < 12
    assert fitted(PlainAnswer({"content": "x" * 5000}), 10, length).left_out == ""


def test_over_http_it_is_a_parameter_of_accept(door: Door) -> None:
    door.services.find.answer = LONG["find"]
    told = door.ask("POST", "/find", json={"query": "User"}, headers={"Accept": "application/json; budget=400"})
    assert len(told.content) <= 400 * CHARACTERS_PER_TOKEN
    assert told.json()["leftOut"].startswith("places left out")
    shown = door.ask("POST", "/find", json={"query": "User"}, headers={"Accept": "text/plain; budget=150"})
    assert "src/app.ts · 400" in shown.text
    for wrong in ("x", "-1", "", "1.5", "9" * 40):
        refused = door.ask("POST", "/find", json={"query": "User"}, headers={"Accept": f"text/plain; budget={wrong}"})
        assert (refused.status_code, "budget" in refused.text) == (400, True)
