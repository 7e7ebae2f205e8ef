"""Whether a stretch of source is one function: by its tokens alone."""

from __future__ import annotations

import pytest

from cn_daemon.domain.source.functions import arrow_at, read_function


@pytest.mark.parametrize(
    "text",
    [
        "() => 1",
        "async x => { return 1; }",
        "(a, b): Foo<never, X> => a.b(c) as E<never, T, Env>",
        "(left): State =>\n  m.B<\n    A,\n    B | C\n  >(l, r)",
        "(p): p is (A)[] => true",
        "<T,>(x: T) => { x }",
        "({ a = { b: 1 } }) => ({ c: 1 })",
        "get => 1",
        "() => <b>(</b>",
        "function* <I, K>(a: I) { x }",
    ],
)
def test_callbacks(text: str) -> None:
    found = read_function(text, jsx=True)
    assert found is not None
    assert found.kind == "callback"


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("function named(a): { a: 1 } { x }", "function", "named"),
        ("async function named() {}", "function", "named"),
        ("success(state: G<T>, a: P<T>) { x }", "method", "success"),
        ("f(): (A)[] { 1 }", "method", "f"),
        ("get(x) { 1 }", "method", "get"),
        ("get x() { 1 }", "method", "x"),
        ("static async *[Symbol.iterator]() { 1 }", "method", "[Symbol.iterator]"),
        ("@a.b({ c: 1 }) go(): void { 1 }", "method", "go"),
        ("'quoted'() { return `}${x}{` }", "method", "'quoted'"),
    ],
)
def test_functions_and_methods(text: str, kind: str, name: str) -> None:
    found = read_function(text)
    assert found is not None
    assert (found.kind, text[found.name_start : found.name_end]) == (kind, name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "() => one, { two: 3 }",
        "function Posts() {} const a = 1",
        "start(s) {}, success() {}",
        "foo(1, () => {})",
        "if (x) { 1 }",
        "(\n a + b)",
        "(a) ? b : c",
        "x => a < b, c > d",
        "(function () { 1 })",
        "f(a: string): void;",
        "class A { x() {} }",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert read_function(text) is None


def test_where_the_arrow_stands() -> None:
    assert [arrow_at(text) for text in (" (a): B => 1", " async x => 1", " {}", " a + b", "(a) + b")] == [
        8,
        9,
        None,
        None,
        None,
    ]
