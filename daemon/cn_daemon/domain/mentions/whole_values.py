"""The names that a file gives whole modules (`import * as a`, `a = await import("b")`), and whether it hands on such a
module as a value, of which other files may take a member."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cn_daemon.domain.mentions.taking import is_parameter
from cn_daemon.domain.source.brackets import DECLARING, Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, line_start, occurrences

_SPECIFIER = r"\s*['\"](?P<specifier>[^'\"\n]+)"
# One by one, and beginning with letters or signs: these are looked for, which is many times faster.
_NAMED = (
    re.compile(rf"\* as\s+(?P<name>[\w$]+)\s+from{_SPECIFIER}"),
    re.compile(rf"await\s+import\s*\({_SPECIFIER}"),
    re.compile(rf"require\s*\({_SPECIFIER}"),
)
_TYPES = re.compile(rf"typeof\s+import\s*\({_SPECIFIER}['\"]\s*\)(?!\s*[.\[])")
_HEAD = re.compile(r"(?:.*[;{])?\s*(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\Z")
_GIVEN = re.compile(r"\b(?:const|let|var|import)\s+(?P<name>[\w$]+)\s*=\s*\Z")
# What stands before it and behind where it may be one: only then the words of the text are read.
_BEFORE = re.compile(r"(?:[=(,{[:?&|!<>]|(?<=\.\.)\.|\b(?:return|typeof|default|await|yield|of|in|else))\s*\Z")
_BEHIND = re.compile(r"\s*(?:[,;)}\]>&|:=!]|\?(?!\.)|as\b|satisfies\b|\Z)|[ \t]*\n(?!\s*[.?(\[])")
_PROSE = re.compile(r"\s*(?://|/?\*)")
_NO_VALUE = DECLARING | frozenset(". ?. as is extends implements keyof function class interface type namespace".split())
_PRIMITIVE = frozenset({"any", "bigint", "boolean", "number", "object", "string", "symbol", "unknown"})
_CONTROLS = frozenset({"if", "while", "switch"})
_WAITING = frozenset({"await", "void"})
_ENDED = frozenset({"", ";", "{", "}", ")", "else", "do"})
_NEAR = 40
# What stands around a name that is taken of something: `a.b`, `a["b"]`, `{ b: c }`.
_TAKEN = re.compile(
    r"(?:(?<![\w$.])(?P<holder>(?!this\b)[\w$]+)[?!]?\.|(?:(?<!this)(?<!\.)\.|[{,]|\[\s*['\"]|//[^\n]*\n)\s*)\Z"
)
# A variable, a parameter, or a key: what stands before a name, and behind it.
_DECLARED = (
    (re.compile(r"\b(?:const|let|var|function|class)\s+\Z"), re.compile("")),
    (re.compile(""), re.compile(r"\s*=>")),
    (re.compile(r"[(,]\s*\Z"), re.compile(r"\s*(?:\??\s*:|(?:,[^()]*)?\)\s*(?:=>|\{))")),
    (re.compile(r"[{,:]\s*\Z"), re.compile(r"\s*(?:,[^{}]*)?\}\s*(?:=(?!=)|:|\))")),
)
_KEY = re.compile(r"\s*[,:=}]|['\"]")
_LOADING = frozenset({"await", "require", "import"})


def whole_names(document: Document) -> list[tuple[str, str]]:
    """Each name that the file gives a whole module, and the specifier of that."""
    text = document.text
    found = []
    for pattern in _NAMED:
        for one in pattern.finditer(text):
            head = text[line_start(text, one.start()) : one.start()]
            if "name" not in pattern.groupindex:
                given = _GIVEN.search(head)
                found += [(given["name"], one["specifier"])] if given else []
            elif _HEAD.match(head):
                found.append((one["name"], one["specifier"]))
    return found


def typed_wholes(document: Document) -> list[str]:
    """The specifiers of the modules whose types a file names, `typeof import("a")`."""
    return [one["specifier"] for one in _TYPES.finditer(document.text)]


def is_value(document: Document, name: str) -> bool:
    """Whether the whole module of that name goes to where other files may take something of it. It errs towards yes."""
    source = document.once(SourceText)
    script = None
    for start in occurrences(source.text, name):
        if _is_plain(source.text, start, start + len(name)) or source.in_imports(start):
            continue
        script = script or brackets(document)
        number = script.at(start)
        if (
            script.text(number) == name
            and not _is_other(script, number)
            and _goes_on(script, number)
            and not _is_shadowed(script, number)
        ):
            return True
    return False


def taken_in(document: Document, names: Iterable[str]) -> Iterator[Position]:
    """Where a member of one of these names may be taken of a whole module that is not imported there."""
    source = document.once(SourceText)
    text = source.text
    for name in names:
        for start in occurrences(text, name):
            found = _TAKEN.search(text, max(0, start - _NEAR), start)
            if found is None or source.in_imports(start) or _is_prose(text, start):
                continue
            if found["holder"] is not None and not document.known(_may_hold, found["holder"]):
                continue
            if found[0].endswith(".") or _KEY.match(text, start + len(name)):
                yield source.position(start)


def _may_hold(document: Document, name: str) -> bool:
    """Whether a name may be something else than a module that is imported there."""
    if all(name != given for given, _ in document.once(whole_names)):
        return True
    text = document.text
    return any(
        behind.match(text, start + len(name)) and before.search(text, max(0, start - _NEAR), start)
        for start in occurrences(text, name)
        for before, behind in _DECLARED
    )


def _is_prose(text: str, start: int) -> bool:
    first = line_start(text, start)
    return _PROSE.match(text, first) is not None and text.find("{@", first, start) < 0


def _is_plain(text: str, start: int, end: int) -> bool:
    """Whether what stands around it tells at once that it is none."""
    around = _BEHIND.match(text, end) and _BEFORE.search(text, max(0, start - _NEAR), start)
    return not around or _is_prose(text, start)


def _is_other(script: Brackets, number: int) -> bool:
    """Whether it is a member, a key, a type, or given a value or a meaning there."""
    earlier, before, name, behind, further = (script.text(number + step) for step in range(-2, 3))
    if before in _NO_VALUE or behind in (".", "?.", "(", "[", "=>", ">"):
        return True
    if (before in ("|", "&") and earlier != before) or (behind in ("|", "&") and further != behind):
        return True
    if name in _PRIMITIVE and (before in (":", "<") or script.text(script.opener[number]) == "["):
        return True
    if behind == ":":
        return before != "?"
    return (behind == "=" and further != "=") or (behind == "?" and further != "?")


def _goes_on(script: Brackets, number: int) -> bool:
    """Whether what it is given to goes on: that of a call that is a statement does not, as in most tests."""
    first, called = number, False
    while script.text(paren := script.opener[first]) == "(":
        before = script.words[paren - 1]
        if before.text in _CONTROLS:
            return False
        if before.text == ">":
            return True
        called = called or before.kind == "name" or before.text in (")", "]")
        first = _callee(script, paren)
    if not called:
        return True
    while script.text(first - 1) in _WAITING:
        first -= 1
    return script.text(first - 1) not in _ENDED and not script.words[first].ends


def _callee(script: Brackets, paren: int) -> int:
    """The first word of what is called with parentheses; themselves where nothing is."""
    first = paren
    while True:
        before = script.words[first - 1]
        if before.text in (")", "]") and not script.words[first].ends:
            first = script.opener[first - 1]
        elif before.text in (".", "?.", "!") or (before.kind == "name" and script.text(first) in ("(", "[", ".", "?.")):
            first -= 1
        else:
            return first - (before.text == "new")


def _is_shadowed(script: Brackets, number: int) -> bool:
    """Whether a parameter or a variable around it has the name."""
    scopes = (_scope(script, at) for at in script.places[script.text(number)])
    return any(first <= number <= last for first, last in scopes)


def _scope(script: Brackets, at: int) -> tuple[int, int]:
    """From where to where what is declared there is known; nothing where nothing is."""
    if script.text(at - 1) in DECLARING or script.text(at - 1) in ("function", "class"):
        around = 0 if script.text(at + 2) in _LOADING else script.opener[at]
        return (around, script.closer.get(around, 0)) if around else (0, 0)
    if script.text(at + 1) == "=>":
        return at, _body(script, at + 1)
    typed = script.text(script.opener[at]) == "(" and script.text(at + 1 + (script.text(at + 1) == "?")) == ":"
    if not is_parameter(script, at) and not (typed and script.text(at - 1) in ("(", ",", "...")):
        return 0, 0
    paren = at
    while script.text(paren) != "(":
        paren = script.opener[paren]
    closing = script.closer.get(paren)
    # What no bracket closes goes on to the end.
    return paren, _body(script, closing + 1) if closing is not None else len(script.words)


def _body(script: Brackets, number: int) -> int:
    """The end of the function whose arrow, type or brace stands there."""
    while script.text(number) not in ("{", ";", "", "=>") and not script.words[number].ends:
        number = script.closer.get(number, number) + 1
    if script.text(number) == "=>":
        number += 1
        while script.text(number) not in ("{", ",", ";", ")", "]", "}", ""):
            number = script.closer.get(number, number) + 1
            if script.words[number].ends:
                return number - 1
    return script.closer.get(number, number)
