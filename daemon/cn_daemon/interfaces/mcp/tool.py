"""What a tool is: a verb as MCP shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cn_shared.verbs import LONGEST


@dataclass(frozen=True, slots=True)
class Input:
    """One argument of a tool.

    to: the verb's parameter, when the tool's specification spells it otherwise. also: what agents write instead
    of the name, beside what `spellings` has. kind, choices, minimum, maximum, longest
    and help come from the verb's parameter unless said here; `own` inputs are the door's, not the verb's. empty: it may
    be "" although it is required. hidden: understood, and not in the schema, which each session pays for. plain: the
    name says all, and its help is for whoever gets it wrong.
    """

    name: str
    to: str = ""
    help: str = ""
    also: tuple[str, ...] = ()
    required: bool = False
    default: Any = None
    maximum: int | None = None
    minimum: int | None = None
    longest: int = LONGEST
    kind: str = ""
    own: bool = False
    empty: bool = False
    hidden: bool = False
    plain: bool = False
    choices: tuple[str, ...] = ()

    @property
    def parameter(self) -> str:
        return self.to or self.name


@dataclass(frozen=True, slots=True)
class Tool:
    """One row.

    description: says what it is for and which tool comes before or after. array: the key under which an
    answer that is an array by its specification stands in the structured content. pages: whether the door itself cuts
    its text to pieces. json_text: the text is the documented JSON, because agents that were written for the
    specification parse it.
    toolset: where it is listed; "" is only with all. hint: words that a client's own search for tools finds it by.
    reads, repeatable, destroys, open_world: the annotations.
    """

    name: str
    verb: str
    title: str
    description: str
    inputs: tuple[Input, ...] = ()
    output: dict[str, Any] | None = None
    array: str = ""
    pages: bool = False
    json_text: bool = False
    toolset: str = ""
    hint: str = ""
    reads: bool = True
    repeatable: bool = True
    destroys: bool = False
    open_world: bool = False
    either: tuple[str, ...] = ()


CURSOR = Input("cursor", help="From the end of an earlier answer.", kind="string", plain=True)
PAGE_CURSOR = Input("cursor", help="From the end of an earlier answer.", kind="string", own=True, plain=True)
BUDGET = Input(
    "budget",
    help="At most about this many tokens.",
    kind="integer",
    minimum=1,
    own=True,
    hidden=True,
)


def array_of(key: str, **properties: Any) -> dict[str, Any]:
    """The output schema of a list of objects with these properties, and its cursor."""
    return {
        "type": "object",
        "properties": {
            key: {"type": "array", "items": {"type": "object", "properties": properties}},
            "total": {"type": "integer"},
            "next": {"type": "string"},
            "completeness": {"type": "object", "description": "There only when something may be missing, and why."},
            "stale": {"type": "string", "description": "Why this may be old."},
        },
        "required": [key],
    }


def object_of(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


STRING: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
INTEGER: dict[str, Any] = {"type": "integer"}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
OBJECT: dict[str, Any] = {"type": "object"}
NULLABLE: dict[str, Any] = {"anyOf": [STRING, {"type": "null"}]}
