"""What a file hands on by assignment (`exports.a = b`) and what it takes from modules, read from its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.source.brackets import Brackets, Word, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_ANNOUNCED = re.compile(r"(?:[\w$.]+\s*=\s*)+void 0")
WHOLE = ""
# All that the module of its value exports.
ALL = "*"
_MODIFIERS = frozenset({"get", "set", "async", "*"})
_DECLARING = frozenset({"var", "let", "const", "function", "class"})
_ENDS = frozenset({"", ";", ",", "}", ")", "]"})
_CHOICE = frozenset({"(", ")", "?", ":", "|", "&", "||", "&&", "??"})


class Export(NamedTuple):
    """name: what it is taken by, or WHOLE, or ALL. key: the offset of that name. value: that of the name that stands
    for it, or None: of `a` in `exports.b = a` and `c.a`, of a function's own, of the module in `require("a")`."""

    name: str
    key: int
    value: int | None


class Take(NamedTuple):
    """module: the offset of the specifier. member: what is taken, or WHOLE. place: its offset, the module's for the
    whole. local: that of the name of this file that stands for it, if any. here: that name. imported: by an `import`
    that is a statement."""

    module: int
    specifier: str
    member: str
    place: int
    local: int | None = None
    here: str = ""
    imported: bool = False


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


def is_exported(document: Document, name: str) -> bool:
    """Whether the object of that name is what the module exports: `a = module.exports = {}`, `a = module.exports`,
    `module.exports = a`."""
    script = brackets(document)
    for at in script.places.get(name, ()) if name != "exports" else ():
        behind = at + 4 if script.text(at + 2) == "module" else at + 2
        is_given = script.text(at + 1) == "=" and script.text(behind) == "exports"
        if is_given and (script.text(behind + 1) == "=" or _ends(script.words[behind + 1])):
            return True
        if script.text(at - 2) == "exports" and script.text(at - 1) == "=" and _ends(script.words[at + 1]):
            return True
    return False


def own_takes(document: Document, name: str) -> list[int]:
    """Where the file takes it of what it exports: `exports.name`, `module.exports.name`."""
    script = brackets(document)
    return [
        script.words[at].start
        for at in script.places.get(name, ())
        if script.text(at - 1) == "."
        and script.text(at - 2) == "exports"
        and (script.text(at - 3) != "." or script.text(at - 4) == "module")
        and (script.text(at + 1) != "=" or script.text(at + 2) == "=")
    ]


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


def is_common(document: Document) -> bool:
    """Whether a script may export by assignment: it speaks of its exports in code, and neither imports nor exports by
    statements."""
    return document.once(_is_common)


def takes(document: Document) -> list[Take]:
    """Each module that is required or imported, and each name that a pattern or an import takes of it."""
    return document.once(_takes)


def required(document: Document) -> Iterator[Take]:
    """What a file of TypeScript takes by `require("a")`, which makes any there; not by `import b = require("a")`, nor
    `const b: C = require("a")`."""
    script = brackets(document)
    for take in takes(document):
        at = script.at(take.local) if take.local is not None else 0
        before = script.text(at - 1) if at else ""
        if script.text(script.at(take.module - 1) - 2) != "require" or before in ("import", "type"):
            continue
        if before == ":" and not take.member:
            at -= 2
            take = take._replace(local=script.words[at].start, here=script.text(at) if take.here == "any" else "")
        yield take


def all_of(document: Document, whole: Take) -> list[int]:
    """Where the name stands that the file gave a module."""
    script = brackets(document)
    return [
        script.words[at].start for at in script.places.get(whole.here, ()) if script.text(at - 1) not in (".", "?.")
    ]


def held_as(document: Document, whole: Take) -> set[str]:
    """The names of what a module is the value of, `b` in `a.b = c`, `{ b: c }` and `{ b }`; none of a variable's or an
    argument's."""
    script = brackets(document)
    if whole.local is not None:
        return {name for at in map(script.at, all_of(document, whole)) if (name := _held_as(script, at, at + 1))}
    opening = script.opener[script.at(whole.module - 1)]
    name = _held_as(script, opening - 1, script.closer.get(opening, 0) + 1)
    return {name} if name and script.text(opening - 1) == "require" else set()


def members_called(document: Document, name: str) -> list[int]:
    """Where something is taken by that name: `a.name`, `{ name } = a`."""
    if name not in document.text:
        return []
    script = brackets(document)
    return [script.words[at].start for at in script.places.get(name, ()) if _is_taken(script, at)]


def taken_from(document: Document, place: int) -> str:
    """`b` where `a.b.c` takes `c` there."""
    script = brackets(document)
    at = script.at(place)
    return script.text(at - 2) if script.text(at - 1) == "." and script.text(at - 3) == "." else ""


def taken_of(document: Document, whole: Take) -> Iterator[tuple[int, Take]]:
    """What the file takes of a module by the name that it gave it, each with the offset of that name."""
    script = brackets(document)
    for place in all_of(document, whole):
        first, behind = _either(script, script.at(place))
        for take in _taken(script, first, behind, whole._replace(local=None, here="")) if place != whole.local else ():
            if take.member:
                yield place, take


def declared_again(document: Document, take: Take) -> bool:
    """Whether the file may declare the name a second time that it gave to what it took."""
    script = brackets(document)
    return any(
        script.words[at].start != take.local
        and (script.text(at - 1) in _DECLARING or script.text(at + 1) == "=>" or is_parameter(script, at))
        for at in script.places.get(take.here, ())
    )


def _is_taken(script: Brackets, at: int) -> bool:
    if script.text(at - 1) in (".", "?."):
        return True
    opening = script.opener[at]
    pattern = script.text(opening) == "{" and script.text(script.closer.get(opening, 0) + 1) == "="
    return pattern and script.text(at - 1) in ("{", ",")


def _held_as(script: Brackets, first: int, behind: int) -> str:
    before, after = script.text(first - 1), script.words[behind]
    if before in ("{", ","):
        return script.text(first) if script.text(script.opener[first]) == "{" and after.text in (",", "}") else ""
    assigned = before == "=" and script.text(first - 3) == "."
    return script.text(first - 2) if (assigned or before == ":") and _ends(after) else ""


def is_parameter(script: Brackets, at: int) -> bool:
    """Whether a function is given its value by that name; not where it is that of a parameter, or the type of one."""
    opening = script.opener[at]
    if script.text(at - 1) == "=" or (script.text(at - 1) == ":" and script.text(opening) == "("):
        return False
    closing = script.closer.get(opening, 0)
    if script.text(opening) != "(":
        return bool(opening) and script.text(closing + 1) in ("=", ")", ",") and is_parameter(script, opening)
    return script.text(closing + 1) == "=>" or (
        script.text(closing + 1) == "{" and script.function(closing + 2) == closing + 1
    )


def _ends(word: Word) -> bool:
    return word.text in _ENDS or word.ends


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


def _is_common(document: Document) -> bool:
    script = brackets(document)
    statements = (at for word in ("import", "export") for at in script.places.get(word, ()) if not script.opener[at])
    return bool(_own_exports(script)) and all(
        script.text(at - 1) == "." or script.text(at + 1) in ("(", ".") for at in statements
    )


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
    return place if _ends(words[at + 1]) else None


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


def _takes(document: Document) -> list[Take]:
    script = brackets(document)
    found: list[Take] = []
    for at in sorted([*script.places.get("require", ()), *script.places.get("import", ())]):
        if script.text(at - 1) == ".":
            continue
        if script.text(at + 1) == "(" and script.words[at + 2].kind == "string" and script.text(at + 3) == ")":
            found += _required(script, at)
        elif script.text(at) == "import":
            found += _imported(script, at)
    return found


def _module(word: Word) -> Take:
    return Take(word.start + 1, word.text[1:-1], WHOLE, word.start + 1)


def _required(script: Brackets, at: int) -> Iterator[Take]:
    take = _module(script.words[at + 2])
    first, behind = at, at + 4
    if script.text(first - 1) == "await":
        first -= 1
    if script.text(first - 1) == "(" and script.text(behind) == ")":
        # `(await import("a")).b`, `__importStar(require("a"))`.
        first, behind = first - 1 - script.words[first - 2].is_name, behind + 1
    return _taken(script, first, behind, take)


def _taken(script: Brackets, first: int, behind: int, take: Take) -> Iterator[Take]:
    """What is made of a module that stands from `first` up to `behind`."""
    words = script.words
    if script.text(behind) in (".", "?.") and words[behind + 1].is_name:
        take = take._replace(member=words[behind + 1].text, place=words[behind + 1].start)
        behind += 2
    bound = script.text(first - 1) == "=" and _ends(words[behind])
    if bound and words[first - 2].is_name and script.text(first - 3) != ".":
        take = take._replace(local=words[first - 2].start, here=script.text(first - 2))
    yield take
    if bound and script.text(first - 2) == "}" and not take.member:
        yield from _pattern(script, script.opener[first - 2], take)


def _either(script: Brackets, at: int) -> tuple[int, int]:
    """From where to where the value stands that a name is, or may be, as in `(c ? a : b).d`."""
    opening = script.opener[at]
    closing = script.closer.get(opening, 0)
    alone = script.words[opening - 1].kind != "name" and script.text(opening - 1) not in (")", "]")
    may_be = script.text(at - 1) in _CHOICE and script.text(at + 1) in _CHOICE and script.text(closing + 1) == "."
    return (opening, closing + 1) if may_be and alone and script.text(opening) == "(" else (at, at + 1)


def _pattern(script: Brackets, brace: int, take: Take) -> Iterator[Take]:
    """`{ a, b: c, ["d"]: e, f = 1, g: { h } }`, `{ a as b }`: the names behind a brace."""
    words = script.words
    at, closing = brace, script.closer.get(brace, brace)
    while at < closing:
        at += 1
        end = script.next_item(at)
        if script.text(at) == "type" and words[at + 1].is_name and script.text(at + 1) != "as":
            at += 1
        key, behind = (words[at + 1], at + 3) if script.text(at) == "[" else (words[at], at + 1)
        quoted = key.kind == "string"
        member = key.text[1:-1] if quoted else key.text
        local = words[behind + 1] if script.text(behind) in (":", "as") else key
        named = key.is_name or quoted
        if named and local.is_name:
            if member == "default" and script.text(behind) == "as":
                member = WHOLE
            yield take._replace(member=member, place=key.start + quoted, local=local.start, here=local.text)
        elif named and local.text in ("{", "["):
            # Of what is taken a further pattern takes parts.
            yield take._replace(member=member, place=key.start + quoted)
        at = end


def _imported(script: Brackets, at: int) -> Iterator[Take]:
    """`import a, { b } from "c"`, `import * as a from "c"`."""
    end = at + 1
    while script.words[end].kind != "string" and script.text(end) not in ("", ";", "=", "("):
        end = script.closer.get(end, end) + 1
    if script.words[end].kind != "string":
        return
    take = _module(script.words[end])._replace(imported=True)
    for number in range(at + 1, end):
        word, before = script.words[number], script.text(number - 1)
        if word.text == "{":
            yield from _pattern(script, number, take)
            return
        if word.is_name and word.text not in ("from", "as") and before in ("import", "as", "type"):
            yield take._replace(local=word.start, here=word.text)
