"""`cn logs`: the last lines of the daemon's log, and those to come. Needs no daemon: it is read from the disk."""

from __future__ import annotations

import json
import os
import select
import stat
from typing import BinaryIO

from cn_client.call import workspace, write
from cn_client.invocation import Invocation
from cn_client.output import clean, note
from cn_shared.errors import EXIT_EMPTY, EXIT_FOUND, NotFoundError
from cn_shared.state import live, log_path

_BLOCK = 65536
_EVERY_MS = 250


def run(call: Invocation) -> int:
    """Print them. 0, or 1 when there is no line. Raises InputError, NotFoundError (it cannot be read)."""
    root = workspace(call.root)
    running = live(root)
    path = str(running.document["log"]) if running else log_path(root)
    wanted = int(str(call.parameters.get("lines", 50)))
    # What was printed before is text, as a command's output is: JSON only for who asks for it.
    as_json = (call.format or os.environ.get("CN_FORMAT")) in ("json", "envelope")
    try:
        if call.parameters.get("follow"):
            return _follow(path, wanted, as_json)
        lines = tail(path, wanted)
        if as_json:
            text = json.dumps({"log": path, "lines": lines}, ensure_ascii=False, separators=(",", ":")) + "\n"
            _print(text)
        else:
            _print("".join(clean(line) + "\n" for line in lines))
    except OSError as error:
        raise NotFoundError("no_log", f"The log {path} cannot be read: {error.strerror}.") from None
    if not lines:
        note(f"The log {path} holds nothing yet.", call.format)
    return EXIT_FOUND if lines else EXIT_EMPTY


def tail(path: str, wanted: int, end: int | None = None) -> list[str]:
    """The last lines, the oldest first; those of the part that was cut off (`.1`) when the log has too few.

    end: where the log ends, in bytes. [] when there is no log. Raises OSError.
    """
    lines = _last(path, wanted, end)
    return _last(path + ".1", wanted - len(lines), None) + lines if len(lines) < wanted else lines


def _last(path: str, wanted: int, end: int | None) -> list[str]:
    try:
        file = _opened(path)
    except FileNotFoundError:
        return []
    with file:
        at, data = os.fstat(file.fileno()).st_size if end is None else end, b""
        while at > 0 and data.count(b"\n") <= wanted:
            at, after = max(0, at - _BLOCK), at
            file.seek(at)
            data = file.read(after - at) + data
    return [_text(line) for line in data.splitlines()[-wanted:]] if wanted else []


def _follow(path: str, wanted: int, as_json: bool) -> int:
    """Print the last lines, then each that is added, until whoever reads us goes away."""
    followed = _Followed(path)
    gone = select.poll()
    gone.register(1, 0)  # nothing but the errors: that a pipe has lost its reader
    # First where to go on, then what is before it: a line that is added meanwhile is shown once.
    lines = tail(path, wanted, followed.skip())
    while True:
        _print("".join((json.dumps({"line": line}, ensure_ascii=False) if as_json else clean(line)) + "\n"
                       for line in lines))  # fmt: skip
        # There is nothing to wait for but time: the daemon may be dead, and its log not yet there.
        if gone.poll(_EVERY_MS):
            return EXIT_FOUND
        lines = followed.added()


class _Followed:
    """A file that grows, is cut short, or is created again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._rest = b""

    def skip(self) -> int:
        """Go on from the end of what there is; where that is, in bytes."""
        if not self._current():
            return 0
        assert self._file is not None
        return self._file.seek(0, os.SEEK_END)

    def added(self) -> list[str]:
        """The whole lines that were added since."""
        if not self._current():
            return []
        assert self._file is not None
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            self._file.seek(0)
            self._rest = b""
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        return [_text(line) for line in lines]

    def _current(self) -> bool:
        """Have the file open that has that name now; whether there is one."""
        try:
            named = os.stat(self._path)
        except FileNotFoundError:
            return False
        if self._file is None or not os.path.samestat(os.fstat(self._file.fileno()), named):
            if self._file is not None:
                self._file.close()
            self._file, self._rest = _opened(self._path), b""
        return True


def _print(text: str) -> None:
    write(1, text.encode("utf-8", "backslashreplace"))


def _opened(path: str) -> BinaryIO:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is not a file")
    return os.fdopen(descriptor, "rb")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")
