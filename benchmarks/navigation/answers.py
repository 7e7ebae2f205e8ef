"""What a contestant answers, in one form for all of them. Places are "path:line:character", 1-based, UTF-16."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass
class Found:
    """The answer to "where is it, and who uses it".

    complete: what the answer says of itself, None when it says nothing. by_line: the contestant knows no characters.
    own_ms: the time as the server of the contestant tells it, None where there is none. undecided: the mentions of
    which it tells that it cannot say what they are, all of them or none.
    """

    definition: str | None = None
    references: set[str] = field(default_factory=set)
    complete: bool | None = None
    total_ms: float = 0.0
    own_ms: float | None = None
    bytes: int = 0
    by_line: bool = False
    error: str = ""
    undecided: set[str] = field(default_factory=set)


@dataclass
class Told:
    """The answer to "who calls it" or "what implements it".

    items: of callers "path:line name" of the declarations that hold a call, "path" for a file's top level; of
    implementations places. complete: as in Found.
    """

    items: set[str] = field(default_factory=set)
    complete: bool = False
    error: str = ""


class Contestant(Protocol):
    """One way of answering, over one workspace. `symbol` is a symbol of the oracle's document."""

    name: str
    # Whether it can show the block around a place.
    has_blocks: bool

    def cold(self, symbol: dict[str, Any]) -> Found:
        """The answer when nothing runs yet; `total_ms` is all of it."""

    def find(self, symbol: dict[str, Any], query: str) -> Found: ...

    def outline(self, path: str) -> list[tuple[str, int]] | None:
        """Names and lines; None when the contestant has no outlines."""

    def block(self, place: str) -> list[int] | None:
        """First and last line; None when it shows none there."""

    def callers(self, query: str) -> Told | None:
        """None when the contestant tells no callers."""

    def implementations(self, query: str) -> Told | None: ...

    def process_ms(self, symbol: dict[str, Any]) -> float | None:
        """The wall clock of a whole process that asks for the symbol, everything being warm."""

    def answering(self) -> str:
        """Which TypeScript, by which server: `7.0.2, typescript-native`; nothing when none does."""

    def close(self) -> None: ...


def split(place: str) -> tuple[str, int, int]:
    path, line, character = place.rsplit(":", 2)
    return path, int(line), int(character)


def files(root: Path) -> list[Path]:
    """The sources of a workspace, as `grep` would be told to look at."""
    endings = {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
    return sorted(one for one in root.rglob("*") if one.suffix in endings and "node_modules" not in one.parts)
