"""A command, whichever library it comes from: one entity for search, answers and execution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ExecutionType = Literal["climpt", "prompt", "http", "mcp"]
Place = Literal["path", "query", "header", "cookie", "body", ""]


@dataclass(frozen=True, slots=True)
class Argument:
    """An input of a catalog command: positional, or a flag.

    kind: its JSON type. place: where an HTTP request carries it; "" leaves that to the method. style, explode: how
    OpenAPI writes a list or an object there; "" writes a query's list as repeated pairs, and all else as JSON.
    """

    name: str
    help: str = ""
    required: bool = False
    kind: str = "string"
    choices: tuple[str, ...] = ()
    default: str | None = None
    short: str = ""
    place: Place = ""
    style: str = ""
    explode: bool = False


@dataclass(frozen=True, slots=True)
class ClimptCall:
    """The C3L identity of a Climpt command, within its agent (specs/climpt-command-operations).

    options: edition, adaptation (lists), file, stdin, destination (booleans), as normalised from the registry.
    variables: the user variables (`uv`) it names.
    """

    agent: str
    c1: str
    c2: str
    c3: str
    usage: str | None = None
    options: Mapping[str, Any] | None = None
    variables: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.c1, self.c2, self.c3


@dataclass(frozen=True, slots=True)
class HttpCall:
    """What a catalog command sends. path: with `{name}` for path parameters. base_urls: the catalog's, the
    preferred first. headers: the catalog's own. body_type: the media type of a request body."""

    method: str
    path: str
    base_urls: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class McpCall:
    """A catalog command that is another MCP server's tool."""

    server: str
    tool: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """Whose commands they are; part of what fuzzy search reads (specs/command-search)."""

    title: str = ""
    description: str = ""
    vendor: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    canonical_id: `climpt:<agent>/<c1>/<c2>/<c3>`, `md:<name>`, or `<group> <name>` of a catalog.
    description: one line or paragraph, "" when the source has none. keywords: what the source itself names.
    path: the absolute file it was read from. origin: "workspace", "user" or "library"; a bare name means the
    nearest of these. last_modified: the file's, in seconds since the epoch. frontmatter: Markdown only. hidden: it only
    serves other commands: no search and no list has it, its name calls it. aliases: what else calls it.
    """

    canonical_id: str
    name: str
    source: str
    execution_type: ExecutionType
    description: str = ""
    keywords: tuple[str, ...] = ()
    path: str = ""
    origin: str = "library"
    last_modified: float = 0.0
    file_size: int = 0
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    positional_args: tuple[Argument, ...] = ()
    flags: tuple[Argument, ...] = ()
    output_schema: Mapping[str, Any] | None = None
    catalog: Catalog | None = None
    climpt: ClimptCall | None = None
    http: HttpCall | None = None
    mcp: McpCall | None = None
    hidden: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandText:
    """A command with what an index reads of it besides; the texts are dropped once indexed.

    headings: its section titles. body: the beginning of its text. folders: path segments of a nested library.
    """

    command: Command
    headings: str = ""
    body: str = ""
    folders: str = ""


ORIGINS = ("workspace", "user", "library")


def named(commands: list[Command], wanted: str) -> list[Command]:
    """The commands that `wanted` means: by canonical id, else by bare name, nearest origin only."""
    exact = [command for command in commands if command.canonical_id == wanted]
    if exact:
        return exact[:1]
    name = wanted.removesuffix(".md").lstrip("/")
    found = [command for command in commands if command.name == name]
    for origin in ORIGINS:
        near = [command for command in found if command.origin == origin]
        if near:
            return near
    return found
