"""Which lines to show for a place: what a developer would call the block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cn_daemon.domain.declarations.outline import CONTAINERS, MEMBERS, Declaration, enclosing, flatten
from cn_daemon.domain.declarations.variables import statement_lines
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.comments import comment_above, with_comment
from cn_daemon.domain.source.functions import Function, read_function
from cn_daemon.domain.source.reading import SourceText, unquoted
from cn_daemon.domain.source.text import Document, Lines, Position, Span, index_at
from cn_daemon.domain.source.tokens import tokens

# A declaration longer than this is not shown for a place deep inside it: the nearest block is.
WHOLE_LINES = 80
_FUNCTIONS = frozenset({"Function", "Method", "Constructor", "Accessor"})
_WORDS = re.compile(r"(?:[\w\s@]|/\*(?:[^*]|\*(?!/))*\*/)*$")
# A function behind an equals sign is the value of what stands before that. A member declares nothing.
_ASSIGNED = re.compile(r"=\s*$")
# tsserver lists the function of `a = a || function …` as a.
_OPERAND = re.compile(r"(?:=|\|\||\?\?|&&)\s*$")
_TO_MEMBER = re.compile(r"^[^:\n]*(?:\.\s*#?[\w$]+|\])\s*=\s*\Z", re.MULTILINE)
# What looks like an arrow function behind one of these, or in front of an equals sign, is the type of one.
_TYPE_BEFORE = re.compile(r"(?:\b(?:as|satisfies|extends|is|keyof)|[|&<])\s*\Z")
_TYPE_AFTER = re.compile(r"\s*=(?![=>])")


class Fold(NamedTuple):
    """kind: code, comment, imports or region. The span reaches from the opening to the closing bracket."""

    kind: str
    span: Span


def whole(source: SourceText, declaration: Declaration) -> Lines:
    """The lines of a declaration with its decorators, its statement and adjoining comment."""
    lines = _own_lines(source, declaration)
    commented = comment_of(source, declaration)
    return Lines(commented.first, lines.last) if commented else lines


def comment_of(source: SourceText, declaration: Declaration) -> Lines | None:
    """The comment that ends on the line above it."""
    start = declaration.span.start
    if source.text.startswith("/**", source.offset(start)):
        # A type that is declared in a comment.
        return None
    line = source.document.line(start.line)
    if (declaration.kind in MEMBERS or declaration.kind == "Function") and not _WORDS.match(
        line[: index_at(line, start.character)]
    ):
        # That comment is of what begins on the line.
        return None
    return comment_above(source.document, _own_lines(source, declaration).first)


def _own_lines(source: SourceText, declaration: Declaration) -> Lines:
    if declaration.kind in ("Constant", "Variable"):
        return statement_lines(source, declaration)
    return _lines(declaration.span)


def together(source: SourceText, declaration: Declaration, others: Iterable[Declaration]) -> Lines:
    """The lines of a declaration and of those of `others` that follow it without a gap: overloads."""
    shown = whole(source, declaration)
    for lines in sorted(whole(source, other) for other in others if other is not declaration):
        if shown.last < lines.first <= shown.last + 2:
            shown = Lines(shown.first, lines.last)
    return shown


def commented_at(source: SourceText, outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration right below the comment that holds the place."""
    below = [one for one in flatten(outline) if one.span.start.line > place.line]
    if not below:
        return None
    nearest = min(below, key=lambda one: one.span.start.line)
    comment = comment_of(source, nearest)
    return nearest if comment is not None and comment.first <= place.line <= comment.last else None


def enclosing_block(
    source: SourceText, outline: Sequence[Declaration], place: Position, folds: Iterable[Fold], nesting: Sequence[Span]
) -> tuple[Lines, Declaration | None]:
    """The block around a place that is no declaration's head, and the declaration that it is, or lies in.

    The enclosing function, method, class, field or top-level declaration when it is short enough; else the nearest
    callback; else the smallest fold of code; else a fold of imports or a comment; else the line. nesting: the spans of
    the expressions, statements and lists around the place, innermost first.
    """
    document = source.document
    commented = commented_at(source, outline, place)
    if commented is not None:
        return whole(source, commented), commented
    functions = list(_functions(source, nesting))
    owner = _owner(source, enclosing(outline, place), functions)
    if owner is not None:
        longest = whole(source, owner).length
        if longest <= WHOLE_LINES:
            return whole(source, owner), owner
    else:
        longest = len(document.lines)
        statement = _top_level(source, nesting)
        if statement is not None and statement.length > 1 and not _in_fold(folds, place, "imports"):
            comment = comment_above(document, statement.first)
            lines = Lines(comment.first if comment else statement.first, statement.last)
            if lines.length <= WHOLE_LINES:
                return lines, None
    callbacks = [_lines(span) for span, found in functions if found.kind == "callback"][:1]
    for lines in (*callbacks, *_folded(folds, place)):
        if lines.length <= longest:
            return lines, owner
    return Lines(place.line, place.line), owner


def _functions(source: SourceText, nesting: Sequence[Span]) -> Iterator[tuple[Span, Function]]:
    """The functions of several lines among the spans. The value of a variable or a field has that one's name."""
    for span in nesting:
        if 1 < _written(source, span).length <= WHOLE_LINES:
            found = read_function(source.cut(span), jsx=source.jsx)
            before = source.before(span.start)
            if found is not None and not _is_type(source, span, before):
                valued = _ASSIGNED.search(before) and not _TO_MEMBER.search(before)
                yield span, Function("callback") if valued else found


def _is_type(source: SourceText, span: Span, before: str) -> bool:
    return bool(_TYPE_BEFORE.search(before)) or bool(_TYPE_AFTER.match(source.text, source.offset(span.end)))


def _owner(
    source: SourceText, around: Sequence[Declaration], functions: Iterable[tuple[Span, Function]]
) -> Declaration | None:
    """The innermost declaration that is a block of its own. No server lists every function that lies in an
    expression."""
    declared = next((_holder(item) for item in reversed(around) if _own_block(source, item)), None)
    for span, found in functions:
        if found.kind == "callback":
            continue
        first = source.offset(span.start)
        name_span = source.span(first + found.name_start, first + found.name_end)
        if declared is not None and (name_span.start <= declared.name_span.start or not declared.span.encloses(span)):
            break
        if declared is not None and not source.cut(Span(span.end, declared.span.end)).strip("; "):
            # What a script declares by assigning it.
            break
        name = unquoted(source.cut(name_span))
        kind = "Function" if found.kind == "function" else "Method"
        return Declaration(source.document.path, name, kind, name_span, span, local=True, parent=declared)
    return declared


def _holder(item: Declaration) -> Declaration:
    """Of a property that is a constructor's parameter the constructor."""
    beside = item.parent.children if item.parent is not None else ()
    return next((one for one in beside if one.kind == "Constructor" and one.span.encloses(item.span)), item)


def _own_block(source: SourceText, item: Declaration) -> bool:
    if item.kind == "Class":
        return not source.in_expression(item.span.start)
    if item.kind in _FUNCTIONS:
        return not (item.kind == "Function" and _OPERAND.search(source.before(item.span.start)))
    if item.kind in CONTAINERS or (item.kind == "Property" and item.parent is not None and item.parent.kind == "Class"):
        return True
    # A key of `export default { … }` has no parent, and is no more of a block than one of `const a = { … }`.
    top = item.parent is None or item.parent.kind in ("Namespace", "Module")
    return not item.local and item.kind != "Property" and top


def _lines(span: Span) -> Lines:
    return Lines(span.start.line, span.end.line)


def _written(source: SourceText, span: Span) -> Lines:
    """Without the blank lines around what it holds: a list of arguments has them."""
    code = source.cut(span)
    above = len(code) - len(code.lstrip())
    return _lines(source.span(source.offset(span.start) + above, source.offset(span.start) + len(code.rstrip())))


def _top_level(source: SourceText, nesting: Sequence[Span]) -> Lines | None:
    """The statement at the top of the module."""
    code = _code(source.document)
    inner = [span for span in nesting if not (span.start.line <= code.start.line and span.end.line >= code.end.line)]
    # The file's own span is no statement, unless the file is one: then a part of it reaches over as many lines.
    if any(span.start > code.start or span.end < code.end for span in nesting[len(inner) :]) or not inner:
        return _lines(code) if nesting else None
    # The comments before it may belong to its span, however far above they stand.
    first = next((token.start for token in source.tokens(inner[-1]) if token.kind != "comment"), None)
    return _lines(inner[-1]) if first is None else _within_braces(source, Span(source.position(first), inner[-1].end))


def _within_braces(source: SourceText, statement: Span) -> Lines:
    """Those of the braces around it: of such that stand alone no server tells more than what is in them."""
    if statement.start.character == 1:
        # At the margin it is at the top: the brackets of a large file need not be read.
        return _lines(statement)
    script = brackets(source.document)
    around = script.at(source.offset(statement.start))
    while script.opener[around]:
        around = script.opener[around]
    if around not in script.closer:
        return _lines(statement)
    first, last = script.words[around].start, script.words[script.closer[around]].start
    return Lines(source.position(first).line, max(source.position(last), statement.end).line)


def _code(document: Document) -> Span:
    """From the first code of the file to the last."""
    text = document.text
    start = next((token.start for token in tokens(text) if token.kind != "comment"), 0)
    first = text.count("\n", 0, start) + 1
    last = len(document.lines)
    while last > first:
        comment = with_comment(document, last + 1)
        line = document.line(last).strip()
        if comment > last and line and not line.startswith("//"):
            break
        last = min(comment, last) - 1
    end = max((token.end for token in tokens(document.line(last)) if token.kind != "comment"), default=0)
    return Span(Position(first, start - text.rfind("\n", 0, start)), Position(last, end + 1))


def _in_fold(folds: Iterable[Fold], place: Position, kind: str) -> bool:
    return any(fold.kind == kind and fold.span.holds(place) for fold in folds)


def _folded(folds: Iterable[Fold], place: Position) -> list[Lines]:
    """The folds around the line, smallest first, code before the rest."""
    inside = [(fold.kind != "code", _lines(fold.span)) for fold in folds]
    around = [one for one in inside if one[1].first <= place.line <= one[1].last and (one[0] or one[1].length > 1)]
    return [lines for _, lines in sorted(around, key=lambda one: (one[0], one[1].length))]
