"""A root that is moved under its daemon, an upgrade under one, clocks that jump, and a daemon that is dying."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cn_client
import cn_daemon
import cn_shared
from cn_shared import process
from tests.faults.workbench import Workbench, error_of

PACKAGES = (cn_client, cn_daemon, cn_shared)


def test_a_moved_root_takes_its_files_along_but_not_its_daemon(library: Workbench) -> None:
    old = library.start()
    library.root = library.root.rename(library.root.with_name("moved"))
    assert library.commands() == ["deploy"]
    new = library.state()
    assert (new.root, new.pid != old.pid) == (str(library.root), True)
    assert process.wait_until_gone(old.pid, old.process_start, 20)
    # It did not take its successor's file with it.
    assert library.status()["pid"] == new.pid


def test_an_upgrade_under_a_running_daemon(library: Workbench, tmp_path: Path) -> None:
    """Each version gets answers from a daemon of its own, of which there is one at a time."""
    older = tmp_path / "older"
    for package in PACKAGES:
        shutil.copytree(Path(str(package.__file__)).parent, older / package.__name__)
    version = older / "cn_shared" / "__init__.py"
    version.write_text(version.read_text().replace(cn_shared.__version__, "0.0.9"))
    environment = {**library.environment, "PYTHONPATH": str(older)}
    assert library.commands(env=environment) == ["deploy"]
    old = library.state()
    assert old.version == "0.0.9"
    calls = [library.spawn("commands", "--json") for _ in range(5)]
    for call in calls:
        out, err = call.communicate(timeout=60)
        assert (call.returncode, err) == (0, "")
        assert [row["name"] for row in json.loads(out)["commands"]] == ["deploy"]
    new = library.state()
    assert new.version == cn_shared.__version__
    assert library.alive() == [new.pid]
    assert "stopping: asked to" in Path(str(old.document["log"])).read_text()
    assert library.commands(env=environment) == ["deploy"]
    assert library.state().version == "0.0.9"
    assert process.wait_until_gone(new.pid, new.process_start, 0)


# What the daemon takes for the time of day, once a file says how far to jump.
_CLOCK = """
import sys
if "cn_daemon" in sys.orig_argv:
    import os, time
    def jumped(read, per_s):
        def now():
            try:
                return read() + int(open(os.environ["CLOCK"]).read()) * per_s
            except FileNotFoundError:
                return read()
        return now
    time.time, time.time_ns = jumped(time.time, 1), jumped(time.time_ns, 10**9)
"""


@pytest.mark.parametrize("years", [-30, 30])
def test_the_clock_jumps(library: Workbench, tmp_path: Path, years: int) -> None:
    """Of the daemon, by a patch of what it reads; and of the files, whose times are of before or long after."""
    library.patch(tmp_path / "patch", _CLOCK)
    library.environment["CLOCK"] = str(tmp_path / "clock")
    library.environment["CN_IDLE_TIMEOUT_S"] = "600"
    daemon = library.start()
    assert library.commands() == ["deploy"]
    (tmp_path / "clock").write_text(str(years * 365 * 86400))
    facts = library.command_file.stat()
    other = library.command_file.with_name("another.md")
    for text in ("Ship it!\n", "Deploy.\n", "Shipped.\n"):
        library.command_file.write_text(text)
        other.write_text(text)
        jumped_ns = facts.st_mtime_ns + years * 365 * 86400 * 10**9
        os.utime(library.command_file, ns=(jumped_ns, jumped_ns))
        os.utime(other, ns=(facts.st_mtime_ns, facts.st_mtime_ns))
        for name in ("md:deploy", "md:another"):
            assert json.loads(library.cn("get", name, "--json").stdout)["content"] == text
    assert library.commands() == ["another", "deploy"]
    # Neither idle for thirty years nor of another age than its state file says.
    assert library.status()["pid"] == daemon.pid


def test_clocks_since_boot_of_another_time_namespace(library: Workbench) -> None:
    """A machine that has been up for ten years."""
    unshare = ["unshare", "--time", "--monotonic", "315360000", "--boottime", "315360000", "--fork", "--"]
    if os.geteuid() != 0 or subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("no time namespaces here")
    command = library.command
    library.command = lambda *arguments: [*unshare, *command(*arguments)]  # type: ignore[method-assign]
    first = library.commands()
    daemon = json.loads(library.cn("status", "--json").stdout)["pid"]
    assert first == library.commands() == ["deploy"]
    assert json.loads(library.cn("status", "--json").stdout)["pid"] == daemon
    assert library.cn("stop").returncode == 0


# It publishes itself, and closes each connection as a killed process does while the kernel clears it away.
_DYING = """
import json, os, socket, sys, time
from cn_shared import process, state
root, version = sys.argv[1:]
listener = socket.create_server(("127.0.0.1", 0))
state.publish(state.State({
    "schema": state.SCHEMA, "version": version, "pid": os.getpid(), "processStart": process.start_of(os.getpid()),
    "host": "127.0.0.1", "port": listener.getsockname()[1], "token": "0" * 64, "root": root,
    "startedAt": "2026-01-01T00:00:00+00:00", "log": "", "environment": "",
}))
print("ready", flush=True)
for _ in range(2):
    listener.accept()[0].close()
listener.close()
time.sleep(0.5)
"""


def test_a_daemon_that_is_dying_is_not_asked_in_vain(library: Workbench) -> None:
    command = [sys.executable, "-c", _DYING, str(library.root), cn_shared.__version__]
    with subprocess.Popen(command, env=library.environment, stdout=subprocess.PIPE) as dying:
        assert dying.stdout is not None
        assert dying.stdout.readline() == b"ready\n"
        assert library.commands() == ["deploy"]
        assert library.state().pid != dying.pid


def test_a_suspended_daemon_answers_again_when_it_goes_on(library: Workbench) -> None:
    import signal

    daemon = library.start()
    os.kill(daemon.pid, signal.SIGSTOP)
    done = library.cn("commands", "--deadline", "0.5")
    assert (done.returncode, error_of(done)["code"]) == (7, "no_answer")
    os.kill(daemon.pid, signal.SIGCONT)
    assert library.commands() == ["deploy"]
    assert library.status()["pid"] == daemon.pid
