"""How source text of languages other than TypeScript is read, by its row in `form_table`.

By form alone: which words are identifiers, where imports stand, what decorates a
declaration, where its head ends and which types it names as its parents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from cn_daemon.domain.source.form_table import BY_ENDING, UNKNOWN, Form
from cn_daemon.domain.source.interpolated import Token, tokens
from cn_daemon.domain.source.text import line_start

# A whole type may stand in a head: `func f() interface{} {`.
_TYPED = frozenset({"struct", "interface"})
_OPEN_TYPE = re.compile(r"\s*(?:\[[^\]\n]*\])?\s*(?:struct|interface)\s*\{")


def form_of(path: str) -> Form | None:
    """The form of a file's text; None for TypeScript and JavaScript, which the parser reads."""
    return BY_ENDING.get(os.path.splitext(path)[1])


def admit(endings: Iterable[str]) -> None:
    """Have files be read as those of another language than TypeScript, as settings name it. A process has one
    workspace."""
    for ending in endings:
        BY_ENDING.setdefault(ending, UNKNOWN)


def read(text: str, form: Form) -> Iterator[Token]:
    """The tokens of `text`, white space left out; those of the code in a string as well."""
    for token in tokens(text, form.token, code_in_strings=form.interpolated):
        is_keyword = token.kind == "name" and text[token.start : token.end] in form.keywords
        yield token._replace(kind="keyword") if is_keyword else token


def mentions(text: str, form: Form, name: str) -> Iterator[int]:
    """Where `name` stands in `text` as an identifier: not in a comment or a string."""
    if name not in text:
        return
    if not name.isidentifier():
        yield from _spelled(text, form, name)
        return
    for kind, start, end in read(text, form):
        if kind == "name" and end - start == len(name) and text.startswith(name, start):
            yield start


def _spelled(text: str, form: Form, name: str) -> Iterator[int]:
    """Of a name of several words, `my-function`."""
    words = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for kind, start, _ in read(text, form):
        if kind not in ("comment", "string") and (found := words.match(text, start)):
            yield found.start()


def may_declare(text: str, form: Form, name: str) -> bool:
    """Whether some mention of `name` could be a declaration. It errs towards yes."""
    lines = (text[line_start(text, start) : start] for start in mentions(text, form, name))
    return any(form.using.search(before) is None for before in lines)


def declared(text: str, form: Form) -> list[str]:
    """The names that other files may use of what `text` declares at its top level, in order."""
    return list(dict.fromkeys(name for found in form.declared.finditer(text) for name in found.groups() if name))


def left_out(text: str, form: Form) -> str:
    """What in `text` may leave it out of the build, or nothing."""
    found = form.left_out.search(text) if form.left_out else None
    return found[0].strip() if found else ""


def head_end(text: str, form: Form) -> int:
    """Where the head of the declaration that `text` is ends: before its body, or where it does."""
    depth = 0
    before, called = "", False
    for kind, start, end in read(text, form):
        mark = text[start:end]
        if kind == "punctuation":
            if depth == 0 and mark in (form.body, ";") and not (called and before in _TYPED):
                return start
            called = called or mark == "("
            depth += (mark in "([{") - (mark in ")]}")
        before = mark
    return len(text)


def parents(text: str, start: int, form: Form) -> Iterator[tuple[int, int]]:
    """The types that the type whose name ends at `start` names as its parents: of `a.B[T]` it is B."""
    if form.embedded is not None:
        yield from _embedded(text, start, form.embedded)
    if form.implementing is not None:
        yield from _implemented(text, start, form)
    found = form.parents.match(text, start)
    if found is None:
        return
    first, last = found.span("names")
    depth = 0
    pending: tuple[int, int] | None = None
    named = False
    for kind, begin, end in read(text[first:last], form):
        mark = text[first + begin : first + end]
        if kind == "punctuation":
            depth += (mark in "([<") - (mark in ")]>")
            if mark in form.between and depth == 0 and pending:
                yield pending
                pending = None
            named = named or mark == "="
            named = named and mark not in form.between
        elif kind == "name" and depth == 0 and not named:
            if text[first + end : last].lstrip().startswith("="):
                continue  # an argument with a name: `metaclass=…`
            pending = (first + begin, first + end)
    if pending:
        yield pending


def _implemented(text: str, end: int, form: Form) -> Iterator[tuple[int, int]]:
    """The type that stands before another, whose name ends at `end`, and that this one implements."""
    assert form.implementing is not None
    opening, closing = form.implementing
    begin = max(text.rfind(mark, 0, end) for mark in "{};") + 1
    named: tuple[int, int] | None = None
    depth, before = -1, ""
    for kind, first, last in read(text[begin:end], form):
        mark = text[begin + first : begin + last]
        if mark == opening and depth <= 0:
            named, depth = None, 0
        elif mark == closing and depth == 0 and named:
            yield named
            return
        elif kind == "name" and depth == 0:
            named = begin + first, begin + last
        # `->` closes nothing.
        depth += (mark == "<") - (mark == ">" and before != "-") if depth >= 0 else 0
        before = mark


def _embedded(text: str, start: int, line: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The types that stand by themselves on a line of a type's body."""
    opening = _OPEN_TYPE.match(text, start)
    first, depth = (opening.end(), 1) if opening else (start, 0)
    while depth:
        last = text.find("\n", first)
        last = len(text) if last < 0 else last
        found = line.fullmatch(text, first, last) if depth == 1 else None
        if found is not None:
            yield found.span("name")
        depth += text.count("{", first, last) - text.count("}", first, last)
        if last == len(text):
            return
        first = last + 1
