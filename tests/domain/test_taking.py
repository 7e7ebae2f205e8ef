"""What files take of modules."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.taking import WHOLE, takes
from cn_daemon.domain.source.text import Document


def document(text: str) -> Document:
    return Document("/w/a.js", text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("var a = require('b')", [(WHOLE, "a")]),
        ("var a = require('b').c", [("c", "a")]),
        ("var a = require('b')()", [(WHOLE, "")]),
        ("var a = require('b').c.d", [("c", "")]),
        (
            "const { a, b: c, ['d']: e, f = 1, g: { h }, 'i': [j] } = require('b')",
            [(WHOLE, ""), ("a", "a"), ("b", "c"), ("d", "e"), ("f", "f"), ("g", ""), ("i", "")],
        ),
        ("const a = (await import('b')).c", [("c", "a")]),
        ("var a = __importStar(require('b'))", [(WHOLE, "a")]),
        ("require('b').c()", [("c", "")]),
        ("import a, { b as c, type d, default as e } from 'b'", [(WHOLE, "a"), ("b", "c"), ("d", "d"), (WHOLE, "e")]),
        ("import * as a from 'b'", [(WHOLE, "a")]),
        ("import 'b'", []),
        ("// require('b')\n'require(\"b\")'", []),
    ],
)
def test_takes(text: str, told: list[tuple[str, str]]) -> None:
    assert [(one.member, one.here) for one in takes(document(text))] == told
