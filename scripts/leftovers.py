"""Ends with 1 when a process of a test run still lives, and ends that process.

    python scripts/leftovers.py <the run's folder>
    python scripts/leftovers.py --interrupt <pid of pytest> <the run's folder>

A process belongs to the run when its environment says so (RUN_OF_TESTS), however far it is from its parent.
--interrupt: pytest is told to stop and has a moment to tell what has failed so far; all else ends at once.
"""

from __future__ import annotations

import os
import signal
import sys
import time

import psutil

PATIENCE_S = 3.0


def living(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            ours = process.environ().get("RUN_OF_TESTS") == mark and process.pid != os.getpid()
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def end(processes: list[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.Error:
            continue


def interrupt(pytest: int, mark: str) -> None:
    for process in living(mark):
        if process.pid == pytest:
            process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + PATIENCE_S
    # Looked for again until there is none: one that was killed may have started another just before.
    while found := living(mark):
        end([one for one in found if one.pid != pytest or time.monotonic() > deadline])
        time.sleep(0.1)


def report(process: psutil.Process) -> str:
    """The process, and the test and the worker in which it was started."""
    try:
        environment = process.environ()
        words = f"left behind: {process.pid} {' '.join(process.cmdline())}"
    except psutil.Error:
        return f"left behind: {process.pid}, which has just ended"
    test, worker = environment.get("PYTEST_CURRENT_TEST", "no test"), environment.get("PYTEST_XDIST_WORKER", "")
    return f"{words}\n  started in {test} {worker}"


def main() -> int:
    *interrupted, mark = sys.argv[1:]
    if interrupted:
        interrupt(int(interrupted[1]), mark)
        return 0
    deadline = time.monotonic() + PATIENCE_S
    # A language server needs a moment to see that its daemon was killed.
    while (found := living(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    for process in found:
        print(report(process), file=sys.stderr)
    end(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
