"""The programs of languages' servers: where they are looked for, and what is wrong with those that are there."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from cn_daemon.adapters.checkup import toolchain
from cn_daemon.adapters.language_servers.languages import LANGUAGES, Language
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.adapters.language_servers.provisioning.programs import (
    Program,
    find_program,
    missing,
    provision_program,
    refusal,
    search_path,
)
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError

GO = next(row for row in LANGUAGES if row.name == "go")
RUST = next(row for row in LANGUAGES if row.name == "rust")
HOW = "go install golang.org/x/tools/gopls@latest"


def script(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "work"
    root.mkdir()
    return root


def found(root: Path, *folders: Path, **variables: str) -> Program | str:
    return asyncio.run(find_program(GO, root, {"PATH": os.pathsep.join(map(str, folders)), **variables}))


def test_a_program_is_found_on_path_and_in_the_folders_of_its_row(root: Path, tmp_path: Path) -> None:
    users, go = tmp_path / "gopath" / "bin", tmp_path / "go"
    script(go, "go", "exit 0")
    gopls = script(users, "gopls", "echo golang.org/x/tools/gopls v0.16.1")
    told = found(root, go, GOPATH=str(users.parent), GOFLAGS="-tags=special", CGO_ENABLED="1")
    assert isinstance(told, Program)
    assert (told.path, told.version) == (gopls, "0.16.1")
    assert told.environment["GOFLAGS"] == "-tags=special -buildvcs=false"
    assert (told.environment["GOPROXY"], told.environment["CGO_ENABLED"]) == ("off", "0")
    assert told.environment["PATH"].split(os.pathsep)[:2] == [str(go), str(users)]


def test_what_lies_in_the_workspace_is_not_looked_at(root: Path, tmp_path: Path) -> None:
    script(root / "bin", "gopls", "echo 0.16.1")
    path = search_path(GO, root, {"PATH": f"{root}/bin:bin:{tmp_path}", "GOPATH": str(root), "GOBIN": ""})
    assert path.split(os.pathsep) == [str(tmp_path), "/usr/local/go/bin", "/usr/lib/go/bin"]


def test_what_lies_in_the_repository_around_the_root_is_not_looked_at(root: Path, tmp_path: Path) -> None:
    """With work/app as the root, work/bin was looked into."""
    app = root / "app"
    (app / ".git").mkdir(parents=True)
    (root / "go.work").write_text("go 1.22\n")
    script(root / "bin", "gopls", "echo 0.16.1")
    path = search_path(GO, app, {"PATH": f"{root}/bin:{tmp_path}", "GOPATH": str(root), "GOBIN": f"{root}/bin"})
    assert path.split(os.pathsep) == [str(tmp_path), "/usr/local/go/bin", "/usr/lib/go/bin"]
    home = root / "toolchain"
    script(tmp_path / "rust", "rustc", f"echo {home}")
    script(home / "bin", "rust-analyzer", "echo rust-analyzer 1.85.1")
    told = asyncio.run(find_program(RUST, app, {"PATH": str(tmp_path / "rust")}))
    assert told == "rust-analyzer, which is not on PATH"


def test_a_proxy_whose_program_is_not_installed_is_none(root: Path, tmp_path: Path) -> None:
    proxy = script(tmp_path, "gopls", "echo Unknown binary >&2; exit 1")
    assert found(root, tmp_path) == f"gopls, and {proxy} does not run"


@pytest.mark.parametrize(
    ("told", "version"),
    [("golang.org/x/tools/gopls v0.5.0", "0.5.0"), ("golang.org/x/tools/gopls master", "of no known version")],
)
def test_an_old_program_is_refused_by_its_version(root: Path, tmp_path: Path, told: str, version: str) -> None:
    old = script(tmp_path, "gopls", f"echo {told}")
    assert found(root, tmp_path) == f"gopls 0.15 or newer, and {old} is {version}"


def test_a_program_needs_the_ones_that_it_runs(root: Path, tmp_path: Path) -> None:
    script(tmp_path, "gopls", "echo 0.16.1")
    alone = {"PATH": str(tmp_path)}
    row = Language(name="x", title="X", endings={}, server="gopls", beside=("nogo",), by_hand="get it")
    assert asyncio.run(find_program(row, root, alone)) == "nogo beside gopls, which is not on PATH"
    assert missing(row, root, alone) == "nogo is not on PATH (get it)"


def test_what_is_missing_is_told_with_how_to_get_it(root: Path, tmp_path: Path) -> None:
    empty = {"PATH": str(tmp_path)}
    with pytest.raises(LanguageServerError) as failure:
        asyncio.run(provision_program(GO, root, Settings(), print, environ=empty))
    assert failure.value.message.startswith(f"Go: cn needs gopls, which is not on PATH ({HOW}")
    (finding,) = asyncio.run(toolchain.languages([GO], root, empty, Cache(tmp_path)))
    assert (finding.state, finding.message) == ("warn", "Go: cn needs gopls, which is not on PATH")
    assert finding.fix.startswith(HOW)
    assert missing(GO, root, empty).startswith(f"gopls is not on PATH ({HOW}")


def test_what_rustup_would_choose_by_a_file_of_the_workspace_is_passed_by(root: Path, tmp_path: Path) -> None:
    home, proxies = tmp_path / "stable", tmp_path / "cargo"
    for name in ("rustc", "cargo", "rust-analyzer"):
        script(home / "bin", name, "echo rust-analyzer 1.85.1")
        script(proxies, name, f'test "$PWD" = / && echo {home}')
    told = asyncio.run(find_program(RUST, root, {"PATH": str(proxies)}))
    assert isinstance(told, Program)
    assert told.path == home / "bin" / "rust-analyzer"
    assert told.environment["PATH"].split(os.pathsep)[0] == str(home / "bin")
    assert told.environment["RUSTUP_TOOLCHAIN"] == str(home)
    assert (told.environment["RUSTC"], told.environment["RUSTC_WRAPPER"]) == (f"{home}/bin/rustc", "")


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        (".cargo/config.toml", '[env]\nLD_PRELOAD = "evil.so"\n[build]\nrustc-wrapper = "evil"\n', "by its env"),
        ("member/.cargo/config", "[unstable]\n", "by its unstable"),
        ("rust-analyzer.toml", "[cargo.buildScripts]\nenable = true\n", "by its cargo"),
        ("crates/deep/inner/rust-analyzer.toml", "[check]\noverrideCommand = ['x']\n", "by its check"),
        (".cargo/config.toml", "[[[", "cannot be read"),
        ("rust-project.json", '{"sysroot": "evil", "crates": []}', "by its sysroot"),
        (".rust-project.json", '{"sysroot_src": "evil/lib/rustlib/src", "crates": []}', "by its sysroot_src"),
        ("rust-project.json", "[" * 100_000, "cannot be read"),
        ("rust-project.json", "[1]", "cannot be read"),
        ("rust-project.json", '{"crates": [{"root_module": "a.rs", "edition": "2021", "deps": []}]}', ""),
        (".cargo/config.toml", '[build]\nrustc-wrapper = "evil"\n[alias]\nx = "run"\n', ""),
    ],
)
def test_a_file_by_which_a_workspace_would_have_something_run_is_refused(
    root: Path, tmp_path: Path, file: str, text: str, told: str
) -> None:
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text)
    refused = refusal(RUST, root)
    assert (file in refused, told in refused) == (bool(told), True)
    if told:
        # cargo looks above the folder that it runs in as well, and what lies there came with the repository.
        (root / ".git").mkdir()
        (root / "nested" / "app").mkdir(parents=True)
        assert bool(refusal(RUST, root / "nested" / "app")) is (not file.startswith(("member", "crates")))
        with pytest.raises(LanguageServerError, match="Rust is not answered here"):
            asyncio.run(provision_program(RUST, root, Settings(), print, environ={}))
        (finding,) = asyncio.run(toolchain.languages([RUST], root, {}, Cache(tmp_path)))
        assert finding.state == "warn"
        assert refused in finding.message
