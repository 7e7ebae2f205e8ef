"""The user's folders, and the root of a workspace: every place outside the workspace that cn reads or writes.

All of them are 0700 and the user's own. A warm `cn` call reads this module: pathlib comes late.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_PROJECT_MARKS = ("package.json", "tsconfig.json", "pyproject.toml")
MARKS = (".cn.json", ".git", *_PROJECT_MARKS)  # of a workspace's root


def cache_folder() -> "Path":
    """$XDG_CACHE_HOME/cn or ~/.cache/cn: what may be deleted at any time."""
    return ensured(base("XDG_CACHE_HOME", ".cache"))


def state_folder() -> "Path":
    """$XDG_STATE_HOME/cn or ~/.local/state/cn: logs, trust."""
    return ensured(base("XDG_STATE_HOME", ".local/state"))


def config_folder() -> "Path":
    """$XDG_CONFIG_HOME/cn or ~/.config/cn: the user's settings. Not created: cn only reads there."""
    from pathlib import Path

    return Path(named("XDG_CONFIG_HOME", ".config"))


def runtime_folder() -> "Path":
    """$XDG_RUNTIME_DIR/cn, or a folder of the user's own in the temporary folder: locks, records of children.

    Where somebody else sits on that name: a folder below the state folder or, without a home, one in the temporary
    folder by a name that nobody could foresee. Raises OSError.
    """
    return ensured(runtime_path())


def runtime_path() -> str:
    """That folder's path, without making it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    temporary, name = os.environ.get("TMPDIR") or "/tmp", f"cn-{os.geteuid()}"
    xdg = os.path.isabs(runtime) and os.access(runtime, os.W_OK)
    first = os.path.join(runtime, "cn") if xdg else os.path.join(temporary, name)
    spare = os.path.join(named("XDG_STATE_HOME", ".local/state"), "run")
    for path in (first, spare):
        if _can_be_mine(path) and can_be(path):
            return path
    try:
        rest = [os.path.join(temporary, one) for one in sorted(os.listdir(temporary)) if one.startswith(name + "-")]
    except OSError:
        rest = []
    return next(filter(_is_mine, rest), os.path.join(temporary, f"{name}-{os.urandom(8).hex()}"))


def base(variable: str, below_home: str) -> str:
    """The folder's path, without making it.

    Where there is no home to make it in (a container's user without a name has none), or none that can be written to
    (in an agent's sandbox), it lies in the runtime folder. That one is made, since what is read there must be the
    user's own. Raises OSError.
    """
    path = named(variable, below_home)
    return path if can_be(path) else os.path.join(runtime_folder(), below_home, "cn")


def read_only(variable: str, below_home: str) -> str:
    """The folder that `base` would be, when it is there and can only be read: what was kept there counts. Else ""."""
    path = named(variable, below_home)
    return path if _is_mine(path) and not can_be(path) else ""


def can_be(path: str) -> bool:
    """Whether that folder is there and can be written to, or could be made. What is no folder stands in the way, and
    whoever makes it says so."""
    there = path
    while not os.path.lexists(there):
        there = os.path.dirname(there)
    return os.access(there, os.W_OK | os.X_OK) or (there == path and not os.path.isdir(path))


def _is_mine(path: str) -> bool:
    try:
        facts = os.lstat(path)
    except OSError:
        return False
    return facts.st_uid == os.geteuid() and facts.st_mode & 0o170000 == 0o040000


def _can_be_mine(path: str) -> bool:
    return _is_mine(path) or not os.path.lexists(path)


def named(variable: str, below_home: str) -> str:
    """Where the folder is meant to be. A relative value of the variable does not count (XDG)."""
    value = os.environ.get(variable, "")
    if not os.path.isabs(value):
        value = os.path.join(home(), below_home)
    return os.path.join(value, "cn")


def home() -> str:
    """The user's home; `/` when the system tells none: no HOME, or a relative one, and a user without a name."""
    path = os.path.expanduser("~")
    return path if os.path.isabs(path) else "/"


def find_root(start: str) -> str:
    """The workspace that `start` (a real, absolute folder) lies in.

    Upward: the nearest `.cn.json`, else the nearest `.git`, else the nearest project file, else `start`
    itself. A mark of another user counts nowhere but in that user's own folders: who may write to /tmp must not
    make it the workspace of whoever works below it.
    """
    owners = _owners(start)
    git = project = ""
    folder = start
    while True:
        if _marked(folder, ".cn.json", owners):
            return folder
        if not git and _marked(folder, ".git", owners):
            git = folder
        if not git and not project and any(_marked(folder, mark, owners) for mark in _PROJECT_MARKS):
            project = folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return git or project or start
        folder = parent


def _owners(start: str) -> tuple[int, ...]:
    try:
        return (0, os.geteuid(), os.stat(start).st_uid)
    except OSError:
        return (0, os.geteuid())


def _marked(folder: str, name: str, owners: tuple[int, ...]) -> bool:
    try:
        return os.lstat(os.path.join(folder, name)).st_uid in owners
    except OSError:
        return False


def ensured(path: str) -> "Path":
    """That folder, created when it is missing, 0700 and the user's own. Raises OSError.

    Where the user has put a link of their own (to a larger disk), the folder that it leads to.
    """
    from pathlib import Path

    if os.path.islink(path) and os.lstat(path).st_uid == os.geteuid():
        path = os.path.realpath(path)
    _make(path)
    if not _is_mine(path):
        raise PermissionError(f"{path} is not a folder of this user")
    if os.lstat(path).st_mode & 0o077:
        os.chmod(path, 0o700)
    return Path(path)


def _make(path: str) -> None:
    """With what is missing on the way: os.makedirs gives that the mode of the umask, which may be everybody's."""
    above = os.path.dirname(path)
    if not os.path.isdir(above):
        _make(above)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def private(path: str, flags: int) -> int:
    """Opens, as the `opener` of `open`: a file that is made is the user's alone, whatever the umask."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
