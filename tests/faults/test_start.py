"""Starting: one daemon, however it is asked for; and clear words when it cannot start."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared import process, state
from tests.faults.workbench import Workbench, error_of


@pytest.mark.server
def test_fifty_first_questions_at_once_start_one_daemon(bench: Workbench, toolchain: Toolchain) -> None:
    (bench.root / "tsconfig.json").write_text('{"compilerOptions": {"types": []}}')
    (bench.root / "user.ts").write_text("export class User {}\n")
    (bench.root / "use.ts").write_text('import { User } from "./user";\nnew User();\n')
    calls = [bench.spawn("find", "User") for _ in range(50)]
    answers = [call.communicate(timeout=120) for call in calls]
    daemon = bench.state()
    assert [call.returncode for call in calls] == [0] * 50, answers
    (told,) = {out for out, _ in answers}
    answer = json.loads(told)
    assert (answer["completeness"]["status"], answer["definition"]["filePath"]) == ("complete", "user.ts")
    assert [(row["filePath"], row["line"]) for row in answer["references"]] == [("use.ts", 1), ("use.ts", 2)]
    assert Path(str(daemon.document["log"])).read_text().count(": serving ") == 1


def test_state_file_is_private_whole_and_hidden_from_git(bench: Workbench) -> None:
    subprocess.run(["git", "init", "-q"], cwd=bench.root, check=True)
    found = bench.start()
    facts = bench.state_file.stat()
    assert stat.S_IMODE(facts.st_mode) == 0o600
    assert json.loads(bench.state_file.read_text()) == found.document
    assert found.root == str(bench.root)
    listing = subprocess.run(["git", "status", "--short"], cwd=bench.root, capture_output=True, text=True, check=True)
    assert listing.stdout == "?? .cn.json\n"


def test_daemon_is_detached_from_the_call_that_started_it(bench: Workbench) -> None:
    pid = bench.start().pid
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    assert int(fields[3]) == pid  # its own session
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    assert Path(f"/proc/{pid}/fd/0").readlink() == Path("/dev/null")


def test_no_file_of_the_start_stays_open_in_the_daemon(bench: Workbench) -> None:
    pid = bench.start().pid
    opened = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    # A daemon that installs its language server holds a lock in the cache; the start's lies in the runtime folder.
    assert not [name for name in opened if name.endswith(".lock") and "/toolchains/" not in name]


def test_status_starts_nothing(bench: Workbench) -> None:
    done = bench.cn("status")
    assert (done.returncode, done.stdout) == (4, "")
    assert error_of(done)["code"] == "no_daemon"
    assert not bench.state_file.exists()


def test_another_version_is_replaced_gracefully(bench: Workbench) -> None:
    old = bench.start()
    bench.rewrite(version="0.0.1")
    new = bench.start()
    assert new.pid != old.pid
    assert bench.alive() == [new.pid]
    assert "stopping: asked to" in Path(str(old.document["log"])).read_text()


def test_status_shows_a_daemon_of_another_version(bench: Workbench) -> None:
    old = bench.start()
    bench.rewrite(version="0.0.1")
    assert bench.status()["pid"] == old.pid


def test_bad_setting_is_told_by_the_call_that_starts(bench: Workbench) -> None:
    bench.environment["CN_IDLE_TIMEOUT_S"] = "soon"
    done = bench.cn("start")
    assert done.returncode == 2
    assert error_of(done)["code"] == "bad_settings"
    assert not bench.state_file.exists()


def test_bad_setting_is_told_by_a_warm_call(bench: Workbench) -> None:
    before = bench.start()
    bench.environment["CN_IDLE_TIMEOUT_S"] = "soon"
    done = bench.cn("find", "User")
    assert done.returncode == 2
    assert error_of(done)["code"] == "bad_settings"
    assert bench.status()["pid"] == before.pid


def test_a_daemon_that_dies_at_once_shows_its_log(bench: Workbench, tmp_path: Path) -> None:
    bench.patch(tmp_path / "broken", "import os\nos.write(2, b'no such luck\\n')\nos._exit(9)\n", "uvicorn")
    done = bench.cn("start")
    assert done.returncode == 4
    error = error_of(done)
    assert error["code"] == "start_failed"
    assert error["log"][-1] == "no such luck"


@pytest.mark.parametrize(("deaths", "code"), [(1, 0), (2, 4)])
def test_a_daemon_that_is_killed_while_it_starts_is_started_once_more(
    bench: Workbench, tmp_path: Path, deaths: int, code: int
) -> None:
    bench.patch(
        tmp_path / "deadly",
        f"""
import os, signal, sys
with open({str(tmp_path / "deaths")!r}, "a+") as file:
    file.seek(0)
    if len(file.read()) < {deaths}:
        file.write("x")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)
""",
        "uvicorn",
    )
    done = bench.cn("start")
    assert done.returncode == code, done
    assert code == 0 or error_of(done)["code"] == "start_failed"
    assert (tmp_path / "deaths").read_text() == "x" * deaths


def test_a_start_that_hangs_ends_at_the_deadline_and_is_not_repeated(bench: Workbench, tmp_path: Path) -> None:
    code = f"import os, signal\nopen({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}}\\n')\nsignal.pause()\n"
    bench.patch(tmp_path / "hanging", code, "uvicorn")
    try:
        for code in ("start_deadline", "start_deadline"):
            done = bench.cn("start", "--deadline", "1.5")
            assert done.returncode == 7
            assert error_of(done)["code"] == code
        # The second call waited for the lock that the first one's daemon holds.
        assert len((tmp_path / "pids").read_text().split()) == 1
    finally:
        pid = int((tmp_path / "pids").read_text().split()[0])
        start = process.start_of(pid)
        assert start
        process.end_group(pid, start, 0.0)


def test_an_interrupted_first_call_still_leaves_one_daemon(bench: Workbench) -> None:
    # Unmeasured: an interrupt in the middle of coverage's own code leaves its lock taken, and the process hangs.
    unmeasured = {name: value for name, value in bench.environment.items() if name != "COVERAGE_PROCESS_CONFIG"}
    first = bench.spawn("start", start_new_session=True, env=unmeasured)
    lock = Path(bench.environment["XDG_RUNTIME_DIR"]) / "cn" / (state.root_key(str(bench.root)) + ".lock")
    while not lock.exists():
        assert first.poll() is None
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)
    found = bench.start()
    assert bench.alive() == [found.pid]


@pytest.mark.parametrize("root", ["/sys/kernel", "/proc"])
def test_a_root_that_cannot_be_written_to(bench: Workbench, root: str) -> None:
    if not Path(root).is_dir():
        pytest.skip(f"no {root}")
    first = json.loads(bench.cn("start", "--root", root).stdout)
    spare = Path(first["stateFile"])
    found = state.read(str(spare))
    assert found
    bench.seen[found.pid, found.process_start] = None
    assert spare.is_relative_to(bench.environment["XDG_CACHE_HOME"])
    assert json.loads(bench.cn("status", "--root", root).stdout)["pid"] == first["pid"]
    assert bench.cn("stop", "--root", root).returncode == 0
    assert not spare.exists()


def test_a_root_that_is_no_folder(bench: Workbench) -> None:
    done = bench.cn("find", "User", "--root", str(bench.root / "gone"))
    assert done.returncode == 2
    assert error_of(done)["code"] == "bad_root"
