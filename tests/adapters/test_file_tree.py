"""The files of a workspace as they stand at the question: real folders, every way in which they change."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters import file_tree
from cn_daemon.adapters.file_tree import FileTree
from cn_daemon.adapters.ignored import FileIgnored

Grow = Callable[[], FileTree]


@pytest.fixture(params=["no git", "git"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "root"
    root.mkdir()
    if request.param == "git":
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


@pytest.fixture(params=["inotify", "stat sweep"])
def grow(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Grow]:
    """Makes a scanned tree of the root that watches, or one that compares."""
    trees: list[FileTree] = []
    if request.param == "stat sweep":
        monkeypatch.setattr(FileTree, "_watch", lambda tree: setattr(tree, "mode", "stat sweep"))

    def grown() -> FileTree:
        tree = FileTree(root, lambda name: name.endswith(".ts"))
        trees.append(tree)
        assert tree.mode == "not started"
        tree.scan()
        assert tree.mode == request.param
        return tree

    yield grown
    for tree in trees:
        tree.close()


def write(root: Path, *names: str, text: str = "") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def names(root: Path, paths: object) -> list[str]:
    return sorted(os.path.relpath(path, root) for path in paths)  # type: ignore[attr-defined]


def test_only_wanted_files_count(root: Path, grow: Grow) -> None:
    write(root, "a.ts", "b.txt", "src/c.ts", "node_modules/d.ts", ".git/e.ts", "src/node_modules/f.ts")
    assert names(root, grow().files) == ["a.ts", "src/c.ts"]


def test_what_is_installed_is_told(root: Path, grow: Grow) -> None:
    """Without inotify, too: it decides where imports lead."""
    write(root, "a.ts", "node_modules/@x/b/index.d.ts")
    tree = grow()
    assert tree.drain() == set()
    write(root, "node_modules/c/index.d.ts")
    assert names(root, tree.drain()) == ["node_modules"]
    write(root, "node_modules/@x/d/index.d.ts")
    assert names(root, tree.drain()) == ["node_modules"]
    write(root, "src/node_modules/e/index.d.ts")
    assert "src/node_modules" in names(root, tree.drain())
    assert tree.drain() == set()
    shutil.rmtree(root / "node_modules" / "@x" / "b")
    assert names(root, tree.drain()) == ["node_modules"]
    shutil.rmtree(root / "node_modules")
    assert names(root, tree.drain()) == ["node_modules"]
    assert tree.drain() == set()


def test_every_change_is_told_once(root: Path, grow: Grow) -> None:
    write(root, "a.ts", "b.ts", "c.ts")
    tree = grow()
    assert tree.drain() == set()
    write(root, "a.ts", text="edited")
    write(root, "new.ts")
    (root / "b.ts").unlink()
    (root / "c.ts").rename(root / "d.ts")
    assert names(root, tree.drain()) == ["a.ts", "b.ts", "c.ts", "d.ts", "new.ts"]
    assert names(root, tree.files) == ["a.ts", "d.ts", "new.ts"]
    assert tree.drain() == set()


def test_an_atomic_replace_of_the_same_size_is_a_change(root: Path, grow: Grow) -> None:
    write(root, "a.ts", text="one")
    tree = grow()
    write(root, "a.ts.tmp", text="two")
    (root / "a.ts.tmp").replace(root / "a.ts")
    assert names(root, tree.drain()) == ["a.ts"]


def test_folders_that_appear_move_and_go(root: Path, grow: Grow) -> None:
    tree = grow()
    write(root, "new/deep/a.ts", "new/b.ts")
    assert names(root, tree.drain()) == ["new/b.ts", "new/deep/a.ts"]
    write(root, "new/deep/later.ts")
    assert names(root, tree.drain()) == ["new/deep/later.ts"]
    (root / "new").rename(root / "moved")
    tree.drain()
    assert names(root, tree.files) == ["moved/b.ts", "moved/deep/a.ts", "moved/deep/later.ts"]
    write(root, "moved/deep/a.ts", text="edited after the move")
    assert names(root, tree.drain()) == ["moved/deep/a.ts"]
    shutil.rmtree(root / "moved")
    assert names(root, tree.drain()) == ["moved/b.ts", "moved/deep/a.ts", "moved/deep/later.ts"]
    assert tree.files == {}


def test_a_folder_moved_in_from_outside_and_out_again(root: Path, grow: Grow, tmp_path: Path) -> None:
    tree = grow()
    write(tmp_path, "outside/deep/a.ts")
    (tmp_path / "outside").rename(root / "inside")
    assert names(root, tree.drain()) == ["inside/deep/a.ts"]
    (root / "inside").rename(tmp_path / "outside")
    assert names(root, tree.drain()) == ["inside/deep/a.ts"]
    write(tmp_path, "outside/deep/b.ts")
    tree.drain()
    assert tree.files == {}


def test_what_is_ignored_does_not_count(root: Path, grow: Grow) -> None:
    write(root, ".gitignore", text="dist/\n*.gen.ts\n!keep.gen.ts\n")
    write(root, "a.ts", "dist/b.ts", "c.gen.ts", "keep.gen.ts", "src/dist/d.ts")
    write(root, "src/.gitignore", text="local.ts\n")
    write(root, "src/local.ts", "local.ts")
    tree = grow()
    assert names(root, tree.files) == ["a.ts", "keep.gen.ts", "local.ts"]
    write(root, "dist/new.ts", "new.gen.ts", "src/local.ts", "src/dist/e.ts")
    tree.drain()
    assert names(root, tree.files) == ["a.ts", "keep.gen.ts", "local.ts"]
    write(root, "src/seen.ts")
    assert names(root, tree.drain()) == ["src/seen.ts"]


def test_what_is_ignored_counts_once_it_is_followed(root: Path, grow: Grow) -> None:
    write(root, ".gitignore", text="dist/\n*.gen.ts\n")
    write(root, "dist/in/b.ts", "dist/other/c.ts", "d.gen.ts", "e.gen.ts")
    tree = grow()
    assert [tree.follow(str(root / name)) for name in ("dist/in/b.ts", "d.gen.ts", "d.gen.ts")] == [True, True, False]
    assert not tree.follow(str(root / "node_modules/a.ts"))
    assert {"d.gen.ts", "dist/in/b.ts"} <= set(names(root, tree.drain()))
    assert tree.drain() == set()
    write(root, "dist/in/b.ts", "d.gen.ts", text="changed")
    write(root, "dist/in/new.ts", "dist/other/c.ts", "f.ts")
    assert names(root, tree.drain()) == ["d.gen.ts", "dist/in/b.ts", "dist/in/new.ts", "f.ts"]
    assert str(root / "f.ts") not in tree.beyond
    shutil.rmtree(root / "dist")
    assert names(root, tree.drain()) == ["dist/in/b.ts", "dist/in/new.ts"]
    write(root, "dist/in/b.ts")
    assert names(root, tree.drain()) == ["dist/in/b.ts"]
    write(root, "dist/in/b.ts", text="again")
    assert names(root, tree.drain()) == ["dist/in/b.ts"]
    assert {"dist/in/b.ts", "d.gen.ts"} <= set(names(root, tree.beyond))
    write(root, ".gitignore", text="dist/\n")
    assert {"d.gen.ts", "e.gen.ts"} <= set(names(root, tree.drain()))
    assert names(root, tree.beyond) == ["dist/in/b.ts"]


def test_what_is_expected_counts_when_it_comes(root: Path, grow: Grow) -> None:
    """Of what is ignored; the folder need not be there yet."""
    write(root, ".gitignore", text="dist/\n")
    write(root, "a/src/b.ts", "b/dist/c.ts", "b/dist/deep/d.ts", "c/dist/e.ts")
    tree = grow()
    expected = [
        str(root / path) for path in ("a/dist/types/*/x.ts", "b/dist/c.ts", "a/src/b.ts", "node_modules/d/e.ts")
    ]
    assert names(root, tree.expect(expected)) == ["b/dist/c.ts", "b/dist/deep/d.ts"]
    assert (tree.expect(expected), tree.drain()) == (set(), set())
    write(root, "a/dist/types/x.ts", "a/dist/y.ts", "b/dist/c.ts", "b/dist/more/f.ts", "c/dist/g.ts", text="built")
    assert names(root, tree.drain()) == ["a/dist/types/x.ts", "b/dist/c.ts", "b/dist/more/f.ts"]
    assert [tree.is_output(str(root / path)) for path in ("b/dist/more/f.ts", "a/src/b.ts", "c/dist/e.ts")] == [
        True,
        False,
        False,
    ]
    shutil.rmtree(root / "b" / "dist")
    (root / "a" / "dist").rename(root / "b" / "dist")
    write(root, "a/dist/types/z.ts")
    gone = ["b/dist/c.ts", "b/dist/deep/d.ts", "b/dist/more/f.ts"]
    assert set(names(root, tree.drain())) >= {"a/dist/types/x.ts", "a/dist/types/z.ts", "b/dist/types/x.ts", *gone}
    assert set(names(root, tree.beyond & tree.files.keys())) == {
        "a/dist/types/z.ts",
        "b/dist/types/x.ts",
        "b/dist/y.ts",
    }
    write(root, ".gitignore", text="c/\n")
    tree.drain()
    assert (tree.beyond, str(root / "a/dist/types/z.ts") in tree.files) == (set(), True)


def test_a_line_that_is_no_pattern_left_no_file_of_the_workspace_known(root: Path, grow: Grow) -> None:
    write(root, ".gitignore", text="!\nold.ts\nx\\\n[z-a]\n\xff\n")
    write(root, "a.ts", "old.ts", "src/b.ts")
    assert names(root, grow().files) == ["a.ts", "src/b.ts"]


def test_a_pipe_for_a_gitignore_was_waited_for_without_git(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    assert FileIgnored(tmp_path).listing() == frozenset()


def test_another_gitignore_is_another_list(root: Path, grow: Grow) -> None:
    write(root, "a.ts", "out/b.ts")
    tree = grow()
    write(root, ".gitignore", text="out\n")
    assert names(root, tree.drain()) == ["out/b.ts"]
    assert names(root, tree.files) == ["a.ts"]
    (root / ".gitignore").unlink()
    assert names(root, tree.drain()) == ["out/b.ts"]
    write(root, "out/c.ts")
    assert names(root, tree.drain()) == ["out/c.ts"]


def test_a_folder_that_comes_with_a_gitignore_counted_whole_without_git(root: Path, grow: Grow) -> None:
    """As one that is unpacked, copied or moved does: until any .gitignore changed, its builds were sources."""
    write(root, "a.ts", "dist/b.ts")
    tree = grow()
    write(root, "new/.gitignore", text="dist\n*.gen.ts\n")
    write(root, "new/c.ts", "new/d.gen.ts", "new/dist/e.ts", "new/deep/dist/f.ts")
    assert names(root, tree.drain()) == ["new/c.ts"]
    (root / "new").rename(root / "moved")
    assert names(root, tree.drain()) == ["moved/c.ts", "new/c.ts"]
    write(root, "new/dist/e.ts")
    assert names(root, tree.drain()) == ["new/dist/e.ts"]
    assert names(root, tree.files) == ["a.ts", "dist/b.ts", "moved/c.ts", "new/dist/e.ts"]


def test_a_repository_that_is_begun_or_gone_is_asked_or_is_not(root: Path, grow: Grow) -> None:
    """Git knows what it tracks all the same; without a repository nothing was ignored any more."""
    write(root, "a.ts", "dist/b.ts")
    write(root, ".gitignore", text="dist\n")
    shutil.rmtree(root / ".git", ignore_errors=True)
    tree = grow()
    git = ["git", "-C", str(root)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-f", "dist/b.ts"], check=True)
    tree.drain()
    assert names(root, tree.files) == ["a.ts", "dist/b.ts"]
    shutil.rmtree(root / ".git")
    tree.drain()
    assert names(root, tree.files) == ["a.ts"]
    write(root, "dist/c.ts", "d.ts")
    assert names(root, tree.drain()) == ["d.ts"]


def test_links_are_not_followed(root: Path, grow: Grow, tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/a.ts")
    write(root, "real.ts")
    (root / "link").symlink_to(tmp_path / "elsewhere")
    (root / "circle").symlink_to(root)
    (root / "file.ts").symlink_to(root / "real.ts")
    tree = grow()
    assert names(root, tree.files) == ["real.ts"]
    (root / "later.ts").symlink_to(root / "real.ts")
    tree.drain()
    assert names(root, tree.files) == ["real.ts"]


def test_a_folder_that_cannot_be_read_hides_only_itself(
    root: Path, grow: Grow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests may run as root, who can read everything: the refusal is made up."""
    write(root, "a.ts", "locked/b.ts", "open/c.ts")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("/locked"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    tree = grow()
    assert names(root, tree.files) == ["a.ts", "open/c.ts"]
    write(root, "open/d.ts")
    assert names(root, tree.drain()) == ["open/d.ts"]


class Refusing:
    """An inotify that may not watch folders of that name. error: what the kernel says."""

    def __init__(self, real: object, error: OSError) -> None:
        self._real = real
        self._error = error

    def add_watch(self, folder: str, mask: int) -> int:
        if folder.endswith("/locked"):
            raise self._error
        return self._real.add_watch(folder, mask)  # type: ignore[attr-defined, no-any-return]

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def refusing(tree: FileTree, error: OSError) -> None:
    watch = tree._watch

    def watching() -> None:
        watch()
        tree._notify = Refusing(tree._notify, error)

    tree._watch = watching  # type: ignore[method-assign]


def test_a_folder_that_may_not_be_watched_leaves_the_others_watched(root: Path) -> None:
    write(root, "a.ts", "locked/b.ts")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    refusing(tree, PermissionError(13, "Permission denied"))
    tree.scan()
    assert tree.mode == "inotify"
    write(root, "c.ts")
    assert names(root, tree.drain()) == ["c.ts"]
    tree.close()


def test_out_of_watches_it_compares_instead(root: Path) -> None:
    write(root, "a.ts", "locked/b.ts")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    refusing(tree, OSError(28, "No space left on device"))
    tree.scan()
    assert tree.mode == "stat sweep"
    write(root, "c.ts", "locked/d.ts")
    (root / "a.ts").unlink()
    assert names(root, tree.drain()) == ["a.ts", "c.ts", "locked/d.ts"]


class Overflowing:
    """An inotify whose queue overflows at the next reading: all that happened is lost."""

    def __init__(self, real: object) -> None:
        self._real = real

    def read(self, timeout: int) -> list[object]:
        from inotify_simple import Event

        self._real.read(timeout=timeout)  # type: ignore[attr-defined]
        self.read = self._real.read  # type: ignore[attr-defined, method-assign]
        return [Event(-1, file_tree._OVERFLOW, 0, "")]

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def test_a_queue_that_overflows_is_made_up_for(root: Path) -> None:
    write(root, "a.ts", "b.ts")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    tree._notify = Overflowing(tree._notify)
    write(root, "a.ts", text="edited")
    (root / "b.ts").unlink()
    write(root, "new/c.ts")
    assert names(root, tree.drain()) == ["a.ts", "b.ts", "new/c.ts"]
    write(root, "new/d.ts")
    assert names(root, tree.drain()) == ["new/d.ts"]
    tree.close()


def test_git_knows_what_is_tracked_in_spite_of_it(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    write(root, ".gitignore", text="*.ts\n")
    write(root, "tracked.ts", "other.ts")
    subprocess.run(["git", "-C", str(root), "add", "-f", "tracked.ts"], check=True)
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    assert names(root, tree.files) == ["tracked.ts"]
    write(root, "tracked.ts", text="edited")
    write(root, "other2.ts")
    assert names(root, tree.drain()) == ["tracked.ts"]
    tree.close()


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def repository(folder: Path, *files: str) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    write(folder, ".gitignore", text="dist/\n")
    write(folder, *files)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def test_what_a_repository_inside_this_one_ignores_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git says nothing of a submodule from outside, and refuses a whole list of paths for one that is in there."""
    library = repository(tmp_path.resolve() / "library", "lib.ts")
    root = repository(tmp_path.resolve() / "root", "a.ts")
    git(root, "submodule", "add", str(library), "vendor/lib")
    repository(root / "clone", "b.ts")
    write(root, "vendor/lib/dist/c.ts", "clone/dist/d.ts", "dist/e.ts")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    known = ["a.ts", "clone/b.ts", "vendor/lib/lib.ts"]
    assert names(root, tree.files) == known
    write(
        root, "vendor/lib/dist/new/f.ts", "clone/dist/new/g.ts", "dist/h.ts", "vendor/lib/dist/i.ts", "clone/dist/j.ts"
    )
    assert names(root, tree.drain()) == []
    write(root, "vendor/lib/k.ts", "dist/l.ts")
    assert names(root, tree.drain()) == ["vendor/lib/k.ts"]
    write(root / "vendor/lib", ".gitignore", text="k.ts\n")
    assert names(root, tree.drain()) == [
        "vendor/lib/dist/c.ts",
        "vendor/lib/dist/i.ts",
        "vendor/lib/dist/new/f.ts",
        "vendor/lib/k.ts",
    ]
    tree.close()


def test_a_submodule_that_is_fetched_later_has_its_own_list(tmp_path: Path) -> None:
    library = repository(tmp_path.resolve() / "library", "lib.ts")
    origin = repository(tmp_path.resolve() / "origin", "a.ts")
    git(origin, "submodule", "add", str(library), "vendor/lib")
    git(origin, "commit", "-qm", "second")
    root = tmp_path.resolve() / "root"
    git(tmp_path, "clone", "-q", str(origin), str(root))
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    assert names(root, tree.files) == ["a.ts"]
    git(root, "submodule", "update", "-q", "--init")
    write(root, "vendor/lib/dist/c.ts")
    assert names(root, tree.drain()) == ["vendor/lib/lib.ts"]
    write(root, "vendor/lib/dist/d.ts", "vendor/lib/e.ts")
    assert names(root, tree.drain()) == ["vendor/lib/e.ts"]
    tree.close()


def test_another_working_tree_of_the_repository_is_none_of_this_one(tmp_path: Path) -> None:
    """It holds every file once more, each with the same names."""
    root = repository(tmp_path.resolve() / "root", "a.ts", "src/b.ts")
    git(root, "worktree", "add", "-q", "trees/old")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    assert names(root, tree.files) == ["a.ts", "src/b.ts"]
    git(root, "worktree", "add", "-q", "trees/new")
    write(root, "trees/old/c.ts", "trees/new/c.ts", "trees/new/src/d.ts")
    assert names(root, tree.drain()) == []
    write(root, "trees/new/src/e.ts", "trees/f.ts")
    assert names(root, tree.drain()) == ["trees/f.ts"]
    tree.close()
    inner = FileTree(root / "trees/new", lambda name: name.endswith(".ts"))
    inner.scan()
    assert names(root / "trees/new", inner.files) == ["a.ts", "c.ts", "src/b.ts", "src/d.ts", "src/e.ts"]
    inner.close()


def test_what_git_tracks_and_excludes_was_known_only_by_events_in_the_workspace(tmp_path: Path) -> None:
    """`git add -f`, `git rm --cached`, `.git/info/exclude` and a .gitignore above change no file of the workspace."""
    above = repository(tmp_path.resolve() / "above", "root/a.ts", "root/dist/b.ts", "root/own/c.ts")
    root = above / "root"
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    assert names(root, tree.files) == ["a.ts", "own/c.ts"]
    git(root, "add", "-f", "dist")
    assert names(root, tree.drain()) == ["dist/b.ts"]
    write(root, "dist/d.ts")
    assert names(root, tree.drain()) == []
    write(above, ".git/info/exclude", text="own\n")
    assert names(root, tree.drain()) == []
    git(root, "rm", "-rq", "--cached", "own")
    assert names(root, tree.drain()) == ["own/c.ts"]
    write(above, ".gitignore", text="dist/\n/root/e.ts\n")
    write(root, "e.ts")
    assert names(root, tree.drain()) == []
    (above / ".gitignore").unlink()
    assert names(root, tree.drain()) == ["dist/d.ts", "e.ts"]
    write(above, ".git/info/exclude", text="")
    assert names(root, tree.drain()) == ["own/c.ts"]
    tree.close()


def test_git_is_asked_no_more_than_its_index_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path.resolve() / "root", "a.ts")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    asked: list[object] = []
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *args, **rest: asked.append(args) or run(*args, **rest))
    write(root, "a.ts", text="// other")
    assert (names(root, tree.drain()), asked) == (["a.ts"], [])
    git(root, "add", "a.ts")
    asked.clear()
    assert [names(root, tree.drain()) for _ in range(3)] == [[], [], []]
    assert len(asked) == 1
    tree.close()


def test_where_git_tracks_a_file_what_a_build_writes_beside_it_was_not_expected(tmp_path: Path) -> None:
    """`dist/.gitkeep`, or one file that was added by force."""
    root = repository(tmp_path.resolve() / "root", "a.ts", "dist/kept.ts", "dist/made.ts")
    git(root, "add", "-f", "dist/kept.ts")
    tree = FileTree(root, lambda name: name.endswith(".ts"))
    tree.scan()
    assert names(root, tree.expect([str(root / "dist/any.ts")])) == ["dist/made.ts"]
    assert (names(root, tree.files), names(root, tree.beyond)) == (
        ["a.ts", "dist/kept.ts", "dist/made.ts"],
        ["dist/made.ts"],
    )
    write(root, "dist/more.ts")
    assert names(root, tree.drain()) == ["dist/more.ts"]
    git(root, "add", "-f", "dist/more.ts")
    assert (names(root, tree.drain()), names(root, tree.beyond)) == (["dist/more.ts"], ["dist/made.ts"])
    tree.close()
