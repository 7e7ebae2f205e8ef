"""docs/verbs.md, written from the table of verbs and the command line that is made of it."""

from __future__ import annotations

import json
import re

import click

from cn_client.cli import START, build
from cn_client.own_verbs import ROWS
from cn_client.trusting import TRUST
from cn_shared.verbs import LONGEST, MOST, VERBS, Parameter, Verb
from tests import golden

HEAD = """# The verbs

Every verb with all it takes. `cn VERB --help` tells the same. This page is written from the table that the command
line, HTTP and MCP are made of: `GOLDEN=write pytest tests/docs/test_reference.py`.

A string may have {longest:,} characters where nothing else is said, and a list {most:,} strings; what is longer is
refused (exit code 2). Piped input and JSON objects are bounded by the setting `body_limit_bytes`.
"""
# click's own word for a number's bounds.
_RANGE = re.compile(r"  \[[^]]*x[^]]*\]$")
_TOOLS = {tool["name"] for tool in json.loads((golden.FOLDER / "mcp_tools.json").read_text("utf-8"))}
COMMON = """
## Options of every verb

They stand before or after the verb.

"""


def page() -> str:
    group = build(lambda call: 0)
    common = [f"| `{_cell(names)}` | {_cell(_RANGE.sub('', text))} |" for names, text in _records(group)
              if names != "--version"]  # fmt: skip
    head = HEAD.format(longest=LONGEST, most=MOST)
    parts = [head, COMMON, "| option | meaning |\n|---|---|\n", "\n".join(common), "\n"]
    parts += [_verb(row, group) for row in (*VERBS, START, TRUST, *ROWS)]
    return "".join(parts)


def _records(group: click.Group) -> list[tuple[str, str]]:
    context = click.Context(group, info_name="cn", help_option_names=["-h", "--help"])
    return [record for one in group.params if (record := one.get_help_record(context))]


def _verb(row: Verb, group: click.Group) -> str:
    command: click.Command | None = group
    context = click.Context(group, info_name="cn")
    for word in row.name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
        assert command is not None
        context = click.Context(command, info_name=word, parent=context)
    assert command is not None
    pieces = [piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
    lines = [f"\n## cn {' '.join([row.name, *pieces])}\n", _cell(row.summary + " " + row.help)]
    taken = [f"| {_spelled(item)} | {_cell(_meaning(item))} |" for item in row.parameters if _spelled(item)]
    if taken:
        lines += ["", "| parameter | meaning |", "|---|---|", *taken]
    lines += ["", "```sh", *row.examples, "```"]
    if row in VERBS:
        lines += ["", _doors(row)]
    return "\n".join(lines) + "\n"


def _spelled(item: Parameter) -> str:
    if item.positional:
        return f"`{item.name}`"
    if item.kind == "rest":
        return "`-- …`"
    value = "" if item.kind in ("boolean", "stdin") else " " + (item.metavar or _value(item))
    return f"`{', '.join(filter(None, (item.short, item.flag)))}{_cell(value)}`" if item.flag else ""


def _value(item: Parameter) -> str:
    return "|".join(item.choices) or {"integer": "N"}.get(item.kind, item.name.upper())


def _meaning(item: Parameter) -> str:
    one_of = f" One of {', '.join(item.choices)}." if item.positional and item.choices else ""
    default = "" if item.default in (None, "") else f" Default: {item.default}."
    between = f" {item.minimum} to {item.maximum}." if item.maximum is not None else ""
    longer = f" At most {item.longest:,} characters." if item.longest > LONGEST else ""
    return item.help + one_of + default + between + longer


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _doors(row: Verb) -> str:
    routes = [f"`{row.method} {row.path}`"]
    if row.reads and row.method == "POST":
        routes.append(f"`GET {row.path}`")
    tool = f", MCP tool `{row.tool}`" if row.tool in _TOOLS else ""
    return f"HTTP {' and '.join(routes)}{tool}."
