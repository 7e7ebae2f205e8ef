"""What assignments declare in a script: `exports.a = …`, `A.prototype.b = …`. Each server lists other parts of it."""

from __future__ import annotations

import re

from cn_daemon.domain.object_keys import object_keys
from cn_daemon.domain.outline import MEMBERS, Declaration
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.statements import statement_end

_EXPORT = re.compile(r"^(?:module\.)?exports\.(?P<name>[\w$]+)\s*=(?![=>])\s*(?P<value>[\w$]*)", re.MULTILINE)
_MEMBER = re.compile(
    r"^(?P<holder>[\w$]+)(?:\.prototype)?\.(?P<name>[\w$]+)\s*=(?![=>])\s*(?P<value>[\w$]*)", re.MULTILINE
)
_WHOLE = re.compile(
    r"^module\.exports\s*=\s*(?:async\s+)?(?P<value>function|class)\b\s*\*?\s*(?P<name>[\w$]+)", re.MULTILINE
)
_FUNCTION = re.compile(r"\s*(?:async\b\s*)?(?:function\b|[\w$]+\s*=>|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*=>)")


def add_assigned(source: SourceText, roots: list[Declaration]) -> None:
    """Add them to the outline of a script: its exports, and the members of its functions and classes. A name that is
    exported as it stands is declared where it stands."""
    for found in (*_EXPORT.finditer(source.text), *_WHOLE.finditer(source.text)):
        if found["value"] not in (found["name"], "void"):
            kind = {"function": "Function", "class": "Class"}.get(found["value"], "Constant")
            if _FUNCTION.match(source.text, found.start("value")):
                kind = "Function"
            _add(source, found, kind, None, roots)
    holders = {one.name: one for one in roots if one.kind in ("Function", "Class") and not one.local}
    for found in _MEMBER.finditer(source.text):
        holder = holders.get(found["holder"])
        if holder is not None and found["name"] != "prototype":
            kind = "Method" if _FUNCTION.match(source.text, found.start("value")) else "Property"
            _add(source, found, kind, holder, holder.children)


def _add(
    source: SourceText, found: re.Match[str], kind: str, holder: Declaration | None, into: list[Declaration]
) -> None:
    name_span = source.span(*found.span("name"))
    start = found.start()
    span = source.span(start, start + statement_end(source.text[start:], jsx=source.jsx))
    declared = Declaration(source.document.path, found["name"], kind, name_span, span, parent=holder)
    declared.exported = holder is None
    for one in [one for one in into if one.position == name_span.start]:
        # What the server tells of it.
        into.remove(one)
        declared.children += one.children
    for child in declared.children:
        child.parent = declared
        child.local = not (kind == "Class" and child.kind in MEMBERS)
    if source.text.startswith("{", found.end()):
        declared.children = object_keys(source, found.end(), declared)
    into.append(declared)
