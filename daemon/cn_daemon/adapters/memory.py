"""What a process does with memory that it needs no more."""

from __future__ import annotations

import contextlib
import gc


def settle() -> None:
    """After much was read: what stays is looked through for garbage no more, which would hold up a question for a
    tenth of a second; what was needed on the way goes back to the system, which glibc does not do by itself."""
    import ctypes  # late: the start needs none of it

    gc.freeze()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
