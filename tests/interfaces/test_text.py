"""Answers as text, golden: what a person and an agent read."""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest

from cn_daemon.application.ports import Answer
from cn_daemon.interfaces import text
from cn_shared.errors import NotFoundError
from cn_shared.wire import (
    CodeContext,
    Completeness,
    FileCount,
    FindAnswer,
    InspectAnswer,
    LanguageServerStatus,
    LibraryStatus,
    LineRange,
    LocationRef,
    MapAnswer,
    StatusAnswer,
    Undecided,
    UndecidedPlace,
)
from tests import golden
from tests.fakes.services import FOUND, INSPECTED, MAPPED, RELATED, SURVEYED, USER

NONE = FindAnswer(
    Completeness("complete", 1, 1, 0),
    0,
    [],
    references=[],
    hint="No file holds the name.",
    suggestions=["User", "user"],
)
ANSWERS: dict[str, Answer] = {
    "map": MAPPED,
    "map_empty": MapAnswer("src/empty.ts", []),
    "find": FOUND,
    "find_definition": replace(FOUND, references=None, candidates=[]),
    "find_truncated": replace(FOUND, total=512, next="c3", candidates=[]),
    "find_partial": replace(
        FOUND, completeness=Completeness("partial", 1, 2, 3, "test/tsconfig.json was still loading")
    ),
    "find_nothing": NONE,
    "find_unused": replace(FOUND, references=[], total=0, candidates=[]),
    "find_merged": replace(
        FOUND,
        definition=replace(USER, container="shop", external=True, file_path="/usr/lib/lib.d.ts"),
        declarations=[replace(USER, line=30)],
        candidates=[],
    ),
    "find_late": replace(
        FOUND,
        references=[],
        total=0,
        candidates=[],
        completeness=Completeness(
            "partial",
            3,
            97,
            40,
            "time ran out",
            Undecided(640, [UndecidedPlace(**asdict(one)) for one in FOUND.references or ()], unread=2),
        ),
    ),
    "find_open": replace(
        FOUND,
        references=[],
        total=0,
        candidates=[],
        completeness=Completeness(
            "partial",
            0,
            0,
            4,
            "24 mentions of name may be a use as well: the type is not known (src/app.ts:1)",
            Undecided(
                24,
                [
                    UndecidedPlace(**asdict(one), also=also)
                    for one, also in zip(FOUND.references or (), (list(range(10, 30)), [7, 9], None), strict=True)
                ],
                receivers=3,
            ),
        ),
    ),
    "inspect": INSPECTED,
    "inspect_parts": replace(
        INSPECTED,
        completeness=FOUND.completeness,
        members=MAPPED.symbols[1:2],
        callers=[USER],
        implementations=[USER],
        tests=[FileCount("test/user.test.ts", 3)],
    ),
    "inspect_place": InspectAnswer(CodeContext("a.ts", LineRange(1, 1), "x", [], external=True)),
    **RELATED,
    **SURVEYED,
    "refs_partial": replace(RELATED["refs"], completeness=Completeness("partial", 1, 2, 3, "still loading")),
    "status": StatusAnswer(
        root="/home/ann/shop",
        pid=4242,
        port=40001,
        version="0.1.0",
        uptime_s=4000.5,
        memory_bytes=312_345_678,
        log="/home/ann/.local/state/cn/0123456789abcdef.log",
        state_file="/home/ann/shop/.cn-daemon.json",
        language_servers=[
            LanguageServerStatus("typescript", "ready", "5.3.0", "6.0.3", 4250, 250_000_000, 1),
            LanguageServerStatus("native", "failed", detail="installing took too long"),
            LanguageServerStatus("other", "stopped"),
        ],
        libraries=[LibraryStatus("markdown", "ready", 12), LibraryStatus("reports", "indexing", 5019, "200 of 5019")],
        warnings=[".cn.json: 'sever' is not a setting of cn. Did you mean server?"],
        sandbox="off: the kernel, or the container, has no Landlock",
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_text_is_the_golden_one(name: str) -> None:
    golden.check(f"text_{name}.txt", text.render(ANSWERS[name], color=False))


@pytest.mark.parametrize("name", ANSWERS)
def test_colour_changes_no_word(name: str) -> None:
    coloured = text.render(ANSWERS[name], color=True)
    assert re.sub(r"\x1b\[\d*m", "", coloured) == text.render(ANSWERS[name], color=False)
    assert "\x1b[" in coloured


def test_an_error_says_what_to_do() -> None:
    error = NotFoundError("file_not_found", "There is no file usr.ts.", "Did you mean src/user.ts?")
    assert text.error(error, color=False) == (
        "error: There is no file usr.ts. [file_not_found]\nhint: Did you mean src/user.ts?\n"
    )
    assert "\x1b[31merror:\x1b[0m" in text.error(error, color=True)


@pytest.mark.parametrize(
    ("hostile", "visible"),
    [
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("\u202eevil", "\\u202eevil"),
        ("a\rb", "a\\x0db"),
        ("\x9b1m", "\\x9b1m"),
    ],
)
def test_a_files_content_cannot_steer_the_terminal(hostile: str, visible: str) -> None:
    place = LocationRef(hostile, hostile, 1, 1, "Class", hostile, hostile, hostile)
    answers: list[Answer] = [
        MapAnswer(hostile, []),
        FindAnswer(
            Completeness("partial", 1, 1, 1, hostile), 1, [place], place, [place], [place], hostile, hostile, [hostile]
        ),
        InspectAnswer(CodeContext(hostile, LineRange(1, 2), hostile, [hostile], hostile, hostile, None, hostile)),
    ]
    for answer in answers:
        rendered = text.render(answer, color=False)
        assert visible in rendered
        assert hostile not in rendered
    assert hostile not in text.error(NotFoundError("x", hostile, hostile), color=False)


def test_code_keeps_its_tabs_and_loses_its_carriage_returns() -> None:
    answer = InspectAnswer(CodeContext("a.ts", LineRange(1, 2), "\tif (x) {\r\n\t}\r\n", []))
    assert text.render(answer, color=False) == "a.ts:1-2\n\tif (x) {\n\t}\n"
