"""Whose parameter a member is taken of, and which function it is given to."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.callbacks import taker_of, typed_callback
from cn_daemon.domain.source.text import Document


@pytest.mark.parametrize(
    ("text", "taker"),
    [
        ("f(b, a => a.c);", "f"),
        ("f((b, a) => { if (a.c) {} });", "f"),
        ("d.f(a => g(a.c));", "f"),
        ("f(a => g(a => a.c));", "g"),
        ("const f = a => a.c;", None),
        ("f(a => 1); a.c;", None),
        ("f(a => b.a.c);", None),
        ("f(a, b => a.c);", None),
    ],
)
def test_what_is_given_the_function_of_a_parameter(text: str, taker: str | None) -> None:
    found = taker_of(Document("/w/a.js", text), text.index(".c") + 1)
    assert (found is None) == (taker is None)
    assert taker is None or (found is not None and text[found:].startswith(taker))


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("/** @param {function(A|B):void} b */ export const ", "A|B"),
        ("/** @param {function(string, Array<C>): D} b */\nexports.", "Array"),
        ("/** @param {(a: A) => void} b */ function ", None),
        ("/** @param {function(A):void} b */ other(); const ", None),
        ("// function(A)\nconst ", None),
    ],
)
def test_a_type_in_the_type_of_what_a_function_is_given(comment: str, told: str | None) -> None:
    text = f"{comment}each = 1;"
    found = typed_callback(Document("/w/a.js", text), len(comment))
    assert (found is None) == (told is None)
    assert told is None or (found is not None and text[found:].startswith(told))
