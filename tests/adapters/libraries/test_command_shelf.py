"""What a daemon read of its libraries, taken over by the next one."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters import command_shelf
from cn_daemon.adapters.command_rows import Rows, row_of
from cn_daemon.adapters.command_shelf import FileShelf
from cn_daemon.adapters.command_sources import markdown
from cn_daemon.adapters.command_sources.catalogs import CatalogReader
from cn_daemon.adapters.command_sources.climpt import ClimptReader
from cn_daemon.adapters.command_sources.markdown import MarkdownReader, places
from cn_daemon.adapters.command_sources.threaded import ThreadedSource
from cn_daemon.application.libraries.library import Library
from cn_daemon.application.libraries.library_ports import Freshness
from cn_daemon.domain.libraries.commands import Command

LONG_AGO = time.time() - 10_000
MANIFEST = {
    "vendor": "apps",
    "commands": [
        {
            "group": "apps",
            "name": "app:info",
            "summary": "Show an app.",
            "positional_args": [{"name": "app", "help": "its name"}],
            "flags": [{"name": "region", "enum_values": ["eu", "us"], "default_value": "eu", "short_name": "r"}],
            "execution": {
                "http": {"method": "GET", "path": "/apps/{app}", "output_schema": {"properties": {"id": {}}}},
            },
        },
        {"group": "apps", "name": "other", "execution": {"mcp": {"server": "s", "tool": "t"}}},
    ],
}
REGISTRY = {
    "tools": {
        "commands": [{"c1": "git", "c2": "merge-up", "c3": "base", "options": {"edition": ["a"]}, "uv": [{"x": "y"}]}]
    }
}


class Place:
    """A workspace with every kind of library, and the cache of its user."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home, self.library = (folder / name for name in ("work", "home", "library"))
        self.cache = folder / "cache"
        for path in (self.root / ".agent/climpt", self.home, self.library, self.cache):
            path.mkdir(parents=True)
        for number in range(30):
            self.write(self.library / f"note-{number}.md", f"---\ntags: [t{number}]\n---\nAbout topic{number}.")
        self.write(self.root / ".agent/climpt/registry.json", json.dumps(REGISTRY))
        self.write(self.root / "apps.json", json.dumps(MANIFEST))

    def write(self, path: Path, text: str, at: float = LONG_AGO) -> Path:
        path.write_text(text)
        os.utime(path, (at, at))
        return path

    def shelf(self) -> FileShelf:
        return FileShelf(self.cache, "this library")

    def library_of(self) -> Library:
        readers = (
            ClimptReader(self.root, self.home),
            MarkdownReader(*places(self.root, self.home, self.library), 3600),
            CatalogReader([self.root / "apps.json"]),
        )
        return Library([ThreadedSource(reader) for reader in readers], self.shelf())

    def open(self, then: Callable[[Library], Any] = lambda library: None) -> tuple[list[Command], Freshness, Any]:
        """A daemon's life: what it knows after its first question, what it says of it, and what `then` says."""

        async def live() -> tuple[list[Command], Freshness, Any]:
            library = self.library_of()
            freshness = await library.refresh(time.monotonic() + 20)
            if library._keeping is not None:
                await library._keeping
            answer = library.commands(), freshness, then(library)
            library.close()
            return answer

        return asyncio.run(live())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path.resolve())


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the command files that are read."""
    seen: list[str] = []
    read = markdown.read_text

    def noted(path: str, *rest: Any) -> str:
        seen.append(Path(path).name)
        return read(path, *rest)

    monkeypatch.setattr(markdown, "read_text", noted)
    return seen


def names(commands: list[Command]) -> set[str]:
    return {command.name for command in commands}


def test_the_next_daemon_reads_no_command_file_again(place: Place, reads: list[str]) -> None:
    before, freshness, found = place.open(lambda library: library.index.search("topic7", 3))
    assert len(before) == 33
    assert freshness == Freshness()
    assert len(reads) == 30
    reads.clear()
    after, freshness, same = place.open(lambda library: library.index.search("topic7", 3))
    assert reads == []
    assert (after, freshness, same) == (before, Freshness(), found)


def test_what_changed_while_no_daemon_ran_is_seen_at_the_first_question(place: Place, reads: list[str]) -> None:
    place.open()
    reads.clear()
    place.write(place.library / "note-1.md", "About zebras, since then.", LONG_AGO + 1)
    place.write(place.library / "brand-new.md", "About yaks.")
    (place.library / "note-2.md").unlink()
    place.write(place.root / ".agent/climpt/registry.json", '{"tools": {"commands": []}}')
    place.write(place.root / "apps.json", json.dumps({"vendor": "apps", "commands": [{"name": "whales"}]}))
    after, freshness, found = place.open(lambda library: [library.index.search(word, 3) for word in ("zebras", "yaks")])
    assert sorted(reads) == ["brand-new.md", "note-1.md"]
    assert freshness.complete
    assert names(after) == {f"note-{number}" for number in range(30) if number != 2} | {"brand-new", "whales"}
    assert all(found)


def test_a_file_that_was_just_written_is_read_again(place: Place, reads: list[str]) -> None:
    now = place.write(place.library / "note-3.md", "first", time.time())
    place.open()
    facts = now.stat()
    now.write_text("later")
    os.utime(now, ns=(facts.st_atime_ns, facts.st_mtime_ns))  # within one step of the file system's clock
    reads.clear()
    _, _, found = place.open(lambda library: library.index.search("later", 1))
    assert reads == ["note-3.md"]
    assert found


@pytest.mark.parametrize("spoil", ["flip", "cut", "garbage", "empty", "build", "link"])
def test_a_spoilt_file_is_made_anew(place: Place, reads: list[str], spoil: str) -> None:
    before, _, _ = place.open()
    file = place.shelf().file
    content = file.read_bytes()
    spoilt = {
        "flip": content[:5000] + bytes([content[5000] ^ 1]) + content[5001:],
        "cut": content[:-100],
        "garbage": content[: content.index(b"\n") + 1] + b"\0" * 500,
        "empty": b"",
        "build": b"cn commands 0.0.0" + content[17:],
    }
    if spoil == "link":
        file.rename(place.cache / "elsewhere")
        file.symlink_to(place.cache / "elsewhere")
    else:
        file.write_bytes(spoilt[spoil])
    reads.clear()
    after, freshness, _ = place.open()
    assert (after, freshness.complete, len(reads)) == (before, True, 30)
    assert not file.is_symlink()
    assert file.read_bytes().splitlines()[0] == content.splitlines()[0]


def test_rows_that_are_no_commands_are_made_anew(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    before, _, _ = place.open()
    monkeypatch.setattr(command_shelf, "row_of", lambda command: [command.name])
    place.shelf().file.unlink()
    assert place.open()[0] == before
    assert place.shelf().load() is None
    assert place.open()[0] == before


def test_a_full_disk_costs_nothing_but_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command_shelf.os, "replace", full)
    assert len(place.open()[0]) == 33
    assert list(place.cache.iterdir()) == []


def test_a_library_that_is_away_when_a_daemon_starts_is_answered_from_the_cache(place: Place) -> None:
    before, _, _ = place.open()
    shutil.move(place.library, place.home / "aside")
    after, freshness, _ = place.open()
    assert names(after) == names(before)
    assert freshness == Freshness(stale=f"{place.library}: it is not there")
    shutil.move(place.home / "aside", place.library)
    assert place.open()[:2] == (before, Freshness())


def test_two_daemons_of_one_library_do_not_spoil_each_others_file(place: Place) -> None:
    async def both() -> list[int]:
        first, second = place.library_of(), place.library_of()
        await asyncio.gather(*(one.refresh(time.monotonic() + 20) for one in (first, second)))
        await asyncio.gather(*(one._keeping for one in (first, second) if one._keeping is not None))
        counts = [len(one.commands()) for one in (first, second)]
        first.close()
        second.close()
        return counts

    assert asyncio.run(both()) == [33, 33]
    kept = place.shelf().load()
    assert kept is not None
    assert len(kept.best) == 33
    assert [file.name for file in place.cache.iterdir()] == [place.shelf().file.name]


def test_the_file_is_the_users_own_and_leaves_when_nobody_opens_it_for_a_month(place: Place) -> None:
    place.open()
    file = place.shelf().file
    assert file.stat().st_mode & 0o777 == 0o600
    old = place.write(place.cache / "commands-0123456789abcdef.index", "", time.time() - 31 * 86400)
    os.utime(file, (LONG_AGO, LONG_AGO))
    assert place.shelf().load() is not None
    assert file.stat().st_mtime > LONG_AGO
    file.unlink()
    place.open()
    assert not old.exists()


def test_a_command_is_the_same_after_a_row_of_json(place: Place) -> None:
    commands, _, _ = place.open()
    assert {command.source for command in commands} == {"climpt", "markdown", "catalog"}
    assert [Rows().command(json.loads(json.dumps(row_of(command)))) for command in commands] == commands
