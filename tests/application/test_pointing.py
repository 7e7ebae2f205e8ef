"""Where a name stands, read from the text."""

from __future__ import annotations

import time

import pytest

from cn_daemon.application.symbols.pointing import mention
from cn_daemon.domain.source.text import Document


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("// other\r\nconst a = 'other';\r\nother();\r\n", (3, 1)),
        ("const 𝒂 = other;\n", (1, 12)),
        ("// other\n", None),
        ("another();\n", None),
    ],
)
def test_the_first_place_that_is_no_word_of_a_comment_or_a_string(text: str, place: tuple[int, int] | None) -> None:
    found = mention(Document("/a.ts", text), "other")
    assert (found and (found.position.line, found.position.character)) == place


def test_in_a_large_file_that_names_it_in_a_comment_alone_it_took_seconds() -> None:
    """For each word of the file the whole of it was looked through; and nobody else was answered meanwhile."""
    began = time.process_time()
    assert mention(Document("/large.ts", "// a line\r\n" * 30_000 + "// other\r\n" + "b;\r\n" * 3_000), "other") is None
    assert time.process_time() - began < 3
