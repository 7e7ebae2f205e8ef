"""What is kept of the texts that were asked about last."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cn_daemon.domain.items import Item, mentioning, read_outline
from cn_daemon.domain.namespaces import in_all_blocks
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document

T = TypeVar("T")
KEPT = 4000
# Reading the whole outline of a longer text takes so long that other questions must go on meanwhile.
LARGE = 300_000
NAMES_KEPT = 16


class ByText(Generic[T]):
    """What a server has told of a text, until that of its file is another one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, T]] = OrderedDict()

    async def of(
        self, documents: Sequence[Document], fetch: Callable[[Sequence[Document]], Awaitable[Sequence[T]]]
    ) -> dict[str, T]:
        """By path. fetch: asks the server, for the texts of which nothing is kept."""
        # Held from here on: while the server is asked, another question may put another text in its place.
        found = {
            one.path: kept[1]
            for one in documents
            if (kept := self._kept.get(one.path)) is not None and kept[0] == one.text
        }
        missing = [one for one in documents if one.path not in found]
        if missing:
            found.update(zip((one.path for one in missing), await fetch(missing), strict=True))
        for one in documents:
            self._kept[one.path] = (one.text, found[one.path])
            self._kept.move_to_end(one.path)
        while len(self._kept) > max(KEPT, len(documents)):
            self._kept.popitem(last=False)
        return found


@dataclass(slots=True)
class _Read:
    items: list[Item]
    whole: list[Declaration] | None = None
    named: dict[str, list[Declaration]] = field(default_factory=dict)


class Outlines:
    """The outlines of TypeScript's texts, each read as far as somebody has asked."""

    def __init__(self) -> None:
        self._kept = ByText[_Read]()

    async def of(
        self,
        documents: Sequence[Document],
        name: str | None,
        fetch: Callable[[Sequence[Document]], Awaitable[list[list[Item]]]],
    ) -> dict[str, list[Declaration]]:
        """By path. name: only the declarations of that name, and what holds them. fetch: a server's items."""

        async def fetched(missing: Sequence[Document]) -> list[_Read]:
            told = zip(missing, await fetch(missing), strict=True)
            return [_Read(await _unless_large(document, in_all_blocks, items)) for document, items in told]

        found = await self._kept.of(documents, fetched)
        return {one.path: await _outline(one, found[one.path], name) for one in documents}


async def _outline(document: Document, read: _Read, name: str | None) -> list[Declaration]:
    if name is not None and read.whole is None:
        if name not in read.named:
            if len(read.named) >= NAMES_KEPT:
                read.named.clear()
            read.named[name] = read_outline(document, mentioning(document, read.items, name))
        return read.named[name]
    if read.whole is None:
        read.whole = await _unless_large(document, read_outline, read.items)
    return read.whole


async def _unless_large(
    document: Document, read: Callable[[Document, list[Item]], list[T]], items: list[Item]
) -> list[T]:
    if len(document.text) > LARGE:
        return await asyncio.to_thread(read, document, items)
    return read(document, items)
