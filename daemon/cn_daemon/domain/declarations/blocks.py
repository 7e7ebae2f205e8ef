"""Which lines to show for a place: what a developer would call the block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cn_daemon.domain.declarations.outline import CONTAINERS, MEMBERS, Declaration, enclosing, flatten
from cn_daemon.domain.source.comments import comment_above
from cn_daemon.domain.source.text import Document, Lines, Position, Span, index_at

# A declaration longer than this is not shown for a place deep inside it: the nearest block is.
WHOLE_LINES = 80
_FUNCTIONS = frozenset({"Function", "Method", "Constructor", "Accessor"})
_WORDS = re.compile(r"(?:[\w\s@]|/\*(?:[^*]|\*(?!/))*\*/)*$")


class Fold(NamedTuple):
    """kind: code, comment, imports or region. The span reaches from the opening to the closing bracket."""

    kind: str
    span: Span


class Around(NamedTuple):
    """The syntax around a place. folds: of the whole text. functions: those without a name, innermost first. statement:
    that at the top of the file."""

    folds: Sequence[Fold]
    functions: Sequence[Span] = ()
    statement: Span | None = None


def block_lines(document: Document, declaration: Declaration) -> Lines:
    """The lines of a declaration with its decorators, its statement and adjoining comment."""
    lines = _own_lines(declaration)
    commented = comment_of(document, declaration)
    return Lines(commented.first, lines.last) if commented else lines


def comment_of(document: Document, declaration: Declaration) -> Lines | None:
    """The comment that ends on the line above it."""
    start = declaration.span.start
    line = document.line(start.line)
    before, behind = line[: index_at(line, start.character)], line[index_at(line, start.character) :]
    if behind.startswith("/**"):
        # A type that is declared in a comment.
        return None
    if (declaration.kind in MEMBERS or declaration.kind == "Function") and not _WORDS.match(before):
        # That comment is of what begins on the line.
        return None
    return comment_above(document, _own_lines(declaration).first)


def _own_lines(declaration: Declaration) -> Lines:
    return _lines(declaration.statement or declaration.span)


def together(document: Document, declaration: Declaration, others: Iterable[Declaration]) -> Lines:
    """The lines of a declaration and of those of `others` that follow it without a gap: overloads."""
    shown = block_lines(document, declaration)
    for lines in sorted(block_lines(document, other) for other in others if other is not declaration):
        if shown.last < lines.first <= shown.last + 2:
            shown = Lines(shown.first, lines.last)
    return shown


def commented_at(document: Document, outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration right below the comment that holds the place."""
    below = [one for one in flatten(outline) if one.span.start.line > place.line]
    if not below:
        return None
    nearest = min(below, key=lambda one: one.span.start.line)
    comment = comment_of(document, nearest)
    return nearest if comment is not None and comment.first <= place.line <= comment.last else None


def enclosing_block(
    document: Document, outline: Sequence[Declaration], place: Position, around: Around
) -> tuple[Lines, Declaration | None]:
    """The block around a place that is no declaration's head, and the declaration that it is, or lies in.

    The enclosing function, method, class, field or top-level declaration when it is short enough; else the nearest
    function without a name; else the smallest fold of code; else a fold of imports or a comment; else the line.
    """
    commented = commented_at(document, outline, place)
    if commented is not None:
        return block_lines(document, commented), commented
    owner = next((_holder(item) for item in reversed(enclosing(outline, place)) if _own_block(item)), None)
    if owner is not None:
        longest = block_lines(document, owner).length
        if longest <= WHOLE_LINES:
            return block_lines(document, owner), owner
    else:
        longest = len(document.lines)
        statement = _lines(around.statement) if around.statement else None
        if statement is not None and statement.length > 1:
            comment = comment_above(document, statement.first)
            lines = Lines(comment.first if comment else statement.first, statement.last)
            if lines.length <= WHOLE_LINES:
                return lines, None
    nearest = [lines for lines in map(_lines, around.functions) if 1 < lines.length <= WHOLE_LINES][:1]
    for lines in (*nearest, *_folded(around.folds, place)):
        if lines.length <= longest:
            return lines, owner
    return Lines(place.line, place.line), owner


def _holder(item: Declaration) -> Declaration:
    """Of a property that is a constructor's parameter the constructor."""
    beside = item.parent.children if item.parent is not None else ()
    return next((one for one in beside if one.kind == "Constructor" and one.span.encloses(item.span)), item)


def _own_block(item: Declaration) -> bool:
    if item.kind in CONTAINERS or item.kind in _FUNCTIONS:
        return True
    if item.kind == "Property" and item.parent is not None and item.parent.kind == "Class":
        return True
    # A key of `export default { … }` has no parent, and is no more of a block than one of `const a = { … }`.
    top = item.parent is None or item.parent.kind in ("Namespace", "Module")
    return not item.local and item.kind != "Property" and top


def _lines(span: Span) -> Lines:
    return Lines(span.start.line, span.end.line)


def _folded(folds: Iterable[Fold], place: Position) -> list[Lines]:
    """The folds around the line, smallest first, code before the rest."""
    inside = [(fold.kind != "code", _lines(fold.span)) for fold in folds]
    around = [one for one in inside if one[1].first <= place.line <= one[1].last and (one[0] or one[1].length > 1)]
    return [lines for _, lines in sorted(around, key=lambda one: (one[0], one[1].length))]
