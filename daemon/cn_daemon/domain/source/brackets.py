"""The words of a script, and which bracket each of them stands in."""

from __future__ import annotations

from bisect import bisect_left
from sys import intern
from typing import NamedTuple

from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.statements import breaks
from cn_daemon.domain.source.text import Document
from cn_daemon.domain.source.tokens import tokens

_TYPED = (".ts", ".mts", ".cts")
_MARGIN = 4
# What a statement begins with that declares variables.
DECLARING = frozenset({"const", "let", "var", "using"})
# What stands before parentheses and a block, and is no function.
_CONTROLS = frozenset({"if", "for", "while", "switch", "catch", "with", "await"})
# What stands before a brace, and in no type.
_NO_TYPE = frozenset({"=", ";", "=>", "try", "do", "else", "finally", "return", "class"})


class Word(NamedTuple):
    """ends: whether a line ends before it where a statement may."""

    kind: str
    start: int
    text: str
    ends: bool

    @property
    def is_name(self) -> bool:
        return self.kind in ("name", "keyword")


class Brackets:
    """Offsets are those of `SourceText`. words: without comments, with empty ones at both ends. places: the numbers of
    the words of a text. opener: for each word the number of the bracket around it, for a closing one that of its own; 0
    at the top. closer: for an opening bracket the number of the one that closes it."""

    def __init__(self, document: Document) -> None:
        self._typed = not document.path.endswith(SCRIPTS)
        self.words = [Word("", -1, "", True)] * _MARGIN
        self.places: dict[str, list[int]] = {}
        self._read(document)
        self.opener: list[int] = []
        self.closer: dict[int, int] = {}
        self._match()
        # Of the commas between the variables of a statement.
        self._declaring: dict[int, int] = {}

    def _read(self, document: Document) -> None:
        text = document.once(SourceText).text
        before, end = ("", ""), 0
        for kind, start, stop in tokens(text, jsx=not document.path.endswith(_TYPED)):
            if kind == "comment":
                continue
            # The same few words, many times: a long text has a million of them.
            after = (kind, intern(text[start:stop]))
            if kind in ("name", "keyword"):
                self.places.setdefault(after[1], []).append(len(self.words))
            self.words.append(Word(kind, start, after[1], breaks(before, after, text[end:start])))
            before, end = after, stop
        self.words += [Word("", len(text), "", True)] * _MARGIN

    def _match(self) -> None:
        around = [0]
        for number, word in enumerate(self.words):
            opening = around[-1]
            if word.kind == "punctuation" and word.text in ("(", "[", "{"):
                around.append(number)
            elif word.kind == "punctuation" and word.text in (")", "]", "}") and opening:
                self.closer[around.pop()] = number
            self.opener.append(opening)

    def at(self, place: int) -> int:
        """The number of the word that begins at an offset, or 0."""
        number = bisect_left(self.words, place, key=lambda word: word.start)
        return number if self.words[number].start == place else 0

    def text(self, number: int) -> str:
        return self.words[number].text

    def declaring(self, number: int) -> int:
        """The `const`, `let`, `var` or `using` of the statement that declares the variable there, or 0."""
        passed, found = [], 0
        while (number := number - 1) >= _MARGIN and not found:
            mark = self.text(number) if self.words[number].kind in ("punctuation", "keyword") else ""
            if mark in ("(", ";"):
                break
            if mark in (")", "]", "}"):
                number = self.opener[number] or number
            elif mark in DECLARING and self.text(number - 1) not in (".", "as"):
                found = number
            elif mark == ",":
                if number in self._declaring:
                    found = self._declaring[number]
                    break
                passed.append(number)
        self._declaring.update(dict.fromkeys(passed, found))
        return found

    def function(self, number: int) -> int:
        """The brace of the innermost function around a word that has a `this` of its own, or 0."""
        while number := self.opener[number]:
            if self.text(number) == "{" and self.parameters(number):
                return number
        return 0

    def parameters(self, brace: int) -> int:
        """The bracket that ends those of the function whose body begins there, or 0. In TypeScript the type of what it
        gives may stand between. An arrow has none here."""
        end = self._before_body(brace)
        return end if end and self.text(self.opener[end] - 1) not in _CONTROLS else 0

    def _before_body(self, brace: int) -> int:
        number = brace - 1
        text = self.text(number)
        if text == ")" or not self._typed or not (self.words[number].is_name or text in ("]", "}") or text[-1:] == ">"):
            return number if text == ")" else 0
        while number > self.opener[brace] and text not in _NO_TYPE and not self.words[number].ends:
            number = self.opener[number] if text in (")", "]", "}") else number
            if self.text(number - 1) == ":" and self.text(number - 2) == ")":
                return number - 2
            number -= 1
            text = self.text(number)
        return 0

    def keyword(self, brace: int) -> int:
        """The word `function` (or `async`) of the function with that brace; the name of a method."""
        word = self.opener[self.parameters(brace)] - 1
        for before in (word, word - 1, word - 2):
            if self.text(before) == "function":
                return before - (self.text(before - 1) == "async")
        return word


def brackets(document: Document) -> Brackets:
    return document.once(Brackets)
