"""Refusals and errors: one JSON shape for machines, a sentence and a hint for people."""

from __future__ import annotations

import json
import os
from typing import Any

from cn_client.call import coloured, write
from cn_shared.errors import CnError, InternalError


def refusal(body: bytes, format: str | None) -> None:
    """What the daemon refused with, on stderr: its bytes as they are, or rendered for a person."""
    if wants_json(format):
        write(2, body)
        return
    try:
        message = described(_nested(json.loads(body)), coloured(2))
    except (ValueError, KeyError, TypeError, AttributeError):
        write(2, body)
        return
    write(2, message.encode("utf-8", "backslashreplace"))


def note(quoted: str, format: str | None) -> None:
    """A hint that came with a JSON answer (percent-encoded, in a header), on stderr."""
    from urllib.parse import unquote

    hint = unquote(quoted)
    if wants_json(format):
        text = json.dumps({"hint": hint}, ensure_ascii=False, separators=(",", ":")) + "\n"
    else:
        text = f"hint: {clean(hint)}\n"
    write(2, text.encode("utf-8", "backslashreplace"))


def failure(error: Exception, format: str | None) -> int:
    """An error of the client's own, on stderr.

    Its exit code. Anything but a CnError is a defect, and reported as one.
    """
    if not isinstance(error, CnError):
        if os.environ.get("CN_DEBUG"):
            raise error
        error = InternalError(
            "internal_error",
            f"cn met a defect of its own: {type(error).__name__}: {error}",
            "Run it again with CN_DEBUG=1 to see where.",
        )
    document = error.document()
    if wants_json(format):
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
    else:
        text = described(document["error"], coloured(2))
    write(2, text.encode("utf-8", "backslashreplace"))
    return error.exit_code


def wants_json(format: str | None) -> bool:
    """As the option or CN_FORMAT says; otherwise a terminal reads sentences and a pipe reads JSON."""
    chosen = format or os.environ.get("CN_FORMAT")
    return chosen != "text" if chosen in ("json", "text", "envelope") else not os.isatty(2)


def described(error: Any, colour: bool) -> str:
    """The error for a person: the sentence with its code, what to do about it, what a command said, the log's end."""
    red, dim, end = ("\x1b[31m", "\x1b[2m", "\x1b[0m") if colour else ("", "", "")
    lines = [f"{red}error:{end} {clean(error['message'])} {dim}[{clean(error['code'])}]{end}"]
    for key in ("stderr", "body"):
        if error.get(key):
            said = error[key] if isinstance(error[key], str) else json.dumps(error[key], ensure_ascii=False)
            lines += [clean(line) for line in said.rstrip().split("\n")]
    if error.get("hint"):
        lines.append(f"{dim}hint:{end} {clean(error['hint'])}")
    if isinstance(error.get("log"), list):
        lines += [f"{dim}log:{end} {clean(line)}" for line in error["log"]]
    return "\n".join(lines) + "\n"


def _nested(document: Any) -> Any:
    """The error in its one shape; those of Climpt verbs are flat: `{"error": "Command not found", "c1", …}`."""
    error = document["error"]
    if not isinstance(error, str):
        return error
    named = (str(document[key]) for key in ("command", "c1", "c2", "c3", "path", "details") if document.get(key))
    return {**document, "message": f"{error}: {' '.join(named)}"}


def clean(text: object) -> str:
    """File names and log lines come from anywhere: nothing in them may steer the terminal, or begin a line."""
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in str(text))
