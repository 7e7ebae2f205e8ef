"""Declarations: what an outline holds, how they nest, and which of them are one symbol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cn_daemon.domain.text import Position, Span

# Every kind of the wire. Adapters translate their server's names into these.
KINDS = (
    "Class",
    "Interface",
    "TypeAlias",
    "Enum",
    "EnumMember",
    "Function",
    "Variable",
    "Constant",
    "Method",
    "Constructor",
    "Property",
    "Accessor",
    "Namespace",
    "Module",
)
# Kinds that only a container can hold; anything else inside a member or a constant is local to its body.
MEMBERS = frozenset({"EnumMember", "Method", "Constructor", "Property", "Accessor"})
CONTAINERS = frozenset({"Class", "Interface", "TypeAlias", "Enum", "Namespace", "Module"})


@dataclass(eq=False, slots=True)
class Declaration:
    """One declaration. `name_span` is the name alone; `span` the whole, decorators and modifiers included.

    exported: declared with `export`. static: a static member. local: inside a function's body. apart: it stands outside
    its parent, which may itself be a stand-in that no outline lists (its type is declared in another file).
    """

    path: str
    name: str
    kind: str
    name_span: Span
    span: Span
    exported: bool = False
    static: bool = False
    local: bool = False
    apart: bool = False
    parent: Declaration | None = None
    children: list[Declaration] = field(default_factory=list)

    @property
    def position(self) -> Position:
        return self.name_span.start

    @property
    def containers(self) -> tuple[str, ...]:
        """The names around it, outermost first."""
        names: list[str] = []
        above = self.parent
        while above is not None:
            names.append(above.name)
            above = above.parent
        return tuple(reversed(names))

    @property
    def container(self) -> str | None:
        return ".".join(self.containers) or None

    def walk(self) -> Iterator[Declaration]:
        yield self
        for child in self.children:
            yield from child.walk()


def flatten(roots: Iterable[Declaration]) -> Iterator[Declaration]:
    """Depth first, in source order."""
    for root in roots:
        yield from root.walk()


def same_symbol(one: Declaration, other: Declaration) -> bool:
    """Whether two declarations of one file are one symbol: overloads, merged interfaces, a getter and its setter, a
    constant beside a type of its name. A member without a parent is of what has no name: `export default { a }`."""
    return (
        one.name == other.name
        and one.path == other.path
        and one.parent is other.parent
        and (one.parent is not None or (one.kind in MEMBERS) == (other.kind in MEMBERS))
        and one.static == other.static
        and one.local == other.local
    )


def enclosing(roots: Iterable[Declaration], place: Position) -> list[Declaration]:
    """The declarations around a place, outermost first."""
    found: list[Declaration] = []
    level = _level(roots)
    while level:
        inside = [declaration for declaration in level if declaration.span.holds(place)]
        if not inside:
            break
        innermost = min(inside, key=lambda item: (item.span.end.line - item.span.start.line, item.span.end))
        found.append(innermost)
        level = _level(innermost.children)
    return found


def _level(declarations: Iterable[Declaration]) -> list[Declaration]:
    """These, and the members of theirs that stand beside them."""
    level = list(declarations)
    return [*level, *(child for one in level for child in one.children if child.apart)]
