"""The port of the search through texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from cn_daemon.domain.source.text import Position


class Sought(NamedTuple):
    """A regular expression that is looked for in each line. fixed: a text as it stands. word: only where it is a word
    by itself."""

    pattern: str
    fixed: bool = False
    ignore_case: bool = False
    word: bool = False


class FileHits(NamedTuple):
    """Where the lines of a file hold it, one place each. path: absolute."""

    path: str
    places: Sequence[Position]


class Searched(NamedTuple):
    """hits: by file, in the order that was asked for. unsearched: files that were not looked through, and why.

    cut: there may be more than was asked for. reached: how many of the files were looked through before time ran out.
    """

    hits: Sequence[FileHits]
    unsearched: Mapping[str, str]
    cut: bool
    reached: int


class TextSearch(Protocol):
    """Looks through texts. `deadline` is on the event loop's clock, in seconds."""

    async def files(self) -> Sequence[str]:
        """The absolute paths of all files of the workspace that git does not ignore, as they are now."""
        ...

    async def search(self, sought: Sought, paths: Sequence[str], most: int, deadline: float) -> Searched:
        """At most so many places. Files that hold no text are passed over. Raises InputError (`bad_pattern`)."""
        ...

    async def fitting(self, pattern: str, words: Sequence[str], deadline: float) -> list[str]:
        """The words in which a regular expression is found. Raises InputError (`bad_pattern`), DeadlineError."""
        ...
