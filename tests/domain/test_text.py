"""Places in a text: UTF-16 characters, every line end that TypeScript knows, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span, character_at, index_at, utf16_length

texts = st.text(st.sampled_from("ab \n\r\u2028\u2029é漢😀𝒳\t"), max_size=60)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.data())
def test_a_character_leads_back_to_its_index(line: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(line)))
    assert index_at(line, character_at(line, index)) == index


def test_astral_characters_count_twice() -> None:
    line = "a😀b𝒳c"
    assert utf16_length(line) == 7
    assert [character_at(line, index) for index in range(6)] == [1, 2, 4, 5, 7, 8]
    assert index_at(line, 5) == 3
    # In the middle of a pair: behind it, as every editor puts the caret.
    assert index_at(line, 3) == 2


@pytest.mark.parametrize("line", ["abc", "äbc", "a😀"])
def test_past_the_end_is_the_end(line: str) -> None:
    assert index_at(line, 99) == len(line)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_of_lsp(end: str) -> None:
    document = Document("a.ts", f"one{end}two{end}{end}four")
    assert document.lines == ["one", "two", "", "four"]
    assert (document.line(0), document.line(2), document.line(5)) == ("", "two", "")


@pytest.mark.parametrize("other", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_other_separators_end_no_line(other: str) -> None:
    assert Document("a.ts", f"one{other}two").lines == [f"one{other}two"]


def test_thousands_of_places_in_a_line_that_is_the_whole_file() -> None:
    # A bundle: counting from the line's start for each place took a minute of the daemon's time.
    names = [f"name{number}" for number in range(40_000)]
    document = Document("a.min.js", "".join(f'"😀é";{name};' for name in names))
    places, character = [], 1
    for name in names:
        start = character + 6
        places.append(Span(Position(1, start), Position(1, start + len(name))))
        character = start + len(name) + 1
    assert [document.at(place) for place in places] == names


def test_the_text_of_a_span() -> None:
    document = Document("a.ts", "x\n  const 😀😀name = 1;")
    assert document.at(Span(Position(2, 13), Position(2, 17))) == "name"


def test_a_preview_is_trimmed_and_short() -> None:
    document = Document("a.ts", "\t  x" + "y" * 200 + "\n" + "z" * 99 + "  tail")
    assert document.preview(1) == "x" + "y" * 99
    assert document.preview(2) == "z" * 99


@given(texts, st.data())
def test_an_offset_leads_back_to_its_position(text: str, data: st.DataObject) -> None:
    source = SourceText(Document("a.ts", text))
    offset = data.draw(st.integers(0, len(source.text)))
    position = source.position(offset)
    assert source.offset(position) == offset
    assert 1 <= position.line <= len(source.document.lines)


def test_a_span_holds_its_end_as_a_caret_does() -> None:
    span = Span(Position(1, 3), Position(2, 5))
    assert [span.holds(Position(*place)) for place in ((1, 2), (1, 3), (1, 99), (2, 5), (2, 6))] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert span.encloses(Span(Position(1, 4), Position(2, 5)))
    assert not span.encloses(Span(Position(1, 4), Position(2, 6)))
