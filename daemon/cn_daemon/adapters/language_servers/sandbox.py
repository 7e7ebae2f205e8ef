"""A language server's sandbox on Linux: it writes and reads below some folders only, and opens no socket.

    python -I -S sandbox.py FOLDER … [--read PATH …] -- PROGRAM ARGUMENT …

Landlock (landlock(7)) takes the right to write, create, remove and move files away from this process and all that it
starts, but below the folders that are named; after `--read` the right to read files as well, but there, at the paths
that are named then, and in the system's folders. Names can be listed everywhere. A seccomp filter (seccomp(2)) refuses
`socket`, of every family: neither the network nor a daemon that listens on a local socket can be asked. What was open
before stays open: the pipes, and the log. Then the program takes the place of this one, with the same process id.

Standard library only, and nothing of cn is imported: the interpreter that runs this file is to start fast.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # their import would cost each start of a server some milliseconds
    from collections.abc import Sequence
    from pathlib import Path

# The same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF, _IO_URING_SETUP = 444, 445, 446, 425
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_SET_NO_NEW_PRIVS, _GET_SECCOMP, _SET_SECCOMP, _FILTER = 38, 21, 22, 2

# linux/landlock.h, LANDLOCK_ACCESS_FS_*: what is done to one file, and what is done to the entries of a folder.
_WRITE_FILE, _READ_FILE, _TRUNCATE = 1 << 1, 1 << 2, 1 << 14
_FOLDERS = sum(1 << bit for bit in range(4, 13))
_REFER = 1 << 13
# Programs open them to write what nobody reads.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
# What programs consist of, and what they read to start. Of other processes /proc tells their names at most: Landlock
# lets nobody look into those outside the sandbox.
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
    "/home/linuxbrew/.linuxbrew", "/proc", "/sys", "/dev/random", "/dev/urandom",
    *(f"/etc/{name}" for name in (
        "ld.so.cache", "ld.so.preload", "ld-musl-x86_64.path", "ld-musl-aarch64.path", "alternatives", "localtime",
        "nsswitch.conf", "passwd", "group", "ssl/openssl.cnf", "pki/tls/openssl.cnf", "crypto-policies",
        "os-release", "lsb-release", "debian_version", "redhat-release", "gentoo-release",
    )),
)  # fmt: skip

# linux/audit.h AUDIT_ARCH_*, and the number of `socket` there.
_ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
_X32 = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # linux/bpf_common.h: LD|W|ABS, JMP|JEQ|K, JMP|JGE|K, RET|K
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS = 1, 38


def lacking() -> str:
    """What this system has no sandbox for want of, as the end of a sentence; "" where it has one."""
    if sys.platform != "linux":
        return "it needs Linux"
    if os.uname().machine not in _ARCHITECTURES:
        return f"there is no filter for {os.uname().machine}"
    if _landlock_version() < 1:
        return "the kernel, or the container, has no Landlock"
    if _libc().prctl(_GET_SECCOMP, 0, 0, 0, 0) != 0:
        return "the kernel, or the container, takes no seccomp filter"
    return ""


def confined(
    command: Sequence[str], folders: Sequence[str | Path], readable: Sequence[str | Path] | None = None
) -> list[str]:
    """The command line by which `command` runs in the sandbox, free to write below `folders`; `command` itself where
    the system has no sandbox. readable: the files, and folders of files, that it may read beside those and the
    system's; None for all."""
    if lacking():
        return list(command)
    reading = [] if readable is None else ["--read", *map(str, readable)]
    return [sys.executable, "-I", "-S", __file__, *map(str, folders), *reading, "--", *command]


def confine(folders: Sequence[str], readable: Sequence[str] | None) -> None:
    """Take the rights from this process, for good. Raises OSError."""
    libc = _libc()
    _check(libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _restrict_files(libc, folders, readable)
    _refuse_sockets(libc)


def _restrict_files(libc: ctypes.CDLL, folders: Sequence[str], readable: Sequence[str] | None) -> None:
    version = _landlock_version()
    reading = 0 if readable is None else _READ_FILE
    files = reading | _WRITE_FILE | (_TRUNCATE if version >= 3 else 0)
    rights = files | _FOLDERS | (_REFER if version >= 2 else 0)
    attributes = struct.pack("Q", rights)
    ruleset = _check(libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))
    for path, allowed in [*((folder, rights) for folder in folders), *((device, files) for device in _DEVICES)]:
        _allow(libc, ruleset, path, allowed)
    for path in (*_SYSTEM, *readable) if readable is not None else ():
        try:
            _allow(libc, ruleset, path, _READ_FILE)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue  # it cannot be read anyway
    _check(libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, allowed: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", allowed, descriptor)
        _check(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    finally:
        os.close(descriptor)


def _refuse_sockets(libc: ctypes.CDLL) -> None:
    architecture, socket = _ARCHITECTURES[os.uname().machine]
    program = _filter(architecture, socket)
    code = ctypes.create_string_buffer(program)
    # struct sock_fprog: the number of instructions, and where they are.
    described = struct.pack("HP", len(program) // 8, ctypes.addressof(code))
    _check(libc.prctl(_SET_SECCOMP, _FILTER, described, 0, 0))


def _filter(architecture: int, socket: int) -> bytes:
    """A classic BPF program over struct seccomp_data (the call's number at 0, the architecture at 4). A jump says how
    many instructions are passed over when its condition holds, and when it does not."""
    lines = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 0, 4, architecture),  # another architecture's numbers mean other calls: refused
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, 2, 0, _X32 if architecture == _ARCHITECTURES["x86_64"][0] else 0xFFFFFFFF),
        (_EQUAL, 1, 0, socket),
        (_EQUAL, 1, 2, _IO_URING_SETUP),  # it would open sockets without the call; Node.js does without it
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ERROR | _ENOSYS),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _landlock_version() -> int:
    return int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)  # nothing is loaded: the library is there


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _parted(named: list[str]) -> tuple[list[str], bool, list[str]]:
    """The folders before `--read`, whether it is there, and the paths behind it."""
    if "--read" not in named:
        return named, False, []
    at = named.index("--read")
    return named[:at], True, named[at + 1 :]


def _main(arguments: list[str]) -> None:
    end = arguments.index("--")
    program, named = arguments[end + 1 :], arguments[:end]
    writable, reading, readable = _parted(named)
    try:
        confine(writable, readable if reading else None)
        os.execv(program[0], program)
    except OSError as error:
        sys.exit(f"{program[0]} could not be started in its sandbox: {error}")


if __name__ == "__main__":
    _main(sys.argv[1:])
