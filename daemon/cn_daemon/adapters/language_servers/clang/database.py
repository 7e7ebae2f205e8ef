"""The compilation database that clangd is given: the workspace's own commands, of harmless arguments, in the cache.

clangd by itself reads, for each file, the nearest `compile_commands.json`, `build/compile_commands.json` or
`compile_flags.txt` above it, of whoever that is. Here the same ones are read, as far as they are of the repository; of
a file without any, the folders are named from which the workspace includes its headers.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cn_daemon.adapters.ignored import Mark, mark_of
from cn_daemon.adapters.language_servers.clang.arguments import Reader
from cn_daemon.adapters.language_servers.clang.includes import Includes
from cn_daemon.adapters.language_servers.lsp.link import Further
from cn_daemon.adapters.patient_files import read_file
from cn_shared import children

_JSON, _BUILT, _FLAGS = "compile_commands.json", "build/compile_commands.json", "compile_flags.txt"
# As clangd looks for them in a folder.
_NAMES = (_JSON, _BUILT, _FLAGS)
# How many names of what is left out are named.
_NAMED = 5
_LARGEST_BYTES = 64 << 20


class _Entry(NamedTuple):
    folder: str
    file: str
    words: list[str]


class CompileCommands:
    """root: the workspace, a real path. sources: the files of the workspace in clangd's languages. readable: whether a
    compiler may read what really lies there. note: what is left out, "" for nothing. folder: where it was written."""

    def __init__(self, root: Path, sources: Callable[[], Iterable[str]], readable: Callable[[str], bool]) -> None:
        self.note = self.folder = ""
        self._root = str(root)
        self._sources = sources
        self._readable = readable
        self._seen: dict[str, Mark | None] = {}
        self._includes = Includes(self._text)
        self._supposed: dict[str, list[str]] = {}

    def write(self) -> tuple[str, ...]:
        """Write it anew, in a folder that goes with the daemon; clangd's further arguments. Raises OSError."""
        sources = sorted(self._sources())
        places = self._places(sources)
        self._seen = {path: mark_of(path) for path in self._looked_at(places)}
        reader = Reader(self._readable, self._text)
        dropped: set[str] = set()
        commands = []
        for entry in self._entries(places, sources):
            kept = reader.command(entry.words, entry.folder, entry.file)
            commands.append({"directory": entry.folder, "file": entry.file, "arguments": kept.arguments})
            dropped |= kept.dropped
        self.note = _dropped_text(dropped)
        self._supposed = self._suppose(places, sources)
        for file, words in self._supposed.items():
            folder = os.path.dirname(file)
            if words:
                commands.append({"directory": folder, "file": file, "arguments": ["clang", *words, "--", file]})
        self.folder = self.folder or children.scratch(self._root)
        Path(self.folder, _JSON).write_text(json.dumps(commands), "utf-8")
        return (f"--compile-commands-dir={self.folder}",)

    title = ""

    def further(self) -> Further:
        """With the commands written anew. Raises OSError."""
        return Further(self.write(), reading=[self.folder])

    def is_other(self, *, marked: bool = False, edited: Collection[str] = ()) -> bool:
        """Whether what it was built from has changed since, or may have."""
        if marked or any(mark_of(path) != mark for path, mark in self._seen.items()):
            return True
        if not self._includes.is_other(edited):
            return False
        self._includes.forget(edited)
        sources = sorted(self._sources())
        supposed = self._suppose(self._places(sources), sources)
        # clangd itself takes the command of the file beside it for one that is new.
        return any(supposed.get(path, words) != words for path, words in self._supposed.items())

    def _suppose(self, places: Mapping[str, str], sources: Iterable[str]) -> dict[str, list[str]]:
        return self._includes.arguments([path for path in sources if os.path.dirname(path) not in places])

    def _places(self, sources: Iterable[str]) -> dict[str, str]:
        """By folder of a source, the nearest file that says how it is compiled, "" where none does."""
        nearest: dict[str, str] = {}
        for folder in sorted({os.path.dirname(source) for source in sources}):
            for place in _above(folder):
                found = next((path for name in _NAMES if self._counts(path := os.path.join(place, name))), "")
                if found:
                    nearest[folder] = found
                    break
        return nearest

    def _looked_at(self, places: dict[str, str]) -> set[str]:
        """Those that were found, and those that may come beside the root."""
        return {*places.values(), *(os.path.join(self._root, name) for name in _NAMES)}

    def _counts(self, path: str) -> bool:
        return os.path.isfile(path) and self._readable(os.path.realpath(path))

    def _entries(self, places: dict[str, str], sources: list[str]) -> Iterator[_Entry]:
        """The commands, of files below the root alone."""
        for path in sorted(set(places.values())):
            if os.path.basename(path) == _FLAGS:
                folder, words = os.path.dirname(path), ["clang", *self._lines(path)]
                here = (source for source in sources if places.get(os.path.dirname(source)) == path)
                yield from (_Entry(folder, source, words) for source in here)
                continue
            for entry in self._rows(path):
                inside = entry.file.startswith(f"{self._root}/")
                if inside and places.get(os.path.dirname(entry.file), path) == path:
                    yield entry

    def _lines(self, path: str) -> list[str]:
        with contextlib.suppress(OSError):
            return [line.strip() for line in self._text(path).splitlines() if line.strip()]
        return []

    def _rows(self, path: str) -> Iterator[_Entry]:
        try:
            document = json.loads(self._text(path))
        except (OSError, ValueError, RecursionError):
            return
        for row in document if isinstance(document, list) else ():
            entry = _entry(row, os.path.dirname(path))
            if entry is not None:
                yield entry

    def _text(self, path: str) -> str:
        return read_file(path, _LARGEST_BYTES, self._readable).decode("utf-8-sig", "replace")


def _entry(row: Any, beside: str) -> _Entry | None:
    """A row of a compilation database, as https://clang.llvm.org/docs/JSONCompilationDatabase.html has it."""
    if not isinstance(row, dict) or not isinstance(row.get("file"), str):
        return None
    folder = os.path.normpath(os.path.join(beside, str(row.get("directory", ""))))
    words = row.get("arguments")
    if not isinstance(words, list):
        try:
            words = shlex.split(str(row.get("command", "")))
        except ValueError:
            return None
    file = os.path.normpath(os.path.join(folder, row["file"]))
    return _Entry(folder, os.path.realpath(file), [word for word in words if isinstance(word, str)])


def _above(folder: str) -> Iterator[str]:
    """A folder and those above it, the nearest first."""
    yield folder
    while folder != (folder := os.path.dirname(folder)):
        yield folder


def _dropped_text(dropped: set[str]) -> str:
    names = sorted(dropped)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"of the compile commands {', '.join(names[:_NAMED])}{more} is left out" if names else ""
