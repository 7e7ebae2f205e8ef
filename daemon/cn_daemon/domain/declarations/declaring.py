"""What the source says of one declaration: where its name stands, its kind, its modifiers, whether it is local."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.domain.declarations.nesting import in_block
from cn_daemon.domain.declarations.outline import CONTAINERS, MEMBERS, Declaration
from cn_daemon.domain.declarations.variables import declaring_word
from cn_daemon.domain.source.functions import body_at, declared_end, method_end
from cn_daemon.domain.source.reading import SourceText, unquoted
from cn_daemon.domain.source.statements import breaks, statement_end
from cn_daemon.domain.source.text import Position, Span, line_start
from cn_daemon.domain.source.tokens import tokens

# Whatever these hold stands in their body.
_BODIES = frozenset({"Function", "Method", "Constructor", "Accessor"})
_WORD = re.compile(r"[\w$]+")
_LINE = re.compile(r"[;}]")
_FIELD = re.compile(r"(?:(?:declare|public|protected|private|static|override|readonly)\s+)*")
# What a member is named by that only a call tells: `[Symbol.for("a")]`. Before it stand its modifiers.
_CALLED = re.compile(r"\[[\w$]+(?:\s*\.\s*[\w$]+)*\([^\n()]*\)\s*\](?=\s*(?P<behind>[(<:=;!?]))")
_MODIFIED = re.compile(r"\s*(?:(?:public|protected|private|static|override|abstract|async|get|set)\s+)*\*?\s*")
_STATEMENT = re.compile(r"[{};]")
_CLASS = re.compile(r"(?:[^={}]*=|\s*:)\s*(?:abstract\s+)?class\b")
_VARIABLE = re.compile(r"\b(?:const|let|var)\s+$")
# What stands before a name in an exported pattern: the other names in it.
_PATTERN = re.compile(r"\bexport\s+(?:const|let|var)\s*[{\[](?:(?!\b(?:const|let|var)\b)[^;])*\Z")


def name_place(source: SourceText, span: Span, name: str) -> Span | None:
    """The name inside a span that begins with decorators, modifiers or `export`: the first word of that spelling
    that is neither nested in brackets nor part of a decorator. A function that begins without a name has none: what
    stands behind its arrow is used there."""
    depth = 0
    before = ""
    bare = unquoted(name)
    for token in source.tokens(span):
        word = source.text[token.start : token.end]
        if depth == 0 and word == "[" == name[:1] and source.text.startswith(name, token.start):
            return source.span(token.start, token.start + len(name))
        if token.kind == "punctuation" and word in "([{":
            depth += 1
        elif token.kind == "punctuation" and word in ")]}":
            depth -= 1
        elif depth == 0 and word == "=>":
            return None
        elif depth == 0 and before not in ("@", ".") and unquoted(word) == bare:
            return source.span(token.start, token.end)
        before = word
    return None


def declare(
    source: SourceText, kind: str, name: str, span: Span, name_span: Span, parent: Declaration | None
) -> Declaration:
    """kind: as far as the server knows. name: as it is written. span: begins with decorators and modifiers, as far as
    the server knows."""
    start, name_start = source.offset(span.start), source.offset(name_span.start)
    words = _words(source.text[start:name_start])
    if kind == "Class" and words[-1:] == ["function"]:
        # Assignments to its members have made it longer, and a class.
        end = name_start + declared_end(source.text[name_start : source.offset(span.end)], jsx=source.jsx)
        kind, span = "Function", Span(span.start, source.position(end))
    elif kind == "Class" and not words and _VARIABLE.search(source.before(name_span.start)):
        # So have they a variable.
        kind = "Constant"
    kind = _kind(source, kind, words, name_start, source.offset(name_span.end))
    if kind == "Namespace" and name[:1] in "'\"":
        kind = "Module"
    before = source.before(name_span.start)
    line = before.rpartition("\n")[2]
    line_words, statement_words = (_WORD.findall(pattern.split(line)[-1]) for pattern in (_LINE, _STATEMENT))
    declared = Declaration(
        source.document.path,
        unquoted(name),
        kind,
        name_span,
        span,
        exported="export" in words
        or "export" in (line_words if parent is None else statement_words)
        or (kind in ("Constant", "Variable") and _PATTERN.search(before) is not None),
        static="static" in words,
        parent=parent,
    )
    computed = name[:1] == "[" and unquoted(name) == name
    declared.local = _is_local(source, declared, computed=computed)
    return declared


def _is_local(source: SourceText, declared: Declaration, *, computed: bool) -> bool:
    member = declared.kind in MEMBERS
    parent = declared.parent
    if member and (parent is None or parent.kind in ("Namespace", "Module")):
        # A key in the argument of a call, or in a type argument, belongs to nothing that has a name.
        return True
    if parent is None:
        expression = declared.kind in ("Class", "Function") and source.in_expression(declared.span.start)
        return expression or in_block(source, declared)
    if parent.kind in ("Namespace", "Module"):
        return parent.local or in_block(source, declared)
    if parent.kind in ("Class", "Interface"):
        # What is none of its members stands in a `static` block.
        return parent.local or not member
    if parent.local or parent.kind in CONTAINERS:
        return parent.local
    # A computed key of an object is local: one server lists none.
    key = computed and not _holds_class(source, parent)
    return key or not member or parent.kind in _BODIES or _deep(source, parent, source.offset(declared.position))


def _holds_class(source: SourceText, parent: Declaration) -> bool:
    """Whether a class is its value."""
    return _CLASS.match(source.text, source.offset(parent.name_span.end)) is not None


def _deep(source: SourceText, parent: Declaration, start: int) -> bool:
    """Whether a key stands elsewhere in the parent than in the object literal that is its value: in an argument, in a
    callback, in a type."""
    if parent.kind not in ("Constant", "Variable", "Property"):
        return True
    key = parent.kind == "Property" and not (parent.parent and parent.parent.kind == "Class")
    first, last = source.offset(parent.name_span.end), source.offset(parent.span.end)
    if _holds_class(source, parent):
        return source.opening(first, last, start) is None
    return source.opening(first, last, start) != (":" if key else "=")


def body_start(source: SourceText, holder: Declaration) -> Position:
    """Where what it holds begins: not in its type parameters, nor in the arguments of what it extends."""
    if holder.kind not in ("Class", "Interface"):
        return holder.span.start
    first = source.offset(holder.name_span.end)
    return source.position(first + body_at(source.text[first : source.offset(holder.span.end)], jsx=source.jsx))


def field_spans(source: SourceText, body: Span, name: str) -> Iterator[Span]:
    """The fields of that name in the body of a class, with their modifiers."""
    depth = start = end = 0
    last = ("", "")
    for token in source.tokens(body):
        if token.kind == "comment":
            continue
        word = source.text[token.start : token.end]
        begins = last[1] in ("{", "}", ";") or breaks(last, (token.kind, word), source.text[end : token.start])
        if depth == 1 and begins:
            start = token.start
        if depth == 1 and word == name and _FIELD.fullmatch(source.text, start, token.start):
            stop = token.start + statement_end(source.text[token.start :], jsx=source.jsx)
            yield source.span(start, stop)
        if token.kind == "punctuation":
            depth += (word in "([{") - (word in ")]}")
        last, end = (token.kind, word), token.end


def called_names(source: SourceText, body: Span) -> Iterator[tuple[Span, Span]]:
    """The members in the body of a class whose names are made by a call, which one server does not tell; and those
    names."""
    first, last = source.offset(body.start), source.offset(body.end)
    for name in _CALLED.finditer(source.text, first, last):
        line = line_start(source.text, name.start())
        head = _MODIFIED.fullmatch(source.text, line, name.start())
        if head is not None and source.opening(first, last, name.start()) is not None:
            start = line + len(head[0]) - len(head[0].lstrip())
            if name["behind"] in "(<":
                end = start + method_end(source.text[start:last], jsx=source.jsx)
            else:
                end = name.start() + statement_end(source.text[name.start() : last], jsx=source.jsx)
            yield source.span(start, end), source.span(*name.span())


def _words(text: str) -> list[str]:
    return [text[token.start : token.end] for token in tokens(text) if token.kind in ("keyword", "name")]


def _kind(source: SourceText, kind: str, words: list[str], name_start: int, name_end: int) -> str:
    if kind in ("Class", "TypeAlias"):
        return "TypeAlias" if "type" in words and "class" not in words else "Class"
    if kind in ("Variable", "Constant"):
        word = declaring_word(source, name_start)
        return "Constant" if word is not None and source.text.startswith(("const", "using"), word) else "Variable"
    if kind in ("Method", "Property", "Accessor"):
        if words and words[-1] in ("get", "set"):
            return "Accessor"
        return "Method" if re.match(r"\s*[?!]?\s*[(<]", source.text[name_end : name_end + 80]) else "Property"
    return kind or "Property"
