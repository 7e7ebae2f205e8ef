"""What files hand on by assignment and what they take of modules."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.exporting import exports
from cn_daemon.domain.mentions.own_members import own_mentions
from cn_daemon.domain.mentions.taking import ALL, WHOLE, taken_of, takes
from cn_daemon.domain.source.text import Document


def document(text: str) -> Document:
    return Document("/w/a.js", text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("exports.a = b", [("a", "b")]),
        ("module.exports.a = b.c;", [("a", "c")]),
        ("exports.a = require('./b')", [("a", "./b")]),
        ("exports.a = require('./b').c", [("a", "c")]),
        ("exports.a = function b() {}", [("a", "b")]),
        ("exports.a = class extends B {}", [("a", None)]),
        ("exports.a = b()", [("a", None)]),
        ("exports.a = void 0", [("a", None)]),
        ("exports = module.exports = b", [(WHOLE, "b"), (WHOLE, "b")]),
        ("var app = exports = module.exports = {}", []),
        ("module.exports = { a, b: c, d() {}, get e() { return [1, 2] }, 'f': g }", None),
        ("module.exports = { ...require('./b'), a: (1, b) }", [(ALL, "./b"), ("a", None)]),
        ("Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return b.c; } })", [("a", "c")]),
        ("Object.defineProperty(exports, 'a', { enumerable: true, get: () => b })", [("a", "b")]),
        ("Object.defineProperty(exports, '__esModule', { value: true })", []),
        ("__exportStar(require('./b'), exports); c(d, exports)", [(ALL, "./b")]),
        ("(0, tslib_1.__exportStar)(require('./b'), exports)", [(ALL, "./b")]),
        ("other.exports = a", []),
        ("exports.a === b", []),
        ("// exports.a = b\n`exports.a = b`", []),
    ],
)
def test_exports(text: str, told: list[tuple[str, str | None]] | None) -> None:
    found = exports(document(text))
    if told is None:
        told = [("a", "a"), ("b", "c"), ("d", None), ("e", None)]
    assert [one.name for one in found] == [name for name, _ in told]
    for one, (_, value) in zip(found, told, strict=True):
        assert (one.value is None) == (value is None)
        assert value is None or text[one.value :].startswith(value)


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


def test_this_of_another_function_is_not_sure() -> None:
    text = "app.a = 1;\napp.b = function () { this.a; () => this.a; each(function () { this.a; }); };\nother.a;\n"
    found = own_mentions(document(text), 4)
    assert [(one.place, one.sure) for one in found] == [
        (text.index("this.a") + 5, True),
        (text.index("=> this.a") + 8, True),
        (text.index("{ this.a; }") + 7, False),
    ]


def test_offsets_count_a_line_end_once() -> None:
    assert [one.value for one in exports(document("// one\r\n// two\r\nexports.a = b\r\n"))] == [26]


def test_broken_text_is_read() -> None:
    for text in (
        "exports.a = {",
        "module.exports = { a, ",
        "const { a = require('b')",
        "exports.a =",
        "require(",
        "})exports.a = b",
    ):
        script = document(text)
        exports(script)
        for take in takes(script):
            list(taken_of(script, take))


def test_what_is_given_this_is_that_object_where_no_parameter_has_its_name() -> None:
    text = """a.b = 1;
a.c = function () {
  const self = this;
  list.map(function () { self.b; });
  list.map((self) => { self.b; });
  list.map(function (self) { self.b; });
};
self.b;
"""
    found = own_mentions(document(text), 2)
    assert [(text[: one.place].count("\n") + 1, one.sure) for one in found] == [(4, True)]
