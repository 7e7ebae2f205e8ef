"""Which words of a source are identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.source.tokens import identifiers, tokens

# Pieces that open and close every mode of the reader, in any order: text that may be broken in the middle.
PIECES = (
    "a", "User", "#x", "$", "_b1", " ", "\n", "\t", "`", "${", "}", "{", "(", ")", "[", "]", "<", ">", "/>", "</",
    "/", "//", "/*", "*/", "\\", '"', "'", "=>", "...", "?.", ".", "1", "0x1F", "return", "class", "@", "#", ";", ",",
    "=", "😀", "漢", "é", "\u2028", "<div>", "</div>", "<A b={", "<T,>", "/re/g", "&", "|",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.booleans())
def test_tokens_cover_all_and_never_overlap(text: str, jsx: bool) -> None:
    place = 0
    for token in tokens(text, jsx=jsx):
        assert token.start >= place
        assert text[place : token.start].strip() == ""
        assert token.end > token.start
        place = token.end
    assert text[place:].strip() == ""
    assert place <= len(text)


@given(st.text(), st.booleans())
def test_any_text_can_be_read(text: str, jsx: bool) -> None:
    for name in identifiers(text, jsx=jsx):
        assert name in text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("const a = `x ${b} y ${c(`z ${d} ${{e: f}.e}`)} w`; g", "a b c d e f g"),
        ("`a ${ {b: `${c}`} } d`", "b c"),
        ("`a \\` b ${c} \\${d}`", "c"),
        ("a = b / c / d", "a b c d"),
        ("a = /b c/g.test(d)", "a test d"),
        ("return /[/b]c/.exec(d)", "exec d"),
        ("(a) / b / c", "a b c"),
        ("a[0] / b / c", "a b c"),
        ("a++ / b / c", "a b c"),
        ("a = b\n// c\n/* d\n e */ f", "a b f"),
        ("'a' + \"b 'c\" + d", "d"),
        ("'it\\'s' + a", "a"),
        ("class A { #b = 1; c() { return this.#b } }", "A b c"),
        ("a.class.default?.delete", "a"),
        ("a?.5:b", "a b"),
        ("@Injectable() class A {}", "Injectable A"),
        ("let été = $a + _b + 漢字", "été $a _b 漢字"),
        ("1e5 + 0xff + 1_000n + a", "a"),
    ],
)
def test_identifiers(text: str, names: str) -> None:
    found = identifiers(text)
    assert [name for name in found if name not in ("class", "default", "delete")] == names.split()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<div className='x' id={a}>don't read {b} <B.C d={e} /> f</div>", "className id a b B C d e"),
        ("<>text {a}</>", "a"),
        ("<List items={x => <li key={x.id}>{x.name}</li>}>rest</List>; z", "List items x key id name z"),
        ("a < b && c > d", "a b c d"),
        ("const f = <T,>(a: T) => a; b", "f T a b"),
        ("const f = <T extends U>(a: T) => a; b", "f T U a b"),
        ("return (<p>it's</p>)", ""),
        ("<A b='c > d' />", "A b"),
        ("f<T>(a)", "f T a"),
        ("<A<B, C<D>> e={f}>don't {g}</A>; h", "A B C D e f g h"),
        ("<A<{ b: (c: D) => E }> f />; g", "A b c D E f g"),
        ("interface A {\n  <B = {}, C = D>(a: B): C\n}; e", "A B C D a e"),
        ("const f = <const T, U>(a: T) => a; b", "f T U a b"),
    ],
)
def test_markup(text: str, names: str) -> None:
    assert identifiers(text, jsx=True) == names.split()


def test_each_identifier_once_in_order() -> None:
    assert identifiers("b a b #a a") == ["b", "a"]


def test_keys_and_members_named_like_keywords_are_names() -> None:
    assert "delete" in identifiers("map.delete(key)")
    assert "delete" not in identifiers("delete map.key")


def test_the_first_line_of_a_program_is_a_comment() -> None:
    text = "#! /usr/bin/env 'node\nconst one = 1;"
    assert [token.kind for token in tokens(text)][:2] == ["comment", "keyword"]
