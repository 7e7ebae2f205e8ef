"""Git, asked about repositories that nobody vouches for: it runs nothing that they name, and fetches nothing.

A repository's configuration can have git run a program in dozens of ways (filters, monitors, hooks, drivers of diffs,
transports of what a partial clone lacks, …), and each version of git adds some. So git is never shown it. For each
question git gets a folder of ours for its own: with the repository's HEAD, with links to its refs, and with a
configuration that holds the format alone. What else decides how files compare, by a list of what is harmless, goes with
the question. The user's configuration is read for the same list and no more, so their filters do not run either.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cn_shared.children import scratch
from cn_shared.errors import InputError
from cn_shared.execution import find_executables
from cn_shared.git_settings import PATTERNS, Pairs, listed, users, variables
from cn_shared.repositories import RefusedRepositoryError, Repository, locate

_HEAD_BYTES = 4096
# How the bytes on the disk compare with what git keeps; none of them names a program or another folder.
_COMPARING = frozenset(
    "core.autocrlf core.eol core.filemode core.ignorecase core.precomposeunicode core.symlinks core.trustctime "
    "core.checkstat core.sparsecheckout core.sparsecheckoutcone".split()
)
# Of the format: what extends it without a meaning for what cn asks, and what git must be given, with its values.
_EXTENSIONS = frozenset({"noop", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees"})
_FORMATS = {"objectformat": ("", "sha1", "sha256"), "refstorage": ("", "files", "reftable")}
_LINKED = ("refs", "reftable", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/sparse-checkout")
_ALWAYS = (("core.quotepath", "false"), ("core.fsmonitor", "false"), ("core.hookspath", os.devnull),
           ("protocol.allow", "never"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Git:
    """The user's git, and a repository that it may be asked about.

    root: the workspace, with whose daemon the temporary folders end. settings: what decides how files compare, by name.
    partial: the repository is one that leaves objects out.
    """

    program: str
    root: str
    repository: Repository
    settings: Pairs
    format: Pairs
    partial: bool

    @contextlib.contextmanager
    def question(self, *arguments: str, folder: str | os.PathLike[str]) -> Iterator[tuple[list[str], dict[str, str]]]:
        """The command line and the variables of one question, for as long as the block runs; to be run in `folder`,
        which lies in the working tree. Raises OSError."""
        place = scratch(self.root)
        try:
            own = os.path.join(place, "git")
            os.mkdir(own)
            self._fill(own)
            yield [self.program, "--no-pager", *arguments], self._environ(place, own)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _fill(self, own: str) -> None:
        """What git takes for the repository's folder. Links in it lead to what `locate` has looked at."""
        here, common = self.repository.folder, self.repository.common
        with open(os.path.join(here, "HEAD"), "rb") as head:
            _write(own, "HEAD", head.read(_HEAD_BYTES))
        extensions = "".join(f"\t{name} = {value}\n" for name, value in self.format)
        version = f"[core]\n\trepositoryformatversion = {int(bool(self.format))}\n"
        _write(own, "config", f"{version}[extensions]\n{extensions}".encode())
        os.mkdir(os.path.join(own, "info"))
        os.mkdir(os.path.join(own, "logs"))
        for name in _LINKED:
            _link(os.path.join(common, name), os.path.join(own, name))
        _link(os.path.join(here, "logs", "HEAD"), os.path.join(own, "logs", "HEAD"))
        _link(os.path.join(common, "logs", "refs"), os.path.join(own, "logs", "refs"))
        for name in os.listdir(here):
            if name.startswith("sharedindex.") or name.endswith("_HEAD"):
                _link(os.path.join(here, name), os.path.join(own, name))

    def _environ(self, place: str, own: str) -> dict[str, str]:
        environ = variables(self.program, place)
        environ |= {
            "GIT_DIR": own,
            "GIT_WORK_TREE": self.repository.top,
            "GIT_INDEX_FILE": self.repository.index,
            "GIT_OBJECT_DIRECTORY": os.path.join(self.repository.common, "objects"),
        }
        settings = [*self.settings, *_ALWAYS]
        environ["GIT_CONFIG_COUNT"] = str(len(settings))
        for number, (name, value) in enumerate(settings):
            environ[f"GIT_CONFIG_KEY_{number}"], environ[f"GIT_CONFIG_VALUE_{number}"] = name, value
        return environ

    def check_objects(self) -> None:
        """Raises RefusedRepositoryError when the repository takes objects from elsewhere: by what it says itself cn
        would show what another one holds."""
        objects = os.path.join(self.repository.common, "objects")
        with contextlib.suppress(FileNotFoundError):
            if os.lstat(os.path.join(objects, "info", "alternates")).st_size:
                fix = f"git repack -a -d && rm {os.path.join(objects, 'info', 'alternates')}"
                raise RefusedRepositoryError(self.repository.top, "its objects lie in another one (alternates)", fix)
        for folder in (objects, os.path.join(objects, "pack")):
            with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
                if any(entry.is_symlink() for entry in entries):
                    raise RefusedRepositoryError(self.repository.top, f"there are links in {folder}")


def find(folder: str | os.PathLike[str], root: str | os.PathLike[str], path: str) -> Git | None:
    """Git for the repository that `folder` lies in; None where there is none. root: the workspace, none of whose
    programs is run. path: the caller's PATH.

    Raises RefusedRepositoryError, InputError (`git_missing`, `git_failed`), OSError.
    """
    repository = locate(folder)
    if repository is None:
        return None
    program = _program(os.fspath(root), path)
    if program is None:
        _program.cache_clear()  # it may be installed meanwhile
        raise InputError("git_missing", "There is no git on PATH.", "Install git.")
    return _checked(program, os.fspath(root), repository)


@functools.cache
def _program(root: str, path: str) -> str | None:
    return next(map(str, find_executables("git", root, {"PATH": path})), None)


def _checked(program: str, root: str, repository: Repository) -> Git:
    """Raises RefusedRepositoryError."""
    usual = users(program)
    strangers = repository.owners() - _own_ids()
    if strangers and not _is_safe(repository.top, usual):
        reason = f"git refuses it since another user (uid {min(strangers)}) owns it (dubious ownership)"
        raise RefusedRepositoryError(
            repository.top, reason, f"git config --global --add safe.directory {repository.top}"
        )
    listed_settings = list(listed(program, os.path.join(repository.common, "config")))
    if _is_true(dict(listed_settings).get("extensions.worktreeconfig", "")):
        listed_settings += listed(program, os.path.join(repository.folder, "config.worktree"))
    its = dict(listed_settings)
    _check(repository, its)
    settings = [(name, value) for name, value in usual if name in (*_COMPARING, *PATTERNS)]
    settings += [(name, value) for name, value in listed_settings if name in _COMPARING or _names_branch(name)]
    version = its.get("core.repositoryformatversion", "0")
    partial = any(name == "extensions.partialclone" or name.endswith(".promisor") for name in its)
    extensions = [(name, its.get(f"extensions.{name}", "").lower()) for name in _FORMATS if version == "1"]
    return Git(program, root, repository, tuple(settings), tuple(one for one in extensions if one[1]), partial)


def _check(repository: Repository, its: Mapping[str, str]) -> None:
    """Raises RefusedRepositoryError."""
    linked = repository.folder != repository.common
    named = its.get("core.worktree", "")
    if not linked and (named or not repository.vouched):
        if not named:
            fix = f"git --git-dir={repository.folder} config core.worktree {repository.top}"
            raise RefusedRepositoryError(
                repository.top, f"{repository.folder}, which its .git names, names it not", fix
            )
        if os.path.realpath(os.path.join(repository.folder, named)) != repository.top:
            raise RefusedRepositoryError(repository.top, "its core.worktree is elsewhere")
    if not linked and _is_true(its.get("core.bare", "")):
        raise RefusedRepositoryError(repository.top, "it is a bare one")
    version = its.get("core.repositoryformatversion", "0")
    known = {f"extensions.{name}" for name in _EXTENSIONS}
    known |= {
        f"extensions.{name}" for name, values in _FORMATS.items() if its.get(f"extensions.{name}", "").lower() in values
    }
    unknown = [name for name in its if name.startswith("extensions.") and name not in known]
    if linked and its.get("extensions.refstorage", "").lower() == "reftable":
        unknown.append("extensions.refstorage of another working tree")
    if version not in ("0", "1") or (version == "1" and unknown):
        what = unknown[0] if unknown else f"core.repositoryformatversion {version}"
        raise RefusedRepositoryError(repository.top, f"its format is one that cn does not know ({what})")


def _names_branch(name: str) -> bool:
    """What `@{upstream}` is read from."""
    kind, _, rest = name.partition(".")
    return rest.endswith((".remote", ".merge") if kind == "branch" else ".fetch") and kind in ("branch", "remote")


def _is_true(value: str) -> bool:
    return value.lower() in ("true", "yes", "on", "1")


def _own_ids() -> set[int]:
    own = os.geteuid()
    sudo = os.environ.get("SUDO_UID", "")
    return {own, int(sudo)} if own == 0 and sudo.isdecimal() else {own}


def _is_safe(top: str, usual: Pairs) -> bool:
    """As the user's `safe.directory` says, which an empty value clears."""
    safe = False
    for name, value in usual:
        if name == "safe.directory":
            folder = os.path.expanduser(value)
            under = folder.endswith("/*") and f"{top}/".startswith(os.path.realpath(folder[:-2]) + "/")
            safe = bool(value) and (safe or value == "*" or under or os.path.realpath(folder) == top)
    return safe


def _write(folder: str, name: str, content: bytes) -> None:
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def _link(source: str, target: str) -> None:
    """To a plain file or folder; what is a link itself, or is not there, is left out."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        if stat.S_IFMT(os.lstat(source).st_mode) in (stat.S_IFREG, stat.S_IFDIR):
            os.symlink(source, target)
