"""What git knows of the workspace and of the submodules in it, asked of the user's own git."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cn_daemon.adapters.git_checkout import Checkout
from cn_daemon.domain.patches import Patch
from cn_shared import git
from cn_shared.errors import InputError, NotFoundError
from cn_shared.repositories import locate


class GitHistory:
    """The port `History`. environ: where programs are looked for. A blob of a submodule comes with its folder."""

    def __init__(self, root: Path, environ: Callable[[], Mapping[str, str]]) -> None:
        self._root = root
        self._environ = environ

    async def changes(self, rev: str, deadline: float) -> tuple[str, Sequence[Patch], Sequence[str]]:
        """See the port."""
        if not rev or rev.startswith("-") or any(character.isspace() or character == "\0" for character in rev):
            raise InputError("bad_revision", f"{rev!r} is not a revision.", hint="cn changed main")
        checkout = await self._checkout(self._root)
        if checkout is None:
            raise NotFoundError("no_repository", f"{self._root} is in no git repository.")
        commit = await checkout.commit(rev, deadline)
        if not commit:
            raise NotFoundError("unknown_revision", f"git knows no commit {rev}.", hint="git log --oneline")
        since = await checkout.parted(commit, deadline)
        patches, doubts = await self._since(checkout, since, deadline)
        return since[:12], patches, doubts

    async def texts(self, blobs: Sequence[str], deadline: float) -> dict[str, str]:
        """See the port."""
        folders: dict[str, list[str]] = {}
        for blob in blobs:
            folder, _, name = blob.rpartition("/")
            folders.setdefault(folder, []).append(name)
        texts: dict[str, str] = {}
        for folder, names in folders.items():
            checkout = await self._checkout(self._root / folder)
            if checkout:
                found = await checkout.texts(names, deadline)
                texts |= {f"{folder}/{name}" if folder else name: text for name, text in found.items()}
        return texts

    async def _checkout(self, folder: Path) -> Checkout | None:
        """Raises RefusedRepositoryError, InputError."""

        def found() -> git.Git | None:
            try:
                repository = git.find(folder, self._root, self._environ().get("PATH", ""))
                if repository:
                    repository.check_objects()
            except OSError as error:
                raise InputError("git_failed", f"The repository of {folder} cannot be read: {error}.") from None
            return repository

        repo = await asyncio.to_thread(found)
        return Checkout(repo, self._root, folder) if repo else None

    async def _since(self, checkout: Checkout, since: str, deadline: float) -> tuple[list[Patch], list[str]]:
        """The files that differ, those of submodules among them, and why others are not known."""
        patches, doubts = await checkout.patches(since, deadline)
        files, repositories = await checkout.untracked(deadline)
        for path in repositories:
            if not await self._is_copy(checkout, checkout.folder / path):
                doubts.append(f"{path} is a repository of its own, which is not looked at")
        for path, recorded in (await checkout.submodules(since, deadline)).items():
            if os.path.lexists(checkout.folder / path / ".git"):
                its, why = await self._submodule(checkout.folder / path, recorded, deadline)
                patches += [_below(path, one) for one in its]
                doubts += [f"changes inside the submodule {path} are not looked at: {one}" for one in why]
        return [*patches, *files], doubts

    async def _submodule(self, folder: Path, recorded: str, deadline: float) -> tuple[list[Patch], list[str]]:
        try:
            checkout = await self._checkout(folder)
            if checkout is None or checkout.git.repository.top != os.path.realpath(folder):
                return [], ["it is not a repository"]
            if not recorded:
                return [], ["it is new"]
            if not await checkout.commit(recorded, deadline):
                return [], [f"it lacks the commit {recorded[:12]}"]
            patches, doubts = await self._since(checkout, recorded, deadline)
        except InputError as error:
            return [], [error.message]
        return patches, doubts

    async def _is_copy(self, checkout: Checkout, folder: Path) -> bool:
        """Whether it is another working tree of the same repository."""
        try:
            other = await asyncio.to_thread(locate, folder)
        except (OSError, InputError):
            return False
        return other is not None and other.common == checkout.git.repository.common


def _below(folder: str, patch: Patch) -> Patch:
    old = f"{folder}/{patch.old_path}" if patch.old_path else None
    blob = f"{folder}/{patch.blob}" if patch.blob else ""
    return replace(patch, path=f"{folder}/{patch.path}", old_path=old, blob=blob)
