"""Python's syntax, by tree-sitter: it knows newer forms than the Python that runs cn, and reads on behind a mistake."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

# So many characters of parsed texts are kept; a tree takes some ten bytes for each.
_KEPT = 8_000_000


class Step(NamedTuple):
    """A node, and the field that it is of the one around it."""

    node: Node
    field: str | None


class Syntax:
    """Of one document. Places are offsets in `text`, that of its `SourceText`; nodes count in bytes of UTF-8."""

    def __init__(self, document: Document) -> None:
        self.source = document.once(SourceText)
        self.text = self.source.text
        self._data = self.text.encode("utf-8", "replace")
        self._ascii = len(self._data) == len(self.text)
        self.root = _parser().parse(self._data).root_node
        # Whether there is a mistake in it.
        self.torn = self.root.has_error

    def path(self, start: int, end: int) -> list[Step]:
        """The nodes around a piece of the text, the outermost first."""
        first, last = self._byte(start), self._byte(end)
        cursor = self.root.walk()
        steps = [Step(self.root, None)]
        while cursor.goto_first_child_for_byte(first) is not None:
            node = cursor.node
            if node is None or node.start_byte > first or node.end_byte < last:
                break
            steps.append(Step(node, cursor.field_name))
        return steps

    def written(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode()

    def start(self, node: Node) -> int:
        return self._index(node.start_byte)

    def _byte(self, index: int) -> int:
        return index if self._ascii else len(self.text[:index].encode("utf-8", "replace"))

    def _index(self, byte: int) -> int:
        return byte if self._ascii else len(self._data[:byte].decode())


class Trees:
    """The texts that were parsed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, object], Syntax] = OrderedDict()
        self._characters = 0

    def get(self, path: str, stamp: object) -> Syntax | None:
        found = self._kept.get((path, stamp))
        if found is not None:
            self._kept.move_to_end((path, stamp))
        return found

    def add(self, document: Document, stamp: object) -> Syntax:
        syntax = self._kept[document.path, stamp] = Syntax(document)
        self._characters += len(syntax.text)
        while self._characters > _KEPT and len(self._kept) > 1:
            self._characters -= len(self._kept.popitem(last=False)[1].text)
        return syntax


def within(node: Node, *kinds: str) -> Iterator[Node]:
    """The nodes of some kinds in a node, itself left out, in source order."""
    pending = node.named_children[::-1]
    while pending:
        one = pending.pop()
        if one.type in kinds:
            yield one
        pending += one.named_children[::-1]


@cache
def _parser() -> Parser:
    import tree_sitter_python
    from tree_sitter import Language, Parser  # late: a daemon without Python needs none

    return Parser(Language(tree_sitter_python.language()))
