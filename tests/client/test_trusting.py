"""`cn trust`: what it records, tells the daemon, and says."""

from __future__ import annotations

import json
from pathlib import Path

from cn_daemon.settings import load
from tests.client.conftest import FakeDaemon, Run, refusal, reply


def node_of(workspace: Path) -> Path | None:
    return load(workspace, {}, Path("/nowhere/config.json")).node


def test_trust_and_its_taking_back(cn: Run, workspace: Path) -> None:
    (workspace / ".cn.json").write_text('{"node": "/opt/node"}')
    assert node_of(workspace) is None
    assert cn("trust") == (
        0,
        json.dumps({"root": str(workspace), "trusted": [".cn.json"]}, separators=(",", ":")).encode() + b"\n",
        b"",
    )
    assert node_of(workspace) == Path("/opt/node")
    assert cn("trust", "--revoke", "--text") == (0, f"Revoked .cn.json of {workspace}.\n".encode(), b"")
    assert node_of(workspace) is None
    assert cn("trust", "--revoke", "--text") == (1, f"There is nothing to revoke in {workspace}.\n".encode(), b"")


def test_a_root_without_settings_has_nothing_to_trust(cn: Run, workspace: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    assert cn("trust", "--text", "--root", str(bare)) == (1, f"There is nothing to trust in {bare}.\n".encode(), b"")


def test_a_running_daemon_reads_its_settings_again(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b'{"status":"ok","warnings":[]}\n')]
    assert cn("trust")[0] == 0
    assert daemon.requests[0].startswith(b"POST /environment ")
    assert b'{"values":{' in daemon.requests[0]


def test_what_the_daemon_says_of_the_settings_is_told(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [refusal("bad_settings", status=400)]
    code, out, err = cn("trust")
    assert (code, out) == (2, b"")
    assert json.loads(err)["error"]["code"] == "bad_settings"
