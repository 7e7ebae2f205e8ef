"""Names by pattern: `*Router`, `Hono.get*`, `/get.*Path/`, `User|Order`."""

from __future__ import annotations

import fnmatch
import re
from typing import NamedTuple

# A longer one is a text.
_LONGEST = 200
_REGULAR = re.compile(r"/(?P<pattern>.+)/(?P<flags>[dgimsuvy]*)$", re.DOTALL)
_GLOB = re.compile(r"(?:(?P<path>.*[./][^:#]*)[:#])?(?:(?P<outer>[\w$.]+)(?:\.|::|#))?(?P<name>[\w$*?#]*\*[\w$*?#]*)$")
_SEVERAL = re.compile(r"(?:[\w$#]+\s*[|,]\s*)+[\w$#]+$")


class NamePattern(NamedTuple):
    """name: a regular expression that is looked for in a symbol's name. containers: what the symbol is in, outermost
    first. path: the file or folder that it is in, when one is named. words: the names, where it lists them."""

    name: str
    containers: tuple[str, ...] = ()
    path: str | None = None
    words: tuple[str, ...] = ()


def exactly(*words: str) -> NamePattern:
    return NamePattern("|".join(rf"\A{re.escape(word)}\Z" for word in words), words=words)


def read(query: str) -> NamePattern | None:
    """The pattern that `query` spells, or None when it spells none."""
    bare = query.strip().strip("`").strip()
    if len(bare) > _LONGEST:
        return None
    if regular := _REGULAR.match(bare):
        return NamePattern(f"(?i:{regular['pattern']})" if "i" in regular["flags"] else regular["pattern"])
    if _SEVERAL.match(bare):
        words = tuple(dict.fromkeys(word.strip() for word in re.split(r"[|,]", bare)))
        return exactly(*words)
    glob = _GLOB.match(bare)
    if glob is None:
        return None
    outer = tuple(part for part in re.split(r"[.#]|::", glob["outer"] or "") if part)
    return NamePattern(rf"\A{fnmatch.translate(glob['name'])}", outer, glob["path"])
