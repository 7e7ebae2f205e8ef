"""Templates of Angular: what a name means where one mentions it. Nothing is run, and no scope is kept: a name that a
template declares anywhere may be that everywhere in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, occurrences
from cn_daemon.domain.source.tokens import Token, tokens

_CONTENT = re.compile(
    r"<!--[\s\S]*?(?:-->|\Z)"
    r"|<(?P<raw>script|style)\b[\s\S]*?(?:</(?P=raw)\s*>|\Z)"
    r"|<(?P<tag>[A-Za-z][\w:.-]*)"
    r"|(?P<hole>\{\{)"
    r"|@(?P<block>if|else\s+if|for|switch|case|let|defer|placeholder|loading)\b"
    r"|\{(?P<plural>[^{}<,]{1,999}),\s*(?:plural|select|selectordinal)\s*,"
)
_ATTRIBUTE = re.compile(
    r"(?P<name>(?:\[[^\]\n]{0,200}\]|\([^)\n]{0,200}\)|[^\s=>/\"'<])+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s>\"'`=<]+)))?"
)
_SPACE = re.compile(r"\s*")
_TAG_END = re.compile(r"/?>")
_OPENING = re.compile(r"\s*\(")
# How an attribute begins, and what it is of.
_PREFIX = re.compile(
    r"(?P<sign>\*|#|ref-|let-|bindon-|bind-|on-|[\[(]{0,2}@|[\[(]{1,2})?(?P<name>[\w$-]+)(?P<rest>[\])]*)$"
)
_STRING = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`"
_HOLE_END = re.compile(rf"(?:{_STRING}|(?!\}}\}})[\s\S])*?(?:\}}\}}|\Z)")
_LET_END = re.compile(rf"(?:{_STRING}|[^;])*?(?:;|\Z)")
_BRACKET = re.compile(rf"{_STRING}|[()]")
# What a binding or a block declares.
_DECLARED = re.compile(
    r"\blet\s+(?P<let>[\w$]+)|\bas\s+(?P<alias>[\w$]+)|(?<![\w$])(?P<item>[\w$]+)\s+of\b"
    r"|(?<![\w$])(?P<index>[\w$]+)\s*=(?![=>])|(?<![\w$])(?P<argument>[\w$]+)\s*=>|\((?P<arguments>[^()]{0,999})\)\s*=>"
)
_WHEN = re.compile(r"\bwhen\b(?P<when>[^;]*)")
_WORD = re.compile(r"[\w$]+")
# Attributes whose text names a key of an object of the component.
_KEYED = frozenset({"formControlName", "formGroupName", "formArrayName"})


class Mention(NamedTuple):
    """start: an offset in the text. kind: `root` (a member of the component), `open` (that, or a variable of the
    template), `taken` (of a value, or a key of an object), `given` (by one of its `attributes` to the element
    `tag`)."""

    start: int
    kind: str
    tag: str = ""
    attributes: frozenset[str] = frozenset()


class _Expression(NamedTuple):
    """keyed: whether words may stand before expressions, as in `let a of b; trackBy: c`."""

    start: int
    end: int
    keyed: bool = False


class Template:
    """start, end: where it lies in a text; an inline one lies in a script."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self.start, self.end = start, start + len(text)
        self._expressions: list[_Expression] = []
        self._given: list[tuple[str, Mention]] = []
        # Where a name is the key of an object for certain, though nothing around it is code.
        self._keys: list[int] = []
        self._declared: set[str] = set()
        # Of an attribute's text, where that ends.
        self._end = len(text)
        self._read(0)

    def mentions(self, name: str) -> Iterator[Mention]:
        """Their places count in the text around."""
        places = list(occurrences(self._text, name))
        for one in self._mentions(name, places) if places else ():
            yield one._replace(start=self.start + one.start)

    def _mentions(self, name: str, places: list[int]) -> Iterator[Mention]:
        root = "open" if name in self._declared else "root"
        for start, end, keyed in self._expressions:
            if bisect_left(places, start) < bisect_left(places, end):
                yield from taken(self._text, start, end, name, root, keyed=keyed)
        yield from (given for key, given in self._given if key == name)
        yield from (Mention(start, "taken") for start in set(self._keys) & set(places))

    def _read(self, place: int) -> None:
        while found := _CONTENT.search(self._text, place, self._end):
            place = found.end()
            if found["tag"]:
                place = self._element(found["tag"], place)
            elif found["hole"]:
                place = self._hole(place)
            elif found["plural"]:
                self._expressions.append(_Expression(*found.span("plural")))
            elif found["block"]:
                place = self._block(found["block"].split()[-1], place)

    def _hole(self, place: int) -> int:
        end = self._matched(_HOLE_END, place)
        self._expressions.append(_Expression(place, end))
        return end

    def _matched(self, pattern: re.Pattern[str], place: int) -> int:
        match = pattern.match(self._text, place, self._end)
        return match.end() if match else self._end

    def _block(self, block: str, place: int) -> int:
        if block == "let":
            end = self._matched(_LET_END, place)
            self._expression(place, end, keyed=True)
            return end
        opening = _OPENING.match(self._text, place, self._end)
        if not opening:
            return place
        first, depth = opening.end(), 1
        for bracket in _BRACKET.finditer(self._text, first, self._end):
            depth += {"(": 1, ")": -1}.get(bracket[0], 0)
            if depth == 0:
                break
        end = bracket.start() if depth == 0 else self._end
        if block in ("defer", "placeholder", "loading"):
            # `on viewport(a)` names elements.
            for when in _WHEN.finditer(self._text, first, end):
                self._expression(*when.span("when"))
        else:
            self._expression(first, end, keyed=True)
        return end

    def _expression(self, start: int, end: int, *, keyed: bool = False) -> None:
        self._expressions.append(_Expression(start, end, keyed))
        for found in _DECLARED.finditer(self._text, start, end):
            if found["index"] is None or keyed:
                self._declared.update(_WORD.findall(found[found.lastgroup or 0]))

    def _element(self, tag: str, place: int) -> int:
        attributes: list[re.Match[str]] = []
        while (place := self._matched(_SPACE, place)) < self._end:
            if end := _TAG_END.match(self._text, place, self._end):
                place = end.end()
                break
            if self._text[place] == "<":
                break
            found = _ATTRIBUTE.match(self._text, place, self._end)
            if found:
                attributes.append(found)
            place = found.end() if found else place + 1
        read = [(found, _PREFIX.match(found["name"])) for found in attributes]
        names = frozenset(prefix["name"] for _, prefix in read if prefix)
        for found, prefix in read:
            self._attribute(found, prefix, tag, names)
        return place

    def _attribute(self, found: re.Match[str], prefix: re.Match[str] | None, tag: str, names: frozenset[str]) -> None:
        sign = prefix["sign"] or "" if prefix else "["  # `[class.a]` and the like name nothing
        value = next(
            ((found.start(one), found.end(one)) for one in ("double", "single", "bare") if found[one] is not None), None
        )
        if prefix and sign in ("#", "ref-", "let-"):
            self._declared.add(prefix["name"])
            if sign == "let-" and value:
                self._keys.append(value[0])
            return
        if prefix and "@" not in sign:
            given = Mention(found.start("name") + prefix.start("name"), "given", tag, names)
            self._given.append((prefix["name"], given))
        if value is None:
            return
        if sign:
            self._expression(*value, keyed=sign == "*")
            return
        if found["name"] in _KEYED:
            self._keys.append(value[0])
        end, self._end = self._end, value[1]
        hole = self._text.find("{{", *value)
        while hole >= 0:
            hole = self._text.find("{{", self._hole(hole + 2), value[1])
        self._end = end


def template_of(document: Document) -> Template:
    """That which a file is."""
    return Template(document.once(SourceText).text)


def taken(text: str, start: int, end: int, name: str, root: str, *, keyed: bool = False) -> Iterator[Mention]:
    """The mentions of a name in an expression of Angular. root: their kind where nothing stands before them."""
    read = [one for one in tokens(text[start:end]) if one.kind != "comment"]
    words = [text[start + one.start : start + one.end] for one in read]
    open_: list[str] = []
    for at, word in enumerate(words):
        if word in ("(", "[", "{"):
            open_.append(word)
        elif word in (")", "]", "}") and open_:
            open_.pop()
        elif word.strip("'\"`") == name and read[at].kind == "string":
            if words[at - 1 : at] == ["["] and words[at + 1 : at + 2] == ["]"] and at > 1:
                yield Mention(start + read[at].start + 1, "taken")
        elif word == name:
            place = start + read[at].start
            before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
            kind = _kind(before, after, words[at - 2] if at > 1 else "", open_[-1:] == ["{"], root)
            if kind and not (keyed and not open_ and _is_key(read, words, at)):
                yield Mention(place, kind)


def _kind(before: str, after: str, further: str, in_object: bool, root: str) -> str:
    """ "" for the name of a pipe."""
    if before in (".", "?."):
        return "root" if further == "this" else "taken"
    if before == "|" and further != "|":
        return ""
    if in_object and before in ("{", ",") and after in (":", ",", "}"):
        return "taken"
    return root


def _is_key(read: list[Token], words: list[str], at: int) -> bool:
    """Whether an expression begins behind a word: no two operands stand side by side. `a ? b : c` has a sign before."""
    if at + 1 == len(words):
        return False
    if words[at + 1] == ":":
        begun = max((place for place in range(at) if words[place] == ";"), default=0)
        return "?" not in words[begun:at]
    return read[at + 1].kind in ("name", "keyword", "string", "number") and words[at + 1] not in (
        "as",
        "in",
        "instanceof",
    )
