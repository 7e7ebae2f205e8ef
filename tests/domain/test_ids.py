"""Ids and queries: what is emitted is read back, whatever the path holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain import ids
from cn_daemon.domain.ids import Name, Passage, Place
from cn_daemon.domain.source.text import Position

paths = st.lists(
    st.sampled_from(["src", "/", "::", ":", "#", "a.ts", "1", "::3", ".", " ", "é", "[id]", "(g)", "\n", "@x"]),
    min_size=1,
).map("".join)
numbers = st.integers(1, 10**6)


@given(paths.filter(lambda path: path == path.lstrip()), numbers, numbers, st.booleans())
def test_an_id_is_read_back(path: str, line: int, character: int, prefixed: bool) -> None:
    made = ids.make(path, Position(line, character))
    assert made == f"ref::{path}::{line}::{character}"
    assert ids.parse(made if prefixed or path.startswith("ref::") else made[5:]) == Place(path, line, character)


@given(st.text())
def test_any_text_can_be_asked(query: str) -> None:
    wanted = ids.parse(query)
    assert wanted is None or (wanted.path is None or wanted.path)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("User", Name("User")),
        (" User ", Name("User")),
        ("User.rename", Name("rename", ("User",))),
        ("A.B.c", Name("c", ("A", "B"))),
        ("User#rename", Name("rename", ("User",))),
        ("User::rename", Name("rename", ("User",))),
        ("Table.1.5", Name("1.5", ("Table",))),
        ("a.ts#Table.deep.1.5", Name("1.5", ("Table", "deep"), "a.ts")),
        ("Table.7", Name("7", ("Table",))),
        ("#secret", Name("#secret")),
        ("User.#secret", Name("#secret", ("User",))),
        ("$", Name("$")),
        ("été", Name("été")),
        ("src/user.ts:User", Name("User", (), "src/user.ts")),
        ("user.ts:User.rename", Name("rename", ("User",), "user.ts")),
        ("src/user.ts::User", Name("User", (), "src/user.ts")),
        ("src/user.ts#User.rename", Name("rename", ("User",), "src/user.ts")),
        ("ref::src/user.ts#User", Name("User", (), "src/user.ts")),
        ("src/user.ts#User.#secret", Name("#secret", ("User",), "src/user.ts")),
        ("src/a#b/user.ts#User", Name("User", (), "src/a#b/user.ts")),
        ("src/a::b.ts#User", Name("User", (), "src/a::b.ts")),
        ("Cart.[Symbol.iterator]", Name("[Symbol.iterator]", ("Cart",))),
        ("Cart[Symbol.iterator]", Name("[Symbol.iterator]", ("Cart",))),
        ("[Symbol.iterator]", Name("[Symbol.iterator]")),
        ('"item:added"', Name("item:added")),
        ("Events['item:added']", Name("item:added", ("Events",))),
        ('src/a.ts#Events.names."a b"', Name("a b", ("Events", "names"), "src/a.ts")),
        ("x-tag", Name("x-tag")),
        ("src/user.ts:10", Place("src/user.ts", 10, 0)),
        ("src/user.ts:10:14", Place("src/user.ts", 10, 14)),
        ("src/a:b.ts:10:14", Place("src/a:b.ts", 10, 14)),
        ("/abs/user.ts:10:14", Place("/abs/user.ts", 10, 14)),
        ("src/a::b.ts::1::2", Place("src/a::b.ts", 1, 2)),
        ("src/user.ts::7", Place("src/user.ts", 7, 0)),
        # As outlines spell a symbol that ends on another line.
        ("src/user.ts:10:14-20", Place("src/user.ts", 10, 14)),
        ("this.rename", Name("rename")),
        ("src/user.ts", None),
        ("a b", None),
        ("", None),
        ("::", None),
        ("a..b()", None),
        ("-", None),
    ],
)
def test_what_a_user_may_type(query: str, wanted: Name | Place | None) -> None:
    assert ids.parse(query) == wanted


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("compose()", "compose"),
        ("compose(a, b)", "compose"),
        ("`compose`", "compose"),
        ("`Hono.route()`", "Hono.route"),
        ("class Hono", "Hono"),
        ("class Hono {", "Hono"),
        ("new Hono()", "Hono"),
        ("export async function compose(", "compose"),
        ("function f<T>(a: string) {", "f"),
        ("interface A<T, U>", "A"),
        ("src/a.ts:compose()", "src/a.ts:compose"),
        ("@Component", "Component"),
        ("compose;", "compose"),
        ("async function compose(a: string): Promise<void> {", "compose"),
        ("export default class Hono extends Base {", "Hono"),
        ("const x: Foo = bar()", "x"),
        ("type Row = {", "Row"),
        ("fn main() -> Result<()> {", "main"),
        ("impl Store for Memory", "Store"),
        ("func (r *Router) Handle(w http.ResponseWriter)", "Handle"),
        ("await compose()", "compose"),
        ("user?.rename()", "user.rename"),
        ("user!.rename", "user.rename"),
        ("user->rename", "user.rename"),
        ("std::vector<int>::push_back", "std.vector.push_back"),
        ("<Button />", "Button"),
        ("</Menu.Item>", "Menu.Item"),
        ("User[]", "User"),
        ("User,", "User"),
        # No word of a declaration, and no call alone: to read a name out of these is to guess.
        ("a b", None),
        ("foo(bar).baz", None),
        ("f(a)(b)", None),
        ("let me find User", None),
        ("the class User", None),
        ('import("a").b', None),
        ("class" + " " * 4000 + "(" * 90, None),
    ],
)
def test_what_is_copied_from_code_or_prose(query: str, name: str | None) -> None:
    assert ids.parse(query) is None
    assert ids.parse(ids.undressed(query)) == (ids.parse(name) if name else None)


@pytest.mark.parametrize(
    ("query", "passage"),
    [
        ("src/a.ts:200-220", Passage("src/a.ts", 200, 220)),
        ("`src/a.ts:220-200`", Passage("src/a.ts", 200, 220)),
        ("src/a.ts#L20-L30", Passage("src/a.ts", 20, 30)),
        ("a.ts#L20-30", Passage("a.ts", 20, 30)),
        ("src/a.ts:20:5-30", None),
        ("src/a.ts:20", None),
        ("a:1-2", None),
        ("ref::src/a.ts::2::3", None),
    ],
)
def test_lines_of_a_file(query: str, passage: Passage | None) -> None:
    assert ids.passage(query) == passage


def test_a_number_that_no_file_has_is_no_crash() -> None:
    ids.parse("a.ts:" + "9" * 5000)
