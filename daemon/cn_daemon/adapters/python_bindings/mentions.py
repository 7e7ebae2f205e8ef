"""What is told of the occurrences of one name in a Python text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cn_daemon.domain.source.text import Position

# Where a scope begins, in bytes, and which kind it is of.
Scope = tuple[int, str]
MODULE: Scope = (0, "module")


class Chain(NamedTuple):
    """`a.b.c`: base is `a`, start where it stands."""

    base: str
    start: int
    attributes: tuple[str, ...] = ()


class Loaded(NamedTuple):
    """A module that is imported when the program runs, by its dotted name; "" where that is computed."""

    dotted: str
    attributes: tuple[str, ...] = ()


# What a value is read from; None for what leads to no module by names.
Value = Chain | Loaded | None


class Imported(NamedTuple):
    """level: the dots before `module`. name: what is taken of it, None for the module itself."""

    level: int
    module: str
    name: str | None = None


class Binding(NamedTuple):
    """How a scope binds the name. position: of the name there. imported: None for what is declared there; value: what
    it is given then."""

    position: Position
    imported: Imported | None = None
    value: Value = None
    given: bool = False


class Mention(NamedTuple):
    """One occurrence. owner: the scope that binds it, None where none does. imported: of a part of an import, or of a
    path in a string. receiver: of an attribute. renames: it stands behind `as`. quoted: it stands in a string.
    base: of an attribute (`name.x`). looked_up: what is called with it looks something up in it. model: a class of an
    application's models, as a field of Django's names what it leads to."""

    start: int
    position: Position
    role: Literal["name", "attribute", "import", "path"]
    owner: Scope | None = None
    imported: Imported | None = None
    receiver: Value = None
    binds: bool = False
    renames: bool = False
    quoted: bool = False
    base: bool = False
    looked_up: bool = False
    model: bool = False


class Analysis(NamedTuple):
    """Of one name in one text."""

    mentions: Sequence[Mention]
    bindings: dict[Scope, list[Binding]]

    def at(self, start: int) -> Mention | None:
        return next((one for one in self.mentions if one.start == start), None)


class Use(NamedTuple):
    """A mention whose owner is to be found in its scopes, the innermost first."""

    mention: Mention
    scopes: Sequence[Scope]
    # Where what it binds begins to be bound, in a class.
    bound_from: int = 0
    parameter: bool = False
