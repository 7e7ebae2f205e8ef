"""`python -m cn_daemon --root ROOT`: what the client spawns.

--lock-fd: the start lock, inherited from the client, let go once the state file is published; without it the
daemon takes the lock itself. --ready-fd: where to tell the client `ready`, or the error (a JSON line) that
prevented it. --coming-fd: where to read the question that has the daemon started, as VERB:QUERY.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import gc
import json
import os
import sys
from pathlib import Path
from types import ModuleType

from cn_shared import process
from cn_shared.errors import CnError, InputError, InternalError, NoDaemonError
from cn_shared.state import live, root_key, runtime_folder

_START_LIMIT_S = 60.0
# A long answer is tens of thousands of tuples, none of them garbage: looking for some as often as by default took a
# tenth of its time.
_GARBAGE_AT = 20_000
# How long a thread that imports or reads files may hold up the event loop, each time: by default ten times as long.
_TURN_S = 0.0005


def main(arguments: list[str] | None = None) -> int:
    """Serve until stopped; the exit code."""
    parser = argparse.ArgumentParser(prog="cn_daemon", description="The daemon of one workspace. cn starts it.")
    parser.add_argument("--root", required=True, help="the workspace's root")
    parser.add_argument("--ready-fd", type=int, default=-1, help=argparse.SUPPRESS)
    parser.add_argument("--lock-fd", type=int, default=-1, help=argparse.SUPPRESS)
    parser.add_argument("--coming-fd", type=int, default=-1, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    for descriptor in (options.ready_fd, options.lock_fd):
        if descriptor >= 0:
            os.set_inheritable(descriptor, False)
    # A start that hangs would hold the lock for ever: tell where it hangs, and end.
    faulthandler.dump_traceback_later(_START_LIMIT_S, exit=True)
    sys.setswitchinterval(_TURN_S)
    try:
        root = Path(os.path.realpath(options.root))
        lock = options.lock_fd if options.lock_fd >= 0 else _own_lock(root)
        coming = _coming(options.coming_fd)
        lifecycle = _imported()
        lifecycle.run(root, lambda: _announce(options.ready_fd, lock), coming)
    except CnError as error:
        return _refuse(options.ready_fd, error)
    except OSError as error:  # no room, no permission: what the system says is the reason
        _refuse(options.ready_fd, NoDaemonError("start_failed", f"The daemon could not start: {error}."))
        raise
    except Exception as error:
        _refuse(
            options.ready_fd,
            InternalError("start_failed", f"The daemon failed: {type(error).__name__}: {error}"),
        )
        raise
    return 0


def _imported() -> ModuleType:
    """Late: it takes half a second, and may fail. Looking for garbage meanwhile would make it a tenth longer."""
    gc.disable()
    try:
        from cn_daemon import lifecycle
    finally:
        gc.freeze()  # modules stay: nobody need look through them again
        gc.set_threshold(_GARBAGE_AT, 20, 20)
        gc.enable()
    return lifecycle


def _coming(descriptor: int) -> str:
    if descriptor < 0:
        return ""
    with open(descriptor, encoding="utf-8", errors="surrogateescape") as pipe:
        return pipe.read()


def _own_lock(root: Path) -> int:
    if not root.is_dir():
        raise InputError("bad_root", f"The root {root} is not a folder.")
    path = runtime_folder() / (root_key(str(root)) + ".lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    process.lock(descriptor)
    running = live(str(root))
    if running:
        raise InputError("already_running", f"A daemon runs for {root} (pid {running.pid}).", "Stop it with: cn stop")
    return descriptor


def _announce(ready: int, lock: int) -> None:
    faulthandler.cancel_dump_traceback_later()
    _tell(ready, b"ready\n")
    os.close(lock)


def _refuse(ready: int, error: CnError) -> int:
    line = json.dumps({"exit": error.exit_code, **error.document()})
    _tell(ready, line.encode() + b"\n")
    with contextlib.suppress(OSError):  # the log's disk may be full
        print(line, file=sys.stderr, flush=True)
    return error.exit_code


def _tell(descriptor: int, line: bytes) -> None:
    if descriptor < 0:
        return
    with contextlib.suppress(OSError):  # the client was interrupted, or it knows already
        os.write(descriptor, line)
        os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main())
