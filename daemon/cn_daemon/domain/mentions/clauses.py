"""In whose clause a name stands: what a class, an interface or an alias says that it inherits from."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from cn_daemon.domain.mentions.heritage import HEAD, HEADS, Clause, Relation, aliased, clause_of, heritage, in_comment
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document
from cn_daemon.domain.source.tokens import tokens

# So many heads in front of a name are looked at: a comment can hold the word.
_LOOKED_AT = 3
_TAGGED = re.compile(r"@(?:extends|augments|implements)\s*\{\s*(?:[\w$]+\.)*$")
_DOCUMENTED = re.compile(r"(?:[^*]|\*(?!/)){0,4000}\*/\s*(?:(?:export|default|abstract)\s+)*class\s+(?P<name>[\w$]+)")


def clause_at(source: SourceText, place: int) -> Clause | None:
    """The clause in which a name stands at `place`. In a script comments tell what a class extends, too."""
    text, begin = source.text, max(0, place - HEAD)
    if source.script and _TAGGED.search(text, begin, place) and (documented := _DOCUMENTED.match(text, place)):
        name, end = documented.span("name")
        return Clause(name, end, name, "implements" if "implements" in text[place - 40 : place] else "extends")
    heads = source.document.once(_heads)
    last = bisect_right(heads, place, key=lambda head: head.end)
    for head in heads[max(0, last - _LOOKED_AT) : last][::-1]:
        if head.end > begin and (clause := head.clause(place)):
            return clause
    return None


class _Head:
    """The word `class`, `interface` or `type` with the name behind it. What follows is read once: large files hold
    hundreds, and names that stand there a thousand times."""

    def __init__(self, text: str, found: re.Match[str]) -> None:
        self.end = found.end()
        self._text = text
        self._found = found

    def clause(self, place: int) -> Clause | None:
        """That of a name that stands there, if it does so in this one's."""
        found = self._found
        if not found["name"] and found["word"] != "class":
            return None
        if place in self._heirs:
            return clause_of(self._text, found, self._heirs[place])
        if found["word"] == "class" and place < self._body:
            clause = clause_of(self._text, found, "extends")
            return clause._replace(inner=True) if clause.base is not None and clause.base.calls else None
        return None

    @cached_property
    def _heirs(self) -> dict[int, Relation]:
        read = aliased if self._found["word"] == "type" else heritage
        return {heir.start: heir.relation for heir in read(self._text, self.end)}

    @cached_property
    def _body(self) -> int:
        """Where the members of the class begin."""
        open_ = 0
        for _, first, end in tokens(self._text[self.end : self.end + HEAD]):
            word = self._text[self.end + first : self.end + end]
            if word == "{" and not open_:
                return self.end + first
            open_ += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        return self.end


def _heads(document: Document) -> list[_Head]:
    text = document.once(SourceText).text
    return [_Head(text, found) for found in HEADS.finditer(text) if not in_comment(text, found.start())]
