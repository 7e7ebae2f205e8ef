"""Nothing that a clone or an archive brings is run. Hostile programs leave a mark, which must not be there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cn_shared.execution import Territory, find_executables, outside


def program(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def found(root: Path, *folders: Path | str, name: str = "git") -> list[Path]:
    return list(find_executables(name, root, {"PATH": os.pathsep.join(map(str, folders))}))


@pytest.fixture
def users(tmp_path: Path) -> Path:
    """The folder of the user's own git and node, which is none of any workspace."""
    folder = tmp_path.resolve() / "users"
    for name in ("git", "node"):
        program(folder / name)
    return folder


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """With programs where `npm run` puts them on PATH."""
    folder = tmp_path.resolve() / "clone"
    for name in ("git", "node"):
        program(folder / "node_modules" / ".bin" / name)
    (folder / "app").mkdir()
    return folder


@pytest.mark.parametrize("mark", [".git", ".git/", ".hg/", ".jj/", "package.json", "go.work", "Cargo.toml", ".cn.json"])
def test_programs_beside_the_root_but_in_its_repository(clone: Path, users: Path, mark: str) -> None:
    """With clone/app as the root, clone/node_modules/.bin was looked into."""
    app = clone / "app"
    (app / ".cn.json").write_text("{}")
    if mark.endswith("/"):
        (clone / mark).mkdir()
    else:
        (clone / mark).write_text("gitdir: elsewhere")
    assert found(app, clone / "node_modules" / ".bin", users) == [users / "git"]


def test_repositories_in_one_another(clone: Path, users: Path) -> None:
    (clone / ".git").mkdir()
    sub = clone / "app" / "sub"
    (sub / ".git").mkdir(parents=True)
    (clone / "app" / ".git").write_text("gitdir: ../.git/modules/app")
    assert found(sub, clone / "node_modules" / ".bin", users) == [users / "git"]
    assert Territory(sub).top == str(clone)


def test_a_folder_that_looks_like_a_bare_repository(tmp_path: Path, users: Path) -> None:
    bare = tmp_path.resolve() / "bare"
    for name in ("objects", "refs", "app"):
        (bare / name).mkdir(parents=True)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    program(bare / "bin" / "git")
    assert found(bare / "app", bare / "bin", users) == [users / "git"]


def test_links_lead_nowhere(clone: Path, users: Path, tmp_path: Path) -> None:
    """A folder or a program of PATH that is a link into the clone, and one of the clone's that leads out of it."""
    (clone / ".git").mkdir()
    own = clone / "node_modules" / ".bin"
    (tmp_path / "linked").symlink_to(own)
    (tmp_path / "single").mkdir()
    (tmp_path / "single" / "git").symlink_to(own / "git")
    (clone / "out").symlink_to("/bin")
    (clone / "named").mkdir()
    (clone / "named" / "git").symlink_to("/bin/sh")
    into = [tmp_path / "linked", tmp_path / "single", clone / "out", clone / "named"]
    assert found(clone / "app", *into, users) == [users / "git"]
    assert found(clone / "app", clone / "out", name="sh") == []


def test_folders_without_a_place(clone: Path, users: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clone / "node_modules" / ".bin")
    assert found(clone / "app", "", ".", "node_modules/.bin", users) == [users / "git"]


def test_what_the_file_system_does_not_answer_is_a_no(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, elsewhere = os.stat, clone.parent / "elsewhere"
    program(elsewhere / "git")

    def stat(path: object, *arguments: object, **named: object) -> os.stat_result:
        if str(path) == str(elsewhere):
            raise PermissionError(13, "denied")
        return real(path, *arguments, **named)  # type: ignore[arg-type]

    (clone / ".git").mkdir()
    assert found(clone / "app", elsewhere) == [elsewhere / "git"]
    monkeypatch.setattr(os, "stat", stat)
    assert found(clone / "app", elsewhere) == []


def test_the_home_of_the_user_is_nobodys_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings kept in git, and a package.json by mistake: Node.js of a version manager lies below the home."""
    home = tmp_path.resolve() / "home"
    monkeypatch.setenv("HOME", str(home))
    node = program(home / ".nvm" / "versions" / "node" / "v22" / "bin" / "node")
    app = home / "work" / "app"
    app.mkdir(parents=True)
    (home / ".git").mkdir()
    (home / "package.json").write_text("{}")
    (home.parent / ".git").mkdir()
    assert found(app, node.parent, name="node") == [node]
    assert Territory(app).top == str(app)
    (app.parent / ".git").mkdir()
    assert Territory(app).top == str(app.parent)
    assert found(home, node.parent, name="node") == []  # the home itself as a workspace


def test_a_workspace_that_is_the_whole_file_system() -> None:
    assert found(Path("/"), "/usr/bin", "/bin", name="sh")
    assert Territory("/").holds("/srv/tool")


def test_what_others_look_for_by_variables_is_not_the_clones(clone: Path, users: Path) -> None:
    (clone / ".git").mkdir()
    bin = clone / "node_modules" / ".bin"
    environ = {
        "PATH": f"{bin}:{users}:.", "LD_LIBRARY_PATH": f"{users}:", "NODE_PATH": ".", "LANG": "C",
        "LD_PRELOAD": f"libown.so {users}/own.so {bin}/git",
    }  # fmt: skip
    assert outside(environ, clone / "app") == {
        "PATH": str(users), "LD_LIBRARY_PATH": str(users), "LD_PRELOAD": f"{users}/own.so", "LANG": "C",
    }  # fmt: skip
