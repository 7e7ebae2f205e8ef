"""Which files a tsconfig lists, and how it has them read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from cn_daemon.domain.source.reading import SCRIPTS

# The flaw of a file that is no JSON with comments.
NO_JSON = "is not valid JSON"
_PART = re.compile(r"(\*\*/?|\*|\?)")
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Scope:
    """include, exclude: absolute patterns, as a tsconfig has them. files: those that it names one by one. flaw: why
    some of what it says is not known, or nothing. torn: whether that is because it extends what is not there. lax:
    whether more is `any` in it than where files are read strictly. scripts: whether it takes JavaScript in. aliases:
    what its `paths` lead elsewhere; None when it may know every name."""

    def __init__(
        self,
        include: Iterable[str],
        exclude: Iterable[str] = (),
        files: Iterable[str] = (),
        *,
        torn: bool = False,
        flaw: str = "",
        lax: bool = False,
        scripts: bool = True,
        aliases: frozenset[str] | None = frozenset(),
    ) -> None:
        self.torn = torn
        self.flaw = flaw
        self.lax = lax
        self.scripts = scripts
        self.aliases = aliases
        self._include = tuple(include)
        self._exclude = tuple(exclude)
        self._files = frozenset(files)

    def lists(self, path: str) -> bool:
        if path in self._files:
            return True
        included, excluded = self._matching
        return included.fullmatch(path) is not None and excluded.fullmatch(path) is None

    def holds(self, path: str) -> bool:
        """Whether it lists the file, and takes in what is of its kind."""
        return (self.scripts or not path.endswith(SCRIPTS)) and self.lists(path)

    @cached_property
    def _matching(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        return _any(self._include), _any(self._exclude)


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    # One that names a folder stands for all that is in it.
    return re.compile("|".join(f"{_expression(one)}(?:/.*)?" for one in patterns) or r"(?!)", re.DOTALL)


def _expression(pattern: str) -> str:
    """It does not go back: what stands before a wildcard is right where it comes first, the wildcard takes the rest."""
    first, *others = pattern.split("**/")
    text = _parts(first, last=not others)
    for number, one in enumerate(others, 1):
        last = number == len(others)
        text += f"(?:.*/)?{_parts(one, last=True)}" if last else f"(?>(?:.*?/)??{_parts(one, last=False)})"
    return text


def _parts(text: str, *, last: bool) -> str:
    """Of what stands between two `**/`. last: whether nothing comes behind it."""
    head, *others = map(_plain, [text] if "**" in text else text.split("*"))
    for number, one in enumerate(others, 1):
        head += f"[^/]*{one}" if last and number == len(others) else f"(?>[^/]*?{one})"
    return head


def _plain(text: str) -> str:
    return "".join(_WILD.get(part) or re.escape(part) for part in _PART.split(text))
