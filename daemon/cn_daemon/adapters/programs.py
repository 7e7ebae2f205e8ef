"""Git as it may be run in a repository that nobody vouches for."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cn_shared.execution import find_executables

# Everything by which a repository's configuration, or a folder that only looks like one, has git start a program.
_HARMLESS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "safe.bareRepository=explicit")
_PRIVATE = re.compile(
    r"^(?:CN|AICMD)_|^PYTHON|^NODE_OPTIONS$|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)|CREDENTIAL"
    r"|_(?:API|ACCESS|PRIVATE|SIGNING|AUTH)_?KEY|APIKEY|^SSH_AUTH_SOCK$|_AUTH$|_DSN$|DATABASE_URL|_PAT$",
    re.IGNORECASE,
)


def git_command(root: Path, *arguments: str) -> list[str]:
    """A git command line that runs no program of the repository's: a configuration may name some.

    Raises FileNotFoundError when there is no git.
    """
    program = _git(root, os.environ.get("PATH", ""))
    if program is None:
        raise FileNotFoundError("git")
    return [str(program), *(word for setting in _HARMLESS for word in ("-c", setting)), *arguments]


def git_environ() -> dict[str, str]:
    """Our variables without git's own, which may point at another repository (a hook that runs cn has them)."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**lean(kept), "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}


def lean(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables for programs that read code and need nobody's trust: none of cn's own, and none that looks like a
    secret. Node's options and Python's are left out too: a debugger's or a loader's flags, and a project's own modules,
    are not meant for our programs."""
    return {name: value for name, value in environ.items() if not _PRIVATE.search(name)}


@cache
def _git(root: Path, path: str) -> Path | None:
    return next(find_executables("git", root, {"PATH": path}), None)
