"""How a mention uses a symbol: by form alone, from the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

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
# How long the head of a class may be.
HEAD = 4000
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


Relation = Literal["extends", "implements"]


class Heir(NamedTuple):
    """A name in a heritage clause: where it stands, and after which word (`extends` or `implements`)."""

    start: int
    end: int
    relation: Relation


def heritage(text: str, start: int, form: Form | None = None) -> Iterator[Heir]:
    """The types that the class or interface whose name ends at `start` says it extends and implements.

    Of `ns.Base<T>` it is `Base`, of a mixin `Mix(Base)` both `Mix` and `Base`; type arguments are none of it.
    """
    if form is not None:
        for first, end in forms.parents(text, start, form):
            yield Heir(first, end, "extends")
        return
    relation: Relation | None = None
    angles = brackets = 0
    last: Heir | None = None
    for kind, first, end in tokens(text[start : start + HEAD]):
        word = text[start + first : start + end]
        if word == "extends" and not angles and not brackets:
            relation = "extends"
        elif word == "implements" and not angles and not brackets:
            relation = "implements"
        elif word == "<":
            angles += 1
        elif word == ">":
            angles = max(0, angles - 1)
        elif word in "([" and kind == "punctuation":
            brackets += 1
        elif word in ")]" and kind == "punctuation":
            brackets -= 1
        elif word == "{" and not angles:
            break
        elif kind == "name" and relation and not angles:
            if last is not None and text[last.end : start + first].strip(" \n\t?") != ".":
                yield last
            last = Heir(start + first, start + end, relation)
    if last is not None:
        yield last
