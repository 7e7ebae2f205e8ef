"""The compiler is asked about a tsconfig again when what it lists may be another, and not before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.native.configs import Configs

PLAIN = '{"files": ["a.ts"]}'
# Shows a tsconfig as it is, and notes that it was asked.
COMPILER = """#!/bin/sh
echo "$3" >>asked
case $(cat "$3") in *nothing*) echo "error TS18003: No inputs" ;; *) cat "$3" ;; esac
"""


class Compiler:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.configs = Configs(lambda: map(str, folder.glob("*/tsconfig.json")))
        (folder / "tsc").write_text(COMPILER)
        (folder / "tsc").chmod(0o755)

    def write(self, name: str, text: str) -> str:
        file = self._folder / name / "tsconfig.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return str(file.parent / "a.ts")

    def asked(self) -> list[str]:
        """The folders of the tsconfigs about which it is asked now."""
        log = self._folder / "asked"
        log.write_text("")
        asyncio.run(self.read())
        return sorted(Path(line).parent.name for line in log.read_text().split())

    async def read(self) -> None:
        await self.configs.read(self._folder / "tsc")


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.chdir(tmp_path)
    return Compiler(tmp_path)


def test_every_tsconfig_was_read_again_when_one_had_changed(compiler: Compiler) -> None:
    plain, other = compiler.write("plain", PLAIN), compiler.write("other", PLAIN)
    compiler.write("heir", '{"extends": "../base.json", "files": ["a.ts"]}')
    compiler.write("escaped", '{"\\u0065xtends": "../base.json", "files": ["a.ts"]}')
    assert compiler.asked() == ["escaped", "heir", "other", "plain"]
    assert compiler.asked() == []
    compiler.write("other", '{"files": ["b.ts"]}')
    compiler.configs.forget(files=False)
    assert compiler.asked() == ["escaped", "heir", "other"]
    assert (compiler.configs.owner(plain), compiler.configs.owner(other)) == (
        str(Path(plain).with_name("tsconfig.json")),
        None,
    )


def test_one_that_lists_nothing_is_read_again(compiler: Compiler) -> None:
    compiler.write("empty", '{"include": ["nothing"]}')
    assert compiler.asked() == ["empty"]
    compiler.configs.forget(files=False)
    assert compiler.asked() == ["empty"]
    assert compiler.configs.without_files == {str(Path("empty/tsconfig.json").absolute())}


def test_all_are_read_again_once_files_may_be_there_of_which_nobody_tells(compiler: Compiler) -> None:
    compiler.write("plain", PLAIN)
    assert compiler.asked() == ["plain"]
    compiler.configs.forget(files=True)
    assert compiler.asked() == ["plain"]
