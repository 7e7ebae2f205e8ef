"""The MCP servers that a workspace's own files name for the agents' clients, and whether `cn trust` vouched for them.

Whoever clones a repository has not chosen the programs in its `.mcp.json`: one is started only when the entry, byte for
byte, and the files of the workspace that its command line may lead to are those that the user vouched for.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cn_daemon import trust
from cn_daemon.adapters import json_text
from cn_daemon.adapters.patient_files import inside, read_text

# Where clients read them (each client's documentation), and the key that holds them.
PLACES = (
    (".mcp.json", "mcpServers"),
    (".cursor/mcp.json", "mcpServers"),
    (".vscode/mcp.json", "servers"),
    (".gemini/settings.json", "mcpServers"),
    (".qwen/settings.json", "mcpServers"),
    (".roo/mcp.json", "mcpServers"),
    (".github/mcp.json", "mcpServers"),
)
_VARIABLE = re.compile(r"\$\{(?:env:)?(\w+)(?::-([^}]*))?\}")
_MOST = 50


class McpServer(NamedTuple):
    """One entry. words: its command line. environment: what it is given besides. text: the entry, for its hash."""

    name: str
    file: str
    words: tuple[str, ...]
    environment: Mapping[str, str]
    text: str

    @property
    def key(self) -> str:
        """As the record of trust names it."""
        return f"{self.file}: {self.name}"

    def programs(self, root: Path) -> dict[str, str]:
        """The files of the workspace that its command line may lead to, also by way of npx, with their hashes."""
        tools = [f"node_modules/.bin/{word}" for word in self.words if "/" not in word]
        return trust.hashes(trust.candidates(root, [*self.words, *tools]))

    def digest(self, root: Path) -> str:
        """Of all that is vouched for: another one when a byte of it differs."""
        return trust.content_hash(json.dumps([self.text, self.programs(root)]).encode())

    def is_trusted(self, root: Path, record: trust.Record | None) -> bool:
        return record is not None and record.servers.get(self.key) == self.digest(root)

    def resolved(self, root: Path, variables: Mapping[str, str]) -> McpServer:
        """With the values of what it names as `${NAME}`, `${NAME:-else}` or `${env:NAME}`."""

        def value(found: re.Match[str]) -> str:
            if found[1] == "workspaceFolder":
                return str(root)
            return variables.get(found[1], found[2] or "")

        words = tuple(_VARIABLE.sub(value, word.replace("${workspaceFolder}", str(root))) for word in self.words)
        environment = {name: _VARIABLE.sub(value, text) for name, text in self.environment.items()}
        return self._replace(words=words, environment=environment)


def configured(root: Path) -> tuple[list[McpServer], list[str]]:
    """The servers that are programs, each name once, and warnings of files that cannot be read. `cn mcp` is none."""
    found: dict[str, McpServer] = {}
    warnings: list[str] = []
    for file, key in PLACES:
        if not os.path.isfile(root / file):
            continue
        try:
            text = read_text(str(root / file), lambda real: inside(real, root))
            document = json_text.load(json_text.without_comments(text).encode())
        except (OSError, ValueError, RecursionError) as error:
            warnings.append(f"{file}: its MCP servers cannot be read ({error}).")
            continue
        for server in _servers(file, document.get(key) if isinstance(document, dict) else None):
            found.setdefault(server.name, server)
    return list(found.values())[:_MOST], warnings


def _servers(file: str, entries: Any) -> Iterator[McpServer]:
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        command = entry.get("command") if isinstance(entry, dict) else None
        arguments = entry.get("args", []) if isinstance(entry, dict) else None
        environment = entry.get("env") if isinstance(entry, dict) else None
        if not isinstance(command, str) or not command or not isinstance(arguments, list):
            continue
        words = (command, *map(str, arguments))
        if os.path.basename(command) == "cn" and "mcp" in arguments:
            continue
        given = environment if isinstance(environment, dict) else {}
        text = json.dumps(entry, sort_keys=True)
        yield McpServer(name, file, words, {str(key): str(value) for key, value in given.items()}, text)
