"""`cn mcp` as an agent runs it: real processes, and daemons that come and go behind it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from cn_client import pump
from cn_shared import process, state
from cn_shared.state import LINE_LIMIT
from tests.faults.conftest import Workbench
from tests.mcp import library
from tests.mcp.conftest import Client


def test_it_starts_the_daemon_and_ends_with_its_input(bench: Workbench) -> None:
    with Client(bench) as client:
        opened = client.open()
        assert opened["serverInfo"]["name"] == "cn"
        assert opened["capabilities"]["tools"] == {"listChanged": True}
        assert "find" in opened["instructions"]
        said = client.said("status")
        assert f" pid {bench.state().pid} " in said
        assert client.close() == 0
    assert bench.alive() == [bench.state().pid], "the daemon outlives its client"


def test_what_is_piped_in_is_answered(bench: Workbench) -> None:
    bench.start()
    lines = [
        {"jsonrpc": "2.0", "id": "a \"quoted\" id", "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        bench.command("mcp"), input=text, capture_output=True, text=True, cwd=bench.root, env=bench.environment,
        timeout=30, check=False,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ['a "quoted" id', 2]
    assert (done.returncode, done.stderr) == (0, "")


def test_a_daemon_that_dies_under_a_call_is_told_and_the_next_call_starts_another(bench: Workbench) -> None:
    with Client(bench) as client:
        first = client.reach()
        os.kill(first.pid, signal.SIGSTOP)  # so that the call is open when it dies
        client.send("tools/call", {"name": "status", "arguments": {}}, id="open")
        client.send("tools/call", {"name": "status", "arguments": {}}, id="cancelled")
        client.send("notifications/cancelled", {"requestId": "cancelled"})
        time.sleep(0.3)
        os.kill(first.pid, signal.SIGKILL)
        told = client.receive()
        assert told["id"] == "open"
        assert told["error"]["data"]["error"]["code"] == "daemon_gone"
        assert "Ask again" in told["error"]["message"]
        # The session goes on: the next daemon is introduced to it behind the client's back.
        said = client.said("status")
        assert f" pid {bench.state().pid} " in said
        assert bench.state().pid != first.pid


def test_a_daemon_that_dies_under_what_was_piped_in_was_not_told(bench: Workbench) -> None:
    with Client(bench) as client:
        first = client.reach()
        os.kill(first.pid, signal.SIGSTOP)
        client.send("tools/call", {"name": "status", "arguments": {}}, id="open")
        assert client.process.stdin is not None
        client.process.stdin.close()
        time.sleep(0.3)
        os.kill(first.pid, signal.SIGKILL)
        assert client.receive()["error"]["data"]["error"]["code"] == "daemon_gone"
        client.process.wait(10)


def test_documents_are_for_the_client_that_asks_for_them(bench: Workbench) -> None:
    """Two clients of one daemon, each as it likes; also after the daemon is another one."""
    with Client(bench) as lean, Client(bench, "--structured") as full:
        for client in (lean, full):
            client.open()
        bench.cn("stop")
        assert "pid" in lean.said("status")
        pid = full.call("status")["structuredContent"]["pid"]
        assert pid == bench.state().pid
        for client, count in ((lean, 0), (full, 1)):
            tools = client.ask("tools/list")["result"]["tools"]
            assert {"outputSchema" in tool for tool in tools} == {bool(count)}


def test_it_follows_a_daemon_that_was_stopped(bench: Workbench) -> None:
    with Client(bench) as client:
        first = client.reach()
        began = time.monotonic()
        assert bench.cn("stop").returncode == 0
        assert time.monotonic() - began < 4, "an open session does not hold the stop up"
        second = bench.start()
        assert f" pid {second.pid} " in client.said("status")
        assert second.pid != first.pid


def test_no_daemon_can_be_had(bench: Workbench) -> None:
    """The tools are listed all the same; who calls one hears why there is no answer."""
    (bench.root / ".cn.json").write_text("{}")
    bench.environment["CN_LOG_LEVEL"] = "nonsense"
    with Client(bench) as client:
        assert client.open()["serverInfo"]["name"] == "cn"
        assert len(client.ask("tools/list")["result"]["tools"]) == 8
        for _ in range(2):
            told = client.ask("tools/call", {"name": "status", "arguments": {}})
            assert told["error"]["data"]["error"]["code"] == "bad_settings"
            assert "CN_LOG_LEVEL" in told["error"]["message"]
        assert client.close() == 0


def test_tools_are_listed_while_the_daemon_starts(bench: Workbench) -> None:
    """A client with one prompt to send gave its model no tools: it does not wait for a server that is slow to start."""
    lock = _start_lock(bench)
    process.lock(lock)  # whoever holds it keeps every daemon of this workspace from starting
    with Client(bench) as client:
        client.open()
        names = [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]
        assert names[:3] == ["find", "inspect", "map_file"]
        assert client.ask("ping")["result"] == {}
        assert client.ask("prompts/list")["result"] == {"prompts": []}
        assert client.ask("resources/list")["result"] == {"resources": []}
        assert client.ask("resources/templates/list")["result"]["resourceTemplates"]
        client.send("tools/call", {"name": "status", "arguments": {}}, id="cancelled")
        client.send("notifications/cancelled", {"requestId": "cancelled"})
        client.send("tools/call", {"name": "status", "arguments": {}}, id="waits")
        assert not bench.alive()
        os.close(lock)
        assert client.receive()["id"] == "waits"
        assert client.ask("tools/list")["result"]["tools"][0]["name"] == "find"
        assert client.close() == 0


def test_what_the_daemon_lists_besides_is_told(bench: Workbench) -> None:
    library.write(bench.root.parent / "library")
    bench.environment["AICMD_COMMANDS_DIR"] = str(bench.root.parent / "library" / "Commands")
    lock = _start_lock(bench)
    process.lock(lock)
    with Client(bench) as client:
        client.open()
        assert len(client.ask("tools/list")["result"]["tools"]) == 8
        assert not client.ask("prompts/list")["result"]["prompts"]
        os.close(lock)
        told = {client.receive()["method"] for _ in range(2)}
        assert told == {"notifications/tools/list_changed", "notifications/prompts/list_changed"}
        assert "invoke_command" in {tool["name"] for tool in client.ask("tools/list")["result"]["tools"]}
        assert client.ask("prompts/list")["result"]["prompts"]


def test_what_was_piped_in_before_there_was_a_daemon_is_answered(bench: Workbench) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}},
    ]  # fmt: skip
    done = subprocess.run(
        bench.command("mcp"), input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True,
        cwd=bench.root, env=bench.environment, timeout=60, check=False,
    )  # fmt: skip
    bench.note()
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    assert (done.returncode, done.stderr) == (0, "")


def _start_lock(bench: Workbench) -> int:
    path = Path(bench.environment["XDG_RUNTIME_DIR"]) / "cn" / (state.root_key(str(bench.root)) + ".lock")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def test_a_client_that_vanishes_leaves_nothing_behind(bench: Workbench) -> None:
    client = Client(bench)
    client.reach()
    client.send("tools/call", {"name": "status", "arguments": {}}, id=9)
    client.process.kill()
    client.close()
    deadline = time.monotonic() + 10
    while bench.status()["pid"] not in bench.alive() or _connections(bench.state().pump_port):
        assert time.monotonic() < deadline, "the daemon still holds its connection"
        time.sleep(0.1)


def test_an_open_session_keeps_the_daemon_awake(bench: Workbench) -> None:
    bench.environment["CN_IDLE_TIMEOUT_S"] = "1"
    with Client(bench) as client:
        pid = client.reach().pid
        time.sleep(2.5)
        assert bench.alive() == [pid]
    deadline = time.monotonic() + 10
    while bench.alive():
        assert time.monotonic() < deadline, "without a session it sleeps in"
        time.sleep(0.1)


def test_settings_under_env_of_a_client_count_for_its_calls(bench: Workbench) -> None:
    """mcp-command-tool: AICMD_COMMANDS_DIR beside the command line. Whoever says nothing changes nothing."""
    folder = bench.root.parent / "library"
    library.write(folder)
    bench.start()

    def found(client: Client) -> int:
        return int(re.search(r"of (\d+) commands", client.said("list_commands"))[1])  # type: ignore[index]

    with Client(bench) as plain:
        plain.open()
        assert found(plain) == 0
        bench.environment["AICMD_COMMANDS_DIR"] = str(folder / "Commands")
        with Client(bench) as configured:
            configured.open()
            assert found(configured) == 1
            del bench.environment["AICMD_COMMANDS_DIR"]
            assert bench.cn("commands").returncode in (0, 1)  # a shell without it
            assert found(configured) == 1


def test_one_that_is_started_elsewhere_runs_commands_in_the_root(bench: Workbench, tmp_path: Path) -> None:
    """The configuration that the documents give for clients with one file for all workspaces."""
    library.write_registry(bench.root)
    program = tmp_path / "climpt"
    program.write_text("#!/bin/sh\npwd\n")
    program.chmod(0o755)
    bench.environment["CN_CLIMPT_COMMAND"] = json.dumps([str(program)])
    with Client(bench, "--root", str(bench.root), folder="/") as client:
        client.open()
        ran = client.said("execute", c1="git", c2="group-commit", c3="unstaged-changes")
        assert ran.strip() == str(bench.root.resolve())


def test_the_pump_port_wants_the_token(bench: Workbench) -> None:
    found = bench.start()
    for line in (b"{}\n", b"nonsense\n", b'{"token":"' + b"0" * 64 + b'"}\n', b'{"token":1}\n'):
        with socket.create_connection(("127.0.0.1", found.pump_port), 5) as connection:
            connection.sendall(line + b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
            connection.settimeout(5)
            try:
                assert connection.recv(4096) == b""
            except ConnectionResetError:
                pass


def test_lines_that_are_no_json_rpc(bench: Workbench) -> None:
    with Client(bench) as client:
        client.open()
        assert client.process.stdin is not None
        client.process.stdin.write(b'\n{"jsonrpc":\n[]\n')
        client.process.stdin.flush()
        assert client.receive()["error"]["code"] == -32700
        assert client.receive()["error"]["code"] == -32700
        assert client.call("status")["isError"] is False


def test_a_line_that_is_too_long_ended_the_connection_and_the_daemon_was_said_to_be_gone(bench: Workbench) -> None:
    with Client(bench) as client:
        client.open()
        long = {"name": "find", "arguments": {"query": "x" * LINE_LIMIT}}
        client.send("tools/call", long, id="long")
        client.send("notifications/progress", long)
        told = client.receive()
        assert (told["id"], told["error"]["data"]["error"]["code"]) == ("long", "message_too_long")
        assert "8 MB" in told["error"]["message"]
        room = LINE_LIMIT - len(json.dumps({"jsonrpc": "2.0", "method": "x", "params": {"a": ""}, "id": "fits"}) + "\n")
        client.send("x", {"a": "y" * room}, id="fits")
        assert client.receive()["error"]["code"] == -32601
        assert client.call("status")["isError"] is False


def test_the_state_file_of_an_older_daemon_has_no_pump_port(bench: Workbench) -> None:
    found = bench.start()
    document = {key: value for key, value in found.document.items() if key != "pumpPort"}
    assert state.State(document).pump_port == 0
    assert state.State({**document, "pumpPort": "1"}).pump_port == 0


def _connections(port: int) -> int:
    """Established connections to that loopback port."""
    wanted = f"0100007F:{port:04X}"
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    return sum(row[1] == wanted and row[3] == "01" for row in rows)


def test_what_is_opened_in_the_place_of_a_lost_connection_has_nothing_to_tell_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A daemon that was killed took the connection, and was gone before the introduction: the pipe on which the next
    one was awaited got the number of that connection, and was taken for ready."""
    pumped = pump.Pump(str(tmp_path), {})
    pumped.connection, daemon = socket.socketpair()
    pumped.waiting = [("1", b"{}\n")]
    daemon.close()

    def begin(dying: object) -> None:
        pumped._starting, _ = os.pipe()

    monkeypatch.setattr(pumped, "_begin", begin)
    monkeypatch.setattr(pump, "DRAIN_S", 0.0)
    monkeypatch.setattr(pump, "START_S", 0.0)
    pumped.run()
    assert pumped._starting >= 0
    assert pumped.waiting == [("1", b"{}\n")]
    assert capfd.readouterr().out == ""
