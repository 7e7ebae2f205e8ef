"""The daemon's log file: one per root in the user's state folder, bounded, and without the token.

Everybody who writes to it (the daemon, the language servers' stderr) has it open for appending, so it can be
cut short under them: what comes next lands at its new end.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from cn_shared.folders import private
from cn_shared.state import log_path, state_folder

LIMIT_BYTES = 2 * 1024 * 1024
KEPT_BYTES = 256 * 1024


def open_log(root: Path, level: str, token: str) -> Path:
    """Send all logging of this process to the root's log file; its path. The token never gets there."""
    state_folder()
    path = Path(log_path(str(root)))
    bound(path)
    open(path, "ab", opener=private).close()
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(Formatter(token))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Both log all their traffic at "info" and below, and httpx full addresses.
    for name in ("uvicorn", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return path


def bound(path: Path, limit: int = LIMIT_BYTES, kept: int = KEPT_BYTES) -> None:
    """When it is longer than `limit` bytes, keep its last `kept` beside it, as `.1`, and start anew."""
    try:
        size = path.stat().st_size
        if size <= limit:
            return
        with path.open("rb+") as log:
            log.seek(size - kept)
            with open(path.with_suffix(path.suffix + ".1"), "wb", opener=private) as before:
                before.write(log.read(kept))
            log.truncate(0)
    except FileNotFoundError:
        pass
    except OSError as error:
        logging.getLogger(__name__).warning("the log cannot be cut: %s", error)


class Formatter(logging.Formatter):
    """One record, one line: what others say (a path, a name, a message) cannot look like a line of ours. The lines of a
    traceback are set in."""

    def __init__(self, token: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._token = token

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        record.message = _one_line(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return "\n".join(f"    {_one_line(line)}" for line in super().formatException(ei).split("\n"))

    def format(self, record: logging.LogRecord) -> str:
        # After the traceback was added to it.
        return super().format(record).replace(self._token, "<token>")


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
