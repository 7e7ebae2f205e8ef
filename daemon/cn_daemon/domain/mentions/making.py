"""What `new` makes of a value, by the text of its type: `typeof A`, `new () => A & B`, `{ new (): A }`, `Maker<A>`."""

from __future__ import annotations

import re
from itertools import islice
from typing import Literal, NamedTuple

from cn_daemon.domain.source.tokens import tokens

# How long the text of a type may be.
_LONGEST = 20_000
_VALUE = re.compile(r"^(?:\(alias\) )?(?:const|let|var) ", re.MULTILINE)
_ENDED = re.compile(r"(?: \(\+\d+ overloads?\))?(?:\n(?:namespace|import|interface|type) [^\n]*)*\Z")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
# Of these types nothing can be said.
_OPEN = frozenset({"any", "unknown", "infer", "keyof", "this", "unique", "asserts", "import"})
_PLAIN = frozenset({"object", "never", "void", "undefined", "null", "string", "number", "boolean", "symbol", "bigint"})

Sort = Literal["class", "instance", "maker"]


class Part(NamedTuple):
    """A named type that says what is made. start: of its last word. arguments: where its own begin, by offset.

    sort: a class behind `typeof`; what is made; or a type of which the signatures with `new` have to be read.
    """

    name: str
    start: int
    sort: Sort
    arguments: tuple[int, ...] = ()


def value_type(signature: str, calls: int) -> str:
    """The type of what a server describes, called so often in a row; nothing where that is not told."""
    value = _VALUE.search(signature)
    text = _ENDED.sub("", signature[value.start() if value else 0 :])
    start = re.match(r"(?:\(\w+\) )*", text)
    reader = Reader(text, start.end() if start else 0)
    at = 0
    while reader.word(at) not in ("", ":", "("):
        at = reader.behind(at)
    # `function f(a): B`, and else `const f: (a) => B`.
    ends = ":" if reader.word(at) == "(" and calls else "=>"
    at += reader.word(at) == ":"
    for _ in range(calls):
        while ends == "=>" and reader.word(at) == "(" and reader.word(reader.behind(at)) in (")", ""):
            at += 1
        at = reader.behind(at) if reader.word(at) == "<" else at
        if reader.word(at) != "(" or reader.word(at := reader.behind(at)) != ends:
            return ""
        at, ends = at + 1, "=>"
    return text[reader.offset(at) :]


class Reader:
    """The type that begins at `start`. parts: those that it names; open: there may be others; untyped: since it is
    `any`."""

    def __init__(self, text: str, start: int) -> None:
        self.open = self.untyped = False
        self.parts: list[Part] = []
        self._end = min(len(text), start + _LONGEST)
        found = (one for one in tokens(text[start : self._end]) if one.kind != "comment")
        # Read as far as they are asked for: behind most types a whole file follows.
        self._coming = ((text[start + one.start : start + one.end], start + one.start) for one in found)
        self._words: list[tuple[str, int]] = []

    def word(self, at: int) -> str:
        return self._words[at][0] if self._has(at) else ""

    def offset(self, at: int) -> int:
        return self._words[at][1] if self._has(at) else self._end

    def _has(self, at: int) -> bool:
        self._words += islice(self._coming, max(0, at + 1 - len(self._words)))
        return at < len(self._words)

    def behind(self, at: int) -> int:
        """The word behind this one, or behind what it opens."""
        closing = [_CLOSING[self.word(at)]] if self.word(at) in _CLOSING else []
        while closing and self._has(at + 1):
            at += 1
            if self.word(at) == closing[-1]:
                closing.pop()
            elif self.word(at) in _CLOSING:
                closing.append(_CLOSING[self.word(at)])
        return at + 1

    def type(self, at: int = 0, sort: Sort = "maker") -> int:
        """Reads what is combined there; returns the word behind it."""
        while True:
            at += self.word(at) in ("&", "|")
            at = self._part(at, sort)
            if self.word(at) in ("|", "extends", "["):
                self.open = True
            if self.word(at) not in ("&", "|"):
                return at

    def parameters(self, at: int = 0) -> tuple[list[str], int]:
        """The names in the list of type parameters that opens there, if one does; and the word behind it."""
        if self.word(at) != "<":
            return [], at
        end = self.behind(at)
        return [self.word(one) for one in map(self._named, self._listed(at, end))], end

    def members(self, at: int) -> bool:
        """Reads the signatures with `new` of the braces that open there. Whether there are any."""
        end, found = self.behind(at) - 1, False
        at += 1
        while at < end:
            if self.word(at) == "new" and self.word(at + 1) in ("(", "<") and self.word(at - 1) not in (".", "?"):
                found = True
                at = self._signature(at + 1, ":")
            else:
                at = self.behind(at)
        return found

    def _part(self, at: int, sort: Sort) -> int:
        word = self.word(at)
        if word == "abstract" and self.word(at + 1) == "new":
            return self._part(at + 1, sort)
        if word == "new" and sort == "maker":
            return self._signature(at + 1, "=>")
        if word == "typeof" and sort == "maker":
            return self._name(at + 1, "class")
        if word == "(" and self.word(self.behind(at)) != "=>":
            # `(Anonymous class)`
            self.open = self.open or self.word(self.type(at + 1, sort)) != ")"
            return self.behind(at)
        if word == "{":
            if sort == "maker":
                self.members(at)
            return self.behind(at)
        if word in _PLAIN:
            return at + 1
        if word in _OPEN or not re.match(r"[^\W\d]|\$", word):
            self.open = True
            self.untyped = self.untyped or word == "any"
            return at + 1
        return self._name(at, sort)

    def _name(self, at: int, sort: Sort) -> int:
        while self.word(at + 1) == "." and self.word(at + 2):
            at += 2
        end = self.behind(at + 1) if self.word(at + 1) == "<" else at + 1
        arguments = tuple(self.offset(one) for one in self._listed(at + 1, end)) if end > at + 1 else ()
        self.parts.append(Part(self.word(at), self.offset(at), sort, arguments))
        return end

    def _signature(self, at: int, colon: str) -> int:
        """What one with `new` makes."""
        at = self.behind(at) if self.word(at) == "<" else at
        at = self.behind(at)
        if self.word(at) != colon:
            self.open = True
            return at
        return self.type(at + 1, "instance")

    def _listed(self, at: int, end: int) -> list[int]:
        """Where the types begin in a list that opens there."""
        found, at = [at + 1], at + 1
        while at < end - 1:
            if self.word(at) == ",":
                found.append(at + 1)
            at = self.behind(at)
        return found

    def _named(self, at: int) -> int:
        while self.word(at) in ("in", "out", "const"):
            at += 1
        return at
