"""Commands as prompts: a client shows them as slash commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer, Call
from cn_daemon.interfaces.mcp.asking import Asking
from cn_shared.errors import NotFoundError

PAGE = 100
_BATCH = 1000
_SOURCES = ("markdown", "climpt")
_DESCRIPTION = 300


class Prompts:
    """Every Markdown and Climpt command, by a name that clients can make a slash command of."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def page(self, call: Call, cursor: str | None) -> types.ListPromptsResult:
        """A page of them. Raises CnError."""
        names = await self._names(call)
        first = int(cursor) if cursor and cursor.isdecimal() and len(cursor) < 10 else 0
        shown = list(names.items())[first : first + PAGE]
        prompts = [await self._prompt(call, name, row) for name, row in shown]
        following = str(first + PAGE) if first + PAGE < len(names) else None
        return types.ListPromptsResult(prompts=prompts, next_cursor=following)

    async def get(self, call: Call, name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
        """The command, rendered with these arguments. Raises MCPError, CnError."""
        names = await self._names(call)
        row = names.get(name)
        if row is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt {name!r}.")
        given = {key: value for key, value in arguments.items() if value != ""}
        stdin = given.pop("stdin", None) if row["source"] == "climpt" else None
        answer = await self._asking.answer(
            "invoke", call, {"command_id": row["canonical_id"], "context": given, "stdin": stdin}
        )
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=_text(answer)))
        return types.GetPromptResult(description=row["summary"], messages=[message])

    async def _names(self, call: Call) -> dict[str, dict[str, Any]]:
        """Rows of `commands` by prompt name, in their order."""
        names: dict[str, dict[str, Any]] = {}
        for source in _SOURCES:
            cursor: str | None = None
            while True:
                parameters = {"source": source, "page_size": _BATCH, "cursor": cursor}
                answer = await self._asking.answer("commands", call, parameters)
                assert isinstance(answer, PlainAnswer)
                for row in answer.document["commands"]:
                    names[_free(_name(row), names)] = row
                cursor = answer.document.get("next")
                if not cursor:
                    break
        return names

    async def _prompt(self, call: Call, name: str, row: dict[str, Any]) -> types.Prompt:
        try:
            answer = await self._asking.answer("get", call, {"command_id": row["canonical_id"]})
            document = answer.document if isinstance(answer, PlainAnswer) else row
        except NotFoundError:  # removed between the list and this question
            document = row
        description = row["description"][:_DESCRIPTION] or None
        return types.Prompt(name=name, title=row["name"], description=description, arguments=_arguments(document))


def _name(row: dict[str, Any]) -> str:
    """`git_group-commit_unstaged-changes`: letters, digits, `-` and `_`, in any language."""
    id: str = row["canonical_id"]
    for prefix in ("md:", "climpt:climpt/", "climpt:"):
        if id.startswith(prefix):
            id = id[len(prefix) :]
            break
    return re.sub(r"[^\w-]+", "_", id).strip("_") or "command"


def _free(name: str, used: Mapping[str, Any]) -> str:
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name}_{number}"
    return free


def _arguments(document: dict[str, Any]) -> list[types.PromptArgument]:
    """What the command takes; everything is optional, because a prompt without arguments still says what it is."""
    if document.get("source") == "climpt":
        return _climpt_arguments(document)
    front = document.get("frontmatter") or {}
    hint = front.get("argument-hint") or front.get("argument_hint")
    if isinstance(hint, list):  # `[path] [mode]` is a list to YAML
        hint = " ".join(f"[{item}]" for item in hint)
    listed = front.get("arguments")
    named = [_named(item) for item in listed] if isinstance(listed, list) else []
    text = types.PromptArgument(name="arguments", description=str(hint) if hint else "The command's argument text.")
    return [*(item for item in named if item is not None and item.name != "arguments"), text]


def _named(item: Any) -> types.PromptArgument | None:
    if isinstance(item, str) and item:
        return types.PromptArgument(name=item)
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        return types.PromptArgument(name=item["name"], description=str(item.get("description") or "") or None)
    return None


def _climpt_arguments(document: dict[str, Any]) -> list[types.PromptArgument]:
    arguments = []
    for name, value in (document.get("options") or {}).items():
        choices = ", ".join(map(str, value)) if isinstance(value, list) else ""
        if value and value != [False]:
            arguments.append(types.PromptArgument(name=name, description=f"One of {choices}." if choices else None))
    arguments += [types.PromptArgument(name=f"uv-{name}") for name in document.get("uv", ())]
    return arguments


def _text(answer: Answer) -> str:
    if isinstance(answer, VerbatimAnswer):
        return answer.text
    assert isinstance(answer, PlainAnswer)
    document = answer.document
    parts = [str(document.get("content", ""))]
    if document.get("pending"):
        parts.append("Not run by cn; do it yourself where it is safe: "
                     + "; ".join(str(item.get("text", item)) for item in document["pending"]))  # fmt: skip
    if document.get("report_path"):
        parts.append(f"When this calls for a report, write it to {document['report_path']}.")
    return "\n\n".join(parts)
