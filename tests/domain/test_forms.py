"""Source text of languages other than TypeScript, read by form."""

from __future__ import annotations

import pytest

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.plain_blocks import block_lines, documentation, signature
from cn_daemon.domain.mentions.usage import aliases, calls, is_call
from cn_daemon.domain.source.form_table import GO, PYTHON, RUST, C, Form
from cn_daemon.domain.source.forms import declared, head_end, left_out, may_declare, mentions, parents
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Lines, Position, Span


@pytest.mark.parametrize(
    ("form", "text", "count"),
    [
        (PYTHON, 'x = total # total\n\'total\' + """total\n\'total""" + total', 2),
        (PYTHON, "totals = total_ + subtotal", 0),
        (C, 'int total; // total\n/* total */ char c = \'"\'; char *s = "total"; total++;', 2),
        (GO, "total := `total \" // ` + \"total\" + total // total\nr := '\\''; total++ /* total */", 3),
        (RUST, 'let total = r#"total "total"# + b"total"; // total', 1),
        (RUST, "let c = '\"'; f::<'a>(&'a total, '\\''); /* total */ total!()", 2),
    ],
)
def test_mentions_stand_in_no_comment_and_no_string(form: Form, text: str, count: int) -> None:
    assert len(list(mentions(text, form, "total"))) == count


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def total(self):", True),
        ("    total: int = 1", True),
        ("first, total = pair", True),
        ("for total in all_of_them:", True),
        ("async with one as total:", True),
        ("from shop import total", False),
        ("return total", False),
        ("print(total)", False),
        ("order.total = 3", False),
        ("price: total", False),
    ],
)
def test_what_may_declare_a_name_in_python(text: str, told: bool) -> None:
    assert may_declare(text, PYTHON, "total") is told


EMBEDDING = """A struct {
	Base
	*pkg.Other // why
	List[int]
	in struct {
		Inner
	}
	name string
}
B"""


@pytest.mark.parametrize(
    ("form", "text", "names"),
    [
        (PYTHON, "A(Base, typing.Generic[T], metaclass=Meta):", ["Base", "Generic"]),
        (PYTHON, "A[T](Base):", ["Base"]),
        (PYTHON, "A:", []),
        (C, "A final : public Base, private ns::Other<T> {", ["Base", "Other"]),
        (C, "A::B {", []),
        (GO, EMBEDDING, ["Base", "Other", "List"]),
        (GO, "A interface {\n\tBase\n\tTotal() int\n}", ["Base"]),
        (GO, "A int\n", []),
        (RUST, "A<'a, T>: Base + std::fmt::Display + Into<u8> where Self: Sized {", ["Base", "Display", "Into"]),
        (RUST, "A { a: Base }", []),
    ],
)
def test_parents_of_a_type(form: Form, text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in parents(text, 1, form)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("impl Shape for Square", ["Shape"]),
        ("struct A;\n// impl of; it\nimpl<F: Fn() -> Vec<u8>> fmt::Shape<F> for Square", ["Shape"]),
        ("unsafe impl<T> Shape for &'a Square", ["Shape"]),
        ("impl Square", []),
        ("impl Shape for Circle {}\nimpl Square", []),
        ("impl Shape for Circle {}\npub struct Square", []),
    ],
)
def test_a_parent_that_is_named_before_its_type(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in parents(text + " {", len(text), RUST)] == names


def test_a_head_ends_before_its_body_not_at_an_annotation() -> None:
    text = "def f(a: int = {1: 2}) -> dict[str, int]: return {}"
    assert text[: head_end(text, PYTHON)] == "def f(a: int = {1: 2}) -> dict[str, int]"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("type A struct {\n\tx int\n}", "type A struct "),
        ("func f(a interface{}) interface{ B() } {\n}", "func f(a interface{}) interface{ B() } "),
        ("func (a *A[T]) f() (x struct{}, err error) {", "func (a *A[T]) f() (x struct{}, err error) "),
        ("const A = 3", "const A = 3"),
    ],
)
def test_a_head_in_go_ends_before_its_body_not_at_a_type_without_a_name(text: str, head: str) -> None:
    assert text[: head_end(text, GO)] == head


@pytest.mark.parametrize(
    ("form", "text", "names"),
    [
        (PYTHON, "class A:\n    def b(self): ...\nasync def c(): ...\ndef _d(): ...\n", ["A", "c"]),
        (C, "struct A {\n};\nclass B;\nint f(int a) {\n  return g(a);\n}\nstatic int h() {}\n", ["A", "f"]),
        (
            RUST,
            "pub struct A;\npub(crate) const fn b() {}\nfn c() {}\n    pub fn d() {}\npub const E: u8 = 1;\n",
            ["A", "b", "E"],
        ),
        (GO, "func A() {}\nfunc (t T) B() {}\ntype C int\nfunc d() {}\nvar E = A()\n", ["A", "C", "E"]),
    ],
)
def test_what_other_files_may_use(form: Form, text: str, names: list[str]) -> None:
    assert declared(text, form) == names


def test_calls_in_rust_are_of_macros_and_with_types_as_well() -> None:
    text = "fn f() { g::<u8>(1); h![2]; i!{3}; j != (4); k { x: 5 }; l.m(6) }"
    names = [text[start:end] for start, end in calls(text, text.index("{"), len(text), form=RUST)]
    assert names == ["g", "h", "i", "m"]


def test_what_may_leave_a_file_of_go_out_of_the_build() -> None:
    assert left_out("// A.\n\n//go:build windows && !cgo\n\npackage a\n", GO) == "//go:build windows && !cgo"
    assert left_out('package a\n\nimport "C"\n', GO) == 'import "C"'
    assert left_out('package a\n\nvar s = "//go:build x"\n', GO) == ""
    assert left_out("//go:build windows\n", C) == ""


def test_calls_end_with_their_line() -> None:
    text = "@cache\ndef f():\n    g(1)\n    h\n    (2)\n    Box[int](3)\n"
    names = [text[start:end] for start, end in calls(text, 0, len(text), form=PYTHON)]
    assert names == ["cache", "f", "g", "Box"]
    assert not is_call(text, text.index("h\n"), text.index("h\n") + 1, form=PYTHON)


SOURCE = '''\
# What is kept.
@first
@second(
    one,
    lambda: 2,
)
async def f(
    a: int,
) -> int:
    """Does it.

    At length."""
    return a
'''


def _declared() -> tuple[SourceText, Declaration]:
    source = SourceText(Document("/a.py", SOURCE))
    name = Span(Position(7, 11), Position(7, 12))
    return source, Declaration("/a.py", "f", "Function", name, Span(Position(2, 1), Position(13, 13)))


def test_a_python_function_has_its_decorators_its_comment_and_its_docstring() -> None:
    source, declared = _declared()
    assert block_lines(source.document, PYTHON, declared) == Lines(1, 13)
    assert signature(source, PYTHON, declared) == "async def f( a: int, ) -> int"
    assert documentation(source, PYTHON, declared) == "Does it.\n\nAt length."


def test_decorators_over_several_lines_are_found_above_the_name() -> None:
    source, declared = _declared()
    declared.span = Span(Position(7, 1), declared.span.end)
    assert block_lines(source.document, PYTHON, declared) == Lines(1, 13)


RUST_SOURCE = """\
// Kept.
/// What it does.
///
/// At length.
#[inline]
pub fn f<T>(a: T) -> u8
where
    T: Into<u8>,
{
    a.into()
}
"""


def test_a_declaration_of_rust_has_its_comments_and_attributes_and_neither_is_its_signature() -> None:
    document = Document("/a.rs", RUST_SOURCE)
    name = Span(Position(6, 8), Position(6, 9))
    declared = Declaration("/a.rs", "f", "Function", name, Span(Position(2, 1), Position(11, 2)))
    assert block_lines(document, RUST, declared) == Lines(1, 11)
    assert signature(SourceText(document), RUST, declared) == "pub fn f<T>(a: T) -> u8 where T: Into<u8>,"
    assert documentation(SourceText(document), RUST, declared) == "Kept.\nWhat it does.\n\nAt length."


def test_what_a_variable_is_another_name_of() -> None:
    text = "fn a() { let b = lib.c; let d: E = f;\n let g = h(); }"
    assert [(text[name], text[origin]) for name, origin in aliases(text, 0, len(text))] == [("b", "c"), ("d", "f")]
