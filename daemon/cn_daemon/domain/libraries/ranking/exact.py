"""A command called by its name: the whole query, or a name inside the sentence, bypasses search.

A name with a separator or a digit is recognised anywhere (`use wiki-bfs to read up`). A plain word is one only after
a slash, or when the sentence says so (`run the commit command`), because `save my work` calls nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
_SAID = re.compile(r"^(?:please\s+)?(?:use|run|invoke|execute|call|start)\s+(?:the\s+)?$", re.I)
_AFTER = re.compile(r"^\s*(?:$|(?:command|to|for|on|in|with|from|and|at)\b)", re.I)
_TOKEN = re.compile(r"[^\s,;!?()\"'`]+")
_TELLING = re.compile(r"[-_:./\d]")


def named_in(query: str, names: Mapping[str, T]) -> tuple[T | None, bool]:
    """What the query names, and whether it holds nothing else. `names`: lower-cased."""
    bare = query.strip().strip("`\"'").lower()
    for candidate in (bare, bare.removeprefix("/"), bare.removesuffix(".md")):
        if candidate in names:
            return names[candidate], True
    for token in _TOKEN.finditer(query):
        found = _named(token, query, names)
        if found is not None:
            return found, False
    return None, False


def _named(token: re.Match[str], query: str, names: Mapping[str, T]) -> T | None:
    text = token[0].lower().rstrip(".:")
    slash = text.startswith("/") and "/" not in text[1:]
    bare = text[1:] if slash else text
    for candidate in (bare, bare.removesuffix(".md"), bare.rpartition(":")[2] if slash else bare):
        if candidate not in names:
            continue
        is_announced = _SAID.match(query[: token.start()]) and _AFTER.match(query[token.end() :])
        if slash or is_announced or (_TELLING.search(candidate) and not candidate.isdigit()):
            return names[candidate]
    return None
