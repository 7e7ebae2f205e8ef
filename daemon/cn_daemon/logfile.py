"""The daemon's log file: one per root in the user's state folder, bounded, and without the token.

Everybody who writes to it (the daemon, the language servers' stderr) has it open for appending, so it can be
cut short under them: what comes next lands at its new end.
"""

from __future__ import annotations

import logging
from pathlib import Path

from cn_shared.state import log_path, state_folder

LIMIT_BYTES = 2 * 1024 * 1024
KEPT_BYTES = 256 * 1024


def open_log(root: Path, level: str, token: str) -> Path:
    """Send all logging of this process to the root's log file; its path. The token never gets there."""
    state_folder()
    path = Path(log_path(str(root)))
    bound(path)
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(_Formatter(token))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Both tell their whole traffic at "info" and below, and httpx whole addresses.
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
            path.with_suffix(path.suffix + ".1").write_bytes(log.read(kept))
            log.truncate(0)
    except FileNotFoundError:
        pass
    except OSError as error:
        logging.getLogger(__name__).warning("the log cannot be cut: %s", error)


class _Formatter(logging.Formatter):
    def __init__(self, token: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        # After the traceback was added to it.
        return super().format(record).replace(self._token, "<token>")
