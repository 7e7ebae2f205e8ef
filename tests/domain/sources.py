"""Sources and the outlines that a server would give of them, without a server."""

from __future__ import annotations

import re

from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document


def document(text: str, path: str = "/w/a.ts") -> Document:
    return Document(path, text.strip("\n") + "\n")


def item(
    source: Document, name: str, kind: str, *texts: str, children: tuple[list[Declaration], ...] = ()
) -> list[Declaration]:
    """Declarations whose spans are the given texts; the n-th same text is its n-th occurrence."""
    whole = SourceText(source)
    found = []
    for number, text in enumerate(texts):
        start = -1
        for _ in range(texts[: number + 1].count(text)):
            start = whole.text.index(text, start + 1)
        found_name = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text)
        assert found_name is not None
        named = start + found_name.start()
        spans = whole.span(named, named + len(name)), whole.span(start, start + len(text))
        found.append(Declaration(source.path, name, kind, *spans, exported=text.startswith("export ")))
    found[0].children = outline(source, *children)
    for child in found[0].children:
        child.parent = found[0]
    return found


def outline(source: Document, *items: list[Declaration]) -> list[Declaration]:
    return sorted((one for declared in items for one in declared), key=lambda one: one.span)


def rows(roots: list[Declaration]) -> list[str]:
    """`line:character kind Container.name` of each, with what else is true of it."""
    told = []
    for one in flatten(roots):
        traits = [trait for trait in ("exported", "static", "local") if getattr(one, trait)]
        name = ".".join((*one.containers, one.name))
        told.append(" ".join([f"{one.position.line}:{one.position.character}", one.kind, name, *traits]))
    return told
