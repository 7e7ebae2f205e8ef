"""A TypeScript that came with the code is not run, however it came. Its programs leave a mark and answer nothing: a
right answer says as well that another one ran."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

STRANGER = 54321
PLATFORM = "@typescript/typescript-linux-x64"


class Clone:
    """A repository of one class and its use, with hostile programs where editors look for TypeScript's."""

    def __init__(self, folder: Path, root: str = "") -> None:
        self.folder = folder / "clone"
        self.root = self.folder / root
        self.mark = folder / "ran"
        self.modules = self.folder / "node_modules"
        self.root.mkdir(parents=True)
        (self.root / "tsconfig.json").write_text(TSCONFIG)
        (self.root / "a.ts").write_text("export class Basis {}\n")
        (self.root / "b.ts").write_text('import { Basis } from "./a";\nnew Basis();\n')

    def package(self, name: str, version: str, *programs: str) -> Path:
        package = self.modules / name
        (package / "lib").mkdir(parents=True)
        (package / "package.json").write_text(json.dumps({"name": name, "version": version}))
        for program in programs:
            script = f"require('fs').writeFileSync({json.dumps(str(self.mark))}, ''); process.exit(3)"
            if program == "tsc":
                script = f"#!/bin/sh\n: > {self.mark}\nexit 3\n"
            if program.endswith(".mjs"):
                script = f"import fs from 'fs'; fs.writeFileSync({json.dumps(str(self.mark))}, ''); process.exit(3)"
            (package / "lib" / program).write_text(script)
            (package / "lib" / program).chmod(0o755)
        return package

    def typescript(self) -> Path:
        return self.package("typescript", "5.9.3", "tsserver.js", "_tsserver.js", "typescript.js", "tsc.js")

    def track(self) -> None:
        author = ["-c", "user.name=x", "-c", "user.email=x"]
        for command in (["init", "-q"], ["add", "-f", "."], [*author, "commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=self.folder, check=True)


def looks_like_a_repository(clone: Clone) -> None:
    """Git refused to say whether it tracks what lies beside these, and that was taken for a no."""
    lib = clone.typescript() / "lib"
    for name in ("HEAD", "objects/x", "refs/x"):
        (lib / name).parent.mkdir(exist_ok=True)
        (lib / name).write_text("ref: refs/heads/main\n")
    clone.track()


def above_the_root(clone: Clone) -> None:
    """Of a file above the root nobody was asked."""
    clone.typescript()
    (clone.root / ".cn.json").write_text("{}")
    clone.track()


def of_another_owner(clone: Clone) -> None:
    """A container's bind mount: git refuses by its ownership."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    clone.typescript()
    clone.track()
    for folder, _, names in os.walk(clone.folder):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, STRANGER, STRANGER)


def lib_elsewhere(clone: Clone) -> None:
    """The link is tracked; what it leads to, a shared folder of another user's, is not."""
    lib = clone.typescript() / "lib"
    elsewhere = clone.folder.parent / "shared"
    shutil.move(lib, elsewhere)
    lib.symlink_to(elsewhere)
    clone.track()


def unpacked(clone: Clone) -> None:
    """From an archive, whose files git knows nothing of."""
    clone.typescript()
    (clone.modules / ".package-lock.json").write_text("{}")
    (clone.modules / ".yarn-integrity").write_text("")


def language_server(clone: Clone) -> None:
    clone.package("typescript-language-server", "5.3.0", "cli.mjs")


def native(clone: Clone) -> None:
    clone.package("typescript", "7.0.2")
    clone.package(PLATFORM, "7.0.2", "tsc")


ATTACKS: dict[Callable[[Clone], None], str] = {
    looks_like_a_repository: "5.9.3",
    above_the_root: "5.9.3",
    of_another_owner: "5.9.3",
    lib_elsewhere: "5.9.3",
    unpacked: "5.9.3",
    language_server: "6.0.3",
    native: "7.0.2",
}


@contextmanager
def desk(root: Path) -> Iterator[Desk]:
    with closing(Desk(root)) as one:
        yield one


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_nothing_of_it_runs(toolchain: Toolchain, tmp_path: Path, attack: Callable[[Clone], None]) -> None:
    clone = Clone(tmp_path.resolve(), "app" if attack is above_the_root else "")
    attack(clone)
    with desk(clone.root) as one:
        assert one.uses("Basis") == ["b.ts:1", "b.ts:2"]
        one.run(one.ask("hover", query="Basis"))
        assert one.services.language_servers()[0].typescript == ATTACKS[attack]
    assert not clone.mark.exists()


def test_nothing_of_it_runs_where_there_is_no_git(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = Clone(tmp_path.resolve())
    clone.typescript()
    clone.track()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("node", "npm", "sh"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))
    with desk(clone.root) as one:
        assert one.uses("Basis") == ["b.ts:1", "b.ts:2"]
    assert not clone.mark.exists()


def test_programs_beside_the_root_on_path_do_not_run(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `npm run` in the clone puts them there, with a folder of it as the root."""
    clone = Clone(tmp_path.resolve(), "app")
    (clone.root / ".cn.json").write_text("{}")
    clone.track()
    own = clone.modules / ".bin"
    own.mkdir(parents=True)
    for name in ("git", "node", "npm", "typescript-language-server"):
        (own / name).write_text(f"#!/bin/sh\n: > {clone.mark}\nexit 3\n")
        (own / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{own}:{os.environ['PATH']}")
    with desk(clone.root) as one:
        assert one.uses("Basis") == ["b.ts:1", "b.ts:2"]
        one.run(one.ask("changed", rev="HEAD"))
    assert not clone.mark.exists()
