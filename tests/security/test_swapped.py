"""A link that is put in a file's place between the look at its name and the reading leads nowhere."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters import patient_files
from cn_daemon.adapters.command_sources.catalogs import CatalogReader
from cn_daemon.adapters.command_sources.climpt import ClimptReader
from cn_daemon.adapters.command_sources.markdown import MarkdownReader, places
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_shared.errors import CnError

SECRET = (
    '{"secret": "canary", "tools": {"commands": [{"c1": "canary", "c2": "canary"}]}, "commands": [{"name": "canary"}]}'
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "root"
    for folder in (".claude/commands", ".agent/climpt", "api"):
        (root / folder).mkdir(parents=True)
    (root.parent / "secret").write_text(SECRET)
    return root


@contextlib.contextmanager
def swapped_at_the_opening(monkeypatch: pytest.MonkeyPatch, file: Path, secret: Path) -> Iterator[None]:
    """The very moment that a check by name cannot see."""
    opened = os.open

    def swap(path: Any, *arguments: Any, **named: Any) -> int:
        if os.fspath(path) == str(file) and not file.is_symlink():
            file.unlink()
            file.symlink_to(secret)
        return opened(path, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(patient_files.os, "open", swap)
        yield
    assert file.is_symlink()


def markdown(root: Path) -> Any:
    found, warnings = places(root, root.parent / "home", None)
    return MarkdownReader(found, warnings, 3600)


READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "markdown": (".claude/commands/x.md", markdown),
    "registry": (".agent/climpt/registry.json", lambda root: ClimptReader(root, root.parent / "home")),
    "catalog": ("api/x.json", lambda root: CatalogReader([root / "api" / "x.json"])),
}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("moment", ["index", "content"])
def test_a_command_file_that_becomes_a_link_is_not_read(
    root: Path, monkeypatch: pytest.MonkeyPatch, kind: str, moment: str
) -> None:
    name, make = READERS[kind]
    file = root / name
    file.write_text('{"tools": {"commands": []}, "vendor": "v", "commands": []}')
    secret = root.parent / "secret"
    reader = make(root)
    try:
        if moment == "index":
            with swapped_at_the_opening(monkeypatch, file, secret):
                refresh = reader.read(everything=True)
            assert "canary" not in repr([refresh.files, refresh.failures])
        else:
            reader.read(everything=True)
            with swapped_at_the_opening(monkeypatch, file, secret), pytest.raises(OSError, match="readable folders"):
                reader.text(str(file))
    finally:
        reader.close()


def test_a_reader_that_races_with_a_swapper_reads_no_secret(root: Path) -> None:
    """Both links and folders are swapped, as fast as they can be, under a thousand readings."""
    (root / "src").mkdir()
    (root / "src" / "secret").write_text("plain")
    (root / "way").symlink_to(root / "src")
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            for target in (root.parent, root / "src"):
                (root / "next").symlink_to(target)
                (root / "next").rename(root / "way")

    swapper = threading.Thread(target=swap)
    swapper.start()
    files = WorkspaceFiles(root)
    read: list[str] = []
    refused = 0
    try:
        for _ in range(1000):
            try:
                read.append(files.read_text(files.resolve("way/secret", None)))
                read.append(files.read_text(root / "way" / "secret"))
            except CnError:
                refused += 1
    finally:
        over.set()
        swapper.join()
    assert set(read) == {"plain"}
    assert refused
