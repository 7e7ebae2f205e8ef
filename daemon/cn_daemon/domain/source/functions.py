"""Whether a stretch of source is one function, of which form, and where its body ends. Read from its tokens."""

from __future__ import annotations

from typing import NamedTuple

from cn_daemon.domain.source.tokens import tokens

# After one of these a brace opens a type, not a body.
TYPE_FOLLOWS = frozenset({":", "|", "&", "=>", "<", ",", "[", "?", "extends", "is", "keyof", "="})
_MODIFIERS = frozenset({"async", "get", "set", "static", "public", "private", "protected", "override", "readonly", "*"})
# What may stand before a pair of parentheses and a block without being a method.
_CONTROL = frozenset({"if", "for", "while", "switch", "catch", "with"})
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BRACKETS = frozenset("([{")


class Function(NamedTuple):
    """kind: callback (an arrow function, or a function expression without a name), function or method. The name lies
    between the offsets `name_start` and `name_end`."""

    kind: str
    name_start: int = 0
    name_end: int = 0


def read_function(text: str, *, jsx: bool = False) -> Function | None:
    """The function that `text` is, from its first character to its last; None for any other text. A list that begins
    with a function is none."""
    return _Reader(text, jsx).function()


def arrow_at(text: str, *, jsx: bool = False) -> int | None:
    """Where the arrow stands when `text` begins with an arrow function."""
    reader = _Reader(text, jsx)
    if reader.word == "async":
        reader.advance()
    if reader.word not in ("(", "<"):
        reader.advance()
    elif not reader.parameters():
        return None
    return reader.arrow()


def body_at(text: str, *, jsx: bool = False) -> int:
    """Where the body begins of the class, function or interface that `text` is, or whose name it begins behind; the end
    of the text without one. The body is not read."""
    depth = 0
    before = ""
    for token in tokens(text, jsx=jsx):
        word = text[token.start : token.end]
        if token.kind == "punctuation":
            if word == "{" and depth == 0 and before not in TYPE_FOLLOWS:
                return token.start
            depth += (word in "([{") - (word in ")]}")
        if token.kind != "comment":
            before = word
    return len(text)


class _Reader:
    """One pass over the tokens. word: the next one, empty at the end. end: where the last one read ends."""

    def __init__(self, text: str, jsx: bool) -> None:
        self._text = text
        self._stream = (token for token in tokens(text, jsx=jsx) if token.kind != "comment")
        self.word = self._kind = self._before = ""
        self.end = self._start = self._next_end = 0
        self.advance()

    def advance(self) -> None:
        self._before, self.end = self.word, self._next_end
        token = next(self._stream, None)
        if token is None:
            self.word = self._kind = ""
            return
        self._kind, self._start, self._next_end = token
        self.word = self._text[self._start : self._next_end]
        if self._kind in ("string", "text", "regex"):
            # Not a bracket, whatever it holds.
            self.word = self._kind

    def function(self) -> Function | None:
        if self.word == "async":
            self.advance()
        if self.word == "function":
            return self._function()
        if self.word in ("(", "<"):
            return self._arrow() if self.parameters() else None
        return self._method()

    def _function(self) -> Function | None:
        self.advance()
        if self.word == "*":
            self.advance()
        found = Function("callback")
        if self._kind in ("name", "keyword"):
            found = Function("function", self._start, self._next_end)
            self.advance()
        return found if self.parameters() and self.block() and not self.word else None

    def arrow(self) -> int | None:
        """Where the arrow stands, behind the parameters that have been read, and the type of the result."""
        if self.word not in (":", "=>"):
            return None
        while self.word not in ("", "=>"):
            self._skip()
        return self._start if self.word else None

    def _arrow(self) -> Function | None:
        """What follows the parameters: the type of the result, the arrow and the body."""
        if self.arrow() is None:
            return None
        self.advance()
        if self.word != "{":
            return Function("callback") if self._is_expression() else None
        self._skip()
        return None if self.word else Function("callback")

    def _method(self) -> Function | None:
        found = self.method()
        return found if found is not None and not self.word else None

    def method(self) -> Function | None:
        """Pass over a method, or an arrow function with one parameter that has no parentheses."""
        found = self._name()
        if found is None:
            return None
        if self.word == "=>":
            return self._arrow()
        if self.word == "?":
            self.advance()
        return found if self.parameters() and self.block() else None

    def _name(self) -> Function | None:
        """Pass over decorators, modifiers and the name, which may be a modifier's word."""
        found = None
        while self.word == "@":
            self._decorator()
        while self.word in _MODIFIERS:
            found = Function("method", self._start, self._next_end)
            self.advance()
        if self.word == "[" or (self._kind in ("name", "keyword", "string", "number") and self.word not in _CONTROL):
            found = Function("method", self._start)
            self._skip()
            found = found._replace(name_end=self.end)
        return found

    def _decorator(self) -> None:
        self.advance()
        self.advance()
        while self.word == ".":
            self.advance()
            self.advance()
        if self.word == "(":
            self._skip()

    def parameters(self) -> bool:
        """Pass over `<T>(a, b)`."""
        if self.word == "<":
            self._skip()
        if self.word != "(":
            return False
        self._skip()
        return True

    def block(self) -> bool:
        """Pass over the type of a result, and the body."""
        if self.word not in (":", "{"):
            return False
        while self.word != "{" or self._before in TYPE_FOLLOWS:
            if self.word in ("", ")", "]", "}", ";"):
                return False
            self._skip()
        self._skip()
        return True

    def _is_expression(self) -> bool:
        """Whether one expression goes on to the end."""
        while self.word:
            if self.word in (",", ";"):
                return False
            # `f<A, B>(c)` has its bracket at the name, `a < b` has not.
            if self.word == "<" and (
                self.end != self._start or not (self._before[-1:].isalnum() or self._before == ".")
            ):
                self.advance()
            else:
                self._skip()
        return True

    def _skip(self) -> None:
        """Pass over the next word, with all up to its end when it is a bracket."""
        opened = [self.word] if self.word in _CLOSING else []
        self.advance()
        while self.word and opened:
            if self.word == _CLOSING[opened[-1]]:
                opened.pop()
            elif self.word in _BRACKETS or self.word == opened[-1] == "<":
                opened.append(self.word)
            self.advance()
