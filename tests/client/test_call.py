"""One call against a daemon of the test's own: what is sent, what is copied, how the process ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

from cn_client import call, launcher
from cn_shared import environment
from cn_shared.errors import NoDaemonError
from cn_shared.state import State, live
from tests.client.conftest import FakeDaemon, Run, refusal, reply


def head_of(request: bytes) -> tuple[str, dict[str, str], bytes]:
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return first, dict(line.split(": ", 1) for line in lines), body


def test_a_warm_call_is_one_request_and_its_bytes(cn: Run, daemon: FakeDaemon, workspace: Path) -> None:
    daemon.replies = [reply('{"definition":null,"é":1}\n'.encode(), exit=3)]
    assert cn("find", "User", "--limit", "7", "--deadline", "9") == (3, '{"definition":null,"é":1}\n'.encode(), b"")
    (request,) = daemon.requests
    first, headers, body = head_of(request)
    assert first == "POST /find HTTP/1.1"
    assert json.loads(body) == {"query": "User", "limit": 7}
    assert headers["Host"] == f"127.0.0.1:{daemon.port}"
    assert headers["Authorization"] == "Bearer " + "ab" * 32
    assert headers["Accept"] == "application/json"
    assert headers["Cn-Environment"] == environment.fingerprint(environment.values())
    assert 8 < float(headers["Cn-Deadline"]) <= 9
    assert urllib.parse.unquote(headers["Cn-Cwd"]) == str(workspace)


def test_the_callers_folder_is_percent_encoded(
    cn: Run, daemon: FakeDaemon, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace / "ä b%"
    folder.mkdir()
    monkeypatch.chdir(folder)
    cn("map", "x.ts")
    assert head_of(daemon.requests[0])[1]["Cn-Cwd"].endswith("/%C3%A4%20b%25")


@pytest.mark.parametrize("text", ['"', "\\", "\n", "\x00", "ü", "\U0001f600", "\udcff", "</script>"])
def test_strings_are_written_as_json_writes_them(text: str) -> None:
    assert json.loads(call.document({"query": text, "limit": 3})) == {"query": text, "limit": 3}


def test_a_refusal_goes_to_stderr(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [refusal("file_not_found")]
    code, out, err = cn("map", "gone.ts")
    assert (code, out) == (2, b"")
    assert json.loads(err)["error"]["code"] == "file_not_found"


def test_a_refusal_as_text(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [refusal("file_not_found")]
    assert cn("map", "gone.ts", "--text") == (2, b"", b"error: No. [file_not_found]\nhint: Try another.\n")


def test_text_is_asked_of_the_daemon(cn: Run, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    cn("map", "x.ts", "--text")
    monkeypatch.setenv("CN_FORMAT", "text")
    cn("map", "x.ts")
    cn("map", "x.ts", "--json")
    accepts = [head_of(request)[1]["Accept"] for request in daemon.requests]
    assert accepts == ["text/plain; color=0; errors=json"] * 2 + ["application/json"]


def test_a_bad_cn_format_is_told(cn: Run, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CN_FORMAT", "yaml")
    code, _, err = cn("map", "x.ts")
    assert code == 2
    assert json.loads(err)["error"]["code"] == "bad_format"


def test_another_environment_is_told_once_then_asked_again(
    cn: Run, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CN_NODE", "/opt/node")
    monkeypatch.setenv("CN_ROOT", str(daemon.root))
    daemon.replies = [refusal("environment_changed", status=412), reply(b"{}"), reply(b"answer\n")]
    assert cn("map", "x.ts") == (0, b"answer\n", b"")
    firsts = [head_of(request)[0] for request in daemon.requests]
    assert firsts == ["POST /map HTTP/1.1", "POST /environment HTTP/1.1", "POST /map HTTP/1.1"]
    told = json.loads(head_of(daemon.requests[1])[2])["values"]
    assert told["CN_NODE"] == "/opt/node"
    assert told["PATH"] == os.environ["PATH"]
    assert "CN_ROOT" not in told


def test_an_environment_that_is_refused_is_told_as_such(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [refusal("environment_changed", status=412), refusal("bad_settings", status=400)]
    code, _, err = cn("map", "x.ts")
    assert code == 2
    assert json.loads(err)["error"]["code"] == "bad_settings"


@pytest.mark.parametrize(
    "torn", [b"", b"HTTP/1.1 200 OK\r\nContent-Le", reply(b"whole")[:-1], b"SSH-2.0-OpenSSH\r\n\r\n"]
)
def test_a_read_whose_daemon_dies_under_it_is_asked_once_more(cn: Run, daemon: FakeDaemon, torn: bytes) -> None:
    daemon.replies = [torn, reply(b"answer\n")]
    assert cn("map", "x.ts") == (0, b"answer\n", b"")


def test_it_is_not_asked_for_ever(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [b""]
    code, out, err = cn("map", "x.ts")
    assert (code, out) == (4, b"")
    assert json.loads(err)["error"]["code"] == "connection_lost"
    assert len(daemon.requests) == 3


def test_a_daemon_that_is_gone_is_started_anew(cn: Run, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon.publish(processStart="another:1")
    started: list[str] = []

    def ensure(root: str, end: float, coming: str) -> State:
        started.append(root)
        return daemon.publish()

    monkeypatch.setattr(launcher, "ensure", ensure)
    assert cn("map", "x.ts")[0] == 1
    assert started == [str(daemon.root)]


def test_a_reply_that_is_no_daemons_is_a_defect(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"]
    code, out, err = cn("map", "x.ts")
    assert (code, out) == (5, b"")
    assert json.loads(err)["error"]["code"] == "bad_reply"


def test_status_of_a_daemon_that_went_away(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [b""]
    code, _, err = cn("status")
    assert code == 4
    assert json.loads(err)["error"]["code"] == "connection_lost"


def test_a_deadline_that_passes(cn: Run, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cn_client.connection.SLACK_S", 0.0)
    daemon.close()
    # A socket that listens and accepts nothing: the connection stands, and nobody reads.
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        daemon.publish(port=silent.getsockname()[1])
        code, _, err = cn("map", "x.ts", "--deadline", "0.2")
    assert code == 7
    assert json.loads(err)["error"]["code"] == "no_answer"


def test_the_root_comes_from_option_environment_or_folder(
    cn: Run, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    deep = daemon.root / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert cn("map", "x.ts")[0] == 1
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert cn("map", "x.ts", "--root", str(daemon.root))[0] == 1
    monkeypatch.setenv("CN_ROOT", str(daemon.root))
    assert cn("map", "x.ts")[0] == 1
    link = daemon.root / "link"
    link.symlink_to(daemon.root)
    assert cn("map", "x.ts", "--root", str(link))[0] == 1


def test_an_empty_root_is_not_the_folder_one_stands_in(cn: Run, workspace: Path) -> None:
    code, _, err = cn("map", "x.ts", "--root", "")  # an unset variable of a script's
    assert (code, json.loads(err)["error"]["message"]) == (2, "The root '' is not a folder.")


def test_a_folder_that_was_removed_under_the_caller(cn: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = workspace / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    code, _, err = cn("map", "x.ts")
    assert code == 2
    assert json.loads(err)["error"]["code"] == "bad_root"


def test_no_daemon_and_nothing_to_start(cn: Run, workspace: Path) -> None:
    assert live(str(workspace)) is None
    code, out, err = cn("status", "--text")
    assert (code, out) == (4, b"")
    assert b"[no_daemon]" in err


def test_a_reader_that_went_away_is_no_error(daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b"x" * 4_000_000)]
    with subprocess.Popen(
        [sys.executable, "-m", "cn_client", "map", "x.ts"],
        cwd=daemon.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(30) == 0


def test_a_slow_reader_with_a_non_blocking_pipe_gets_all(daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b"x" * 1_000_000)]
    near, far = os.pipe()
    os.set_blocking(far, False)
    with subprocess.Popen([sys.executable, "-m", "cn_client", "map", "x.ts"], cwd=daemon.root, stdout=far) as child:
        os.close(far)
        with open(near, "rb") as pipe:
            assert len(pipe.read()) == 1_000_000
        assert child.wait(30) == 0


def test_ctrl_c_ends_quietly(workspace: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        fake = FakeDaemon(workspace)
        fake.publish(port=silent.getsockname()[1])
        with subprocess.Popen(
            [sys.executable, "-m", "cn_client", "map", "x.ts"], cwd=workspace, stderr=subprocess.PIPE
        ) as child:
            connection, _ = silent.accept()
            with connection:
                child.send_signal(signal.SIGINT)
                _, err = child.communicate(timeout=30)
        fake.close()
    assert (child.returncode, err) == (130, b"")


def test_an_error_of_the_client_is_told_in_the_one_shape(
    cn: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ensure(root: str, end: float, coming: str) -> State:
        raise NoDaemonError("start_failed", "It did not.", "See the log.", log=["line \x1b[2J"])

    monkeypatch.setattr(launcher, "ensure", ensure)
    code, _, err = cn("map", "x.ts")
    assert code == 4
    assert json.loads(err) == {
        "error": {"code": "start_failed", "message": "It did not.", "hint": "See the log.", "log": ["line \x1b[2J"]}
    }
    assert cn("map", "x.ts", "--text")[2].decode() == (
        "error: It did not. [start_failed]\nhint: See the log.\nlog: line \\x1b[2J\n"
    )


def test_a_defect_is_told_and_shows_itself_on_request(
    cn: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "ensure", lambda root, end, coming: 1 / 0)
    code, _, err = cn("map", "x.ts")
    assert code == 5
    assert json.loads(err)["error"]["code"] == "internal_error"
    monkeypatch.setenv("CN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cn("map", "x.ts")
