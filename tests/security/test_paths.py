"""No path, however it is written, reads a file outside the workspace."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_shared.errors import CnError, ForbiddenError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.ts").write_text("a\n")
    (tmp_path / "secret.ts").write_text("secret\n")
    (tmp_path / "root-twin").mkdir()
    (tmp_path / "root-twin" / "secret.ts").write_text("secret\n")
    return root


@pytest.mark.parametrize(
    "path",
    [
        "../secret.ts",
        "src/../../secret.ts",
        "./../secret.ts",
        "src//..//..//secret.ts",
        "../root-twin/secret.ts",
        "/etc/passwd",
        "../../../../../../../etc/passwd",
        "//etc/passwd",
        "/proc/self/environ",
        "..",
        "/",
    ],
)
@pytest.mark.parametrize("inner", ["", "src"])
def test_a_path_that_leads_outside_is_refused(root: Path, path: str, inner: str) -> None:
    with pytest.raises(CnError) as caught:
        WorkspaceFiles(root).resolve(path, root / inner)
    # From src, `../secret.ts` and `..` name places inside, where there is no such file.
    assert caught.value.code in ("outside_root", "file_not_found", "not_a_file")
    if path.startswith("/"):
        assert caught.value.code == "outside_root"


@pytest.mark.parametrize(
    "path",
    [
        "%2e%2e/secret.ts",
        "..%2fsecret.ts",
        "%2e%2e%2fsecret.ts",
        "..%c0%afsecret.ts",
        "..\\secret.ts",
        "file:///etc/passwd",
        "~/secret.ts",
        "src/%00",
        "．．/secret.ts",
        "..;/secret.ts",
    ],
)
def test_an_encoded_path_is_only_an_odd_name(root: Path, path: str) -> None:
    with pytest.raises(CnError) as caught:
        WorkspaceFiles(root).resolve(path, None)
    assert caught.value.code == "file_not_found"


def test_outside_is_refused_alike_whether_or_not_something_is_there(root: Path) -> None:
    for path in ("../secret.ts", "../nothing.ts"):
        with pytest.raises(ForbiddenError, match="outside the workspace"):
            WorkspaceFiles(root).resolve(path, None)


def test_links_are_judged_by_their_target(root: Path) -> None:
    (root / "file.ts").symlink_to(root.parent / "secret.ts")
    (root / "folder").symlink_to(root.parent)
    (root / "inside.ts").symlink_to(root / "src" / "a.ts")
    files = WorkspaceFiles(root)
    for path in ("file.ts", "folder/secret.ts", "src/../folder/secret.ts"):
        with pytest.raises(ForbiddenError):
            files.resolve(path, None)
        with pytest.raises(ForbiddenError):
            files.read_text(root / path)
    assert files.resolve("inside.ts", None) == root / "src" / "a.ts"


def test_a_link_put_in_the_files_place_after_the_check_reads_nothing(root: Path) -> None:
    files = WorkspaceFiles(root)
    path = files.resolve("src/a.ts", None)
    path.unlink()
    path.symlink_to(root.parent / "secret.ts")
    with pytest.raises(ForbiddenError):
        files.read_text(path)


def test_a_folder_swapped_for_a_link_after_the_check_reads_nothing(root: Path) -> None:
    files = WorkspaceFiles(root)
    path = files.resolve("src/a.ts", None)
    (root / "src").rename(root / "was")
    (root.parent / "a.ts").write_text("secret\n")
    (root / "src").symlink_to(root.parent)
    with pytest.raises(ForbiddenError):
        files.read_text(path)


PIECES = st.sampled_from(["..", ".", "src", "a.ts", "folder", "secret.ts", "", "~", "\0", "é", "%2e%2e", "root-twin"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    pieces=st.lists(PIECES, max_size=8),
    absolute=st.booleans(),
    cwd=st.sampled_from(["", "src", "nowhere", ".."]),
)
def test_whatever_is_read_lies_inside(root: Path, pieces: list[str], absolute: bool, cwd: str) -> None:
    if not (root / "folder").is_symlink():
        (root / "folder").symlink_to(root.parent)
    files = WorkspaceFiles(root)
    path = "/".join([str(root), *pieces] if absolute else pieces)
    try:
        found = files.resolve(path, root / cwd)
    except CnError:
        return
    assert found.is_relative_to(root)
    assert "secret" not in files.read_text(found)
