"""Which lines of a component to show: all of it, or the element around a line of its template."""

from __future__ import annotations

from cn_daemon.domain.declarations.blocks import WHOLE_LINES
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.components import elements, is_component, scripts
from cn_daemon.domain.source.text import Document, Lines


def is_component_declaration(document: Document, declared: Declaration) -> bool:
    """Whether it is the component itself."""
    last = len(document.lines)
    return is_component(document.path) and declared.span.start.line == 1 and declared.span.end.line >= last


def component_block(document: Document, declared: Declaration | None, line: int, *, by_name: bool) -> Lines | None:
    """Of the component, when it was asked for by its name, its file; of a line of its template the largest element
    around it that is short enough, else the smallest. None for what a script declares, and within one."""
    is_component_itself = declared is not None and is_component_declaration(document, declared)
    if is_component_itself and by_name:
        return Lines(1, len(document.lines))
    text = "\n".join(document.lines)
    if (declared is not None and not is_component_itself) or scripts(document.path, text).split("\n")[line - 1].strip():
        return None
    around = [one for one in elements(text) if one.first <= line <= one.last]
    short = [one for one in around if one.length <= WHOLE_LINES]
    if short:
        return max(short, key=lambda one: one.length)
    return min(around, key=lambda one: one.length, default=Lines(line, line))
