"""What is piped into a verb that takes standard input.

A file and a shell's pipe are read to their end. A socket or a terminal is not, unless `--stdin` asks for it: many a
caller leaves one open that never ends, and a call that waits for it would hang.
"""

from __future__ import annotations

import os
import select
import stat
import time

from cn_client.invocation import Invocation
from cn_shared.errors import DeadlineError, InputError

_UNASKED_S = 60.0


def take(call: Invocation, end: float) -> None:
    """Put what is piped in into the call's parameters, as text.

    Raises InputError (it is not UTF-8), DeadlineError (it had not ended by `end` on the monotonic clock).
    """
    is_given = call.parameters.pop("stdin", False) or call.parameters.get("file") == "-"
    if not (is_given or _is_piped()):
        return
    data = b"".join(_pieces(end if is_given else min(end, time.monotonic() + _UNASKED_S)))
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise InputError("bad_stdin", "Standard input is not UTF-8 text.", "Only text is passed on.") from None
    if text or is_given:
        call.parameters["stdin"] = text


def _is_piped() -> bool:
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def _pieces(end: float) -> list[bytes]:
    pieces: list[bytes] = []
    while True:
        ready, _, _ = select.select([0], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise DeadlineError(
                "stdin_open", "Standard input did not end.", "Call it with </dev/null when there is nothing to pass on."
            )
        piece = os.read(0, 1 << 16)
        if not piece:
            return pieces
        pieces.append(piece)
