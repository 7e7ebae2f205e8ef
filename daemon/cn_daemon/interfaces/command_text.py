"""Answers of the verbs of commands and reports, as text; each renderer reads the document that JSON callers get."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.interfaces.ink import Ink, block, clean

Row = Mapping[str, Any]


def lines(answer: PlainAnswer, verb: str, ink: Ink) -> Iterable[str]:
    """The answer, then what limits it, how to go on, and what to do."""
    if answer.text is not None:
        yield block(answer.text).rstrip("\n")
    elif answer.document == []:
        yield "nothing found"
    else:
        yield from _RENDERERS[verb](answer.document, ink)
    if answer.partial:
        yield f"{ink.warning('partial')} ({clean(answer.partial)})"
    if answer.stale:
        yield f"{ink.warning('stale')} ({clean(answer.stale)})"
    if answer.next:
        of = f" (of {answer.total})" if answer.total is not None and isinstance(answer.document, list) else ""
        yield ink.more(answer.next) + ink.aside(of)
    if answer.hint:
        yield f"{ink.aside('hint:')} {clean(answer.hint)}"


def _search(rows: list[Row], ink: Ink) -> Iterable[str]:
    for row in rows:
        if "c1" in row:
            identity = " ".join(str(row[key]) for key in ("c1", "c2", "c3") if row[key])
            yield f"{ink.place(format(row['score'], '.2f'))} {ink.name(clean(identity))}"
            yield from _aside(row.get("description"))
            continue
        kind = row.get("http_method") or row.get("execution_type") or ""
        score = row.get("relevance_score")
        head = [ink.place(f"{score:.0f}" if score is not None else ""), ink.name(clean(str(row["canonical_id"])))]
        reason = clean(str(row.get("match_reason") or ""))
        words = [*head, ink.kind(clean(str(kind))), ink.aside(f"({reason})" if reason else "")]
        yield " ".join(filter(None, words))
        yield from _aside(row.get("summary") or row.get("description"))
        yield from _inputs(row, ink)


def _inputs(row: Row, ink: Ink) -> Iterable[str]:
    """What a command takes and gives, as far as it was asked for."""
    for key, label in (("positional_args", "argument:"), ("flags", "flag:")):
        for one in row.get(key) or ():
            words = [
                one["name"],
                one["type"],
                "required" if one["required"] else "",
                "|".join(map(str, one.get("enum", ()))),
            ]
            words += [f"default {_value(one['default'])}" if "default" in one else "", one.get("in", "")]
            text = " ".join(filter(None, words)) + (f": {one['description']}" if "description" in one else "")
            yield f"  {ink.aside(label)} {clean(text)}"
    if row.get("output_schema") is not None:
        yield f"  {ink.aside('answers:')} {clean(_value(row['output_schema']))}"
    elif row.get("output_fields"):
        yield f"  {ink.aside('answers:')} {clean(' '.join(row['output_fields']))}"


def _aside(text: object) -> Iterable[str]:
    words = " ".join(str(text or "").split())
    if words:
        yield f"  {clean(words if len(words) <= 200 else words[:199] + '…')}"


def _describe(rows: list[Row], ink: Ink) -> Iterable[str]:
    for row in rows:
        yield ink.name(clean(" ".join(str(row.get(key, "")) for key in ("c1", "c2", "c3")).rstrip()))
        for key, value in row.items():
            if key not in ("c1", "c2", "c3"):
                yield f"  {ink.aside(clean(key) + ':')} {clean(_value(value))}"


def _fields(document: Row, ink: Ink) -> Iterable[str]:
    """Every key but the text, which stands below."""
    for key, value in document.items():
        if key not in ("content", "summary") and value not in (None, "", [], {}):
            yield f"{ink.aside(clean(key) + ':')} {clean(_value(value))}"
    if document.get("content"):
        yield ""
        yield block(str(document["content"])).rstrip("\n")


def _commands(document: Row, ink: Ink) -> Iterable[str]:
    for row in document["commands"]:
        kind = str(row.get("http_method") or "")  # what the id does not say
        yield " ".join(filter(None, (ink.name(clean(str(row["canonical_id"]))), ink.kind(clean(kind)))))
        yield from _aside(row.get("summary") or row.get("description"))
    yield ink.aside(f"{len(document['commands'])} of {document['total']} commands")


def _reports(rows: list[Row], ink: Ink) -> Iterable[str]:
    for row in rows:
        size = f"{row['file_size']} bytes" if row.get("file_size") is not None else ""
        date = clean(str(row.get("date") or "")[:10])
        yield " ".join(filter(None, (ink.place(date), ink.path(clean(str(row["path"]))), ink.aside(size))))
        yield from _aside(row.get("excerpt") or row.get("summary") or row.get("title"))


def _link(document: Row, ink: Ink) -> Iterable[str]:
    yield clean(str(document["link"]))


def _reload(document: Row, ink: Ink) -> Iterable[str]:
    for row in document.get("reloaded", ()):
        yield f"{ink.name(clean(str(row['agent'])))} {row['commandCount']} commands"
    for row in document.get("failed", ()):
        yield f"{ink.failure(clean(str(row['agent'])))} {clean(str(row['path']))}: {clean(str(row['details']))}"
    for key, value in document.items():
        if key not in ("reloaded", "failed", "success") and value not in (None, [], {}, ""):
            yield f"{ink.aside(clean(key) + ':')} {clean(_value(value))}"
    yield "reloaded" if document["success"] else ink.failure("not everything was reloaded")


def _invoke(document: Row, ink: Ink) -> Iterable[str]:
    if "content" not in document:
        yield from _answered(document, ink)
        return
    yield block(str(document["content"])).rstrip("\n")
    for row in document.get("pending", ()):
        yield f"{ink.aside('pending:')} {clean(row['kind'])} {clean(row['text'])}"
    if document.get("report_path"):
        yield f"{ink.aside('write the report to:')} {ink.path(clean(document['report_path']))}"


def _answered(document: Row, ink: Ink) -> Iterable[str]:
    """An HTTP command's answer: its body alone; a dry run: the request."""
    if "status" in document:
        body = document["body"]
        yield block(body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, indent=2)).rstrip("\n")
        if document.get("truncated"):
            yield ink.warning("truncated")
        return
    if "argv" in document:
        yield clean(shlex.join(document["argv"]))
        yield f"{ink.aside('in:')} {ink.path(clean(document['cwd']))}"
        return
    if "tool" in document:
        yield f"{ink.kind(clean(document['server']))} {ink.name(clean(document['tool']))}"
        yield block(_value(document["arguments"]))
        return
    yield f"{ink.kind(clean(document['method']))} {ink.path(clean(document['url']))}"
    for name, value in document["headers"].items():
        yield f"{clean(name)}: {clean(value)}"
    if document.get("body") is not None:
        yield ""
        yield block(_value(document["body"]))


def _config(document: Row, ink: Ink) -> Iterable[str]:
    for key, row in document["settings"].items():
        yield f"{ink.name(key)} = {clean(_value(row['value']))} {ink.aside('(' + clean(row['source']) + ')')}"
    for warning in document["warnings"]:
        yield f"{ink.warning('warning:')} {clean(warning)}"


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_RENDERERS: dict[str, Callable[[Any, Ink], Iterable[str]]] = {
    "search": _search,
    "describe": _describe,
    "get": _fields,
    "commands": _commands,
    "execute": _invoke,
    "invoke": _invoke,
    "reports search": _reports,
    "reports list": _reports,
    "reports link": _link,
    "reports show": _fields,
    "reload": _reload,
    "config show": _config,
}
