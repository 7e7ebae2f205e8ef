"""Python's f- and t-strings: the code within their braces (PEP 498, 701 and 750), of every version's syntax alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_OPENING = re.compile(r"(?P<prefix>[rbuRBU]?[ftFT][rR]?)(?P<quote>\"\"\"|'''|\"|')")
# In what is no code: what stands for itself, and what ends it.
_ESCAPED = re.compile(r"\\N\{[^}\n]*\}|\\[^{}]|\{\{|\}\}")
# How a value is written down: no name.
_CONVERSION = re.compile(r"![rsa](?=\s*[:}])")
_CLOSED = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """kind: name, keyword, punctuation, string, number, comment."""

    kind: str
    start: int
    end: int


class _TornError(Exception):
    """It is not closed."""


class Interpolated:
    """Over one text. token: the pattern of the language's tokens, by groups. A string that is not closed is read once,
    and not once more for each that stands in it: `left` is how far such readings may go."""

    def __init__(self, text: str, token: re.Pattern[str]) -> None:
        self._text = text
        self._token = token
        self._left = 4 * len(text)

    def read(self, start: int) -> tuple[list[Token], int] | None:
        """The tokens of the string that begins at `start`, with names as such, and its end; None when it is no such
        string, or not closed."""
        opening = _OPENING.match(self._text, start)
        if opening is None or self._left <= 0:
            return None
        found: list[Token] = []
        self._furthest = start
        try:
            end = self._string(opening, found)
        except (_TornError, RecursionError):
            self._left -= self._furthest - start
            return None
        return found, end

    def _string(self, opening: re.Match[str], found: list[Token]) -> int:
        return self._literal(opening.start(), opening.end(), opening["quote"], "r" in opening["prefix"].lower(), found)

    def _literal(self, start: int, at: int, quote: str, raw: bool, found: list[Token], *, spec: bool = False) -> int:
        """Up to the closing quote, or in a format's specification to its brace, which it does not take."""
        text = self._text
        while at < len(text):
            self._furthest = max(self._furthest, at)
            escaped = None if spec and text[at] == "}" else _ESCAPED.match(text, at)
            if escaped and not (raw and escaped[0][0] == "\\" and escaped[0][1] not in "\\'\""):
                at = escaped.end()
            elif text.startswith(quote, at):
                if spec:
                    raise _TornError
                found.append(Token("string", start, at + len(quote)))
                return at + len(quote)
            elif text[at] == "{":
                found.append(Token("string", start, at))
                at = start = self._field(at + 1, quote, raw, found)
            elif spec and text[at] == "}":
                found.append(Token("string", start, at))
                return at
            elif text[at] == "\n" and len(quote) == 1:
                raise _TornError
            else:
                at += 1
        raise _TornError

    def _field(self, at: int, quote: str, raw: bool, found: list[Token]) -> int:
        """The code behind a brace, up to behind the one that closes it."""
        open_: list[str] = []
        while token := self._token.match(self._text, at):
            self._furthest = max(self._furthest, at)
            kind, mark = token.lastgroup or "punctuation", token[0]
            inner = _OPENING.match(self._text, at) if kind == "string" else None
            if inner is not None:
                at = self._string(inner, found)
                continue
            if kind == "punctuation" and not open_:
                if mark == "}":
                    return token.end()
                if mark == ":":
                    return self._literal(token.end(), token.end(), quote, raw, found, spec=True) + 1
                if converted := _CONVERSION.match(self._text, at):
                    at = converted.end()
                    continue
            if kind == "punctuation" and mark in _CLOSED:
                open_.append(_CLOSED[mark])
            elif open_ and mark == open_[-1]:
                open_.pop()
            if kind != "space":
                found.append(Token(kind, token.start(), token.end()))
            at = token.end()
        raise _TornError


def tokens(text: str, token: re.Pattern[str], *, code_in_strings: bool) -> Iterator[Token]:
    """The tokens of a text, white space left out, by the pattern of its language; those of the code in f-strings."""
    strings, at = Interpolated(text, token), 0
    while at < len(text):
        for found in token.finditer(text, at):
            kind = found.lastgroup or "punctuation"
            inner = strings.read(found.start()) if kind == "string" and code_in_strings else None
            if inner is not None:
                yield from inner[0]
                at = inner[1]
                break
            if kind != "space":
                yield Token(kind, found.start(), found.end())
        else:
            return
