"""What both TypeScript servers count as source, and what they keep of it."""

from __future__ import annotations

import asyncio
import os
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from cn_daemon.domain.items import Item, mentioning, read_outline
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document

# Endings and tsserver's names of what is in such files.
ENDINGS = {
    ".ts": "TS",
    ".mts": "TS",
    ".cts": "TS",
    ".tsx": "TSX",
    ".js": "JS",
    ".mjs": "JS",
    ".cjs": "JS",
    ".jsx": "JSX",
}
OUTLINES_KEPT = 4000
_PROJECT = re.compile(r"(^|/)(ts|js)config[^/]*\.json$")
_CONFIGURATION = re.compile(r"(^|/)([^/]*(ts|js)config[^/]*\.json|package\.json|node_modules)$")


def indexed(name: str) -> bool:
    """Whether a file of that name is source, whose words matter."""
    return os.path.splitext(name)[1] in ENDINGS


def script_kind(path: str) -> str:
    """TS, TSX, JS or JSX."""
    return ENDINGS.get(os.path.splitext(path)[1], "TS")


def is_project(path: str) -> bool:
    """Whether that file describes a project."""
    return _PROJECT.search(path) is not None


def is_installation(path: str) -> bool:
    """Whether a change of it means that packages were installed or removed."""
    return path.endswith("/node_modules")


def is_configuration(path: str) -> bool:
    """Whether that file decides which files belong to which project."""
    return _CONFIGURATION.search(path) is not None


def is_ours(path: str) -> bool:
    """Whether a change of that file matters to the servers of TypeScript."""
    return indexed(path) or is_configuration(path)


# Reading the whole outline of a longer text takes so long that other questions must go on meanwhile.
LARGE = 300_000
NAMES_KEPT = 16
Fetch = Callable[[Sequence[Document]], Awaitable[list[list[Item]]]]


@dataclass(slots=True)
class _Kept:
    text: str
    items: list[Item]
    whole: list[Declaration] | None = None
    named: dict[str, list[Declaration]] = field(default_factory=dict)


class Outlines:
    """The outlines of the texts that were asked about last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def of(self, documents: Sequence[Document], name: str | None, fetch: Fetch) -> dict[str, list[Declaration]]:
        """By path. name: only the declarations of that name, and what holds them. fetch: a server's items, for the
        texts that are not kept."""
        # Held from here on: while the server is asked, another question may put another text in its place.
        found = {one.path: kept for one in documents if (kept := self._known(one)) is not None}
        missing = [one for one in documents if one.path not in found]
        if missing:
            for document, items in zip(missing, await fetch(missing), strict=True):
                found[document.path] = self._kept[document.path] = _Kept(document.text, items)
        while len(self._kept) > OUTLINES_KEPT:
            self._kept.popitem(last=False)
        return {one.path: await _read(one, found[one.path], name) for one in documents}

    def _known(self, document: Document) -> _Kept | None:
        kept = self._kept.get(document.path)
        if kept is None or kept.text != document.text:
            return None
        self._kept.move_to_end(document.path)
        return kept


async def _read(document: Document, kept: _Kept, name: str | None) -> list[Declaration]:
    if name is not None and kept.whole is None:
        if name not in kept.named:
            if len(kept.named) >= NAMES_KEPT:
                kept.named.clear()
            kept.named[name] = read_outline(document, mentioning(document, kept.items, name))
        return kept.named[name]
    if kept.whole is None:
        if len(document.text) > LARGE:
            kept.whole = await asyncio.to_thread(read_outline, document, kept.items)
        else:
            kept.whole = read_outline(document, kept.items)
    return kept.whole
