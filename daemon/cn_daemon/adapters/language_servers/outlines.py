"""What is kept of the texts that were asked about last."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from cn_daemon.adapters.reading_watch import in_thread
from cn_daemon.domain.declarations.items import Item, mentioning, read_outline
from cn_daemon.domain.declarations.long_names import in_whole
from cn_daemon.domain.declarations.namespaces import in_all_blocks
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document

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


class _Read:
    """The outline of one text, read as far as somebody has asked, by one question at a time."""

    def __init__(self, document: Document, items: list[Item]) -> None:
        self._items = items
        self._whole: list[Declaration] | None = None
        self._named: dict[str, list[Declaration]] = {}
        # A large text is read in a thread. What is worked out of a document is for one thread only: it is its own.
        self._large = Document(document.path, document.text) if len(document.text) > LARGE else None
        self._lock = asyncio.Lock()

    async def outline(self, document: Document, name: str | None) -> list[Declaration]:
        """name: only the declarations of that name, and what holds them."""
        async with self._lock:
            if name is not None and self._whole is None:
                if name not in self._named:
                    if len(self._named) >= NAMES_KEPT:
                        self._named.clear()
                    self._named[name] = await self._read(document, name)
                return self._named[name]
            if self._whole is None:
                self._whole = await self._read(document, None)
            return self._whole

    async def _read(self, document: Document, name: str | None) -> list[Declaration]:
        if self._large is not None:
            large = self._large
            return await in_thread(large, lambda: _outline(large, self._items, name))
        return _outline(document, self._items, name)


class Outlines:
    """The outlines of TypeScript's texts."""

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
            return [_Read(document, items) for document, items in zip(missing, await fetch(missing), strict=True)]

        found = await self._kept.of(documents, fetched)
        return {one.path: await found[one.path].outline(one, name) for one in documents}


def _outline(document: Document, items: list[Item], name: str | None) -> list[Declaration]:
    told = in_all_blocks(document, in_whole(document, items))
    return read_outline(document, told if name is None else mentioning(document, told, name))
