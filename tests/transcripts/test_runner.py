"""The transcript runner itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.transcripts.transcript import Step, fenced, matches, parse, run


def test_parse() -> None:
    text = "# said first\n$ one\na\n\nb\n\n$ two\n[exit 1]\n"
    assert parse(text) == [Step("one", ("a", "", "b"), 2), Step("two", ("[exit 1]",), 7)]


def test_fenced() -> None:
    text = "x\n```console\n$ a\n1\n```\n```sh\n$ b\n```\n"
    assert [(line, parse(block, line)) for line, block in fenced(text)] == [(3, [Step("a", ("1",), 3)])]


def test_run(tmp_path: Path) -> None:
    step = Step("pwd; echo seen >&2; exit 3", (), 1)
    assert run(step, tmp_path.resolve(), os.environ) == ["<root>", "seen", "[exit 3]"]


@pytest.mark.parametrize(
    ("expected", "told", "same"),
    [
        (("a.b",), ["a.b"], True),
        (("a.b",), ["axb"], False),
        (("a",), ["a", "b"], False),
        (("pid <number> · <number> MB",), ["pid 12 · 3.5 MB"], True),
        (("pid <number>",), ["pid x"], False),
        (("a", "...", "d"), ["a", "b", "c", "d"], True),
        (("a", "...", "d"), ["a", "d"], True),
        (("a", "..."), ["b", "c"], False),
        ((), [], True),
        ((), ["a"], False),
    ],
)
def test_matches(expected: tuple[str, ...], told: list[str], same: bool) -> None:
    assert matches(expected, told) is same
