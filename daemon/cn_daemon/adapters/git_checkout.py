"""One working tree of the workspace, asked by git: the workspace's own, or a submodule's."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.application.libraries.execution_errors import ProgramError, ProgramTimeoutError
from cn_daemon.domain.patches import Patch, read
from cn_shared.errors import DeadlineError, InputError
from cn_shared.git import Git

LIMIT_BYTES = 64 << 20
# Larger files that git does not track are no source.
UNTRACKED_BYTES = 2 << 20
_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-prefix", "--find-renames", "--relative",
         "--ignore-submodules=all", "--full-index", "--inter-hunk-context=0", "-U0")  # fmt: skip
# What is installed is nobody's change, even where no .gitignore tells it.
_UNTRACKED = ("--others", "--exclude-standard", "--exclude=node_modules", "-z")
_COMMIT = re.compile("[0-9a-f]{40,64}")


class Checkout:
    """git: of the repository that `folder`, in the workspace at `root`, lies in."""

    def __init__(self, git: Git, root: Path, folder: Path) -> None:
        self.git = git
        self.folder = folder
        self._root = root

    async def commit(self, rev: str, deadline: float) -> str:
        """The commit's id, or nothing where there is none. Raises InputError, DeadlineError."""
        failed, named = await self._text(["rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}"], deadline)
        # `^main` is a commit to git as well, one that is excluded.
        return named.strip() if not failed and _COMMIT.fullmatch(named.strip()) else ""

    async def parted(self, commit: str, deadline: float) -> str:
        """Where HEAD and a commit parted; that commit where they have nothing in common."""
        _, base = await self._text(["merge-base", "HEAD", commit], deadline)
        return base.strip() or commit

    async def patches(self, since: str, deadline: float) -> tuple[list[Patch], list[str]]:
        """What differs from a commit in tracked files, and why some of it is not known."""
        failed, diff = await self._text(["diff", *_DIFF, since, "--"], deadline)
        if failed:
            raise InputError("git_failed", f"git could not compare with {since[:12]}.", self._lacking(since))
        found = list(read(diff))
        # A filter would have to run: without it the bytes on the disk are no text that git keeps.
        filters = await self._filters([one.path for one in found if one.status != "deleted"], deadline)
        opaque = [replace(one, opaque=True, before=(), after=(), added=0, removed=0) if one.path in filters else one
                  for one in found]  # fmt: skip
        more = f" and {len(filters) - 1} more files" if len(filters) > 1 else ""
        doubts = [f"git's filter {name} of {path}{more} is not run" for path, name in list(filters.items())[:1]]
        return opaque, doubts

    async def untracked(self, deadline: float) -> tuple[list[Patch], list[str]]:
        """The files that git does not track, and the folders in between that are repositories."""
        _, others = await self._text(["ls-files", *_UNTRACKED], deadline)
        files, repositories = [], []
        for path in filter(None, others.split("\0")):
            if path.endswith("/"):
                repositories.append(path.rstrip("/"))
                continue
            files.append(_added(self.folder, path))
            await asyncio.sleep(0)  # there may be many
            if time.monotonic() > deadline:
                raise DeadlineError("timed_out", "Reading the files that git does not track took too long.")
        return [one for one in files if one], repositories

    async def submodules(self, since: str, deadline: float) -> dict[str, str]:
        """The folders of submodules, each with the commit that was recorded for it then, or nothing."""
        _, listed = await self._text(["ls-files", "-s", "-z"], deadline)
        paths = [row.partition("\t")[2] for row in listed.split("\0") if row.startswith("160000 ")]
        if not paths:
            return {}
        _, tree = await self._text(["ls-tree", "-z", since, "--", *paths], deadline)
        rows = (row.partition("\t") for row in tree.split("\0") if row.startswith("160000 "))
        recorded = {path: facts.rpartition(" ")[2] for facts, _, path in rows}
        return {path: recorded.get(path, "") for path in paths}

    async def texts(self, blobs: Iterable[str], deadline: float) -> dict[str, str]:
        """The texts by their id; what is not there is left out."""
        wanted = list(blobs)
        lines = "".join(f"{blob}\n" for blob in wanted)
        _, content = await self._bytes(["cat-file", "--batch"], deadline, lines.encode())
        texts: dict[str, str] = {}
        place = 0
        for blob in wanted:
            end = content.find(b"\n", place)
            head = content[place:end].split()
            place = end + 1
            if len(head) == 3 and head[1] == b"blob":
                size = int(head[2])
                texts[blob] = content[place : place + size].decode("utf-8-sig", "replace")
                place += size + 1
        return texts

    async def _filters(self, paths: Sequence[str], deadline: float) -> dict[str, str]:
        """The files that have a filter by .gitattributes, with its name."""
        if not paths:
            return {}
        given = "\0".join([*paths, ""]).encode("utf-8", "surrogateescape")
        _, output = await self._bytes(["check-attr", "-z", "--stdin", "filter"], deadline, given)
        words = output.decode("utf-8", "surrogateescape").split("\0")
        rows = zip(words[::3], words[2::3], strict=False)
        return {path: name for path, name in rows if name not in ("unspecified", "unset", "set", "")}

    def _lacking(self, since: str) -> str:
        if not self.git.partial:
            return ""
        return f"The repository is a partial clone, and cn fetches nothing: git diff {since[:12]} does, once."

    async def _text(self, arguments: Sequence[str], deadline: float) -> tuple[int, str]:
        code, output = await self._bytes(arguments, deadline)
        return code, output.decode("utf-8", "surrogateescape")

    async def _bytes(self, arguments: Sequence[str], deadline: float, stdin: bytes = b"") -> tuple[int, bytes]:
        try:
            with self.git.question(*arguments, folder=self.folder) as (command, environ):
                runner = ProgramRunner(
                    self._root, ReadableFolders(self._root, list), lambda: environ, lambda: LIMIT_BYTES
                )
                ran = await runner.run(command, folder=self.folder, stdin=stdin, deadline=deadline)
        except ProgramTimeoutError as error:
            raise DeadlineError("timed_out", f"git {arguments[0]} took too long.") from error
        except ProgramError as error:
            raise InputError("git_failed", f"git {arguments[0]}: {error.message}") from error
        except OSError as error:
            raise InputError("git_failed", f"git {arguments[0]}: {error}.") from error
        return ran.exit_code, ran.stdout


def _added(folder: Path, path: str) -> Patch | None:
    file = folder / path
    try:
        facts = os.lstat(file)
        if not stat.S_ISREG(facts.st_mode):
            return Patch(path, "added")
        if facts.st_size > UNTRACKED_BYTES:
            return Patch(path, "added", opaque=True)
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return Patch(path, "added", opaque=True)
    lines = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    return Patch(path, "added", after=[(1, lines)] if lines else (), added=lines)
