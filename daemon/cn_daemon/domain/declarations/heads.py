"""Which declaration's head holds a place: its name, or the words before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.source.text import Document, Position

# Between a place and a name: what stands there is a part of a pattern of its own.
_PART = re.compile(r"[,:]")


def declaration_at(outline: Sequence[Declaration], place: Position) -> Declaration | None:
    """The declaration whose head holds the place: its name, or the modifiers before it. Character 0 is a whole line."""
    found = before = None
    for declaration in flatten(outline):
        name = declaration.name_span
        is_exported = declaration.parent is None or declaration.reexport
        if is_exported and declaration.kind == "Property" and name == declaration.span:
            # The shorthand in `export default { a }` is a use of a.
            continue
        if place.character == 0:
            if name.start.line == place.line and found is None:
                found = declaration
        elif name.holds(place):
            return declaration
        elif _in_head(declaration, place) and (before is None or before.span.end > name.start):
            found = found or declaration
        if declaration.span.holds(place):
            # In `a = b, c = d` the words before c are a's value.
            before = declaration
    return found


def _in_head(declaration: Declaration, place: Position) -> bool:
    """Whether the place is on the words before the name. The servers' spans of a variable begin at its name, or at the
    key that a pattern takes it from."""
    name = declaration.name_span.start
    if declaration.kind not in ("Constant", "Variable"):
        return declaration.span.start <= place <= name
    if declaration.span.start != name or place.line != name.line or place > name:
        return False
    # A local may stand behind other code on its line: only `const ` itself is looked at.
    return not declaration.local or name.character - place.character <= len("const ")


def head_at(outline: Sequence[Declaration], place: Position, document: Document) -> Declaration | None:
    """The declaration that is shown in full for a place: not a key of an object that is passed on or returned, nor, in
    `const { a: { b } } = c` at a, the part of it that is bound."""
    found = declaration_at(outline, place)
    if found is None or (found.local and found.kind == "Property"):
        return None
    name = found.name_span.start
    if found.kind in ("Constant", "Variable") and place.character and place < name and place.line == name.line:
        before = document.line(place.line)[document.index(place) : document.index(name)]
        return None if _PART.search(before) else found
    return found
