"""Parameters of functions that a script passes on, and types of such functions in comments: `function(A): B`."""

from __future__ import annotations

import re

from cn_daemon.domain.source.brackets import Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_TYPE = re.compile(r"\bfunction\s*\([^(){}\n]*?(?<![\w$.])(?P<name>[A-Z][\w$]*)")
# What may stand between a comment and the name that it describes.
_HEAD = re.compile(r"[\s\w$.=]*")


def taker_of(document: Document, place: int) -> int | None:
    """Where a member is taken of a parameter (`f(b, a => a.c)` at c), the offset of the name of what is given the
    function."""
    script = brackets(document)
    at = script.at(place)
    parameter = script.text(at - 2)
    if script.text(at - 1) not in (".", "?.") or not script.words[at - 2].is_name or script.text(at - 3) in (".", "?."):
        return None
    before = [number for number in script.places[parameter] if number < at - 2 and _is_parameter(script, number)]
    if not before:
        return None
    nearest = before[-1]
    around = script.opener[nearest]
    if script.text(nearest + 1) != "=>":
        # `(a, b) => …`
        around = script.opener[around]
    called = script.words[around - 1]
    inside = around < at < script.closer.get(around, 0)
    return called.start if script.text(around) == "(" and called.is_name and inside else None


def _is_parameter(script: Brackets, at: int) -> bool:
    closing = script.closer.get(script.opener[at], -1)
    opens = script.text(script.opener[at]) == "(" and script.text(closing + 1) == "=>"
    return script.text(at + 1) == "=>" or (opens and script.text(at - 1) in ("(", ","))


def typed_callback(document: Document, place: int) -> int | None:
    """The offset of a type in `function(A): B`, in the comment before what is declared there."""
    text = document.once(SourceText).text
    end = text.rfind("*/", 0, place)
    start = text.rfind("/**", 0, max(end, 0))
    if start < 0 or not _HEAD.fullmatch(text, end + 2, place):
        return None
    found = _TYPE.search(text, start, end)
    return found.start("name") if found else None
