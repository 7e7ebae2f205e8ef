"""`cn stop`: ask the daemon to end, wait until it has, and end it by force when it does not."""

from __future__ import annotations

import json
import time

from cn_client.call import DEADLINE_S, accepted, coloured, workspace, write
from cn_client.connection import ConnectionLostError, OutOfTimeError, compose, exchange
from cn_client.invocation import Invocation
from cn_client.output import clean
from cn_client.start_lock import start_lock
from cn_shared import children, process, state
from cn_shared.errors import NoDaemonError

_GRACE_S = 20.0  # the daemon gives requests 5 s and language servers 5 s, and watches itself after 15
_HANGS_S = 5.0


def run(call: Invocation) -> int:
    """Stop the root's daemon.

    Returns 0 once its process has ended, also when there was none. Raises NoDaemonError.
    """
    accept = accepted(call.format)
    answer = stop(workspace(call.root), call.deadline_s or DEADLINE_S)
    write(1, _rendered(answer, accept).encode("utf-8", "surrogateescape"))
    return 0


def stop(root: str, limit_s: float) -> dict[str, object]:
    """The same, of a root: `stopped` (whether one ran), `root`, `pid`. Raises NoDaemonError, DeadlineError."""
    with start_lock(root, time.monotonic() + limit_s):  # a daemon that is just starting is waited for
        found = state.live(root)
        if found:
            end(found, limit_s)
        children.sweep(root)  # also of a daemon that was killed before
    return {"stopped": found is not None, "root": root, "pid": found.pid if found else None}


def end(daemon: state.State, limit_s: float) -> None:
    """Have that daemon end. Its successor, or our caller, sweeps what it may leave.

    Raises NoDaemonError when it outlives even SIGKILL.
    """
    until = time.monotonic() + min(limit_s, _GRACE_S)
    request = compose(
        "POST",
        "/shutdown",
        port=daemon.port,
        token=daemon.token,
        accept="application/json",
        deadline_s=limit_s,
        body="{}",
    )
    is_requested = True
    try:
        # A daemon that hangs takes the request and says nothing: it is not given the whole grace.
        exchange(daemon.port, request, min(until, time.monotonic() + _HANGS_S))
    except (ConnectionLostError, OutOfTimeError):
        is_requested = False
    patience_s = max(0.0, until - time.monotonic()) if is_requested else 0.0
    gone = process.wait_until_gone(daemon.pid, daemon.process_start, patience_s)
    if not gone and not process.end_group(daemon.pid, daemon.process_start, 2.0):
        raise NoDaemonError("stop_failed", f"The daemon (pid {daemon.pid}) could not be ended.", pid=daemon.pid)
    state.withdraw(daemon)


def _rendered(answer: dict[str, object], accept: str) -> str:
    if accept == "application/json":
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n"
    root = clean(answer["root"])
    if not answer["stopped"]:
        return f"No daemon was running for {root}.\n"
    mark = "\x1b[32m✓\x1b[0m " if coloured(1) else ""
    return f"{mark}Stopped the daemon of {root} (pid {answer['pid']}).\n"
