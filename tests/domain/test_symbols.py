"""Which declarations are one symbol, which symbol is meant, and which texts need not be parsed."""

from __future__ import annotations

import pytest

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol, group, is_test, lateness, rank
from cn_daemon.domain.source.text import Position, Span


def declared(name: str, kind: str = "Class", line: int = 1, path: str = "src/a.ts", **more: object) -> Declaration:
    span = Span(Position(line, 1), Position(line, 10))
    return Declaration(path, name, kind, span, span, **more)  # type: ignore[arg-type]


def test_one_name_in_one_place_is_one_symbol() -> None:
    a, again, static = declared("A"), declared("A", "Interface", 2), declared("A", "Property", 3, static=True)
    local, elsewhere = declared("A", "Constant", 4, local=True), declared("A", path="src/b.ts")
    member, key = declared("A", "Method", 5, parent=a), declared("A", "Property", 6)
    symbols = group([a, again, static, local, elsewhere, member, key])
    assert [symbol.declarations for symbol in symbols] == [
        (a, again),
        *((one,) for one in (static, local, elsewhere, member, key)),
    ]


def test_the_one_most_likely_meant_comes_first() -> None:
    holder = declared("Holder")
    space = declared("space", "Namespace")
    expected = [
        (declared("U", exported=True), 9, "src/a.ts"),
        (declared("U", exported=True), 2, "src/a.ts"),
        (declared("U", exported=True), 2, "src/deep/er/a.ts"),
        (declared("U", exported=True), 9, "src/types.d.ts"),
        (declared("U", exported=True), 9, "src/legacy/a.ts"),
        (declared("U", exported=True), 9, "test/a.ts"),
        (declared("U", exported=True), 9, "dist/test/a.js"),
        (declared("U"), 9, "src/a.ts"),
        (declared("U", exported=True, parent=space), 9, "src/a.ts"),
        (declared("U", "Method", parent=holder), 9, "src/a.ts"),
        (declared("U", "Method", parent=declared("In", parent=holder)), 9, "src/a.ts"),
        (declared("U", "Constant", local=True), 9, "src/a.ts"),
    ]
    keys = [rank(Symbol((one,)), uses, path) for one, uses, path in expected]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_what_a_compiler_wrote_into_out_came_before_the_namespace_in_the_sources() -> None:
    written = rank(Symbol((declared("space", "Variable"),)), 50, "packages/a/out/a.js")
    assert rank(Symbol((declared("space", "Namespace"),)), 1, "packages/a/src/deep/er/a.ts") < written


def test_one_exported_declaration_exports_the_merged_symbol() -> None:
    merged = Symbol((declared("U"), declared("U", "Namespace", 2, exported=True)))
    assert rank(merged, 0, "a.ts") < rank(Symbol((declared("U"),)), 0, "a.ts")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test/a.ts", True), ("src/__tests__/a.ts", True), ("src/a.test.ts", True), ("src/a.spec.tsx", True),
        ("e2e/a.ts", True), ("src/a_test.ts", True), ("src/contest.ts", False), ("src/testing.ts", False),
        ("src/latest/a.ts", False), ("spec.ts", False),
    ],
)  # fmt: skip
def test_what_a_test_is(path: str, expected: bool) -> None:
    assert is_test(path) is expected


# Each declares NAME in a way that an outline lists.
def test_declaration_files_are_told_last_and_tests_before_them() -> None:
    paths = ["src/a.d.ts", "test/a.ts", "src/z.ts", "src/b.pyi", "src/a.test.ts", "src/a.d.mts", "src/a.ts"]
    assert sorted(paths, key=lambda path: (lateness(path), path)) == [
        "src/a.ts",
        "src/z.ts",
        "src/a.test.ts",
        "test/a.ts",
        "src/a.d.mts",
        "src/a.d.ts",
        "src/b.pyi",
    ]
