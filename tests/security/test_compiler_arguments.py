"""A repository's compile commands have clangd write nothing and run nothing, with or without a sandbox around it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.languages import LANGUAGES
from cn_daemon.adapters.language_servers.provisioning.programs import provision_program
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.server.desk import Desk

pytestmark = pytest.mark.server

KEPT = "of the user\n"
# Each would replace the user's file, or make another one in the user's folder.
WRITING = {
    "diagnostics": ["-fmodules", "-serialize-diagnostics", "{home}/kept"],
    "modules": ["-fmodules", "-fmodules-cache-path={home}/made"],
    "driver's diagnostics": ["--serialize-diagnostics", "{home}/kept"],
    "dependencies": ["-MD", "-MF", "{home}/kept"],
    "dependencies, at once": ["-Wp,-MD,{home}/kept"],
    "headers it read": ["-Xclang", "-dependency-file", "-Xclang", "{home}/kept", "-Xclang", "-MTx"],
    "headers": ["-Xclang", "-header-include-file", "-Xclang", "{home}/kept", "-H"],
    "output": ["-o", "{home}/kept"],
    "log": ["-Xclang", "-diagnostic-log-file", "-Xclang", "{home}/kept"],
    "crash": ["-fcrash-diagnostics-dir={home}/made", "-gen-reproducer=always"],
    "intermediate files": ["--save-temps=obj", "-o", "{home}/made"],
    "index": ["-index-store-path", "{home}/made"],
    "times": ["-ftime-trace={home}/made"],
    "response file": ["@response"],
    "plugin": ["-fplugin={root}/plugin.so", "-Xclang", "-load", "-Xclang", "{root}/plugin.so"],
}  # fmt: skip


class Clone(Desk):
    """A workspace in C beside a home that is not its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "work", Settings(sandbox=False))
        self.home = folder / "home"
        self.home.mkdir()
        self.write(
            {
                "a.cpp": '#include "lib.hpp"\nint main() { return shop::total(Given); }\n',
                "include/lib.hpp": "namespace shop {\nint total(int x);\n}\n",
                # Of two that are as near neither is looked for by itself.
                "spare/lib.hpp": "",
                "include/module.modulemap": 'module lib { header "lib.hpp" }\n',
                "response": f"-fmodules -serialize-diagnostics {self.home}/kept",
            }
        )

    def compile(self, *words: str) -> None:
        """The database says so from now on."""
        told = [word.format(home=self.home, root=self.root) for word in words]
        arguments = ["clang++", *told, "-Iinclude", "-DGiven=1", "a.cpp"]
        row = {"directory": str(self.root), "file": "a.cpp", "arguments": arguments}
        self.replace("compile_commands.json", json.dumps([row]))

    def target(self) -> str | None:
        definition = self.find("a.cpp:2:28", mode="definition").definition
        return definition.file_path if definition else None


@pytest.fixture(scope="module")
def clone(user_folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clone]:
    folder = tmp_path_factory.mktemp("clone").resolve()
    row = next(one for one in LANGUAGES if one.name == "c")
    try:
        asyncio.run(provision_program(row, folder, Settings(), print, environ=os.environ))
    except LanguageServerError as error:
        pytest.skip(f"{error.message} {error.hint}")
    clone = Clone(folder)
    yield clone
    assert clone.close() == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITING)
def test_no_argument_has_clangd_write(clone: Clone, kind: str) -> None:
    shutil.rmtree(clone.home)
    clone.home.mkdir()
    (clone.home / "kept").write_text(KEPT)
    clone.compile(*WRITING[kind])
    # What is harmless counts all the same: the header is found by `-I`.
    assert clone.target() == "include/lib.hpp"
    clone.run(clone.ask("refs", query="a.cpp:2:28"))
    assert sorted(os.listdir(clone.home)) == ["kept"]
    assert (clone.home / "kept").read_text() == KEPT
    assert not [path for path in clone.root.rglob("*") if path.suffix in (".d", ".o", ".ii", ".pcm")]


def test_status_tells_what_is_left_out(clone: Clone) -> None:
    clone.compile("-fplugin=x.so")
    clone.find("a.cpp:2:28", mode="definition")
    (status,) = clone.services.language_servers()
    assert "-fplugin is left out" in (status.detail or "")


def test_other_commands_count_at_once(clone: Clone) -> None:
    """Also in a folder that git ignores, where builds write them."""
    clone.compile()
    assert clone.target() == "include/lib.hpp"
    (clone.root / "compile_commands.json").unlink()
    assert clone.target() is None
    clone.write({".gitignore": "build\n", "build/compile_commands.json": "[]"})
    row = {"directory": "..", "file": "a.cpp", "command": "c++ -Iinclude -DGiven=1 -c a.cpp"}
    (clone.root / "build" / "compile_commands.json").write_text(json.dumps([row]))
    assert clone.target() == "include/lib.hpp"


@pytest.mark.parametrize("name", ["compile_commands.json", "compile_flags.txt", ".clangd", ".clang-tidy"])
def test_a_file_above_the_workspace_is_nobodys(clone: Clone, name: str) -> None:
    """The temporary folder is everybody's; the root is not in a repository."""
    for path in ("compile_commands.json", "build/compile_commands.json"):
        (clone.root / path).unlink(missing_ok=True)
    row = {"directory": str(clone.root), "file": "a.cpp", "arguments": ["c++", "-Iinclude", "-DGiven=1", "a.cpp"]}
    texts = {"compile_commands.json": json.dumps([row]), "compile_flags.txt": f"-I{clone.root}/include\n"}
    above = clone.root.parent / name
    above.write_text(texts.get(name, f"CompileFlags: {{Add: [-I{clone.root}/include]}}\n"))
    clone.write({"compile_flags.txt": "-DAnew\n"})
    (clone.root / "compile_flags.txt").unlink()
    try:
        assert clone.target() is None
    finally:
        above.unlink()
