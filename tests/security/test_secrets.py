"""Secrets are looked for in everything that a run leaves behind: answers, errors, logs, command lines, children."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from cn_daemon.adapters.language_servers.spawning import Place
from cn_shared import state
from tests.faults.workbench import Workbench

CANARIES = [f"canary{number}canary" for number in range(8)]
HEADER, PROXY, USER, SERVE, TOKEN, CLOUD, PASSWORD, QUERY = CANARIES
SECRET = {
    "CN_CATALOG_HEADERS": json.dumps({"shop": {"Authorization": f"Bearer {HEADER}"}}),
    "CN_API_PROXY": f"http://user:{PROXY}@127.0.0.1:9",
    "CN_CATALOG_BASE_URLS": json.dumps({"shop": f"http://user:{USER}@127.0.0.1:9"}),
    "CN_TOKEN": SERVE,
}
ENVIRONMENT = {"GITHUB_TOKEN": TOKEN, "AWS_SECRET_ACCESS_KEY": CLOUD, "PGPASSWORD": PASSWORD}
DUMP = "import os, sys; open(sys.argv[1], 'w').write(repr((sys.argv, dict(os.environ)))); print('said')"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(tmp_path.resolve())
    climpt = [sys.executable, "-c", DUMP, str(tmp_path / "climpt.txt")]
    bench.environment |= {
        **SECRET,
        **ENVIRONMENT,
        "CN_CLIMPT_COMMAND": json.dumps(climpt),
        "CN_CATALOGS": json.dumps([str(bench.root / "shop.json")]),
        "CN_LOG_LEVEL": "debug",
    }
    sent = {"http": {"method": "GET", "path": "/"}}
    row = {"group": "shop", "name": "list", "summary": "List the shops", "execution": sent}
    (bench.root / "shop.json").write_text(json.dumps({"vendor": "shop", "commands": [row]}))
    registry = bench.root / ".agent" / "climpt" / "registry.json"
    registry.parent.mkdir(parents=True)
    registry.write_text(json.dumps({"tools": {"commands": [{"c1": "a", "c2": "b", "c3": "c", "description": "d"}]}}))
    yield bench
    bench.close()


def test_the_first_question_stands_in_no_command_line(bench: Workbench) -> None:
    """Everybody on the machine reads that of the daemon, for as long as it lives."""
    bench.cn("find", "SecretOfTheFirstQuestion", "--deadline", "20")
    lines = [b" ".join(map(str.encode, one.cmdline())) + repr(one.environ()).encode() for one in bench.family()]
    assert any(b"cn_daemon" in line for line in lines)
    assert not any(b"SecretOfTheFirstQuestion" in line for line in lines)


def answered_with_errors(found: state.State) -> list[str]:
    """What callers get who ask wrongly, and whose addresses would be logged."""
    told = []
    asked = (("/find?query=x", QUERY), (f"/find?token={QUERY}", found.token), ("/nowhere%0Aforged", found.token))
    for path, token in asked:
        connection = http.client.HTTPConnection("127.0.0.1", found.port, timeout=20)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        reply = connection.getresponse()
        told.append(str(reply.getheaders()) + reply.read().decode())
        connection.close()
    return told


def test_a_run_leaves_no_secret_behind(bench: Workbench, tmp_path: Path) -> None:
    found = bench.start()
    told: list[str] = []
    for arguments in (
        ["status", "--json"],
        ["status", "--text"],
        ["config", "show", "--json"],
        ["config", "show", "--text"],
        ["search", "shops"],
        ["get", "shop list"],
        ["invoke", "shop list", "--dry-run"],
        ["invoke", "shop list"],
        ["execute", "a", "b", "c"],
        ["execute", "a", "b", "c", "--dry-run"],
    ):
        done = bench.cn(*arguments)
        told.append(done.stdout + done.stderr)
    assert "***" in told[2]  # config show says that there is one
    assert "said" in told[-2]
    told += answered_with_errors(found)
    lines = [" ".join(one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"])]
    bench.cn("stop")
    left = [
        file.read_text("utf-8", "replace")
        for folder in ("cache", "state", "runtime", "config", "work")
        for file in (tmp_path / folder).rglob("*")
        if file.is_file()
    ]
    assert any("serving" in text for text in left)  # the log is among them
    for text in [*told, *lines, *left]:
        for secret in [*CANARIES, found.token]:
            assert secret not in text
    climpt = (tmp_path / "climpt.txt").read_text()
    # The user's own variables are the command's business; cn's are not.
    assert not [secret for secret in (HEADER, PROXY, USER, SERVE, found.token) if secret in climpt]


def test_the_state_file_and_what_holds_questions_are_the_users_alone(bench: Workbench, tmp_path: Path) -> None:
    bench.start()
    assert bench.state_file.stat().st_mode & 0o777 == 0o600
    for name in ("cache", "state", "runtime"):
        for folder in (tmp_path / name).glob("cn*"):
            assert folder.stat().st_mode & 0o077 == 0


def test_a_language_server_is_told_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**SECRET, **ENVIRONMENT}.items():
        monkeypatch.setenv(name, value)
    dump = tmp_path / "server.txt"
    command = (sys.executable, "-c", DUMP, str(dump))

    async def run() -> None:
        started = await Place(tmp_path, tmp_path / "log", dict(os.environ), tmp_path / "cache", confined=False).start(
            "dump", command, None, {}
        )
        await started.process.wait()
        started.kill()

    asyncio.run(run())
    told = dump.read_text()
    assert "PATH" in told
    assert not [secret for secret in CANARIES if secret in told]
