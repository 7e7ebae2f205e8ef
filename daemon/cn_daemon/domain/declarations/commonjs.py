"""What assignments declare in a script: `exports.a = …`, `A.prototype.b = …`. Each server lists other parts of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.declarations.object_keys import object_keys
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.statements import breaks, statement_end
from cn_daemon.domain.source.text import Document
from cn_daemon.domain.source.tokens import tokens

_ASSIGNED = re.compile(r"^[^\W\d][\w$]*(?:\s*\.\s*[\w$]+)*\s*=(?![=>])", re.MULTILINE)
_HOLDER = re.compile(r"(?:^|=[ \t]*)([^\W\d][\w$]*)\s*\.\s*[\w$.]+\s*=(?![=>])", re.MULTILINE)
_TARGET = re.compile(r"(?P<holder>(?:[\w$]+\s*\.\s*)*)(?P<name>[\w$]+)\s*=(?![=>])\s*")
# `exports["a-b"] = …` within a chain declares no name.
_KEYED = re.compile(r"[\w$]+(?:\s*\.\s*[\w$]+)*\s*\[\s*['\"][^'\"\n]*['\"]\s*\]\s*=(?![=>])\s*")
_WORD = re.compile(r"(void(?= 0)|[\w$]+)(?: 0)?[ \t]*(?:[;\n]|//|\Z)")
_NAMED = re.compile(r"(?:async\s+)?(?P<word>function|class)\b\s*\*?\s*(?P<name>(?!extends\b)[\w$]+)")
_FUNCTION = re.compile(r"\s*(?:async\b\s*)?(?:function\b|[\w$]+\s*=>|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*=>)")
# The value of a variable whose members are assigned one by one.
_OPEN = re.compile(r"\s*(?:\{\s*\}|class\b)")
_CLASS = re.compile(r"class\b")
_MODULE = ("exports", "module.exports")


class _Assignment(NamedTuple):
    """`holder.name = …`; the holder may be empty. start: where the statement begins, value: what is assigned."""

    start: int
    holder: str
    name: tuple[int, int]
    value: int


def add_assigned(source: SourceText, roots: list[Declaration]) -> None:
    """Add them to the outline of a script: its exports, and the members of its functions and classes. A name that is
    exported as it stands is declared where it stands."""
    found = source.document.once(_assignments)
    for one in found:
        name = source.text[slice(*one.name)]
        if one.holder in _MODULE:
            if not _hands_on(source, one.value, name):
                _add(source, one, _kind(source, one.value), None, roots)
        elif ".".join(filter(None, (one.holder, name))) in _MODULE:
            named = _NAMED.match(source.text, one.value)
            if named is not None:
                kind = "Function" if named["word"] == "function" else "Class"
                _add(source, one._replace(name=named.span("name")), kind, None, roots)
    holders = {one.name: one for one in roots if not one.local}
    for one in found:
        holder = holders.get(one.holder.removesuffix(".prototype"))
        if holder is None:
            continue
        if source.text[slice(*one.name)] != "prototype":
            is_function = _FUNCTION.match(source.text, one.value) is not None
            if is_function or _has_members(source, holder):
                _add(source, one, "Method" if is_function else "Property", holder, roots)
        elif source.text[one.value] == "{":
            keys = object_keys(source, one.value, holder)
            places = {key.position for key in keys}
            for key in keys:
                key.apart = True
            holder.children[:] = [*(child for child in holder.children if child.position not in places), *keys]


def member_holders(text: str) -> frozenset[str]:
    """The names in a script whose members may be assigned."""
    return frozenset(_HOLDER.findall(text))


def _assignments(document: Document) -> list[_Assignment]:
    """Those that are a statement at the top of the file, each part of a chain."""
    return list(_statements(document.once(SourceText)))


def _statements(source: SourceText) -> Iterator[_Assignment]:
    likely = {match.start() for match in _ASSIGNED.finditer(source.text)}
    if not likely:
        return
    depth = 0
    last, end = ("", ""), 0
    for token in tokens(source.text, jsx=source.jsx):
        if token.kind == "comment":
            continue
        word = source.text[token.start : token.end]
        if depth == 0 and token.start in likely:
            gap = source.text[end : token.start]
            if last[1] in ("", ";", "}") or breaks(last, (token.kind, word), gap):
                yield from _chain(source, token.start)
            likely.discard(token.start)
            if not likely:
                return
        if token.kind == "punctuation":
            depth += (word in "([{") - (word in ")]}")
        last, end = (token.kind, word), token.end


def _chain(source: SourceText, start: int) -> Iterator[_Assignment]:
    targets = []
    place = start
    while target := _TARGET.match(source.text, place) or _KEYED.match(source.text, place):
        targets += [target] if target.re is _TARGET else []
        place = target.end()
    for target in targets:
        holder = re.sub(r"\s+|\.\s*$", "", target["holder"])
        yield _Assignment(start, holder, target.span("name"), place)


def _hands_on(source: SourceText, value: int, name: str) -> bool:
    """Whether the value is `name` itself, or nothing."""
    found = _WORD.match(source.text, value)
    return found is not None and found[1] in (name, "void")


def _kind(source: SourceText, value: int) -> str:
    if _FUNCTION.match(source.text, value):
        return "Function"
    return "Class" if _CLASS.match(source.text, value) else "Constant"


def _has_members(source: SourceText, one: Declaration) -> bool:
    if one.kind in ("Constant", "Variable"):
        target = _TARGET.match(source.text, source.offset(one.name_span.start))
        place = target.end() if target else 0
        while target := _TARGET.match(source.text, place) if place else None:
            place = target.end()
        return place > 0 and bool(_OPEN.match(source.text, place) or _FUNCTION.match(source.text, place))
    return one.kind in ("Function", "Class")


def _add(
    source: SourceText, found: _Assignment, kind: str, holder: Declaration | None, roots: list[Declaration]
) -> None:
    name_span = source.span(*found.name)
    span = source.span(found.start, found.start + statement_end(source.text[found.start :], jsx=source.jsx))
    declared = Declaration(source.document.path, source.text[slice(*found.name)], kind, name_span, span, parent=holder)
    declared.exported = holder is None
    declared.apart = holder is not None
    value = source.position(found.value)
    into = holder.children if holder is not None else roots
    is_class = _CLASS.match(source.text, found.value) is not None
    for level in (into, roots):
        for one in [one for one in level if one.position == name_span.start or one.span.start == value]:
            # What the server tells of it. The class or function that the value is may have a name of its own.
            level.remove(one)
            declared.children += one.children
    if is_class:
        # Of one without a name the server tells the members alone.
        declared.children += [one for one in roots if one.local and value < one.span.start < span.end]
        roots[:] = [one for one in roots if one not in declared.children]
        declared.children.sort(key=lambda one: one.span)
    for child in declared.children:
        child.parent = declared
        child.local = not (is_class and child.kind in MEMBERS)
    if source.text.startswith("{", found.value):
        declared.children = object_keys(source, found.value, declared)
    into.append(declared)
