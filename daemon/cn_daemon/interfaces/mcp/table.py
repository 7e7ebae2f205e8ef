"""The table of tools: which verb each is, and its schemas, derived from the verb's own row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cn_daemon.interfaces import openapi
from cn_daemon.interfaces.mcp.command_tools import CLIMPT, COMMANDS, REPORTS
from cn_daemon.interfaces.mcp.navigation_tools import NAVIGATION
from cn_daemon.interfaces.mcp.relation_tools import RELATIONS
from cn_daemon.interfaces.mcp.survey_tools import SURVEYS
from cn_daemon.interfaces.mcp.tool import BUDGET, Input, Tool
from cn_daemon.interfaces.spellings import plain, spelled
from cn_shared.verbs import VERBS, Parameter, Verb

TOOLS: tuple[Tool, ...] = (*NAVIGATION, *RELATIONS, *SURVEYS, *COMMANDS, *REPORTS, *CLIMPT)
# No tools: a client that could end the daemon would end it for others; settings are the user's.
NOT_OFFERED = frozenset({"stop", "config show"})

_VERB = {row.name: row for row in VERBS}
_TYPES: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "object": {"type": "object"},
    "options": {"type": "object"},
    "files": {"type": "array", "items": {"type": "string"}},
    "words": {"type": "array", "items": {"type": "string"}},
    "list": {"type": "array", "items": {"type": "string"}},
    "rest": {"type": "array", "items": {"type": "string"}},
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool that stands: its row, the inputs its verb really takes, its schemas.

    names: the inputs by every name that is understood, plain.
    """

    tool: Tool
    inputs: tuple[Input, ...]
    names: Mapping[str, Input]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]


def offered(verbs: Collection[str]) -> dict[str, Offered]:
    """By name, the tools of these verbs. A row whose verb is not there is left out."""
    return {row.name: _offer(row) for row in TOOLS if row.verb in verbs and row.verb in _VERB}


def _offer(tool: Tool) -> Offered:
    verb = _VERB[tool.verb]
    known = {item.name: item for item in verb.parameters}
    inputs = tuple(
        _filled(item, known.get(item.parameter))
        for item in (*tool.inputs, *([BUDGET] if tool.reads and verb.parameters else []))
        if item.own or item.parameter in known
    )
    properties = {item.name: _property(item, known.get(item.parameter)) for item in inputs if not item.hidden}
    required = [] if tool.either else [item.name for item in inputs if item.required]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return Offered(tool, inputs, _names(inputs, tool.verb), schema, _output(tool, verb))


def listed(tools: Iterable[Offered], toolsets: Collection[str]) -> list[Offered]:
    """Those of these sets, in the order of the table; "all" is every one."""
    return [one for one in tools if "all" in toolsets or one.tool.toolset in toolsets]


def _names(inputs: Sequence[Input], verb: str) -> dict[str, Input]:
    slips: dict[str, Input] = {}
    for item in inputs:
        for other in (*item.also, *spelled(item.parameter, verb)):
            slips.setdefault(plain(other), item)
    # Own names last: another input's slip must not take them.
    return slips | {plain(item.name): item for item in inputs}


def _filled(item: Input, row: Parameter | None) -> Input:
    """The input with what its verb's row says and it does not."""
    if row is None:
        return item
    return replace(
        item,
        help=item.help or row.help,
        kind=item.kind or row.kind,
        empty=item.empty or row.empty or row.optional,
        default=row.default if item.default is None else item.default,
        minimum=row.minimum if item.minimum is None else item.minimum,
        maximum=row.maximum if item.maximum is None else item.maximum,
        longest=row.longest,
    )


def _property(item: Input, row: Parameter | None) -> dict[str, Any]:
    """What an agent needs to call it. Bounds are named to who oversteps them."""
    schema: dict[str, Any] = dict(_TYPES.get(item.kind, {"type": "string"}))
    if not item.plain:
        schema["description"] = item.help
    allowed = item.choices or (row.choices if row is not None else ())
    if allowed:
        schema["enum"] = list(allowed)
    if item.kind == "integer" and item.default is not None:
        schema["default"] = item.default
    return schema


def choices(tool: Tool, item: Input) -> tuple[str, ...]:
    """What the argument may be; () is anything."""
    if item.choices:
        return item.choices
    row = next((row for row in _VERB[tool.verb].parameters if row.name == item.parameter), None)
    return row.choices if row else ()


def _output(tool: Tool, verb: Verb) -> dict[str, Any]:
    schema = tool.output or openapi.schema_of(openapi.ANSWERS[verb.name])
    if not tool.pages:
        return schema
    extra = {"next": {"type": "string"}, "total": {"type": "integer"}}
    return {**schema, "properties": {**schema["properties"], **extra}}
