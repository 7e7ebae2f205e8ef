"""What files outside every tsconfig know of installed declarations (`node_modules/@types`).

To TypeScript 5 that is all of them, from 6 on none (`types` is [] by itself): what a script overrides in a library, or
takes of `Buffer` and `events`, has any type. A file that names them, beside the loose ones, has them read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

# It is on no disk, and where no tsconfig is looked for.
FILE = os.path.join(os.sep, ".cn-types.ts")
# What a folder of another name could have the server read is not ours to say.
_PACKAGE = re.compile(r"[A-Za-z0-9_~-][\w.~-]*", re.ASCII)


def text(root: Path) -> str:
    """What stands in that file, for a workspace."""
    return "".join(f'/// <reference types="{name}" />\n' for name in sorted(set(_installed(root))))


def _installed(root: Path) -> Iterator[str]:
    for folder in (root, *root.parents):
        try:
            entries = list(os.scandir(folder / "node_modules" / "@types"))
        except OSError:
            continue
        yield from (entry.name for entry in entries if _PACKAGE.fullmatch(entry.name) and entry.is_dir())
