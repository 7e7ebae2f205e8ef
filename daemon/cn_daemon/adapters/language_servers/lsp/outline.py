"""What `textDocument/documentSymbol` tells, as declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.lsp.anchors import Anchors
from cn_daemon.adapters.language_servers.lsp.shapes import span as span_of
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.source.forms import read
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span, character_at

# LSP's SymbolKind by the kinds of the wire; what is not here (files, keys, literals, type parameters) is no row.
KINDS = {
    2: "Module", 3: "Namespace", 4: "Namespace", 5: "Class", 6: "Method", 7: "Property", 8: "Property",
    9: "Constructor", 10: "Enum", 11: "Interface", 12: "Function", 13: "Variable", 14: "Constant", 19: "Namespace",
    22: "EnumMember", 23: "Class", 24: "Property", 25: "Method",
}  # fmt: skip
_NAME = re.compile(r"[^\W\d][\w-]*")
_FUNCTION = 12
# What YAML takes over from elsewhere, under its key.
_MERGED = "<<"
_PYTHON = (".py", ".pyi")
_BODIES = frozenset({"Function", "Method", "Constructor", "Accessor"})
_TYPES = frozenset({"Class", "Interface", "Enum", "TypeAlias"})
# In a type these are members.
_BLOCK = "Block"
_INSIDE = {"Function": "Method", "Variable": "Property", "Constant": "Property"}


def behind(document: Document, span: Span, before: re.Pattern[str]) -> Span:
    """Of a place that begins with what may stand before a name, the name alone."""
    line, at = document.line(span.start.line), document.index(span.start)
    first = found.end() if (found := before.match(line, at)) else at
    last = name.end() if (name := _NAME.match(line, first)) else first
    return Span(*(Position(span.start.line, character_at(line, index)) for index in (first, last)))


def declarations(document: Document, rows: Iterable[Mapping[str, Any]], row: Language) -> list[Declaration]:
    """The declarations of a document, nested, in source order; members that stand outside their type are in it."""
    source = SourceText(document)
    found = _level(source, rows, row, None)
    if row.heading:
        found = _below_headings(found)
    if row.anchored:
        anchors = [
            # An anchor may be given anew.
            Declaration(document.path, name, "Variable", span, span, exported=True, scope=number)
            for number, (name, span) in enumerate(Anchors(document).declared, 1)
        ]
        found = sorted([*found, *anchors], key=lambda one: one.span)
    if row.globals is not None:
        found = sorted([*found, *_globals(source, found, row.globals)], key=lambda one: one.span)
    return found


def _below_headings(level: list[Declaration]) -> list[Declaration]:
    """With what stands below a namespace in it."""
    kept: list[Declaration] = []
    heading: Declaration | None = None
    for one in level:
        if one.kind == "Namespace":
            heading = None if one.children else one
        if heading is None or one is heading:
            kept.append(one)
        else:
            one.parent = heading
            heading.children.append(one)
            heading.span = Span(heading.span.start, one.span.end)
    return kept


def _gathered(level: list[Declaration], language: Language) -> list[Declaration]:
    """With the members that stand outside of their type, each by itself or several in a block, put in it."""
    types = {one.name: one for one in level if one.kind in _TYPES}
    kept: list[Declaration] = []
    for one in level:
        found = language.block.match(one.name) if language.block and one.kind == _BLOCK else None
        if one.kind == _BLOCK:
            one.kind, one.name = "Class", found["container"] if found else one.name
            home = types.get(one.name)
            for child in one.children:
                # What several traits ask for under one name are several members: each block is a parent of its own.
                child.is_outside, child.parent = True, home if home and not (found and found["trait"]) else one
            (kept if home is None else home.children).extend(one.children)
            continue
        parts = (found := language.receiver.match(one.name) if language.receiver else None) and found.groupdict()
        home = types.get(parts["container"]) if parts and parts["container"] else None
        if not parts or not parts["container"] or (home is None and not language.scattered):
            kept.append(one)
            continue
        one.name, one.kind, one.is_outside = parts["name"], _INSIDE.get(one.kind, one.kind), True
        one.parent = home or Declaration(one.path, parts["container"], "Class", one.name_span, one.span)
        (kept if home is None else home.children).append(one)
    return kept


def _level(
    source: SourceText, rows: Iterable[Mapping[str, Any]], language: Language, parent: Declaration | None
) -> list[Declaration]:
    found = []
    for row in _nested(rows):
        if row["name"] == _MERGED:
            continue
        one = _declaration(source, row, language, parent)
        if one is None:
            found += _level(source, _of_macro(source, row), language, parent)
            continue
        one.children = _level(source, row.get("children") or (), language, one)
        if language.fields is not None and one.kind == "Class":
            one.children = sorted([*one.children, *_given(source, one, language.fields)], key=lambda one: one.span)
        found.append(one)
    return _gathered(sorted(found, key=lambda one: one.span), language)


def _nested(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Where a server tells all rows side by side, each is put below the one that it says it is in."""
    sorted_rows = [dict(row) for row in rows]
    level: list[Mapping[str, Any]] = []
    outer: dict[str, dict[str, Any]] = {}
    for row in sorted_rows:
        above = outer.get(row.get("containerName") or "")
        if above is None:
            level.append(row)
        else:
            above.setdefault("children", []).append(row)
        if "location" in row:
            outer[row["name"]] = row
    return level


def _of_macro(source: SourceText, row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The rows below one that is no declaration: clangd tells a macro as such a one. What it declares by a name that
    does not stand there is none; a namespace that it opens stands where the macro does, and a body that follows it is
    of a function that has its name."""
    rows: list[Mapping[str, Any]] = list(row.get("children") or ())
    children = [
        child if _stands(source, child) else {**child, "selectionRange": row["selectionRange"]}
        for child in rows
        if KINDS.get(child["kind"]) == "Namespace" or _stands(source, child)
    ]
    if children or not any(KINDS.get(one["kind"]) in _BODIES for child in rows for one in _every(child)):
        return children
    return [{**row, "kind": _FUNCTION, "children": []}]


def _stands(source: SourceText, row: Mapping[str, Any]) -> bool:
    """Whether the name of a row is written where it says."""
    return source.text.startswith(row["name"], source.offset(span_of(row["selectionRange"]).start))


def _every(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield row
    for child in row.get("children") or ():
        yield from _every(child)


def _given(source: SourceText, owner: Declaration, field: re.Pattern[str]) -> list[Declaration]:
    """The members that methods give their object, where each is first given."""
    known = {child.name for child in owner.children}
    given = []
    for method in [child for child in owner.children if child.kind in _BODIES]:
        first, last = source.offset(method.span.start), source.offset(method.span.end)
        fields = {found.start("name"): found["name"] for found in field.finditer(source.text, first, last)}
        for start in sorted(fields.keys() & _names(source, first, last)) if fields else ():
            name, span = fields[start], source.span(start, start + len(fields[start]))
            if name not in known:
                known.add(name)
                exported = not name.startswith("_")
                path = source.document.path
                given.append(Declaration(path, name, "Property", span, span, exported=exported, parent=owner))
    return given


def _globals(source: SourceText, known: list[Declaration], names: re.Pattern[str]) -> Iterator[Declaration]:
    """The variables of a module that functions alone give a value, where that is first done."""
    known_names = {one.name for one in known}
    stated = {name.strip() for found in names.finditer(source.text) for name in found["names"].split(",")}
    for name in sorted(stated - known_names):
        given = re.compile(rf"^[ \t]+(?P<name>{re.escape(name)})[ \t]*(?::[^=\n]+)?=(?!=)", re.M).search(source.text)
        if given is not None and given.start("name") in _names(source, given.start("name"), given.end("name")):
            span = source.span(*given.span("name"))
            exported = not name.startswith("_")
            yield Declaration(source.document.path, name, "Variable", span, span, exported=exported)


def _names(source: SourceText, first: int, last: int) -> set[int]:
    """Where names stand that are in no comment or string."""
    if source.form is None:
        return set()
    return {first + start for kind, start, _ in read(source.text[first:last], source.form) if kind == "name"}


def _declaration(
    source: SourceText, row: Mapping[str, Any], language: Language, parent: Declaration | None
) -> Declaration | None:
    kind = language.kinds.get(row["kind"]) or KINDS.get(row["kind"])
    full_range = row.get("range") or row["location"]["range"]
    name, span, name_span = row["name"], span_of(full_range), span_of(row.get("selectionRange") or full_range)
    if language.before is not None and kind != "Namespace":
        name = name[found.end() :] if (found := language.before.match(name)) else name
        name_span = behind(source.document, name_span, language.before)
    if language.anchored and not _stands(source, row):
        return None  # the number of an item
    if kind is None or source.in_imports(source.offset(name_span.start)):
        return None
    line = source.document.line(name_span.start.line)
    opening = language.opening.match(line) if language.opening else None
    if opening and opening.end() == span.start.character - 1:
        span = Span(Position(span.start.line, opening.start() + 1), span.end)
    if kind == "Function" and not source.text.startswith(language.functions, source.offset(span.start)):
        kind = "TypeAlias"
    if parent is not None and parent.kind in (*_TYPES, _BLOCK):
        kind = _INSIDE.get(kind, kind)
    local = parent is not None and (parent.local or parent.kind in _BODIES)
    local = local or (kind in MEMBERS and parent is None and kind != "Method")
    head = source.text[source.offset(Position(name_span.start.line, 1)) : source.offset(name_span.end)]
    exported = language.exported.search(head) is not None
    # `try: from a import b` and `except ImportError: b = None`: the variable stands in for what is imported.
    is_top = parent is None and kind == "Variable" and source.document.path.endswith(_PYTHON)
    reexport = is_top and name in source.imported_words
    path = source.document.path
    return Declaration(
        path, name, kind, name_span, span, exported=exported, local=local, reexport=reexport, parent=parent
    )
