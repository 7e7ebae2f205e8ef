"""`cn init`: what it prints is what it writes, and it writes nothing that is not its own."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from tests.client.conftest import Run

FILES = {
    "claude": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "gemini": ".gemini/settings.json",
    "agents": "AGENTS.md",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return folder


def test_it_prints_for_every_client_and_writes_nothing(cn: Run, workspace: Path, home: Path) -> None:
    before = sorted(workspace.rglob("*"))
    code, out, err = cn("init")
    rows = json.loads(out)
    assert (code, err) == (0, b"")
    clients = ["claude", "claude", "cursor", "vscode", "codex", "gemini", "windsurf", "agents"]
    assert [row["client"] for row in rows] == clients
    shell = rows.pop(1)
    assert (shell["file"], json.loads(shell["content"])) == (
        str(workspace / ".claude" / "settings.json"),
        {"env": {"CN_FORMAT": "text"}},
    )
    for row in rows:
        if row["file"].endswith(".json"):
            [[name, server]] = next(iter(json.loads(row["content"]).values())).items()
            assert (name, server["command"], server["args"][0]) == ("cn", "cn", "mcp")
    assert tomllib.loads(rows[3]["content"]) == {"mcp_servers": {"cn": {"command": "cn", "args": ["mcp"]}}}
    assert sorted(workspace.rglob("*")) == before
    code, out, _ = cn("init", "--client", "codex", "--text")
    assert f"Codex: {home}/.codex/config.toml" in out.decode()
    assert "[mcp_servers.cn]" in out.decode()


def test_claude_codes_shell_gets_text(cn: Run, workspace: Path) -> None:
    """A shell of an agent is a pipe, and a pipe gets JSON, which is twice as long."""
    settings = workspace / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "x", "env": {"A": "1"}} // mine\n')
    told = json.loads(cn("init", "--client", "claude", "--write")[1])
    assert told == {
        "client": "claude",
        "file": str(workspace / ".mcp.json"),
        "changed": True,
        "also": [str(settings)],
    }
    assert '"A": "1"' in settings.read_text()
    assert '"CN_FORMAT": "text"' in settings.read_text()
    settings.write_text('{"env": {"CN_FORMAT": "json"}}')
    assert json.loads(cn("init", "--client", "claude", "--write")[1])["changed"] is False
    assert settings.read_text() == '{"env": {"CN_FORMAT": "json"}}', "the user chose"
    out = cn("init", "--client", "claude", "--write", "--text")[1].decode()
    assert out == f"already in {workspace}/.mcp.json\nalready in {settings}\n"


@pytest.mark.parametrize("client", FILES)
def test_it_writes_once(cn: Run, workspace: Path, client: str) -> None:
    file = workspace / FILES[client]
    assert json.loads(cn("init", "--client", client, "--write")[1])["changed"] is True
    written = file.read_bytes()
    assert json.loads(cn("init", "--client", client, "--write")[1])["changed"] is False
    assert file.read_bytes() == written
    assert [one.name for one in file.parent.glob(file.name + "*")] == [file.name], "no draft is left"


def test_the_entry_keeps_what_the_user_added(cn: Run, workspace: Path) -> None:
    file = workspace / ".mcp.json"
    text = '{ "mcpServers": { "climpt": {"command": "deno", "env": {"A": "1"}} } } // mine\n'
    file.write_text(text)
    file.chmod(0o640)
    assert cn("init", "--client", "claude", "--as", "climpt", "--write")[0] == 0
    assert file.read_text() == text.replace('"deno"', '"cn"').replace(
        '"env": {"A": "1"}',
        '"env": {"A": "1"},\n      "args": [\n        "mcp"\n      ],\n                  "alwaysLoad": true',
    )
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_symbolic_link_stays_one(cn: Run, workspace: Path) -> None:
    real = workspace / "dotfiles.json"
    real.write_text("{}")
    os.symlink(real, workspace / ".mcp.json")
    assert cn("init", "--client", "claude", "--write")[0] == 0
    assert (workspace / ".mcp.json").is_symlink()
    assert "mcpServers" in json.loads(real.read_text())


def test_toml_is_appended_to(cn: Run, home: Path) -> None:
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    text = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"'
    file.write_text(text)
    assert cn("init", "--client", "codex", "--write")[0] == 0
    assert file.read_text().startswith(text)
    assert tomllib.loads(file.read_text())["mcp_servers"] == {
        "other": {"command": "y"},
        "cn": {"command": "cn", "args": ["mcp"]},
    }
    assert json.loads(cn("init", "--client", "codex", "--write")[1])["changed"] is False


def test_the_paragraph_is_renewed_in_its_place(cn: Run, workspace: Path) -> None:
    file = workspace / "AGENTS.md"
    file.write_text("# Rules\n\n<!-- cn: begin -->\noutdated\n<!-- cn: end -->\n\nMore.\n")
    assert cn("init", "--client", "agents", "--write")[0] == 0
    text = file.read_text()
    assert text.startswith("# Rules\n\n<!-- cn: begin -->\n## Code")
    assert text.endswith("<!-- cn: end -->\n\nMore.\n")
    assert "outdated" not in text


@pytest.mark.parametrize(
    ("name", "content", "client"),
    [
        (".mcp.json", b"{", "claude"),
        (".mcp.json", b"[]", "claude"),
        (".mcp.json", b'{"mcpServers": []}', "claude"),
        (".mcp.json", b"\xff{}", "claude"),
        ("home/.codex/config.toml", b"mcp_servers = {}", "codex"),
        ("home/.codex/config.toml", b"[mcp_servers.cn]\ncommand = 'other'", "codex"),
        ("home/.codex/config.toml", b"not toml", "codex"),
    ],
)
def test_what_cannot_be_merged_into_stays_as_it_is(
    cn: Run, workspace: Path, tmp_path: Path, name: str, content: bytes, client: str
) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    code, _, err = cn("init", "--client", client, "--write")
    told = json.loads(err)["error"]
    assert (code, told["code"]) == (2, "not_mergeable")
    assert "by hand" in told["hint"]
    assert file.read_bytes() == content


def test_writing_needs_a_client_and_a_name_that_is_one(cn: Run) -> None:
    assert json.loads(cn("init", "--write")[2])["error"]["code"] == "bad_usage"
    assert json.loads(cn("init", "--as", "a b")[2])["error"]["code"] == "bad_name"
