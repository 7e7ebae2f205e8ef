"""What a search result tells of a command's inputs and outputs (specs/command-search, Result shape)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cn_daemon.domain.libraries.commands import Argument, Command

INCLUDE_INPUTS = ("none", "required_only", "full")


def enrichment(command: Command, include: str) -> dict[str, Any]:
    """none: nothing. required_only: the required inputs, and `output_fields` when there are any. full: all inputs,
    `output_schema` and `output_fields`."""
    if include == "none":
        return {}
    every = include == "full"
    added: dict[str, Any] = {
        "positional_args": _arguments(command.positional_args, every),
        "flags": _arguments(command.flags, every),
    }
    if every and command.output_schema is not None:
        added["output_schema"] = command.output_schema
    fields = output_fields(command.output_schema)
    return {**added, "output_fields": fields} if fields else added


def output_fields(schema: Mapping[str, Any] | None) -> list[str]:
    """The keys of an object's properties, `[].key` for an array of objects, [] for anything else."""
    if not isinstance(schema, Mapping):
        return []
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and properties:
        return list(properties)
    items = schema.get("items")
    if isinstance(items, Mapping) and isinstance(items.get("properties"), Mapping):
        return [f"[].{key}" for key in items["properties"]]
    return []


def argument(one: Argument) -> dict[str, Any]:
    """An input as JSON; what is not known is left out."""
    fields: dict[str, Any] = {"name": one.name, "type": one.kind, "required": one.required}
    known = {"description": one.help, "default": one.default, "in": one.place}
    fields |= {key: value for key, value in known.items() if value}
    if one.choices:
        fields["enum"] = list(one.choices)
    return fields


def _arguments(arguments: Sequence[Argument], every: bool) -> list[dict[str, Any]]:
    return [argument(one) for one in arguments if every or one.required]
