"""Whether locals of one name are one symbol. No outline tells the blocks and callbacks that they stand in."""

from __future__ import annotations

from cn_daemon.domain.brackets import brackets
from cn_daemon.domain.forms import form_of
from cn_daemon.domain.outline import CONTAINERS, Declaration
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.text import Document, Position
from cn_daemon.domain.tokens import tokens

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
# What stands before a brace that begins no function; before the parentheses that stand before one.
_BEFORE = frozenset({"else", "try", "finally", "do", "catch", "var", "=", ",", ":", ";", "(", "[", *"{}"})
_CONTROLS = frozenset({"if", "for", "while", "switch", "catch", "with", "await"})


def one_scope(document: Document, one: Declaration, other: Declaration) -> bool:
    """Of two declarations that are one symbol as far as the outline of their file tells."""
    within = one.parent is not None and one.parent.kind in CONTAINERS
    if not one.local or within or form_of(document.path) is not None:
        return True
    if one.kind == other.kind == "Variable":
        function = _function(document, one)
        return function is not None and function == _function(document, other)
    # No block declares two constants of one name.
    return not one.kind == other.kind == "Constant" and _end(document, one) == _end(document, other)


def _end(document: Document, declared: Declaration) -> int:
    """Where the block or the pattern ends that a declaration stands in."""
    ends: dict[Position, int] = document.once(_ends)
    if declared.position not in ends:
        source = document.once(SourceText)
        ends[declared.position] = _closing(source, source.offset(declared.position))
    return ends[declared.position]


def _ends(_: Document) -> dict[Position, int]:
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


def _function(document: Document, declared: Declaration) -> int | None:
    """The brace of the function around a `var`, 0 at the top; None of what is no `var`."""
    if "var" not in document.text:
        return None
    script = brackets(document)
    number = script.at(document.once(SourceText).offset(declared.position))
    if script.text(script.declaring(number)) != "var":
        return None
    while number := script.opener[number]:
        if script.text(number) == "{" and script.text(number - 1) not in _BEFORE:
            named = script.opener[number - 1] - 1 if script.text(number - 1) == ")" else 0
            if script.text(named) not in _CONTROLS:
                return number
    return 0
