"""What a declaration file declares under a name, and in what: `A.b` of `class A { b: number }`. Read by form alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cn_daemon.domain.source.brackets import Brackets, brackets
from cn_daemon.domain.source.text import Document

_NUMBERED = re.compile(r"\$\d+$")
_HEADS = frozenset({"class", "interface", "enum", "namespace", "module", "type", "const", "let", "var"})
_DECLARING = _HEADS | {"function"}
_BEFORE_MEMBER = frozenset({"{", ";", ",", "}", "readonly", "static", "abstract", "get", "set", "protected", "declare"})
_BEHIND_MEMBER = frozenset({":", "?", "(", "<", ";", ",", "=", "}", "!"})


class Chained(NamedTuple):
    """start: the offset of the name. around: the names of what it stands in, outermost first. plain: all of those have
    names of their own, no signature is between them."""

    start: int
    around: tuple[str, ...]
    plain: bool


def unnumbered(name: str) -> str:
    """The name in the sources: bundlers call the second of two `A$1`."""
    return _NUMBERED.sub("", name)


def declared(document: Document, name: str) -> list[Chained]:
    """Everything that is declared under a name."""
    return document.known(_declared, name)


def _declared(document: Document, name: str) -> list[Chained]:
    script = brackets(document)
    places: Iterable[int] = script.places.get(name, ())
    if not name.replace("$", "_").isidentifier():
        places = (at for at, word in enumerate(script.words) if word.kind == "string" and word.text[1:-1] == name)
    elif f"{name}$" in document.text:
        places = (at for text, numbers in script.places.items() if unnumbered(text) == name for at in numbers)
    return [_chained(script, at) for at in places if _declares(script, at)]


def chain_at(document: Document, offset: int) -> Chained:
    """What a place stands in."""
    script = brackets(document)
    return _chained(script, script.at(offset))


def _declares(script: Brackets, at: int) -> bool:
    before, behind = script.text(at - 1), script.text(at + 1)
    if before == "export" and script.text(at) == "default":
        return True
    if before in _DECLARING:
        return script.text(at - 2) != "."
    if script.text(script.opener[at]) not in ("{", ""):
        return False
    return (before in _BEFORE_MEMBER or script.words[at].ends) and behind in _BEHIND_MEMBER


def _chained(script: Brackets, at: int) -> Chained:
    around: list[str] = []
    plain = True
    for bracket in _outwards(script, at):
        names = _holder(script, bracket) if script.text(bracket) == "{" else ()
        plain = plain and bool(names)
        around = [*(unnumbered(name) for name in names if name != "global" and name[0] not in "'\""), *around]
    return Chained(script.words[at].start, tuple(around), plain)


def _outwards(script: Brackets, at: int) -> Iterator[int]:
    while at := script.opener[at]:
        yield at


def _holder(script: Brackets, brace: int) -> tuple[str, ...]:
    """The names of what a brace belongs to: several of `namespace A.B`, none of what has no name."""
    first, at = script.opener[brace], brace
    while at - 1 > first and script.text(at - 1) != ";":
        at -= 1
        word = script.text(at)
        if word in (")", "]", "}"):
            at = script.opener[at]
        elif word == ":":
            name = at - 2 if script.text(at - 1) in ("?", "!") else at - 1
            return (script.text(name),) if script.text(name) not in (")", "]") else ()
        elif word in _HEADS and (script.words[at + 1].is_name or script.words[at + 1].kind == "string"):
            return tuple(_dotted(script, at + 1))
        elif word == "global" or (word == "default" and script.text(at + 1) in ("class", "abstract")):
            return (word,)
    return ()


def _dotted(script: Brackets, at: int) -> Iterator[str]:
    yield script.text(at)
    while script.text(at + 1) == ".":
        at += 2
        yield script.text(at)
