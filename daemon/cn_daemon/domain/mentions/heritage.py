"""What classes, interfaces and aliases say that they extend and implement. Read from their tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from cn_daemon.domain.source import forms
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.statements import statement_end
from cn_daemon.domain.source.tokens import tokens

# How long the head of a class may be.
_HEAD = 4000
# Of these the first argument is what is inherited.
_CARRIERS = frozenset({"Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable"})
# An alias with one of these outside of brackets is a type of its own.
_OTHER_TYPE = frozenset("| => ? [ ( extends keyof typeof infer unique new abstract asserts".split())
_VALUE = re.compile(r"[^={}]*=\s*(?:abstract\s+)?class\b(?:\s+(?!extends\b|implements\b)[\w$]+)?")

Relation = Literal["extends", "implements"]


class Heir(NamedTuple):
    """A name in a heritage clause: where it stands, and after which word (`extends` or `implements`)."""

    start: int
    end: int
    relation: Relation


def heritage(text: str, start: int, form: Form | None = None) -> Iterator[Heir]:
    """The types that the class or interface whose name ends at `start` says it extends and implements.

    Of `ns.Base<T>` it is `Base`, of a mixin `Mix(Base)` both `Mix` and `Base`, of `Base.with(a)` both `Base` and
    `with`. Of `Partial<Base>` and its like it is `Base`; no other type argument counts.
    """
    if form is not None:
        for first, end in forms.parents(text, start, form):
            yield Heir(first, end, "extends")
        return
    relation: Relation | None = None
    names = _Names()
    for kind, first, end in tokens(text[start : start + _HEAD]):
        word = text[start + first : start + end]
        if word in ("extends", "implements") and not names.nested:
            yield from names.ended()
            relation = "extends" if word == "extends" else "implements"
        elif word == "{" and not names.nested:
            break
        elif relation is not None and kind == "name":
            yield from names.name(Heir(start + first, start + end, relation), word)
        elif kind == "punctuation":
            yield from names.punctuation(word)
    yield from names.ended()


def aliased(text: str, start: int) -> Iterator[Heir]:
    """The types that the alias whose name ends at `start` combines: `= A & Partial<B> & import("c").D`; none of a
    union."""
    names = _Names()
    found: list[Heir] = []
    value = module = False
    for kind, first, last in tokens(text[start : _alias_end(text, start)]):
        word = text[start + first : start + last]
        if module or (value and word == "import"):
            # The module is passed over.
            module = word != "."
            continue
        if value and not names.nested and (word in _OTHER_TYPE):
            return
        if not value and word == "=" and not names.nested:
            value = True
        elif value and kind == "name":
            found += names.name(Heir(start + first, start + last, "extends"), word)
        elif kind == "punctuation":
            found += names.punctuation(word)
    yield from found
    yield from names.ended()


def _alias_end(text: str, start: int) -> int:
    return start + statement_end(text[start : start + _HEAD], jsx=False)


def is_compound(text: str, name_end: int, end: int) -> bool:
    """Whether the alias whose name ends there is made of several types, `A & B` or `A | B`."""
    depth, value = 0, False
    for _, first, last in tokens(text[name_end:end]):
        word = text[name_end + first : name_end + last]
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(word, 0)
        if depth == 0:
            if value and word in ("&", "|"):
                return True
            value = value or word == "="
    return False


def inherited(text: str, name_end: int, kind: str, form: Form | None = None) -> Iterator[Heir]:
    """What the declaration of that kind whose name ends there says it extends and implements."""
    if kind in ("Class", "Interface"):
        yield from heritage(text, name_end, form)
    elif kind == "TypeAlias":
        yield from aliased(text, name_end)
    elif form is None and (value := _VALUE.match(text, name_end, name_end + _HEAD)):
        yield from heritage(text, value.end())


class _Names:
    """The names that count while a list of types is read."""

    def __init__(self) -> None:
        # The open brackets: `<` hides what is in it, `first` (of a carrier) does so from its first comma on.
        self._open: list[str] = []
        self._chain: list[Heir] = []
        self._dotted = self._carrier = False

    @property
    def nested(self) -> bool:
        return bool(self._open)

    def name(self, heir: Heir, word: str) -> Iterator[Heir]:
        if not {"<", "{"}.isdisjoint(self._open):
            return
        if not self._dotted:
            yield from self.ended()
        self._chain.append(heir)
        self._dotted = False
        self._carrier = word in _CARRIERS

    def punctuation(self, word: str) -> Iterator[Heir]:
        if word in (".", "?."):
            # What stands in type arguments belongs to no chain.
            self._dotted = {"<", "{"}.isdisjoint(self._open)
            return
        if word == "<":
            if self._carrier:
                self._chain = []
            self._open.append("first" if self._carrier else "<")
        elif word in ("(", "{", "["):
            if word == "(" and len(self._chain) > 1 and {"<", "{"}.isdisjoint(self._open):
                yield self._chain[-2]
                self._chain = self._chain[-1:]
            self._open.append(word)
        elif word in (">", ")", "}", "]"):
            if self._open:
                self._open.pop()
        elif word == "," and self._open[-1:] == ["first"]:
            self._open[-1] = "<"
        self._carrier = False

    def ended(self) -> Iterator[Heir]:
        """The name that was read last: what follows is another."""
        yield from self._chain[-1:]
        self._chain = []
