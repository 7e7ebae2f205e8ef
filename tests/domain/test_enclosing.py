"""Which declarations are around a place: found by search, the same as by looking at each."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.declarations.outline import Declaration, enclosing
from cn_daemon.domain.source.text import Position, Span

PLACES = st.builds(Position, st.integers(1, 6), st.integers(1, 6))


def _declared(ends: tuple[Position, Position], children: list[Declaration]) -> Declaration:
    span = Span(min(ends), max(ends))
    return Declaration("a.ts", "a", "Function", Span(span.start, span.start), span, children=children)


DECLARED = st.recursive(
    st.builds(_declared, st.tuples(PLACES, PLACES), st.just([])),
    lambda inner: st.builds(_declared, st.tuples(PLACES, PLACES), st.lists(inner, max_size=4)),
    max_leaves=12,
)


def _by_looking(level: Iterable[Declaration], place: Position) -> list[Span]:
    inside = sorted((one for one in level if one.span.holds(place)), key=lambda one: one.span.start)
    if not inside:
        return []
    inner = min(inside, key=lambda one: (one.span.end.line - one.span.start.line, one.span.end))
    return [inner.span, *_by_looking(inner.children, place)]


@given(st.lists(DECLARED, max_size=8), PLACES)
def test_what_is_around_a_place(roots: list[Declaration], place: Position) -> None:
    assert [one.span for one in enclosing(roots, place)] == _by_looking(roots, place)
