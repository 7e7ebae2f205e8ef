"""Fuzzy search as specs/command-search describes it: subsequences, with bonuses for the canonical id.

Every token of the query must be a subsequence of the haystack, the lower-cased text of all that is known of a
command. Scores equal the reference implementation's; its lengths count UTF-8 bytes, and so do these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cn_daemon.domain.libraries.commands import Command

CONSECUTIVE, WORD_START, PREFIX, EARLY, PER_GAP, PER_LENGTH = 6, 10, 30, 20, 2, 8
CONTAINED, ID_HOLDS_QUERY, ID_STARTS = 20, 50, 25


def haystack(command: Command) -> str:
    """The text that is searched: id, summary, id in words, arguments, flags, catalog."""
    return " ".join(filter(None, map(str.strip, _parts(command)))).lower()


def _parts(command: Command) -> Iterator[str]:
    identifier = command.canonical_id
    yield identifier
    yield command.description
    yield re.sub(r"[_.-]", " ", identifier)
    for argument in (*command.positional_args, *command.flags):
        yield argument.name
        yield re.sub(r"[_.-]", " ", argument.name)
        yield argument.help
    if command.catalog is not None:
        yield command.catalog.title
        yield command.catalog.description
        yield command.catalog.vendor


def score(text: str, token: str) -> int | None:
    """How well the lower-cased `token` fits, None when it is no subsequence of the lower-cased `text`."""
    total = 0
    run = -1  # the first character is worth nothing by itself; one after a gap is
    position = first = -1
    for character in token:
        found = text.find(character, position + 1)
        if found < 0:
            return None
        if position < 0:
            first = found
        gap = found - position - 1 if position >= 0 else 0
        run = 1 if gap else run + 1
        total += CONSECUTIVE * run - gap // PER_GAP
        if found == 0 or not text[found - 1].isalnum():
            total += WORD_START
        position = found
    if text.startswith(token):
        total += PREFIX
    return total + max(0, EARLY - max(first, 0)) - len(text) // PER_LENGTH


def rank(query: str, commands: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """(index, score) of every match, best first, equals by canonical id.

    commands: canonical id and haystack of each. An empty query finds nothing.
    """
    wanted = query.strip().lower()
    tokens = wanted.split()
    if not tokens:
        return []
    rows: list[tuple[int, int]] = []
    for index, (identifier, text) in enumerate(commands):
        total = _sum(text, tokens)
        if total is not None:
            known = identifier.lower()
            total += ID_HOLDS_QUERY * (wanted in known) + ID_STARTS * known.startswith(tokens[0])
            rows.append((index, total))
    return sorted(rows, key=lambda row: (-row[1], commands[row[0]][0]))


def _sum(text: str, tokens: list[str]) -> int | None:
    total = 0
    for token in tokens:
        found = score(text, token)
        if found is None:
            return None
        total += found + CONTAINED * (token in text)
    return total
