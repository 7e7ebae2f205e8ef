"""Outlines as the rows of the bindings' process tell them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from cn_daemon.adapters.compilers.syntax import Outline
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document
from tests.domain.sources import rows

TEXT = "class A { #a = '\U0001f600'; b() { const data = 1; } }\r\nexport const a = 2;\r\n"


def row(index: int, container: int, kind: str, name: str, whole: str, **traits: bool) -> dict[str, Any]:
    """As the process tells it: offsets are units of UTF-16."""
    start = len(TEXT[: TEXT.index(whole)].encode("utf-16-le")) // 2
    end, at = start + len(whole.encode("utf-16-le")) // 2, start + whole.index(name)
    places = {"start": start, "end": end, "nameStart": at, "nameEnd": at + len(name)}
    return {"index": index, "container": container, "kind": kind, "name": name, "exported": False, **places, **traits}


ROWS = [
    row(0, -1, "Class", "A", TEXT[: TEXT.index("\r")]),
    row(1, 0, "Property", "#a", "#a = '\U0001f600';"),
    row(2, 0, "Method", "b", "b() { const data = 1; }"),
    row(3, 2, "Constant", "data", "data = 1", local=True),
    row(4, -1, "Constant", "a", "a = 2;", exported=True),
]


def told(name: str | None) -> list[Declaration]:
    return asyncio.run(Outline(Document("/w/a.ts", TEXT), json.dumps(ROWS)).of(name))


def test_rows_are_declarations_and_units_of_utf16_are_characters() -> None:
    assert rows(told(None)) == [
        "1:7 Class A",
        "1:11 Property A.#a",
        "1:22 Method A.b",
        "1:34 Constant A.b.data local",
        "2:14 Constant a exported",
    ]


def test_of_one_name_what_has_it_with_what_holds_that_and_what_it_holds() -> None:
    assert rows(told("a")) == ["1:7 Class A", "1:11 Property A.#a", "2:14 Constant a exported"]
    assert rows(told("b")) == ["1:7 Class A", "1:22 Method A.b", "1:34 Constant A.b.data local"]
    assert rows(told("data")) == ["1:7 Class A", "1:22 Method A.b", "1:34 Constant A.b.data local"]
    assert rows(told("#a")) == rows(told("a"))
    assert told("nowhere") == []
