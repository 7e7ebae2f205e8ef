"""What case files may say, and that a wrong answer is not taken for the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.answers import agree
from tests.cases.case import Case, CaseError, File, Question, read

TOLD = ["definition a.ts:1:14 Class User", "b.ts:1:10", "b.ts:2:5", "candidate c.ts:1:1 Class User", "complete"]


def one(tmp_path: Path, text: str) -> Case:
    file = tmp_path / "one.test"
    file.write_text(text, encoding="utf-8")
    (case,) = read(file)
    return case


@pytest.mark.parametrize(
    "expected",
    [
        ["b.ts:1", "b.ts:2", "complete"],
        ["complete", "b.ts:2:5", "b.ts:1:10"],
        ["definition a.ts:1:14", "b.ts:1", "...", "complete"],
        ["definition a.ts:1:14 Class User", "candidate c.ts:1:1", "...", "complete"],
    ],
)
def test_what_is_told_is_expected(expected: list[str]) -> None:
    assert agree(expected, TOLD)


@pytest.mark.parametrize(
    "expected",
    [
        ["b.ts:1", "complete"],
        ["b.ts:1", "b.ts:2", "b.ts:2", "complete"],
        ["b.ts:1", "b.ts:2", "partial:"],
        ["b.ts:1", "b.ts:2"],
        ["...", "b.ts:3", "complete"],
        ["...", "partial: lead nowhere"],
        ["definition a.ts:1:1", "...", "complete"],
        ["definition a.ts:1:14 Interface", "...", "complete"],
        ["no definition", "...", "complete"],
        ["candidate d.ts:1:1", "...", "complete"],
    ],
)
def test_what_is_told_is_not_expected(expected: list[str]) -> None:
    assert not agree(expected, TOLD)


def test_a_reason_is_a_pattern() -> None:
    told = ["partial: imports of @/a lead nowhere, in b.ts:1 at least"]
    assert agree([r"partial: imports of \S+ lead nowhere"], told)
    assert not agree(["partial: time ran out"], told)
    assert not agree(["complete"], told)


def test_marks_are_places_and_leave_the_text(tmp_path: Path) -> None:
    case = one(
        tmp_path, '== one\n-- a.ts\nexport const 𝒳 = 1, [|x|] = 2;\n-- b.ts\nimport { [!|x|] } from "./a";\n{?x?};\n'
    )
    assert [step.data for step in case.files] == [
        "export const 𝒳 = 1, x = 2;\n".encode(),
        b'import { x } from "./a";\nx;\n',
    ]
    (question,) = [step for step in case.later if isinstance(step, Question)]
    assert (question.query, question.answer) == ("a.ts:1:22", ("a.ts:1:22", "b.ts:1:10", "partial:"))


def test_forms_of_files_and_steps(tmp_path: Path) -> None:
    case = one(
        tmp_path,
        "== one\nservers: native\n-- a.ts [crlf, bom]\nlet a;\n\\> b\n"
        "-- c.ts [no last line end]\nlet c;\n-- l -> a.ts\n"
        "> find a\na.ts:1\ncomplete\n-- c.ts => d.ts\n-- a.ts [deleted]\n> native: find c\ncomplete\n",
    )
    assert case.servers == ("native",)
    assert case.files == [
        File("a.ts", b"\xef\xbb\xbflet a;\r\n> b\r\n"),
        File("c.ts", b"let c;"),
        File("l", link="a.ts"),
    ]
    first, moved, deleted, last = case.later
    assert (moved, deleted) == (File("d.ts", old="c.ts"), File("a.ts"))
    assert isinstance(first, Question)
    assert isinstance(last, Question)
    assert (first.answer, first.server, last.server, last.line) == (("a.ts:1", "complete"), None, "native", 14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-- a.ts\n", "one.test:1: a case begins with"),
        ("== one\n-- a.ts\nlet a;\n", "nothing is asked"),
        ("== one\nservers: tsc\n> find a\n", "there is no server tsc"),
        ("== one\nserver: native\n> find a\n", "one.test:2: neither 'servers:'"),
        ("== one\n-- a.ts [cr]\n> find a\n", "one.test:2: unknown: cr"),
        ("== one\n-- l -> a.ts\nlet a;\n> find a\n", "has no text here"),
        ("== one\n> find\n", "a question is a verb"),
        ("== one\n> find a\n== one\n> find b\n", "another case of this title"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "one.test"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError, match=words):
        read(file)


def test_what_is_wrong_today_must_not_pass(tmp_path: Path) -> None:
    case = one(tmp_path, "== one\nwrong today: it says nothing\n-- a.ts\nlet a;\n> find a\ncomplete\n")
    assert case.why_wrong == "it says nothing"


def test_only_what_servers_answer_is_asked_of_each(tmp_path: Path) -> None:
    case = one(tmp_path, "== one\n-- a.ts\nlet a;\n> find a\ncomplete\n")
    assert case.servers == ("typescript",)
    case = one(tmp_path, "== one\n-- a.ts\nlet a;\n> hover a\ncomplete\n")
    assert case.servers == ("typescript", "native")
