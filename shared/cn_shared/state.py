"""The state file: how a client finds the daemon of a root, and knows that it is the one.

`.cn-daemon.json` lies at the root or, for a root that cannot be written to (or that holds another user's), in
the user's cache folder. It counts only when it is mine, mode 0600, whole, about this root, its process runs, and it
bears the seal that only this user's daemons can make: anything else is stale or a stranger's and passed over without
a word. A warm `cn` call reads this module: it imports nothing at the top.

The seal is a hash of all the rest, keyed with 32 bytes from a folder of the user's. Owner, mode and token prove
nothing: an archive that is unpacked as me can hold all three, and who made it knows them, so neither would a daemon
that shows that it knows the token.
"""

import os

from cn_shared import folders, process
from cn_shared.environment import digest
from cn_shared.folders import cache_folder, config_folder, runtime_folder, state_folder

__all__ = [
    "LINE_LIMIT", "NAME", "SCHEMA", "State", "cache_folder", "config_folder", "live", "log_path", "of_another_schema",
    "owner_of", "places", "publish", "read", "root_key", "runtime_folder", "state_folder", "withdraw",
]  # fmt: skip

NAME = ".cn-daemon.json"
SCHEMA = 1
SEAL = "seal"
# How many bytes one line of `cn mcp` may have, with its end.
LINE_LIMIT = 8 << 20
_LIMIT = 65536
_KEY_BYTES = 32
_KINDS = {
    "version": str, "pid": int, "processStart": str, "host": str, "port": int, "token": str, "root": str,
    "startedAt": str, "log": str, "environment": str,
}  # fmt: skip


class State:
    """A daemon as its state file tells it.

    `document` is the file's content, `path` where it was read or written. pump_port: where `cn mcp` connects; 0
    when it has none.
    """

    __slots__ = ("document", "path", "pid", "port", "process_start", "pump_port", "root", "token", "version")

    def __init__(self, document: dict[str, object], path: str = "") -> None:
        """Raises ValueError when a field is missing or of another kind, or the schema is not ours."""
        if document.get("schema") != SCHEMA:
            raise ValueError("schema")
        for name, kind in _KINDS.items():
            if type(document.get(name)) is not kind:
                raise ValueError(name)
        self.document = document
        self.path = path
        self.version = str(document["version"])
        self.pid = int(str(document["pid"]))
        self.process_start = str(document["processStart"])
        self.port = int(str(document["port"]))
        self.token = str(document["token"])
        self.root = str(document["root"])
        pump = document.get("pumpPort")
        self.pump_port = pump if type(pump) is int and 0 < pump < 65536 else 0
        # They go into a request's head as they are.
        if not (0 < self.port < 65536 and self.token.isalnum() and self.token.isascii()):
            raise ValueError("port or token")
        if not 0 < self.pid < 1 << 31:  # the system's calls take no other
            raise ValueError("pid")

    def sealed(self) -> bool:
        """Whether a daemon of this very user wrote it."""
        keys = (_key(path) for path in _key_paths())
        try:
            return any(key and self.document.get(SEAL) == _seal(self.document, key) for key in keys)
        except RecursionError:  # a field that no daemon writes, nested deeply
            return False

    def runs(self) -> bool:
        """Whether the very process that wrote the file still runs."""
        return process.alive(self.pid, self.process_start)


def root_key(root: str) -> str:
    """The name of a root in the user's folders: 16 hex digits."""
    return digest(root)


def log_path(root: str) -> str:
    """The daemon's log file for that root."""
    return os.path.join(folders.base("XDG_STATE_HOME", ".local/state"), root_key(root) + ".log")


def places(root: str) -> tuple[str, str]:
    """Where the state file of that root may lie, the first choice first."""
    spare = os.path.join(folders.base("XDG_CACHE_HOME", ".cache"), "daemons", root_key(root) + ".json")
    return os.path.join(root, NAME), spare


def live(root: str) -> State | None:
    """The running daemon of that root (of any version), or None. Never raises.

    Where this user's seal cannot be read (another home) there is none.
    """
    for path in places(root):
        state = read(path)
        if state and state.root == root and state.sealed() and state.runs():
            return state
    return None


def read(path: str) -> State | None:
    """The state file's content, or None when there is none or it cannot be trusted. Never raises."""
    try:
        document = _document(path)
        return State(document, path) if document else None
    except ValueError:
        return None


def of_another_schema(path: str) -> bool:
    """Whether a daemon of an older or newer kind published itself there."""
    document = _document(path)
    return document is not None and type(document.get("schema")) is int and document["schema"] != SCHEMA


def _document(path: str) -> dict[str, object] | None:
    content = _private(path, _LIMIT)
    if content is None:
        return None
    try:
        document = parse(content.decode())
        return document if isinstance(document, dict) else None
    except ValueError:
        return None


def _private(path: str, limit: int) -> bytes | None:
    """The content of a file that is mine and nobody else's, of at most `limit` bytes; else None."""
    try:
        # Not through a symbolic link; and a named pipe must not block.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        facts = os.fstat(descriptor)
        if facts.st_uid != os.geteuid() or facts.st_mode & 0o170077 != 0o100000 or facts.st_size > limit:
            return None
        return os.read(descriptor, limit)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _key_paths() -> tuple[str, str]:
    """Where the user's key may lie, the first choice first.

    By HOME: agents start `cn mcp` with that, but without XDG_STATE_HOME, and must find the daemon that a terminal
    started. The other is for a home that cannot be written to.
    """
    home = os.path.join(folders.home(), ".local/state/cn/key")
    return home, os.path.join(folders.base("XDG_STATE_HOME", ".local/state"), "key")


def _key(path: str) -> bytes | None:
    key = _private(path, _KEY_BYTES)
    return key if key and len(key) == _KEY_BYTES else None


def _own_key() -> bytes:
    """The user's key, created when there is none yet, or none that only they can read. Raises the last place's
    OSError."""
    first, spare = _key_paths()
    try:
        return _key(first) or _new_key(first)
    except OSError:
        return _key(spare) or _new_key(spare)


def _new_key(path: str) -> bytes:
    folders.ensured(os.path.dirname(path))
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        process.lock(descriptor)  # two roots' first daemons agree on one
        key = _key(path)
        if key is None:
            key = os.urandom(_KEY_BYTES)
            os.fchmod(descriptor, 0o600)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, key, 0)
        return key
    finally:
        os.close(descriptor)


def _seal(document: dict[str, object], key: bytes) -> str:
    # ascii() is the same on both sides whatever their Python knows of Unicode, and no two documents share one.
    return digest(ascii([item for item in document.items() if item[0] != SEAL]), key)


def publish(state: State) -> State:
    """Write the state file, sealed, atomically, mode 0600; the state with its `path`. Raises the last place's
    OSError.

    A file at the root that is another user's is theirs: both daemons live, each user finds their own.
    """
    first, spare = places(state.root)
    state.document[SEAL] = _seal(state.document, _own_key())
    if owner_of(first) in (None, os.geteuid()):
        try:
            return _write(state, first)
        except OSError:
            pass
    cache_folder()
    os.makedirs(os.path.dirname(spare), mode=0o700, exist_ok=True)
    return _write(state, spare)


def withdraw(state: State) -> bool:
    """Remove the state file, when it is still this daemon's.

    A successor may have published its own meanwhile.
    """
    found = read(state.path)
    if found is None or (found.pid, found.token) != (state.pid, state.token):
        return False
    try:
        os.unlink(state.path)
    except OSError:
        return False
    return True


def owner_of(path: str) -> int | None:
    """The uid of whoever owns that file, or None when there is none."""
    try:
        return os.lstat(path).st_uid
    except OSError:
        return None


def _write(state: State, path: str) -> State:
    import json

    draft = path + ".tmp"  # one name: what a killed daemon left is replaced by the next
    try:
        os.unlink(draft)
    except FileNotFoundError:
        pass
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(state.document, file, indent=2)
            file.write("\n")
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
    return State(state.document, path)


def parse(text: str) -> object:
    """What json.loads gives. The scanner in C, without the json package, which takes 6 ms to import `re`.

    Raises ValueError for whatever else.
    """
    try:
        from _json import make_scanner

        _Scanning.memo = {}
        scan = make_scanner(_Scanning)  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError):  # another Python than CPython, or a later one
        import json

        scan = json.JSONDecoder().raw_decode  # type: ignore[assignment]
    text = text.strip()
    try:
        value, end = scan(text, 0)
    except (StopIteration, RecursionError, SystemError):
        # SystemError: the scanner of CPython < 3.13 looks up its own error in json.decoder, which is not imported.
        raise ValueError("no JSON document") from None
    if end != len(text):
        raise ValueError("more than one document")
    return value


class _Scanning:
    """What the scanner asks of its context."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]"
