"""The tokens of expressions in Angular's templates, and of the decorators and heads of classes that they belong to:
which words are identifiers, and which stand in comments, strings or regular expressions. No JSX stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

KEYWORDS = frozenset(
    "abstract accessor any as asserts async await bigint boolean break case catch class const constructor "
    "continue debugger declare default delete do else enum export extends false finally for from function get "
    "global if implements import in infer instanceof interface is keyof let module namespace never new null "
    "number object of out override package private protected public readonly require return satisfies set static "
    "string super switch symbol this throw true try type typeof undefined unique unknown using var void while "
    "with yield".split()
)
# After these words an expression begins, so that a slash opens a regular expression.
_BEFORE_EXPRESSION = frozenset(
    "await case default delete do else extends in instanceof new of return throw typeof void yield".split()
)

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<comment>//[^\n]*|#![^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
    r"|(?P<string>\"(?:\\[\s\S]|[^\"\\\n])*\"?|'(?:\\[\s\S]|[^'\\\n])*'?)"
    r"|(?P<number>\.?\d[\w.]*)"
    r"|(?P<name>#?(?:[^\W\d]|\$)[\w$\u200c\u200d]*)"
    r"|(?P<punctuation>=>|\+\+|--|\.\.\.|\?\.(?!\d)|[\s\S])"
)
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[A-Za-z]*")
_TEMPLATE = re.compile(r"(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?P<end>`|\$\{|\\?\Z)")


class Token(NamedTuple):
    """kind: name, keyword, punctuation, string, number, comment, regex."""

    kind: str
    start: int
    end: int


class _Reader:
    """One pass over `text`. `modes`: what encloses the place: code, a template literal, a hole in one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.modes: list[str] = []
        self.operand = False
        self.last = ""

    def read(self, place: int) -> Iterator[Token]:
        while place < len(self.text):
            mode = self.modes[-1] if self.modes else ""
            token = self._template(place) if mode == "template" else self._token(place, mode)
            if token.kind != "space":
                yield token
            place = max(token.end, place + 1)

    def _template(self, place: int) -> Token:
        match = _TEMPLATE.match(self.text, place)
        assert match is not None
        if match["end"] == "${":
            self.modes.append("hole")
            self._after("(", operand=False)
        else:
            self.modes.pop()
            self._after("`", operand=True)
        return Token("string", place, match.end())

    def _token(self, place: int, mode: str) -> Token:
        if self.text[place] == "/" and not self.operand:
            match = _REGEX.match(self.text, place)
            if match and not self.text.startswith(("//", "/*"), place):
                self._after("/", operand=True)
                return Token("regex", place, match.end())
        match = _TOKEN.match(self.text, place)
        assert match is not None
        kind = match.lastgroup or "punctuation"
        word = match[0]
        if word == "}" and mode == "hole":
            # One token with the text behind it: no bracket stands there.
            self.modes.pop()
            return self._template(place)
        if kind == "punctuation":
            self._punctuation(word, mode)
        elif kind == "name":
            kind = self._name(word)
        elif kind in ("string", "number"):
            self._after(word, operand=True)
        return Token(kind, place, match.end())

    def _punctuation(self, word: str, mode: str) -> None:
        if word in ("++", "--"):
            # Before an operand or behind one: what may follow stays the same.
            self._after(word, operand=self.operand)
            return
        if word == "`":
            self.modes.append("template")
        elif word == "{":
            self.modes.append("code")
        elif word == "}":
            if mode == "code":
                self.modes.pop()
            self._after(word, operand=False)
            return
        self._after(word, operand=word in (")", "]"))

    def _name(self, word: str) -> str:
        after_dot = self.last in (".", "?.")
        self._after(word, operand=after_dot or word not in _BEFORE_EXPRESSION)
        return "keyword" if word in KEYWORDS and not after_dot else "name"

    def _after(self, word: str, *, operand: bool) -> None:
        self.last = word
        self.operand = operand


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The tokens of `text` from an offset on, white space left out."""
    return _Reader(text).read(start)
