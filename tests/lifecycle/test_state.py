"""The state file's reading and writing, and the user's folders."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_shared import environment, folders, process, state

TOKEN = "ab" * 32


def document(root: Path, **changes: object) -> dict[str, object]:
    return {
        "schema": 1, "version": "0.1.0", "pid": os.getpid(), "processStart": process.start_of(os.getpid()),
        "host": "127.0.0.1", "port": 4242, "token": TOKEN, "root": str(root),
        "startedAt": "2026-01-01T00:00:00+00:00", "log": "/x.log", "environment": "0", **changes,
    }  # fmt: skip


def test_what_is_published_is_found_and_withdrawn(tmp_path: Path) -> None:
    published = state.publish(state.State(document(tmp_path)))
    assert published.path == str(tmp_path / state.NAME)
    found = state.live(str(tmp_path))
    assert found is not None
    assert (found.pid, found.port, found.token) == (os.getpid(), 4242, TOKEN)
    assert found.document == published.document
    assert state.withdraw(published)
    assert state.live(str(tmp_path)) is None
    assert os.listdir(tmp_path) == []


def test_a_successors_file_is_not_withdrawn(tmp_path: Path) -> None:
    mine = state.publish(state.State(document(tmp_path)))
    state.publish(state.State(document(tmp_path, token="cd" * 32)))
    assert not state.withdraw(mine)
    assert state.live(str(tmp_path)) is not None


def test_a_draft_that_a_killed_daemon_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / (state.NAME + ".tmp")).write_text("half")
    state.publish(state.State(document(tmp_path)))
    assert os.listdir(tmp_path) == [state.NAME]


def test_a_failed_write_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / state.NAME).mkdir()
    published = state.publish(state.State(document(tmp_path)))
    assert os.listdir(tmp_path) == [state.NAME]
    assert Path(published.path).is_relative_to(folders.cache_folder())
    found = state.live(str(tmp_path))
    assert found is not None
    assert found.path == published.path


@pytest.mark.parametrize("name", [name for name in document(Path("/")) if name != "schema"])
def test_a_missing_or_mistyped_field_is_no_state(tmp_path: Path, name: str) -> None:
    for changed in ({}, {name: None}, {name: ["x"]}, {name: True}):
        content = {**document(tmp_path), **changed}
        if not changed:
            del content[name]
        with pytest.raises(ValueError, match=name):
            state.State(content)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none(tmp_path: Path, port: int) -> None:
    with pytest.raises(ValueError, match="port"):
        state.State(document(tmp_path, port=port))


def test_a_root_that_is_not_utf8(tmp_path: Path) -> None:
    root = os.path.join(str(tmp_path), "\udcff")
    os.mkdir(root)
    state.publish(state.State(document(Path(root))))
    assert state.live(root) is not None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_the_bare_scanner_reads_json_as_json_does(value: object) -> None:
    import json

    text = json.dumps(value, indent=1) + "\n"
    assert state.parse(text) == json.loads(text)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \\u', max_size=12))
def test_the_bare_scanner_takes_no_more_than_json(text: str) -> None:
    import json

    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises((ValueError, StopIteration)):
            state.parse(text)
    else:
        assert repr(state.parse(text)) == repr(expected)


def test_json_itself_where_there_is_no_scanner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    assert state.parse(' {"a": [1]} ') == {"a": [1]}


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (["a/b/.git"], "a/b"),
        (["a/.cn.json", "a/b/.git"], "a"),
        (["a/.git", "a/b/package.json"], "a"),
        (["a/package.json", "a/b/tsconfig.json"], "a/b"),
        (["a/pyproject.toml"], "a"),
    ],
)
def test_the_root_is_found_upward(tmp_path: Path, marks: list[str], expected: str) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    for mark in marks:
        (tmp_path / mark).write_text("{}")
    assert folders.find_root(str(deep)) == str(tmp_path / expected)


def test_without_any_mark_the_folder_itself_is_the_root(tmp_path: Path) -> None:
    if folders.find_root(str(tmp_path.parent)) != str(tmp_path.parent):
        pytest.skip("the temporary folder lies in a workspace")
    assert folders.find_root(str(tmp_path)) == str(tmp_path)


def test_folders_are_private_and_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folders.cache_folder() == tmp_path / ".cache" / "cn"
    assert folders.cache_folder().stat().st_mode & 0o777 == 0o700
    assert folders.config_folder().is_absolute()


def test_no_folder_is_everybodys_whatever_the_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "a" / "b"))
    before = os.umask(0)
    try:
        folder = folders.state_folder()
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent, folder.parent.parent)} == {0o700}
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        folders.ensured(str(tmp_path / "file"))


def test_a_link_of_the_users_own_leads_to_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    disk = tmp_path / "disk" / "of-the-user"
    (tmp_path / "cn").symlink_to(disk)  # it is not there yet
    assert folders.cache_folder() == disk
    assert disk.stat().st_mode & 0o777 == 0o700
    assert folders.cache_folder() == disk


def test_the_runtime_folder_without_xdg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = tmp_path / f"cn-{os.geteuid()}"
    folder.mkdir(mode=0o777)
    assert folders.runtime_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_runtime_folder_that_somebody_else_prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "theirs").mkdir()
    (tmp_path / f"cn-{os.geteuid()}").symlink_to(tmp_path / "theirs")
    assert folders.runtime_folder() == folders.state_folder() / "run"


def test_user_without_a_home_has_folders_below_the_runtime_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container's user without a name: HOME leads nowhere and cannot be made."""
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / "file" / "home"))
    own = tmp_path / f"cn-{os.geteuid()}"
    assert folders.cache_folder() == own / ".cache" / "cn"
    assert folders.state_folder() == own / ".local" / "state" / "cn"
    assert state.publish(state.State(document(tmp_path))).sealed()
    # Settings are never taken from there: whoever comes first to a temporary folder is not the user.
    assert folders.config_folder() == tmp_path / "file" / "home" / ".config" / "cn"
    shutil.rmtree(own)
    own.symlink_to(tmp_path)
    other = Path(folders.base("XDG_STATE_HOME", ".local/state"))
    assert other == folders.runtime_folder() / ".local" / "state" / "cn"
    assert folders.runtime_folder().name.startswith(own.name + "-")


@pytest.mark.parametrize("home", ["~", "relative", ""])
def test_a_home_that_is_no_place_does_not_make_one_of_the_current_folder(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no HOME and no name of the user ~ stays ~: settings of the folder one stands in would be the user's."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: home)
    assert folders.config_folder() == Path("/.config/cn")


def test_the_fingerprint_follows_the_values_that_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = environment.fingerprint(environment.values())
    monkeypatch.setenv("CN_ROOT", "/elsewhere")
    monkeypatch.setenv("CN_FORMAT", "text")
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert environment.fingerprint(environment.values()) == before
    for name in ("CN_NODE", "AICMD_CACHE_TTL", "PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH"):
        monkeypatch.setenv(name, "/x")
        after = environment.fingerprint(environment.values())
        assert after != before
        before = after


def test_the_fingerprint_without_the_c_module(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = environment.digest("x")
    monkeypatch.setitem(sys.modules, "_blake2", None)
    assert environment.digest("x") == plain
