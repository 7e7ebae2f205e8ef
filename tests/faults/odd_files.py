"""What a disk may hold in the place of a source."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

_LINE = b"// " + b"x" * 96 + b"\n"


def put(kind: str, file: Path, text: bytes) -> None:
    """Instead of whatever is there. kind: one of `KINDS`. text: the source that it holds, where it can."""
    remove(file)
    KINDS[kind](file, text)


def remove(place: Path) -> None:
    """Whatever it is."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


KINDS: dict[str, Callable[[Path, bytes], object]] = {
    "nothing in it": lambda file, text: file.write_bytes(b""),
    "the first half": lambda file, text: file.write_bytes(text[: len(text) // 2]),
    "invalid UTF-8": lambda file, text: file.write_bytes(b"// \xe9\xff\n" + text),
    "a byte order mark": lambda file, text: file.write_bytes(b"\xef\xbb\xbf" + text),
    "UTF-16": lambda file, text: file.write_bytes(text.decode("utf-8", "replace").encode("utf-16")),
    "NUL bytes": lambda file, text: file.write_bytes(text + b"// \0\0\0\n"),
    "ends of lines of Windows": lambda file, text: file.write_bytes(text.replace(b"\n", b"\r\n")),
    "5 MB": lambda file, text: file.write_bytes(text + _LINE * 50_000),
    "a link that leads nowhere": lambda file, text: file.symlink_to("nowhere.ts"),
    "a link to itself": lambda file, text: file.symlink_to(file.name),
    "a folder": lambda file, text: file.mkdir(),
    "a file nobody may read": lambda file, text: (file.write_bytes(text), file.chmod(0)),
}
