"""What has the member that a name spells in a text, in any language: `self.args` of `self.args.json`."""

from __future__ import annotations

import re

# How far before a name it is looked.
_FAR = 300
_OPERATOR = re.compile(r"\s*(?:\?\.|!\.|\.|->|::)\s*\Z")
_WORD = re.compile(r"[\w$@]+\Z")
_BRACKETS = {")": "(", "]": "["}


def receiver(text: str, start: int) -> str:
    """Without what its brackets hold; nothing where a name stands alone. start: where the name begins."""
    begin = max(0, start - _FAR)
    before = text[begin:start]
    parts: list[str] = []
    while (operator := _OPERATOR.search(before)) is not None:
        before = before[: operator.start()]
        while before[-1:] in _BRACKETS and (opening := _opening(before)) >= 0:
            parts.append(f"{before[opening]}{before[-1]}")
            before = before[:opening]
        word = _WORD.search(before)
        parts.append(word[0] if word is not None else "")
        before = before[: word.start()] if word is not None else ""
        parts.append(".")
    return "".join(reversed(parts)).removeprefix(".")


def _opening(text: str) -> int:
    """Where the bracket opens that the last character closes; -1 where it does not."""
    closing, opening = text[-1], _BRACKETS[text[-1]]
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == closing) - (text[at] == opening)
        if not depth:
            return at
    return -1
