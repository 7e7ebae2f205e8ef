"""What types are made of, by texts: what they inherit from as it is written, and what they may by what a compiler makes
of it, in a conditional type, a mapped one, `InstanceType<typeof A>` or the arguments of another type."""

from __future__ import annotations

import re
from typing import NamedTuple

from cn_daemon.domain.mentions.heritage import HEAD, HEADS, Clause, aliased, clause_of, heritage, in_comment
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.statements import statement_end
from cn_daemon.domain.source.text import Document
from cn_daemon.domain.source.tokens import tokens

# Before the name of a value whose type is taken.
VALUE = "typeof "
# Behind the name of a type of which a member's type is taken.
MEMBER = "["
# Servers do not go into what a compiler joins.
JOINED = "&"
_JOINING = ("&", "infer")
_IMPLEMENTS = "implements"
_HEADS = re.compile(r"(?<![\w$.])(?P<word>type|interface)\s+(?P<name>(?:[^\W\d]|\$)[\w$]*)(?=\s*[<={]|\s+extends\b)")
_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_RENAMED = re.compile(r"([\w$]+)\s+as\s+([\w$]+)(?=\s*[,}])")


class Parts(NamedTuple):
    """Names of types. plain: what is inherited from as it is. carried: what may be."""

    plain: frozenset[str]
    carried: frozenset[str]


class Implementing(NamedTuple):
    """A class that says what it implements."""

    clause: Clause
    parts: Parts
    # Whether it extends something besides.
    extends: bool


def implementing(document: Document) -> list[Implementing]:
    """The classes of a text that implement something."""
    text = document.once(SourceText).text
    if _IMPLEMENTS not in text:
        return []
    found = []
    for head in HEADS.finditer(text):
        if head["word"] != "class" or in_comment(text, head.start()):
            continue
        told = list(heritage(text, head.end()))
        plain = {text[one.start : one.end] for one in told if one.relation == "implements"}
        if plain:
            carried = _in_clause(text, head.end(), "implements") - plain
            extends = any(one.relation == "extends" for one in told)
            found.append(Implementing(clause_of(text, head, "implements"), _parts(plain, carried), extends))
    return found


def made_of(document: Document, name: str) -> list[Parts]:
    """What the types of that name in a text are made of; of an interface what it extends, of an import its own name."""
    text = document.once(SourceText).text
    told = [_of_alias(text, end) if word == "type" else _of_interface(text, end) for word, end in heads(document, name)]
    return told + [_parts({old}, set()) for old in document.once(_renamed).get(name, ())]


def members_of(document: Document, name: str) -> Parts:
    """What members of the interfaces of that name in a text may be."""
    text = document.once(SourceText).text
    ends = [end for word, end in heads(document, name) if word == "interface"]
    return _parts(set(), {one for end in ends for one in _in_braces(text, end)})


def _in_braces(text: str, start: int) -> set[str]:
    found: set[str] = set()
    nested, before = 0, ""
    for kind, first, last in tokens(text[start : start + HEAD]):
        word = text[start + first : start + last]
        if nested:
            found |= _named(kind, word, before)
        before = word
        nested += {"{": 1, "}": -1}.get(word, 0)
        if word == "}" and not nested:
            break
    return found


def declares_class(document: Document, name: str) -> bool:
    return "class" in document.text and re.search(rf"\bclass\s+{re.escape(name)}(?![\w$])", document.text) is not None


def is_opaque(text: str, name_end: int) -> bool:
    """Whether only a compiler knows what the alias inherits from whose name ends there."""
    return bool(_of_alias(text, name_end).carried)


def heads(document: Document, name: str) -> list[tuple[str, int]]:
    """The word before each declaration of an alias or an interface of that name, and where the name ends."""
    return document.once(_heads).get(name, [])


def _heads(document: Document) -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    text = document.once(SourceText).text
    for one in _HEADS.finditer(text) if "type" in text or "interface" in text else ():
        found.setdefault(one["name"], []).append((one["word"], one.end()))
    return found


def _renamed(document: Document) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    text = document.text
    for one in _RENAMED.finditer(text) if " as " in text else ():
        found.setdefault(one[2], []).append(one[1])
    return found


def _of_alias(text: str, name_end: int) -> Parts:
    end = name_end + statement_end(text[name_end : name_end + HEAD], jsx=False)
    own, value, nested = set(), False, 0
    carried: set[str] = set()
    before = ""
    for kind, first, last in tokens(text[name_end:end]):
        word = text[name_end + first : name_end + last]
        if kind == "comment":
            continue
        if value:
            carried |= _named(kind, word, before)
        elif kind == "name" and nested == 1 and before in ("<", ",", "in", "out", "const"):
            own.add(word)
        value = value or (word == "=" and not nested)
        nested += 0 if value else {"<": 1, "(": 1, "{": 1, ">": -1, ")": -1, "}": -1}.get(word, 0)
        before = word
    # What it is given for a type parameter is anything.
    plain = {text[one.start : one.end] for one in aliased(text, name_end)} - own
    return _parts(plain, carried - plain - (set() if carried - plain - {JOINED} else {JOINED}))


def _of_interface(text: str, name_end: int) -> Parts:
    plain = {text[one.start : one.end] for one in heritage(text, name_end)}
    return _parts(plain, _in_clause(text, name_end, "extends") - plain if plain else set())


def _in_clause(text: str, start: int, word: str) -> set[str]:
    """The names in a class' or an interface's clause of that word, arguments included."""
    found: set[str] = set()
    nested, within, before = 0, False, ""
    for kind, first, last in tokens(text[start : start + HEAD]):
        one = text[start + first : start + last]
        if not nested and one in ("extends", "implements"):
            within = one == word
        elif not nested and one == "{":
            break
        elif within:
            found |= _named(kind, one, before)
        before = one
        nested += {"<": 1, "(": 1, "{": 1, "[": 1, ">": -1, ")": -1, "}": -1, "]": -1}.get(one, 0)
    return found


def _named(kind: str, word: str, before: str) -> set[str]:
    if kind == "name":
        return {VALUE + word if before == VALUE.strip() else word}
    if word == MEMBER and _NAME.fullmatch(before):
        return {before + MEMBER}
    return {JOINED} if word in _JOINING else set()


def _parts(plain: set[str], carried: set[str]) -> Parts:
    return Parts(frozenset(plain), frozenset(carried))
