"""The answers about how symbols hang together: who uses, calls, implements and extends what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cn_shared.wire import Bounded, Completeness, LocationRef, Outcome

# How a mention uses its symbol. declare: a member of the same name that overrides or implements it.
Role = Literal["call", "use", "import", "declare"]


@dataclass(frozen=True, slots=True)
class Use:
    """One mention. within: the declaration that holds it (`Container.member`), absent at the top of a file and where
    the answer names it above.

    The id says its file and its character.
    """

    id: str
    line: int
    role: Role
    preview: str
    within: str | None = None


@dataclass(frozen=True, slots=True)
class FileUses:
    """The mentions in one file. total: how many the file has, before `limit`. test: True for a file of tests."""

    file_path: str
    total: int
    uses: list[Use]
    test: bool | None = None


@dataclass(frozen=True, slots=True)
class Related(Bounded):
    """What every answer of this module tells first. candidates: other symbols the query could mean, best first.
    more_candidates: how many further ones there are, and what lists them."""

    completeness: Completeness
    definition: LocationRef
    candidates: list[LocationRef]
    more_candidates: str | None = field(default=None, kw_only=True)

    def outcome(self) -> Outcome:
        if self.completeness.status == "partial":
            return "partial"
        return "found" if self._holds_something() else "empty"

    def _holds_something(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RefsAnswer(Related):
    """Production before tests. total: mentions in all files, before `limit`. next: continues a truncated answer."""

    total: int
    files: list[FileUses]
    next: str | None = None

    def _holds_something(self) -> bool:
        return bool(self.total)


@dataclass(frozen=True, slots=True)
class Caller:
    """A declaration (or a file's top level: kind Module) and where in it the symbol is called or handed on.

    uses: the first few. total: how many there are; refs lists them all.
    callers: its own callers, when a greater depth was asked for. repeated: True where they stand elsewhere in the tree.
    """

    symbol: LocationRef
    total: int
    uses: list[Use]
    callers: list[Caller] | None = None
    repeated: bool | None = None


@dataclass(frozen=True, slots=True)
class CallersAnswer(Related):
    """total: callers at the first level, before `limit`. other_uses: imports, types and declarations of that name,
    which call nothing."""

    total: int
    callers: list[Caller]
    other_uses: int
    next: str | None = None

    def _holds_something(self) -> bool:
        return bool(self.total)


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called, and where. Its `uses` stand in the symbol that was asked about."""

    symbol: LocationRef
    uses: list[Use]


@dataclass(frozen=True, slots=True)
class CalleesAnswer(Related):
    """The workspace's own first, then what packages and the language bring (`external`).

    total: before `limit`. unresolved: calls whose target the compiler does not know (`any`), by name.
    """

    total: int
    callees: list[Callee]
    unresolved: list[str] | None = None
    next: str | None = None

    def _holds_something(self) -> bool:
        return bool(self.callees or self.unresolved)


@dataclass(frozen=True, slots=True)
class ImplsAnswer(Related):
    """implementations: classes, members and object literals, production before tests."""

    implementations: list[LocationRef]

    def _holds_something(self) -> bool:
        return bool(self.implementations)


@dataclass(frozen=True, slots=True)
class Relative:
    """A type above or below. relation: the word that connects it. further: its own relatives in the same direction.

    repeated: True where they stand elsewhere in the tree.
    """

    symbol: LocationRef
    relation: Literal["extends", "implements"]
    further: list[Relative] = field(default_factory=list)
    repeated: bool | None = None


@dataclass(frozen=True, slots=True)
class TypesAnswer(Related):
    supertypes: list[Relative]
    subtypes: list[Relative]

    def _holds_something(self) -> bool:
        return bool(self.supertypes or self.subtypes)


@dataclass(frozen=True, slots=True)
class HoverAnswer(Related):
    """signature: as the language server words it, inferred types included. documentation: plain text."""

    signature: str
    documentation: str | None = None
