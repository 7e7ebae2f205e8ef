"""What the text of a script says of the value that a member is taken of: `new A().b`, `c.b` behind `c = new A()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.brackets import Brackets, brackets
from cn_daemon.domain.modules import is_parameter
from cn_daemon.domain.text import Document

_EMPTY = frozenset({"new", "null", "undefined", "void", "false"})
_BEFORE_METHOD = frozenset({"{", "}", ";", "async", "*"})
# Of what a comment says of a parameter.
_TYPED = r"@param\s*\{(?![?!]?(?:any|[Oo]bject|[Ff]unction|[Ss]tring|[Nn]umber|[Bb]oolean)\})[^\n]*\}\s*\[?NAME\b"


class Value(NamedTuple):
    """variable: the offset of the name that it has. makers: those of A in `new A`, `A.prototype`, and around `super`.
    own: that of `this`. open: whether the text does not say what it may be."""

    variable: int | None = None
    makers: tuple[int, ...] = ()
    own: int | None = None
    open: bool = False


def value_before(document: Document, place: int) -> Value:
    """What a member is taken of whose name is at an offset, behind a dot."""
    script = brackets(document)
    last = script.at(place) - 2
    first = last
    if script.text(last) == ")":
        first = script.opener[last] - 1
    while script.words[first].is_name and script.text(first - 1) == "." and script.words[first - 2].is_name:
        first -= 2
    return _value(script, first - (script.text(first - 1) == "new"), last + 1)


def says_maker(document: Document, place: int, name: str) -> bool:
    """Whether the file says that it is made by `new` and that name."""
    if not document.known(_is_made_of, name):
        return False
    script = brackets(document)
    values = [value_before(document, place)]
    if values[0].variable is not None:
        word = script.text(script.at(values[0].variable))
        values = [value_of(document, script.words[at].start) for at in script.places[word]]
    return any(script.text(script.at(maker)) == name for value in values for maker in value.makers)


def _is_made_of(document: Document, name: str) -> bool:
    return re.search(rf"\bnew\s+(?:[\w$]+\s*\.\s*)*{re.escape(name)}\b", document.text) is not None


def value_of(document: Document, place: int) -> Value:
    """What the variable has that is declared at an offset."""
    script = brackets(document)
    at = script.at(place)
    if script.text(at + 1) == "=" and script.text(at + 2) != "=":
        end = at + 2
        while not script.words[end := end + 1].ends and script.text(end) not in ("", ";", ",", ")"):
            end = script.closer.get(end, end)
        return _value(script, at + 2, end)
    typed = re.search(_TYPED.replace("NAME", re.escape(script.text(at))), document.text)
    return Value(open=typed is not None or not is_parameter(script, at))


def _value(script: Brackets, first: int, end: int) -> Value:
    """That of what stands from one word up to another one."""
    words = [script.text(number) for number in range(first, end)]
    if words[:1] == ["new"]:
        maker = _maker(script, first)
        behind = script.closer.get(maker + 1, maker) + 1
        return Value(makers=(script.words[maker].start,)) if behind == end else Value(open=True)
    if words in (["this"], ["super"]):
        makers = [script.words[base].start for base in _bases(script, first)]
        return Value(makers=tuple(makers), own=script.words[first].start, open=not makers)
    if words[-2:] == [".", "prototype"]:
        return Value(makers=(script.words[end - 3].start,))
    if words[:2] == ["this", "."] and len(words) == 3:
        fields = [at + 2 for at in script.places[words[2]] if script.text(at - 1) == "." and script.text(at + 1) == "="]
        makers = [script.words[_maker(script, at)].start for at in fields if script.text(at) == "new"]
        known = makers and all(script.text(at) in _EMPTY for at in fields)
        return Value(makers=tuple(makers)) if known else Value(open=True)
    if len(words) == 1 and script.words[first].is_name:
        return Value(variable=script.words[first].start)
    return Value(open=True)


def overrides(document: Document, name: str) -> Iterator[tuple[int, int]]:
    """Where classes that extend another one have a method of that name, each with the last word of what its class
    extends: offsets."""
    script = brackets(document)
    for at in script.places.get(name, ()):
        base = _base(script, script.opener[at])
        if base and script.text(at + 1) == "(" and script.text(at - 1) in _BEFORE_METHOD:
            yield script.words[at].start, script.words[base].start


def _bases(script: Brackets, at: int) -> Iterator[int]:
    """The last words of what the classes around a word extend."""
    while at := script.opener[at]:
        if base := _base(script, at):
            yield base


def _base(script: Brackets, brace: int) -> int:
    """The last word of what the class with that brace extends, or 0."""
    first = brace - 1
    while script.text(first - 1) == ".":
        first -= 2
    return brace - 1 if script.text(brace) == "{" and script.text(first - 1) == "extends" else 0


def _maker(script: Brackets, new: int) -> int:
    """The last word of `a.B` in `new a.B`."""
    last = new + 1
    while script.text(last + 1) == ".":
        last += 2
    return last
