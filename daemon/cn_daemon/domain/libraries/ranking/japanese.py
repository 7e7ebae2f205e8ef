"""The English of Japanese words (`japanese.txt`), for what is stored and for what is asked.

Half of a library is often written in the other language: `テストを作る` means `generate unit-tests` as well, and
`contradictions` the command that says 整合性.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import NamedTuple


class Table(NamedTuple):
    """words: finds any of them, longest first. english: of each."""

    words: re.Pattern[str]
    english: dict[str, str]


def in_english(text: str) -> str:
    """The English of the Japanese words in `text`, "" when it holds none."""
    if text.isascii():
        return ""
    words, english = table()
    return " ".join(dict.fromkeys(english[found] for found in words.findall(text)))


@cache
def table() -> Table:
    text = resources.files("cn_daemon.domain.libraries.ranking").joinpath("japanese.txt").read_text(encoding="utf-8")
    return parse(text)


def parse(text: str) -> Table:
    """The table of a file's text; its head tells its form."""
    english: dict[str, str] = {}
    for line in text.splitlines():
        meaning, colon, words = line.partition(":")
        if colon and not line.startswith("#"):
            for word in filter(None, map(str.strip, words.split(","))):
                english[word] = f"{english[word]} {meaning}" if word in english else meaning
    longest = sorted(english, key=lambda word: (-len(word), word))
    return Table(re.compile("|".join(map(re.escape, longest)) or r"(?!)"), english)
