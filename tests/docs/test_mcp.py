"""docs/agents.md says what `cn init` writes, docs/mcp.md what `cn serve` takes."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from cn_client.clients import CLIENTS
from cn_client.entries import server
from cn_client.guidance import PARAGRAPH
from cn_client.own_verbs import SERVE
from cn_daemon.interfaces.mcp.table import TOOLS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "mcp.md").read_text(encoding="utf-8")
AGENTS = (DOCS / "agents.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", AGENTS, re.DOTALL)


def test_the_configurations_are_those_of_cn_init() -> None:
    shown = [json.loads(block) for block in blocks("json")]
    root = Path("/home/ada/shop")
    for client in CLIENTS:
        entry = server(client, "cn", root, True)
        if entry.file.suffix == ".json":
            assert json.loads(entry.content) in shown, client
        elif entry.file.suffix == ".yaml":
            assert entry.content + "\n" in blocks("yaml")
        elif entry.file.suffix == ".toml":
            assert tomllib.loads(entry.content) in [tomllib.loads(block) for block in blocks("toml")]
    assert PARAGRAPH.format(name="cn") + "\n" in blocks("markdown")


def test_every_client_is_named() -> None:
    for client in CLIENTS:
        assert f"| `{client.name}` |" in AGENTS


def test_every_option_and_every_tool_is_named() -> None:
    for item in SERVE.parameters:
        assert f"--{item.name.replace('_', '-')}" in TEXT
    for tool in TOOLS:
        assert f"`{tool.name}`" in TEXT
