"""Whether a program in the workspace was brought by its repository, rather than installed by the user."""

from __future__ import annotations

from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.adapters.programs import git_command, git_environ

_GIT_DEADLINE_S = 5.0


async def came_with_the_repository(file: Path, root: Path) -> bool:
    """Whether git tracks `file` (a real path): then cloning alone put it there, and nobody chose to run it.

    A file outside the workspace, or one in a folder that git does not know, was put there by someone on this
    machine. Without git nothing is known: False.
    """
    if not file.is_relative_to(root):
        return False
    try:
        command = git_command(root, "ls-files", "--error-unmatch", "--", file.name)
        finished = await run(command, cwd=file.parent, env=git_environ(), total_s=_GIT_DEADLINE_S)
    except OSError:
        return False
    # Too slow to tell is treated as tracked: the pinned copy is right as well, and safe.
    return finished.succeeded or finished.exit_code is None
