"""What git knows of the workspace, asked of the user's own git."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.application.libraries.execution_errors import ProgramError, ProgramTimeoutError
from cn_daemon.domain.patches import Patch, read
from cn_shared.errors import DeadlineError, InputError, NotFoundError

LIMIT_BYTES = 64 << 20
# Larger files that git does not track are no source.
UNTRACKED_BYTES = 2 << 20
# No program that the repository or its configuration names is run, nothing is written, no name is quoted.
_GIT = ("--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-prefix", "--find-renames", "--relative",
         "--ignore-submodules=all", "--full-index", "--inter-hunk-context=0", "-U0")  # fmt: skip
# What is installed is nobody's change, even where no .gitignore tells it.
_UNTRACKED = ("--others", "--exclude-standard", "--exclude=node_modules", "-z")


_COMMIT = re.compile("[0-9a-f]{40,64}")


class GitHistory:
    """The port `History`. environ: what git is run with; GIT_* of the caller would lead it elsewhere."""

    def __init__(self, root: Path, environ: Callable[[], Mapping[str, str]]) -> None:
        self._root = root

        def passed_on() -> dict[str, str]:
            return {name: value for name, value in environ().items() if not name.startswith("GIT_")}

        self._runner = ProgramRunner(root, ReadableFolders(root, list), passed_on, lambda: LIMIT_BYTES)

    async def changes(self, rev: str, deadline: float) -> tuple[str, Sequence[Patch]]:
        """See the port."""
        if not rev or rev.startswith("-") or any(character.isspace() or character == "\0" for character in rev):
            raise InputError("bad_revision", f"{rev!r} is no revision.", hint="cn changed main")
        if (await self._git(["rev-parse", "--git-dir"], deadline))[0]:
            raise NotFoundError("no_repository", f"{self._root} is in no git repository.")
        failed, named = await self._git(["rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}"], deadline)
        named = named.strip()
        # `^main` is a commit to git as well, one that is taken away.
        if failed or not _COMMIT.fullmatch(named):
            raise NotFoundError("unknown_revision", f"git knows no commit {rev}.", hint="git log --oneline")
        _, base = await self._git(["merge-base", "HEAD", named], deadline)
        since = base.strip() or named
        failed, diff = await self._git(["diff", *_DIFF, since, "--"], deadline)
        if failed:
            raise InputError("git_failed", f"git could not compare with {rev}.")
        _, others = await self._git(["ls-files", *_UNTRACKED], deadline)
        untracked = []
        for path in others.split("\0"):
            if not path or path.endswith("/"):  # a clone, or another working tree: no file of this one
                continue
            untracked.append(self._untracked(path))
            await asyncio.sleep(0)  # there may be many
            if time.monotonic() > deadline:
                raise DeadlineError("timed_out", "Reading the files that git does not track took too long.")
        return since[:12], [*read(diff), *filter(None, untracked)]

    async def texts(self, blobs: Sequence[str], deadline: float) -> dict[str, str]:
        """See the port."""
        if not blobs:
            return {}
        lines = "".join(f"{blob}\n" for blob in blobs)
        _, content = await self._git_bytes(["cat-file", "--batch"], deadline, lines.encode())
        texts: dict[str, str] = {}
        place = 0
        for blob in blobs:
            end = content.find(b"\n", place)
            head = content[place:end].split()
            place = end + 1
            if len(head) == 3 and head[1] == b"blob":
                size = int(head[2])
                texts[blob] = content[place : place + size].decode("utf-8-sig", "replace")
                place += size + 1
        return texts

    def _untracked(self, path: str) -> Patch | None:
        file = self._root / path
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

    async def _git(self, arguments: Sequence[str], deadline: float) -> tuple[int, str]:
        code, output = await self._git_bytes(arguments, deadline)
        return code, output.decode("utf-8", "surrogateescape")

    async def _git_bytes(self, arguments: Sequence[str], deadline: float, stdin: bytes = b"") -> tuple[int, bytes]:
        git = self._runner.program("git")
        if git is None:
            raise InputError("git_missing", "There is no git on PATH.", hint="Install git, or use cn refs NAME.")
        try:
            ran = await self._runner.run(
                [str(git), *_GIT, *arguments], folder=self._root, stdin=stdin, deadline=deadline
            )
        except ProgramTimeoutError as error:
            raise DeadlineError("timed_out", f"git {arguments[0]} took too long.") from error
        except ProgramError as error:
            raise InputError("git_failed", f"git {arguments[0]}: {error.message}") from error
        return ran.exit_code, ran.stdout
