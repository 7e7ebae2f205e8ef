"""Sources and the outlines that a server would give of them, without a server."""

from __future__ import annotations

from cn_daemon.adapters.language_servers.outlines import Item, declarations
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span


def document(text: str, path: str = "/w/a.ts") -> Document:
    return Document(path, text.strip("\n") + "\n")


def item(source: Document, name: str, kind: str, *texts: str, children: tuple[Item, ...] = ()) -> Item:
    """An item without a name's place whose spans are the given texts; the n-th same text is its n-th occurrence."""
    whole = SourceText(source)
    spans: list[Span] = []
    for number, text in enumerate(texts):
        start = -1
        for _ in range(texts[: number + 1].count(text)):
            start = whole.text.index(text, start + 1)
        spans.append(whole.span(start, start + len(text)))
    return Item(name, kind, spans, None, children)


def outline(source: Document, *items: Item) -> list[Declaration]:
    return declarations(source, items)


def rows(roots: list[Declaration]) -> list[str]:
    """`line:character kind Container.name` of each, with what else is true of it."""
    told = []
    for one in flatten(roots):
        traits = [trait for trait in ("exported", "static", "local") if getattr(one, trait)]
        name = ".".join((*one.containers, one.name))
        told.append(" ".join([f"{one.position.line}:{one.position.character}", one.kind, name, *traits]))
    return told
