"""The answers about a whole workspace: what it holds, what changed in it, what the compiler complains about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cn_shared.errors import EXIT_ERRORS, EXIT_FOUND, EXIT_PARTIAL
from cn_shared.wire import Bounded, Completeness, LocationRef, Outcome


def _outcome(completeness: Completeness, found: object) -> Outcome:
    if completeness.status == "partial":
        return "partial"
    return "found" if found else "empty"


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder with what lies in it and below it. path: relative to the root, "." for the root itself."""

    path: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class FileRow:
    """A source file. path: relative to the root."""

    path: str
    lines: int


@dataclass(frozen=True, slots=True)
class PackageRow:
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class KeySymbol:
    """An exported symbol. files: how many files of the workspace import that name."""

    symbol: LocationRef
    files: int


@dataclass(frozen=True, slots=True)
class OverviewAnswer(Bounded):
    """files, lines: of source. folders: the two levels below `folder`, the largest first. projects: tsconfig files.

    symbols: the exported ones that most files import. direct: the files in `folder` itself, the largest first.
    omitted: folders, files and symbols left out by `limit`.
    """

    completeness: Completeness
    folder: str
    files: int
    lines: int
    packages: list[PackageRow]
    projects: list[str]
    folders: list[FolderRow]
    symbols: list[KeySymbol]
    direct: list[FileRow]
    omitted: int = 0

    def outcome(self) -> Outcome:
        return _outcome(self.completeness, self.files)


@dataclass(frozen=True, slots=True)
class ChangedSymbol:
    """A declaration that the changed lines touch. A removed one stands where it was, in the old text.

    total: its uses now, None when they were not looked up; for a removed one the files that still hold its name.
    users: declarations that use it, some.
    """

    change: Literal["added", "changed", "removed"]
    symbol: LocationRef
    total: int | None = None
    users: list[LocationRef] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """old_path: what a renamed file was called. lines: how many were added and removed."""

    file_path: str
    status: Literal["added", "modified", "deleted", "renamed"]
    added: int
    removed: int
    symbols: list[ChangedSymbol]
    old_path: str | None = None


@dataclass(frozen=True, slots=True)
class ChangedAnswer(Bounded):
    """since: the commit that the working tree is compared with, short."""

    completeness: Completeness
    since: str
    files: list[ChangedFile]

    def outcome(self) -> Outcome:
        return _outcome(self.completeness, self.files)

    def exit_code(self) -> int:
        """That nothing changed is an answer: 0."""
        return EXIT_PARTIAL if self.outcome() == "partial" else EXIT_FOUND


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem. code: the compiler's number, as `TS2322`."""

    id: str
    file_path: str
    line: int
    character: int
    severity: Literal["error", "warning"]
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class DiagnosticsAnswer(Bounded):
    """Errors first. total: before `limit`. files: how many were checked. next: continues a truncated answer."""

    completeness: Completeness
    total: int
    files: int
    diagnostics: list[Diagnostic]
    next: str | None = None

    def outcome(self) -> Outcome:
        return _outcome(self.completeness, self.total)

    def exit_code(self) -> int:
        """As compilers do: 1 with errors, 0 without, whatever is warned of."""
        if self.outcome() == "partial":
            return EXIT_PARTIAL
        return EXIT_ERRORS if any(one.severity == "error" for one in self.diagnostics) else EXIT_FOUND


@dataclass(frozen=True, slots=True)
class TextMatch:
    """The first match in a line. within: the declaration that holds the line, `Container.member`, if it is known."""

    line: int
    character: int
    preview: str
    within: str | None = None


@dataclass(frozen=True, slots=True)
class FileMatches:
    """total: how many lines of the file match."""

    file_path: str
    total: int
    matches: list[TextMatch]


@dataclass(frozen=True, slots=True)
class GrepAnswer(Bounded):
    """Sources before tests before other texts. total: the lines that match, before `limit`; of `completeness.files`
    files. next: continues a truncated answer. hint: how the pattern was read, when it was not as it stands.
    """

    completeness: Completeness
    total: int
    files: list[FileMatches]
    next: str | None = None
    hint: str | None = None

    def outcome(self) -> Outcome:
        return _outcome(self.completeness, self.total)
