"""The shapes of tsserver and ours: both count lines and characters from 1, and lines by ends of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cn_daemon.adapters.language_servers.tsserver.line_ends import LineEnds, line_ends_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.source.text import Position, Span

KINDS = {
    "class": "Class", "local class": "Class", "interface": "Interface", "type": "TypeAlias", "enum": "Enum",
    "enum member": "EnumMember", "function": "Function", "local function": "Function", "var": "Variable",
    "local var": "Variable", "let": "Variable", "const": "Constant", "using": "Constant", "await using": "Constant",
    "method": "Method", "constructor": "Constructor", "property": "Property", "accessor": "Accessor",
    "getter": "Accessor", "setter": "Accessor", "module": "Namespace", "parameter": "Variable",
    "type parameter": "TypeAlias", "external module name": "Module", "script": "Module",
}  # fmt: skip


def location(place: Position, ends: LineEnds | None) -> dict[str, int]:
    """ends: of its text."""
    line, offset = ends.sent(place) if ends else place
    return {"line": line, "offset": offset}


def arguments(site: Site) -> dict[str, Any]:
    return {"file": site.path, **location(site.position, line_ends_of(site.path))}


def span(row: dict[str, Any], ends: LineEnds | None) -> Span:
    """ends: of its text."""
    start, end = row["start"], row["end"]
    found = Span(Position(start["line"], start["offset"]), Position(end["line"], end["offset"]))
    return ends.received(found) if ends else found


def hits(rows: Sequence[dict[str, Any]] | None, *, definition: bool = False) -> list[Hit]:
    """definition: whether all of them are; else they tell it themselves."""
    ends = {path: line_ends_of(path) for path in {row["file"] for row in rows or ()}}
    return [
        Hit(row["file"], span(row, ends[row["file"]]), definition or bool(row.get("isDefinition")))
        for row in rows or ()
    ]


def plain(documentation: Any) -> str:
    if isinstance(documentation, str):
        return documentation
    return "".join(part.get("text", "") for part in documentation)
