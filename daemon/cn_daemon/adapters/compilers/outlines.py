"""Outlines, as the rows of the bindings' process tell them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.tsserver.offsets import Offsets
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document

Row = Mapping[str, Any]
# Reading so many declarations takes so long that other questions must go on meanwhile.
MANY = 20_000


class Outline:
    """The outline of one text, read as far as it was asked for."""

    def __init__(self, document: Document, answer: str) -> None:
        """answer: of the process' `outline` or `declarations`, a list of rows in JSON, a container before what
        it holds. Read, it weighs eight times as much."""
        self._document = document
        self._answer = answer
        self._declarations: list[Declaration] | None = None

    async def of(self, name: str | None) -> list[Declaration]:
        """The declarations in source order. name: those of that name (a private one's `#` aside), with what holds them
        and what they hold, are enough."""
        if self._declarations is not None:
            return self._declarations
        rows: list[Row] = json.loads(self._answer)
        if name is not None:
            return declarations(self._document, _near(rows, name.lstrip("#")))
        if len(rows) > MANY:
            self._declarations = await asyncio.to_thread(declarations, self._document, rows)
        else:
            self._declarations = declarations(self._document, rows)
        self._answer = ""
        return self._declarations


def _near(rows: Sequence[Row], name: str) -> list[Row]:
    by_index = {row["index"]: row for row in rows}
    found: dict[int, Row] = {}
    within: set[int] = set()
    for row in rows:
        if row["container"] in within or row["name"].lstrip("#") == name:
            within.add(row["index"])
            one: Row | None = row
            while one is not None and one["index"] not in found:
                found[one["index"]] = one
                one = by_index.get(one["container"])
    return [found[index] for index in sorted(found)]


def declarations(document: Document, rows: Collection[Row]) -> list[Declaration]:
    """In source order."""
    offsets = Offsets(document.text)
    found: dict[int, Declaration] = {}
    roots: list[Declaration] = []
    span = offsets.between
    for row in rows:
        parent = found.get(row["container"])
        declared = found[row["index"]] = Declaration(
            document.path,
            row["name"],
            row["kind"],
            span(row["nameStart"], row["nameEnd"]),
            span(row["start"], row["end"]),
            row["exported"],
            static=row.get("static", False),
            local=row.get("local", False),
            is_outside=row.get("apart", False),
            statement=span(*row["statement"]) if "statement" in row else None,
            head_end=span(row["head"], row["head"]).start if "head" in row else None,
            scope=row.get("scope", 0),
            parent=parent,
        )
        (roots if parent is None else parent.children).append(declared)
    return sorted(roots, key=lambda one: one.span.start)
