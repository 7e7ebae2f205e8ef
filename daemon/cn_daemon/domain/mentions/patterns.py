"""Keys of patterns (`{ a: b } = c`), and `c?.["a"]`, of which language servers may not tell whose member they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.source.brackets import DECLARING, Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, occurrences

# Where a pattern may begin that assigns. Few files have one, and only they are read to the end.
_OPENING = re.compile(r"\(\s*[{\[]")
_LIST = re.compile(r"\[\s*\{")
_ASSIGNED = re.compile(r"\(\s*[{\[][^()]{0,400}[}\]]\s*=(?![=>])")
_CHAINED = re.compile(r"=\s*[{\[][^=;]{0,400}[}\]]\s*=(?![=>])")
_STARTS = ("\n", ";", "{", "}")
_QUOTES = ("'", '"', "`")
_BEFORE = re.compile(r"[{,]\s*(?P<computed>\[\s*)?['\"`]?\Z")
_BEHIND = re.compile(r"\s*(?:[:,}]|=(?![=>]))")
_BEHIND_QUOTED = re.compile(r"\s*:\s*[A-Za-z_$][\w$]*\s*[,}=]")
_BEHIND_BOUND = re.compile(r"\s*(?:[,}]|=(?![=>]))")
_BEHIND_COMPUTED = re.compile(r"\s*\]\s*:")
_OPTIONAL = re.compile(r"\?\.\s*\[\s*['\"`]\Z")
_BEHIND_OPTIONAL = re.compile(r"['\"`]\s*\]")
# So much text before a name is looked at.
_NEAR = 80
# What may stand before parentheses, and calls nothing: the first not before a body either.
_CONTROLS = frozenset({"for", "if", "while", "switch", "with", "await"})
_STATES = frozenset({"else", "do", "return", "throw", "yield", "case", "void", "typeof", "of", "in"})
# Before the braces of a type: `const a: { b: number } = c` takes nothing, nor does `<A extends { b: number } = C>`.
_TYPED = frozenset({":", "|", "&", ">", "=>", "extends", "readonly"})


_NAME = re.compile(r"[A-Za-z_$][\w$]*")


class Key(NamedTuple):
    """place: the offset of the name, within its quotes. computed: `["a"]: b`. declares: in a pattern that declares, as
    that or as `"a": b`. optional: `c?.["a"]`, which is no pattern. defaulted: of a parameter, `({ a } = {}) => b`,
    whose type comes from around it and may be that of nothing as well, of which compilers know no member."""

    place: int
    computed: bool
    declares: bool
    optional: bool = False
    defaulted: bool = False


class Supposed(NamedTuple):
    """A text in which the pattern around a key is one whose members language servers know: `(({ a: _ }) => 0)(c)` for
    `({ a: b } = c)`, and `c?.a` for `c?.["a"]`. place: of the key. taker: of the variable that it is given to, if that
    is known. start, end: the part of the document's own text that `instead` stands for."""

    document: Document
    place: int
    taker: int | None
    start: int
    end: int
    instead: str


def _keys(document: Document, name: str) -> Iterator[Key]:
    text = document.once(SourceText).text
    assigning = document.once(_assigns)
    number = name.replace(".", "", 1).isdecimal()
    for start in occurrences(text, name):
        quote, behind = text[max(0, start - 1) : start], start + len(name)
        quoted = quote in _QUOTES
        if not (text.startswith(quote, behind) if quoted else assigning or number):
            continue
        near = text[max(0, start - _NEAR) : start]
        if (
            quoted
            and _BEHIND_OPTIONAL.match(text, behind)
            and _OPTIONAL.search(near)
            and brackets(document).at(start - 1)
        ):
            yield Key(start, computed=False, declares=False, optional=True)
            continue
        before = _BEFORE.search(near)
        computed = before is not None and before["computed"] is not None
        is_key = (_BEHIND_COMPUTED if computed else _BEHIND).match(text, behind + quoted)
        if before and is_key and (quoted if computed else assigning or _BEHIND_QUOTED.match(text, behind + quoted)):
            script = brackets(document)
            at = script.at(start - len(before[0].lstrip("{,").lstrip()))
            declares = _declares(script, at)
            if declares is not None and (quoted or number or not declares):
                yield Key(start, computed, declares)
            elif declares and _is_defaulted(script, at):
                yield Key(start, computed, declares, defaulted=True)


def _assigns(document: Document) -> bool:
    text = document.once(SourceText).text
    for found in _OPENING.finditer(text):
        before = _before(text, found.start())
        if not before or before.endswith((*_STARTS, "for", "await")) or _ASSIGNED.match(text, found.start()):
            return True
    lists = (_before(text, found.start()) for found in _LIST.finditer(text))
    return any(not before or before.endswith(_STARTS) for before in lists) or _CHAINED.search(text) is not None


def _before(text: str, start: int) -> str:
    return text[max(0, start - _NEAR) : start].rstrip(" \t")


def _declares(script: Brackets, at: int) -> bool | None:
    """Whether the pattern around a word declares variables, or assigns; None: there is no pattern around it."""
    around, whole = script.opener[at], 0
    if script.text(around) != "{":
        # An argument, or a part of a list: `A<B, "c">`.
        return None
    while script.text(around) in ("{", "["):
        behind = script.closer.get(around, -1) + 1
        if script.text(behind) == "of" or (script.text(behind) == "=" and script.text(behind + 1) != "="):
            whole = around
        around = script.opener[around]
    before = script.text(whole - 1) if whole else ""
    if before in _TYPED:
        return None
    if script.text(around) != "(" or before in DECLARING:
        return before in DECLARING or before == "," if whole else None
    behind = script.closer.get(around, -1) + 1
    called = script.words[around - 1].is_name and script.text(around - 1) not in _CONTROLS
    if script.text(behind) in ("=>", ":") or (called and script.text(behind) == "{"):
        return True
    return (called and script.text(around - 1) not in _STATES) if whole else None


def _is_defaulted(script: Brackets, at: int) -> bool:
    """Whether the declaring pattern around a word is a parameter with a default, of no function's declaration."""
    around = script.opener[at]
    of = script.opener[around]
    takes = script.text(of) == "(" and script.text(script.closer.get(around, -1) + 1) == "="
    return takes and script.text(of - 2) not in ("function", "*")


def binds(document: Document, start: int, end: int) -> bool:
    """Whether the name there may be one that a pattern takes and declares at once: `const { a } = b`, `({ a }) => a`.
    An argument, as in `b ? c({ a }) : d`, may look alike."""
    text = document.once(SourceText).text
    if text[max(0, start - _NEAR) : start].rstrip()[-1:] not in ("{", ",") or not _BEHIND_BOUND.match(text, end):
        return False
    script = brackets(document)
    return _declares(script, script.at(start)) is True


def supposed(document: Document, key: Key, name: str) -> Supposed | None:
    """None where it cannot be said so."""
    script, text = brackets(document), document.once(SourceText).text
    word = script.at(key.place) or script.at(key.place - 1)
    item = script.opener[word] if key.computed else word
    if not word or not _NAME.fullmatch(name):
        return None
    if key.optional:
        around = script.opener[word]
        start, end = script.words[around].start, script.words[script.closer[around]].start + 1
        return _instead(document, start, end, "", name, "", None)
    if key.defaulted:
        return _of_parameter(document, script.opener[word], name)
    if key.declares:
        last = script.closer.get(item, item)
        taker = script.words[last + 2] if script.words[last + 2].kind == "name" else None
        start, end = script.words[item].start, script.words[last].start + len(script.text(last))
        return _instead(document, start, end, "", name, "", taker.start - end if taker else None)
    found = _outermost(script, text, item, name)
    if found is None:
        return None
    whole, before, behind = found
    sign = script.closer[whole] + 1
    if script.text(sign) == "of" and script.text(whole - 2) in ("for", "await"):
        ends = f"let {before}", f"{behind} of"
    elif script.opener[whole] == whole - 1 and script.text(whole - 1) == "(":
        ends = f"({before}", f"{behind}) => 0)("
    elif script.words[whole].ends or script.text(whole - 1) in (";", "{", "}", ""):
        ends = f"let {before}", f"{behind} ="
    else:
        return None
    start, end = script.words[whole].start, script.words[sign].start + len(script.text(sign))
    return _instead(document, start, end, ends[0], name, ends[1], len(": "))


def _of_parameter(document: Document, around: int, name: str) -> Supposed:
    """`_ = {}, __ = _.a` for `{ a } = {}`, which begins with the bracket `around`."""
    script, text = brackets(document), document.once(SourceText).text
    sign = script.closer[around] + 1
    last = script.words[script.next_item(sign) - 1]
    start, end = script.words[around].start, last.start + len(last.text)
    taken = "__ = _."
    before = f"_ {text[script.words[sign].start : end]}, {taken}"
    return _instead(document, start, end, before, name, "", -len(name) - len(taken))


def _outermost(script: Brackets, text: str, item: int, name: str) -> tuple[int, str, str] | None:
    """The bracket that a pattern begins with, and what stands around a key in one that takes nothing else."""
    around, before, behind = script.opener[item], "{ ", ": _ }"
    while script.text(script.opener[around]) in ("{", "["):
        above, end = script.opener[around], script.closer.get(around, around) + 1
        # What is taken instead of nothing has a say in the type.
        last = script.words[script.next_item(end) - 1]
        default = text[script.words[end].start : last.start + len(last.text)] if script.text(end) == "=" else ""
        if script.text(above) == "[":
            places, item = 0, script.next_item(above + 1)
            while item < around:
                places, item = places + 1, script.next_item(item + 1)
            if script.text(around - 1) not in ("[", ","):
                return None
            before, behind = f"[{',' * places}{before}", f"{behind}{default}]"
        elif script.text(around - 1) == ":":
            first = script.opener[around - 2] if script.text(around - 2) == "]" else around - 2
            taken = text[script.words[first].start : script.words[around].start]
            before, behind = f"{{ {taken}{before}", f"{behind}{default} }}"
        else:
            break
        around = above
    return (around, before, behind) if script.text(script.closer.get(around, -1) + 1) in ("=", "of") else None


def _instead(
    document: Document, start: int, end: int, before: str, name: str, behind: str, taker: int | None
) -> Supposed:
    """taker: so far behind the name."""
    text, instead = document.once(SourceText).text, before + name + behind
    other = Document(document.path, text[:start] + instead + text[end:])
    place = start + len(before)
    return Supposed(other, place, place + len(name) + taker if taker is not None else None, start, end, instead)
