"""Names that are longer than servers tell: both cut them off, and write three dots in the place of the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cn_daemon.domain.declarations.items import LONG, Item
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span

_WORD = re.compile(r"#?[\w$]+")
_DOTTED = re.compile(r"[\w$.]+")
_DOTS = "..."


def in_whole(document: Document, items: list[Item]) -> list[Item]:
    """The items by the names that the text has. Several of one beginning may be told as one."""
    if all(len(line) <= LONG for line in document.lines):
        return items
    return list(_in_whole(document.once(SourceText), items))


def _in_whole(source: SourceText, items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        here = item._replace(children=list(_in_whole(source, item.children)))
        if len(item.name) <= LONG or not item.name.endswith(_DOTS):
            yield here
            continue
        by_name: dict[str, list[int]] = {}
        for number in range(len(item.spans)):
            by_name.setdefault(_name(source, item, number), []).append(number)
        for name, numbers in by_name.items():
            spans = [item.spans[number] for number in numbers]
            yield here._replace(name=name, spans=spans, name_span=item.name_span if 0 in numbers else None)


def _name(source: SourceText, item: Item, number: int) -> str:
    """As it stands at one of the item's spans, or as it was told: what a call holds has no name."""
    span: Span = item.spans[number]
    if number == 0 and item.name_span is not None and item.kind not in ("Namespace", "Module"):
        span = item.name_span
    start = source.offset(span.start)
    beginning = item.name.removesuffix(_DOTS)
    place = source.text.find(beginning, start, source.offset(span.end))
    if place < 0 or "(" in beginning:
        return item.name
    if span is item.name_span:
        return source.cut(span)
    word = _DOTTED if item.kind == "Namespace" else _WORD
    whole = word.match(source.text, place)
    return whole[0] if whole else item.name
