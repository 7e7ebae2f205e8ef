"""What servers tell of a file, as declarations: kinds, containers and ids, by the data of a row."""

from __future__ import annotations

from typing import Any

from cn_daemon.adapters.language_servers.languages import LANGUAGES
from cn_daemon.adapters.language_servers.lsp.outline import declarations
from cn_daemon.domain.declarations.outline import Declaration, enclosing, flatten
from cn_daemon.domain.source.text import Document, Position


def row(text: str, kind: int, name: str, whole: str, children: list[Any] | None = None) -> dict[str, Any]:
    """A symbol whose range is where `whole` stands, and whose name stands in it."""
    first = text.index(whole)
    bare = name.rpartition(".")[2]
    at = first + max(whole.find(bare), 0)
    return {
        "name": name,
        "kind": kind,
        "range": {"start": _place(text, first), "end": _place(text, first + len(whole))},
        "selectionRange": {"start": _place(text, at), "end": _place(text, at + len(bare))},
        "children": children or [],
    }


def _place(text: str, offset: int) -> dict[str, int]:
    line = text.count("\n", 0, offset)
    return {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}


def read(name: str, path: str, text: str, rows: list[dict[str, Any]]) -> list[Declaration]:
    language = next(one for one in LANGUAGES if one.name == name)
    return declarations(Document(path, text), rows, language)


def told(roots: list[Declaration]) -> list[tuple[str, str, bool]]:
    return [(one.kind, ".".join((*one.containers, one.name)), one.exported) for one in flatten(roots)]


def test_methods_of_go_are_members_wherever_their_type_stands() -> None:
    text = "type Order struct {}\nfunc (o *Order) Total() int {\n\tx()\n}\nfunc (p Pair[K, V]) swap() {\n\ty()\n}\n"
    roots = read(
        "go",
        "/a.go",
        text,
        [
            row(text, 23, "Order", "Order struct {}"),
            row(text, 6, "(*Order).Total", "func (o *Order) Total() int {\n\tx()\n}"),
            row(text, 6, "(Pair[K, V]).swap", "func (p Pair[K, V]) swap() {\n\ty()\n}"),
        ],
    )
    assert told(roots) == [("Class", "Order", True), ("Method", "Order.Total", True), ("Method", "Pair.swap", False)]
    for line, name in ((3, "Total"), (6, "swap")):
        assert [one.name for one in enclosing(roots, Position(line, 2))] == [name]


def test_a_type_of_go_without_fields_is_an_alias_and_shown_with_its_keyword() -> None:
    text = "type ID string\ntype Fee func() int\nconst (\n\tA = 1\n)\nfunc f() {}\n"
    roots = read(
        "go",
        "/a.go",
        text,
        [
            row(text, 5, "ID", "ID string"),
            row(text, 12, "Fee", "Fee func() int"),
            row(text, 14, "A", "A = 1"),
            row(text, 12, "f", "func f() {}"),
        ],
    )
    assert told(roots) == [
        ("TypeAlias", "ID", True),
        ("TypeAlias", "Fee", True),
        ("Constant", "A", True),
        ("Function", "f", False),
    ]
    assert [one.span.start.character for one in roots] == [1, 1, 2, 1]


def test_a_member_of_c_that_is_defined_outside_its_class_holds_what_is_in_it() -> None:
    text = "class Order {};\nint Order::total() {\n  return 1;\n}\nint Other::price() {\n  return 2;\n}\n"
    roots = read(
        "c",
        "/a.cpp",
        text,
        [
            row(text, 5, "Order", "class Order {};"),
            row(text, 6, "Order::total", "int Order::total() {\n  return 1;\n}") | {},
            row(text, 6, "Other::price", "int Other::price() {\n  return 2;\n}"),
        ],
    )
    assert told(roots) == [("Class", "Order", True), ("Method", "Order.total", True), ("Method", "Other::price", True)]
    assert [one.name for one in enclosing(roots, Position(3, 3))] == ["total"]


RUST = """\
struct Order;
impl Order {
  fn total() {
    x()
  }
}
impl<'a> From<u8> for Order { fn from() {} }
impl Debug for &'a Order { fn fmt() {} }
impl Show for far::Stack<u8> { fn show() {} }
mod inner {
  struct Deep;
  impl Deep { pub fn deep() {} }
}
"""


def test_members_in_blocks_of_rust_belong_to_the_type_that_the_block_is_for() -> None:
    total, inner = "fn total() {\n    x()\n  }", RUST[RUST.index("mod inner") :].strip()

    def block(name: str, whole: str, member: str, child: str) -> dict[str, Any]:
        return row(RUST, 19, name, whole, [row(RUST, 6, member, child)])

    deep = block("impl Deep", "impl Deep { pub fn deep() {} }", "deep", "pub fn deep() {}")
    rows = [
        row(RUST, 23, "Order", "struct Order;"),
        block("impl Order", f"impl Order {{\n  {total}\n}}", "total", total),
        block("impl From<u8> for Order", "impl<'a> From<u8> for Order { fn from() {} }", "from", "fn from() {}"),
        block("impl Debug for &'a Order", "impl Debug for &'a Order { fn fmt() {} }", "fmt", "fn fmt() {}"),
        block("impl Show for far::Stack<u8>", "impl Show for far::Stack<u8> { fn show() {} }", "show", "fn show() {}"),
        row(RUST, 2, "inner", inner, [row(RUST, 23, "Deep", "struct Deep;"), deep]),
    ]
    roots = read("rust", "/a.rs", RUST, rows)
    assert told(roots) == [
        ("Class", "Order", False),
        ("Method", "Order.total", False),
        ("Method", "Order.from", False),
        ("Method", "Order.fmt", False),
        ("Method", "Stack.show", False),
        ("Module", "inner", False),
        ("Class", "inner.Deep", False),
        ("Method", "inner.Deep.deep", True),
    ]
    assert [one.name for one in enclosing(roots, Position(4, 5))] == ["total"]
    assert [one.name for one in enclosing(roots, Position(12, 24))] == ["inner", "deep"]
