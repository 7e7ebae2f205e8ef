"""Reading files on a disk that may stumble: errors that pass are retried, three times with growing pauses."""

from __future__ import annotations

import errno
import logging
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)
PASSING = frozenset(
    number
    for name in ("EIO", "EAGAIN", "EBUSY", "EINTR", "ESTALE", "ETIMEDOUT", "ENETDOWN", "ENETUNREACH", "EHOSTDOWN",
                 "EHOSTUNREACH", "ENOTCONN", "ECONNRESET", "EREMOTEIO", "EMFILE", "ENFILE")
    if (number := getattr(errno, name, None)) is not None
)  # fmt: skip
PAUSES_S = (0.05, 0.1, 0.2)
FILE_LIMIT = 10 << 20


class TooLargeError(OSError):
    """More than `FILE_LIMIT` bytes, or no regular file."""


def patiently(function: Callable[[], T], pause: Callable[[float], None] = time.sleep) -> T:
    """The function's result; an error that may pass is met with another try. Raises the last OSError."""
    for pause_s in PAUSES_S:
        try:
            return function()
        except OSError as error:
            if error.errno not in PASSING:
                raise
            pause(pause_s)
    return function()


def read_file(path: str, limit: int = FILE_LIMIT, allowed: Callable[[str], bool] | None = None) -> bytes:
    """The file's bytes. Raises OSError; TooLargeError past the limit, or for a pipe or device of that name.

    allowed: whether a file that really lies there may be read. It is asked once the file is open: a link can be put
    in a file's place between a look at its name and the reading.
    """

    def read() -> bytes:
        # O_NONBLOCK: a pipe of that name must not hang the thread.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            if allowed is not None and not allowed(real_path(descriptor, path)):
                raise PermissionError(errno.EACCES, "it leads out of the readable folders")
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise TooLargeError(errno.EINVAL, "it is not a regular file")
            content = stream.read(limit + 1)
        if len(content) > limit:
            raise TooLargeError(errno.EFBIG, f"it is larger than {limit >> 20} MB")
        return content

    return patiently(read)


def read_text(path: str, allowed: Callable[[str], bool] | None = None) -> str:
    """The file's text; bytes that are not UTF-8 are replaced: a search library is read as far as it can be."""
    content = read_file(path, allowed=allowed)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8-sig", "replace")


def real_path(descriptor: int, path: str) -> str:
    """Where the opened file really lies, however its name has been swapped since."""
    if sys.platform == "linux":
        return os.readlink(f"/proc/self/fd/{descriptor}").removesuffix(" (deleted)")
    real = os.path.realpath(path)
    try:
        # Elsewhere the name is resolved again, and counts only when it still leads to the file we opened.
        return real if os.path.samestat(os.stat(real), os.fstat(descriptor)) else ""
    except OSError:
        return ""


def tell(error: Exception) -> str:
    """What went wrong with a file, for the end of a sentence. What is no OSError its text has brought about."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    log.error("a file cannot be read", exc_info=error)
    return f"it cannot be read ({type(error).__name__})"


def inside(path: str, folder: str | Path) -> bool:
    """Whether the real `path` lies in the real `folder`."""
    real = os.path.realpath(folder)
    return path == real or path.startswith(os.path.join(real, ""))
