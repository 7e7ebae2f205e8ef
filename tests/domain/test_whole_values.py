"""Whole modules that a file hands on, by its text."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.whole_values import is_value, taken_in, whole_names
from cn_daemon.domain.source.text import Document


def document(text: str) -> Document:
    return Document("/w/a.ts", text)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ('import * as a from "./b"', [("a", "./b")]),
        ('import type * as a from "./b"', [("a", "./b")]),
        ('import c, * as a from "./b"', [("a", "./b")]),
        ('export * as a from "./b"', [("a", "./b")]),
        ('import a = require("./b");', [("a", "./b")]),
        ('export const a = await import("./b");', [("a", "./b")]),
        ('const { a } = await import("./b");', []),
        ('// import * as a from "./b"', []),
    ],
)
def test_names_of_whole_modules(text: str, given: list[tuple[str, str]]) -> None:
    assert whole_names(document(text)) == given


@pytest.mark.parametrize(
    "text",
    [
        "export default a;",
        "b = a\nc()",
        "({ c, a, d })",
        "({ b: a })",
        "({ ...a })",
        "[b, a, c]",
        "() => a",
        "return b ? a : c;",
        "b ?? a;",
        "let b: typeof a;",
        "export const b = keep<B>(c, a);",
        "return await new Kept(a).b();",
        "const b = c(d(a));",
        "class B { constructor(readonly b = a) {} }",
        "function b(a: string) {}\nexport const c = [a];",
        "<B c={a} />",
    ],
)
def test_handed_on(text: str) -> None:
    assert is_value(Document("/w/a.tsx", f'import * as a from "./b";\n{text}\n'), "a")


@pytest.mark.parametrize(
    "text",
    [
        "a.b; a?.b; a['b']; a\n  .b",
        "export { a };",
        "({ a: 1 }).a; b.a;",
        "expect(a).toBe(1);",
        "if (b) { await spy(a, 'b') }",
        "const b = (a: B): C => c(a);",
        "const b = (a) => [a];",
        "function b(c: D, a?: B): C {\n  return [a];\n}",
        "const b = () => { const a = 1; return a; };",
        "// b = a\n/** a = a */",
        "`b = ${c} = a`",
    ],
)
def test_not_handed_on(text: str) -> None:
    assert not is_value(document(f'import * as a from "./b";\n{text}\n'), "a")


def test_what_may_be_taken_of_a_module_that_is_not_imported() -> None:
    text = """import { n } from "./o";
import * as own from "./own";
x.n; x?.n; x.y.n; f().n; x["n"]; const { n, n: m } = x;
own.n; this.n; n(); n; "n"; ...n;
"""
    found = [(place.line, place.character) for place in taken_in(document(text), ["n"])]
    assert found == [(3, 3), (3, 9), (3, 16), (3, 23), (3, 29), (3, 42), (3, 45)]
