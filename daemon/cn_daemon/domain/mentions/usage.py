"""How a mention uses a symbol in a language whose syntax trees are not read: by form alone, from the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.domain.source import forms
from cn_daemon.domain.source.form_table import Form

# What may stand between a name and the bracket of its call. A line's end may end the statement.
_CALLED = re.compile(r"[ \t]*(?:(?:::)?[<\[][^<>()\[\];\n]*[>\]])?[ \t]*\(|![ \t]*[(\[{]")
_DECORATES = re.compile(r"@\s*(?:#?[\w$]+\s*\??\.\s*)*$")
# How far before a name the sign of a decorator may stand.
_BEFORE = 200
_ALIAS = re.compile(
    r"\b(?:const|let|var)\s+(?P<variable>[\w$]+)\s*(?::[^=;\n]*)?=\s*(?:[\w$]+\s*\??\.\s*)*(?P<name>[\w$]+)"
    r"[ \t]*(?:[;,\n]|\Z)"
)


def is_call(text: str, start: int, end: int, form: Form) -> bool:
    """Whether the name at `start`..`end` is called there, or decorates."""
    decorates = "@" in form.decorator and _DECORATES.search(text[max(0, start - _BEFORE) : start]) is not None
    return decorates or _CALLED.match(text, end) is not None


def calls(text: str, start: int, end: int, form: Form) -> Iterator[tuple[int, int]]:
    """Where between two offsets something is called: the spans of the names."""
    for kind, first, last in forms.read(text[start:end], form):
        if kind == "name" and is_call(text, start + first, start + last, form):
            yield start + first, start + last


def aliases(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """For variables that are other names of something (`const name = lib.key`): where both are named."""
    for found in _ALIAS.finditer(text, start, end):
        yield found.start("variable"), found.start("name")
