"""What git is configured to do, read by `git config` alone, which runs nothing; and the variables git runs with."""

from __future__ import annotations

import functools
import os
import stat
import subprocess
from collections.abc import Sequence

from cn_shared.errors import InputError
from cn_shared.folders import home

_CONFIG_S = 10.0
_CONFIG_BYTES = 4 << 20
# Files of patterns, and of attributes: the user's own.
PATTERNS = ("core.excludesfile", "core.attributesfile")
_VARIABLES = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}

Pairs = Sequence[tuple[str, str]]


def users(program: str) -> Pairs:
    """What the user's and the system's configuration says; the files it names by their real paths."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home(), ".config")
    files = ("/etc/gitconfig", os.path.join(folder, "git", "config"), os.path.join(home(), ".gitconfig"))
    values = list(_read(program, None, home(), folder, tuple(map(_mark, files))))
    known = {name for name, _ in values}
    for name, file in zip(PATTERNS, ("ignore", "attributes"), strict=True):
        if name not in known:
            values.append((name, os.path.join(folder, "git", file)))
    return [(name, os.path.expanduser(value) if name in PATTERNS else value) for name, value in values]


def listed(program: str, file: str) -> Pairs:
    mark = _mark(file)
    if mark is None:
        return ()
    if mark[1] > _CONFIG_BYTES:
        raise InputError("git_failed", f"{file} is too large.")
    return _read(program, file, home(), "", (mark,))


@functools.lru_cache(maxsize=256)
def _read(program: str, file: str | None, users: str, folder: str, marks: tuple[object, ...]) -> Pairs:
    """What `git config` says of a file, without those that it includes; of None, of the user and of the system.

    users, folder: where the user's own lies. marks: of what it is read from. Raises InputError.
    """
    what = ["--no-includes", "--file", file] if file else ["--includes"]
    environ = variables(program, os.devnull) | {"GIT_DIR": os.devnull}
    if file is None:
        for name in ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"):
            del environ[name]
        environ |= {"HOME": users, "XDG_CONFIG_HOME": folder}
    try:
        ran = subprocess.run(
            [program, "config", *what, "--null", "--list"],
            cwd="/",
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_CONFIG_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError("git_failed", f"git config: {error}.") from None
    if ran.returncode:
        said = ran.stderr.decode("utf-8", "replace").strip()
        raise InputError("git_failed", f"git cannot read the configuration {file or 'of the user'}: {said}")
    entries = ran.stdout.decode("utf-8", "surrogateescape").split("\0")
    # One without a value is true, and has no line's end.
    return tuple(
        (name, value if end else "true") for name, end, value in (one.partition("\n") for one in entries) if name
    )


def variables(program: str, users: str) -> dict[str, str]:
    """Nothing of the caller's: no secret, nothing that leads git elsewhere, and no folder of programs."""
    path = os.pathsep.join([os.path.dirname(program), os.defpath])
    return _VARIABLES | {"PATH": path, "HOME": users, "XDG_CONFIG_HOME": users, "TMPDIR": users}


def _mark(file: str) -> tuple[int, int, int] | None:
    try:
        facts = os.stat(file)
    except OSError:
        return None
    return (facts.st_mtime_ns, facts.st_size, facts.st_ino) if stat.S_ISREG(facts.st_mode) else None
