"""Ends with 1 when a process of a test run still lives, and ends that process.

    python scripts/leftovers.py <the run's folder>

A process belongs to the run when its environment says so (RUN_OF_TESTS), however far it is from its parent.
"""

from __future__ import annotations

import sys
import time

import psutil

PATIENCE_S = 3.0


def living(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("RUN_OF_TESTS") == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def main() -> int:
    mark = sys.argv[1]
    deadline = time.monotonic() + PATIENCE_S
    # A language server needs a moment to see that its daemon was killed.
    while (found := living(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    for process in found:
        try:
            print(f"left behind: {process.pid} {' '.join(process.cmdline())}", file=sys.stderr)
            process.kill()
        except psutil.Error:
            continue
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
