"""What servers tell of the form of texts, kept of those that were asked about last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from cn_daemon.domain.source.text import Document

T = TypeVar("T")
# Of each some 25 KB.
KEPT = 2000


class ByText(Generic[T]):
    """What a server has answered about a text, until that of its file is another one."""

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
