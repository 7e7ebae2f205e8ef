"""The ports between the use cases and the adapters; those of commands and reports are in `library_ports`."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from cn_daemon.application.hard_texts import HardTexts
from cn_daemon.domain.declarations.blocks import Around
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.patches import Patch
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.wire import Completeness, LanguageServerStatus, Outcome


class Workspace(Protocol):
    """The files the daemon may read. Every path it hands out is absolute and real (symlinks resolved)."""

    root: Path
    # Which of the texts are read no more.
    hard: HardTexts

    def resolve(self, path: str, cwd: Path | None) -> Path:
        """The readable file that a user's `path` names: relative to `cwd` first, then to the root, or absolute.

        Raises NotFoundError (`file_not_found`, with near names in the hint and as `near`), InputError
        (`not_a_file`, `bad_path`), ForbiddenError (`outside_root`).
        """
        ...

    def kind(self, path: str, cwd: Path | None) -> Literal["file", "folder", ""]:
        """What a user's `path` names in the workspace, as `resolve` reads it."""
        ...

    def relative(self, path: Path) -> str:
        """`path` as answers spell it: relative to the root with `/`, or absolute when it lies outside."""
        ...

    def read_text(self, path: Path, *, leniently: bool = False) -> str:
        """The file's text, UTF-8 or, by its byte order mark, UTF-16 (the mark is dropped), line ends as they are.
        leniently: bytes that are no UTF-8 are replaced, as compilers do it.

        Raises NotFoundError (`file_not_found`), ForbiddenError (`outside_root`, `unreadable`), InputError
        (`binary_file`, `invalid_utf8` with the line, `too_large`, `hard_text`, `ending_text`).
        """
        ...

    def allow(self, path: Path) -> str:
        """Make one more file readable, an external one that a language server named, unless only the repository would
        have it shown. Why it may not be, for the end of a sentence; nothing when it may."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """What every verb gets beside its parameters.

    cwd: the caller's current folder, when it is known. deadline: on the monotonic clock, in seconds.
    """

    cwd: Path | None
    deadline: float


class Answer(Protocol):
    """A dataclass of `cn_shared.wire`."""

    def outcome(self) -> Outcome: ...

    def exit_code(self) -> int: ...


# One verb's use case. It takes a Call, then its parameters by their wire name in snake_case.
Handler = Callable[..., Awaitable[Answer]]


class Changes(NamedTuple):
    """Files that differ from what the asker last knew. Absolute paths. One that was deleted and created again meanwhile
    is both created and changed."""

    created: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()


# The flaw of a tsconfig that is no JSON with comments.
NO_JSON = "is not valid JSON"


class Packages(NamedTuple):
    """The packages of the workspace. folders: by name. targets: the paths that specifiers may stand for (`dist/*.js`),
    by package.json and tsconfig. flaws: why some of what a tsconfig says is not known. extended: the tsconfigs that
    extend a file, by its path.
    """

    folders: dict[str, str]
    targets: frozenset[str] = frozenset()
    flaws: Mapping[str, str] = MappingProxyType({})
    extended: Mapping[str, Collection[str]] = MappingProxyType({})

    def flaw(self, config: str) -> str:
        """Why some of what a tsconfig says is not known, or nothing."""
        return self.flaws.get(config, "")

    def broken(self, config: str) -> bool:
        """Whether a tsconfig, or one that it extends, is no valid JSON."""
        return self.flaw(config) == NO_JSON


class Words(Protocol):
    """Which files of the workspace hold which word, as of the last `refresh`."""

    async def refresh(self) -> None:
        """The barrier before an answer: every write that ended before this call is known when it returns."""
        ...

    def files_with(self, word: str) -> list[str]:
        """The absolute paths of the files that hold `word` as a whole word, sorted. Of a name with other signs in it
        (`a-b`) those that hold each of its words, of one without words (`1.5`, `+`) those that may spell a member so.
        What is minified counts for none."""
        ...

    def minified(self, word: str) -> list[str]:
        """The paths of the minified scripts that hold `word`, sorted."""
        ...

    def stamp(self, path: str) -> object | None:
        """What differs between two states of a file, as of the last `refresh`; None for a file that is not known."""
        ...

    def holds(self, path: str) -> bool:
        """Whether a file is one of the workspace's sources: not ignored, not outside."""
        ...

    def copy(self, path: str) -> str:
        """The other working tree of the workspace's repository that a path lies in, or nothing."""
        ...

    def similar(self, word: str) -> list[str]:
        """Words of the workspace that are near to `word`, nearest first."""
        ...

    def all(self) -> list[str]:
        """Every word that some file holds, or held."""
        ...

    def files(self) -> list[str]:
        """The absolute paths of all sources, sorted."""
        ...

    def projects(self) -> list[str]:
        """The configuration files of projects (tsconfig), sorted."""
        ...

    def packages(self) -> Packages:
        """The packages of the workspace, by the package.json files in it."""
        ...

    def roots(self) -> Sequence[str]:
        """The folders from which Python's absolute imports are read, the first one first; none without Python."""
        ...

    def changes_since(self, reader: str) -> Changes:
        """What changed since the same reader last asked. Its first question gets nothing."""
        ...


class Site(NamedTuple):
    """A position in a file. `path` is absolute."""

    path: str
    position: Position


class Hit(NamedTuple):
    """A place that a server named. definition: it declares the symbol that was asked about."""

    path: str
    span: Span
    definition: bool = False


def site_of(hit: Hit) -> Site:
    return Site(hit.path, hit.span.start)


class Doubt(NamedTuple):
    """A place at which names do not decide, and why."""

    hit: Hit
    reason: str


class NamedSymbol(NamedTuple):
    """A symbol, as names tell it. decided: whether names decide what it is; of members, locals and what lies outside of
    the workspace they do not. Its uses are complete without doubts. module: of what lies outside, its specifier."""

    decided: bool
    definitions: Sequence[Hit]
    uses: Sequence[Hit]
    doubts: Sequence[Doubt]
    module: str = ""


class Imported(NamedTuple):
    """What is declared at a place, and how many files import it."""

    name: str
    site: Site
    files: int


class Names(Protocol):
    """What names decide in the workspace's scripts, without their types, as of the words' last refresh.

    `deadline` is on the event loop's clock, in seconds. Every method raises LanguageServerError.
    """

    async def symbols_at(self, site: Site, deadline: float) -> Sequence[NamedSymbol]:
        """What a place names, each with its first definition alone."""
        ...

    async def uses(self, site: Site, deadline: float) -> Sequence[NamedSymbol]:
        """What a place names, with all uses. The place is itself in each answer, or it is among the doubts."""
        ...

    async def module(self, path: str, deadline: float) -> Sequence[NamedSymbol]:
        """The module that a file is, with each specifier that leads to it, and each name that it has as a whole."""
        ...

    async def library(self, package: str, name: str, deadline: float) -> Sequence[NamedSymbol]:
        """What the workspace's files mean by a name that a package exports, or that libraries declare for all files
        (""): one for each module of the package that it is imported from, without definitions."""
        ...

    async def exported(self, sites: Sequence[Site], deadline: float) -> Sequence[NamedSymbol]:
        """What files export that is the member which one of some places in them names, `export default a.b`, with all
        uses by other files."""
        ...

    async def naming(self, name: str, deadline: float) -> Sequence[tuple[Site, str]]:
        """A place of each thing that files mean by a name, the likeliest first, with the module that it is of where
        nothing is installed for that; nothing where names do not tell it."""
        ...

    async def importing(self, sites: Sequence[Site], name: str, deadline: float) -> Importing:
        """Who imports what stands at each place, and what goes by a name alone ("": none is asked for); neither
        where names do not tell it."""
        ...

    async def describing(self, site: Site, others: Sequence[Site], deadline: float) -> Sequence[bool]:
        """Of declarations whether each of some scripts' of their package may be what they describe; of a script's the
        same of declarations. Nothing where names do not tell it."""
        ...

    async def most_imported(
        self, paths: Collection[str], limit: int, deadline: float
    ) -> tuple[Sequence[Imported], int]:
        """Of what some files export by a name, that which most files import (0 is all), the first most of all; and how
        many names may be of further ones."""
        ...


class Importing(NamedTuple):
    """at: of each place by how many files what stands there is imported (of a member, what holds it), and the folder of
    the package whose scripts the place's file describes, or of which it is one ("": of none). called: what modules
    export without a name, and files import by the one that was asked for, with how many do."""

    at: Sequence[tuple[int, str]] = ()
    called: Sequence[tuple[Hit, int]] = ()


class Definition(NamedTuple):
    """Where something is declared, and its kind, one of `KINDS` ("" where that is not known)."""

    hit: Hit
    kind: str


Relation = Literal["extends", "implements"]


class Step(NamedTuple):
    """One step of inheritance, from the name of who inherits to that of what it inherits from; a class without a name
    stands at its keyword, without a length. renamed: the child is an alias, and no other type. kind: of the child."""

    child: Hit
    parent: Hit
    relation: Relation
    renamed: bool
    kind: Literal["Class", "Interface", "TypeAlias"]


class Heritage(NamedTuple):
    """What stands around a type. goals: where it is declared. below: the steps from what inherits from it up to it;
    above: from it up. doubts: clauses that may name it, and files that were not read, without a span."""

    goals: Sequence[Site]
    below: Sequence[Step]
    above: Sequence[Step]
    doubts: Sequence[Doubt]


# One of these makes a class of Angular that has a template, or that elements of one may be given to.
DECORATORS = ("Component", "Directive")


class TemplateFiles(NamedTuple):
    """scripts: those that may have a template, or be an element of one. holding: the scripts and pages that hold a
    name. owning: the scripts that may name one of these pages."""

    scripts: Collection[str]
    holding: Collection[str]
    owning: Collection[str]


class Types(Protocol):
    """What types decide in the workspace's scripts, as of the words' last refresh. `deadline` is on the event loop's
    clock, in seconds."""

    async def members(self, name: str, declared: Sequence[Site], deadline: float) -> NamedSymbol:
        """Every use of the member of that name which is declared at some places, in any file. Its definitions are
        further declarations of it; a doubt without a span is a file that was not read. Raises LanguageServerError."""
        ...

    async def names(self, name: str, declared: Sequence[Site], deadline: float) -> NamedSymbol:
        """Every use of what some places declare that is no member of a type: as names tell it, and what they doubt as
        types do. Its definitions are further declarations of it, or all. Raises LanguageServerError."""
        ...

    async def templates(
        self, name: str, declared: Sequence[Site], among: TemplateFiles, deadline: float
    ) -> NamedSymbol:
        """The uses of a member in templates of Angular. Raises LanguageServerError."""
        ...

    async def embedded(self, name: str, deadline: float) -> Sequence[Hit]:
        """Where pages, MDX and scripts without an ending may take a member of that name, each line once. Raises
        LanguageServerError."""
        ...

    async def constructions(self, declared: Sequence[Site], holder: Site, deadline: float) -> NamedSymbol:
        """Every use of the constructors that are declared at some places, of the class that is declared at another.
        Raises LanguageServerError."""
        ...

    async def definitions(self, sites: Sequence[Site], deadline: float, member: str = "") -> list[list[Definition]]:
        """What declares that which stands at each place, or the member of it, its own or a base's. Raises
        LanguageServerError."""
        ...

    async def heritage(
        self, name: str, declared: Sequence[Site], mentioned: Collection[str], deadline: float
    ) -> Heritage:
        """What inherits from the type of that name which is declared at some places, or named at one, and what it
        inherits from. mentioned: the files that name it, or another name of it. Raises LanguageServerError."""
        ...

    async def objects(
        self, name: str, declared: Sequence[Site], member: str | None, mentioned: Collection[str], deadline: float
    ) -> tuple[Sequence[Hit], Sequence[Doubt]]:
        """The objects and functions that are said to be of a type, as of `heritage`, or the keys that are its member.
        Raises LanguageServerError."""
        ...


class Coverage(NamedTuple):
    """Which of the wanted files a server now sees. reason: why `missing` is not empty."""

    projects_loaded: int = 0
    projects_total: int = 0
    missing: Sequence[str] = ()
    reason: str = ""

    def verdict(self, files: int, reason: str = "") -> Completeness:
        """Whether an answer about so many files is complete, and what is missing when it is not."""
        reason = reason or self.reason
        status: Literal["complete", "partial"] = "partial" if reason or self.missing else "complete"
        return Completeness(status, self.projects_loaded, self.projects_total, files, reason or None)


class Description(NamedTuple):
    """What a server says of the symbol at a place; kind is one of `KINDS`."""

    kind: str
    signature: str
    documentation: str


class Finding(NamedTuple):
    """What a compiler complains about. code: as it spells it (`TS2322`)."""

    span: Span
    severity: Literal["error", "warning"]
    code: str
    message: str


class Usage(NamedTuple):
    """What a mention does with what it names. is_part: only its type is used, or a member of it."""

    role: Literal["import", "call", "use"]
    is_part: bool = False


class Calls(NamedTuple):
    """What a part of a text calls. names: where it is named. unnamed: what has no name that tells it (`table[key]`).
    aliases: of variables that are other names of something (`const a = b.c`), where that is
    named, by their own place."""

    names: Sequence[Span]
    unnamed: Sequence[str] = ()
    aliases: Mapping[Position, Position] = {}


class TellsForm(Protocol):
    """What is known of texts by their form alone. `deadline` is on the event loop's clock, in seconds. Every method
    raises LanguageServerError or DeadlineError."""

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        """The declarations of each document, by path. By form alone: it never waits for a project.

        name: only the declarations of that name (a private one's `#` aside) are needed, with what holds them.
        """
        ...

    async def declaring(
        self, names: Mapping[str, Sequence[str]], read: Callable[[str], Document | None], deadline: float
    ) -> dict[str, list[str]]:
        """Of the files that hold each name (a private one's `#` aside) those that may declare it: by form alone, and
        it errs towards yes. read: gives the text of a file."""
        ...

    async def around(self, document: Document, place: Position, deadline: float) -> Around:
        """The syntax around a place, by form alone."""
        ...

    async def identifiers(self, document: Document, span: Span, deadline: float) -> list[Span]:
        """Where identifiers stand in a part of a text, or touch it, in order: none of comments and strings."""
        ...

    async def usages(self, mentions: Sequence[tuple[Document, Sequence[Span]]], deadline: float) -> list[list[Usage]]:
        """What each mention of each text does, by form alone."""
        ...

    async def calls(self, document: Document, span: Span, deadline: float) -> Calls: ...


class TellsMeaning(Protocol):
    """What a language server tells of the files that it has loaded. Every method starts it when needed, and raises as
    of `TellsForm`. endings: of the files it answers for, with their dot."""

    name: str
    endings: frozenset[str]

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        """Have it see these files as they are on disk, each with what belongs to it: before it is asked about them."""
        ...

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        """The uses that it knows of the symbols declared at `sites`; declarations may be among them."""
        ...

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        """Where the symbol at each of `sites` is declared; aliases are followed."""
        ...

    async def describe(self, site: Site, deadline: float) -> Description | None: ...

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        """What the compiler complains about in files that were loaded."""
        ...

    def status(self) -> LanguageServerStatus: ...

    async def warm(self) -> None:
        """Start before the first question; a failure waits for it."""
        ...

    async def close(self) -> None: ...


class LanguageServer(TellsForm, TellsMeaning, Protocol):
    """One language server, with who tells the form of its texts."""


@runtime_checkable
class TellsImplementations(Protocol):
    """A language server that tells what implements."""

    async def implementations(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        """What, in all loaded projects, implements or overrides the symbols declared at `sites`."""
        ...


@runtime_checkable
class TellsOverlays(Protocol):
    """A language server that tells what a text would mean if its file held it, of which no other question learns.
    Places of this text have no path: the file itself may be led to as well."""

    async def overlay_definitions(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        """Where the symbol at a place would be declared; nothing where the server cannot tell."""
        ...

    async def overlay_types(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        """Where the types are declared of what a name at a place would be; as of `overlay_definitions`."""
        ...


def reads(server: LanguageServer, path: str) -> bool:
    """Whether a file is of the server's languages."""
    return os.path.splitext(path)[1] in server.endings


class LanguageServers(Protocol):
    """The table of language servers of one workspace."""

    def server_for(self, path: str, wanted: str = "auto") -> LanguageServer | None:
        """The server that answers for files of that ending; wanted: "auto", or a row of the table by name (of those for
        TypeScript)."""
        ...

    def supported(self) -> list[str]:
        """The endings that some server answers for, with their dot."""
        ...

    def names(self, server: LanguageServer) -> Names | None:
        """What answers in a server's stead as far as names decide; None where nothing does."""
        ...

    def types(self, server: LanguageServer) -> Types | None:
        """What answers in a server's stead for members; None where nothing does."""
        ...

    def heritage(self, server: LanguageServer) -> Types | None:
        """What tells what inherits in the files of a server; None where their form does."""
        ...


class History(Protocol):
    """What the version control of the workspace knows. Paths are relative to the root, with `/`."""

    async def changes(self, rev: str, deadline: float) -> tuple[str, Sequence[Patch], Sequence[str]]:
        """The commit where the working tree and `rev` parted, short, the files that differ from it, and why there may
        be more; files that are not tracked are added ones. deadline: on the monotonic clock, in seconds.

        Raises NotFoundError (`no_repository`, `unknown_revision`), InputError (`bad_revision`, `git_missing`,
        `git_refused`, `git_failed`), DeadlineError.
        """
        ...

    async def texts(self, blobs: Sequence[str], deadline: float) -> dict[str, str]:
        """The texts by their id, as patches tell it; what is not there is left out."""
        ...
