"""Where a name stands, by who tells the identifiers of a text."""

from __future__ import annotations

import asyncio

import pytest

from cn_daemon.adapters.language_servers.plain_texts import PlainTexts
from cn_daemon.application.ports import Site, TellsForm
from cn_daemon.application.symbols.pointing import first_identifier, identifier_at, mention, word_at, written
from cn_daemon.domain.source.text import Document, Position


class Server(PlainTexts):
    """As far as it tells identifiers."""


SERVER: TellsForm = Server()  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# other\r\na = 'other'\r\nother()\r\n", (3, 1)),
        ("𝒂 = other\n", (1, 6)),
        ("# other\n", None),
        ("another()\n", None),
    ],
)
def test_the_first_place_that_is_no_word_of_a_comment_or_a_string(text: str, place: tuple[int, int] | None) -> None:
    found = asyncio.run(mention(SERVER, Document("/a.py", text), "other", 0.0))
    assert (found and (found.position.line, found.position.character)) == place


def test_a_member_as_it_is_written() -> None:
    document = Document("/a.py", "# a.b\nx.a.b\na.bc\na . b\n")
    assert asyncio.run(written(SERVER, document, ["a", "b"], 0.0)) == Site("/a.py", Position(4, 5))


def test_what_stands_at_a_place() -> None:
    document = Document("/a.py", "if  other: # word\n")
    at = [asyncio.run(identifier_at(SERVER, document, Position(1, character), 0.0)) for character in (1, 5, 9, 10, 13)]
    assert at == ["", "other", "other", "", ""]
    assert asyncio.run(first_identifier(SERVER, document, 1, 0.0)) == Position(1, 5)
    assert [word_at(document, Position(1, character)) for character in (4, 14)] == ["", "word"]
