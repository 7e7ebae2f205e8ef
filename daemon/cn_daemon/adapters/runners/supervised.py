"""`python -I -S supervised.py FD PROGRAM ARGUMENTS…`: runs a program, and ends with all that it has started.

A process that leaves its group or session, and whose parents end (a double fork), becomes a child of this one and not
of the system's first (PR_SET_CHILD_SUBREAPER, Linux): this one ends when it has no children left. It exits as the
program did; what kept the program from starting is written to FD. SIGTERM, which it also gets when the daemon ends,
ends all.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
# What the program leaves behind may take so long to write what it has to say.
_LINGER_S = 1.0


class _TerminatedError(Exception):
    pass


def main(report: int, argv: list[str]) -> int:
    """The program's own end, as `os.waitstatus_to_exitcode` has it."""
    os.set_inheritable(report, False)
    signal.signal(signal.SIGTERM, _terminated)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # waited for, not handled
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    code = 127
    try:
        program = _spawned(report, argv)
        code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
        _linger(time.monotonic() + _LINGER_S)
    except _TerminatedError:
        pass
    except OSError as error:
        os.write(report, (error.strerror or str(error)).encode())
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_all()
    return code


def _terminated(*_: object) -> None:
    raise _TerminatedError


def _spawned(report: int, argv: list[str]) -> int:
    # As it came: Python changes LC_CTYPE in its own.
    with open("/proc/self/environ", "rb") as file:
        environ = dict(line.split(b"=", 1) for line in file.read().split(b"\0") if b"=" in line)
    pid = os.posix_spawn(argv[0], argv, environ, setsid=True, setsigmask=(), setsigdef=(signal.SIGTERM, signal.SIGPIPE))
    # Whoever reads the pipes is to see their end when the program's own are closed.
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    return pid


def _linger(end: float) -> None:
    """Wait until there are no children, or until that moment."""
    while _reaped() and (left := end - time.monotonic()) > 0:
        signal.sigtimedwait({signal.SIGCHLD}, left)


def _reaped() -> bool:
    """Whether children are left, once those that have ended are collected."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _end_all() -> None:
    """Kill the children, and then those that become ours by that, until there are none. A child's id is nobody else's
    before it is waited for."""
    while _reaped():
        for pid in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _children() -> list[int]:
    mine, found = str(os.getpid()).encode(), []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            if file.read().rpartition(b")")[2].split()[1] == mine:
                found.append(int(name))
    return found


def _exit_as(code: int) -> None:
    if code >= 0:
        os._exit(code)
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)  # the program has had its own dump
    signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), -code)
    os._exit(128 - code)


if __name__ == "__main__":
    _exit_as(main(int(sys.argv[1]), sys.argv[2:]))
