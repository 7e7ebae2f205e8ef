"""The releases of TypeScript, with the hash by which the registry's copy of each is known.

`releases.json` is written by scripts/releases: every stable version from 5.0 on. Ranges are answered from
it, as npm would answer them, without asking anybody.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from cn_daemon.adapters.language_servers.provisioning.versions import Version, parse

_X = r"(?:\d{1,9}|[xX*])"
_COMPARATOR = re.compile(
    rf"(?P<sign>[<>]=?|=|\^|~>?)?\s*v?(?P<numbers>{_X}(?:\.{_X}){{0,2}})(?P<before>-[\w.-]+)?(?:\+[\w.-]+)?(?=\s|$)"
)
_HYPHEN = re.compile(r"^\s*(\S+)\s+-\s+(\S+)\s*$")
# As npm has it.
_LONGEST = 256
_ALWAYS = ("", "*", "x", "X", "latest")


@cache
def releases() -> dict[str, str]:
    """Version → integrity, oldest first."""
    table: dict[str, str] = json.loads((resources.files(__package__) / "releases.json").read_text("utf-8"))
    return table


def newest(text: str) -> str | None:
    """The newest release in a range as npm writes them ("^5.4.0", "5.x || >=6 <6.1"); None for none, or no range."""
    if len(text) > _LONGEST:
        return None
    ranges = [_bounds(part) for part in text.split("||")]
    if None in ranges:
        return None
    for version in sorted(releases(), key=_numbers, reverse=True):
        if any(all(least <= _numbers(version) < below for least, below in one or ()) for one in ranges):
            return version
    return None


def _numbers(version: str) -> Version:
    return parse(version) or ()


def _bounds(text: str) -> list[tuple[Version, Version]] | None:
    """What all must hold: least ≤ version < below. None when it is no range."""
    text = text.strip()
    if text in _ALWAYS:
        return []
    if hyphen := _HYPHEN.match(text):
        text = f">={hyphen[1]} <={hyphen[2]}"
    bounds, at = [], 0
    while at < len(text):
        found = _COMPARATOR.match(text, at)
        if found is None:
            return None
        bounds.append(_bound(found["sign"] or "=", found["numbers"], found["before"] is not None))
        at = found.end()
        at += len(text[at:]) - len(text[at:].lstrip())
    return bounds


_NONE: Version = (0, 0, 0)
_ENDLESS: Version = (10**9 + 1,)


def _bound(sign: str, text: str, before: bool) -> tuple[Version, Version]:
    """before: whether it names what came before that release, as 5.9.0-beta came before 5.9.0."""
    given = text.split(".")
    known = [int(number) for number in given[: next((n for n, one in enumerate(given) if one in "xX*"), len(given))]]
    least = (*known, 0, 0, 0)[:3]
    if not known:
        return (_ENDLESS, _ENDLESS) if sign in "<>" else (_NONE, _ENDLESS)
    after = _next(known, len(known) - 1)
    if sign in ("~", "~>"):
        return least, _next(known, min(1, len(known) - 1))
    if sign == "^":
        first = next((n for n, number in enumerate(known) if number), len(known) - 1)
        return least, _next(known, first)
    if before:
        after = least
    return {"=": (least, after), ">=": (least, _ENDLESS), ">": (after, _ENDLESS),
            "<": (_NONE, least), "<=": (_NONE, after)}[sign]  # fmt: skip


def _next(numbers: list[int], place: int) -> Version:
    """The first version in which that number is greater."""
    return (*numbers[:place], numbers[place] + 1, *[0] * (2 - place))
