"""The shapes of tsserver and ours: both count lines and characters from 1."""

from __future__ import annotations

from typing import Any

from cn_daemon.adapters.language_servers.tsserver.offsets import Offsets
from cn_daemon.application.ports import Site
from cn_daemon.domain.items import Item
from cn_daemon.domain.text import Document, Position, Span

KINDS = {
    "class": "Class", "local class": "Class", "interface": "Interface", "type": "TypeAlias", "enum": "Enum",
    "enum member": "EnumMember", "function": "Function", "local function": "Function", "var": "Variable",
    "local var": "Variable", "let": "Variable", "const": "Constant", "using": "Constant", "await using": "Constant",
    "method": "Method", "constructor": "Constructor", "property": "Property", "accessor": "Accessor",
    "getter": "Accessor", "setter": "Accessor", "module": "Namespace", "parameter": "Variable",
    "type parameter": "TypeAlias", "external module name": "Module", "script": "Module",
}  # fmt: skip


def arguments(site: Site) -> dict[str, Any]:
    return {"file": site.path, "line": site.position.line, "offset": site.position.character}


def span(row: dict[str, Any]) -> Span:
    start, end = row["start"], row["end"]
    return Span(Position(start["line"], start["offset"]), Position(end["line"], end["offset"]))


def items(document: Document, tree: dict[str, Any]) -> list[Item]:
    offsets = Offsets(document.text)
    return [_item(child, offsets) for child in tree.get("childItems", ())]


def _item(row: dict[str, Any], offsets: Offsets) -> Item:
    return Item(
        row["text"],
        KINDS.get(row["kind"], ""),
        [offsets.span(span) for span in row["spans"]],
        offsets.span(row["nameSpan"]) if row.get("nameSpan") else None,
        [_item(child, offsets) for child in row.get("childItems", ())],
    )


def plain(documentation: Any) -> str:
    if isinstance(documentation, str):
        return documentation
    return "".join(part.get("text", "") for part in documentation)
