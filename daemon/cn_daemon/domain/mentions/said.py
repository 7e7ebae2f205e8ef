"""Whether an object or a function is said to be of a type, and not of one that merely mentions it.

So is `{ … }` in `const a: A = { … }` and `{ … } as Mocked<A>`, in `const a: Record<string, A> = {}` it is not.
"""

from __future__ import annotations

from collections.abc import Collection

from cn_daemon.domain.source.brackets import DECLARING, Brackets

_SAYING = frozenset({"as", "satisfies"})
# The types that hold things of another, or are made of a part of it; what else takes it may be it, changed.
_HOLDING = frozenset(
    "Array ReadonlyArray Record Map ReadonlyMap WeakMap Set ReadonlySet WeakSet Iterable Iterator Generator "
    "AsyncIterable AsyncIterator AsyncGenerator Parameters ConstructorParameters ReturnType".split()
)
# A type ends before these.
_BEHIND = frozenset({",", ";", "=", "?", "||", "&&", "??", "==", "===", "!=", "!==", ""})
_NO_TYPE = frozenset({",", ";", "=", "return", ""}) | DECLARING


def said_by(script: Brackets, place: int, names: Collection[str]) -> list[list[int]] | None:
    """The mentions of a type that may say it, each as the offsets of the types that it is an argument of. None where
    nothing is said.

    place: where the object or the function begins. names: of the type.
    """
    first = script.at(place)
    types = [_before(script, first), _behind(script, script.closer.get(first, 0))]
    if script.text(first - 1) == "(":
        types += [_before(script, first - 1), _behind(script, script.closer.get(first - 1, 0))]
    named = [(at, words) for words in types for at in words if script.text(at) in names]
    around = [_around(script, at, words) for at, words in named]
    return [one for one in around if one is not None] if named else None


def _before(script: Brackets, first: int) -> range:
    """The words of the type of what is given a value there (`a: A = …`), or of what a function gives."""
    sign = first - 1
    if script.text(sign) == "return":
        return _returned(script, sign)
    if script.text(sign) not in ("=", "=>"):
        return range(0)
    at, depth = sign - 1, 0
    while depth or script.text(at) not in _NO_TYPE:
        text = script.text(at)
        depth += 0 if text == "=>" else text.count(">") - text.count("<")
        if text in ("(", "[", "{"):
            break
        if text == ":" and not depth:
            gives = script.text(sign) == "="
            return range(at + 1, sign) if gives or script.text(at - 1) == ")" else range(0)
        at = (script.opener[at] if text in (")", "]", "}") else at) - 1
    return range(0)


def _returned(script: Brackets, at: int) -> range:
    """Those of the type of what the function gives in which the word stands."""
    while at := script.opener[at]:
        if script.text(at) == "{" and script.text(at - 1) == "=>":
            return _before(script, at)
        if script.text(at) == "{" and (end := script.parameters(at)):
            return range(end + 2, at) if script.text(end + 1) == ":" else range(0)
    return range(0)


def _behind(script: Brackets, last: int) -> range:
    """Those of the type that follows what ends there (`… as A`)."""
    if not last or script.text(last + 1) not in _SAYING:
        return range(0)
    start = at = last + 2
    depth = 0
    while at == start or depth or not (script.words[at].ends or script.text(at) in _BEHIND):
        text = script.text(at)
        if text in (")", "]", "}", ""):
            break
        depth += 0 if text == "=>" else text.count("<") - text.count(">")
        at = script.closer.get(at, at) + 1
    return range(start, at)


def _around(script: Brackets, at: int, words: range) -> list[int] | None:
    """The types that a name among the words of a type is an argument of; None where it is not that type, as they
    tell."""
    if script.text(at + 1) in (".", "[") or script.text(at - 1) in ("keyof", "typeof"):
        return None
    if script.text(at + 1) == "<" and script.text(_closing(script, at + 1) + 1) == "[":
        return None
    around, open_ = script.opener[at], 0
    found: list[int] = []
    while at > words.start:
        at -= 1
        text = script.text(at)
        if text == "=>" and not open_:
            return None
        if at == around:
            if text != "(" or script.text(script.closer[at] + 1) in ("=>", "["):
                return None
            around = script.opener[at]
        elif text in (")", "]", "}"):
            at = script.opener[at]
        elif text != "=>" and (open_ := open_ + text.count(">") - text.count("<")) < 0:
            if script.text(at - 1) in _HOLDING:
                return None
            open_ = 0
            found.append(script.words[at - 1].start)
    return found


def _closing(script: Brackets, at: int) -> int:
    """The word that ends the arguments of a type, which begin there."""
    depth = 0
    while script.text(at):
        text = script.text(at)
        depth += 0 if text == "=>" else text.count("<") - text.count(">")
        if depth <= 0:
            break
        at = script.closer.get(at, at) + 1
    return at
