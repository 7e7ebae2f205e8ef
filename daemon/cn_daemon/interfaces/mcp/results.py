"""Answers and errors as MCP results: structured content, lean text beside it, both bounded in size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces import budget, text
from cn_daemon.interfaces.ink import block, clean
from cn_daemon.interfaces.mcp.table import NOT_OFFERED
from cn_daemon.interfaces.mcp.tool import Tool
from cn_daemon.interfaces.phrases import spot
from cn_shared.errors import CnError, InputError
from cn_shared.verbs import VERBS
from cn_shared.wire import document

ROWS = 150
CHARACTERS = 20_000

# Keys of `_meta`: what the HTTP door says in headers.
OUTCOME, TOTAL, NEXT, COMPLETENESS, STALE, HINT = (
    f"cn/{name}" for name in ("outcome", "total", "next", "completeness", "stale", "hint")
)

_TOOL_OF = {f"cn {row.name}": row.tool for row in VERBS if row.name not in NOT_OFFERED}
_TYPED = re.compile(rf"\b(?:{'|'.join(sorted(_TOOL_OF, key=len, reverse=True))})\b(?! --agent)")


def result(tool: Tool, whole: Answer, cursor: str | None, tokens: int | None = None) -> dict[str, Any]:
    """The result of a tool's call. cursor: of the door's own paging. tokens: the budget, of text and structured
    content each. Raises InputError (`bad_cursor`)."""
    answer, left_out = budget.fitted(
        _advised(whole), tokens, lambda one: _size(tool, one), "ask again without a budget"
    )
    meta: dict[str, Any] = {OUTCOME: answer.outcome()}
    # What a program printed is whole: the rest of it could only be had by running it again.
    page = _Page(_document(answer)) if isinstance(answer, VerbatimAnswer) else _page(tool, _document(answer), cursor)
    shown = page.document
    if tool.array and isinstance(shown, list):
        shown = {tool.array: shown}
    elif not isinstance(shown, dict):
        shown = {"content": shown}
    for key, name in (("total", TOTAL), ("next", NEXT), ("partial", COMPLETENESS), ("stale", STALE), ("hint", HINT)):
        value = getattr(answer, key, None)
        if value not in (None, ""):
            meta[name] = value
            # Many clients show their agents no `_meta`: what is missing must not be said there alone.
            said = {"status": "partial", "reason": value} if key == "partial" else value
            shown.setdefault("completeness" if key == "partial" else key, said)
    texts = list(_texts(tool, answer, page, shown))
    if left_out:
        shown["leftOut"] = left_out
        texts.append(left_out)
    return {
        "content": [{"type": "text", "text": one} for one in texts],
        "structuredContent": shown,
        "isError": False,
        "resultType": "complete",
        "_meta": meta,
    }


def _size(tool: Tool, answer: Answer) -> int:
    """Of the longer of the two forms that an agent may be shown, in characters."""
    plain = 0 if tool.json_text else len(text.render(answer, color=False, verb=tool.verb))
    return max(plain, len(_json(_document(answer))))


def failure(error: CnError) -> dict[str, Any]:
    """A refusal or a failure: the documented JSON, for the agent to read and act on."""
    told = error.document()
    holder: Any = told["error"] if isinstance(told["error"], dict) else told  # those of Climpt are flat
    if error.hint:
        holder["hint"] = _by_tools(error.hint)
    content = [{"type": "text", "text": _json(told)}]
    return {"content": content, "isError": True, "resultType": "complete"}


def _advised(answer: Any) -> Any:
    """The answer, its advice in the words of this door."""
    advice = {key: _by_tools(told) for key in ("hint", "more_candidates") if (told := getattr(answer, key, None))}
    return replace(answer, **advice) if advice else answer


def _by_tools(advice: str) -> str:
    """What says `cn map FILE` at a shell says `map_file FILE` here."""
    return _TYPED.sub(lambda found: _TOOL_OF[found[0]], advice)


@dataclass(frozen=True, slots=True)
class _Page:
    """A document, cut. note: what was left out, "" when nothing was. whole: it was not cut at all."""

    document: Any
    note: str = ""
    whole: bool = True


def _page(tool: Tool, whole: Any, cursor: str | None) -> _Page:
    kind, _, path = tool.pages.partition(":")
    *parents, key = path.split(".")
    holder = whole
    for parent in parents:
        holder = holder[parent]
    content = holder.get(key) if kind and isinstance(holder, dict) else None
    if not content:
        return _Page(whole)
    first = _first(cursor, len(content))
    last = min(first + ROWS, len(content)) if kind == "rows" else _line_end(content, first + CHARACTERS)
    if not first and last >= len(content):
        return _Page(whole)
    holder[key] = content[first:last]
    whole["total"] = len(content)
    noun = key if kind == "rows" else "characters"
    note = f"{noun} {first + 1}-{last} of {len(content)}"
    if last < len(content):
        whole["next"] = str(last)
        note += f", more: cursor={last}"
    return _Page(whole, note, whole=False)


def _first(cursor: str | None, length: int) -> int:
    if cursor is None or cursor == "":
        return 0
    if not cursor.isdecimal() or len(cursor) > 12 or int(cursor) >= length:
        raise InputError("bad_cursor", f"{cursor!r} is no cursor of this answer.", "Pass on the `next` of an answer.")
    return int(cursor)


def _line_end(content: str, wanted: int) -> int:
    """Where to cut: after the last line end that fits, or in the middle of a line that is longer than a page."""
    if wanted >= len(content):
        return len(content)
    end = content.rfind("\n", wanted - CHARACTERS // 2, wanted)
    return end + 1 if end >= 0 else wanted


def _document(answer: Answer) -> Any:
    if isinstance(answer, VerbatimAnswer):
        return {"content": answer.text}
    if isinstance(answer, PlainAnswer):  # its document is spelled by its specification
        return dict(answer.document) if isinstance(answer.document, dict) else answer.document
    return document(answer)


def _texts(tool: Tool, answer: Answer, page: _Page, shown: dict[str, Any]) -> Iterator[str]:
    if tool.json_text:
        yield _json(page.document)
        # Beside the documented JSON, which agents parse, not in it.
        yield from (f"{word} ({clean(why)})" for word in ("partial", "stale") if (why := getattr(answer, word, "")))
    elif not page.whole and tool.verb == "invoke":
        yield f"{page.note}\n" + text.render(PlainAnswer(shown), color=False, verb=tool.verb)
    elif not page.whole:
        yield _cut_text(tool, shown, page.note)
    else:
        yield text.render(answer, color=False, verb=tool.verb)


def _cut_text(tool: Tool, shown: dict[str, Any], note: str) -> str:
    """The text of a page. A row or a piece of code keeps the form it has in a whole answer."""
    kind, _, path = tool.pages.partition(":")
    if kind == "rows":
        lines = [f"  {spot(row['id'], row.get('endLine'))} {row['kind']} {_qualified(row)}" for row in shown["symbols"]]
        return "\n".join(map(clean, [f"{shown['filePath']} · {note}", *lines])) + "\n"
    content: Any = shown
    for key in path.split("."):
        content = content[key]
    found = shown.get("result", {})
    head = f"{found['filePath']}:{found['range']['startLine']} · {note}" if found else note
    return f"{clean(head)}\n{block(content)}"


def _qualified(row: dict[str, Any]) -> str:
    return ".".join(filter(None, (row.get("container"), row["name"])))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encodable(value: Any) -> Any:
    """The same without lone surrogates (file names that are not UTF-8), which JSON in UTF-8 cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    return [encodable(item) for item in value] if isinstance(value, list) else value
