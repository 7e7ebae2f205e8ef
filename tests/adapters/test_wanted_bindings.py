"""Bindings answer where the repository is large, and its size is known before it is listed."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from cn_daemon.adapters.compilers.wanted import are_wanted
from cn_daemon.settings import Settings


def repository(root: Path, index: bytes | None) -> Path:
    for name in ("objects", "refs/heads"):
        (root / ".git" / name).mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    if index is not None:
        (root / ".git/index").write_bytes(index)
    return root


def header(entries: int, signature: bytes = b"DIRC") -> bytes:
    return struct.pack(">4sII", signature, 2, entries) + b"..."


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        (header(2_999), False),
        (header(3_000), True),
        (header(70_000), True),
        (header(3_000, b"NONE"), False),
        (b"DIRC", False),
        (b"", False),
        (None, False),
    ],
)
def test_the_size_of_the_repository_decides(tmp_path: Path, index: bytes | None, wanted: bool) -> None:
    root = repository(tmp_path.resolve(), index)
    (root / "packages/a").mkdir(parents=True)
    for folder in (root, root / "packages/a"):
        assert are_wanted(folder, Settings()) is wanted
        assert are_wanted(folder, Settings(bindings="on"))
        assert not are_wanted(folder, Settings(bindings="off"))


def test_an_index_that_is_a_pipe_or_a_link_is_not_waited_for(tmp_path: Path) -> None:
    root = repository(tmp_path.resolve(), None)
    os.mkfifo(root / ".git/index")
    assert not are_wanted(root, Settings())
    (root / ".git/index").unlink()
    (root / "large").write_bytes(header(9_000))
    (root / ".git/index").symlink_to("../large")
    assert not are_wanted(root, Settings())


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [(b"src/App.vue\0", True), (b"+page.svelte\0", True), (b"a.astro\0", True), (b"a.vue.ts\0", False)],
)
def test_components_are_read_by_bindings_alone(tmp_path: Path, entry: bytes, wanted: bool) -> None:
    root = repository(tmp_path.resolve(), header(2) + entry)
    assert are_wanted(root, Settings()) is wanted
    assert not are_wanted(root, Settings(bindings="off"))


def test_so_are_those_of_a_folder_that_depends_on_their_framework(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"vue": "^3"}}')
    assert are_wanted(tmp_path, Settings())
    (tmp_path / "package.json").write_text('{"dependencies": {"vue-like": "^3"}}')
    assert not are_wanted(tmp_path, Settings())


def test_without_a_repository_a_program_is_loaded(tmp_path: Path) -> None:
    assert not are_wanted(tmp_path, Settings())
