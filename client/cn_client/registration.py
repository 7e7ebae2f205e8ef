"""`cn init`: how each coding agent is told of cn, printed or merged into its file."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cn_client import jsonc
from cn_client.call import accepted, workspace, write
from cn_client.invocation import Invocation
from cn_client.output import clean
from cn_client.own_verbs import CLIENTS
from cn_shared import folders
from cn_shared.errors import EXIT_FOUND, ForbiddenError, InputError

PARAGRAPH = """\
## Code and command search: cn

Prefer `cn` (MCP server `{name}`, or the shell command) to grep and to reading whole files:

- `cn --text find NAME` – definition and every reference, exact; `cn --text inspect ID` – the code of one symbol;
  `cn --text map FILE` – the outline of a file. For TypeScript, JavaScript, Python, C, C++, Go and Rust.
- `cn --text callers NAME`, `cn --text refs NAME`, `cn --text impls NAME` – who calls, mentions, implements it;
  `cn --text overview` – what the workspace holds; `cn --text changed` – the symbols an edit touches, and who uses them.
- `cn --text search "what you want done"` – a ready command for the task; `cn --text get ID`, then
  `cn --text invoke ID`.
- `cn --text reports search "question"` – what was analysed before.

Without `--text` a pipe gets JSON, which is longer. Answers say whether they are complete; errors carry a hint: follow
it."""
_BEGIN, _END = "<!-- cn: begin -->", "<!-- cn: end -->"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """One client's file, and what goes into it. merge: the file's text with it, from the file's text without."""

    client: str
    title: str
    file: Path
    content: str
    merge: Callable[[str], str]


def run(call: Invocation) -> int:
    """Print the entries, or write one. Raises InputError (a file that cannot be merged into), ForbiddenError."""
    accept = accepted(call.format)
    given = call.parameters
    name = str(given.get("as", "cn"))
    if not _NAME.fullmatch(name):
        raise InputError("bad_name", f"{name!r} is no name for a server.", "Letters, digits, - and _.")
    root = Path(workspace(call.root))
    wanted = given.get("client")
    entries = [
        entry
        for client in CLIENTS
        if wanted in (None, client)
        for entry in (_entry(client, name, root, "as" in given), *_environment(client, root))
    ]
    if not given.get("write"):
        return _print(entries, accept)
    if wanted is None:
        raise InputError("bad_usage", "--write needs --client.", f"Name one of {', '.join(CLIENTS)}.")
    changed = [_write(entry, root) for entry in entries]
    first, *others = (str(entry.file) for entry in entries)
    told = {"client": wanted, "file": first, "changed": any(changed), **({"also": others} if others else {})}
    lines = (
        f"{'wrote' if one else 'already in'} {clean(entry.file)}\n" for one, entry in zip(changed, entries, strict=True)
    )
    _say("".join(lines) if accept.startswith("text/") else _compact(told))
    return EXIT_FOUND


def _environment(client: str, root: Path) -> list[Entry]:
    """What makes `cn` print text in the client's own shell, a pipe, where its settings have a place for that."""
    if client != "claude":
        return []
    file, path = root / ".claude" / "settings.json", ("env", "CN_FORMAT")

    def merge(text: str) -> str:
        try:
            return text if jsonc.get(text, path) is not None else jsonc.put(text, path, "text")
        except ValueError as error:
            raise InputError("not_mergeable", f"{file} cannot be merged into: {error}.", _BY_HAND) from None

    content = json.dumps({"env": {"CN_FORMAT": "text"}}, indent=2)
    return [Entry(client, "Claude Code, for its shell", file, content, merge)]


def _entry(client: str, name: str, root: Path, chosen: bool) -> Entry:
    """chosen: the user chose the name, so a server that has it may be replaced."""
    home = Path(folders.home())
    command: dict[str, object] = {"command": "cn", "args": ["mcp"]}
    match client:
        case "claude":
            # It keeps the tools of other servers from its model until a search finds them.
            server = {**command, "alwaysLoad": True}
            return _json_entry(client, "Claude Code", root / ".mcp.json", ("mcpServers", name), server, chosen)
        case "cursor":
            return _json_entry(client, "Cursor", root / ".cursor" / "mcp.json", ("mcpServers", name), command, chosen)
        case "vscode":
            server = {"type": "stdio", **command}
            return _json_entry(client, "VS Code", root / ".vscode" / "mcp.json", ("servers", name), server, chosen)
        case "gemini":
            return _json_entry(
                client, "Gemini CLI", root / ".gemini" / "settings.json", ("mcpServers", name), command, chosen
            )
        case "windsurf":
            # One file for all workspaces, started in no certain folder: the root must be said.
            file = home / ".codeium" / "windsurf" / "mcp_config.json"
            server = {"command": "cn", "args": ["mcp", "--root", str(root)]}
            return _json_entry(client, "Windsurf", file, ("mcpServers", name), server, chosen)
        case "codex":
            folder = Path(os.environ.get("CODEX_HOME") or home / ".codex")
            lines = 'command = "cn"\nargs = ["mcp"]'
            content = f"[mcp_servers.{name}]\n{lines}"
            return Entry(client, "Codex", folder / "config.toml", content, lambda text: _toml(text, name, content))
    paragraph = f"{_BEGIN}\n{PARAGRAPH.format(name=name)}\n{_END}"
    return Entry(client, "AGENTS.md", root / "AGENTS.md", paragraph, lambda text: _marked(text, paragraph))


def _json_entry(
    client: str, title: str, file: Path, path: tuple[str, str], server: dict[str, object], chosen: bool
) -> Entry:
    def merge(text: str) -> str:
        merged = text
        try:
            there = jsonc.get(text, path)
            if isinstance(there, dict) and there and not chosen and not _ours(there):
                raise ValueError(
                    f"it has another server {path[1]} (--as gives ours another name, or replaces that one)"
                )
            for key, value in server.items():  # one by one: what the user added to the entry stays
                if key != "command" or not (isinstance(there, dict) and _ours(there)):
                    merged = jsonc.put(merged, (*path, key), value)
        except ValueError as error:
            raise InputError("not_mergeable", f"{file} cannot be merged into: {error}.", _BY_HAND) from None
        return merged

    content = json.dumps({path[0]: {path[1]: server}}, indent=2, ensure_ascii=False)
    return Entry(client, title, file, content, merge)


def _ours(server: dict[str, object]) -> bool:
    """Whether it runs cn, by its name or by its path."""
    return os.path.basename(str(server.get("command", ""))) in ("cn", "cn.exe")


_BY_HAND = "Run cn init without --write and add what it prints by hand."


def _toml(text: str, name: str, section: str) -> str:
    try:
        document = tomllib.loads(text)
        servers = document.get("mcp_servers", {})
        if name not in servers:
            merged = _appended(text, section)
            if tomllib.loads(merged) != {
                **document,
                "mcp_servers": {**servers, **tomllib.loads(section)["mcp_servers"]},
            }:
                raise ValueError("mcp_servers is written in another way")
            return merged
        if _ours(servers[name]) and servers[name].get("args") == ["mcp"]:
            return text
        raise ValueError(f"it has another server {name}")
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError("not_mergeable", f"config.toml cannot be merged into: {error}.", _BY_HAND) from None


def _marked(text: str, paragraph: str) -> str:
    # A mark that has lost its other one is somebody's text: nothing between it and ours may go.
    found = re.search(f"{_BEGIN}(?:(?!{_BEGIN}|{_END}).)*{_END}", text, re.DOTALL)
    if found is None:
        return _appended(text, paragraph)
    return text[: found.start()] + paragraph.replace("\n", _line_end(text)) + text[found.end() :]


def _appended(text: str, section: str) -> str:
    gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
    return text + f"{gap}{section}\n".replace("\n", _line_end(text))


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _target(entry: Entry, root: Path) -> Path:
    """The file to write, behind symbolic links. Raises ForbiddenError for one that must not be written."""
    file = Path(os.path.realpath(entry.file))
    if entry.file.is_relative_to(root) and not file.is_relative_to(root):
        # A cloned repository could have us write into the user's own files.
        raise ForbiddenError("outside_root", f"{entry.file} leads out of the workspace, to {file}.", _BY_HAND)
    if os.path.lexists(file) and not file.is_file():
        raise ForbiddenError("unwritable", f"{file} is no file.", _BY_HAND)
    # Replacing needs no right to write the file itself: who has taken that away means it.
    if file.exists() and not (file.stat().st_mode & 0o222 and os.access(file, os.W_OK)):
        raise ForbiddenError("unwritable", f"{file} is read-only.", _BY_HAND)
    return file


def _write(entry: Entry, root: Path) -> bool:
    """Whether the file changed. Atomic, through symbolic links, with the file's own mode."""
    file = _target(entry, root)
    try:
        before = file.read_bytes().decode() if file.exists() else ""
        after = entry.merge(before)
        if after == before:
            return False
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(after.encode())
            os.chmod(draft, file.stat().st_mode & 0o7777 if file.exists() else 0o644)
            os.replace(draft, file)
        except BaseException:
            os.unlink(draft)
            raise
    except OSError as error:
        raise ForbiddenError("unwritable", f"{file} cannot be written: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError("not_mergeable", f"{file} is not UTF-8.", _BY_HAND) from None
    return True


def _print(entries: list[Entry], accept: str) -> int:
    if not accept.startswith("text/"):
        rows = [{"client": one.client, "file": str(one.file), "content": one.content} for one in entries]
        _say(_compact(rows))
        return EXIT_FOUND
    parts = [f"{titled(one)}\n\n{_indented(one.content)}" for one in entries]
    clients = entries[0].client if len(entries) == 1 else "NAME"
    _say("\n\n".join([*parts, f"To write it: cn init --client {clients} --write"]) + "\n")
    return EXIT_FOUND


def titled(entry: Entry) -> str:
    return f"{entry.title}: {clean(entry.file)}"


def _indented(text: str) -> str:
    return "\n".join("    " + line if line else "" for line in text.split("\n"))


def _compact(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"


def _say(text: str) -> None:
    write(1, text.encode("utf-8", "surrogateescape"))
