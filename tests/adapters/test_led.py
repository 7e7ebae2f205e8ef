"""Places in a file's text, and in the one in which paths stand for specifiers."""

from __future__ import annotations

import pytest

from cn_daemon.adapters.language_servers.led import Led
from cn_daemon.domain.source.text import Document, Position, Span

TEXT = 'const é = "𝒳"; import("@a/long-name").b; import("@a/c").d; e;\r\nf; import("@a/c");\r\ng;\r\n'


@pytest.mark.parametrize("long", ["/x.ts", "/a/path/that/is/longer/than/𝒳/its/name.ts"], ids=["shorter", "longer"])
@pytest.mark.parametrize("other", ["/y.mts", "/another/path/that/is/longer.mts"], ids=["shorter", "longer"])
def test_each_place_is_found_there_and_back(long: str, other: str) -> None:
    meant = {"@a/long-name": long, "@a/c": other}
    document = Document("a.ts", TEXT)
    led = Led(document, meant)
    given = Document("a.ts", led.text)
    assert long.replace(".ts", ".js") in led.text
    assert other.replace(".mts", ".mjs") in led.text
    for number, line in enumerate(document.lines, 1):
        for word in "bdefg":
            if f"{word};" in line:
                place = document.lines[number - 1].index(f"{word};")
                here = Position(number, len(line[:place].encode("utf-16-le")) // 2 + 1)
                there = led.there(here)
                assert given.at(Span(there, Position(number, there.character + 1))) == word
                assert led.back(Span(there, there)) == Span(here, here)


def test_of_what_stands_for_a_specifier_only_its_ends_are_known() -> None:
    led = Led(Document("a.ts", 'import("@a/c").d;\n'), {"@a/c": "/a/path/to/c.ts"})
    assert led.back(Span(Position(1, 9), Position(1, 24))) == Span(Position(1, 9), Position(1, 13))
