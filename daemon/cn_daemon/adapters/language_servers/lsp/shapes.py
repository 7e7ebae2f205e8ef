"""The shapes of LSP and ours: its lines and characters count from 0, ours from 1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from cn_daemon.application.ports import Finding, Hit, Site
from cn_daemon.domain.declarations.blocks import Fold
from cn_daemon.domain.source.text import Position, Span

_SEVERITIES: dict[int, Literal["error", "warning"]] = {1: "error", 2: "warning"}


def identifier(path: str) -> dict[str, str]:
    return {"uri": Path(path).as_uri()}


def position(place: Position) -> dict[str, int]:
    return {"line": place.line - 1, "character": place.character - 1}


def place(site: Site) -> dict[str, Any]:
    return {"textDocument": identifier(site.path), "position": position(site.position)}


def path_of(uri: str) -> str:
    return unquote(urlsplit(uri).path)


def span(row: Mapping[str, Any]) -> Span:
    start, end = row["start"], row["end"]
    return Span(Position(start["line"] + 1, start["character"] + 1), Position(end["line"] + 1, end["character"] + 1))


def rows(answer: Any) -> list[dict[str, Any]]:
    """Of one Location or LocationLink, many, or none."""
    return list(answer) if isinstance(answer, list) else [answer] if answer else []


def hits(answer: Any, *, definition: bool = False) -> list[Hit]:
    """Of one Location or LocationLink, many, or none."""
    answered = rows(answer)
    places = [(row.get("targetUri") or row["uri"], row.get("targetSelectionRange") or row["range"]) for row in answered]
    paths = {uri: path_of(uri) for uri in {uri for uri, _ in places}}
    return [Hit(paths[uri], span(where), definition) for uri, where in places]


def findings(report: Any, prefix: str = "") -> list[Finding]:
    """Of a document's diagnostics, those that are errors or warnings. prefix: of their codes."""
    return [
        Finding(span(row["range"]), _SEVERITIES[row["severity"]], f"{prefix}{row.get('code', '')}", row["message"])
        for row in (report or {}).get("items", ())
        if row.get("severity") in _SEVERITIES
    ]


def fold(row: Mapping[str, Any]) -> Fold:
    start = Position(row["startLine"] + 1, row.get("startCharacter", 0) + 1)
    end = Position(row["endLine"] + 1, row.get("endCharacter", 0) + 1)
    return Fold(row.get("kind") or "code", Span(start, end))
