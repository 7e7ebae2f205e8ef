"""What a class is handed on to, by the text around its name: `const Base = mix(Shape)`, `{ Base: Shape }`,
`Parent?: typeof Shape`, `make(): new () => Shape`. Something may extend `Base`, `Parent` or `make()`."""

from __future__ import annotations

import re
from typing import NamedTuple

from cn_daemon.domain.mentions.clauses import clause_at
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import occurrences

# How far before a mention the name may stand that is given it.
_REACH = 600
_DOTTED = r"(?:[\w$]+\s*\??\.\s*)*\Z"
_NAME = r"(?:[,({;]|^|\b(?:const|let|var|static|readonly|public|private|protected|override|declare))\s*(?P<name>[\w$]+)"
# A key, or a parameter of that type: only a class has a name of this form.
_KEY = _NAME.replace("?P<name>", "?P<name>(?=[A-Z])")
# The name that is given the class, or what is made of it: `Name: typeof `, `Name = mix(`, `Name: mix(`.
_GIVEN = tuple(
    re.compile(name + given + _DOTTED, re.MULTILINE)
    for name, given in (
        (_NAME, r"\s*[?!]?\s*:\s*(?:\(\s*)?typeof\s+"),
        (_NAME, r"\s*(?::[^=;{}]*)?(?<![=!<>])=(?![=>])(?:[^;={}]*[^\w$;={}])?"),
        (_KEY, r"\s*:\s*(?:[\w$.]+\(\s*)*"),
    )
)
# `const { Shape } = await load()`, `const { Shape: Base } = …`: a pattern takes it.
_TAKING = re.compile(r"\b(?:const|let|var)\s*\{[^{}=;]*\Z")
_TAKEN = re.compile(r"(?:\s*:\s*(?P<name>[\w$]+))?\s*[,}]")
# What is around it gives it: `return `, `=> `, `new () => A & `, in an interface `new (): A & `.
_RETURNED = re.compile(
    r"(?:\breturn\b[^;{}]*[^\w$;{}]|(?:=>|\bnew\s*(?:<[^;{}()]*>\s*)?\([^;{}()]*\)\s*:)(?:[^;{}=()]*[^\w$;{}=()])?)"
    + _DOTTED
)
# What a type is given may be what it makes: `make(): Maker<`.
_ARGUMENT = re.compile(r"[\w$]<(?:[^;{}()=<>]{0,200},\s*)?" + _DOTTED)
_MADE = re.compile(r"\bnew\s+" + _DOTTED)
_MAKES = re.compile(r"\bnew\s*[<(]")
# What a type parameter extends is nothing that is given: `return b as new <C extends A>(…)`.
_BOUND = re.compile(r"[<,]\s*(?:(?:const|in|out)\s+)*[\w$]+\s+extends\s+" + _DOTTED)
_ENDED = re.compile(r"\s*(?:[,;)}&|<?:]|=(?!=)|\n|as\b|\Z)|\s*\(")
# It goes by another name elsewhere.
_RENAMED = re.compile(r"\s+as\s")
_EXPORTED = re.compile(r"(?:\bdefault\s+(?:(?:abstract|class|interface)\s+)*|\bexports?\s*=\s*)\Z")


class Holder(NamedTuple):
    """The name that holds the class, and where it stands; neither when it is the declaration around the mention."""

    name: str = ""
    start: int = 0


def holder_at(text: str, start: int, end: int, *, value: bool) -> Holder | None:
    """What holds the class that is mentioned there. value: the mention is a class, and no mere type."""
    before = text[max(0, start - _REACH) : start]
    if value and (taken := _TAKEN.match(text, end)) and _TAKING.search(before):
        return Holder(taken["name"], taken.start("name")) if taken["name"] else Holder(text[start:end], start)
    if not _ENDED.match(text, end) or _BOUND.search(before):
        return None
    if _MADE.search(before) if value else not _MAKES.search(before):
        return None
    given = next((found for one in _GIVEN if value and (found := one.search(before))), None)
    if given is not None:
        return Holder(given["name"], start - len(before) + given.start("name"))
    return Holder() if _RETURNED.search(before) else None


def is_argument(text: str, start: int) -> bool:
    """Whether another type is given there what is mentioned."""
    return _ARGUMENT.search(text, max(0, start - _REACH), start) is not None


def is_made(text: str, start: int) -> bool:
    """Whether a signature with `new` may give what is mentioned there."""
    return _MAKES.search(text, max(0, start - _REACH), start) is not None


def leads_on(source: SourceText, name: str, *, value: bool) -> bool:
    """Whether something in a text may inherit from what has that name there, hand it on, or give it another name."""
    text = source.text
    for start in occurrences(text, name):
        end = start + len(name)
        if _RENAMED.match(text, end) or _EXPORTED.search(text, max(0, start - 40), start):
            return True
        if source.in_imports(start):
            continue
        if clause_at(source, start) or holder_at(text, start, end, value=value):
            return True
    return False


def is_extended(text: str, name: str) -> bool:
    """Whether some class in `text` may extend a thing of that name."""
    extends = rf"\bclass\b[^;{{}}]*?\bextends\s[^;{{}}]*?(?<![\w$]){re.escape(name)}(?![\w$])"
    return re.search(extends, text) is not None
