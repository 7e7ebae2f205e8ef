"""Catalog manifests: `{vendor, commands: [{group, name, summary, positional_args, flags, execution}]}` as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cn_daemon.adapters.command_sources.rows import sound
from cn_daemon.domain.libraries.commands import Argument, Catalog, Command, CommandText, HttpCall, McpCall


class Unfit(Exception):  # noqa: N818  (it ends in a sentence, not in a traceback)
    """What is wrong with a document; for the end of a sentence."""


class Entry(NamedTuple):
    """What a list of catalogs says of one: it wins over what the document says of itself."""

    title: str = ""
    description: str = ""
    base_urls: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()


class Origin(NamedTuple):
    """The file that commands come from; modified: in seconds since the epoch."""

    path: str
    modified: float = 0.0
    size: int = 0


def manifest_commands(document: Mapping[str, Any], entry: Entry, origin: Origin) -> tuple[list[CommandText], str]:
    """The commands of a manifest, in its order, and a sentence on the rows that are none. Raises Unfit."""
    rows = document.get("commands")
    if not isinstance(rows, list):
        raise Unfit("It has no list commands")
    catalog = Catalog(entry.title, entry.description, text(document.get("vendor")))
    found, faults = sound(rows, _fault)
    return [_command(row, catalog, entry, origin) for row in found], faults


def _fault(row: Any) -> str:
    """Why a row is no command; "" for one that is."""
    if not isinstance(row, dict):
        return "is not an object"
    return "" if text(row.get("name")) else "has no name"


def _command(row: Mapping[str, Any], catalog: Catalog, entry: Entry, origin: Origin) -> CommandText:
    execution = row.get("execution") if isinstance(row.get("execution"), dict) else {}
    assert isinstance(execution, dict)
    kinds = {key.lower(): value for key, value in execution.items() if isinstance(value, dict)}
    http, mcp = kinds.get("http"), kinds.get("mcp")
    described: Mapping[str, Any] = http or mcp or {}
    schema = described.get("output_schema")
    return finished(
        group=text(row.get("group")),
        name=text(row.get("name")),
        summary=text(row.get("summary")),
        positional=tuple(_argument(one, True) for one in listed(row.get("positional_args"))),
        flags=tuple(_argument(one, False) for one in listed(row.get("flags"))),
        schema=schema if isinstance(schema, dict) else None,
        catalog=catalog,
        http=_http(http, entry) if http is not None or mcp is None else None,
        mcp=McpCall(first(mcp, "server", "plugin_name", "plugin"), first(mcp, "tool", "tool_name")) if mcp else None,
        origin=origin,
    )


def finished(
    *,
    group: str,
    name: str,
    summary: str,
    positional: tuple[Argument, ...],
    flags: tuple[Argument, ...],
    schema: Mapping[str, Any] | None,
    catalog: Catalog,
    http: HttpCall | None,
    mcp: McpCall | None,
    origin: Origin,
    body: str = "",
    aliases: tuple[str, ...] = (),
) -> CommandText:
    """A catalog's command, `<group> <name>`, with what an index reads of it."""
    inputs = " ".join(f"{one.name} {one.help}" for one in (*positional, *flags))
    command = Command(
        canonical_id=f"{group} {name}".strip(),
        name=name,
        source="catalog",
        execution_type="mcp" if mcp is not None else "http",
        description=summary,
        path=origin.path,
        last_modified=origin.modified,
        file_size=origin.size,
        positional_args=positional,
        flags=flags,
        output_schema=schema,
        catalog=catalog,
        http=http,
        mcp=mcp,
        aliases=aliases,
    )
    return CommandText(command, body=f"{inputs} {body}", folders=f"{group} {catalog.vendor}")


def _http(row: Mapping[str, Any] | None, entry: Entry) -> HttpCall:
    row = row or {}
    base = row.get("base_url")
    urls = (base, *entry.base_urls) if isinstance(base, str) and base else entry.base_urls
    return HttpCall(text(row.get("method")).upper() or "GET", text(row.get("path")) or "/", urls, entry.headers)


def _argument(row: Mapping[str, Any], positional: bool) -> Argument:
    default = row.get("default_value")
    return Argument(
        name=text(row.get("name")),
        help=text(row.get("help") or row.get("description")),
        required=positional or row.get("required") is True,
        kind=text(row.get("type")) or "string",
        choices=tuple(str(choice) for choice in elements(row.get("enum_values"))),
        default=None if default is None else str(default),
        short=text(row.get("short_name")),
        place="path" if positional else "",
    )


def elements(value: Any) -> list[Any]:
    """The list itself, [] for anything else."""
    return value if isinstance(value, list) else []


def listed(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list, [] for anything else."""
    return [item for item in elements(value) if isinstance(item, Mapping)]


def text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def first(row: Mapping[str, Any] | None, *keys: str) -> str:
    return next((row[key] for key in keys if row and isinstance(row.get(key), str)), "")
