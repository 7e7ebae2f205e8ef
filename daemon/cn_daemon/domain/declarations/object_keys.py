"""The keys of an object literal, where the servers list different parts of them."""

from __future__ import annotations

import re

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SourceText, unquoted
from cn_daemon.domain.source.tokens import tokens

_MODIFIERS = frozenset({"async", "get", "set", "*"})
_AFTER_NAME = frozenset({":", "(", "<", ",", "}"})
_BRACKETS = frozenset("([{")
# What lies in so many literals is no row: nobody names it.
_DEEPEST = 100
# Type arguments and parameters, by what may follow them; a comma in them begins no key.
_PLAIN = r"[^<>(){}\[\];:=?]|=>?"
_NESTED = _PLAIN
for _ in range(3):
    _NESTED = rf"{_PLAIN}|[<({{\[](?>(?:{_NESTED}|[;:?])*)[>)}}\]]"
_TYPES = re.compile(rf"<(?>(?:{_NESTED})*)>(?=\s*(?:[,)}}\](|&`\[.]|=>|(?:as|satisfies)\b))")


def object_keys(source: SourceText, start: int, holder: Declaration | None = None) -> list[Declaration]:
    """The keys of the literal whose brace stands at that offset; those of a key's own literal are its children.
    Spreads and computed keys are left out. holder: what the literal is the value of."""
    return _Reader(source, start).keys(holder)


class _Reader:
    """word: the next token; `start` and `end` are its offsets, `before` is where the last one read ends."""

    def __init__(self, source: SourceText, start: int) -> None:
        self._source = source
        self._offset = start
        stream = tokens(source.text[start:], jsx=source.jsx)
        self._stream = (token for token in stream if token.kind != "comment")
        self.start = self.end = self.before = start
        self.word = self.kind = ""
        self.advance()

    def advance(self) -> None:
        self.before = self.end
        token = next(self._stream, None)
        if token is None:
            self.word = self.kind = ""
            return
        self.kind = token.kind
        self.start, self.end = self._offset + token.start, self._offset + token.end
        self.word = self._source.text[self.start : self.end] if token.kind != "string" else "''"

    def keys(self, parent: Declaration | None, depth: int = 0) -> list[Declaration]:
        """Those of the literal that begins here, up to behind its brace."""
        found = []
        self.advance()
        while self.word not in ("}", ""):
            key = self._key(parent, depth)
            if key is not None:
                found.append(key)
            while self.word not in (",", "}", ""):
                self._skip()
            if key is not None:
                key.span = self._source.span(self._source.offset(key.span.start), self.before)
            if self.word == ",":
                self.advance()
        self.advance()
        return found

    def _key(self, parent: Declaration | None, depth: int) -> Declaration | None:
        """The key that begins here, with what its value holds; the rest of it is not read."""
        first = self.start
        modifier = ""
        name = (self.start, self.end, self.kind)
        while self.word in _MODIFIERS:
            modifier, name = self.word, (self.start, self.end, self.kind)
            self.advance()
        if self.word not in _AFTER_NAME:
            name = (self.start, self.end, self.kind)
            self._skip()
        else:
            modifier = ""
        if name[2] not in ("name", "keyword", "string", "number"):
            return None
        text = unquoted(self._source.text[name[0] : name[1]])
        if not text:
            return None
        name_span = self._source.span(name[0], name[1])
        kind = "Accessor" if modifier in ("get", "set") else "Method" if self.word in ("(", "<") else "Property"
        whole = self._source.span(first, self.end)
        key = Declaration(self._source.document.path, text, kind, name_span, whole, parent=parent)
        if self.word == ":":
            self.advance()
            if self.word == "{" and depth < _DEEPEST:
                children = self.keys(key, depth + 1)
                key.children = children if self.word in (",", "}", "as", "satisfies") else []
        return key

    def _skip(self) -> None:
        """Pass over the next token, with all up to its end when it is a bracket."""
        depth = 0
        while True:
            opening = self.word if self.kind == "punctuation" else ""
            types = _TYPES.match(self._source.text, self.start) if opening == "<" and self._is_of_types() else None
            self.advance()
            while types and self.word and self.start < types.end():
                self.advance()
            depth += opening in _BRACKETS
            while depth and self.word in (")", "]", "}"):
                self.advance()
                depth -= 1
            if not depth or not self.word:
                return

    def _is_of_types(self) -> bool:
        """Whether no operand ends before this `<`, or a name without a space: `a < b` compares."""
        last = self._source.text[self.before - 1]
        named = last.isalnum() or last in "_$"
        return self.before == self.start if named else last not in ")]" and not self._source.jsx
