"""From a server's outline to declarations, by reading the source.

The two TypeScript servers tell different halves: one gives kinds without name positions of overloads, the other
positions with coarse kinds; neither lists the members of a type alias. What they agree on (names, nesting, spans) is
taken from them; kinds, modifiers and names' places are read from the text, so that both give the same answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.outline import CONTAINERS, MEMBERS, Declaration
from cn_daemon.domain.text import Document, Position, Span, character_at, index_at
from cn_daemon.domain.tokens import Token, tokens


class Item(NamedTuple):
    """One item of a server's outline. kind: one of `KINDS`, as far as the server knows. name_span: when told."""

    name: str
    kind: str
    spans: Sequence[Span]
    name_span: Span | None
    children: Sequence[Item]


_UNNAMED = frozenset({"()", "new()", "[]", "export=", ""})
_IMPORTS = re.compile(
    r"^[ \t]*import\b(?!\s*[(.])(?:[^;'\"`=]|=\s*require)*?(?:['\"][^'\"\n]*['\"]|;)"
    r"|^[ \t]*export\s+(?:type\s+)?(?:\*|\{)(?:/\*[\s\S]*?\*/|//[^\n]*|[^}'\"])*\}?[^;\n]*"
    r"|^[ \t]*(?:const|let|var)\s+(?:[\w$]+|\{[^{}=;]*\})\s*=\s*require\s*\(\s*['\"][^'\"\n]*['\"]\s*\)",
    re.MULTILINE,
)
# A line that begins with white space and declares with one of these, outside every container, is in a block.
_DECLARING = frozenset({"const", "let", "var", "using", "function", "class", "interface", "type", "enum"})
# Whatever these hold stands in their body.
_BODIES = frozenset({"Function", "Method", "Constructor", "Accessor"})
_STATEMENT = re.compile(r"[{};]")
_VARIABLE_WORD = re.compile(r"\b(const|let|var|using)\b")
# `Card.displayName = …`: one server lists it as a part of Card, which then ends where the assignment does.
_MODIFIERS = "readonly|static|declare|public|private|protected|override|accessor"
_ASSIGNMENT = re.compile(
    rf"(?!(?:{_MODIFIERS})\b)[\w$]+(?:\s*\.\s*#?[\w$]+|\s*\[[^\]\n]*\])+\s*=(?!=)",
)
_REASSIGNED = re.compile(r"[\w$]+\s*=(?![=>])")
_REST = re.compile(r"\.\.\.\s*[\w$]+[\s\]},]+=(?![=>])")
# `export default` of a value that has no name of its own; its keys are rows, it is none.
_EXPRESSION = re.compile(r"export\s+default\s+(?!(?:abstract\s+)?class\b|(?:async\s+)?function\b|interface\b)")
_DEFAULT_OBJECT = re.compile(r"^export\s+default\s*\{", re.MULTILINE)
_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")


def import_spans(text: str) -> list[tuple[int, int]]:
    """Where the imports of `text` stand, and its `export { … }` lists: what they name is declared elsewhere."""
    return [match.span() for match in _IMPORTS.finditer(text)]


class SourceText:
    """A document with offsets: where a position lies in the whole text, and back."""

    def __init__(self, document: Document, jsx: bool) -> None:
        self.document = document
        self.jsx = jsx
        self.text = "\n".join(document.lines)
        self._starts = [0]
        for line in document.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._imports = import_spans(self.text)
        self.script = document.path.endswith(_SCRIPTS)
        self._scans: dict[int, _Scan] = {}

    def opening(self, first: int, last: int, place: int) -> str | None:
        """What stands before the brace that is open at `place`, when it is the only bracket opened since `first`; the
        text is read up to `last`. Asked in order it reads the text once: a table of ten thousand keys would take
        minutes otherwise."""
        brackets = self.open_brackets(first, last, place)
        return brackets[0][1] if [mark for mark, _ in brackets] == ["{"] else None

    def open_brackets(self, first: int, last: int, place: int) -> list[tuple[str, str]]:
        """The brackets opened since `first` that are open at `place`, outermost first, each with the word before it."""
        scan = self._scans.get(first)
        if scan is None or scan.place > place:
            scan = self._scans[first] = _Scan(self.text[first:last], first, self.jsx)
        return scan.open_at(place)

    @cached_property
    def default_object(self) -> int:
        """Where the object literal begins that the file exports by default, the end of the text without one."""
        found = _DEFAULT_OBJECT.search(self.text)
        return found.start() if found else len(self.text)

    def offset(self, position: Position) -> int:
        line = min(position.line, len(self.document.lines))
        return self._starts[line - 1] + index_at(self.document.line(line), position.character)

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        return Position(line, character_at(self.document.line(line), offset - self._starts[line - 1]))

    def span(self, start: int, end: int) -> Span:
        return Span(self.position(start), self.position(end))

    def tokens(self, span: Span) -> Iterator[Token]:
        """The tokens of a span, with offsets into the whole text."""
        start = self.offset(span.start)
        for kind, first, last in tokens(self.text[start : self.offset(span.end)], jsx=self.jsx):
            yield Token(kind, first + start, last + start)

    def in_imports(self, offset: int) -> bool:
        """Whether an import, or an `export { … }`, stands there."""
        row = bisect_right(self._imports, (offset, len(self.text) + 1)) - 1
        return row >= 0 and self._imports[row][0] <= offset < self._imports[row][1]


class _Scan:
    """How far a stretch of text has been read, and which of its brackets are open there, each with the word before."""

    def __init__(self, text: str, first: int, jsx: bool) -> None:
        self.place = first
        self._text = text
        self._first = first
        self._stream = tokens(text, jsx=jsx)
        self._next: Token | None = None
        self._before = ""
        self._open: list[tuple[str, str]] = []

    def open_at(self, place: int) -> list[tuple[str, str]]:
        self.place = place
        while True:
            token = self._next or next(self._stream, None)
            if token is None or self._first + token.start >= place:
                self._next = token
                return self._open
            self._next = None
            mark = self._text[token.start : token.end]
            if token.kind == "punctuation":
                if mark in ("(", "[", "{"):
                    self._open.append((mark, self._before))
                elif mark in (")", "]", "}") and self._open:
                    self._open.pop()
            if token.kind != "comment":
                self._before = mark


def mentioning(items: Iterable[Item], name: str) -> list[Item]:
    """The items of that name, and those that hold one: a small part of a large outline."""
    bare = name.lstrip("#")
    found = []
    for item in items:
        children = mentioning(item.children, name)
        # The members of a type alias are no items: they are read from its text.
        if children or bare in item.name or (not item.children and item.kind in ("TypeAlias", "Class")):
            found.append(item._replace(children=children))
    return found


def read_outline(document: Document, items: Iterable[Item], *, jsx: bool = False) -> list[Declaration]:
    """The declarations of a document, in source order."""
    source = SourceText(document, jsx)
    roots: list[Declaration] = []
    for item in items:
        roots.extend(_declarations(source, item, None))
    return sorted(roots, key=lambda item: item.span)


def _declarations(source: SourceText, item: Item, parent: Declaration | None) -> Iterator[Declaration]:
    if item.name in _UNNAMED or item.name[0] == "<" or item.name.endswith(" callback") or _is_assigned(source, item):
        # What a callback declares is local to it.
        for child in item.children:
            for inner in _declarations(source, child, parent):
                for declared in inner.walk():
                    declared.local = True
                yield inner
        return
    if item.name == "default" and _EXPRESSION.match(source.text, source.offset(item.spans[0].start)):
        for child in item.children:
            yield from _declarations(source, child, parent)
        return
    found = [
        one
        for number, span in enumerate(item.spans)
        if (one := _declaration(source, item, span, item.name_span if number == 0 else None, parent))
    ]
    for child in item.children:
        for holder in found:
            part = [span for span in child.spans if holder.span.encloses(span)]
            if part:
                innermost = next(iter(reversed(list(_namespace_chain(holder)))))
                first_name = child.name_span if child.spans[0] in part else None
                innermost.children.extend(
                    _declarations(source, child._replace(spans=part, name_span=first_name), innermost)
                )
    for holder in found:
        _finish(source, holder)
        yield holder


def _is_assigned(source: SourceText, item: Item) -> bool:
    """Whether an assignment made the item: `name = function …`, or one to a member. Only in JavaScript do the latter
    declare. The item's span may begin at the function."""
    start = source.offset(item.spans[0].start)
    first = source.offset(item.name_span.start) if item.name_span else start
    member = source.text[first - 1 : first] == "." or _ASSIGNMENT.match(source.text, start) is not None
    if member:
        return not source.script
    return item.kind == "Function" and _REASSIGNED.match(source.text, first) is not None


def _namespace_chain(holder: Declaration) -> Iterator[Declaration]:
    """`namespace A.B` is two declarations, the second inside the first: its members belong to the last."""
    yield holder
    while len(holder.children) == 1 and holder.children[0].span == holder.span:
        holder = holder.children[0]
        yield holder


def _finish(source: SourceText, holder: Declaration) -> None:
    for one in holder.walk():
        if one.kind == "TypeAlias" and not one.children:
            one.children = list(_literal_members(source, one))
            for member in (inner for child in one.children for inner in child.walk()):
                member.local = one.local
        one.children.sort(key=lambda item: item.span)


def _declaration(
    source: SourceText, item: Item, span: Span, name_span: Span | None, parent: Declaration | None
) -> Declaration | None:
    start = source.offset(span.start)
    if source.in_imports(start) or source.text.startswith("export import ", start):
        return None
    if source.text.startswith("...", start) and (parent is not None or not _REST.match(source.text, start)):
        return None
    if parent is None and item.kind in MEMBERS and name_span == span:
        # The shorthand of `module.exports = { X }`.
        return None
    dotted = item.kind == "Namespace" and item.name[:1] not in ("'", '"')
    first_name, *further = item.name.split(".") if dotted else [item.name]
    if name_span is None or name_span.start == name_span.end or further:
        name_span = _name_span(source, span, first_name)
    if name_span is None:
        return None
    declared = _build(source, item, span, first_name, name_span, parent)
    inner = declared
    for name in further:
        end = source.offset(inner.name_span.end)
        place = source.text.find(name, end)
        inner.children = [
            Declaration(
                declared.path,
                name,
                "Namespace",
                source.span(place, place + len(name)),
                span,
                exported=True,
                parent=inner,
            )
        ]
        inner = inner.children[0]
    return declared


def _name_span(source: SourceText, span: Span, name: str) -> Span | None:
    """The name inside a span that begins with decorators, modifiers or `export`: the first word of that spelling
    that is neither nested in brackets nor part of a decorator."""
    depth = 0
    before = ""
    bare = _unquoted(name)
    for token in source.tokens(span):
        word = source.text[token.start : token.end]
        if token.kind == "punctuation" and word in "([{":
            depth += 1
        elif token.kind == "punctuation" and word in ")]}":
            depth -= 1
        elif depth == 0 and before not in ("@", ".") and _unquoted(word) == bare:
            return source.span(token.start, token.end)
        before = word
    return None


def _unquoted(name: str) -> str:
    if name[:1] == "[" and name[1:2] in ("'", '"'):
        name = name[1:-1]
    return name[1:-1] if len(name) > 1 and name[0] in "'\"" and name[-1] == name[0] else name


def _build(
    source: SourceText, item: Item, span: Span, name: str, name_span: Span, parent: Declaration | None
) -> Declaration:
    start, name_start = source.offset(span.start), source.offset(name_span.start)
    words = _words(source.text[start:name_start])
    if item.kind == "Class" and words[-1:] == ["function"] and not source.script:
        span = Span(span.start, _function_end(source, span, name_start))
    line = source.document.line(name_span.start.line)
    before = line[: index_at(line, name_span.start.character)]
    line_words, statement_words = _words(before), _words(_STATEMENT.split(before)[-1])
    kind = _kind(source, item.kind, words, name_start, source.offset(name_span.end))
    if kind == "Namespace" and name[:1] in "'\"":
        kind = "Module"
    if kind in MEMBERS and (parent is None or parent.kind in ("Namespace", "Module")):
        # A key in the argument of a call, or in a type argument, belongs to nothing that has a name.
        local = not _is_default_key(source, name_start)
    elif parent is not None and parent.kind in ("Class", "Interface") and kind in MEMBERS:
        local = parent.local or _in_heritage(source, parent, name_start)
    elif item.name[:1] == "[" and _unquoted(item.name) == item.name:
        # A computed key of an object: one server lists none.
        local = True
    elif parent is None:
        local = (line[:1].isspace() and not _DECLARING.isdisjoint(line_words)) or "for" in line_words
    else:
        local = parent.local or (
            parent.kind not in CONTAINERS
            and (kind not in MEMBERS or parent.kind in _BODIES or _deep(source, parent, name_start))
        )
    return Declaration(
        source.document.path,
        _unquoted(name),
        kind,
        name_span,
        span,
        exported="export" in words or "export" in (line_words if parent is None else statement_words),
        static="static" in words,
        local=local,
        parent=parent,
    )


def _deep(source: SourceText, parent: Declaration, start: int) -> bool:
    """Whether a key stands elsewhere in the parent than in the object literal that is its value: in an argument, in a
    callback, in a type."""
    if parent.kind not in ("Constant", "Variable", "Property"):
        return True
    key = parent.kind == "Property" and not (parent.parent and parent.parent.kind == "Class")
    first, last = source.offset(parent.name_span.end), source.offset(parent.span.end)
    return source.opening(first, last, start) != (":" if key else "=")


# A brace after one of these opens a type, not the body of a class or an interface.
_NO_BODY = frozenset({"<", "extends", ",", "&", "|", "=", ":", "=>", "?"})


def _in_heritage(source: SourceText, parent: Declaration, start: int) -> bool:
    """Whether a member stands in the type parameters of a class, or in the arguments of what it extends."""
    first, last = source.offset(parent.name_span.end), source.offset(parent.span.end)
    outermost = next(iter(source.open_brackets(first, last, start)), ("{", ""))
    return outermost[0] != "{" or outermost[1] in _NO_BODY


def _is_default_key(source: SourceText, start: int) -> bool:
    """Whether it is a key of the object that the file exports by default."""
    first = source.default_object
    return first < start and source.opening(first, len(source.text), start) == "default"


def _words(text: str) -> list[str]:
    return [text[token.start : token.end] for token in tokens(text) if token.kind in ("keyword", "name")]


def _kind(source: SourceText, kind: str, words: list[str], name_start: int, name_end: int) -> str:
    if kind == "Class" and words[-1:] == ["function"] and not source.script:
        return "Function"
    if kind in ("Class", "TypeAlias"):
        return "TypeAlias" if "type" in words and "class" not in words else "Class"
    if kind in ("Variable", "Constant"):
        nearest = None
        for match in _VARIABLE_WORD.finditer(source.text, max(0, name_start - 2000), name_start):
            nearest = match[1]
        return "Constant" if nearest in ("const", "using") else "Variable"
    if kind in ("Method", "Property", "Accessor"):
        if words and words[-1] in ("get", "set"):
            return "Accessor"
        return "Method" if re.match(r"\s*[?!]?\s*[(<]", source.text[name_end : name_end + 80]) else "Property"
    return kind or "Property"


# After one of these a brace opens a type, not a body.
_TYPE_FOLLOWS = frozenset({":", "|", "&", "=>", "<", ",", "[", "?", "extends", "is", "keyof", "="})


def _function_end(source: SourceText, span: Span, name_start: int) -> Position:
    """Where the body of a function ends that assignments to its members made longer."""
    depth = 0
    body = False
    before = ""
    for token in source.tokens(Span(source.position(name_start), span.end)):
        word = source.text[token.start : token.end]
        if token.kind == "punctuation" and word in "([{":
            body = body or (depth == 0 and word == "{" and before not in _TYPE_FOLLOWS)
            depth += 1
        elif token.kind == "punctuation" and word in ")]}":
            depth -= 1
            if body and depth == 0:
                return source.position(token.end)
        if token.kind != "comment":
            before = word
    return span.end


# Inside a type, a line break after one of these goes on; after anything else a new member may begin.
_CONTINUES = frozenset({"|", "&", "?", ":", "=>", "=", "extends", "keyof", "typeof", "infer", "is", "(", "[", "<", "."})
_MEMBER_WORDS = frozenset({"readonly", "get", "set"})


def _literal_members(source: SourceText, alias: Declaration) -> Iterator[Declaration]:
    """The members of the object types in a type alias, which no server's outline lists."""
    stream = [token for token in source.tokens(alias.span) if token.kind != "comment"]
    words = [source.text[token.start : token.end] for token in stream]
    body = _equals(words)
    holders: list[_Holder] = []
    for place in range(body + 1, len(stream)):
        word = words[place]
        around = holders[-1] if holders else None
        member = around is not None and around.bracket == "{" and _member_name(source, stream, words, place)
        if around is not None and member:
            name_end, text = member
            end = _member_end(source, stream, words, name_end)
            kind = "Method" if _called(words, name_end) else "Property"
            if words[place - 1] in ("get", "set"):
                kind = "Accessor"
            name_span = source.span(stream[place].start, stream[name_end].end)
            span = Span(name_span.start, source.position(stream[end].end))
            around.last = Declaration(alias.path, text, kind, name_span, span, parent=around.owner)
            if around.owner is alias:
                yield around.last
            else:
                around.owner.children.append(around.last)
        if stream[place].kind == "punctuation" and word in "([{<":
            owner = alias if around is None else around.last if around.bracket == "{" else around.owner
            holders.append(_Holder(word, owner, owner))
        elif stream[place].kind == "punctuation" and word in ")]}>" and holders:
            holders.pop()


@dataclass
class _Holder:
    """An open bracket in a type. owner: whose members the brace holds. last: the member that was read last in it."""

    bracket: str
    owner: Declaration
    last: Declaration


def _member_name(source: SourceText, stream: list[Token], words: list[str], place: int) -> tuple[int, str] | None:
    """The index of the last token of the member's name that begins at `place`, and the name."""
    if words[place] != "[":
        return (place, _unquoted(words[place])) if _is_member(source, stream, words, place, place) else None
    end = next((later for later in range(place + 1, len(words)) if words[later] == "]"), len(words))
    # `[key: string]: …` and `[K in Keys]: …` name nothing.
    if any(word in (":", "in") for word in words[place:end]) or not _is_member(source, stream, words, place, end):
        return None
    text = source.text[stream[place].start : stream[end].end]
    return end, _unquoted(text)


def _equals(words: list[str]) -> int:
    """The index of the `=` that the alias' type follows: the defaults of type parameters have one too."""
    depth = 0
    for place, word in enumerate(words):
        if word in ("<", "(", "[", "{"):
            depth += 1
        elif word in (">", ")", "]", "}"):
            depth -= 1
        elif word == "=" and depth == 0:
            return place
    return len(words)


def _is_member(source: SourceText, stream: list[Token], words: list[str], place: int, end: int) -> bool:
    """Whether the tokens from `place` to `end` are the name of a member."""
    if stream[place].kind not in ("name", "keyword", "string", "number") and words[place] != "[":
        return False
    if words[place] == "new" and words[place + 1 : place + 2] in (["("], ["<"]):
        return False
    following = words[end + 1 : end + 3]
    if not following or not (
        following[0] in (":", "(", "<") or (following[0] == "?" and following[1:] in ([":"], ["("], ["<"]))
    ):
        return False
    back = place - 1
    while words[back] in _MEMBER_WORDS:
        back -= 1
    if words[back] in ("{", ";", ","):
        return True
    gap = source.text[stream[back].end : stream[back + 1].start]
    return "\n" in gap and words[back] not in _CONTINUES


def _called(words: list[str], place: int) -> bool:
    """Whether a member is a method: `a()`, `a?()`, `a<T>()`."""
    after = place + 2 if words[place + 1 : place + 2] == ["?"] else place + 1
    return words[after : after + 1] in (["("], ["<"])


def _member_end(source: SourceText, stream: list[Token], words: list[str], place: int) -> int:
    """The index of the member's last token, its separator left out: `;`, `,`, or the line break before the next."""
    depth = 0
    for later in range(place + 1, len(words)):
        word = words[later]
        if depth == 0 and (word in (";", ",", ")", "]", "}") or _begins_line(source, stream, words, later)):
            return later - 1
        if word in ("(", "[", "{", "<"):
            depth += 1
        elif word in (")", "]", "}", ">"):
            depth -= 1
    return len(words) - 1


def _begins_line(source: SourceText, stream: list[Token], words: list[str], place: int) -> bool:
    gap = source.text[stream[place - 1].end : stream[place].start]
    # No type goes on with a bracket on a line of its own.
    return "\n" in gap and (
        (words[place] == "[" and words[place - 1] not in _CONTINUES) or _is_member(source, stream, words, place, place)
    )
