"""How a mention uses a symbol: by form alone, from the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.domain.source import forms
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.tokens import KEYWORDS, tokens

# What stands between `<` and `>`, in type parameters too: brackets in one another; no two operands, and no statement.
_PLAIN = r"[^<>(){}=&|]|=>?|&(?!&)|\|(?!\|)"
_NESTED = _PLAIN
for _ in range(6):
    _NESTED = rf"{_PLAIN}|[<({{](?>(?:{_NESTED})*)[>)}}]"
_ENDED = r";|\n[ \t]*(?:const|let|var|if|for|while|return|throw|export)\b"
# What may stand between a name and the bracket of its call: `!`, `?.`, type arguments. `f.call(…)` calls f.
_CALLED = re.compile(
    rf"(?:\s|!(?!=)|/\*(?:[^*]|\*(?!/))*\*/)*(?:\?\.\s*)?(?:<(?>(?:(?!{_ENDED})(?:{_NESTED}))*)>\s*)?(?:\(|`)"
    r"|\s*!?\s*\??\.\s*(?:call|apply)\s*\("
)
# In other languages a line's end may end the statement.
_CALLED_PLAINLY = re.compile(r"[ \t]*(?:(?:::)?[<\[][^<>()\[\];\n]*[>\]])?[ \t]*\(|![ \t]*[(\[{]")
_DOTTED = r"(?:#?[\w$]+\s*\??\.\s*)*"
_CONSTRUCTED = re.compile(rf"\bnew\s+{_DOTTED}$")
_DECORATES = re.compile(rf"@\s*{_DOTTED}$")
# No element begins behind an operand: `a < b`.
_ELEMENT = re.compile(
    rf"(?:\A|[^\w$)\]\s]|\b(?:return|default|case|else|do|yield|await|of|in|new|void|typeof))\s*<\s*{_DOTTED}$"
)
# Behind text it is one only when an attribute or the end follows.
_IN_TEXT = re.compile(rf"(?P<apart>\s)?<{_DOTTED}$")
# `new a.B`, `@a.b` and `<a.B` call no a.
_PART = re.compile(r"\s*!?\s*\??\.\s*[\w$#]")
_ATTRIBUTES = re.compile(r"\s*/>|\s+(?:[\w-]+=|\{\s*\.\.\.)|(?P<ends>\s*>)")
# What may be around a callee: `(f as F)(…)`, `(0, f)(…)`, `new (f)(…)`, `a["f"](…)`.
# A statement's head may stand before it: `if (x) (f)()`.
_TEXT = r"[^()'\"`]|'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`"
_HEAD = rf"(?<![\w$.])(?:if|while|with|for(?:\s+await)?)\s*\((?:{_TEXT}|\((?:{_TEXT}|\((?:{_TEXT})*\))*\))*\)"
_GROUP = re.compile(
    r"(?:(?:\A|[^\w$)\]\s])\s*|\b(?:return|new|await|yield|void|throw|case|typeof|in|of|do|else)\s*"
    rf"|{_HEAD}\s*)"
    rf"(?P<open>\()\s*(?:0\s*,\s*)?{_DOTTED}$"
)
_GROUPED = re.compile(r"\s*!?\s*(?:(?:as|satisfies)\s(?:[^()=;{},]|=>|\((?:[^()]|\([^()]*\))*\))*)?\)")
_KEY = re.compile(r"(?<=[\w$)\]!.])\[\s*['\"]$")
_KEYED = re.compile(r"['\"]\s*\]")
# What a method's parameters are followed by; `extends f() {` is none, and `a ? f() : b` is told by what is before it.
_BODY = re.compile(r"[ \t]*\{")
_TYPE = re.compile(r"\s*:")
_EXTENDS = re.compile(rf"\bextends\s+{_DOTTED}$")
# In types they are also behind another member, which its line's end may end; no value stands behind a value.
_KEY_BEFORE = re.compile(
    r"(?:[{,;]|(?:[\])}>'\"`]|(?<![\w$])(?!(?:await|case|delete|in|instanceof|new|of|return|typeof|void|yield)\s)[\w$]+)"
    r"[ \t]*\r?\n)\s*(?:async\s+)?(?:\*\s*)?$"
)
# So long a list of parameters is looked through.
_PARAMETERS = 2000
# How far before a name `new` may stand.
_BEFORE = 200
# A bracket after one of these is no call.
_CONTEXTUAL = frozenset(
    "abstract accessor any as asserts async bigint boolean constructor declare from get global infer is module "
    "namespace never number object of out override package readonly require satisfies set static string symbol "
    "type unique unknown using".split()
)
_VARIABLE = re.compile(r"\b(?:const|let|var)\s+\Z")
_GIVEN = re.compile(rf"\s*(?::[^=;]*)?=\s*{_DOTTED}(?P<name>#?[\w$]+)\s*!?[ \t]*(?:[;,\n]|\Z)")
_OWN = ("super", "this")
_OPERATORS = frozenset("return new await yield void throw case typeof in of do else default delete extends".split())
_HEADS = frozenset("if while for switch with catch function".split())
# A call of these is one of a name, or of a function on the spot, or of what a call gives.
_TOLD = re.compile(
    rf"\A\(\s*(?:0\s*,\s*)?{_DOTTED}#?[\w$]+{_GROUPED.pattern}\Z|=>|\A\(\s*(?:async|function|class)\b|\)\s*\)\Z"
    r"|\[\s*(?:'[^']*'|\"[^\"]*\")\s*\]\Z"
)
_NO_CALLEES = (KEYWORDS - _CONTEXTUAL) | {"constructor"}


def is_call(text: str, start: int, end: int, *, jsx: bool = False, form: Form | None = None) -> bool:
    """Whether the name at `start`..`end` is called there: `f()`, `new F`, a template's tag, `@F`, or `<F`.

    jsx: whether `<F` can open an element. form: of a language other than TypeScript.
    """
    if form is not None:
        decorates = "@" in form.decorator and _DECORATES.search(text[max(0, start - _BEFORE) : start]) is not None
        return decorates or _CALLED_PLAINLY.match(text, end) is not None
    start, end = _callee(text, start, end)
    before = text[max(0, start - _BEFORE) : start]
    whole = _PART.match(text, end) is None
    if whole and (_CONSTRUCTED.search(before) or _DECORATES.search(before)):
        return True
    if jsx and whole and (_ELEMENT.search(before) or _is_in_text(before, text, end)):
        return True
    called = _CALLED.match(text, end)
    # Behind a colon it may be a type, and what follows on the next line another signature.
    if called is None or ("\n" in called[0] and before.rstrip().endswith(":")):
        return False
    return not is_method(text, start, end, jsx=jsx)


def _is_in_text(before: str, text: str, end: int) -> bool:
    """Whether an element's name ends there that stands behind text. `a<B>` may be a call with its type."""
    begins, follows = _IN_TEXT.search(before), _ATTRIBUTES.match(text, end)
    return begins is not None and follows is not None and (follows["ends"] is None or begins["apart"] is not None)


def is_method(text: str, start: int, end: int, *, jsx: bool) -> bool:
    """Whether the name at `start`..`end` is a method's that is declared there: not every outline has those of an object
    that a call is given."""
    called = _CALLED.match(text, end)
    if called is None or not called[0].endswith("("):
        return False
    before, paren, depth = text[max(0, start - _BEFORE) : start], called.end() - 1, 0
    for kind, first, last in tokens(text[paren : paren + _PARAMETERS], jsx=jsx):
        mark = text[paren + first : paren + last] if kind == "punctuation" else ""
        depth += (mark in ("(", "[", "{")) - (mark in (")", "]", "}"))
        if depth == 0:
            if _BODY.match(text, paren + last):
                return _EXTENDS.search(before) is None
            return _TYPE.match(text, paren + last) is not None and _is_key_behind(text, start)
    return False


def _is_key_behind(text: str, start: int) -> bool:
    """Whether a key may stand there, by what is before it and comments on it."""
    end = start
    while text[max(0, end - _BEFORE) : end].rstrip().endswith("*/"):
        end = max(0, text.rfind("/*", 0, end))
    before = text[max(0, end - _BEFORE) : end] + text[end:start].rpartition("*/")[2]
    return _KEY_BEFORE.search(before) is not None


def _callee(text: str, start: int, end: int) -> tuple[int, int]:
    """The name with the brackets around it that hold nothing else."""
    if text[end : end + 1] in ("'", '"') and (keyed := _KEYED.match(text, end)):
        key = _KEY.search(text, max(0, start - _BEFORE), start)
        start, end = (key.start(), keyed.end()) if key else (start, end)
    while grouped := _GROUPED.match(text, end):
        group = _GROUP.search(text, max(0, start - _BEFORE), start)
        if group is None:
            break
        start, end = group.start("open"), grouped.end()
    return start, end


def calls(text: str, start: int, end: int, *, jsx: bool = False, form: Form | None = None) -> Iterator[tuple[int, int]]:
    """Where between two offsets something is called: the spans of the names."""
    if form is not None:
        for kind, first, last in forms.read(text[start:end], form):
            if kind == "name" and is_call(text, start + first, start + last, form=form):
                yield start + first, start + last
        return
    for kind, first, last in tokens(text[start:end], jsx=jsx):
        word = text[start + first : start + last]
        if kind == "string" and word[:1] in ("'", '"'):
            first, last = first + 1, last - 1
        elif kind not in ("name", "keyword") or (kind == "keyword" and word in _NO_CALLEES and word not in _OWN):
            continue
        if word == "this" and not _CONSTRUCTED.search(text, max(0, start + first - _BEFORE), start + first):
            continue
        if is_call(text, start + first, start + last, jsx=jsx):
            yield start + first, start + last


def unnamed_calls(text: str, start: int, end: int, *, jsx: bool = False) -> Iterator[str]:
    """What is called between two offsets without a name that tells it: `table[key]`, `(one || other)`."""
    # Where what an open bracket belongs to begins; None for arguments, parameters and lists.
    opened: list[int | None] = []
    name, value, last = start, False, ""
    for kind, first, stop in tokens(text[start:end], jsx=jsx):
        word, place = text[start + first : start + stop], start + first
        if kind == "comment":
            continue
        if kind == "punctuation" and word in ("(", "["):
            group = not value and last not in _HEADS
            opened.append((name if value else None) if word == "[" else place if group else None)
        elif kind == "punctuation" and word in (")", "]") and opened:
            began = opened.pop()
            called = "" if began is None else text[began : start + stop]
            if called and _CALLED.match(text, start + stop) and not _TOLD.search(called):
                yield " ".join(called.split())
        if kind in ("name", "keyword") and last not in (".", "?."):
            name = place
        value = word in (")", "]", "!", "?.") or kind == "name" or (kind == "keyword" and word not in _OPERATORS)
        last = word


def origin_at(text: str, start: int, end: int) -> int | None:
    """Where the name stands that the variable at `start`..`end` is another name of: `const name = lib.key`."""
    if not _VARIABLE.search(text, max(0, start - _BEFORE), start):
        return None
    given = _GIVEN.match(text, end)
    return given.start("name") if given else None
