"""Whether locals of one name are one symbol. No outline tells the blocks and callbacks that they stand in."""

from __future__ import annotations

from cn_daemon.domain.declarations.outline import CONTAINERS, Declaration
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.comments import namespaces_before
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, Position
from cn_daemon.domain.source.tokens import tokens

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
# What stands before a brace that begins no function; before the parentheses that stand before one.
_BEFORE = frozenset({"else", "try", "finally", "do", "catch", "var", "=", ",", ":", ";", "(", "[", *"{}"})
_CONTROLS = frozenset({"if", "for", "while", "switch", "catch", "with", "await"})


def one_scope(document: Document, one: Declaration, other: Declaration) -> bool:
    """Of two declarations that are one symbol as far as the outline of their file tells."""
    # No block declares two constants of one name.
    constants = one.local and one.kind == other.kind == "Constant"
    return not constants and scope(document, one) == scope(document, other) and _held_alike(document, one, other)


def _held_alike(document: Document, one: Declaration, other: Declaration) -> bool:
    """Whether comments declare neither or both in one namespace: `@typedef {…} a.C` and `@typedef {…} b.C` are two."""
    if "TypeAlias" not in (one.kind, other.kind) or not document.path.endswith(SCRIPTS):
        return True
    source = document.once(SourceText)
    spaces, others = (namespaces_before(source.text, source.offset(each.position)) for each in (one, other))
    return spaces == others


def scope(document: Document, declared: Declaration) -> int:
    """Where the block, the pattern or the function of a `var` ends that a local is known in; 0 for what is no local, or
    one of its outline's own."""
    within = declared.parent is not None and declared.parent.kind in CONTAINERS
    if not declared.local or within or form_of(document.path) is not None:
        return 0
    known: dict[Position, int] = document.once(_known)
    if declared.position not in known:
        source = document.once(SourceText)
        place = source.offset(declared.position)
        function = _function(document, place) if declared.kind == "Variable" else None
        known[declared.position] = _closing(source, place) if function is None else function
    return known[declared.position]


def _known(_: Document) -> dict[Position, int]:
    return {}


def _closing(source: SourceText, place: int) -> int:
    depth = 0
    behind = source.text[place:]
    for kind, start, end in tokens(behind, jsx=source.jsx):
        if kind == "punctuation":
            mark = behind[start:end]
            depth += (mark in _OPENING) - (mark in _CLOSING)
            if depth < 0:
                return place + start
    return len(source.text)


def _function(document: Document, place: int) -> int | None:
    """Where the function around a `var` ends, or the text; None of what is no `var`."""
    if "var" not in document.text:
        return None
    script = brackets(document)
    number = script.at(place)
    if script.text(script.declaring(number)) != "var":
        return None
    while number := script.opener[number]:
        if script.text(number) == "{" and script.text(number - 1) not in _BEFORE:
            named = script.opener[number - 1] - 1 if script.text(number - 1) == ")" else 0
            if script.text(named) not in _CONTROLS:
                break
    return script.words[script.closer.get(number, -1)].start
