"""What the text of a script says of the value that a member is taken of: `new A().b`, `c.b` behind `c = new A()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.mentions.own_members import maker_of_this
from cn_daemon.domain.mentions.taking import is_parameter
from cn_daemon.domain.source.brackets import Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_EMPTY = frozenset({"new", "null", "undefined", "void", "false"})
_BEFORE_METHOD = frozenset({"{", "}", ";", "async", "*"})
# Whose first argument is given what the others have.
_GIVING = frozenset({"assign", "extend", "mixin", "setPrototypeOf"})
_INHERITS = re.compile(r"\binherits\s*\(|\bprototype\s*(?:[,=)]|\.\s*__proto__)")
# What a comment says of `this`.
_THIS = re.compile(r"@this\s+\{?([\w$]+)\b(?!\s*[.<|])")
# Of what a comment says of a parameter.
_TYPED = r"@param\s*\{[?!]?(?!(?:any|[Oo]bject|[Ff]unction|[Ss]tring|[Nn]umber|[Bb]oolean)\})([^\n]*)\}\s*\[?NAME\b"


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
    if script.text(last) in (")", "]"):
        first = script.opener[last] - 1
    while script.words[first].is_name and script.text(first - 1) == "." and script.words[first - 2].is_name:
        first -= 2
    return _value(document, first - (script.text(first - 1) == "new"), last + 1)


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
        return _value(document, at + 2, end)
    if script.text(at - 1) in ("function", "class"):
        return Value()
    types = set(re.findall(_TYPED.replace("NAME", re.escape(script.text(at))), document.text))
    noted = [_named(script, name) for name in types] if len(types) == 1 else []
    if any(noted):
        return Value(makers=(script.words[noted[0]].start,))
    return Value(open=bool(types) or not is_parameter(script, at))


def _named(script: Brackets, name: str) -> int:
    """Where a file says a name by itself, which one of its comments says as well; or 0."""
    return next((at for at in script.places.get(name, ()) if script.text(at - 1) not in (".", "?.")), 0)


def _noted_this(document: Document, at: int) -> int:
    """The same for what the comment above the function around a word says of `this`."""
    script = brackets(document)
    word = script.keyword(script.function(at))
    text = document.once(SourceText).text
    head = text[: text.rfind("\n", 0, script.words[word].start) + 1].rstrip() if word else ""
    said = _THIS.search(head, head.rfind("/**")) if head.endswith("*/") else None
    return _named(script, said[1]) if said else 0


def _value(document: Document, first: int, end: int) -> Value:
    """That of what stands from one word up to another one."""
    script = brackets(document)
    words = [script.text(number) for number in range(first, end)]
    if words[:1] == ["new"]:
        maker = _last(script, first + 1)
        behind = script.closer.get(maker + 1, maker) + 1
        return Value(makers=(script.words[maker].start,)) if behind == end else Value(open=True)
    if words in (["this"], ["super"]):
        bases = list(_bases(script, first)) or [_noted_this(document, first) or maker_of_this(script, first)]
        makers = [script.words[base].start for base in bases if base]
        return Value(makers=tuple(makers), own=script.words[first].start, open=not makers)
    if words[-2:] == [".", "prototype"]:
        return Value(makers=(script.words[end - 3].start,))
    if fields := _fields(script, words):
        makers = [script.words[_last(script, at + 1)].start for at in fields if script.text(at) == "new"]
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


def _fields(script: Brackets, words: list[str]) -> list[int]:
    """Where the values begin that the file assigns to `this.a`, which the words are, or to `this[a]` for `b[a]`."""
    if words[:2] == ["this", "."] and len(words) == 3:
        named = [
            at for at in script.places[words[2]] if script.text(at - 1) == "." and script.text(at - 2) != "exports"
        ]
        given = [at + 2 for at in named if script.text(at + 1) == "="]
        # What it is given to elsewhere has the same value.
        return [at for at in given if [script.text(at + step) for step in range(3)] != words]
    if len(words) == 4 and words[1] == "[":
        named = [
            at for at in script.places.get(words[2], ()) if [script.text(at - 2), script.text(at - 1)] == ["this", "["]
        ]
        return [at + 3 for at in named if script.text(at + 2) == "=" and script.text(at + 3) != "="]
    return []


def bases_of(document: Document, place: int) -> list[int] | None:
    """What a class or function inherits from that is declared at an offset: the last words of these; None where the
    text does not tell it."""
    script = brackets(document)
    at = script.at(place)
    found = [base for heir, base in document.once(inheriting) if script.text(heir) == script.text(at)]
    if script.text(at + 1) == "extends":
        found.append(_last(script, at + 2))
        if script.text(found[-1] + 1) != "{":
            return None
    return [script.words[base].start for base in found]


def inherited(document: Document) -> frozenset[str]:
    """The names of those whose members a file gives to prototypes."""
    return frozenset(brackets(document).text(base) for _, base in document.once(inheriting))


def inheriting(document: Document) -> list[tuple[int, int]]:
    """The numbers of `A` and `B` in `inherits(A, B)`, `A.prototype = Object.create(B.prototype)`, `new B` there,
    `A.prototype.__proto__ = B.prototype` and `Object.assign(A.prototype, B.prototype)`."""
    if not _INHERITS.search(document.text):
        return []
    script = brackets(document)
    found = []
    for at in script.places.get("inherits", ()):
        heir = _last(script, at + 2)
        if script.text(at + 1) == "(" and script.text(heir + 1) == ",":
            found.append((heir, _last(script, heir + 2)))
    for at in script.places.get("prototype", ()):
        behind = at + 3 if script.text(at + 2) == "__proto__" else at + 1
        if script.text(behind) == "," and script.text(script.opener[at] - 1) in _GIVING:
            while script.text(behind) == ",":
                found.append((at - 2, _prototype(script, behind + 1)))
                behind = script.next_item(behind + 1)
        elif script.text(behind) == "=":
            found.append((at - 2, _prototype(script, behind + 1)))
    return [(heir, base) for heir, base in found if script.words[heir].is_name and script.words[base].is_name]


def _prototype(script: Brackets, first: int) -> int:
    """The number of `A` in `A.prototype`, `Object.create(A.prototype)` and `new A`, or 0."""
    if script.text(first) == "new":
        return _last(script, first + 1)
    last = _last(script, first)
    if (script.text(first), script.text(last), script.text(last + 1)) == ("Object", "create", "("):
        last = _last(script, last + 2)
    return last - 2 if script.text(last) == "prototype" and script.text(last - 1) == "." else 0


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


def _last(script: Brackets, first: int) -> int:
    """The last word of `a.B` that begins there."""
    last = first
    while script.text(last + 1) == ".":
        last += 2
    return last
