"""Which lines to show for a place: what a developer would call the block."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cn_daemon.domain.outline import CONTAINERS, MEMBERS, Declaration, enclosing, flatten
from cn_daemon.domain.text import Document, Position, Span, index_at
from cn_daemon.domain.tokens import tokens

# A declaration longer than this is not shown for a place deep inside it: the nearest block is.
WHOLE_LINES = 80
_OWN_BLOCK = CONTAINERS | {"Function", "Method", "Constructor", "Accessor"}
_CALLBACK = re.compile(r"(?:async\s+)?(?:(?P<certain>function\b|[\w$]+\s*=>)|(?=[<(]))")
_WORDS = re.compile(r"[\w\s@]*$")
_STATEMENT_WORD = re.compile(r"\b(?:const|let|var|using)\b")


class Lines(NamedTuple):
    """First and last line, 1-based, both shown."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class Fold(NamedTuple):
    """kind: code, comment, imports or region. The span reaches from the opening to the closing bracket."""

    kind: str
    span: Span


def declaration_at(outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration whose head holds the place: its name, or the modifiers before it. Character 0 is a whole line."""
    found = None
    for declaration in flatten(outline):
        name = declaration.name_span
        if place.character == 0:
            if name.start.line == place.line and found is None:
                found = declaration
        elif name.holds(place):
            return declaration
        elif declaration.span.start <= place <= name.start or _in_statement_head(declaration, place):
            found = found or declaration
    return found


def _in_statement_head(declaration: Declaration, place: Position) -> bool:
    """Whether the place is on the words before a variable's name: the servers' spans begin at the name."""
    name = declaration.name_span.start
    if declaration.kind not in ("Constant", "Variable") or declaration.span.start != name:
        return False
    if place.line != name.line or place > name:
        return False
    # A local may stand behind other code on its line: only `const ` itself is looked at.
    return not declaration.local or name.character - place.character <= len("const ")


def head_at(outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration that is shown whole for a place: not a key of an object that is passed on or returned."""
    found = declaration_at(outline, place)
    return None if found is not None and found.local and found.kind == "Property" else found


def commented_at(document: Document, outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration right below the comment that holds the place."""
    below = [one for one in flatten(outline) if one.span.start.line > place.line]
    if not below:
        return None
    nearest = min(below, key=lambda one: one.span.start.line)
    return nearest if whole(document, nearest).first <= place.line and _in_comment(document, place.line) else None


def _in_comment(document: Document, line: int) -> bool:
    """Whether nothing but a comment is on the line."""
    text = document.line(line).lstrip()
    if text.startswith(("//", "/*", "*")):
        return True
    before = "\n".join(document.lines[: line - 1])
    return before.rfind("/*") > before.rfind("*/")


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
    return Lines(_with_comment(document, first), declaration.span.end.line)


def together(document: Document, declaration: Declaration, others: Iterable[Declaration]) -> Lines:
    """The lines of a declaration and of those of `others` that follow it without a gap: overloads."""
    shown = whole(document, declaration)
    for lines in sorted(whole(document, other) for other in others if other is not declaration):
        if shown.last < lines.first <= shown.last + 2:
            shown = Lines(shown.first, lines.last)
    return shown


def comment_above(document: Document, first: int) -> Lines | None:
    """The comment that ends right above line `first`."""
    start = _with_comment(document, first)
    return Lines(start, first - 1) if start < first else None


def _with_comment(document: Document, first: int) -> int:
    line = first
    while line > 1:
        above = document.line(line - 1).strip()
        if above.startswith("//") and not above.startswith(("///", "//#")):
            line -= 1
        elif above.endswith("*/"):
            opening = line - 1
            while opening > 1 and "/*" not in document.line(opening):
                opening -= 1
            if not document.line(opening).lstrip().startswith("/*"):
                break
            line = opening
        else:
            break
    return line


def enclosing_block(
    document: Document,
    outline: Sequence[Declaration],
    place: Position,
    folds: Iterable[Fold],
    nesting: Sequence[Span],
) -> tuple[Lines, Declaration | None]:
    """The block around a place that is no declaration's head.

    The enclosing function, method, class or top-level declaration when it is short enough; else the nearest callback;
    else the smallest fold of code; else a fold of imports or a comment; else the line.
    """
    commented = commented_at(document, outline, place)
    if commented is not None:
        return whole(document, commented), commented
    around = enclosing(outline, place)
    owner = next((item for item in reversed(around) if _own_block(item)), None)
    if owner is not None:
        lines = whole(document, owner)
        if lines.length <= WHOLE_LINES:
            return lines, owner
    else:
        statement = _top_level(document, nesting)
        if statement is not None and 1 < statement.length <= WHOLE_LINES and not _in_fold(folds, place, "imports"):
            return Lines(_with_comment(document, statement.first), statement.last), None
    for wanted in (_callbacks(document, nesting), _code(folds, place), _others(folds, place)):
        for lines in wanted:
            if owner is None or lines.length <= whole(document, owner).length:
                return lines, owner
    return Lines(place.line, place.line), owner


def _own_block(item: Declaration) -> bool:
    if item.local and item.kind not in _OWN_BLOCK:
        return False
    return (
        item.kind in _OWN_BLOCK
        or item.parent is None
        or item.parent.kind in ("Namespace", "Module")
        or (item.kind == "Property" and item.parent.kind == "Class")
    )


def _lines(span: Span) -> Lines:
    return Lines(span.start.line, span.end.line)


def _top_level(document: Document, nesting: Sequence[Span]) -> Lines | None:
    first, last = _code_lines(document)
    inner = [span for span in nesting if not (span.start.line <= first and span.end.line >= last)]
    # The file's own span is no statement, unless the file is one: then what is inside stands within brackets.
    if nesting and (not inner or _is_nested(document, inner[-1])):
        return _lines(nesting[len(inner)]) if len(inner) < len(nesting) else None
    return _lines(inner[-1]) if inner else None


def _is_nested(document: Document, span: Span) -> bool:
    before = "\n".join([*document.lines[: span.start.line - 1], document.line(span.start.line)])
    cut = (
        len(before)
        - len(document.line(span.start.line))
        + index_at(document.line(span.start.line), span.start.character)
    )
    depth = 0
    for token in tokens(before[:cut], jsx=document.path.endswith((".tsx", ".jsx"))):
        if token.kind == "punctuation":
            word = before[token.start : token.end]
            depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
    return depth > 0


def _code_lines(document: Document) -> Lines:
    """The lines of the first and the last code in the file: a span over both is the file's own."""
    code = (token for token in tokens(document.text) if token.kind != "comment")
    start = next((token.start for token in code), 0)
    last = len(document.lines)
    while last > 1 and not document.line(last).strip():
        last -= 1
    return Lines(document.text.count("\n", 0, start) + 1, last)


def _callbacks(document: Document, nesting: Sequence[Span]) -> list[Lines]:
    """The innermost arrow function or function expression of several lines."""
    for span in nesting:
        lines = _lines(span)
        if 1 < lines.length <= WHOLE_LINES and _is_callback(document, span):
            return [lines]
    return []


def _is_callback(document: Document, span: Span) -> bool:
    line = document.line(span.start.line)
    text = line[index_at(line, span.start.character) :]
    match = _CALLBACK.match(text)
    if match is None:
        return False
    text = "\n".join([text, *(document.line(number) for number in range(span.start.line + 1, span.end.line))])
    if span.end.line > span.start.line:
        line = document.line(span.end.line)
        text += "\n" + line[: index_at(line, span.end.character)]
    return (bool(match["certain"]) or _has_arrow(text[match.end() :])) and not _is_list(text)


def _is_list(text: str) -> bool:
    """Whether a span that begins with a callback is the list of arguments that begins with it."""
    depth = 0
    begun = text.startswith("function")
    for token in tokens(text):
        word = text[token.start : token.end]
        if token.kind != "punctuation":
            continue
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        begun = begun or (depth == 0 and word == "=>")
        if begun and depth == 0 and word == ",":
            return True
    return False


def _has_arrow(text: str) -> bool:
    """Whether a span that begins with `(` or `<` is an arrow function: the arrow, or its result's type, follows."""
    depth = 0
    closed = False
    for token in tokens(text):
        word = text[token.start : token.end]
        if token.kind == "comment":
            continue
        if closed and depth == 0 and word != "(":
            return word in ("=>", ":")
        if word in ("(", "[", "{", "<"):
            depth += 1
        elif word in (")", "]", "}", ">"):
            depth -= 1
            closed = depth == 0
    return False


def _in_fold(folds: Iterable[Fold], place: Position, kind: str) -> bool:
    return any(fold.kind == kind and fold.span.holds(place) for fold in folds)


def _code(folds: Iterable[Fold], place: Position) -> list[Lines]:
    inside = [_lines(fold.span) for fold in folds if fold.kind == "code" and _on_lines(fold.span, place)]
    return sorted((lines for lines in inside if lines.length > 1), key=lambda lines: lines.length)


def _others(folds: Iterable[Fold], place: Position) -> list[Lines]:
    inside = [_lines(fold.span) for fold in folds if fold.kind != "code" and _on_lines(fold.span, place)]
    return sorted(inside, key=lambda lines: lines.length)


def _on_lines(span: Span, place: Position) -> bool:
    return span.start.line <= place.line <= span.end.line


def signature(document: Document, declaration: Declaration, cut: Callable[[Span], str]) -> str:
    """The declaration without its body, on one line. cut: the text of a span."""
    text = cut(declaration.span)
    stream = [token for token in tokens(text, jsx=document.path.endswith((".tsx", ".jsx"))) if token.kind != "comment"]
    end = _body_start(text, stream, declaration.kind)
    prefix = ""
    if declaration.kind in ("Constant", "Variable"):
        line = document.line(declaration.name_span.start.line)
        match = re.match(r"\s*((?:export\s+|declare\s+|default\s+)*(?:const|let|var|using)\s+)", line)
        prefix = match[1] if match else ""
    head = re.sub(r"\s+", " ", prefix + text[:end]).strip().rstrip(";,").rstrip()
    return head if len(head) <= 300 else head[:299] + "…"


def _body_start(text: str, stream: Sequence[object], kind: str) -> int:
    depth = 0
    opened: list[int] = []
    pairs: dict[int, int] = {}
    first_arrow = first_equals = -1
    for token in stream:
        word = text[token.start : token.end]  # type: ignore[attr-defined]
        start = token.start  # type: ignore[attr-defined]
        if word in ("(", "[", "{"):
            opened.append(start)
            depth += 1
        elif word in (")", "]", "}") and opened:
            pairs[opened.pop()] = start
            depth -= 1
        elif depth == 0 and word == "=>" and first_arrow < 0:
            first_arrow = start
        elif depth == 0 and word == "=" and first_equals < 0:
            first_equals = start
    if kind in ("Constant", "Variable", "Property"):
        if first_arrow > first_equals >= 0:
            return first_arrow
        if first_equals >= 0 and (":" in text[:first_equals] or "\n" in text):
            return first_equals
        return len(text)
    if kind in ("TypeAlias", "EnumMember"):
        return len(text)
    last = max(pairs.values(), default=-1)
    body = [start for start, end in pairs.items() if end == last and text[start] == "{"]
    return body[0] if body and text[last:].strip(" ;\n\t\r") == "}" else len(text)


def documentation(document: Document, first: int) -> str:
    """The words of the comment above line `first`, without its markers."""
    lines = comment_above(document, first)
    if lines is None:
        return ""
    words = []
    for number in range(lines.first, lines.last + 1):
        text = document.line(number).strip()
        text = re.sub(r"^/\*+|\*+/$", "", text).strip()
        words.append(re.sub(r"^(?:\*|//)\s?", "", text).rstrip())
    return "\n".join(words).strip()[:1000]
