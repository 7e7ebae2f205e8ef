"""What a unit was like when it was read, as text, for a later daemon to compare."""

from __future__ import annotations

import time

from cn_daemon.adapters.file_tree import Stamp

# A file system may count time in steps of two seconds: what changed within one of them looks the same.
_STEP_NS = 2 * 10**9


def mark_of(mark: Stamp | None, *besides: object) -> str:
    """A file's mark with what else its commands depend on; "" when it must be read again in any case."""
    if mark is None or not mark[0] < time.time_ns() - _STEP_NS:
        return ""
    return " ".join(map(str, (*mark, *besides)))
