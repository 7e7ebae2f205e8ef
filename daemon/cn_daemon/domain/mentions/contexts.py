"""What has a say in the type of an object literal: what it is said to be, assigned or handed to."""

from __future__ import annotations

from collections.abc import Iterator

from cn_daemon.domain.source.brackets import DECLARING, Brackets

_CHAINED = frozenset({".", "?."})
# The value is given to what is not looked for, or has its type from what stands beside it (`a || { … }`).
_ELSEWHERE = frozenset(
    "=> | ; return yield throw const let var function class if for while else do case default in".split()
)
# Behind a pattern, or parameters.
_TAKING = frozenset({"=", "=>", "of", "in"})
_COMPARING = frozenset("=!<>")
_ENDS = frozenset({")", "]", "}", ">", ".", "?."})
_PLAIN = frozenset({"true", "false", "null", "undefined", "new"})


def givers(script: Brackets, brace: int) -> list[int] | None:
    """The numbers of the words for what an object is handed to, and handed with: f and a of `const b = f(a, { … })`,
    none of `const b = { c: { … } }`. None where it cannot be told, or something else has a say."""
    found: list[int] = []
    first, last = brace, script.closer.get(brace, 0)
    while last and not _is_said(script, last):
        if found and script.text(last + 1) in (".", "?.", "["):
            return found
        sign, around = _sign(script, first), script.opener[first]
        if script.text(last + 1) in _TAKING or (script.text(last + 1) == ":" and not _is_choice(script, sign, first)):
            return None
        if script.text(sign) == "=" and script.text(sign - 2) in DECLARING:
            return found
        if script.text(around) == "(" and script.text(sign) in ("(", ","):
            called = _called(script, around)
            beside = list(_beside(script, called, first, last))
            if not all(beside) or (called == around and sign != around):
                return None
            found += beside
            first = called
        elif script.text(around) == "{" and script.text(sign) in (":", "..."):
            first = around
        else:
            return None
        last = script.closer.get(around, 0)
    return None


def _is_said(script: Brackets, last: int) -> bool:
    return script.text(last + 1) in ("as", "satisfies") and script.text(last + 2) != "const"


def _sign(script: Brackets, first: int) -> int:
    """What a value stands behind of which a part begins there (`a = b ? c : { … }`): a sign, or the bracket around it.
    0 where it is given to something else."""
    around, at = script.opener[first], first - 1
    while at > around:
        text = script.text(at)
        if script.words[at + 1].ends or text in _ELSEWHERE or (text == "?" and script.text(at - 1) == "?"):
            return 0
        compares = text == "=" and (script.text(at - 1) in _COMPARING or script.text(at + 1) == "=")
        if text in (",", "...") or (text == "=" and not compares) or (text == ":" and _is_key(script, at)):
            return at
        at = (script.opener[at] if script.closer.get(script.opener[at]) == at else at) - 1
    return around


def _is_choice(script: Brackets, sign: int, first: int) -> bool:
    return any(script.text(at) == "?" and script.opener[at] == script.opener[first] for at in range(sign, first))


def _is_key(script: Brackets, sign: int) -> bool:
    """Whether a key stands before a colon, and no part of a choice."""
    before = script.opener[sign - 1] if script.text(sign - 1) == "]" else sign - 1
    return script.text(before - 1) in ("{", ",") and script.text(sign - 1) not in ("}", ")")


def _called(script: Brackets, paren: int) -> int:
    """The first word of what is called with parentheses; themselves where nothing is."""
    if script.words[paren - 1].kind != "name":
        return paren
    at = paren - 1
    while script.text(at - 1) in _CHAINED and script.words[at - 2].kind == "name":
        at -= 2
    return at - (script.text(at - 1) == "new")


def _beside(script: Brackets, called: int, first: int, last: int) -> Iterator[int]:
    """The names in a call, but for those of the argument from `first` to `last`; 0 for what may be anything."""
    paren = script.opener[first]
    before = script.words[called - 1]
    if before.text in _ENDS or (called == paren and before.is_name):
        # More is called than a chain of names.
        yield 0
    for at in [*range(called, first), *range(last + 1, script.closer[paren])] if called != paren else ():
        word = script.words[at]
        if word.is_name and script.text(at - 1) not in _CHAINED and word.text not in _PLAIN:
            yield at if word.kind == "name" else 0
