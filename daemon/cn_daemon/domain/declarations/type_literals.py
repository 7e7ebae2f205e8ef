"""The members of the object types that are written in a type alias: no server's outline lists them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SourceText, unquoted

# Inside a type, a line break after one of these goes on; after anything else a new member may begin.
_CONTINUES = frozenset({"|", "&", "?", ":", "=>", "=", "extends", "keyof", "typeof", "infer", "is", "(", "[", "<", "."})
_MODIFIERS = frozenset({"readonly", "get", "set"})
_CALLS = frozenset({"(", "<"})
# A member may have no type.
_AFTER_NAME = frozenset({":", ";", ",", "}", *_CALLS})
# What signatures begin with that have no name: of calls, constructors and indexes.
_NAMELESS = frozenset({"(", "<", "new", "["})
_OPENING = frozenset({"(", "[", "{", "<"})
_CLOSING = frozenset({")", "]", "}", ">"})


def literal_members(source: SourceText, alias: Declaration) -> Iterator[Declaration]:
    """The members that are the alias' own, those of their types below them."""
    return _Alias(source, alias).members()


@dataclass
class _Holder:
    """An open bracket in a type, `other` where no types are, or `parameters`. owner: whose members the brace holds.
    last: the member that was read last in it."""

    bracket: str
    owner: Declaration
    last: Declaration


class _Alias:
    """The tokens of one type alias."""

    def __init__(self, source: SourceText, alias: Declaration) -> None:
        self._source = source
        self._alias = alias
        self._stream = [token for token in source.tokens(alias.span) if token.kind != "comment"]
        self._words = [source.text[token.start : token.end] for token in self._stream]

    def members(self) -> Iterator[Declaration]:
        holders: list[_Holder] = []
        for place in range(self._equals() + 1, len(self._stream)):
            word = self._words[place]
            around = holders[-1] if holders else None
            if around is not None and around.bracket == "{" and (name_end := self._name_end(place)) is not None:
                around.last = self._member(place, name_end, around.owner)
                if around.owner is self._alias:
                    yield around.last
                else:
                    around.owner.children.append(around.last)
            elif around is not None and around.bracket == "{" and self._begins_nameless(place):
                around.last = around.owner
            if self._stream[place].kind != "punctuation":
                continue
            if word in _OPENING:
                owner = self._alias if around is None else around.last if around.bracket == "{" else around.owner
                holders.append(_Holder(self._bracket(place, around.bracket if around else ""), owner, owner))
            elif word in _CLOSING and holders:
                holders.pop()

    def _bracket(self, place: int, around: str) -> str:
        words = self._words
        # What stands in `import("a", { with: { … } })` are no types, nor is a pattern in `({ a }: A) => B`.
        pattern = around == "parameters" and words[place] in ("{", "[") and words[place - 1] in ("(", ",", "...")
        if pattern or words[place - 1] == "import" or around == "other":
            return "other"
        return "parameters" if words[place] == "(" and self._is_list(place) else words[place]

    def _is_list(self, place: int) -> bool:
        """Whether the parenthesis holds parameters."""
        depth = 0
        for later in range(place, len(self._words)):
            depth += (self._words[later] in _OPENING) - (self._words[later] in _CLOSING)
            if not depth:
                return self._words[later + 1 : later + 2] == ["=>"] or self._stream[place - 1].kind == "name"
        return False

    def _equals(self) -> int:
        """The index of the `=` that the alias' type follows: the defaults of type parameters have one too."""
        depth = 0
        for place, word in enumerate(self._words):
            depth += (word in _OPENING) - (word in _CLOSING)
            if word == "=" and depth == 0:
                return place
        return len(self._words)

    def _member(self, place: int, name_end: int, owner: Declaration) -> Declaration:
        """The member whose name is told by the tokens from `place` to `name_end`."""
        words = self._words
        called = (
            words[name_end + 2 : name_end + 3] if words[name_end + 1] == "?" else words[name_end + 1 : name_end + 2]
        )
        kind = "Method" if called and called[0] in _CALLS else "Property"
        if words[place - 1] in ("get", "set"):
            kind = "Accessor"
        start, end = self._stream[place].start, self._stream[name_end].end
        name_span = self._source.span(start, end)
        span = self._source.span(start, self._stream[self._end(name_end)].end)
        name = unquoted(self._source.text[start:end])
        return Declaration(self._alias.path, name, kind, name_span, span, parent=owner, local=self._alias.local)

    def _name_end(self, place: int) -> int | None:
        """The index of the last token of the member's name that begins at `place`."""
        if self._words[place] != "[":
            return place if self._is_name(place, place) else None
        end = next((later for later in range(place + 1, len(self._words)) if self._words[later] == "]"), -1)
        # `[key: string]: …` and `[K in Keys]: …` name nothing.
        if end < 0 or any(word in (":", "in") for word in self._words[place:end]):
            return None
        return end if self._is_name(place, end) else None

    def _is_name(self, place: int, end: int) -> bool:
        """Whether the tokens from `place` to `end` are the name of a member."""
        words = self._words
        if self._stream[place].kind not in ("name", "keyword", "string", "number") and words[place] != "[":
            return False
        behind = end + 2 if words[end + 1 : end + 2] == ["?"] else end + 1
        if behind >= len(words) or (words[place] == "new" and words[behind] in _CALLS):
            return False
        ends = words[place] not in _MODIFIERS and self._is_broken(behind)
        if words[behind] not in _AFTER_NAME and not ends:
            return False
        if words[place] in ("''", '""'):
            # An empty name cannot be told.
            return False
        while words[place - 1] in _MODIFIERS:
            place -= 1
        return self._begins(place)

    def _begins_nameless(self, place: int) -> bool:
        """Whether a signature without a name begins there."""
        word = self._words[place]
        return word in _NAMELESS and self._begins(place - (word == "[" and self._words[place - 1] == "readonly"))

    def _begins(self, place: int) -> bool:
        """Whether a member may begin with the token."""
        return self._words[place - 1] in ("{", ";", ",") or self._is_broken(place)

    def _end(self, name_end: int) -> int:
        """The index of the member's last token, its separator left out: `;`, `,`, or the line break before the next."""
        depth = 0
        for later in range(name_end + 1, len(self._words)):
            word = self._words[later]
            if depth == 0 and (word in (";", ",", ")", "]", "}") or self._begins_member(later)):
                return later - 1
            depth += (word in _OPENING) - (word in _CLOSING)
        return len(self._words) - 1

    def _begins_member(self, place: int) -> bool:
        """Whether a member begins on the line that begins here. No type goes on with a bracket on a line of its own."""
        if not self._is_broken(place):
            return False
        word = self._words[place]
        while word in _MODIFIERS and self._words[place + 1 : place + 2] not in ([":"], ["?"], ["("], ["<"]):
            place += 1
            word = self._words[place]
        return word in _NAMELESS or self._is_name(place, place)

    def _is_broken(self, place: int) -> bool:
        """Whether a line ends before the token, and what stands there could end with it."""
        before, word = self._words[place - 1], self._words[place]
        gap = self._source.text[self._stream[place - 1].end : self._stream[place].start]
        # Within `${ … }` of a template nothing ends.
        return "\n" in gap and before not in _CONTINUES and not before.endswith("${") and not word.startswith("}")
