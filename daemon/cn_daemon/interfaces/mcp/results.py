"""Answers and errors as MCP results: lean text, and beside it the document for who asks for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any

from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.application.query_kinds import SUBJECTS
from cn_daemon.interfaces import budget, text
from cn_daemon.interfaces.ink import clean
from cn_daemon.interfaces.mcp import pages
from cn_daemon.interfaces.mcp.pages import Page
from cn_daemon.interfaces.mcp.relation_tools import RELATIONS
from cn_daemon.interfaces.mcp.table import NOT_OFFERED
from cn_daemon.interfaces.mcp.tool import Tool
from cn_daemon.interfaces.openapi import ANSWERS
from cn_daemon.interfaces.spellings import plain, spelled
from cn_shared.errors import CnError, InputError
from cn_shared.verbs import VERBS
from cn_shared.wire import document

# Keys of `_meta`: what the HTTP door says in headers.
OUTCOME, TOTAL, NEXT, COMPLETENESS, STALE, HINT = (
    f"cn/{name}" for name in ("outcome", "total", "next", "completeness", "stale", "hint")
)

_RELATIONS = {tool.verb for tool in RELATIONS}
_TOOL_OF = {
    f"cn {row.name}": f"find relation={row.name}" if row.name in _RELATIONS else row.tool
    for row in VERBS
    if row.name not in NOT_OFFERED
}
_FLAG = re.compile(r"--(cursor|depth|limit|mode) ")
_TYPED = re.compile(rf"\b(?:{'|'.join(sorted(_TOOL_OF, key=len, reverse=True))})\b(?! --agent)")


def result(
    tool: Tool,
    full: Answer,
    cursor: str | None,
    tokens: int | None = None,
    *,
    first: int | None = None,
    structured: bool = False,
) -> dict[str, Any]:
    """The result of a tool's call.

    cursor: of the door's own paging. tokens: the budget. first: how many places the verb's own cursor has passed over.
    structured: whether the document goes with the text: clients that get both show their model the document alone.
    Raises InputError (`bad_cursor`).
    """
    page = pages.page(_advised(full), tool.pages, cursor, tokens)
    answer, left_out = budget.fitted(
        page.answer, tokens, lambda one: _size(tool, one), "ask again without a budget", first
    )
    page = page.shortened(answer)
    told: dict[str, Any] = {
        "content": [{"type": "text", "text": one} for one in _texts(tool, page, left_out)],
        "isError": False,
        "resultType": "complete",
        "_meta": {OUTCOME: answer.outcome(), **_beside(answer)},
    }
    if structured:
        told["structuredContent"] = _structured(tool, page, left_out)
    return told


def _beside(answer: Answer) -> dict[str, Any]:
    fields = {}
    for key, name in (("total", TOTAL), ("next", NEXT), ("partial", COMPLETENESS), ("stale", STALE), ("hint", HINT)):
        value = getattr(answer, key, None)
        if value not in (None, ""):
            fields[name] = value
    return fields


def _structured(tool: Tool, page: Page, left_out: str) -> dict[str, Any]:
    """The document, as its schema has it, with all that a bare array cannot say."""
    shown = _document(page.answer)
    if tool.array and isinstance(shown, list):
        shown = {tool.array: shown}
    elif not isinstance(shown, dict):
        shown = {"content": shown}
    for key in ("total", "next", "stale", "hint"):
        value = getattr(page.answer, key, None)
        if value not in (None, ""):
            shown.setdefault(key, value)
    if reason := getattr(page.answer, "partial", ""):
        shown.setdefault("completeness", {"status": "partial", "reason": reason})
    if left_out:
        shown["leftOut"] = left_out
    return {**shown, **page.limits()}


def _size(tool: Tool, answer: Answer) -> int:
    """Of the text that an agent is shown, in characters."""
    if tool.json_text and not isinstance(answer, VerbatimAnswer):
        return len(_json(_document(answer)))
    return len(_text(tool, answer))


def failure(error: CnError) -> dict[str, Any]:
    """A refusal or a failure: the documented JSON, for the agent to read and act on."""
    document = error.document()
    holder: Any = document["error"] if isinstance(document["error"], dict) else document  # those of Climpt are flat
    if error.hint:
        holder["hint"] = _by_tools(error.hint)
    content = [{"type": "text", "text": _json(document)}]
    return {"content": content, "isError": True, "resultType": "complete"}


def together(results: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The results of several questions as one: each text below its question. An error when all are; as complete as the
    least of them."""
    outcomes = [one["_meta"][OUTCOME] for _, one in results if not one["isError"]]
    is_complete = len(outcomes) == len(results)
    outcome = "partial" if "partial" in outcomes or not is_complete else "found" if "found" in outcomes else "empty"
    content = []
    for question, one in results:
        first, *others = one["content"]
        content += [{**first, "text": f"# {clean(question)}\n{first['text']}"}, *others]
    result = {"content": content, "isError": not outcomes, "resultType": "complete", "_meta": {OUTCOME: outcome}}
    documents = [one.get("structuredContent") for _, one in results]
    # As the schema has it that of one, the first; and all of them beside it.
    first = next(filter(None, documents), None)
    return {**result, "structuredContent": {**first, "answers": documents}} if first else result


def check_schema(tool: Tool, answer: Answer) -> None:
    """Raises InputError (`other_answer`): another verb answers such a question, whose document the tool's schema has
    not."""
    expected = ANSWERS.get(tool.verb)
    if isinstance(expected, type) and is_dataclass(expected) and not isinstance(answer, expected):
        other = next((verb for verb, kind in ANSWERS.items() if kind is type(answer)), "")
        hint = f"Call {_by_tools(f'cn {other}')}."
        raise InputError("other_answer", f"{tool.name} does not answer this with structured content.", hint)


def question_of(tool: Tool, given: Mapping[str, Any]) -> str:
    """What a call asks about, as its answer is headed."""
    subject = SUBJECTS.get(tool.verb, "")
    words = {plain(word) for word in spelled(subject, tool.verb)}
    return next((str(value) for name, value in given.items() if plain(name) in words), "")


def _advised(answer: Any) -> Any:
    """The answer, its advice in the words of this door."""
    advice = {key: _by_tools(advised) for key in ("hint", "more_candidates") if (advised := getattr(answer, key, None))}
    return replace(answer, **advice) if advice else answer


def _by_tools(advice: str) -> str:
    """What says `cn map FILE` or `--limit 0` at a shell says `map_file FILE` or `limit=0` here."""
    return _FLAG.sub(r"\1=", _TYPED.sub(lambda found: _TOOL_OF[found[0]], advice))


def _document(answer: Answer) -> Any:
    if isinstance(answer, VerbatimAnswer):
        return {"content": answer.text}
    if isinstance(answer, PlainAnswer):  # its document is spelled by its specification
        return dict(answer.document) if isinstance(answer.document, dict) else answer.document
    return document(answer)


def _text(tool: Tool, answer: Answer) -> str:
    return text.render(answer, color=False, verb=tool.verb, advice=_by_tools)


def _texts(tool: Tool, page: Page, left_out: str) -> Iterator[str]:
    answer = page.answer
    if tool.json_text:
        yield _json(_document(answer))
        # Beside the documented JSON, which agents parse, not in it.
        yield from (f"{word} ({clean(why)})" for word in ("partial", "stale") if (why := getattr(answer, word, "")))
        yield from (f"{word}: {clean(text)}" for word in ("next", "hint") if (text := getattr(answer, word, "")))
        if left_out:
            yield left_out
    else:
        yield _text(tool, answer) + "".join(f"{line}\n" for line in (page.note(), left_out) if line)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encodable(value: Any) -> Any:
    """The same without lone surrogates (file names that are not UTF-8), which JSON in UTF-8 cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    return [encodable(item) for item in value] if isinstance(value, list) else value
