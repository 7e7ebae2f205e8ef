"""The port `CommandShelf`: what was read of the command libraries, in one file of the user's cache folder.

A line that says which build of cn wrote it, a checksum, then JSON and arrays of numbers: nothing in it is run. It is
replaced by renaming, so that two daemons of one library cannot spoil each other's; whatever is not as it was
written, or by another build, is dropped and built again.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import json
import logging
import os
import struct
import sys
import tempfile
import time
import zlib
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cn_daemon
from cn_daemon.adapters.command_rows import Rows, row_of
from cn_daemon.application.libraries.library_ports import Kept, KeptUnits
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.domain.libraries.ranking.kept import Flat, Frozen, flat, index_of
from cn_shared import __version__

log = logging.getLogger(__name__)

# What decides how a command is read and indexed: another text of these, and everything is read anew.
_DECISIVE = (
    "domain/libraries/commands.py",
    "domain/libraries/plain_values.py",
    "domain/libraries/ranking/*",
    "adapters/command_*.py",
    "adapters/command_sources/*.py",
    "adapters/markdown_text.py",
    "adapters/json_text.py",
    "adapters/yaml_text.py",
)
_HEAD = struct.Struct(">QI")
_UNUSED_S = 30 * 24 * 3600
_LARGEST = 1 << 30


class FileShelf:
    """`name`: of the libraries together; other folders or settings have another one."""

    def __init__(self, cache: Path, name: str) -> None:
        self.file = cache / f"commands-{hashlib.sha256(name.encode()).hexdigest()[:16]}.index"

    def load(self) -> Kept | None:
        """What was kept by this build of cn, None when there is nothing or it is spoilt."""
        try:
            with _no_collection():
                return self._load()
        except FileNotFoundError:
            return None
        # A spoilt file can be wrong in any way; it is only a cache.
        except (OSError, ValueError, TypeError, LookupError, RecursionError, struct.error, zlib.error) as error:
            log.warning("the index %s is made anew: %s", self.file, error)
            return None

    def save(self, units: KeptUnits, index: Frozen) -> None:
        """Write it down; a full disk costs nothing but the next start's time."""
        try:
            self._save(_packed(units, flat(index)))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            log.warning("the index %s is not kept: %s", self.file, error)

    def _load(self) -> Kept | None:
        descriptor = os.open(self.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            facts = os.fstat(descriptor)
            if facts.st_uid != os.geteuid():
                raise ValueError("it is another user's")
            if facts.st_size > _LARGEST or stream.readline(200) != build():
                return None
            size, checksum = _HEAD.unpack(stream.read(_HEAD.size))
            content = memoryview(stream.read())
            with contextlib.suppress(OSError):  # it is in use
                os.utime(descriptor)
        if zlib.crc32(content) != checksum:
            raise ValueError("the checksum is another one")
        return _unpacked(json.loads(bytes(content[:size])), content[size:])

    def _save(self, parts: Sequence[bytes]) -> None:
        checksum = functools.reduce(lambda sum_, part: zlib.crc32(part, sum_), parts, 0)
        descriptor, name = tempfile.mkstemp(prefix=f"{self.file.name}.", dir=self.file.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(build() + _HEAD.pack(len(parts[0]), checksum))
                stream.writelines(parts)
            os.replace(name, self.file)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise
        _tidy(self.file.parent)


@functools.cache
def build() -> bytes:
    """The first line of a file that this build of cn, on this Python and machine, can read."""
    digest = hashlib.sha256()
    folder = Path(cn_daemon.__file__).parent
    with contextlib.suppress(OSError):
        for file in sorted(file for part in _DECISIVE for file in folder.glob(part)):
            if file.suffix in (".py", ".txt"):
                digest.update(file.read_bytes())
    sizes = [array(kind).itemsize for kind in "IQdf"]
    return f"cn commands {__version__} {digest.hexdigest()} {sys.version_info[:2]} {sys.byteorder} {sizes}\n".encode()


def _packed(units: KeptUnits, index: Flat) -> list[bytes]:
    """A head of JSON, then the bytes of the arrays in the order it tells."""
    numbers: dict[Hashable, int] = {}
    sources: dict[str, list[Any]] = {}
    for source, kept in units.items():
        rows = sources[source] = []
        for unit, (mark, commands) in kept.items():
            for number in range(len(commands)):
                numbers[source, unit, number] = len(numbers)
            rows.append([unit, mark, [row_of(command) for command in commands]])
    head = {
        "sources": sources,
        "keys": [None if key is None else numbers[key] for key in index.keys],
        "texts": index.texts,
        "arrays": [[name, one.typecode, len(one)] for name, one in index.numbers.items()],
    }
    return [json.dumps(head, separators=(",", ":")).encode(), *(one.tobytes() for one in index.numbers.values())]


def _unpacked(head: Mapping[str, Any], content: memoryview) -> Kept:
    rows, units = Rows(), {}
    keys: list[Hashable] = []
    for source, kept in head["sources"].items():
        found: dict[str, tuple[str, list[Command]]] = {}
        for unit, mark, commands in kept:
            found[unit] = mark, [rows.command(row) for row in commands]
            keys += [(source, unit, number) for number in range(len(commands))]
        units[source] = found
    arrays = dict(_arrays(head["arrays"], content))
    numbers = [None if number is None else keys[number] for number in head["keys"]]
    return Kept(units, index_of(Flat(numbers, head["texts"], arrays)))


def _arrays(described: Iterable[Sequence[Any]], content: memoryview) -> Iterator[tuple[str, Any]]:
    start = 0
    for name, kind, length in described:
        numbers = array(kind)
        end = start + length * numbers.itemsize
        numbers.frombytes(content[start:end])
        yield name, numbers
        start = end


def _tidy(folder: Path) -> None:
    """Remove what no daemon has opened for a month: workspaces come and go."""
    before = time.time() - _UNUSED_S
    for file in folder.glob("commands-*.index*"):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < before:
                file.unlink()


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Half a million objects come and stay: looking among them for garbage doubles the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
