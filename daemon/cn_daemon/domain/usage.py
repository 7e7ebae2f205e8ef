"""How a mention uses a symbol: by form alone, from the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.domain import forms
from cn_daemon.domain.form_table import Form
from cn_daemon.domain.tokens import KEYWORDS, tokens

# What may stand between a name and the bracket of its call: `!`, `?.`, type arguments. `f.call(…)` calls f.
_CALLED = re.compile(
    r"(?:\s|!(?!=)|/\*(?:[^*]|\*(?!/))*\*/)*(?:\?\.\s*)?"
    r"(?:<(?:[^<>(){};]|=>|\([^()]*\)|\{[^{}]*\}|<(?:[^<>(){};]|<[^<>(){};]*>)*>)*>\s*)?(?:\(|`)"
    r"|\s*\.\s*(?:call|apply)\s*\("
)
# In other languages a line's end may end the statement.
_CALLED_PLAINLY = re.compile(r"[ \t]*(?:(?:::)?[<\[][^<>()\[\];\n]*[>\]])?[ \t]*\(|![ \t]*[(\[{]")
_DOTTED = r"(?:#?[\w$]+\s*\??\.\s*)*"
_CONSTRUCTED = re.compile(rf"\bnew\s+{_DOTTED}$")
_DECORATES = re.compile(rf"@\s*{_DOTTED}$")
_ELEMENT = re.compile(rf"(?<![\w$)\]>])\s*<\s*{_DOTTED}$")
# How far before a name `new` may stand.
_BEFORE = 200
# A bracket after one of these is no call.
_CONTEXTUAL = frozenset(
    "abstract accessor any as asserts async bigint boolean constructor declare from get global infer is module "
    "namespace never number object of out override package readonly require satisfies set static string symbol "
    "type unique unknown using".split()
)
_NO_CALLEES = (KEYWORDS - _CONTEXTUAL) | {"constructor"}


def is_call(text: str, start: int, end: int, *, jsx: bool = False, form: Form | None = None) -> bool:
    """Whether the name at `start`..`end` is called there: `f()`, `new F`, a template's tag, `@F`, or `<F`.

    jsx: whether `<F` can open an element. form: of a language other than TypeScript.
    """
    if form is not None:
        decorates = "@" in form.decorator and _DECORATES.search(text[max(0, start - _BEFORE) : start]) is not None
        return decorates or _CALLED_PLAINLY.match(text, end) is not None
    before = text[max(0, start - _BEFORE) : start]
    if _CONSTRUCTED.search(before) or _DECORATES.search(before):
        return True
    if jsx and _ELEMENT.search(before):
        return True
    return _CALLED.match(text, end) is not None


def calls(text: str, start: int, end: int, *, jsx: bool = False, form: Form | None = None) -> Iterator[tuple[int, int]]:
    """Where between two offsets something is called: the spans of the names."""
    if form is not None:
        for kind, first, last in forms.read(text[start:end], form):
            if kind == "name" and is_call(text, start + first, start + last, form=form):
                yield start + first, start + last
        return
    for kind, first, last in tokens(text[start:end], jsx=jsx):
        word = text[start + first : start + last]
        if kind not in ("name", "keyword") or (kind == "keyword" and word in _NO_CALLEES and word != "super"):
            continue
        if is_call(text, start + first, start + last, jsx=jsx):
            yield start + first, start + last
