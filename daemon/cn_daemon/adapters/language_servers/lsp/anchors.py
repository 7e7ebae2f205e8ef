"""Anchors of YAML and what repeats them, and keys, as its scanner reads them: no server tells where an anchor's name
stands."""

from __future__ import annotations

from cn_daemon.adapters.yaml_text import scanned
from cn_daemon.domain.source.text import Document, Position, Span, character_at


class Anchors:
    """Of one text. declared: the names of anchors, in order."""

    def __init__(self, document: Document) -> None:
        self.declared: list[tuple[str, Span]] = []
        # Of each anchor, alias and key what its name stands for, where that is known.
        self._leads: list[tuple[Span, Span]] = []
        known: dict[str, Span] = {}
        is_key = False
        for kind, name, line, column in scanned(document.text):
            if kind == "document":
                known = {}
                continue
            start = Position(line, character_at(document.line(line), column))
            span = Span(start, Position(line, character_at(document.line(line), column + len(name))))
            if kind == "anchor":
                known[name] = span
                self.declared.append((name, span))
            if kind == "alias" and name in known:
                self._leads.append((span, known[name]))
            elif kind == "anchor" or (kind == "scalar" and is_key):
                self._leads.append((span, span))
            is_key = kind == "key"

    def at(self, place: Position) -> list[Span]:
        """What the name at a place stands for: one, or none."""
        return [declared for span, declared in self._leads if span.holds(place)]

    def repeats(self, place: Position) -> list[Span]:
        """Where what an anchor names is repeated; the anchor itself first. Nothing for a key."""
        anchors = {span for _, span in self.declared if span.start == place}
        return [span for span, declared in self._leads if declared in anchors]
