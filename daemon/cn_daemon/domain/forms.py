"""How source text of languages other than TypeScript is read: one row of data per language.

By form alone, as `tokens` does for TypeScript: which words are identifiers, where imports stand, what decorates a
declaration, where its head ends and which types it names as its parents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cn_daemon.domain.tokens import Token
from cn_daemon.domain.tokens import identifiers as typescript_identifiers


@dataclass(frozen=True, slots=True)
class Form:
    """token: a pattern whose groups are kinds of tokens. imports: statements whose names are declared elsewhere.

    comments: what begins a comment of its own line. decorator: what begins one. body: the mark that ends a
    declaration's head. using: what before a name, on its line, tells that it declares nothing there. parents: by its
    group `names`, the list of types behind the name of a type. renamed: what behind a name in an import gives it
    another.
    """

    name: str
    token: re.Pattern[str]
    keywords: frozenset[str]
    imports: re.Pattern[str]
    comments: tuple[str, ...]
    decorator: tuple[str, ...]
    body: str
    using: re.Pattern[str]
    parents: re.Pattern[str]
    renamed: re.Pattern[str] | None = None


_MEMBER = re.compile(r"(?:\.|->)\s*$")
_NAME = r"|(?P<number>\.?\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<punctuation>[\s\S])"
_C_LIKE = r"(?P<space>\s+)|(?P<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
_QUOTED = r'"(?:\\[\s\S]|[^"\\\n])*"?'

PYTHON = Form(
    "python",
    re.compile(
        r"(?P<space>\s+)|(?P<comment>#[^\n]*)"
        r"|(?P<string>(?i:[rbuft]{0,3})(?:\"\"\"(?:\\[\s\S]|[^\\])*?(?:\"\"\"|\Z)|'''(?:\\[\s\S]|[^\\])*?(?:'''|\Z)"
        rf"|{_QUOTED}|'(?:\\[\s\S]|[^'\\\n])*'?))" + _NAME
    ),
    frozenset(
        "False None True and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return try while with yield".split()
    ),
    re.compile(
        r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^)]*\)|(?:[^\n\\]|\\\n)*)|import[ \t](?:[^\n\\]|\\\n)*)",
        re.M,
    ),
    ("#",),
    ("@",),
    ":",
    re.compile(r"[.:=(\[{]|^\s*(?:from|import|return|raise|if|elif|while|assert|yield|await|del|except|with)\b"),
    re.compile(r"\s*(?:\[[^\]]*\])?\s*\((?P<names>[^()]*(?:\([^()]*\)[^()]*)*)\)"),
    re.compile(r"[ \t]+as[ \t]+(?P<name>[^\W\d]\w*)"),
)
C = Form(
    "c",
    re.compile(rf"{_C_LIKE}|(?P<string>{_QUOTED}|'(?:\\.[^']*|[^'\\\n])')" + _NAME),
    frozenset(
        "alignas auto bool break case catch char class const constexpr continue default delete do double else enum "
        "explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr "
        "operator override private protected public register return short signed sizeof static struct switch "
        "template this throw true try typedef typename union unsigned using virtual void volatile while".split()
    ),
    re.compile(r"^[ \t]*(?:#[ \t]*include\b[^\n]*|using[ \t]+(?:namespace[ \t])?[\w:]+;)", re.M),
    ("//",),
    (),
    "{",
    _MEMBER,
    re.compile(r"\s*(?:final\s*)?:(?!:)(?P<names>[^{;]*)"),
)
_BY_ENDING = {
    **dict.fromkeys((".py", ".pyi"), PYTHON),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), C),
}


def form_of(path: str) -> Form | None:
    """The form of a file's text; None for TypeScript and JavaScript, which `tokens` reads."""
    return _BY_ENDING.get(os.path.splitext(path)[1])


def read(text: str, form: Form) -> Iterator[Token]:
    """The tokens of `text`, white space left out."""
    for found in form.token.finditer(text):
        kind = found.lastgroup or "punctuation"
        if kind == "name" and found[0] in form.keywords:
            kind = "keyword"
        if kind != "space":
            yield Token(kind, found.start(), found.end())


def mentions(text: str, form: Form, name: str) -> Iterator[int]:
    """Where `name` stands in `text` as an identifier: not in a comment or a string."""
    if name not in text:
        return
    for kind, start, end in read(text, form):
        if kind == "name" and end - start == len(name) and text.startswith(name, start):
            yield start


def may_declare(text: str, form: Form, name: str) -> bool:
    """Whether some mention of `name` could be a declaration. It errs towards yes."""
    lines = (text[text.rfind("\n", 0, start) + 1 : start] for start in mentions(text, form, name))
    return any(form.using.search(before) is None for before in lines)


def identifiers(text: str, path: str) -> list[str]:
    """The identifiers of a part of a file, in order, each once."""
    form = form_of(path)
    if form is None:
        return typescript_identifiers(text, jsx=path.endswith((".tsx", ".jsx")))
    return list(dict.fromkeys(text[start:end] for kind, start, end in read(text, form) if kind == "name"))


def head_end(text: str, form: Form) -> int:
    """Where the head of the declaration that `text` is ends: before its body, or where it does."""
    depth = 0
    for kind, start, end in read(text, form):
        mark = text[start:end]
        if kind != "punctuation":
            continue
        if depth == 0 and mark in (form.body, ";"):
            return start
        depth += (mark in "([{") - (mark in ")]}")
    return len(text)


def parents(text: str, start: int, form: Form) -> Iterator[tuple[int, int]]:
    """The types that the type whose name ends at `start` names as its parents: of `a.B[T]` it is B."""
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
            if mark == "," and depth == 0 and pending:
                yield pending
                pending = None
            named = named or mark == "="
            named = named and mark != ","
        elif kind == "name" and depth == 0 and not named:
            if text[first + end : last].lstrip().startswith("="):
                continue  # an argument with a name: `metaclass=…`
            pending = (first + begin, first + end)
    if pending:
        yield pending
