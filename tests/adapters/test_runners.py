"""Real programs, run to their end or to their deadline."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.application.libraries.execution_errors import ProgramError, ProgramTimeoutError
from cn_daemon.application.libraries.program_ports import Ran
from cn_shared import process
from cn_shared.errors import ForbiddenError, NotFoundError
from tests.processes import gone

PYTHON = os.path.realpath(sys.executable)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "src").mkdir(parents=True)
    (tmp_path / "library").mkdir()
    return (tmp_path / "root").resolve()


@pytest.fixture
def runner(root: Path) -> ProgramRunner:
    folders = ReadableFolders(root, lambda: [root.parent / "library"])
    return ProgramRunner(root, folders, lambda: dict(os.environ, LANG="C.UTF-8"), lambda: 1 << 20)


def run(runner: ProgramRunner, program: str, *words: str, stdin: bytes = b"", seconds: float = 20) -> Ran:
    argv = [PYTHON, "-c", program, *words]
    folder = runner.folder(None)
    return asyncio.run(runner.run(argv, folder=folder, stdin=stdin, deadline=time.monotonic() + seconds))


def test_output_is_taken_byte_for_byte(runner: ProgramRunner, root: Path) -> None:
    program = "import os,sys; os.write(1, b'\\xff\\r\\n' + os.getcwd().encode()); sys.stderr.write('said'); sys.exit(3)"
    assert run(runner, program) == Ran(3, b"\xff\r\n" + os.fsencode(root), "said")


def test_arguments_are_no_shells(runner: ProgramRunner) -> None:
    hostile = ["$(touch x)", "`id`", "a b", ";", "|", ">", "*", "~", "", "-rf", "\n", "'\""]
    ran = run(runner, "import sys; sys.stdout.write(repr(sys.argv[1:]))", *hostile)
    assert ran.stdout.decode() == repr(hostile)


def test_standard_input_is_passed_through(runner: ProgramRunner) -> None:
    data = "ünï\n".encode() * 100_000
    ran = run(
        runner, "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d[:6]); print(len(d))", stdin=data
    )
    assert ran.stdout == data[:6] + f"{len(data)}\n".encode()


def test_a_program_need_not_read_its_input(runner: ProgramRunner) -> None:
    assert run(runner, "print('done')", stdin=b"x" * 5_000_000).stdout == b"done\n"


def test_the_deadline_ends_the_whole_group(runner: ProgramRunner) -> None:
    program = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "sys.stderr.write(f'{child.pid}'); sys.stderr.flush(); time.sleep(60)"
    )
    began = time.monotonic()
    with pytest.raises(ProgramTimeoutError) as late:
        run(runner, program, seconds=1.5)
    assert time.monotonic() - began < 4
    until(lambda: gone(int(late.value.stderr)))


def test_a_caller_who_hangs_up_ends_it(runner: ProgramRunner, root: Path) -> None:
    program = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)"

    async def cancelled() -> None:
        argv = [PYTHON, "-c", program]
        task = asyncio.create_task(runner.run(argv, folder=root, stdin=b"", deadline=time.monotonic() + 60))
        await asyncio.to_thread(until, lambda: (root / "pid").exists() and (root / "pid").read_text() != "")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    until(lambda: gone(int((root / "pid").read_text())))


def test_a_grandchild_that_keeps_the_pipe_is_not_waited_for(runner: ProgramRunner) -> None:
    program = "import subprocess, sys; subprocess.Popen(['sleep', '60']); print('done')"
    began = time.monotonic()
    assert run(runner, program).stdout == b"done\n"
    assert time.monotonic() - began < 5


def test_the_pipes_of_one_that_exits_at_once_stayed_open(runner: ProgramRunner, root: Path) -> None:
    """Where its end was known before it was waited for, and a grandchild has them."""
    program = "import subprocess; subprocess.Popen(['sleep', '5']); print('done')"

    async def slowly() -> None:
        argv = [PYTHON, "-c", program]
        task = asyncio.create_task(runner.run(argv, folder=root, stdin=b"", deadline=time.monotonic() + 10))
        for _ in range(12):
            await asyncio.sleep(0)
            time.sleep(0.1)  # noqa: ASYNC251
        await task

    open_before = len(os.listdir("/proc/self/fd"))
    asyncio.run(slowly())
    assert len(os.listdir("/proc/self/fd")) == open_before


def test_a_grandchild_that_went_its_own_way_is_not_waited_for(runner: ProgramRunner) -> None:
    program = (
        "import subprocess; p = subprocess.Popen(['sleep', '5'], start_new_session=True); print(p.pid, flush=True); "
        "import time; time.sleep(60)"
    )
    began = time.monotonic()
    with pytest.raises(ProgramTimeoutError):
        run(runner, program, seconds=0.5)
    assert time.monotonic() - began < 4


def test_the_deadline_ends_what_left_the_group(runner: ProgramRunner, root: Path) -> None:
    """A grandchild in a session of its own lived on."""
    program = (
        "import subprocess, time; p = subprocess.Popen(['sleep', '60'], start_new_session=True); "
        f"open({str(root / 'pid')!r}, 'w').write(str(p.pid)); print('x', flush=True); time.sleep(60)"
    )
    with pytest.raises(ProgramTimeoutError):
        run(runner, program, seconds=1.5)
    pid = int((root / "pid").read_text())
    assert process.wait_until_gone(pid, process.start_of(pid) or "", 5)


# What leaves its group, its session, its parents, its environment, and is in no pipe of ours.
LEAVING = """
import os, subprocess, sys, time
how, ending = sys.argv[1:]
code = "import os, time; print(os.getpid(), file=open('pids', 'a')); time.sleep(60)"
nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
if how == "a session":
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True, **nothing)
elif how == "a bare environment":
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True, env={}, **nothing)
elif how == "two forks" and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir(os.getcwd())
        for descriptor in range(3):
            os.close(descriptor)
        os.execv(sys.executable, [sys.executable, "-c", code])
    os._exit(0)
elif how == "a shell's background":
    subprocess.run(["sh", "-c", f'setsid "{sys.executable}" -c "{code}" >/dev/null 2>&1 </dev/null &'], check=True)
elif how == "a tree":
    inner = f"import subprocess, sys; [subprocess.Popen([sys.executable, '-c', {code!r}]) for _ in range(3)]"
    for _ in range(3):
        subprocess.Popen([sys.executable, "-c", inner], start_new_session=True, **nothing)
wanted = 9 if how == "a tree" else 1
while not os.path.exists("pids") or len(open("pids").readlines()) < wanted:
    time.sleep(0.01)
print("begun", flush=True)
if ending == "deadline":
    time.sleep(60)
elif ending == "killed":
    os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
@pytest.mark.skipif(not process.LINUX, reason="the supervisor is Linux's")
@pytest.mark.parametrize("ending", ["exit", "deadline", "killed", "hung up"])
@pytest.mark.parametrize("how", ["a session", "a bare environment", "two forks", "a shell's background", "a tree"])
def test_nothing_that_it_started_outlives_it(runner: ProgramRunner, root: Path, how: str, ending: str) -> None:
    argv = [PYTHON, "-c", LEAVING, how, "deadline" if ending == "hung up" else ending]

    async def play() -> None:
        seconds = 4 if ending == "deadline" else 60
        task = asyncio.create_task(runner.run(argv, folder=root, stdin=b"", deadline=time.monotonic() + seconds))
        if ending == "hung up":
            wanted = 9 if how == "a tree" else 1
            await asyncio.to_thread(until, lambda: (root / "pids").exists() and written(root) >= wanted)
            task.cancel()
        try:
            ran = await task
        except (ProgramTimeoutError, asyncio.CancelledError):
            assert ending in ("deadline", "hung up")
        else:
            assert (ran.exit_code, ran.stdout) == (-9 if ending == "killed" else 0, b"begun\n")

    asyncio.run(play())
    pids = [int(line) for line in (root / "pids").read_text().split()]
    assert len(pids) == (9 if how == "a tree" else 1)
    assert [pid for pid in pids if not gone(pid)] == []


def written(root: Path) -> int:
    return (root / "pids").read_text().count("\n")


@pytest.mark.skipif(not process.LINUX, reason="the supervisor is Linux's")
def test_the_supervisor_changes_nothing_that_a_program_sees(runner: ProgramRunner, root: Path) -> None:
    program = (
        "import os, signal, sys; print(os.getsid(0) == os.getpid(), signal.pthread_sigmask(0, []), "
        "signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, os.listdir('/proc/self/fd'), "
        "'LC_CTYPE' in os.environ, os.environ['LANG'])"
    )
    argv = [PYTHON, "-I", "-c", program]
    ran = asyncio.run(runner.run(argv, folder=root, stdin=b"", deadline=time.monotonic() + 20))
    # Python sets it for itself and its children where no locale is chosen.
    coerced = "LC_CTYPE" in os.environ
    assert ran.stdout.decode() == f"True set() True ['0', '1', '2', '3'] {coerced} C.UTF-8\n"


@pytest.mark.parametrize("code", ["sys.exit(7)", "os.kill(os.getpid(), 6)", "os.kill(os.getpid(), 9)"])
def test_it_ends_as_the_program_did(runner: ProgramRunner, code: str) -> None:
    assert run(runner, f"import os, sys; {code}").exit_code in (7, -6, -9)


@pytest.mark.skipif(not process.LINUX, reason="the supervisor is Linux's")
def test_a_daemon_that_is_killed_takes_them_along(tmp_path: Path, root: Path) -> None:
    daemon = (
        "import asyncio, sys, time; from pathlib import Path\n"
        "from cn_daemon.adapters.runners.programs import ProgramRunner; import os\n"
        "runner = ProgramRunner(Path.cwd(), None, lambda: dict(os.environ), lambda: 1000)\n"
        "run = runner.run(sys.argv[1:], folder=Path.cwd(), stdin=b'', deadline=time.monotonic() + 60)\n"
        "asyncio.run(run)"
    )
    argv = [sys.executable, "-c", daemon, PYTHON, "-c", LEAVING, "two forks", "deadline"]
    with subprocess.Popen(argv, cwd=root, stderr=subprocess.PIPE) as killed:
        until(lambda: (root / "pids").exists() and written(root) >= 1)
        killed.kill()
    pid = int((root / "pids").read_text())
    until(lambda: gone(pid))


def test_output_is_bounded(runner: ProgramRunner) -> None:
    with pytest.raises(ProgramError) as flood:
        run(runner, "while True: print('x' * 1000)")
    assert flood.value.code == "too_much_output"


def test_much_on_standard_error_blocks_nothing(runner: ProgramRunner) -> None:
    ran = run(runner, "import sys; sys.stderr.write('x' * 3_000_000 + 'end'); print('ok')")
    assert ran.stdout == b"ok\n"
    assert ran.stderr.endswith("end")
    assert len(ran.stderr) <= 65536


def test_what_cannot_be_started(runner: ProgramRunner, root: Path) -> None:
    for argv in (["/nowhere/program"], [str(root)], [PYTHON, "a\0b"]):
        with pytest.raises(ProgramError):
            asyncio.run(runner.run(argv, folder=root, stdin=b"", deadline=time.monotonic() + 5))


def test_a_program_of_the_workspace_is_not_chosen(tmp_path: Path, root: Path) -> None:
    for folder in (root / "bin", tmp_path / "bin"):
        folder.mkdir()
        (folder / "deno").write_text("#!/bin/sh\n")
        (folder / "deno").chmod(0o755)
    path = f"{root / 'bin'}:bin:.:{tmp_path / 'bin'}"
    runner = ProgramRunner(root, ReadableFolders(root, list), lambda: {"PATH": path}, lambda: 1)
    assert runner.program("deno") == tmp_path / "bin" / "deno"
    assert runner.program("nothing") is None
    assert runner.program(str(tmp_path / "bin" / "deno")) == tmp_path / "bin" / "deno"
    assert runner.program("bin/deno") == root / "bin" / "deno"


def test_a_command_runs_inside_the_readable_roots(runner: ProgramRunner, root: Path) -> None:
    assert runner.folder(None) == root
    assert runner.folder(root / "src") == root / "src"
    assert runner.folder(root.parent / "library") == (root.parent / "library")
    (root / "out").symlink_to("/etc")
    for folder in (root.parent, Path("/etc"), root / "out", root / "src" / ".." / ".."):
        with pytest.raises(ForbiddenError):
            runner.folder(folder)
    with pytest.raises(NotFoundError):
        runner.folder(root / "none")


def test_input_files_lie_inside_the_readable_roots(runner: ProgramRunner, root: Path) -> None:
    (root / "passwd").symlink_to("/etc/passwd")
    runner.readable("a.md", root / "src")
    runner.readable(str(root.parent / "library" / "x.md"), root)
    for path in ("../../x", "/etc/passwd", "../passwd", "~/x/../../../../etc/passwd"):
        with pytest.raises(ForbiddenError):
            runner.readable(path, root / "src")


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
