"""The names in f- and t-strings are identifiers; what stands around them, and how they are written down, is text."""

from __future__ import annotations

import time

import pytest

from cn_daemon.domain.source.form_table import PYTHON
from cn_daemon.domain.source.forms import mentions, read


def names(text: str) -> list[str]:
    return [text[token.start : token.end] for token in read(text, PYTHON) if token.kind == "name"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('f"a {b.c} d"', ["b", "c"]),
        ('t"{b}" "{c}" d', ["b", "d"]),
        ('Rf"\\{b}\\d{c}"', ["b", "c"]),
        ('f"{{a}} {b!r:>{width}.{digits}} {c!s}"', ["b", "width", "digits", "c"]),
        ("f\"{b['c']:x} {d != e}\"", ["b", "d", "e"]),
        ('f"{b["c"]} {f"{g}"}" h', ["b", "g", "h"]),
        ('f"""\n{a}\n{ {b: c}[d] }\n""" + e', ["a", "b", "c", "d", "e"]),
        ('f"\\N{LATIN SMALL LETTER A}{b} \\"{c}" d', ["b", "c", "d"]),
        ('f"{(lambda x: x)(b)=}" c', ["x", "x", "b", "c"]),
        ('f"{b" + c\nd', ["c", "d"]),
        ('x = f"{\n  a  # {c}\n}"', ["x", "a"]),
        ('rb"{a}" b"{c}" u"{d}"', []),
    ],
)
def test_names_are_those_of_the_code(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_a_mention_has_its_place() -> None:
    text = 'é = f"{total} {x.total:>{total}}"'
    assert [text[start : start + 5] for start in mentions(text, PYTHON, "total")] == ["total"] * 3


def test_strings_that_are_not_closed_are_not_read_again_and_again() -> None:
    def took(count: int) -> float:
        began = time.process_time()
        assert names("f'{" * count + "\n" + "f'''{" * count) == []
        return time.process_time() - began

    assert took(20_000) < 20 * took(2_000) + 1
