"""What of an outline is read when one name is asked for."""

from cn_daemon.domain.declarations.items import Item, mentioning
from cn_daemon.domain.source.text import Document, Position, Span

TEXT = "type A = { inner: 1 };\ntype B = {\n  other: 2;\n};\nclass C {\n  constructor(readonly inner: number) {}\n}\n"


def item(name: str, kind: str, first: int, last: int) -> Item:
    return Item(name, kind, [Span(Position(first, 1), Position(last, 2))], None, [])


def test_what_holds_the_name_in_its_text_is_read_and_nothing_else() -> None:
    items = [item("A", "TypeAlias", 1, 1), item("B", "TypeAlias", 2, 4), item("C", "Class", 5, 7)]
    document = Document("a.ts", TEXT)
    assert [one.name for one in mentioning(document, items, "inner")] == ["A", "C"]
    assert [one.name for one in mentioning(document, items, "other")] == ["B"]
    assert [one.name for one in mentioning(document, items, "B")] == ["B"]
    assert mentioning(document, items, "nowhere") == []


def test_a_short_name_was_met_in_most_longer_ones() -> None:
    """All of an outline was read for it."""
    document = Document("/w/a.ts", "const a = 1;\nconst data = { 'a': 2, \"b-a\": 3 };\nclass Table { #a = 4; }\n")
    inner = Item("#a", "Property", [Span(Position(3, 15), Position(3, 22))], None, [])
    rows = [
        Item("a", "Constant", [Span(Position(1, 7), Position(1, 12))], None, []),
        Item("data", "Constant", [Span(Position(2, 7), Position(2, 35))], None, []),
        Item('"b-a"', "Property", [Span(Position(2, 25), Position(2, 33))], None, []),
        Item("Table", "Class", [Span(Position(3, 1), Position(3, 24))], None, [inner]),
    ]
    assert [one.name for one in mentioning(document, rows, "a")] == ["a", '"b-a"', "Table"]
    assert mentioning(document, rows, "#") == []
