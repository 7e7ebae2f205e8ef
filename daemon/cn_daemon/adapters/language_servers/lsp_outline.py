"""What `textDocument/documentSymbol` tells, as declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cn_daemon.domain.outline import MEMBERS, Declaration
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.text import Document, Position, Span

# LSP's SymbolKind by the kinds of the wire; what is not here (files, keys, literals, type parameters) is no row.
KINDS = {
    2: "Module", 3: "Namespace", 4: "Namespace", 5: "Class", 6: "Method", 7: "Property", 8: "Property",
    9: "Constructor", 10: "Enum", 11: "Interface", 12: "Function", 13: "Variable", 14: "Constant", 19: "Namespace",
    22: "EnumMember", 23: "Class", 24: "Property", 25: "Method",
}  # fmt: skip
_BODIES = frozenset({"Function", "Method", "Constructor", "Accessor"})
_TYPES = frozenset({"Class", "Interface", "Enum"})
# In a type these are members.
_INSIDE = {"Function": "Method", "Variable": "Property", "Constant": "Property"}


def declarations(
    document: Document, rows: Iterable[Mapping[str, Any]], receiver: re.Pattern[str] | None
) -> list[Declaration]:
    """The declarations of a document, nested, in source order. receiver: as in `Language`."""
    source = SourceText(document)
    roots = _level(document, source, rows, None)
    types = {one.name: one for one in roots if one.kind in _TYPES}
    kept = []
    for one in roots:
        container = _container(one, receiver)
        if container and container in types:
            one.name, one.parent = one.name.rpartition(".")[2].rpartition("::")[2], types[container]
            one.kind = _INSIDE.get(one.kind, one.kind)
            types[container].children.append(one)
        else:
            kept.append(one)
    return kept


def _container(one: Declaration, receiver: re.Pattern[str] | None) -> str:
    found = receiver.match(one.name) if receiver else None
    return (found.groupdict().get("container") or "") if found else ""


def _level(
    document: Document,
    source: SourceText,
    rows: Iterable[Mapping[str, Any]],
    parent: Declaration | None,
) -> list[Declaration]:
    found = []
    for row in rows:
        one = _declaration(document, source, row, parent)
        if one is not None:
            one.children = _level(document, source, row.get("children") or (), one)
            found.append(one)
    return sorted(found, key=lambda one: one.span)


def _declaration(
    document: Document, source: SourceText, row: Mapping[str, Any], parent: Declaration | None
) -> Declaration | None:
    kind = KINDS.get(row["kind"])
    whole = row.get("range") or row["location"]["range"]
    span, name_span = _span(whole), _span(row.get("selectionRange") or whole)
    if kind is None or source.in_imports(source.offset(name_span.start)):
        return None
    if parent is not None and parent.kind in _TYPES:
        kind = _INSIDE.get(kind, kind)
    local = parent is not None and (parent.local or parent.kind in _BODIES)
    local = local or (kind in MEMBERS and parent is None and kind != "Method")
    name = row["name"]
    return Declaration(
        document.path,
        name,
        kind,
        name_span,
        span,
        exported=not name.startswith("_"),
        local=local,
        parent=parent,
    )


def _span(row: Mapping[str, Any]) -> Span:
    start, end = row["start"], row["end"]
    return Span(Position(start["line"] + 1, start["character"] + 1), Position(end["line"] + 1, end["character"] + 1))
