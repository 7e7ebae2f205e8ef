"""Namespaces of one name in one file: one server tells what they hold at the first, and not where the others are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from cn_daemon.domain.declarations.items import Item
from cn_daemon.domain.source.brackets import Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span

# One by one: of a pattern that begins with letters these are looked for, which is many times faster.
_NAMED = r"\s+(?P<name>'[^'\n]+'|\"[^\"\n]+\"|[^\W\d][^\s'\"{}();]*)\s*\{"
_HEADS = tuple(map(re.compile, ("namespace" + _NAMED, "module" + _NAMED, r"global(?P<name>)\s*\{")))
_MODIFIERS = frozenset({"export", "declare"})


class _Block(NamedTuple):
    """around, brace: the numbers of the brackets around it, and of its own."""

    name: str
    around: int
    brace: int
    span: Span


def in_all_blocks(document: Document, items: Iterable[Item]) -> list[Item]:
    """The items, each namespace with the spans of all its blocks."""
    heads = Counter(found["name"].strip("'\"") for head in _HEADS for found in head.finditer(document.text))
    if max(heads.values(), default=0) < 2:
        return list(items)
    return list(_spread(items, list(_blocks(document)), {0}))


def _spread(items: Iterable[Item], blocks: Collection[_Block], around: Collection[int]) -> Iterator[Item]:
    items = list(items)
    for item in items:
        if item.kind not in ("Namespace", "Module"):
            yield item
            continue
        name = item.name.strip("'\"")
        mine = [one for one in blocks if one.around in around and one.name == name]
        # In other quotes a server tells it as another.
        told = [span for one in items if one.name.strip("'\"") == name for span in one.spans]
        further = [one.span for one in mine if not any(span.encloses(one.span) for span in told)]
        children = list(_spread(item.children, blocks, {one.brace for one in mine}))
        yield item._replace(spans=[*item.spans, *further], children=children)


def _blocks(document: Document) -> Iterator[_Block]:
    source, read = document.once(SourceText), brackets(document)
    for word in ("namespace", "module", "global"):
        for number in read.places.get(word, ()):
            brace = _brace(read, number)
            if brace not in read.closer:
                continue
            name = "".join(map(read.text, range(number + 1, brace))) or word
            first = number
            while read.text(first - 1) in _MODIFIERS:
                first -= 1
            span = source.span(read.words[first].start, read.words[read.closer[brace]].start + 1)
            yield _Block(name.strip("'\""), read.opener[number], brace, span)


def _brace(read: Brackets, number: int) -> int:
    """The brace behind the name that a head has, if it is one."""
    place = number + 1
    while read.words[place].is_name or read.words[place].kind == "string" or read.text(place) == ".":
        place += 1
    return place if read.text(place) == "{" else 0
