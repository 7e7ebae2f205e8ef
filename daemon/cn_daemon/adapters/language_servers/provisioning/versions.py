"""Which versions were tested together, in one table, and which are installed when none is there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib import resources

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """`least` ≤ version < `below`; no `below` is no upper end."""

    least: Version
    below: Version | None = None

    def holds(self, version: str) -> bool:
        """Whether "5.9.3" (or "v20.1.0", or "5.9.0-beta", read as its release) lies in the range."""
        numbers = parse(version)
        return numbers is not None and numbers >= self.least and (self.below is None or numbers < self.below)

    def __str__(self) -> str:
        least = ".".join(map(str, self.least))
        return f">={least}" if self.below is None else f">={least} <{'.'.join(map(str, self.below))}"


NODE = "node"
SERVER = "typescript-language-server"
TYPESCRIPT = "typescript"

# typescript-language-server 6 asks for Node 22.22 and was not tested; TypeScript 7 has no tsserver.js at all.
TESTED = {
    NODE: Range((20,)),
    # From 5.2 on it reads files outside every tsconfig strictly, as TypeScript 7 does.
    SERVER: Range((5, 2), (6,)),
    TYPESCRIPT: Range((5, 0), (7,)),
}

# From here on TypeScript is a native program that is a language server itself.
NATIVE = Range((7, 0))

PINNED_FILES = resources.files(__package__) / "pinned"
PINNED: dict[str, str] = json.loads((PINNED_FILES / "package.json").read_text("utf-8"))["dependencies"]
PINNED_NODE = (PINNED_FILES / "node.txt").read_text("utf-8").partition("==")[2].split()[0]


_VERSION = re.compile(r"v?([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(?:-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?")


def parse(version: str) -> Version | None:
    """The three numbers of a version, or None when it is none: what is one may be a part of a file's name."""
    found = _VERSION.fullmatch(version)
    return tuple(int(number) for number in found.groups()) if found else None
