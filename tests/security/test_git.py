"""A repository's configuration names programs, folders and hosts: git is asked by cn, and does nothing of it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from cn_client import completing
from cn_daemon.adapters.checkup import standing
from cn_daemon.adapters.git_exclude import exclude
from cn_daemon.adapters.git_history import GitHistory
from cn_daemon.adapters.ignored import FileIgnored, GitIgnored, ignored_in, unasked
from cn_daemon.adapters.near_files import near_files
from cn_daemon.domain.patches import Patch
from cn_shared import children, git
from cn_shared.errors import CnError, InputError
from cn_shared.repositories import RefusedRepositoryError

IDENTITY = (
    "-c",
    "user.name=x",
    "-c",
    "user.email=x@x",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "protocol.file.allow=always",
)
Answer = tuple[dict[str, Patch], str]


def run(folder: Path, *words: str) -> str:
    environ = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    told = subprocess.run(["git", *IDENTITY, *words], cwd=folder, env=environ, check=True, capture_output=True)
    return told.stdout.decode().strip()


def committed(root: Path, **files: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    if not (root / ".git").exists():
        run(root, "init", "-q", "-b", "main")
    for name, text in {"a.ts": "export const a = 1;\n", **files}.items():
        (root / name).write_text(text)
    run(root, "add", "-A")
    run(root, "commit", "-qm", "one")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return committed(tmp_path.resolve() / "w")


@pytest.fixture
def ran(tmp_path: Path) -> Callable[[str], str]:
    """A shell command for a configuration, which leaves a mark; no test may find any."""
    return lambda name: f"touch {tmp_path.resolve() / 'ran'}-{name}; cat"


@pytest.fixture
def unharmed(tmp_path: Path) -> Iterator[None]:
    yield
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("ran")] == []


def changed(root: Path, rev: str = "HEAD") -> Answer:
    """The patches by path, and why there may be more."""

    async def asked() -> Answer:
        history, deadline = GitHistory(root, lambda: dict(os.environ)), time.monotonic() + 30
        _, patches, doubts = await history.changes(rev, deadline)
        await history.texts([one.blob for one in patches if one.blob], deadline)
        return {one.path: one for one in patches}, "; ".join(doubts)

    return asyncio.run(asked())


def completed(root: Path, begun: str) -> list[str]:
    context = click.Context(click.Command("changed"), obj={"root": str(root)})
    try:
        return [item.value for item in completing.revisions(context, click.Argument(["rev"]), begun)]
    except (CnError, OSError, subprocess.SubprocessError):  # the shell is told nothing then
        return []


def ask_everything(root: Path) -> list[str]:
    """Every question that cn has for git; what was refused, of them that may be."""
    refused = []
    ignored = ignored_in(root)
    ignored.listing()
    ignored.among([str(root / "a.ts")])
    ignored.is_other()
    for folder, folders, _ in os.walk(root):
        if ".git" in folders and folder != str(root):
            ignored.inside(folder)
    near_files(root, "b.ts", None)
    exclude(root, "state.json")
    found = asyncio.run(standing.git(root))
    if found.state == "warn":
        refused.append(found.message)
    for rev in ("HEAD", "main", "@{u}"):
        try:
            changed(root, rev)
        except CnError as error:
            refused.append(error.message)
    return refused


def hostile(name: str, line: str) -> dict[str, str]:
    """Everything by which a configuration has git run a program, as far as anybody knows."""
    keys = """
        filter.x.clean filter.x.smudge filter.x.process filter.lfs.clean filter.lfs.process diff.x.command
        diff.x.textconv diff.external core.fsmonitor core.sshCommand core.gitProxy core.askPass core.pager core.editor
        sequence.editor
        credential.helper credential.https://x.helper gpg.program gpg.ssh.program gpg.x509.program merge.x.driver
        merge.tool mergetool.x.cmd difftool.x.cmd diff.tool trailer.x.command trailer.x.cmd uploadpack.packObjectsHook
        core.alternateRefsCommand pager.diff pager.status interactive.diffFilter submodule.x.update browser.x.cmd
        man.x.cmd remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs sendemail.sendmailCmd
        alias.diff alias.ls-files alias.rev-parse alias.check-attr alias.for-each-ref hook.x.command tar.x.command
    """
    return dict.fromkeys(keys.split(), line) | {
        "filter.x.required": "true",
        "diff.x.cachetextconv": "true",
        "hook.x.event": "post-index-change",
        "submodule.recurse": "true",
        "status.submoduleSummary": "true",
        "diff.submodule": "diff",
        "log.showSignature": "true",
        "url.ext::sh.insteadOf": "https://",
        "protocol.allow": "always",
        "core.untrackedCache": "true",
    }


@pytest.mark.usefixtures("unharmed")
def test_programs_of_the_configuration(root: Path, ran: Callable[[str], str], tmp_path: Path) -> None:
    attributes = "*.ts filter=x diff=x merge=x text\n*.bin filter=lfs diff=lfs merge=lfs -text\n"
    committed(root, **{".gitattributes": attributes, "b.bin": "1\n"})
    for name, value in hostile("x", ran("config")).items():
        run(root, "config", name, value)
    for name in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"):
        hook = root / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\n{ran('hook')}\n")
        hook.chmod(0o755)
    (root / "a.ts").write_text("export const a = 2;\n")
    (root / "b.bin").write_text("2\n")
    assert [one for one in ask_everything(root) if "@{u}" not in one] == []
    patches, doubts = changed(root)
    assert patches["a.ts"].opaque
    assert doubts == "git's filter x of a.ts and 1 more files is not run"
    subprocess.run(["git", "diff"], cwd=root, check=False, capture_output=True)
    assert (tmp_path / "ran-config").exists()  # what git does by itself
    (tmp_path / "ran-config").unlink()
    for name in ("ran-hook",):
        (tmp_path / name).unlink(missing_ok=True)


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize("mark", [".cn.json", "package.json"])
def test_a_folder_that_looks_like_a_repository(root: Path, ran: Callable[[str], str], mark: str) -> None:
    """A clone may bring it as plain files."""
    inner = committed(root / "sub" / "inner")
    shutil.move(inner / ".git", root / "moved")
    shutil.rmtree(inner)
    shutil.copytree(root / "moved", root / "sub", dirs_exist_ok=True)
    shutil.rmtree(root / "moved")
    look_alike = root / "sub"
    (look_alike / mark).write_text("{}")
    (look_alike / "a.ts").write_text("export const a = 3;\n")
    (look_alike / "info" / "attributes").write_text("* filter=x\n")
    for name, value in {"core.worktree": str(look_alike), "filter.x.clean": ran("look"), "core.bare": "false"}.items():
        run(root, "config", "--file", str(look_alike / "config"), name, value)
    ask_everything(look_alike)
    assert git.find(look_alike, look_alike, os.environ["PATH"]).repository.top == str(root)  # type: ignore[union-attr]


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize("url", ["ext::sh -c %S", "ssh://host/x", "file:///nowhere", "git://127.0.0.1/x"])
def test_what_a_partial_clone_lacks_is_not_fetched(
    root: Path, ran: Callable[[str], str], url: str, tmp_path: Path
) -> None:
    script = tmp_path / "transport"
    script.write_text(f"#!/bin/sh\n{ran('transport')} </dev/null\nexit 1\n")
    script.chmod(0o755)
    hostile = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": url.replace("sh -c", str(script)),
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
        "core.sshCommand": str(script),
        "core.gitProxy": str(script),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
    }
    for name, value in hostile.items():
        run(root, "config", name, value)
    blob, commit = run(root, "rev-parse", "HEAD:a.ts"), run(root, "rev-parse", "HEAD")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (root / "a.ts").write_text("export const a = 2;\n")
    with pytest.raises(InputError) as caught:
        changed(root)
    assert "partial clone" in caught.value.hint
    (root / ".git" / "objects" / commit[:2] / commit[2:]).unlink()
    ask_everything(root)
    assert completed(root, "") == []
    if url.startswith(("ext", "ssh")):
        run_by_itself = subprocess.run(["git", "cat-file", "-p", commit], cwd=root, check=False, capture_output=True)
        assert run_by_itself.returncode
        (tmp_path / "ran-transport").unlink()


@pytest.mark.usefixtures("unharmed")
def test_revisions_are_completed(root: Path, ran: Callable[[str], str]) -> None:
    for name, value in hostile("x", ran("completion")).items():
        run(root, "config", name, value)
    assert completed(root, "m") == ["main"]
    assert list(Path(children._scratch(root)).glob("*")) == []


def test_other_files_that_a_configuration_names(root: Path, tmp_path: Path) -> None:
    """include.path, attributes, a list of what is ignored."""
    os.mkfifo(tmp_path / "pipe")  # whoever opens it waits for ever
    (root / ".git" / "info" / "exclude").unlink()
    os.mkfifo(root / ".git" / "info" / "exclude")
    os.mkfifo(root / ".git" / "info" / "attributes")
    run(root, "config", "core.attributesFile", str(tmp_path / "pipe"))
    run(root, "config", "core.excludesFile", str(tmp_path / "pipe"))
    with (root / ".git" / "config").open("a") as config:
        config.write(f'[include]\n\tpath = {tmp_path / "pipe"}\n[includeIf "gitdir:/"]\n\tpath = {tmp_path / "pipe"}\n')
    began = time.monotonic()
    (root / "a.ts").write_text("export const a = 2;\n")
    assert list(changed(root)[0]) == ["a.ts"]
    ask_everything(root)
    assert time.monotonic() - began < 10


def test_a_working_tree_that_is_elsewhere(root: Path, tmp_path: Path) -> None:
    private = committed(tmp_path.resolve() / "private")
    run(root, "config", "core.worktree", str(private))
    with pytest.raises(RefusedRepositoryError, match=r"core\.worktree"):
        changed(root)
    exclude(root, "state.json")
    assert "state.json" not in (private / ".git" / "info" / "exclude").read_text()


@pytest.mark.parametrize(
    "kind", ["file", "link", "worktree", "commondir", "objects", "refs", "refs/heads", "HEAD", "index", "pack"]
)
def test_a_repository_that_consists_of_another_one(root: Path, tmp_path: Path, kind: str) -> None:
    """An unpacked archive may hold links, and files that name folders."""
    private = committed(tmp_path.resolve() / "private", **{"secret.ts": "export const secret = 1;\n"})
    run(private, "repack", "-adq")
    own, other = root / ".git", private / ".git"
    before = (other / "info" / "exclude").read_bytes()
    if kind in ("file", "link"):
        shutil.rmtree(own)
        own.symlink_to(other) if kind == "link" else own.write_text(f"gitdir: {other}\n")
    elif kind == "worktree":  # one that the private repository knows, but elsewhere
        run(private, "worktree", "add", "-q", str(tmp_path / "tree"))
        shutil.rmtree(own)
        own.write_text((tmp_path / "tree" / ".git").read_text())
    elif kind == "commondir":
        folder = root / "folder"
        folder.mkdir()
        (folder / "HEAD").write_text("ref: refs/heads/main\n")
        (folder / "commondir").write_text(str(other))
        (folder / "gitdir").write_text(str(own))
        shutil.rmtree(own)
        own.write_text(f"gitdir: {folder}\n")
    else:
        place = own / "objects" / "pack" if kind == "pack" else own / kind
        target = other / "objects" / "pack" if kind == "pack" else other / kind
        shutil.rmtree(place) if place.is_dir() else place.unlink()
        place.symlink_to(target)
    with pytest.raises(RefusedRepositoryError):
        changed(root)
    exclude(root, "state.json")
    assert (other / "info" / "exclude").read_bytes() == before
    assert isinstance(ignored_in(root), FileIgnored)
    assert "is not read" in asyncio.run(standing.git(root)).message


@pytest.mark.parametrize("way", ["file", "variable", "packs"])
def test_objects_of_another_repository(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    private = committed(tmp_path.resolve() / "private", **{"secret.ts": "export const secret = 1;\n"})
    (private / "more").write_text("1\n")
    run(private, "add", "-A")
    run(private, "commit", "-qm", "two")
    run(private, "repack", "-adq")
    commit, objects = run(private, "rev-parse", "HEAD"), private / ".git" / "objects"
    (root / ".git" / "refs" / "heads" / "theirs").write_text(commit)
    if way == "variable":
        monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(objects))
        monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(objects))
    elif way == "file":
        (root / ".git" / "objects" / "info" / "alternates").write_text(f"{objects}\n")
    else:
        for pack in (objects / "pack").iterdir():
            (root / ".git" / "objects" / "pack" / pack.name).symlink_to(pack)
    with pytest.raises(InputError):
        changed(root, "theirs")
    assert completed(root, "th") == []
    assert isinstance(ignored_in(root), GitIgnored)  # that needs no objects


def test_git_is_told_no_secret_and_nothing_of_the_caller_s_git(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    real = shutil.which("git")
    program.write_text(f'#!/bin/sh\nenv >>{tmp_path}/told\necho >>{tmp_path}/told\nexec {real} "$@"\n')
    program.chmod(0o755)
    secrets = (
        "GITHUB_TOKEN AWS_SECRET_ACCESS_KEY SSH_AUTH_SOCK CN_TOKEN MY_OWN LD_PRELOAD_X GIT_ASKPASS GIT_EXTERNAL_DIFF"
    )
    for name in secrets.split():
        monkeypatch.setenv(name, "s3cret")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXEC_PATH", "GIT_CONFIG", "GIT_TRACE"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    (root / "a.ts").write_text("export const a = 2;\n")
    assert list(changed(root)[0]) == ["a.ts"]
    ask_everything(root)
    told = (tmp_path / "told").read_text()
    assert "GIT_DIR=" in told
    assert "s3cret" not in told
    assert "elsewhere" not in told
    assert f"HOME={tmp_path}" not in told


def test_a_repository_of_another_user(root: Path, user_folders: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    for folder, folders, files in os.walk(root):
        for name in (".", *folders, *files):
            os.lchown(os.path.join(folder, name), 12345, 12345)
    with pytest.raises(RefusedRepositoryError, match="dubious ownership") as caught:
        changed(root)
    assert caught.value.hint == f"git config --global --add safe.directory {root}"
    found = asyncio.run(standing.git(root))
    assert (found.state, found.fix, "dubious ownership" in found.message) == ("warn", caught.value.hint, True)
    assert isinstance(ignored_in(root), FileIgnored)
    assert [caught.value.hint in warning for warning in unasked(root)] == [True]
    before = (root / ".git" / "info" / "exclude").read_bytes()
    exclude(root, "state.json")
    assert (root / ".git" / "info" / "exclude").read_bytes() == before
    environ = {**os.environ, "HOME": str(user_folders)}
    subprocess.run(caught.value.hint.split(), env=environ, check=True)
    try:
        assert (changed(root), unasked(root)) == (({}, ""), [])
    finally:
        (user_folders / ".gitconfig").unlink()


def test_without_git(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="no git on PATH"):
        changed(root)
    found = asyncio.run(standing.git(root))
    assert (found.state, found.fix) == ("warn", "Install git.")
    assert asyncio.run(standing.git(tmp_path)).state == "ok"


@pytest.mark.parametrize("kind", ["info", "exclude"])
def test_what_is_excluded_is_written_nowhere_else(root: Path, tmp_path: Path, kind: str) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "exclude").write_text("mine\n")
    place = root / ".git" / "info"
    shutil.rmtree(place)
    if kind == "info":
        place.symlink_to(victim)
    else:
        place.mkdir()
        (place / "exclude").symlink_to(victim / "exclude")
    exclude(root, "state.json")
    assert (victim / "exclude").read_text() == "mine\n"
    assert [path.name for path in victim.iterdir()] == ["exclude"]


def test_what_decides_how_files_compare_still_does(root: Path, user_folders: Path) -> None:
    """The line ends of this user, and the tracking branch."""
    (user_folders / ".gitconfig").write_text(
        "[core]\n\tautocrlf = input\n\texcludesFile = ~/mine\n[alias]\n\tdiff = !x\n"
    )
    (user_folders / "mine").write_text("*.log\n")
    try:
        (root / "a.ts").write_bytes(b"export const a = 1;\r\nexport const b = 1;\r\n")
        (root / "x.log").write_text("")
        patches, doubts = changed(root)
        assert ({path: one.after for path, one in patches.items()}, doubts) == ({"a.ts": [(2, 2)]}, "")
    finally:
        (user_folders / ".gitconfig").unlink()
    run(root, "branch", "base")
    for name, value in {"branch.main.remote": ".", "branch.main.merge": "refs/heads/base"}.items():
        run(root, "config", name, value)
    assert "a.ts" in changed(root, "@{upstream}")[0]
    run(root, "update-ref", "refs/remotes/far/base", "HEAD")
    run(root, "config", "branch.main.remote", "far")
    for spec in ("+refs/heads/base:refs/remotes/far/base", "+refs/heads/x:refs/remotes/far/x"):
        run(root, "config", "--add", "remote.far.fetch", spec)
    assert "a.ts" in changed(root, "@{upstream}")[0]


@pytest.mark.parametrize("words", [["--object-format=sha256"], ["--separate-git-dir=../apart"]])
def test_other_forms_of_repositories(tmp_path: Path, words: list[str]) -> None:
    root = tmp_path.resolve() / "w"
    root.mkdir()
    run(root, "init", "-q", *words)
    committed(root)
    if "apart" in words[0]:
        with pytest.raises(RefusedRepositoryError) as caught:
            changed(root)
        subprocess.run(caught.value.hint.split(), check=True)
    (root / "a.ts").write_text("export const a = 2;\n")
    assert list(changed(root)[0]) == ["a.ts"]
    run(root, "worktree", "add", "-q", "-b", "other", "../tree")
    run(tmp_path / "tree", "update-index", "--split-index")
    (tmp_path / "tree" / "a.ts").write_text("export const a = 3;\n")
    assert list(changed(tmp_path / "tree", "HEAD@{0}")[0]) == ["a.ts"]
    run(root, "sparse-checkout", "set", "--sparse-index", "nothing")
    assert "a.ts" in changed(root)[0]


def test_refs_in_tables(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "w"
    root.mkdir()
    if subprocess.run(["git", "init", "-q", "--ref-format=reftable", str(root)], capture_output=True).returncode:
        pytest.skip("this git knows no reftable")
    committed(root)
    run(root, "branch", "other")
    (root / "a.ts").write_text("export const a = 2;\n")
    assert list(changed(root, "other")[0]) == ["a.ts"]
    assert completed(root, "o") == ["other"]
    run(root, "worktree", "add", "-q", "../tree", "other")
    with pytest.raises(RefusedRepositoryError, match="refstorage"):
        changed(tmp_path / "tree")


def test_a_format_that_is_not_known(root: Path) -> None:
    run(root, "config", "core.repositoryFormatVersion", "1")
    run(root, "config", "extensions.somethingNew", "true")
    with pytest.raises(RefusedRepositoryError, match="somethingnew"):
        changed(root)


def test_changes_inside_a_submodule(root: Path, tmp_path: Path, ran: Callable[[str], str]) -> None:
    library = committed(tmp_path.resolve() / "library", **{"sub.ts": "export const sub = 1;\n"})
    (root / "app").mkdir()
    run(root, "submodule", "--quiet", "add", str(library), "app/vendor")
    run(root, "commit", "-qm", "vendor")
    sub = root / "app" / "vendor" / "sub.ts"
    assert changed(root) == ({}, "")
    sub.write_text("export const sub = 1;\nexport const added = 1;\n")
    patches, doubts = changed(root)
    assert ({path: one.after for path, one in patches.items()}, doubts) == ({"app/vendor/sub.ts": [(2, 2)]}, "")
    assert list(changed(root / "app")[0]) == ["vendor/sub.ts"]
    assert list(changed(root / "app" / "vendor")[0]) == ["sub.ts"]
    history = GitHistory(root, lambda: dict(os.environ))
    texts = asyncio.run(history.texts([patches["app/vendor/sub.ts"].blob], time.monotonic() + 20))
    assert list(texts.values()) == ["export const sub = 1;\n"]
    (root / ".git" / "modules" / "app" / "vendor" / "objects" / "info" / "alternates").write_text("/x\n")
    assert "inside the submodule app/vendor are not looked at" in changed(root)[1]
    committed(root / "clone")
    assert "clone is a repository of its own" in changed(root)[1]


def test_no_folder_is_left_behind(root: Path) -> None:
    changed(root)
    with pytest.raises(InputError):
        changed(root, "nothing")
    assert list(Path(children._scratch(root)).glob("*/*")) == []
