"""From a server's outline to declarations, by reading the source.

The two TypeScript servers tell different halves: one gives kinds without name positions of overloads, the other
positions with coarse kinds; neither lists the members of a type alias. What they agree on (names, nesting, spans) is
taken from them; kinds, modifiers and names' places are read from the text, so that both give the same answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cn_daemon.domain.declarations.commonjs import add_assigned, member_holders
from cn_daemon.domain.declarations.declaring import body_start, called_names, declare, field_spans, name_place
from cn_daemon.domain.declarations.object_keys import object_keys
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.type_literals import literal_members
from cn_daemon.domain.declarations.typedefs import add_typedefs
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, Span, occurrences


class Item(NamedTuple):
    """One item of a server's outline. kind: one of `KINDS`, as far as the server knows. name_span: when told."""

    name: str
    kind: str
    spans: Sequence[Span]
    name_span: Span | None
    children: Sequence[Item]


# Names longer than this end in "..." in the outlines of both servers.
LONG = 150
_UNNAMED = frozenset({"()", "new()", "[]", "export=", ""})
# The servers call it as what it is assigned to.
_UNNAMED_CLASS = re.compile(r"class\s*(?:\{|extends\b)")
_OPERATOR = r"(?:\?\?|\|\||&&)?="
# `Card.displayName = …`: one server lists it as a part of Card, which then ends where the assignment does.
_MODIFIERS = "readonly|static|declare|public|private|protected|override|accessor"
_ASSIGNMENT = re.compile(
    rf"(?!(?:{_MODIFIERS})\b|\d)[\w$]+(?:\s*\.\s*#?[\w$]+|\s*\[[^\]\n]*\])+\s*{_OPERATOR}(?!=)",
)
# `A.prototype.b;` and `Object.defineProperty(A.prototype, …)`: one server makes a class of what they speak of.
_STATEMENT = re.compile(rf"(?!\d)[\w$]+\s*\.\s*[\w$]|{_ASSIGNMENT.pattern}")
_REASSIGNED = re.compile(rf"[\w$]+\s*{_OPERATOR}(?![=>])")
# `import A = b.C`; a field may be called import.
_ALIAS = re.compile(r"(?:export\s+)?import\s+(?:type\s+)?[\w$]+\s*=")
# `export default` of a value that has no name of its own; its keys are rows, it is none.
_EXPRESSION = re.compile(r"export\s+default\s+(?!(?:abstract\s+)?class\b|(?:async\s+)?function\b|interface\b)")


def mentioning(document: Document, items: Iterable[Item], name: str) -> list[Item]:
    """The items of that name, and those that hold one: a small part of a large outline."""
    bare = name.lstrip("#")
    if not bare:
        return []
    source = document.once(SourceText)
    lines = [source.position(start).line for start in occurrences(source.text, bare)]
    holders = member_holders(document.text) if document.path.endswith(SCRIPTS) else frozenset()
    return _mentioning(items, bare, lines, holders)


def _mentioning(items: Iterable[Item], bare: str, lines: Sequence[int], holders: Collection[str] = ()) -> list[Item]:
    """lines: those that hold the name, in order. holders: the names of those that have members elsewhere."""
    found = []
    for item in items:
        children = _mentioning(item.children, bare, lines)
        # The members of a type alias are no items: they are read from its text.
        within = not item.children and item.kind in ("TypeAlias", "Class") and _holds(item, lines)
        named = next(occurrences(item.name, bare), None) is not None
        if children or named or within or item.name in holders:
            found.append(item._replace(children=children))
    return found


def _holds(item: Item, lines: Sequence[int]) -> bool:
    """Whether one of the lines is the item's."""
    for span in item.spans:
        place = bisect_left(lines, span.start.line)
        if place < len(lines) and lines[place] <= span.end.line:
            return True
    return False


def read_outline(document: Document, items: Iterable[Item]) -> list[Declaration]:
    """The declarations of a document, in source order."""
    source = document.once(SourceText)
    roots: list[Declaration] = []
    for item in items:
        roots.extend(_declarations(source, item, None))
    for start in source.exported_objects():
        roots = _with_keys(roots, object_keys(source, start))
    if source.script:
        add_assigned(source, roots)
    add_typedefs(source, roots)
    return sorted(roots, key=lambda item: item.span)


def _with_keys(roots: list[Declaration], keys: list[Declaration]) -> list[Declaration]:
    """The keys take the place of what the server tells of them, and hold what it tells to be in them."""
    known = {key.position: key for key in flatten(keys)}
    for root in roots:
        for one in root.walk() if root.position in known else ():
            if one.position in known:
                key = known[one.position]
                inner = [child for child in one.children if child.position not in known]
                for child in inner:
                    child.parent, child.local = key, True
                key.children.extend(inner)
    return [*keys, *(root for root in roots if root.position not in known)]


def _declarations(source: SourceText, item: Item, parent: Declaration | None) -> Iterator[Declaration]:
    if item.name in _UNNAMED or item.name[0] == "<" or _is_callback(item) or _is_assigned(source, item):
        # What a callback declares is local to it.
        yield from _local(source, item.children, parent)
        return
    if item.name == "default" and _EXPRESSION.match(source.text, source.offset(item.spans[0].start)):
        for child in item.children:
            yield from _declarations(source, child, parent)
        return
    if parent is not None and _is_stand_in(item, parent):
        for child in item.children:
            yield from _declarations(source, child, parent)
        return
    found = [
        one
        for number, span in enumerate(item.spans)
        if not _STATEMENT.match(source.text, source.offset(span.start))
        and (one := _declaration(source, item, span, item.name_span if number == 0 else None, parent))
    ]
    # By place: the source is read once, in order.
    children = sorted(item.children, key=lambda child: child.spans[0])
    holders = [(holder, Span(body_start(source, holder), holder.span.end)) for holder in found if children]
    outside = [child for child in children if not _add(source, holders, child)]
    for child in outside:
        _restore(source, holders, child)
    for holder in found:
        _finish(source, holder)
        yield holder
    yield from _local(source, outside if found else (), parent)


def _is_callback(item: Item) -> bool:
    """Long names are cut off."""
    return item.name.endswith(" callback") or (item.kind == "Function" and len(item.name) > LONG and "(" in item.name)


def _local(source: SourceText, items: Iterable[Item], parent: Declaration | None) -> Iterator[Declaration]:
    for item in items:
        for inner in _declarations(source, item, parent):
            for declared in inner.walk():
                declared.local = True
            yield inner


def _add(source: SourceText, holders: Sequence[tuple[Declaration, Span]], item: Item) -> bool:
    """Put the item into those of the declarations whose bodies hold it. One server tells what two things of one name
    hold at the first of them, both tell what the arguments hold that a class extends."""
    held = False
    for holder, body in holders:
        part = [span for span in item.spans if body.encloses(span)]
        if part:
            held = True
            *_, innermost = _namespace_chain(holder)
            first_name = item.name_span if item.spans[0] in part else None
            here = item._replace(spans=part, name_span=first_name, children=_apart(item, part))
            innermost.children.extend(_declarations(source, here, innermost))
    return held


def _apart(item: Item, part: Collection[Span]) -> Sequence[Item]:
    """What is in some of its spans. Of `namespace A { namespace B {} }`, twice, what is in both is told at each."""
    if len(part) == len(item.spans):
        return item.children
    spans = sorted(item.spans)
    starts = [span.start for span in spans]

    def is_here(span: Span) -> bool:
        around = spans[max(0, bisect_right(starts, span.start) - 1)]
        return around in part or not around.encloses(span)

    return list(_kept(item.children, is_here))


def _kept(items: Iterable[Item], is_here: Callable[[Span], bool]) -> Iterator[Item]:
    for item in items:
        spans = list(filter(is_here, item.spans))
        if spans:
            name_span = item.name_span if item.spans[0] == spans[0] else None
            yield Item(item.name, item.kind, spans, name_span, list(_kept(item.children, is_here)))


def _restore(source: SourceText, holders: Sequence[tuple[Declaration, Span]], item: Item) -> None:
    """Of a field and what is assigned to it behind its class, by `A.prototype.a = …` or `A.a = …`, one server tells the
    latter."""
    for holder, body in holders if _is_assigned(source, item) else ():
        if holder.kind == "Class" and all(one.name != item.name for one in holder.children):
            for span in field_spans(source, body, item.name):
                field = Item(item.name, "Property", [span], None, ())
                holder.children.extend(_declarations(source, field, holder))


def _is_stand_in(item: Item, parent: Declaration) -> bool:
    """Whether the item is the constructor that one server puts between a variable and its value, when something is
    assigned to its members."""
    variable = parent.kind in ("Constant", "Variable")
    return variable and item.kind == "Constructor" and item.spans[0].start == parent.name_span.start


def _is_assigned(source: SourceText, item: Item) -> bool:
    """Whether an assignment made the item: `name = function …`, or one to a member. What those declare in scripts is
    read from the text. The item's span may begin at the function."""
    start = source.offset(item.spans[0].start)
    if source.script and item.kind == "Class" and _UNNAMED_CLASS.match(source.text, start):
        return True
    first = source.offset(item.name_span.start) if item.name_span else start
    taken = source.text[first - 1 : first] == "." and not source.text.endswith("...", 0, first)
    if taken or _ASSIGNMENT.match(source.text, start) or _ASSIGNMENT.match(source.text, first):
        return True
    return item.kind == "Function" and _REASSIGNED.match(source.text, first) is not None


def _namespace_chain(holder: Declaration) -> Iterator[Declaration]:
    """`namespace A.B` is two declarations, the second inside the first: its members belong to the last."""
    yield holder
    while len(holder.children) == 1 and holder.children[0].span == holder.span:
        holder = holder.children[0]
        yield holder


def _finish(source: SourceText, holder: Declaration) -> None:
    for one in _namespace_chain(holder):
        if one.kind == "TypeAlias" and not one.children:
            one.children = list(literal_members(source, one))
        if one.kind == "Class":
            known = {child.position for child in one.children}
            for span, name in called_names(source, Span(body_start(source, one), one.span.end)):
                if name.start not in known:
                    one.children.append(declare(source, "Method", source.cut(name), span, name, one))
        one.children.sort(key=lambda item: item.span)


def _declaration(
    source: SourceText, item: Item, span: Span, name_span: Span | None, parent: Declaration | None
) -> Declaration | None:
    start = source.offset(span.start)
    if source.in_imports(start) or _ALIAS.match(source.text, start):
        return None
    if source.text.startswith("...", start) and item.kind not in ("Constant", "Variable"):
        return None
    dotted = item.kind == "Namespace" and item.name[:1] not in ("'", '"')
    first_name, *further = item.name.split(".") if dotted else [item.name]
    if name_span is None or name_span.start == name_span.end or further:
        name_span = name_place(source, span, first_name)
    elif source.text[source.offset(name_span.start)] in "'\"[.0123456789":
        # One server tells `["a"]`, '"' and 0x10 as it would write them.
        first_name = source.cut(name_span)
    if name_span is None:
        return None
    if not dotted and source.text[source.offset(name_span.start)] in "'\"":
        # One server tells what the escapes in a name stand for.
        first_name = source.text[source.offset(name_span.start) : source.offset(name_span.end)]
        if first_name in ("''", '""'):
            return None
    declared = declare(source, item.kind, first_name, span, name_span, parent)
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
