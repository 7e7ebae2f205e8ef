"""A language server writes below its own folders alone, and opens no socket, whatever code has got hold of it."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from cn_daemon.adapters.language_servers import sandbox
from cn_daemon.adapters.language_servers.spawning import Place
from cn_daemon.settings import Settings
from tests.server.desk import Desk, places

pytestmark = pytest.mark.skipif(bool(sandbox.lacking()), reason=f"no sandbox here: {sandbox.lacking()}")

# Every attempt is a line of Python; what became of each is printed by its number.
ATTEMPTS = {
    "create": "open(HOME + '/created', 'w')",
    "overwrite": "open(HOME + '/profile', 'w')",
    "append": "open(HOME + '/profile', 'a').write('x')",
    "truncate": "os.truncate(HOME + '/profile', 0)",
    "remove": "os.unlink(HOME + '/profile')",
    "move out": "os.rename(OWN + '/kept', HOME + '/moved')",
    "move in": "os.rename(HOME + '/profile', OWN + '/moved')",
    "link": "os.link(HOME + '/profile', OWN + '/linked'); open(OWN + '/linked', 'w')",
    "symbolic link": "os.symlink(HOME + '/profile', OWN + '/pointer'); open(OWN + '/pointer', 'w')",
    "folder": "os.mkdir(HOME + '/folder')",
    "pipe": "os.mkfifo(HOME + '/pipe')",
    "by a child": "subprocess.run(['/bin/sh', '-c', 'echo x > ' + HOME + '/child'], check=True, stderr=-3)",
    "workspace": "open('source.ts', 'w')",
    "tcp": "socket.create_connection(('127.0.0.1', PORT), 2)",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "tcp 6": "socket.socket(socket.AF_INET6)",
    "local socket": "socket.socket(socket.AF_UNIX).connect(HOME + '/socket')",
    "netlink": "socket.socket(socket.AF_NETLINK)",
    "io_uring": "libc = ctypes.CDLL(None, use_errno=True); assert libc.syscall(425, 1, bytes(120)) >= 0",
    "new namespace": "libc = ctypes.CDLL(None, use_errno=True); assert libc.unshare(0x10000000) == 0 and "
    "libc.mount(b'none', HOME.encode(), b'tmpfs', 0, None) == 0",
}
ALLOWED = {
    "own folder": "open(OWN + '/written', 'w').write('x'); os.rename(OWN + '/written', OWN + '/renamed')",
    "cache": "open(os.environ['XDG_CACHE_HOME'] + '/written', 'w').write('x')",
    "nothing": "open('/dev/null', 'w').write('x')",
    "reading": "assert open(HOME + '/profile').read()",
    "a pair of sockets": "socket.socketpair()",
    "a child": "subprocess.run(['/bin/true'], check=True)",
}
SCRIPT = """
import ctypes, json, os, socket, subprocess, sys
HOME, PORT, attempts = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
OWN = os.environ["TMPDIR"]
open(OWN + "/kept", "w").close()
failed = {}
for name, attempt in attempts.items():
    try:
        exec(attempt)
    except Exception as error:
        failed[name] = repr(error)
with open(OWN + "/outcome", "w") as file:
    json.dump(failed, file)
"""


@pytest.mark.parametrize("name", [*ATTEMPTS, *ALLOWED])
def test_a_server_reaches_its_own_folders_alone(name: str, tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "work"
    for folder in (home, root):
        folder.mkdir()
    (home / "profile").write_text("of the user")
    with socket.socket() as listening, socket.socket(socket.AF_UNIX) as local:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        local.bind(str(home / "socket"))
        local.listen()
        attempts = {name: {**ATTEMPTS, **ALLOWED}[name]}
        arguments = (str(home), str(listening.getsockname()[1]), json.dumps(attempts))
        failed = asyncio.run(_outcome(root, tmp_path, ("-c", SCRIPT, *arguments)))
    assert list(failed) == ([name] if name in ATTEMPTS else []), failed
    assert sorted(entry.name for entry in home.iterdir()) == ["profile", "socket"]
    assert (home / "profile").read_text() == "of the user"
    assert list(root.iterdir()) == []


def test_a_server_reads_what_it_may_and_what_it_is_made_of(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "work"
    for folder in (home, root):
        folder.mkdir()
        (folder / "file").write_text("x")
    (root / "link").symlink_to(home / "file")
    script = f"""
        import json, os
        def read(path):
            try:
                return open(path).read(1)
            except OSError as error:
                return error.strerror
        own = os.environ["TMPDIR"] + "/outcome"
        found = [read(path) for path in ("file", "link", {str(home / "file")!r}, "/proc/1/environ", "/etc/hostname")]
        open(own, "w").write(json.dumps(dict(enumerate(found))))
        """
    failed = asyncio.run(_outcome(root, tmp_path, ("-c", textwrap.dedent(script)), [str(root)]))
    assert list(failed.values()) == ["x", *["Permission denied"] * 4]


async def _outcome(
    root: Path, folder: Path, arguments: tuple[str, ...], readable: list[str] | None = None
) -> dict[str, str]:
    reading = None if readable is None else lambda: readable
    place = Place(root, folder / "log", dict(os.environ), folder / "cache", confined=True, readable=reading)
    started = await place.start("server", (sys.executable, *arguments), None, {}, caching=True)
    try:
        assert await started.process.wait() == 0, (folder / "log").read_text()
        found: dict[str, str] = json.loads(Path(started.scratch, "outcome").read_text())
        return found
    finally:
        started.kill()


def test_a_program_that_is_not_there_is_an_error_of_its_own(tmp_path: Path) -> None:
    async def run() -> int:
        place = Place(tmp_path, tmp_path / "log", dict(os.environ), tmp_path / "cache", confined=True)
        started = await place.start("server", ("/nonexistent/server",), None, {})
        return await started.process.wait()

    assert asyncio.run(run()) != 0
    assert "/nonexistent/server could not be started in its sandbox" in (tmp_path / "log").read_text()


@pytest.mark.server
@pytest.mark.parametrize("server", ["typescript", "native"])
def test_the_servers_of_typescript_run_in_it(server: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "work", Settings(server=server, bindings="off"))
    try:
        desk.write({"tsconfig.json": "{}", "a.ts": "export const a = 1;\n", "b.ts": 'import { a } from "./a";\na;\n'})
        assert places(desk.find("a").references or []) == ["b.ts:1", "b.ts:2"]
        process = psutil.Process(desk.server_pid)
        for one in (process, *process.children(recursive=True)):
            status = Path(f"/proc/{one.pid}/status").read_text()
            assert "NoNewPrivs:\t1" in status, one.cmdline()
            assert "Seccomp:\t2" in status, one.cmdline()
    finally:
        assert desk.close() == []


def test_the_filter_refuses_the_calls_of_another_architecture() -> None:
    """By the numbers of another architecture, or of x32, other calls would be meant."""
    program = sandbox._filter(0xC000003E, 41)
    assert [_judged(program, *call) for call in ((0xC000003E, 0), (0xC000003E, 41), (0xC000003E, 425))] == [
        "allowed", 1, 38,
    ]  # fmt: skip
    assert [_judged(program, *call) for call in ((0x40000003, 0), (0xC000003E, 0x40000029))] == [1, 1]
    arm = sandbox._filter(0xC00000B7, 198)
    assert [_judged(arm, 0xC00000B7, number) for number in (41, 198, 425)] == ["allowed", 1, 38]


def _judged(program: bytes, architecture: int, number: int) -> str | int:
    """What a BPF machine makes of that call: "allowed", or the number of the error."""
    data = struct.pack("II", number, architecture)
    lines = list(struct.iter_unpack("HBBI", program))
    place = value = 0
    while True:
        code, then, otherwise, operand = lines[place]
        place += 1
        if code == 0x20:
            (value,) = struct.unpack_from("I", data, operand)
        elif code == 0x06:
            return "allowed" if operand == 0x7FFF0000 else operand & 0xFFFF
        else:
            place += then if (value == operand if code == 0x15 else value >= operand) else otherwise


def test_status_says_whether_servers_are_confined(tmp_path: Path) -> None:
    from cn_daemon.interfaces.status import _sandbox

    assert _sandbox(Settings()) == "on"
    assert _sandbox(Settings(sandbox=False)).startswith("off: ")
    assert _sandbox(Settings(server_command=("server",))).startswith("off: ")


def test_a_workspace_cannot_take_the_sandbox_away(tmp_path: Path) -> None:
    from cn_daemon.settings import load

    (tmp_path / ".cn.json").write_text(textwrap.dedent('{"sandbox": false}'))
    settings = load(tmp_path, {}, tmp_path / "none")
    assert settings.sandbox
    assert any("sandbox" in warning for warning in settings.warnings)
