"""`cn init`: what it prints is what it writes, and it writes nothing that is not its own."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from cn_client import jsonc
from cn_client.own_verbs import CLIENTS
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
    for name in ("CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def rows_of(out: bytes) -> dict[str, dict[str, Any]]:
    """What was answered of each file, by its name."""
    return {os.path.basename(row["file"]): row for row in json.loads(out)}


def test_it_shows_every_client_and_writes_nothing(cn: Run, workspace: Path, home: Path) -> None:
    before = sorted(workspace.rglob("*"))
    code, out, err = cn("init", "--client", "all")
    rows = json.loads(out)
    assert (code, err) == (0, b"")
    assert list(dict.fromkeys(row["client"] for row in rows)) == [name for name in CLIENTS if name != "claude-plugin"]
    for row in rows:
        assert row["next"], row["client"]
        if row["file"].endswith(".json") and "cn" not in row["file"] and not row["file"].endswith("settings.json"):
            [[name, server]] = next(iter(json.loads(row["content"]).values())).items()
            command = server["command"]
            words = command if isinstance(command, list) else [command, *server["args"]]
            assert (name, words[:2]) == ("cn", ["cn", "mcp"])
    codex = next(row for row in rows if row["client"] == "codex")
    assert tomllib.loads(codex["content"]) == {
        "mcp_servers": {"cn": {"command": "cn", "args": ["mcp"]}},
        "shell_environment_policy": {"set": {"CN_FORMAT": "text"}},
    }
    assert sorted(workspace.rglob("*")) == before
    code, out, _ = cn("init", "--client", "codex", "--text")
    assert f"Codex: {home}/.codex/config.toml" in out.decode()
    assert "[mcp_servers.cn]" in out.decode()


def test_it_lists_what_is_installed_and_what_is_written(
    cn: Run, workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    (home / ".config" / "goose").mkdir(parents=True)
    assert cn("init", "--client", "kiro", "--write")[0] == 0
    rows = {row["client"]: row for row in json.loads(cn("init")[1])}
    assert tuple(rows) == CLIENTS
    assert [name for name, row in rows.items() if row["installed"]] == ["goose"]
    assert [name for name, row in rows.items() if row["written"]] == ["kiro"]
    assert cn("init", "--list")[1] == cn("init")[1]
    assert [row["client"] for row in json.loads(cn("init", "--client", "auto")[1])] == ["goose"]


def test_several_clients_and_what_to_do_next(cn: Run, workspace: Path) -> None:
    out = cn("init", "--client", "amp", "--client", "cursor", "--write", "--text")[1].decode()
    assert out == (
        f"wrote {workspace}/.cursor/mcp.json\nwrote {workspace}/.amp/settings.json\n"
        "next, cursor: In Cursor Settings, MCP: turn cn on.\ncheck, cursor: cursor-agent mcp list\n"
        "next, amp: Approve the server of the workspace: amp mcp approve cn\ncheck, amp: amp mcp doctor\n"
    )
    assert json.loads((workspace / ".amp" / "settings.json").read_text()) == {
        "amp.mcpServers": {"cn": {"command": "cn", "args": ["mcp"]}}
    }


def test_claude_codes_shell_gets_text(cn: Run, workspace: Path) -> None:
    """A shell of an agent is a pipe, and a pipe gets JSON, which is twice as long."""
    settings = workspace / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "x", "env": {"A": "1"}} // mine\n')
    rows = rows_of(cn("init", "--client", "claude", "--write")[1])
    assert {name: row["changed"] for name, row in rows.items()} == {".mcp.json": True, "settings.json": True}
    assert '"A": "1"' in settings.read_text()
    assert '"CN_FORMAT": "text"' in settings.read_text()
    settings.write_text('{"env": {"CN_FORMAT": "json"}}')
    assert rows_of(cn("init", "--client", "claude", "--write")[1])["settings.json"]["changed"] is False
    assert settings.read_text() == '{"env": {"CN_FORMAT": "json"}}', "the user chose"
    out = cn("init", "--client", "claude", "--write", "--text")[1].decode()
    assert out.startswith(f"already in {workspace}/.mcp.json\nalready in {settings}\nnext, claude: ")


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_written_is_removed(cn: Run, workspace: Path, home: Path, client: str) -> None:
    """Of the workspace and of the home nothing is left, and a second time changes nothing."""

    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}

    before = files()
    assert all(row["changed"] for row in json.loads(cn("init", "--client", client, "--write")[1]))
    written = files()
    assert written != before
    assert not any(row["changed"] for row in json.loads(cn("init", "--client", client, "--write")[1]))
    assert files() == written
    assert cn("init", "--client", client, "--remove")[0] == 0
    assert files() == before
    assert not any(row["changed"] for row in json.loads(cn("init", "--client", client, "--remove")[1]))


@pytest.mark.parametrize("client", ["windsurf", "cline", "goose"])
def test_the_entry_of_another_workspace_stays(
    cn: Run, workspace: Path, home: Path, client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windsurf has one file for all of them: the second one's entry took the place of the first one's."""
    second = workspace / "shop 2"
    second.mkdir()
    (second / ".cn.json").write_text("{}")
    assert cn("init", "--client", client, "--write")[0] == 0
    first = home_files(home)
    monkeypatch.chdir(second)
    assert cn("init", "--client", client, "--write")[0] == 0
    [both] = home_files(home).values()
    assert both.count(str(workspace)) == 2, both  # the second one's root begins like the first one's
    assert "cn-shop-2" in both
    assert both.count(f"{second}") == 1
    refused = json.loads(cn("init", "--client", client, "--as", "cn", "--write")[2])["error"]
    assert f"another workspace's ({workspace})" in refused["message"]
    assert not json.loads(cn("init", "--client", client, "--write")[1])[0]["changed"]
    assert cn("init", "--client", client, "--remove")[0] == 0
    assert home_files(home) == first


def home_files(home: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in home.rglob("*") if path.is_file()}


def test_yaml_keeps_what_others_wrote(cn: Run, workspace: Path, home: Path) -> None:
    file = home / ".config" / "goose" / "config.yaml"
    file.parent.mkdir(parents=True)
    text = "# mine\nGOOSE_MODEL: x  # which\nextensions:\n    developer: # inner\n        enabled: true\nmore: [1, 2]\n"
    file.write_text(text)
    assert cn("init", "--client", "goose", "--write")[0] == 0
    merged = file.read_text()
    assert "    cn:\n      name: cn\n" in merged
    assert [line for line in text.splitlines() if line not in merged.splitlines()] == []
    assert cn("init", "--client", "goose", "--remove")[0] == 0
    assert file.read_text() == text
    file.write_text("extensions: {developer: {enabled: true}}\n")
    assert json.loads(cn("init", "--client", "goose", "--write")[2])["error"]["code"] == "not_mergeable"


def test_opencode_2_keeps_its_servers_elsewhere(cn: Run, workspace: Path) -> None:
    file = workspace / "opencode.jsonc"
    file.write_text('{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}}}}')
    assert cn("init", "--client", "opencode", "--write")[0] == 0
    assert list(json.loads(file.read_text())["mcp"]["servers"]) == ["a", "cn"]
    assert not (workspace / "opencode.json").exists()


@pytest.mark.parametrize(
    ("client", "name"), [("claude", ".claude/settings.local.json"), ("codex", ".codex/hooks.json")]
)
def test_hooks_stand_beside_those_of_others(cn: Run, workspace: Path, client: str, name: str) -> None:
    file = workspace / name
    file.parent.mkdir()
    text = (
        '{"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}]}} // mine\n'
    )
    file.write_text(text)
    assert cn("init", "--client", client, "--write")[0] == 0
    assert file.read_text() == text, "off by default"
    assert cn("init", "--client", client, "--hooks", "--write")[0] == 0
    hooks = jsonc.read(file.read_text()).value["hooks"]
    assert [group.get("matcher") for group in hooks["PostToolUse"]] == ["Edit", "Bash|Grep"]
    assert ("PostToolUseFailure" in hooks) == (client == "claude"), "Codex has no such event"
    assert hooks["SessionStart"][0]["hooks"][0]["command"].startswith("cn hook")
    written = file.read_text()
    assert cn("init", "--client", client, "--hooks", "--write")[0] == 0
    assert file.read_text() == written
    assert cn("init", "--client", client, "--remove")[0] == 0
    assert jsonc.read(file.read_text()).value == jsonc.read(text).value


def test_hooks_need_a_client_that_has_them(cn: Run, workspace: Path) -> None:
    assert json.loads(cn("init", "--client", "zed", "--hooks")[2])["error"]["code"] == "bad_usage"


def test_a_skill_of_somebody_else_stays(cn: Run, workspace: Path) -> None:
    file = workspace / ".claude" / "skills" / "cn" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: cn\n---\nmine\n")
    assert json.loads(cn("init", "--client", "skill", "--write")[2])["error"]["code"] == "not_mergeable"
    assert cn("init", "--client", "skill", "--remove")[0] == 0
    assert file.read_text().endswith("mine\n")


def test_the_skill_has_the_frontmatter_that_agents_read(cn: Run, workspace: Path) -> None:
    assert cn("init", "--client", "skill", "--write")[0] == 0
    for place in (".claude", ".agents"):
        front = (workspace / place / "skills" / "cn" / "SKILL.md").read_text().split("---\n")[1]
        document = yaml.safe_load(front)
        assert document["name"] == "cn"
        assert len(document["description"]) <= 1024


@pytest.mark.parametrize("client", FILES)
def test_it_writes_once(cn: Run, workspace: Path, client: str) -> None:
    file = workspace / FILES[client]
    assert json.loads(cn("init", "--client", client, "--write")[1])[0]["changed"] is True
    written = file.read_bytes()
    assert json.loads(cn("init", "--client", client, "--write")[1])[0]["changed"] is False
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
    assert json.loads(cn("init", "--client", "codex", "--write")[1])[0]["changed"] is False


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
    for words in (["--write"], ["--remove"], ["--client", "zed", "--write", "--remove"], ["--client", "zad"]):
        assert json.loads(cn("init", *words)[2])["error"]["code"] == "bad_usage"
    assert json.loads(cn("init", "--as", "a b")[2])["error"]["code"] == "bad_name"
