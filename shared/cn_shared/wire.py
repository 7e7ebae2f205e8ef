"""The answers on the wire: `specs/lsp-bridge` §3, and additions.

Fields are snake_case here and camelCase in JSON (`document`). A field that is None is left out, unless it is
declared `NULLABLE`. Lines and characters are 1-based; characters count UTF-16 code units, as editors do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any, Literal

from cn_shared.errors import OUTCOME_EXITS

Outcome = Literal["found", "empty", "partial"]


# Metadata of a field whose None is written as null.
NULLABLE = {"nullable": True}


# Not frozen like the others: an answer may hold ten thousand, and freezing makes each take three times as long.
@dataclass(slots=True)
class LocationRef:
    """A place, without its code. `id` is `ref::<path>::<line>::<character>`; `preview` ≤ 100 characters, trimmed.

    container: the enclosing declaration's name, when the place is a declaration.
    external: True for a file outside the workspace that the language server named (a library's).
    """

    id: str
    file_path: str
    line: int
    character: int
    kind: str
    preview: str
    name: str | None = None
    container: str | None = None
    external: bool | None = None

    def document(self) -> dict[str, Any]:
        """What `document` makes of any dataclass, in a sixth of the time."""
        fields: dict[str, Any] = {
            "id": self.id,
            "filePath": self.file_path,
            "line": self.line,
            "character": self.character,
            "kind": self.kind,
            "preview": self.preview,
        }
        if self.name is not None:
            fields["name"] = self.name
        if self.container is not None:
            fields["container"] = self.container
        if self.external is not None:
            fields["external"] = self.external
        return fields


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """One row of an outline. `line` is that of the name, `end_line` the last of the whole where that is another.

    There are hundreds in an answer: what the id says is not said again, but for the line.
    """

    name: str
    kind: str
    line: int
    id: str
    end_line: int | None = None
    container: str | None = None


@dataclass(frozen=True, slots=True)
class FileCount:
    file_path: str
    total: int


@dataclass(slots=True)
class UndecidedPlace(LocationRef):
    """also: the other lines of its file at which the same value, by its text, has the name."""

    also: list[int] | None = None

    def document(self) -> dict[str, Any]:
        fields = LocationRef.document(self)
        return fields if self.also is None else {**fields, "also": self.also}


@dataclass(frozen=True, slots=True)
class Undecided:
    """Places that hold the name, and of which it is not known whether they use the symbol: types do not tell, time ran
    out, or their files could not be loaded.

    total: how many were found. places: the first of them, each value of a file once. unread: how many files hold the
    name and were not read. receivers: how many values have the name at these places, where these are fewer.
    """

    total: int
    places: list[UndecidedPlace]
    unread: int = 0
    receivers: int | None = None


@dataclass(frozen=True, slots=True)
class Completeness:
    """Whether an answer is whole. `reason` tells what is missing when it is partial.

    projects_loaded, projects_total: the projects (tsconfig files) that could hold the name, and those searched.
    files: how many files of the workspace hold the name as a word.
    undecided: what is left to be looked at, where the language server could not tell.
    note: why it took longer than it should: programs were loaded for what names would have told.
    """

    status: Literal["complete", "partial"]
    projects_loaded: int
    projects_total: int
    files: int
    reason: str | None = None
    undecided: Undecided | None = None
    note: str | None = None

    def doubted(self, reason: str) -> Completeness:
        """The same, partial when there is a further reason for it."""
        return replace(self, status="partial", reason=self.reason or reason) if reason else self


@dataclass(frozen=True, slots=True)
class Bounded:
    """An answer that a budget may cut. left_out: what is missing then, and how long the whole would be."""

    left_out: str | None = field(default=None, kw_only=True)

    def outcome(self) -> Outcome:
        raise NotImplementedError

    def exit_code(self) -> int:
        """What `cn` exits with."""
        return OUTCOME_EXITS[self.outcome()]


@dataclass(frozen=True, slots=True)
class MapAnswer(Bounded):
    """total, next: how many symbols the file has, and the cursor of the rest, where this is not all of them."""

    file_path: str
    symbols: list[SymbolRow]
    total: int | None = None
    next: str | None = None

    def outcome(self) -> Outcome:
        return "found" if self.symbols else "empty"


@dataclass(frozen=True, slots=True)
class Engine:
    """Who was asked for an answer: bindings, types, names (of Python), or a language server by its name.

    requests, ms: how often, and how long it was waited for. uses, doubts: what it told of the symbol, where it was
    asked for that.
    """

    name: str
    requests: int
    ms: int
    uses: int | None = None
    doubts: int | None = None


@dataclass(frozen=True, slots=True)
class FindAnswer(Bounded):
    """`references` is None (absent) when only the definition was asked for, and when a pattern was.

    matches: the symbols that fit a pattern of names, where one was asked for; `next` then continues them.

    declarations: the further declarations of the same symbol (overloads, merged interfaces), when there are any.
    candidates: other symbols that the query could mean, best first. more_candidates: how many further ones there are,
    and what lists them.
    total: how many references there are, before `limit`. next: the cursor that continues a truncated list.
    hint: why nothing was found, or what to type next. suggestions: near names.
    explained: who was asked, where that was wanted.
    """

    completeness: Completeness
    total: int
    candidates: list[LocationRef]
    definition: LocationRef | None = field(default=None, metadata=NULLABLE)
    declarations: list[LocationRef] | None = None
    references: list[LocationRef] | None = None
    next: str | None = None
    hint: str | None = None
    suggestions: list[str] | None = None
    more_candidates: str | None = None
    matches: list[LocationRef] | None = None
    explained: list[Engine] | None = None

    def outcome(self) -> Outcome:
        if self.completeness.status == "partial":
            return "partial"
        return "found" if self.definition or self.references or self.matches else "empty"


@dataclass(frozen=True, slots=True)
class LineRange:
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class CodeContext:
    """A piece of code. `related_symbols`: the identifiers in it, in order, each once."""

    file_path: str
    range: LineRange
    code: str
    related_symbols: list[str]
    id: str | None = None
    name: str | None = None
    kind: str | None = None
    signature: str | None = None
    documentation: str | None = None
    external: bool | None = None


@dataclass(frozen=True, slots=True)
class InspectAnswer(Bounded):
    """The further parts are there when they were asked for, the first few of each.

    callers: the declarations that call it or hand it on, those with most calls first. tests: the files of tests that
    mention it, and how often. completeness: of these parts. candidates, more_candidates: as of `FindAnswer`, when a
    name was asked for that others have too.
    """

    result: CodeContext
    completeness: Completeness | None = None
    members: list[SymbolRow] | None = None
    callers: list[LocationRef] | None = None
    implementations: list[LocationRef] | None = None
    tests: list[FileCount] | None = None
    candidates: list[LocationRef] | None = None
    more_candidates: str | None = None

    def outcome(self) -> Outcome:
        return "partial" if self.completeness and self.completeness.status == "partial" else "found"


@dataclass(frozen=True, slots=True)
class LanguageServerStatus:
    """state: stopped (not needed yet), starting, loading, ready, restarting or failed. memory_bytes: of its tree."""

    name: str
    state: Literal["stopped", "starting", "loading", "ready", "restarting", "failed"]
    version: str | None = None
    typescript: str | None = None
    pid: int | None = None
    memory_bytes: int | None = None
    restarts: int = 0
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """items: how many commands or reports are known. detail: progress, or why they may be old."""

    name: str
    state: Literal["indexing", "ready"]
    items: int
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class StatusAnswer(Bounded):
    """memory_bytes: resident set of the daemon and every process below it. libraries: those that hold something.
    sandbox: "on", or "off" and why."""

    root: str
    pid: int
    port: int
    version: str
    uptime_s: float
    memory_bytes: int
    log: str
    state_file: str
    language_servers: list[LanguageServerStatus]
    libraries: list[LibraryStatus] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sandbox: str | None = None

    def outcome(self) -> Outcome:
        return "found"


_PLAIN = frozenset((str, int, float, bool))


def key(name: str) -> str:
    """A field's key in JSON: `file_path` is `filePath`."""
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)


@cache
def _plan(kind: type[Any]) -> tuple[Callable[[Any], tuple[Any, ...]], list[tuple[str, bool]]] | None:
    """How to take the fields of a dataclass out, and each one's key and whether its None is written; else None."""
    if not is_dataclass(kind):
        return None
    rows, names = [], []
    for item in fields(kind):
        rows.append((key(item.name), "nullable" in item.metadata))
        names.append(item.name)
    # Asked for one name it would give no tuple.
    take = attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
    return take, rows


def document(value: Any) -> Any:
    """The JSON document of an answer: plain dicts and lists with camelCase keys."""
    if isinstance(value, list):
        return [document(item) for item in value]
    if isinstance(value, LocationRef):
        return value.document()
    plan = _plan(value.__class__)
    if plan is None:
        return value
    take, rows = plan
    answer: dict[str, Any] = {}
    for (key, keep_none), item in zip(rows, take(value), strict=True):
        if item is None:
            if keep_none:
                answer[key] = None
        else:
            answer[key] = item if item.__class__ in _PLAIN else document(item)
    return answer
