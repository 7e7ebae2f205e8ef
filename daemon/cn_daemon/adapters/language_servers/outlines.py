"""What servers tell of the form of texts, kept of those that were asked about last."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from cn_daemon.domain.declarations.outline import CONTAINERS, MEMBERS, Declaration
from cn_daemon.domain.source.reading import SourceText, unquoted
from cn_daemon.domain.source.text import Document, Span, line_start

T = TypeVar("T")
# Of each some 25 KB.
KEPT = 2000
# Callbacks and what else has no name are told as `a() callback`, `<class>`, `()`.
_NAMED = re.compile(r"""#?[\w$]+\Z|(['"]).+\1\Z|constructor\Z""")


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


class Item(NamedTuple):
    """One item of the outline of a server of TypeScript. kind: one of `KINDS`, "" where it is none of them: an import.
    name_span: None where the server does not tell it."""

    name: str
    kind: str
    spans: Sequence[Span]
    name_span: Span | None
    children: Sequence[Item]


def declarations(document: Document, items: Iterable[Item], parent: Declaration | None = None) -> list[Declaration]:
    """What a server tells, as far as it goes: for when nothing reads the syntax tree. Names of overloads, and what is
    exported, are looked for in the text."""
    source = document.once(SourceText)
    found: list[Declaration] = []
    for item in items:
        if not item.kind or not _NAMED.match(item.name):
            continue
        for number, span in enumerate(item.spans):
            first = source.offset(span.start)
            place = re.compile(rf"(?<![\w$]){re.escape(item.name)}(?![\w$])").search(source.text, first)
            name = item.name_span if number == 0 and item.name_span else place and source.span(*place.span())
            if not name or not span.encloses(name) or source.in_imports(first):
                continue
            one = Declaration(document.path, unquoted(item.name), item.kind, name, span, parent=parent)
            head = source.text[line_start(source.text, first) : source.offset(name.start)]
            one.exported = one.kind not in MEMBERS and "export" in head
            one.local = parent is not None and (parent.local or not (parent.kind in CONTAINERS or one.kind in MEMBERS))
            one.children = declarations(document, item.children, one) if number == 0 else []
            found.append(one)
    return sorted(found, key=lambda one: one.span)
