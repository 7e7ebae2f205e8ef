"""What a script hands on by assignment, `exports.a = b`, read from its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.mentions.taking import ALL, WHOLE, ends, takes
from cn_daemon.domain.source.brackets import Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_ANNOUNCED = re.compile(r"(?:[\w$.]+\s*=\s*)+void 0")
_MODIFIERS = frozenset({"get", "set", "async", "*"})


class Export(NamedTuple):
    """name: what it is taken by, or WHOLE, or ALL. key: the offset of that name. value: that of the name that stands
    for it, or None: of `a` in `exports.b = a` and `c.a`, of a function's own, of the module in `require("a")`."""

    name: str
    key: int
    value: int | None


def exports(document: Document) -> list[Export]:
    return document.once(_exports)


def hands_on(document: Document, export: Export) -> bool:
    """Whether it declares nothing, as `exports.a = b` and `exports.a = require("b").a`; `exports.a = function b() {}`
    and `exports.a = b.c` do."""
    script = brackets(document)
    before = script.text(script.at(export.value) - 1) if export.value is not None else "function"
    if export.name == WHOLE or before != ".":
        return export.name == WHOLE or before not in ("function", "class", "*")
    return any(take.place == export.value for take in takes(document))


def declared_later(document: Document, key: int) -> Export | None:
    """What gives a name its value that `exports.a = void 0` only announces, as compilers write it."""
    one = next((one for one in exports(document) if one.key == key), None)
    if one is None or not _ANNOUNCED.match(document.once(SourceText).text, key):
        return None
    return next((other for other in exports(document) if other.name == one.name and other.key > key), None)


def made_of(document: Document, export: Export) -> Iterator[int]:
    """The offsets of what is called to make what is exported, in `exports.a = new b(c)`, and of what that is given."""
    script = brackets(document)
    at = script.at(export.key)
    if script.text(at + 1) != "=":
        return
    at = _value(script, at + 2)
    at += script.text(at) == "new"
    yield script.words[at].start
    while script.words[at].is_name or script.text(at) == ".":
        at += 1
    for number in range(at + 1, script.closer.get(at, at)) if script.text(at) == "(" else ():
        if script.text(number - 1) in ("(", ",") and script.opener[number] == at:
            yield script.words[number].start


def _exports(document: Document) -> list[Export]:
    script = brackets(document)
    words = script.words
    found = list(_defined(script))
    for at in _own_exports(script):
        name, behind = words[at], at + 1
        if script.text(behind) == ",":
            found += _added(script, at)
        if script.text(behind) == "." and words[behind + 1].is_name:
            name, behind = words[behind + 1], behind + 2
        if script.text(at - 2) == script.text(behind) == ")" and script.text(script.opener[at - 2] - 1) == "require":
            # `export * from "a"` is `__exportStar(require("a"), exports)` where it was compiled.
            found.append(Export(ALL, name.start, _stands_for(script, script.opener[at - 2] - 1)))
        if script.text(behind) != "=" or script.text(behind + 1) == "=":
            continue
        value = _value(script, behind + 1)
        if name is words[at] and script.text(value) == "{":
            found += _keys(script, value)
        else:
            exported = WHOLE if name is words[at] else name.text
            found.append(Export(exported, name.start, _stands_for(script, value)))
    return found


def _defined(script: Brackets) -> Iterator[Export]:
    """`Object.defineProperty(exports, "a", { get: function () { return b.c; } })`, as `export { c as a } from "b"` is
    compiled."""
    for at in script.places.get("defineProperty", ()):
        name, brace = script.words[at + 4], at + 6
        if script.text(at + 2) == "exports" and name.kind == "string" and brace in script.closer:
            gives = (one for one in range(brace, script.closer[brace]) if script.text(one) in ("return", "=>"))
            stands = [_stands_for(script, one + 1) for one in gives]
            if stands:
                yield Export(name.text[1:-1], name.start + 1, stands[0])


def _added(script: Brackets, at: int) -> Iterator[Export]:
    """`Object.assign(exports, { a }, require("b"))`: what is exported by that."""
    opening = script.opener[at]
    first = script.text(opening + 1) == "exports" or script.text(opening + 3) == "exports"
    if not first or (script.text(opening - 3), script.text(opening - 1)) != ("Object", "assign"):
        return
    at += 1
    while script.text(at) == ",":
        if script.text(at + 1) == "{":
            yield from _keys(script, at + 1)
        else:
            yield Export(ALL, script.words[at + 1].start, _stands_for(script, at + 1))
        at = script.next_item(at + 1)


def _own_exports(script: Brackets) -> list[int]:
    """Where it says `exports` or `module.exports`."""
    return [
        at
        for at in script.places.get("exports", ())
        if script.text(at - 1) != "." or (script.text(at - 2) == "module" and script.text(at - 3) != ".")
    ]


def _value(script: Brackets, at: int) -> int:
    """Where the value of a chain of assignments begins."""
    ahead = at
    while script.words[ahead].is_name:
        if script.text(ahead + 1) == "[":
            # `exports["a-b"] = …` is a part of a chain as well.
            ahead = script.closer.get(ahead + 1, ahead + 1)
        if script.text(ahead + 1) not in (".", "="):
            break
        ahead += 2
        if script.text(ahead - 1) == "=":
            at = ahead
    return at


def _stands_for(script: Brackets, at: int) -> int | None:
    """The offset of the name that a value is, or has."""
    words = script.words
    if script.text(at) == "async":
        at += 1
    if script.text(at) in ("function", "class"):
        own = words[at + 2] if script.text(at + 1) == "*" else words[at + 1]
        return own.start if own.is_name and own.text != "extends" else None
    place = words[at].start
    if script.text(at) == "require" and script.text(at + 1) == "(" and script.text(at + 3) == ")":
        place = words[at + 2].start + 1
        at += 3
    elif not words[at].is_name:
        return None
    while script.text(at + 1) == "." and words[at + 2].is_name:
        at += 2
        place = words[at].start
    return place if ends(words[at + 1]) else None


def _keys(script: Brackets, brace: int) -> Iterator[Export]:
    """Those of the object literal that begins there."""
    at, closing = brace, script.closer.get(brace, brace)
    while at < closing:
        at += 1
        end = script.next_item(at)
        if script.text(at) == "...":
            yield Export(ALL, script.words[at].start, _stands_for(script, at + 1))
        while script.text(at) in _MODIFIERS and script.text(at + 1) not in (":", "(", ",", "}"):
            at += 1
        key = script.words[at]
        if key.is_name:
            stands = _stands_for(script, at + 2) if script.text(at + 1) == ":" else None
            yield Export(key.text, key.start, key.start if at + 1 == end else stands)
        at = end
