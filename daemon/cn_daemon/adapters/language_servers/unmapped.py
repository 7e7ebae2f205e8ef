"""Declarations beside the script that they were made of, which compilers read in its stead: given without their map.

By the map servers tell each place in them as one of the script, and where it knows none as the nearest one. Both are
asked about, and what one tells of the other would be taken for uses there.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS

_MAPS = tuple(f"{ending}.map" for ending in DECLARATIONS)
# Written before what the map holds.
_HEAD = 2000
_SOURCE = re.compile(r'"sources":\s*\["(?:\./)?([^"/]+)"\]')
# A map that holds nothing. Without any servers look for one beside the file.
_NONE = "\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,e30=\n"


def unmapped(path: str, text: str) -> str:
    """What servers are given of a file."""
    return text + _NONE if path.endswith(DECLARATIONS) and path in _made_in(os.path.dirname(path)) else text


def mapped(paths: Iterable[str]) -> set[str]:
    """The declarations with such a map that these are, or have beside them."""
    found = set()
    made: dict[str, Mapping[str, str]] = {}
    for path in paths:
        folder = os.path.dirname(path)
        if folder not in made:
            made[folder] = _made_in(folder)
        if path in made[folder]:
            found.add(made[folder][path])
    return found


def _made_in(folder: str) -> Mapping[str, str]:
    """The declarations that were made of scripts in a folder, by the paths of both."""
    try:
        return _read(folder, os.stat(folder).st_mtime_ns)
    except OSError:
        return {}


@lru_cache(maxsize=4096)
def _read(folder: str, _changed: int) -> Mapping[str, str]:
    made = {}
    for name in os.listdir(folder):
        source = _source(os.path.join(folder, name)) if name.endswith(_MAPS) else ""
        if source.endswith(SCRIPTS):
            declarations = os.path.join(folder, name.removesuffix(".map"))
            made.update(dict.fromkeys((declarations, os.path.join(folder, source)), declarations))
    return made


def _source(path: str) -> str:
    """The name of the one file that a map leads to, if that is beside it."""
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        found = _SOURCE.search(file.read(_HEAD))
        return found[1] if found else ""
    return ""
