"""What a file takes from modules, read from its tokens: what it requires and imports, and what is taken of the names
that these give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.source.brackets import Brackets, Word, brackets
from cn_daemon.domain.source.text import Document

WHOLE = ""
# All that the module of its value exports.
ALL = "*"
_ENDS = frozenset({"", ";", ",", "}", ")", "]"})
# Behind one of these no specifier is read: the next import has its own.
_NO_CLAUSE = frozenset({"", ";", "=", "(", "import", "export"})


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


def ends(word: Word) -> bool:
    """Whether a value ends before it."""
    return word.text in _ENDS or word.ends


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
    bound = script.text(first - 1) == "=" and ends(words[behind])
    if bound and words[first - 2].is_name and script.text(first - 3) != ".":
        take = take._replace(local=words[first - 2].start, here=script.text(first - 2))
    yield take
    if bound and script.text(first - 2) == "}" and not take.member:
        yield from _pattern(script, script.opener[first - 2], take)


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
    while script.words[end].kind != "string" and script.text(end) not in _NO_CLAUSE:
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
