"""The files of a workspace: what a path names, what may be read, what a refusal says."""

import os
import subprocess
import unicodedata
from pathlib import Path

import pytest

from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_shared.errors import CnError, ForbiddenError, InputError, NotFoundError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "user.ts").write_text("export class User {}\n")
    (root / "main.ts").write_text("main\n")
    (tmp_path / "secret.ts").write_text("secret\n")
    return root


def code_of(files: WorkspaceFiles, path: str, cwd: Path | None = None) -> str:
    with pytest.raises(CnError) as caught:
        files.resolve(path, cwd)
    return caught.value.code


def test_a_path_starts_at_the_current_folder_then_at_the_root(root: Path) -> None:
    (root / "src" / "main.ts").write_text("inner\n")
    files = WorkspaceFiles(root)
    assert files.resolve("main.ts", root / "src") == root / "src" / "main.ts"
    assert files.resolve("main.ts", None) == root / "main.ts"
    assert files.resolve("src/user.ts", root / "src") == root / "src" / "user.ts"
    assert files.resolve(str(root / "main.ts"), None) == root / "main.ts"
    assert files.resolve("../main.ts", root / "src") == root / "main.ts"


def test_a_current_folder_outside_the_root_does_not_hide_the_root(root: Path) -> None:
    assert WorkspaceFiles(root).resolve("src/user.ts", root.parent) == root / "src" / "user.ts"
    assert code_of(WorkspaceFiles(root), "nothing.ts", root.parent) == "file_not_found"


def test_the_root_may_be_taken_for_that_of_the_file_system(root: Path) -> None:
    files = WorkspaceFiles(root)
    assert files.resolve("/src/user.ts", None) == root / "src" / "user.ts"
    assert [files.kind(path, None) for path in ("/src/user.ts", "/src", "/nowhere.ts")] == ["file", "folder", ""]
    # What is there is what it names.
    Path(f"{root}{root.parent}").mkdir(parents=True)
    Path(f"{root}{root.parent}", "secret.ts").write_text("ours")
    assert code_of(files, f"{root.parent}/secret.ts") == "outside_root"
    assert code_of(files, "/nowhere.ts") == "outside_root"


def test_answers_are_relative_to_the_root(root: Path) -> None:
    files = WorkspaceFiles(root)
    assert files.relative(root / "src" / "user.ts") == "src/user.ts"
    assert files.relative(root.parent / "lib.d.ts") == str(root.parent / "lib.d.ts")


def test_a_root_that_is_a_link_is_its_target(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    files = WorkspaceFiles(tmp_path / "link")
    assert files.resolve(str(tmp_path / "link" / "main.ts"), None) == root / "main.ts"


@pytest.mark.parametrize("git", [True, False])
def test_a_missing_file_names_near_ones(root: Path, git: bool) -> None:
    if git:
        subprocess.run(["git", "init", "-q", root], check=True)
        (root / ".gitignore").write_text("out/\n")
        (root / "out").mkdir()
        (root / "out" / "user.ts").write_text("")
    with pytest.raises(NotFoundError) as caught:
        WorkspaceFiles(root).resolve("user.ts", None)
    assert caught.value.data["near"] == ["src/user.ts"]
    assert caught.value.hint == "Did you mean src/user.ts?"
    with pytest.raises(NotFoundError) as caught:
        WorkspaceFiles(root).resolve("src/usr.ts", None)
    assert caught.value.data["near"] == ["src/user.ts"]


def test_a_repository_cannot_run_a_program_by_a_misspelled_name(root: Path) -> None:
    subprocess.run(["git", "init", "-q", root], check=True)
    hook = root / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {root}/ran\n")
    hook.chmod(0o755)
    subprocess.run(["git", "-C", root, "config", "core.fsmonitor", str(hook)], check=True)
    assert code_of(WorkspaceFiles(root), "usr.ts") == "file_not_found"
    assert not (root / "ran").exists()


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("", "bad_path"),
        ("a\0b", "bad_path"),
        ("src", "not_a_file"),
        ("x" * 300, "bad_path"),
        ("main.ts/x", "file_not_found"),
        (".", "not_a_file"),
    ],
)
def test_what_is_no_file_says_so(root: Path, path: str, code: str) -> None:
    assert code_of(WorkspaceFiles(root), path) == code


def test_a_pipe_is_refused_without_waiting_for_its_writer(root: Path) -> None:
    os.mkfifo(root / "pipe.ts")
    files = WorkspaceFiles(root)
    assert code_of(files, "pipe.ts") == "not_a_file"
    with pytest.raises(InputError, match="not a regular file"):
        files.read_text(root / "pipe.ts")


def test_a_folder_that_took_a_files_place_was_an_error_of_the_system(root: Path) -> None:
    (root / "was.ts").mkdir()
    with pytest.raises(InputError, match="not a regular file"):
        WorkspaceFiles(root).read_text(root / "was.ts")


def test_a_link_in_a_circle_is_refused(root: Path) -> None:
    (root / "loop.ts").symlink_to("loop.ts")
    assert code_of(WorkspaceFiles(root), "loop.ts") == "bad_path"


def test_names_that_differ_in_normalisation_only_are_found(root: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "café")
    (root / decomposed).mkdir()
    (root / decomposed / f"{decomposed}.ts").write_text("")
    found = WorkspaceFiles(root).resolve(unicodedata.normalize("NFC", "café/café.ts"), None)
    assert found == root / decomposed / f"{decomposed}.ts"


def test_two_names_that_differ_in_normalisation_only_are_not_confused(root: Path) -> None:
    for form in ("NFC", "NFD"):
        (root / f"{unicodedata.normalize(form, 'é')}x.ts").write_text(form)
    files = WorkspaceFiles(root)
    for form in ("NFC", "NFD"):
        assert files.read_text(files.resolve(f"{unicodedata.normalize(form, 'é')}x.ts", None)) == form


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"a\0b", "binary_file"),
        (b"const a = '\0\xff';\n", "binary_file"),
        ("export const a = 1;\n".encode("utf-16-le"), "binary_file"),
        (b"fine\n\xff\n", "invalid_utf8"),
        (b"x" * 1025, "too_large"),
    ],
)
def test_what_is_no_text_says_so(root: Path, content: bytes, code: str) -> None:
    (root / "odd.ts").write_bytes(content)
    with pytest.raises(InputError) as caught:
        WorkspaceFiles(root, ceiling_bytes=1024).read_text(root / "odd.ts")
    assert caught.value.code == code
    assert caught.value.message.startswith("odd.ts ")


def test_a_source_may_hold_a_nul_in_a_text(root: Path) -> None:
    (root / "key.ts").write_bytes(b'export const key = (one: string) => one + "\0";\n')
    assert "\0" in WorkspaceFiles(root).read_text(root / "key.ts")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_byte_order_mark_tells_the_encoding_and_is_no_text(root: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (root / "marked.ts").write_bytes(f"{mark}café\r\n".encode(encoding))
    assert WorkspaceFiles(root).read_text(root / "marked.ts") == "café\r\n"


def test_read_leniently_what_is_no_text_is_replaced(root: Path) -> None:
    (root / "odd.ts").write_bytes(b"one\nthr\xe9e\n")
    assert WorkspaceFiles(root).read_text(root / "odd.ts", leniently=True) == "one\nthr\ufffde\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_invalid_utf8_names_its_line(root: Path, mark: bytes) -> None:
    (root / "odd.ts").write_bytes(mark + b"one\r\ntwo\nthr\xe9\xe9\n")
    with pytest.raises(InputError, match=r"in line 3\.") as caught:
        WorkspaceFiles(root).read_text(root / "odd.ts")
    assert caught.value.data["line"] == 3


def test_text_comes_as_it_is_but_for_the_byte_order_mark(root: Path) -> None:
    (root / "odd.ts").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert WorkspaceFiles(root).read_text(root / "odd.ts") == "a\r\nb\rc\n"


def test_ten_megabytes_are_read(root: Path) -> None:
    (root / "big.ts").write_bytes(b"const x = 1;\n" * 800_000)
    assert len(WorkspaceFiles(root).read_text(root / "big.ts")) == 10_400_000


def test_a_vanished_file(root: Path) -> None:
    files = WorkspaceFiles(root)
    path = files.resolve("main.ts", None)
    path.unlink()
    with pytest.raises(NotFoundError, match="not there any more"):
        files.read_text(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(root: Path) -> None:
    (root / "main.ts").chmod(0)
    with pytest.raises(ForbiddenError) as caught:
        WorkspaceFiles(root).read_text(root / "main.ts")
    assert caught.value.code == "unreadable"


def test_an_error_of_the_disk_is_an_error_of_ours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", deny)
    with pytest.raises(ForbiddenError, match="Permission denied"):
        WorkspaceFiles(root).read_text(root / "main.ts")


def test_one_more_file_can_be_allowed(root: Path) -> None:
    secret = root.parent / "secret.ts"
    files = WorkspaceFiles(root, refusal=lambda real: "" if real == str(secret) else "no")
    with pytest.raises(ForbiddenError):
        files.read_text(secret)
    assert not files.allow(secret)
    assert files.allow(root.parent / "other.ts") == "no"
    assert files.read_text(files.resolve(str(secret), None)) == "secret\n"


def test_the_end_of_one_files_path_names_it_alone(tmp_path: Path) -> None:
    for name in ("classic/parse.ts", "core/parse.ts", "core/parser.ts"):
        file = tmp_path / "packages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")

    def near(path: str) -> object:
        with pytest.raises(NotFoundError) as caught:
            WorkspaceFiles(tmp_path).resolve(path, None)
        return caught.value.data["near"]

    assert near("core/parse.ts") == near("./core/parse.ts") == ["packages/core/parse.ts"]
    assert near("parser.ts") == ["packages/core/parser.ts"]
    assert near("parse.ts") == ["packages/classic/parse.ts", "packages/core/parse.ts", "packages/core/parser.ts"]
