"""What of an outline is read when one name is asked for."""

from cn_daemon.domain.items import Item, mentioning
from cn_daemon.domain.text import Document, Position, Span

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
