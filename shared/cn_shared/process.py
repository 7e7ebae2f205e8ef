"""Who a process is, whether it runs, how to end it with everything below it, and locks: the platform's branches.

A pid alone names nobody: it is reused. A pid together with its start does. On Linux both come from /proc,
because a warm `cn` call reads this module and psutil costs 18 ms; elsewhere psutil tells.
"""

import os
import sys

LINUX = sys.platform.startswith("linux")

_STATE, _GROUP, _START = 0, 2, 19  # fields of /proc/<pid>/stat, counted after the name


def start_of(pid: int) -> str | None:
    """The start of the running process `pid`, a string that never fits another process; None when none runs.

    A zombie does not run: whoever should reap it may never do so (pid 1 of a container).
    """
    if LINUX:
        fields = _stat(pid)
        if fields is None or fields[_STATE] in (b"Z", b"X", b"x"):
            return None
        return _boot() + ":" + fields[_START].decode()
    import psutil

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else repr(process.create_time())
    except psutil.Error:
        return None


def alive(pid: int, start: str) -> bool:
    """Whether the very process that started at `start` still runs."""
    return pid > 0 and start_of(pid) == start


def wait_until_gone(pid: int, start: str, timeout_s: float) -> bool:
    """Wait for that process to end.

    False when it outlives `timeout_s`. No sleep on Linux: its pidfd tells.
    """
    import select
    import time

    end = time.monotonic() + timeout_s
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):
        while alive(pid, start):
            if time.monotonic() >= end:
                return False
            time.sleep(0.02)
        return True
    try:
        # Only now is it sure whom the descriptor names: the pid may have passed on before it was opened.
        while alive(pid, start):
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            if not poll.poll(max(0.0, end - time.monotonic()) * 1000):
                return not alive(pid, start)
            if alive(pid, start):  # pragma: no cover - a thread outlives its leader for a moment
                time.sleep(0.001)
        return True
    finally:
        os.close(descriptor)


def lock(descriptor: int, *, wait: bool = True) -> None:
    """Lock an open file for this descriptor alone, until it is closed. Raises BlockingIOError unless it may `wait`.

    Where the system has no such locks (Windows) it does nothing: whoever locks must stay correct without, if slower.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def most_open_files(wanted: int = 4096) -> int:
    """How many files and connections this process may have open; as many as `wanted`, if the system lets it."""
    try:
        import resource
    except ImportError:  # Windows
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        except (ValueError, OSError):  # macOS has a limit of its own below that
            pass
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == resource.RLIM_INFINITY else soft


def end_group(pid: int, start: str, grace_s: float) -> bool:
    """End that process, and its group when it leads one.

    Ask, then kill after `grace_s`. True when it is gone.
    """
    import signal

    if not alive(pid, start):
        return True
    leads = _group_of(pid) == pid and pid != os.getpgrp()
    for number, patience_s in ((signal.SIGTERM, grace_s), (signal.SIGKILL, 5.0)):
        try:
            if leads:
                os.killpg(pid, number)
            else:
                os.kill(pid, number)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        if wait_until_gone(pid, start, patience_s):
            break
    if leads:
        # The leader is gone; a member that ignored SIGTERM may not be. The group's id cannot have been given
        # away as long as one member lives, and with none this is a ProcessLookupError.
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    return not alive(pid, start)


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return -1


def _stat(pid: int) -> list[bytes] | None:
    content = _read(f"/proc/{pid}/stat")
    # The name stands in parentheses and may itself hold any of them: read from the last one.
    return content[content.rindex(b")") + 2 :].split() if b")" in content else None


def _boot() -> str:
    return _read("/proc/sys/kernel/random/boot_id").decode().strip()


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the process ended in between
        return b""
    finally:
        os.close(descriptor)
