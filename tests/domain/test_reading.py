"""A document by offsets, and which of its declarations belong together."""

from __future__ import annotations

from cn_daemon.domain.declarations.heads import head_at
from cn_daemon.domain.declarations.symbols import group
from cn_daemon.domain.source.text import Position
from tests.domain.sources import document, item, outline, rows


def test_overloads_are_one_symbol_each_with_its_own_place() -> None:
    source = document(
        "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a) {}"
    )
    spans = source.text.strip().split("\n")
    found = outline(source, item(source, "f", "Function", *spans))
    assert rows(found) == ["1:17 Function f exported", "2:17 Function f exported", "3:17 Function f exported"]
    assert [len(symbol.declarations) for symbol in group(found)] == [3]


def test_what_a_pattern_takes_a_part_of_was_the_head_of_that_part() -> None:
    source = document("const { a: { x, y } } = d;")
    found = outline(source, item(source, "x", "Constant", "x"), item(source, "y", "Constant", "y"))
    heads = {character: head_at(found, Position(1, character), source) for character in (1, 9, 14, 15, 17)}
    names = {character: one and one.name for character, one in heads.items()}
    assert names == {1: None, 9: None, 14: "x", 15: "x", 17: "y"}
