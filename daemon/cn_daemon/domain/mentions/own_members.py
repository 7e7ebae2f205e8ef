"""Where a script names a member of its own by `this` or by the object that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.mentions.taking import is_parameter
from cn_daemon.domain.source.brackets import Brackets, Word, brackets
from cn_daemon.domain.source.text import Document

_TAKEN = (".", "?.")
_BEFORE_LITERAL = frozenset({"=", "(", ",", ":", "[", "?", "||", "&&", "??", "return", "default"})


class Mention(NamedTuple):
    """place: the offset of the member's name. sure: that it is one of this holder; `this` in a function within its
    functions may be another."""

    place: int
    holder: str
    sure: bool


class _Holder(NamedTuple):
    """name: `A` of `A.b = …` and `A.prototype.b = …`, "exports", or nothing. brace: the number of that of the literal
    in which `b` is a key, or of the class in which it is an accessor or a method, or 0. made: whether A makes objects
    that have `b`, and has none itself. static: of one in a class, whether the class itself has it."""

    name: str
    brace: int
    made: bool = False
    static: bool | None = None


def own_mentions(document: Document, place: int) -> Iterator[Mention]:
    """Of the member that is declared there, in the same file."""
    script = brackets(document)
    at = script.at(place)
    holder = _holder(script, at)
    if not any(holder):
        return
    for number in script.places.get(script.text(at), ()):
        if number == at or script.text(number - 1) not in (".", "?."):
            continue
        of = script.text(number - 2)
        start = script.words[number].start
        if this := _this(script, number - 2):
            sure = _is_this(script, this, holder)
            if sure is not None:
                yield Mention(start, holder.name or "the object", sure)
        elif of == holder.name and not holder.made and _is_root(script, number - 2):
            yield Mention(start, holder.name, True)


def defined_as(document: Document, place: int) -> tuple[str, str] | None:
    """`A` and `b` where that text `b` is at the place."""
    found = _defined(brackets(document))
    names = ((of, one.text[1:-1]) for of, one in found if one.start <= place < one.start + len(one.text))
    return next(names, None)


def _defined(script: Brackets) -> Iterator[tuple[str, Word]]:
    for at in script.places.get("defineProperty", ()):
        behind = at + 5 if script.text(at + 3) == "." and script.text(at + 4) == "prototype" else at + 3
        if script.text(behind) == "," and script.text(at + 1) == "(":
            yield script.text(at + 2), script.words[behind + 1]


def declared_as(document: Document, place: int) -> list[tuple[int, str]]:
    """The offset of what declares `a` where `this.a` or `b.a` is written there, a key or `b.a = …`, and the name."""
    script = brackets(document)
    at = script.at(place)
    if _declares(script, at):
        return []
    name = script.text(at)
    keys = [script.words[one].start for one in script.places[name] if _declares(script, one)]
    own = {key: own_mentions(document, key) for key in keys}
    return [(key, name) for key, found in own.items() if any(one.place == place and one.sure for one in found)]


def _declares(script: Brackets, at: int) -> bool:
    if script.text(at - 1) not in (".", "?."):
        return True
    return script.text(at - 2) != "this" and script.text(at + 1) == "=" and script.text(at + 2) != "="


def is_made(document: Document, place: int) -> bool:
    """Whether `A.prototype.b = …` declares `b` there."""
    script = brackets(document)
    return _holder(script, script.at(place)).made


def _this(script: Brackets, at: int) -> int:
    """The word `this` that stands there, or that what stands there is given by `self = this`; or 0."""
    name = script.text(at)
    if name == "this" or not script.words[at].is_name or script.text(at - 1) in _TAKEN:
        return at if name == "this" else 0
    found = inner = 0
    for one in script.places[name]:
        parameter = is_parameter(script, one)
        around = script.closer.get(script.opener[one], 0) + 1 if parameter else script.function(one)
        around += parameter and script.text(around) == "=>"
        if not inner <= around < at < script.closer.get(around, 0):
            continue
        given = [script.text(one + step) for step in (1, 2)] == ["=", "this"] and script.text(one - 1) not in _TAKEN
        ends = script.words[one + 3].ends or script.text(one + 3) in (";", ",")
        if parameter or (given and ends):
            found, inner = 0 if parameter else one + 2, around
    return found


def _is_root(script: Brackets, at: int) -> bool:
    return script.text(at - 1) != "." or (script.text(at) == "exports" and script.text(at - 2) == "module")


def _holder(script: Brackets, at: int) -> _Holder:
    if script.text(at - 1) == ".":
        made = script.text(at - 2) == "prototype"
        root = at - 4 if made else at - 2
        return _Holder(script.text(root) if script.words[root].is_name and _is_root(script, root) else "", 0, made)
    brace = script.opener[at]
    if script.text(brace) == "{" and script.text(at + 1) == "(" and _class(script, brace):
        return _Holder("", brace, static=_is_static(script, at))
    if script.text(brace) != "{" or script.text(brace - 1) not in _BEFORE_LITERAL:
        return _Holder("", 0)
    if root := _given(script, brace):
        return _Holder(script.text(root), brace, made=True)
    name = script.text(_assigned(script, brace, literal=True))
    return _Holder(name, brace, made=script.text(brace - 2) == "prototype")


def _given(script: Brackets, brace: int) -> int:
    """The number of `A` in `Object.assign(A.prototype, { … })` where that is its brace, or 0."""
    opening = script.opener[brace]
    if script.text(opening) != "(" or [script.text(opening - back) for back in (3, 2, 1)] != ["Object", ".", "assign"]:
        return 0
    end = script.next_item(opening + 1)
    return end - 3 if script.text(end - 1) == "prototype" and script.words[end - 3].is_name else 0


def _class(script: Brackets, brace: int) -> int:
    """The word `class` of the one whose body begins there, or 0."""
    at = brace - 1
    # What it extends: a name, a member, what is called.
    while script.text(at) != "class" and (script.words[at].is_name or script.text(at) in (".", ")", "]")):
        at = (script.opener[at] if script.text(at) in (")", "]") else at) - 1
    return at if script.text(at) == "class" else 0


def _is_static(script: Brackets, method: int) -> bool:
    """Whether that stands before the name of a method, or before a word that may."""
    before = method - 1
    while script.text(before) in ("get", "set", "async", "*"):
        before -= 1
    return script.text(before) == "static"


def _assigned(script: Brackets, at: int, *, literal: bool = False) -> int:
    """The number of `A` in `A = …`, `A.b = …` and `A.prototype.b = …` where the value begins there; the first one of a
    chain. literal: whether that has members of A, as in `A = { … }` and `A.prototype = { … }`."""
    root = 0
    while script.text(at - 1) == "=" and (script.words[at - 2].is_name or script.text(at - 2) == "]"):
        at -= 2
        member = script.text(at) if script.text(at - 1) == "." else "prototype"
        if script.text(at) == "]":
            # `A[b] = …`
            member, at = "", script.opener[at] - 1
        while script.text(at - 1) == "." and script.words[at - 2].is_name:
            at -= 2
        if literal and member != "prototype" and (script.text(at), member) != ("module", "exports"):
            continue
        root = at if script.text(at) != "module" else at + 2
    return root


def _is_this(script: Brackets, at: int, holder: _Holder) -> bool | None:
    """None: it is that of another object."""
    sure = True
    while at := script.function(at):
        word = script.keyword(at)
        if script.text(word) in ("function", "async") and script.text(word - 1) != ":":
            brace, name = 0, script.text(_assigned(script, word))
        else:
            brace = script.opener[word]
            name = script.text(_assigned(script, brace, literal=True))
        makes = holder.made and script.text(word) == "function" and script.text(word + 1) == holder.name
        if brace and brace == holder.brace and holder.static is not None:
            return True if sure and holder.static == _is_static(script, word) else None
        if (brace and brace == holder.brace) or (name and name == holder.name) or makes:
            return sure
        sure = False
    return None
