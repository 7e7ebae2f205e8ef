"""Which lines to show for a place: what a developer would call the block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cn_daemon.domain.comments import in_comment, with_comment
from cn_daemon.domain.functions import Function, read_function
from cn_daemon.domain.outline import CONTAINERS, MEMBERS, Declaration, enclosing, flatten
from cn_daemon.domain.reading import SourceText, unquoted
from cn_daemon.domain.text import Document, Lines, Position, Span, index_at
from cn_daemon.domain.tokens import tokens

# A declaration longer than this is not shown for a place deep inside it: the nearest block is.
WHOLE_LINES = 80
_FUNCTIONS = frozenset({"Function", "Method", "Constructor", "Accessor"})
_WORDS = re.compile(r"[\w\s@]*$")
_STATEMENT_WORD = re.compile(r"\b(?:const|let|var|using)\b")
# A class behind one of these is a value, a part of what holds it; so is a function behind the first.
_ASSIGNED = re.compile(r"=\s*$")
_EXPRESSION = re.compile(r"(?:[=(,:?\[&|]|=>|\b(?:return|extends|yield|await|new|typeof))\s*$")


class Fold(NamedTuple):
    """kind: code, comment, imports or region. The span reaches from the opening to the closing bracket."""

    kind: str
    span: Span


def whole(document: Document, declaration: Declaration) -> Lines:
    """The lines of a declaration with its decorators, `export const` and adjoining comment."""
    first = declaration.span.start.line
    if declaration.kind in ("Constant", "Variable") and not _STATEMENT_WORD.search(document.line(first)):
        for line in range(first - 1, max(first - 30, 0), -1):
            if _STATEMENT_WORD.search(document.line(line)):
                first = line
                break
    start = declaration.span.start
    before = document.line(start.line)[: index_at(document.line(start.line), start.character)]
    if declaration.kind in MEMBERS and not _WORDS.match(before):
        # The comment above is that of what begins on the line.
        return Lines(first, declaration.span.end.line)
    return Lines(with_comment(document, first), declaration.span.end.line)


def together(document: Document, declaration: Declaration, others: Iterable[Declaration]) -> Lines:
    """The lines of a declaration and of those of `others` that follow it without a gap: overloads."""
    shown = whole(document, declaration)
    for lines in sorted(whole(document, other) for other in others if other is not declaration):
        if shown.last < lines.first <= shown.last + 2:
            shown = Lines(shown.first, lines.last)
    return shown


def commented_at(document: Document, outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration right below the comment that holds the place."""
    below = [one for one in flatten(outline) if one.span.start.line > place.line]
    if not below:
        return None
    nearest = min(below, key=lambda one: one.span.start.line)
    return nearest if whole(document, nearest).first <= place.line and in_comment(document, place.line) else None


def enclosing_block(
    source: SourceText, outline: Sequence[Declaration], place: Position, folds: Iterable[Fold], nesting: Sequence[Span]
) -> tuple[Lines, Declaration | None]:
    """The block around a place that is no declaration's head, and the declaration that it is, or lies in.

    The enclosing function, method, class, field or top-level declaration when it is short enough; else the nearest
    callback; else the smallest fold of code; else a fold of imports or a comment; else the line. nesting: the spans of
    the expressions, statements and lists around the place, innermost first.
    """
    document = source.document
    commented = commented_at(document, outline, place)
    if commented is not None:
        return whole(document, commented), commented
    functions = list(_functions(source, nesting))
    owner = _owner(source, enclosing(outline, place), functions)
    if owner is not None:
        longest = whole(document, owner).length
        if longest <= WHOLE_LINES:
            return whole(document, owner), owner
    else:
        longest = len(document.lines)
        statement = _top_level(document, nesting)
        if statement is not None and 1 < statement.length <= WHOLE_LINES and not _in_fold(folds, place, "imports"):
            return Lines(with_comment(document, statement.first), statement.last), None
    callbacks = [_lines(span) for span, found in functions if found.kind == "callback"][:1]
    for lines in (*callbacks, *_folded(folds, place)):
        if lines.length <= longest:
            return lines, owner
    return Lines(place.line, place.line), owner


def _functions(source: SourceText, nesting: Sequence[Span]) -> Iterator[tuple[Span, Function]]:
    """The functions of several lines among the spans. The value of a variable or a member has that one's name."""
    for span in nesting:
        if 1 < _lines(span).length <= WHOLE_LINES:
            found = read_function(source.cut(span), jsx=source.jsx)
            if found is not None:
                named = found.kind != "callback" and not _ASSIGNED.search(source.before(span.start))
                yield span, found if named else Function("callback")


def _owner(
    source: SourceText, around: Sequence[Declaration], functions: Iterable[tuple[Span, Function]]
) -> Declaration | None:
    """The innermost declaration that is a block of its own. No server lists every function that lies in an
    expression."""
    declared = next((item for item in reversed(around) if _own_block(source, item)), None)
    for span, found in functions:
        if found.kind == "callback":
            continue
        first = source.offset(span.start)
        name_span = source.span(first + found.name_start, first + found.name_end)
        if declared is not None and (name_span.start <= declared.name_span.start or not declared.span.encloses(span)):
            break
        name = unquoted(source.cut(name_span))
        kind = "Function" if found.kind == "function" else "Method"
        return Declaration(source.document.path, name, kind, name_span, span, local=True, parent=declared)
    return declared


def _own_block(source: SourceText, item: Declaration) -> bool:
    if item.kind == "Class":
        return not _EXPRESSION.search(source.before(item.span.start))
    if item.kind in _FUNCTIONS:
        return not (item.kind == "Function" and _ASSIGNED.search(source.before(item.span.start)))
    if item.kind in CONTAINERS or (item.kind == "Property" and item.parent is not None and item.parent.kind == "Class"):
        return True
    return not item.local and (item.parent is None or item.parent.kind in ("Namespace", "Module"))


def _lines(span: Span) -> Lines:
    return Lines(span.start.line, span.end.line)


def _top_level(document: Document, nesting: Sequence[Span]) -> Lines | None:
    """The statement at the top of the module."""
    code = _code_span(document)
    inner = [span for span in nesting if not (span.start.line <= code.start.line and span.end.line >= code.end.line)]
    # The file's own span is no statement, unless the file is one: then something in it reaches as far.
    if any(span.start > code.start for span in nesting[len(inner) :]) or (nesting and not inner):
        return _lines(code)
    return _lines(inner[-1]) if inner else None


def _code_span(document: Document) -> Span:
    """From the first code of the file to its last line."""
    code = (token for token in tokens(document.text) if token.kind != "comment")
    start = next((token.start for token in code), 0)
    first = document.text.count("\n", 0, start) + 1
    last = len(document.lines)
    while last > first and not document.line(last).strip():
        last -= 1
    return Span(Position(first, start - document.text.rfind("\n", 0, start)), Position(last, 1))


def _in_fold(folds: Iterable[Fold], place: Position, kind: str) -> bool:
    return any(fold.kind == kind and fold.span.holds(place) for fold in folds)


def _folded(folds: Iterable[Fold], place: Position) -> list[Lines]:
    """The folds around the line, smallest first, code before the rest."""
    inside = [(fold.kind != "code", _lines(fold.span)) for fold in folds]
    around = [one for one in inside if one[1].first <= place.line <= one[1].last and (one[0] or one[1].length > 1)]
    return [lines for _, lines in sorted(around, key=lambda one: (one[0], one[1].length))]
