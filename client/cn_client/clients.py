"""The coding agents that `cn init` knows: where each keeps its MCP servers, in which shape, and what to do next there.

The paths and shapes are those of the agents' own documentation (November 2026).
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cn_shared import folders


@dataclass(frozen=True, slots=True)
class Client:
    """files: where it may keep them, relative to the workspace, or from `~`: the first that is there, else the last.

    group: the keys that lead to its servers. shape: `plain` (command and args), `words` (one list), `goose`. more: what
    an entry has besides. shared: one file serves all workspaces, so an entry names its root. programs, marks: commands
    on PATH and folders of the user's that say it is installed. next, check: what to do then, and how to see that it
    works; {name} is the server's.
    """

    name: str
    title: str
    files: tuple[str, ...]
    group: tuple[str, ...]
    next: str
    check: str
    programs: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    shape: str = "plain"
    more: tuple[tuple[str, Any], ...] = ()
    shared: bool = False

    def file(self, root: Path) -> Path:
        places = [
            Path(folders.home(), one[2:]) if one.startswith("~/") else root / one for one in map(_moved, self.files)
        ]
        return next((place for place in places if os.path.lexists(place)), places[-1])

    def server(self, root: Path, name: str) -> dict[str, Any]:
        """The entry of its servers for the workspace, by that name."""
        words = ["cn", "mcp", *(["--root", str(root)] if self.shared else [])]
        if self.shape == "words":
            return {"command": words, **dict(self.more)}
        if self.shape == "goose":
            return {"name": name, "cmd": words[0], "args": words[1:], **dict(self.more)}
        return {"command": words[0], "args": words[1:], **dict(self.more)}

    def installed(self) -> bool:
        """Whether the user has it: a command on PATH, or a folder of its own."""
        home = folders.home()
        return any(map(shutil.which, self.programs)) or any(
            os.path.isdir(os.path.join(home, _moved(f"~/{mark}")[2:])) for mark in self.marks
        )


def _moved(place: str) -> str:
    """Where it lies on this system, and where the user's environment says."""
    codex, configuration = os.environ.get("CODEX_HOME"), os.environ.get("XDG_CONFIG_HOME")
    if codex and place.startswith("~/.codex/"):
        return os.path.join(codex, place.removeprefix("~/.codex/"))
    if configuration and os.path.isabs(configuration) and place.startswith("~/.config/") and sys.platform != "darwin":
        return os.path.join(configuration, place.removeprefix("~/.config/"))
    return place


_SERVERS = ("mcpServers",)
_TRUST = "Start it in this folder, and trust the folder when it asks."

CLIENTS = (
    Client(
        "claude", "Claude Code", (".mcp.json",), _SERVERS,
        "Start claude in this folder and approve the server {name}; /mcp shows it.", "claude mcp get {name}",
        ("claude",), (".claude",),
        # It keeps the tools of other servers from its model until a search finds them.
        more=(("alwaysLoad", True),),
    ),
    Client(
        "cursor", "Cursor", (".cursor/mcp.json",), _SERVERS,
        "In Cursor Settings, MCP: turn {name} on.", "cursor-agent mcp list",
        ("cursor", "cursor-agent"), (".cursor",),
    ),
    Client(
        "vscode", "VS Code", (".vscode/mcp.json",), ("servers",),
        "Run MCP: List Servers from the command palette, start {name} and trust it.", "MCP: List Servers says Running",
        ("code", "code-insiders"), (".vscode",), more=(("type", "stdio"),),
    ),
    Client(
        "codex", "Codex", ("~/.codex/config.toml",), ("mcp_servers",),
        "Start codex in this folder; there is nothing to approve.", "codex mcp get {name}",
        ("codex",), (".codex",),
    ),
    Client(
        "gemini", "Gemini CLI", (".gemini/settings.json",), _SERVERS, _TRUST, "gemini mcp list", ("gemini",),
    ),
    Client(
        "windsurf", "Windsurf", ("~/.codeium/windsurf/mcp_config.json",), _SERVERS,
        "In Cascade's MCP settings: refresh, and turn {name} on.", "Cascade lists the tools of {name}",
        ("windsurf",), (".codeium/windsurf",), shared=True,
    ),
    Client(
        "opencode", "opencode", ("opencode.jsonc", "opencode.json"), ("mcp",),
        "Start opencode in this folder; there is nothing to approve.", "opencode mcp list",
        ("opencode",), (".config/opencode",), "words", (("type", "local"),),
    ),
    Client(
        "copilot", "Copilot CLI", (".github/mcp.json",), _SERVERS, _TRUST, "copilot mcp list",
        ("copilot",), (".copilot",), more=(("type", "local"), ("tools", ["*"])),
    ),
    Client("qwen", "Qwen Code", (".qwen/settings.json",), _SERVERS, _TRUST, "qwen mcp list", ("qwen",), (".qwen",)),
    Client(
        "kiro", "Kiro", (".kiro/settings/mcp.json",), _SERVERS,
        "Kiro reads the file when it is saved; its MCP panel shows {name}.", "kiro-cli mcp list",
        ("kiro", "kiro-cli"), (".kiro",),
    ),
    Client(
        "antigravity", "Antigravity", (".agents/mcp_config.json",), _SERVERS,
        "agy reads this file. The editor reads ~/.gemini/config/mcp_config.json alone: add the same there, with "
        '"args": ["mcp", "--root", "FOLDER"].', "/mcp", ("agy", "antigravity"), (".gemini/antigravity",),
    ),
    Client(
        "zed", "Zed", (".zed/settings.json",), ("context_servers",),
        "Trust the project when Zed asks.", "The agent panel's settings show {name} with a green dot",
        ("zed", "zeditor"), (".config/zed",), more=(("source", "custom"),),
    ),
    Client(
        "crush", "Crush", (".crush.json", "crush.json"), ("mcp",),
        "Start crush in this folder; there is nothing to approve.", "its sidebar lists {name}",
        ("crush",), (".config/crush",), more=(("type", "stdio"),),
    ),
    Client(
        "cline", "Cline", ("~/.cline/data/settings/cline_mcp_settings.json",), _SERVERS,
        "Cline reads the file when it is saved.", "its MCP Servers panel shows {name} with a green dot",
        ("cline",), (".cline",), shared=True,
    ),
    Client(
        "roo", "Roo Code", (".roo/mcp.json",), _SERVERS,
        "Roo Code reads the file when it is saved.", "its MCP settings show {name} with a green dot",
        (), (".roo",),
    ),
    Client(
        "kilo", "Kilo Code", ("kilo.jsonc", "kilo.json", ".kilo/kilo.jsonc", ".kilo/kilo.json"), ("mcp",),
        "Reload Kilo Code.", "kilo mcp list", ("kilo",), (".config/kilo", ".kilocode"), "words", (("type", "local"),),
    ),
    Client(
        "goose", "goose", ("~/.config/goose/config.yaml",), ("extensions",),
        "Start goose anew.", "goose info -v", ("goose",), (".config/goose",), "goose",
        (("type", "stdio"), ("enabled", True), ("timeout", 300)), shared=True,
    ),
    Client(
        "amp", "Amp", (".amp/settings.json",), ("amp.mcpServers",),
        "Approve the server of the workspace: amp mcp approve {name}", "amp mcp doctor",
        ("amp",), (".config/amp",),
    ),
)  # fmt: skip
