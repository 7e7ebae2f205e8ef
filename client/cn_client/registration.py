"""`cn init`: what makes each coding agent know cn, shown, merged into its files, and removed from them."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cn_client import entries
from cn_client.call import accepted, workspace, write
from cn_client.clients import CLIENTS
from cn_client.entries import BY_HAND, Entry
from cn_client.guidance import PARAGRAPH, SKILL
from cn_client.invocation import Invocation
from cn_client.output import clean
from cn_client.own_verbs import CLIENTS as NAMES
from cn_shared import __version__, folders
from cn_shared.errors import EXIT_FOUND, ForbiddenError, InputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_HOOKS = {"claude": ".claude/settings.local.json", "codex": ".codex/hooks.json"}
_NEXT = {
    "agents": ("Agents read AGENTS.md by themselves.", ""),
    "skill": ("Agents find the skill cn by themselves, when they start next.", "/skills"),
    "claude-plugin": (
        "Instead of the client claude, for all workspaces: claude plugin marketplace add {folder} && claude plugin "
        "install cn@cn",
        "claude plugin list",
    ),
}


def run(call: Invocation) -> int:
    """List the clients, show what goes into their files, write it or remove it.

    Raises InputError (a file that cannot be merged into), ForbiddenError.
    """
    accept = accepted(call.format)
    given = call.parameters
    name = str(given.get("as", "cn"))
    if not _NAME.fullmatch(name):
        raise InputError("bad_name", f"{name!r} is not a name for a server.", "Letters, digits, - and _.")
    root = Path(workspace(call.root))
    wanted = _wanted(given.get("client"))
    if given.get("write") and given.get("remove"):
        raise InputError("bad_usage", "--write and --remove are each other's opposite.", "Name one of them.")
    changing = next((one for one in ("write", "remove") if given.get(one)), "")
    if changing and not given.get("client"):
        raise InputError("bad_usage", f"--{changing} needs --client.", f"Name some of {', '.join(NAMES)}, all, auto.")
    if given.get("list") or not given.get("client"):
        return _list(accept, root, name)
    hooks = bool(given.get("hooks") or given.get("remove"))
    having = [*_HOOKS, "claude-plugin"]
    if given.get("hooks") and not set(having).intersection(wanted):
        raise InputError("bad_usage", "--hooks needs a client with hooks.", f"Those are {', '.join(having)}.")
    found = [entry for client in wanted for entry in _entries(client, name, root, "as" in given, hooks)]
    if not changing:
        return _print(found, accept)
    removing = changing == "remove"
    changed = [_write(one, root, one.remove if removing else one.merge) for one in found]
    _say(_report(found, changed, accept, removing))
    return EXIT_FOUND


def _wanted(named: Any) -> list[str]:
    """The clients that these names stand for, each once, in the order of the table."""
    names = set(named if isinstance(named, list | tuple) else [named] if named else ())
    if "all" in names:
        names |= {client for client in NAMES if client != "claude-plugin"}
    if "auto" in names:
        names |= {client.name for client in CLIENTS if client.installed()}
    return [client for client in NAMES if client in names]


def _entries(client: str, name: str, root: Path, chosen: bool, hooks: bool) -> list[Entry]:
    """All that goes into the files of that client's."""
    if client == "agents":
        return [entries.paragraph(client, "AGENTS.md", root / "AGENTS.md", PARAGRAPH.format(name=name))]
    if client == "skill":
        places = (".claude/skills/cn/SKILL.md", ".agents/skills/cn/SKILL.md")
        return [entries.own_file(client, "Skill", root / place, SKILL, marked=True) for place in places]
    if client == "claude-plugin":
        return list(_plugin(client, hooks))
    row = next(one for one in CLIENTS if one.name == client)
    found = [entries.server(row, name, root, chosen)]
    if client == "claude":
        found.append(entries.environment(root))
    if hooks and client in _HOOKS:
        found.append(entries.hooks(client, row.title, root / _HOOKS[client]))
    return found


def _plugin(client: str, hooks: bool) -> Iterable[Entry]:
    """A plugin, and the marketplace of one that Claude Code installs it from."""
    folder = plugin_folder()
    about = "Exact code navigation: where a symbol is, who uses it, what a change breaks"
    author = {"name": "cn"}
    documents: dict[str, Any] = {
        ".claude-plugin/marketplace.json": {
            "name": "cn", "owner": author, "description": about,
            "plugins": [{"name": "cn", "source": "./plugin", "description": about}],
        },
        "plugin/.claude-plugin/plugin.json": {
            "name": "cn", "version": __version__, "description": about, "author": author,
        },
        "plugin/.mcp.json": {"mcpServers": {"cn": {"command": "cn", "args": ["mcp"], "alwaysLoad": True}}},
    }  # fmt: skip
    if hooks:
        documents["plugin/hooks/hooks.json"] = {
            "hooks": {event: [group] for event, group in entries.CLAUDE_HOOKS.items()}
        }
    for place, document in documents.items():
        content = json.dumps(document, indent=2) + "\n"
        yield entries.own_file(client, "Claude Code, plugin", folder / place, content, marked=False)
    yield entries.own_file(client, "Claude Code, plugin", folder / "plugin/skills/cn/SKILL.md", SKILL, marked=False)


def plugin_folder() -> Path:
    """Where the plugin for Claude Code lies."""
    return Path(folders.base("XDG_DATA_HOME", ".local/share")) / "claude-plugin"


def _list(accept: str, root: Path, name: str) -> int:
    rows = []
    for client in NAMES:
        found = _entries(client, name, root, False, False)
        installed = any(one.name == client and one.installed() for one in CLIENTS)
        rows.append({"client": client, "title": found[0].title, "file": str(found[0].file), "installed": installed,
                     "written": _is_written(found[0])})  # fmt: skip
    if not accept.startswith("text/"):
        _say(_compact(rows))
        return EXIT_FOUND
    lines = []
    for row in rows:
        state = "written" if row["written"] else "installed" if row["installed"] else ""
        file = clean(str(row["file"]).removeprefix(f"{root}/"))
        lines.append(f"{row['client']:14}{row['title']:21}{state:10}{file}")
    lines += [
        "",
        "cn init --client NAME shows what goes into a client's files; --write writes it, --remove takes it out again.",
        "NAME may be given several times, or be all, or auto: those that are installed. --hooks: see cn init --help.",
    ]
    _say("\n".join(lines) + "\n")
    return EXIT_FOUND


def _is_written(entry: Entry) -> bool:
    text = entries.text_of(entry.file)
    try:
        return text != "" and entry.merge(text) == text
    except InputError:
        return False


def _next(entry: Entry) -> tuple[str, str]:
    """What to do next in the client, and the command that checks it."""
    row = next((one for one in CLIENTS if one.name == entry.client), None)
    words = (row.next, row.check) if row else _NEXT[entry.client]
    return words[0].format(name=entry.name, folder=plugin_folder()), words[1].format(name=entry.name)


def _report(found: list[Entry], changed: list[bool], accept: str, removing: bool) -> str:
    """What was done, and for each client what to do next."""
    if not accept.startswith("text/"):
        rows = [
            {"client": one.client, "file": str(one.file), "changed": new, **({} if removing else _advice(one))}
            for one, new in zip(found, changed, strict=True)
        ]
        return _compact(rows)
    lines = []
    for one, new in zip(found, changed, strict=True):
        word = ("removed from" if new else "not in") if removing else ("wrote" if new else "already in")
        lines.append(f"{word} {clean(one.file)}")
    servers = {one.client: next(entry for entry in found if entry.client == one.client) for one in found}
    for one in () if removing else servers.values():
        following, check = _next(one)
        lines.append(f"next, {one.client}: {clean(following)}")
        if one.client == "codex" and any(entry.title == "Codex, hooks" for entry in found):
            lines.append("next, codex: review the hooks when it asks, or with /hooks; until then they do not run.")
        if check:
            lines.append(f"check, {one.client}: {clean(check)}")
    return "".join(line + "\n" for line in lines)


def _advice(entry: Entry) -> dict[str, str]:
    return dict(zip(("next", "check"), _next(entry), strict=True))


def _target(entry: Entry, root: Path) -> Path:
    """The file to write, behind symbolic links. Raises ForbiddenError for one that must not be written."""
    file = Path(os.path.realpath(entry.file))
    if entry.file.is_relative_to(root) and not file.is_relative_to(root):
        # A cloned repository could have us write into the user's own files.
        raise ForbiddenError("outside_root", f"{entry.file} leads out of the workspace, to {file}.", BY_HAND)
    if os.path.lexists(file) and not file.is_file():
        raise ForbiddenError("unwritable", f"{file} is not a file.", BY_HAND)
    # Replacing needs no right to write the file itself: who has taken that away means it.
    if file.exists() and not (file.stat().st_mode & 0o222 and os.access(file, os.W_OK)):
        raise ForbiddenError("unwritable", f"{file} is read-only.", BY_HAND)
    return file


def _write(entry: Entry, root: Path, change: Callable[[str], str]) -> bool:
    """Whether the file changed. Atomic, through symbolic links, with the file's own mode; gone when nothing is left."""
    file = _target(entry, root)
    try:
        before = file.read_bytes().decode() if file.exists() else ""
        after = change(before)
        if after == before:
            return False
        if "".join(after.split()) in ("", "{}") and change == entry.remove:
            _delete(entry.file, root)
            return True
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
        raise InputError("not_mergeable", f"{file} is not UTF-8.", BY_HAND) from None
    return True


def _delete(file: Path, root: Path) -> None:
    """The file, and the folders that are empty then."""
    file.unlink()
    for folder in file.parents:
        if folder in (root, Path(folders.home())) or any(folder.iterdir()):
            return
        folder.rmdir()


def _print(found: list[Entry], accept: str) -> int:
    if not accept.startswith("text/"):
        rows = [{"client": one.client, "file": str(one.file), "content": one.content, **_advice(one)} for one in found]
        _say(_compact(rows))
        return EXIT_FOUND
    parts = [f"{titled(one)}\n\n{_indented(one.content)}" for one in found]
    names = " ".join(f"--client {client}" for client in dict.fromkeys(one.client for one in found))
    hooks = " --hooks" if any(one.title.endswith("hooks") for one in found) else ""
    _say("\n\n".join([*parts, f"To write it: cn init {names}{hooks} --write"]) + "\n")
    return EXIT_FOUND


def titled(entry: Entry) -> str:
    return f"{entry.title}: {clean(entry.file)}"


def _indented(text: str) -> str:
    return "\n".join("    " + line if line else "" for line in text.split("\n"))


def _compact(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def _say(text: str) -> None:
    write(1, text.encode("utf-8", "surrogateescape"))
