"""The tokens of TypeScript and JavaScript source: which words are identifiers, and which stand in comments,
strings, regular expressions or JSX text. A reading by form alone, for text that may be broken in the middle.
"""

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
    r"|(?P<punctuation>=>|\+\+|--|\.\.\.|\?\.(?!\d)|/>|</|[\s\S])"
)
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[A-Za-z]*")
_TEMPLATE = re.compile(r"(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?P<end>`|\$\{|\\?\Z)")
_JSX_TEXT = re.compile(r"[^<{]+")
_JSX_OPENING = re.compile(r"<(?:>|(?!const\s)[A-Za-z_$][\w$.:-]*(?=[\s/<>])(?!\s+extends\b)(?!\s*[,=]))")


class Token(NamedTuple):
    """kind: name, keyword, tag (a lower-case JSX element), punctuation, string, number, comment, regex, text."""

    kind: str
    start: int
    end: int


class _Reader:
    """One pass over `text`. `modes`: what encloses the place: code, a template, a hole in one, a JSX tag or element,
    the type arguments of a tag."""

    def __init__(self, text: str, jsx: bool) -> None:
        self.text = text
        self.jsx = jsx
        self.modes: list[str] = []
        self.operand = False
        self.last = ""

    def read(self, place: int) -> Iterator[Token]:
        while place < len(self.text):
            mode = self.modes[-1] if self.modes else ""
            if mode == "template":
                token = self._template(place)
            elif mode == "element" and (match := _JSX_TEXT.match(self.text, place)):
                token = Token("text", place, match.end())
            else:
                token = self._token(place, mode)
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
        if mode != "element" and self.text[place] == "/" and not self.operand:
            match = _REGEX.match(self.text, place)
            if match and not self.text.startswith(("//", "/*"), place) and mode != "tag":
                self._after("/", operand=True)
                return Token("regex", place, match.end())
        if self.jsx and self.text[place] == "<" and mode != "types" and (mode == "element" or not self.operand):
            opening = self._open_jsx(place)
            if opening:
                return opening
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
            kind = self._name(word, mode)
        elif kind in ("string", "number"):
            self._after(word, operand=True)
        return Token(kind, place, match.end())

    def _open_jsx(self, place: int) -> Token | None:
        if self.text.startswith("</", place):
            self.modes[-1:] = ["closing"]
            self._after("</", operand=False)
            return Token("punctuation", place, place + 2)
        if not _JSX_OPENING.match(self.text, place):
            return None
        self.modes.append("tag")
        self._after("<", operand=False)
        return Token("punctuation", place, place + 1)

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
        elif mode in ("tag", "types") and word == "<":
            self.modes.append("types")
        elif mode == "types" and word == ">":
            self.modes.pop()
        elif mode == "tag" and word == "/>":
            self.modes.pop()
            self._after(")", operand=True)
            return
        elif mode == "tag" and word == ">":
            self.modes[-1] = "element"
        elif mode == "closing" and word == ">":
            self.modes.pop()
            self._after(")", operand=True)
            return
        self._after(word, operand=word in (")", "]"))

    def _name(self, word: str, mode: str) -> str:
        after_dot = self.last in (".", "?.")
        markup = mode in ("tag", "closing")
        opens_tag = markup and self.last in ("<", "</")
        self._after(word, operand=after_dot or word not in _BEFORE_EXPRESSION)
        if opens_tag and word[0].islower():
            return "tag"
        if word in KEYWORDS and not after_dot and not markup:
            return "keyword"
        return "name"

    def _after(self, word: str, *, operand: bool) -> None:
        self.last = word
        self.operand = operand


def tokens(text: str, start: int = 0, *, jsx: bool = False) -> Iterator[Token]:
    """The tokens of `text` from an offset on, white space left out. jsx: whether `<` may open an element."""
    return _Reader(text, jsx).read(start)


def identifiers(text: str, *, jsx: bool = False) -> list[str]:
    """The identifiers of `text`, in order, each once. A private name has no `#`."""
    seen: dict[str, None] = {}
    for token in tokens(text, jsx=jsx):
        if token.kind == "name":
            seen.setdefault(text[token.start : token.end].lstrip("#"))
    seen.pop("", None)
    return list(seen)
