"""The offsets of the process lead to the places that its lines and characters name."""

from __future__ import annotations

import pytest

from cn_daemon.adapters.compilers.syntax import Offsets
from cn_daemon.domain.source.text import Document, utf16_length


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\ufeff",
        "a;\n",
        "a;\r\nb;\r\n",
        "a;\rb;\n\r",
        "'\U0001f600'; é;\n'\U0001f600\U00020000'; ",
        "'\u2028';\u2029 /* \U0001f600 */\x0b\x0c\x85 ",
        "a;\n\n\n\t",
    ],
)
def test_a_name_is_where_its_offset_says(before: str) -> None:
    document = Document("/a.ts", before + "name\U0001f600\n")
    span = Offsets(document.text).span({"start": utf16_length(before), "length": 6})
    assert document.at(span) == "name\U0001f600"
    assert span.start.line == len(document.lines) - 1
