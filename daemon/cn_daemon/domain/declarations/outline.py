"""Declarations: what an outline holds, how they nest, and which of them are one symbol."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from cn_daemon.domain.source.text import Position, Span

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

    exported: by its own name or as a default. reexport: it only names what is declared elsewhere. static: a static
    member. local: inside a function's body. is_outside: it stands outside its parent, which may itself be a stand-in
    that no outline lists (its type is declared in another file). statement: that which declares a variable, with others
    it may be. head_end: where the body or a long value begins; None where nothing tells. scope: of a local, a number
    for the block that it is known in, and of what an object type has, for that type; 0 where nothing tells.
    """

    path: str
    name: str
    kind: str
    name_span: Span
    span: Span
    exported: bool = False
    static: bool = False
    local: bool = False
    is_outside: bool = False
    reexport: bool = False
    statement: Span | None = None
    head_end: Position | None = None
    scope: int = 0
    parent: Declaration | None = None
    children: list[Declaration] = field(default_factory=list)

    @property
    def position(self) -> Position:
        return self.name_span.start

    @property
    def containers(self) -> tuple[str, ...]:
        """The names around it, outermost first."""
        return tuple(one.name for one in self.above())[::-1]

    def above(self) -> Iterator[Declaration]:
        """Those around it, the innermost first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    @property
    def container(self) -> str | None:
        return ".".join(self.containers) or None

    def walk(self) -> Iterator[Declaration]:
        ahead = [self]
        while ahead:
            one = ahead.pop()
            yield one
            ahead += one.children[::-1]


def flatten(roots: Iterable[Declaration]) -> Iterator[Declaration]:
    """Depth first, in source order."""
    for root in roots:
        yield from root.walk()


def holder(one: Declaration) -> tuple[Declaration | str | int | None, ...]:
    """What holds a declaration, alike for all declarations of one symbol: of `type A = { b: { c } } | { b: { c } }`
    both c are held by the b of A."""
    path: list[str] = []
    above = one.parent
    while above is not None and above.kind == "Property":
        path.append(above.name)
        above = above.parent
    return (above, *path) if above is not None and above.kind in ("Interface", "TypeAlias") else (one.parent, one.scope)


def same_symbol(one: Declaration, other: Declaration) -> bool:
    """Whether two declarations of one file are one symbol to who asks by name: overloads, merged interfaces, a getter
    and its setter, a constant beside a type of its name, what several literals in a type have. A member without a
    parent, and one that stands beside what a function declares, is of what has no name: `export default { a }`,
    `return { a }`. Two such properties are of two: `defineProps<{ a: string }>(); defineSlots<{ a(): void }>()`."""
    if one.local and one.kind == other.kind == "Constant":
        # No block declares two constants of one name.
        return False
    if one.parent is None and one.kind == other.kind == "Property":
        return False
    return (
        one.name == other.name
        and one.path == other.path
        and holder(one) == holder(other)
        and ((one.parent is not None and not one.local) or (one.kind in MEMBERS) == (other.kind in MEMBERS))
        and one.static == other.static
        and one.local == other.local
    )


def enclosing(roots: Iterable[Declaration], place: Position) -> list[Declaration]:
    """The declarations around a place, outermost first."""
    return Enclosing(roots).of(place)


class Enclosing:
    """The declarations around many places of one outline. A level is sorted once, and searched for each place."""

    def __init__(self, roots: Iterable[Declaration], *, local: bool = True) -> None:
        """local: with what is local to a body."""
        self._local = local
        self._top = self._level(roots)
        self._below: dict[Declaration, _Level] = {}

    def of(self, place: Position) -> list[Declaration]:
        """Outermost first."""
        found: list[Declaration] = []
        level = self._top
        while inside := level.holding(place):
            innermost = min(inside, key=lambda item: (item.span.end.line - item.span.start.line, item.span.end))
            found.append(innermost)
            if innermost not in self._below:
                self._below[innermost] = self._level(innermost.children)
            level = self._below[innermost]
        return found

    def _level(self, declarations: Iterable[Declaration]) -> _Level:
        """These, and the members of theirs that stand beside them."""
        level = [one for one in declarations if self._local or not one.local]
        return _Level([*level, *(child for one in level for child in one.children if child.is_outside)])


class _Level:
    def __init__(self, declarations: list[Declaration]) -> None:
        self._rows = sorted(declarations, key=lambda one: one.span.start)
        self._starts = [one.span.start for one in self._rows]
        # How far each and those before it reach.
        self._reach = list(accumulate((one.span.end for one in self._rows), max))

    def holding(self, place: Position) -> list[Declaration]:
        last = bisect_right(self._starts, place)
        first = bisect_left(self._reach, place, hi=last)
        return [one for one in self._rows[first:last] if one.span.holds(place)]
