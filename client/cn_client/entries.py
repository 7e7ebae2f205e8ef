"""What `cn init` puts into one file, and how it goes in and out again: everything else in the file stays."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cn_client import jsonc, sections
from cn_client.clients import Client
from cn_client.guidance import MARK
from cn_shared.errors import InputError

BY_HAND = "Run cn init without --write and add what it prints by hand."
BEGIN, END = "<!-- cn: begin -->", "<!-- cn: end -->"
# Whatever becomes of cn, the agent's call goes on.
HOOK = {"type": "command", "command": "cn hook 2>/dev/null || true", "timeout": 5}
_AFTER = {"matcher": "Bash|Grep", "hooks": [HOOK]}
# By event, as both clients call them; Claude Code has one of its own for a call that failed: a grep of no such folder.
CODEX_HOOKS: dict[str, dict[str, Any]] = {"SessionStart": {"hooks": [HOOK]}, "PostToolUse": _AFTER}
CLAUDE_HOOKS = {**CODEX_HOOKS, "PostToolUseFailure": _AFTER}
_SHELL = (("shell_environment_policy", "set"), {"CN_FORMAT": "text"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a client's, and what goes into it. merge, remove: the file's text with it, and without it.

    Both raise InputError: a file that cannot be merged into. name: of the server.
    """

    client: str
    title: str
    file: Path
    content: str
    merge: Callable[[str], str]
    remove: Callable[[str], str]
    name: str = "cn"


def server(client: Client, name: str, root: Path, chosen: bool) -> Entry:
    """A client's entry for its MCP server. chosen: the user chose the name, so what has it may be replaced."""
    file = client.file(root)
    kind = {".toml": _Toml, ".yaml": _Yaml}.get(file.suffix, _Json)(client, file, name, root, chosen)
    return Entry(client.name, client.title, file, kind.content(), kind.merge, kind.remove, kind.name())


class _Json:
    """Servers as members of an object in a JSON file, with comments or without."""

    def __init__(self, client: Client, file: Path, name: str, root: Path, chosen: bool) -> None:
        self.client, self.file, self.wanted, self.root, self.chosen = client, file, name, root, chosen

    def content(self) -> str:
        name = self.name()
        document: Any = {name: self.client.server(self.root, name)}
        for key in reversed(self.group(text_of(self.file))):
            document = {key: document}
        return json.dumps(document, indent=2, ensure_ascii=False)

    def name(self) -> str:
        """The name the entry has, or would have, in the file as it is."""
        try:
            return self.pick(self.servers(text_of(self.file)))
        except (ValueError, InputError):
            return self.wanted

    def group(self, text: str) -> tuple[str, ...]:
        if self.client.name == "opencode":  # opencode 2 reads `mcp.servers` too, opencode 1 `mcp` alone
            try:
                second = jsonc.get(text, ("mcp", "servers"))
            except ValueError:
                second = None
            if isinstance(second, dict) and not {"type", "command"} & second.keys():
                return "mcp", "servers"
        return self.client.group

    def servers(self, text: str) -> dict[str, Any]:
        found = jsonc.get(text, self.group(text))
        return found if isinstance(found, dict) else {}

    def pick(self, servers: dict[str, Any]) -> str:
        """A name that is free, or this workspace's. Raises ValueError."""
        names = [self.wanted]
        if self.client.shared and not self.chosen:
            folder = re.sub(r"[^A-Za-z0-9_-]+", "-", self.root.name).strip("-") or "workspace"
            names += [f"{self.wanted}-{folder}", *(f"{self.wanted}-{folder}-{number}" for number in range(2, 100))]
        mine = [name for name in names if self.mine(servers.get(name))]
        free = [name for name in names if servers.get(name) in (None, {})]
        for name in (*mine, *free):
            return name
        there = servers[self.wanted]
        if self.client.shared and _ours(there):
            raise ValueError(f"its server {self.wanted} is another workspace's ({_root(there)})")
        if self.chosen or not isinstance(there, dict):
            return self.wanted
        raise ValueError(f"it has another server {self.wanted} (--as gives ours another name, or replaces that one)")

    def mine(self, there: Any) -> bool:
        """Whether that entry runs cn for this workspace."""
        return _ours(there) and (not self.client.shared or _root(there) in ("", str(self.root)))

    def merge(self, text: str) -> str:
        with _refused(self.file):
            group, servers = self.group(text), self.servers(text)
            name = self.pick(servers)
            ours = _ours(servers.get(name))
            for key, value in self.client.server(self.root, name).items():
                # One by one: what the user added to the entry stays, and so does a path to cn.
                if ours and isinstance(value, list) and key in ("command", "args"):
                    there = servers[name].get(key)
                    if key == "command" and isinstance(there, list):
                        value = [there[0], *value[1:]]
                if not (ours and key in ("command", "cmd") and isinstance(value, str)):
                    text = jsonc.put(text, (*group, name, key), value)
            return text

    def remove(self, text: str) -> str:
        with _refused(self.file):
            for name, there in self.servers(text).items():
                if self.mine(there) and (self.client.shared or name == self.wanted):
                    text = jsonc.remove(text, (*self.group(text), name))
            return text


class _Toml(_Json):
    """Codex: a table per server, and the variables of its shell."""

    def content(self) -> str:
        name = self.name()
        text = sections.toml_put("", (*self.client.group, name), self.client.server(self.root, name))
        return sections.toml_put(text, *_SHELL).rstrip("\n")

    def servers(self, text: str) -> dict[str, Any]:
        found = tomllib.loads(text).get(self.client.group[0], {})
        return found if isinstance(found, dict) else {}

    def group(self, text: str) -> tuple[str, ...]:
        return self.client.group

    def merge(self, text: str) -> str:
        with _refused(self.file):
            there, wanted = self.servers(text).get(self.wanted), self.client.server(self.root, self.wanted)
            if there and not (_ours(there) and there.get("args") == wanted["args"]):
                raise ValueError(f"it has another server {self.wanted}")
            text = sections.toml_put(text, (*self.client.group, self.wanted), wanted)
            try:
                return sections.toml_put(text, *_SHELL)
            except ValueError:  # the user's own policy, written in another way
                return text

    def remove(self, text: str) -> str:
        with _refused(self.file):
            if self.mine(self.servers(text).get(self.wanted)):
                text = sections.toml_remove(text, (*self.client.group, self.wanted))
            policy = tomllib.loads(text).get(_SHELL[0][0], {}).get("set", {})
            return sections.toml_remove(text, _SHELL[0], "CN_FORMAT") if policy.get("CN_FORMAT") == "text" else text


class _Yaml(_Json):
    """goose: a mapping of extensions."""

    def content(self) -> str:
        name = self.name()
        return sections.yaml_put("", ("extensions", name), self.client.server(self.root, name)).rstrip("\n")

    def servers(self, text: str) -> dict[str, Any]:
        return sections.yaml_mapping(text).get(self.client.group[0]) or {}

    def group(self, text: str) -> tuple[str, ...]:
        return self.client.group

    def merge(self, text: str) -> str:
        with _refused(self.file):
            servers = self.servers(text)
            name = self.pick(servers)
            there = servers.get(name) if _ours(servers.get(name)) else {}
            entry = {**self.client.server(self.root, name), **(there or {})}
            return sections.yaml_put(text, (self.client.group[0], name), entry)

    def remove(self, text: str) -> str:
        with _refused(self.file):
            for name, there in self.servers(text).items():
                if self.mine(there):
                    text = sections.yaml_remove(text, (self.client.group[0], name))
            return text


def environment(root: Path) -> Entry:
    """What makes `cn` print text in Claude Code's shell, which is a pipe."""
    file, path = root / ".claude" / "settings.json", ("env", "CN_FORMAT")

    def merge(text: str) -> str:
        with _refused(file):
            return text if jsonc.get(text, path) is not None else jsonc.put(text, path, "text")

    def remove(text: str) -> str:
        with _refused(file):
            return jsonc.remove(text, path) if jsonc.get(text, path) == "text" else text

    content = json.dumps({"env": {"CN_FORMAT": "text"}}, indent=2)
    return Entry("claude", "Claude Code, for its shell", file, content, merge, remove)


def hooks(client: str, title: str, file: Path) -> Entry:
    """The hooks of Claude Code or Codex, which have one format."""
    wanted = CODEX_HOOKS if client == "codex" else CLAUDE_HOOKS

    def merge(text: str) -> str:
        with _refused(file):
            for event, group in wanted.items():
                there = jsonc.get(text, ("hooks", event))
                if not any(True for _ in _hooks_of_ours(there)):
                    text = jsonc.put(text, ("hooks", event, "-"), group)
            return text

    def remove(text: str) -> str:
        with _refused(file):
            for event in wanted:
                for group, hook, alone in reversed(list(_hooks_of_ours(jsonc.get(text, ("hooks", event))))):
                    text = jsonc.remove(text, ("hooks", event, group, *(() if alone else ("hooks", hook))))
            return text

    content = json.dumps({"hooks": {event: [group] for event, group in wanted.items()}}, indent=2)
    return Entry(client, f"{title}, hooks", file, content, merge, remove)


def _hooks_of_ours(groups: Any) -> list[tuple[str, str, bool]]:
    """Where they are in the groups of an event: the group, the hook in it, and whether that is its only one."""
    found = []
    for number, group in enumerate(groups if isinstance(groups, list) else []):
        commands = group.get("hooks") if isinstance(group, dict) else None
        for place, hook in enumerate(commands if isinstance(commands, list) else []):
            if isinstance(hook, dict) and str(hook.get("command", "")).startswith("cn hook"):
                found.append((str(number), str(place), len(commands or []) == 1))
    return found


def paragraph(client: str, title: str, file: Path, words: str) -> Entry:
    """A part of somebody's Markdown, between two marks."""
    content = f"{BEGIN}\n{words}\n{END}"
    # A mark that has lost its other one is somebody's text: nothing between it and ours may go.
    marked = re.compile(f"{BEGIN}(?:(?!{BEGIN}|{END}).)*{END}", re.DOTALL)

    def merge(text: str) -> str:
        found = marked.search(text)
        if found is None:
            return sections.appended(text, content)
        return text[: found.start()] + content.replace("\n", sections.line_end(text)) + text[found.end() :]

    def remove(text: str) -> str:
        found = marked.search(text)
        if found is None:
            return text
        before, after = text[: found.start()], text[found.end() :].lstrip("\r\n")
        return before + after if after else before.rstrip("\r\n") + sections.line_end(text) * bool(before.strip())

    return Entry(client, title, file, content, merge, remove)


def own_file(client: str, title: str, file: Path, content: str, *, marked: bool) -> Entry:
    """A file that is cn's alone. marked: by a line in it; else by lying in a folder of cn's."""

    def ours(text: str) -> bool:
        return not text.strip() or not marked or MARK in text

    def merge(text: str) -> str:
        if not ours(text):
            raise InputError("not_mergeable", f"{file} is somebody else's.", BY_HAND)
        return content

    return Entry(client, title, file, content, merge, lambda text: "" if ours(text) else text)


class _refused:  # noqa: N801  # a context manager
    """What cannot be read or edited as that file's format, as an InputError."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError | AttributeError | TypeError):
            message = f"{self._file} cannot be merged into: {error}."
            raise InputError("not_mergeable", message, BY_HAND) from None


def _words(there: Any) -> list[str]:
    """The command line of a server's entry, in any client's shape."""
    if not isinstance(there, dict):
        return []
    command, rest = there.get("command", there.get("cmd")), there.get("args")
    words = command if isinstance(command, list) else [command]
    return [str(word) for word in (*words, *(rest if isinstance(rest, list) else ())) if word is not None]


def _ours(there: Any) -> bool:
    """Whether it runs cn, by its name or by its path."""
    return os.path.basename(next(iter(_words(there)), "")) in ("cn", "cn.exe")


def _root(there: Any) -> str:
    words = _words(there)
    named = [word.partition("=")[2] for word in words if word.startswith("--root=")]
    return (words[words.index("--root") + 1 :][:1] or [""])[0] if "--root" in words else next(iter(named), "")


def text_of(file: Path) -> str:
    """What is in that file; nothing when it cannot be read, or is a pipe that a repository brought."""
    try:
        return file.read_text("utf-8") if file.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
