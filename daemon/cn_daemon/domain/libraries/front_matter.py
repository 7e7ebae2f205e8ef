"""Where the front matter of a Markdown file ends: YAML between `---`, TOML between `+++` or in a fence."""

from __future__ import annotations

import re
from typing import NamedTuple

_YAML = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)(?:\r?\n)?^(?:---|\.\.\.)[ \t]*\r?$\n?", re.S | re.M)
_TOML = re.compile(r"\A\ufeff?\s*(?:```toml|\+\+\+)[ \t]*\r?\n(.*?)^(?:```|\+\+\+)[ \t]*\r?$\n?", re.S | re.M)
_LIMIT = 64_000


class FrontMatter(NamedTuple):
    """block: what stands between the marks. end: where the rest of the text begins."""

    block: str
    end: int
    toml: bool


def front_matter(text: str) -> FrontMatter | None:
    """None for a text without one, or whose first one is longer than any that somebody wrote."""
    for pattern in (_YAML, _TOML):
        found = pattern.match(text)
        if found and len(found[1]) <= _LIMIT:
            return FrontMatter(found[1], found.end(), pattern is _TOML)
    return None
