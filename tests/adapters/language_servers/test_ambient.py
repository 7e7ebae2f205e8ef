"""What the file says that has `node_modules/@types` read for loose files."""

from __future__ import annotations

from pathlib import Path

from cn_daemon.adapters.language_servers import ambient


def test_the_packages_of_the_folder_and_of_those_above(tmp_path: Path) -> None:
    root = tmp_path / "work"
    for folder in ("work/node_modules/@types/node", "work/node_modules/@types/babel__core", "node_modules/@types/node"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "node_modules/@types/express").symlink_to(tmp_path / "node_modules/@types/node")
    told = ambient.text(root).splitlines()
    assert told == sorted(set(told))
    assert {f'/// <reference types="{name}" />' for name in ("babel__core", "express", "node")} <= set(told)


def test_a_folder_s_name_cannot_have_other_files_read(tmp_path: Path) -> None:
    types = tmp_path / "node_modules" / "@types"
    for name in ('x" \npath="secret', ".bin", "..x", "a b", "\u2028"):
        (types / name).mkdir(parents=True)
    (types / "file.d.ts").write_text("declare var a: 1;")
    assert ambient.text(tmp_path) == ambient.text(tmp_path.parent)
