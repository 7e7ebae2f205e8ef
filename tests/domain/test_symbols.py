"""Which declarations are one symbol, which symbol is meant, and which texts need not be parsed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol, group, is_test, lateness, may_declare, rank
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
DECLARATIONS = (
    "class NAME {}", "export class NAME<T> extends B {}", "abstract class NAME {}", "export default class NAME {}",
    "interface NAME {}", "type NAME = 1;", "export type NAME<T> = T;", "enum NAME { A }", "const enum NAME { A }",
    "enum E { NAME }", "enum E { A, NAME = 2 }", "function NAME() {}", "export async function NAME() {}",
    "function* NAME() {}", "function *NAME() {}", "export default function NAME() {}", "const NAME = 1;", "let NAME;",
    "var a = 1, NAME = 2;", "const a = 1,\n  NAME = 2;", "const { NAME } = a;", "const { a, NAME } = b;",
    "const { a: NAME } = b;", "const { a: { NAME } } = b;", "const { a: NAME = 1 } = b;", "const [NAME] = a;",
    "const [a, NAME] = b;", "const { ...NAME } = a;", "const [...NAME] = a;", "const [, NAME] = a;",
    "class A { NAME() {} }", "class A { NAME = 1 }", "class A { NAME?: string }", "class A { static NAME = 1 }",
    "class A { private readonly NAME: string; }", "class A { #NAME = 1 }", "class A { get NAME() { return 1 } }",
    "class A { set NAME(a) {} }", "class A { async NAME() {} }", "class A { async *NAME() {} }",
    "class A { *NAME() {} }", "class A {\n  *NAME() {}\n}", "class A {\n  * NAME<T>() {}\n}",
    "class A { @dec() NAME() {} }", "class A { @dec NAME = 1 }",
    "class A { override NAME() {} }",
    "class A { constructor(private NAME: string) {} }", "class A { constructor(public readonly NAME: B) {} }",
    "class A { accessor NAME = 1 }", "class A { declare NAME: string }", "interface A { NAME: string }",
    "interface A { NAME(): void }", "interface A { readonly NAME?: string }", "type A = { NAME: string };",
    "type A = { a: 1, NAME: string };", "type A = { a: 1; NAME(): void };", "type A = { a: 1\n NAME: string };",
    "const a = { NAME: 1 };", "const a = { NAME() {} };", "const a = { b: 1, NAME };", "const a = { async NAME() {} };",
    "const a = { get NAME() { return 1 } };", "const a = { 'NAME': 1 };", 'class A { "NAME" = 1 }',
    "namespace NAME {}", "namespace A.NAME {}", "declare module NAME {}", "declare module 'NAME' {}",
    "declare global { var NAME: string }", "declare const NAME: string;", "declare function NAME(): void;",
    "for (const NAME of a) {}", "using NAME = a;", "export const NAME = 1;",
    "export declare class NAME {}", "function NAME<T>(a: T): void;",
)  # fmt: skip
SURROUNDINGS = (
    "",
    "\n",
    "new NAME();\n",
    "import { NAME as x } from 'y';\n",
    "foo(NAME); ",
    'const glob = "src/*.ts";\n',
    "/* c\n * c */ ",
    "/**\n * NAME (c).\n */\n",
    'const text = "NAME or not";\n',
    "// NAME\n",
    "/* c */ ",
    "a;",
)


@given(
    st.sampled_from(DECLARATIONS),
    st.sampled_from(["User", "a1", "$x", "été", "of", "default_"]),
    st.sampled_from(SURROUNDINGS),
    st.sampled_from(SURROUNDINGS),
    st.booleans(),
)
def test_a_text_that_declares_the_name_is_never_passed_over(
    form: str, name: str, before: str, after: str, script: bool
) -> None:
    text = (before + form + "\n" + after).replace("NAME", name)
    assert may_declare(text, name, script=script)


@pytest.mark.parametrize(
    "form", ["A.NAME = function () {};", "A.prototype.NAME = 1;", "this.NAME = 1;", "exports.NAME = 1;"]
)
def test_an_assignment_declares_in_javascript(form: str) -> None:
    assert may_declare(form.replace("NAME", "User"), "User", script=True)
    assert not may_declare(form.replace("NAME", "User"), "User", script=False)


@pytest.mark.parametrize(
    "text",
    [
        "import { User } from './user';",
        "import User, { type Other } from './user';",
        "export { User } from './user';",
        "const a = new User();",
        "class A extends User {}",
        "const a: User = b;",
        "a.User.b",
        "f<User>(b)",
        "return User;",
        "Users; UserId; $User",
        "/**\n * A User (new) of {@link User}.\n */",
        "/* User */",
        "// User\n",
        "a(); // User(b)\n",
        "const a: () => User = b;",
        'call("User of the house");',
    ],
)  # fmt: skip
def test_a_text_that_only_uses_the_name_is_passed_over(text: str) -> None:
    assert not may_declare(text, "User", script=False)


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
