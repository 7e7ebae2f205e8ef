"""`cn trust`: what it records, tells the daemon, and says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from cn_daemon.settings import load
from tests.client.conftest import FakeDaemon, Run, refusal, reply


def node_of(workspace: Path) -> Path | None:
    return load(workspace, {}, Path("/nowhere/config.json")).node


def test_trust_and_its_taking_back(cn: Run, workspace: Path) -> None:
    (workspace / ".cn.json").write_text('{"node": "/opt/node"}')
    assert node_of(workspace) is None
    row = {"file": ".cn.json", "key": "node", "words": ["/opt/node"], "programs": []}
    expected = {"root": str(workspace), "trusted": [".cn.json"], "allows": [row]}
    assert cn("trust") == (
        0,
        json.dumps(expected, separators=(",", ":")).encode() + b"\n",
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


def test_what_is_allowed_is_named(cn: Run, workspace: Path) -> None:
    (workspace / "tool.sh").write_text("#!/bin/sh\n")
    settings = {"climpt_command": ["./tool.sh", "--all"], "catalog_headers": {"a": {"Cookie": "secret"}}}
    (workspace / ".cn.json").write_text(json.dumps(settings))
    package = workspace / "node_modules" / "typescript"
    (package / "lib").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "typescript", "version": "5.9.3"}')
    (package / "lib" / "tsserver.js").write_text("")
    code, out, _ = cn("trust", "--text")
    lines = out.decode().splitlines()
    assert (code, lines[0]) == (0, f"Trusted .cn.json and node_modules/typescript of {workspace}.")
    assert [line.partition(" (")[0] for line in lines[1:]] == [
        "  .cn.json: climpt_command · ./tool.sh --all · tool.sh",
        "  .cn.json: catalog_headers",
        "  TypeScript 5.9.3 · node_modules/typescript",
    ]
    digest = hashlib.sha256((workspace / "tool.sh").read_bytes()).hexdigest()
    assert digest[:12] in lines[1]
