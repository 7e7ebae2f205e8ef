"""Starting a daemon: one, however many ask at once; and asking again when the first one went away."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Generator

from cn_client import shutdown
from cn_client.call import ask, patience_s
from cn_client.connection import ConnectionLostError, OutOfTimeError, Reply
from cn_client.invocation import Invocation
from cn_client.start_lock import start_lock
from cn_shared import __version__, interpreter, process
from cn_shared.errors import CnError, DeadlineError, NoDaemonError
from cn_shared.folders import private
from cn_shared.state import State, live, log_path, state_folder

_LOG_LINES = 8
_DYING_S = 2.0
# Longer ones are no names.
_QUERY = 200


def ask_anew(call: Invocation, root: str, accept: str, end: float) -> Reply:
    """Ask a daemon that is started first, if need be. A read whose daemon dies under it is asked once more.

    Raises NoDaemonError, DeadlineError.
    """
    from cn_client.progress import shown

    daemons = attempts(call, root, end)
    with shown(root):
        state = next(daemons)
        while True:
            try:
                return ask(state, call, accept, end)
            except (ConnectionLostError, OutOfTimeError) as error:
                state = daemons.throw(error)


def warm_or_cold(call: Invocation, root: str, end: float) -> Generator[State, None, None]:
    """The daemons to ask, the running one first: throw in what became of the question, and get the next.

    Raises NoDaemonError, DeadlineError.
    """
    state = live(root)
    if state is not None and not (call.verb.starts and state.version != __version__):
        try:
            yield state
        except OutOfTimeError:
            raise late(state, patience_s(call)) from None
        except ConnectionLostError as lost:
            if not call.verb.reads:
                raise gone(state, lost) from None
    yield from attempts(call, root, end)


def attempts(call: Invocation, root: str, end: float) -> Generator[State, None, None]:
    """The same, when none ran: each is started first, if need be."""
    for last in (False, True):
        # A question that starts nothing (`cn status`) goes to the daemon there is, of whatever version.
        state = ensure(root, end, _first_question(call)) if call.verb.starts else live(root)
        if state is None:
            raise absent(root)
        try:
            yield state
        except OutOfTimeError:
            raise late(state, patience_s(call)) from None
        except ConnectionLostError as lost:
            if last or not call.verb.reads:
                raise gone(state, lost) from None
            # One that was killed takes connections, and counts as running, until the kernel is done with it.
            process.wait_until_gone(state.pid, state.process_start, min(_DYING_S, max(0.0, end - time.monotonic())))


def ensure(root: str, end: float, coming: str = "") -> State:
    """The running daemon of that root and of this version: the one there is, or a new one. One that is killed while it
    starts is started once more.

    Raises NoDaemonError (it ended at once), DeadlineError (no lock, or no daemon, by `end` on the monotonic
    clock).
    """
    try:
        return _ensure(root, end, coming)
    except _KilledError:
        return _ensure(root, end, coming)


class _KilledError(NoDaemonError):
    """Somebody, or the system for want of memory, ended the daemon before it was asked anything."""


def _ensure(root: str, end: float, coming: str) -> State:
    with start_lock(root, end) as lock:
        state = live(root)  # whoever held the lock before us may have started it
        if state and state.version == __version__:
            return state
        if state:
            shutdown.end(state, max(0.0, end - time.monotonic()))
        return _start(root, lock, end, coming)


def _start(root: str, lock: int, end: float, coming: str) -> State:
    """Spawn the daemon and wait for its word on a pipe that it has published itself.

    It inherits the lock and lets go of it then: when we are interrupted meanwhile, nobody starts a second
    one. The question goes through a pipe: everybody on the machine reads arguments, for as long as the daemon lives.
    """
    reading, writing = os.pipe()
    input_end, input_from = os.pipe()
    os.write(input_from, coming.encode("utf-8", "surrogateescape"))  # far less than a pipe holds
    os.close(input_from)
    words = ["--root", root, "--ready-fd", str(writing), "--lock-fd", str(lock), "--coming-fd", str(input_end)]
    command = interpreter.command("cn_daemon", *words, root=root)
    try:
        state_folder()
        with open(log_path(root), "ab", opener=private) as log:
            child = subprocess.Popen(
                command,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=(writing, lock, input_end),
                start_new_session=True,
            )
    except OSError as error:
        os.close(reading)
        hint = (
            "XDG_STATE_HOME, XDG_CACHE_HOME and XDG_RUNTIME_DIR may name folders that can be written to. See: cn doctor"
        )
        raise NoDaemonError("start_failed", f"The daemon could not be started: {error}.", hint) from None
    finally:
        os.close(writing)
        os.close(input_end)
    # Whoever lives longer than the daemon (the SDK, a test) reaps it so; a command line ends before it.
    threading.Thread(target=child.wait, daemon=True).start()
    try:
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        word = os.read(reading, 4096) if ready else b""
    finally:
        os.close(reading)
    if not ready:
        raise DeadlineError(
            "start_deadline",
            "The daemon did not start in time.",
            "It goes on starting: ask again.",
            log=log_tail(root),
        )
    if word.startswith(b"{"):
        raise _start_error(word)
    state = live(root)
    if not word or state is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(min(_DYING_S, max(0.0, end - time.monotonic())))
        raise (_KilledError if child.returncode == -signal.SIGKILL else NoDaemonError)(
            "start_failed",
            "The daemon ended while it was starting.",
            f"Its log is {log_path(root)}.",
            log=log_tail(root),
        )
    return state


def _first_question(call: Invocation) -> str:
    """The question, as it is passed to the daemon that is started for it: its verb, and the name it is about."""
    query = call.parameters.get("query")
    # Another server, or a definition alone, needs something else.
    plain = isinstance(query, str) and len(query) <= _QUERY and "\0" not in query
    plain = plain and call.parameters.keys() <= {"query", "limit", "depth"}
    return f"{call.verb.name}:{query if plain else ''}"


def _start_error(line: bytes) -> CnError:
    """The error that kept the daemon from starting, as it reported it before it ended."""
    document = json.loads(line)
    error = document["error"]
    failed = CnError(error.pop("code"), error.pop("message"), error.pop("hint", ""), **error)
    failed.exit_code = document["exit"]
    return failed


def absent(root: str) -> CnError:
    """The error of a question that starts nothing."""
    return NoDaemonError("no_daemon", f"No daemon runs for {root}.", "Start it with: cn start", root=root)


def gone(state: State, lost: ConnectionLostError) -> CnError:
    """The error of a daemon that went away under a question that cannot be asked again."""
    return NoDaemonError(
        "connection_lost",
        f"The daemon (pid {state.pid}) went away before it answered: {lost}.",
        f"Its log is {state.document['log']}.",
        log=log_tail(state.root),
    )


def late(state: State, deadline_s: float) -> CnError:
    """The error of a daemon that runs but says nothing."""
    return DeadlineError(
        "no_answer",
        f"The daemon (pid {state.pid}) did not answer within {deadline_s:.3g} s.",
        f"Give it longer with --deadline, or end it with: cn stop. Its log is {state.document['log']}.",
        pid=state.pid,
    )


def log_tail(root: str) -> list[str]:
    """The last lines of the daemon's log."""
    try:
        with open(log_path(root), "rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - 8192))
            return log.read().decode("utf-8", "replace").splitlines()[-_LOG_LINES:]
    except OSError:
        return []
