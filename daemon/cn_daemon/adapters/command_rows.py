"""Commands as rows of JSON and back; every field in the order of its class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cn_daemon.domain.libraries.commands import Argument, Catalog, ClimptCall, Command, HttpCall, McpCall

Row = list[Any]


def row_of(command: Command) -> Row:
    """The command as JSON can carry it, as long as its frontmatter and its schema can be."""
    one = command
    return [
        one.canonical_id,
        one.name,
        one.source,
        one.execution_type,
        one.description,
        one.keywords,
        one.path,
        one.origin,
        one.last_modified,
        one.file_size,
        one.frontmatter,
        [_argument(argument) for argument in one.positional_args],
        [_argument(argument) for argument in one.flags],
        one.output_schema,
        one.catalog and [one.catalog.title, one.catalog.description, one.catalog.vendor],
        one.climpt and _climpt(one.climpt),
        one.http and [one.http.method, one.http.path, one.http.base_urls, one.http.headers, one.http.body_type],
        one.mcp and [one.mcp.server, one.mcp.tool],
    ]


class Rows:
    """Rows as commands again; catalogs are few and are shared. Raises TypeError, ValueError for what is no row."""

    def __init__(self) -> None:
        self._catalogs: dict[tuple[str, ...], Catalog] = {}

    def command(self, row: Row) -> Command:
        *plain, frontmatter, positional, flags, schema, catalog, climpt, http, mcp = row
        identifier, name, source, kind, description, keywords, path, origin, modified, size = plain
        return Command(
            identifier,
            name,
            source,
            kind,
            description,
            tuple(keywords),
            path,
            origin,
            modified,
            size,
            frontmatter,
            tuple(map(_argument_of, positional)),
            tuple(map(_argument_of, flags)),
            schema,
            catalog and self._catalog(tuple(catalog)),
            climpt and _climpt_of(climpt),
            http and _http_of(http),
            mcp and McpCall(*mcp),
        )

    def _catalog(self, row: tuple[str, ...]) -> Catalog:
        found = self._catalogs.get(row)
        if found is None:
            found = self._catalogs[row] = Catalog(*row)
        return found


def _argument(one: Argument) -> Row:
    return [one.name, one.help, one.required, one.kind, one.choices, one.default, one.short, one.place]


def _argument_of(row: Row) -> Argument:
    name, help_, required, kind, choices, default, short, place = row
    return Argument(name, help_, required, kind, tuple(choices), default, short, place)


def _climpt(call: ClimptCall) -> Row:
    return [call.agent, call.c1, call.c2, call.c3, call.usage, call.options, call.variables]


def _climpt_of(row: Row) -> ClimptCall:
    agent, c1, c2, c3, usage, options, variables = row
    return ClimptCall(agent, c1, c2, c3, usage, options, tuple(variables))


def _http_of(row: Sequence[Any]) -> HttpCall:
    method, path, urls, headers, body_type = row
    return HttpCall(method, path, tuple(urls), tuple((name, value) for name, value in headers), body_type)
