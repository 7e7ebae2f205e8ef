"""Completion in a shell: click's, with the names of the workspace from a daemon that runs. None is started."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from cn_client.call import workspace, write
from cn_client.connection import SLACK_S, compose, exchange, quoted
from cn_shared.state import live
from cn_shared.verbs import Parameter

ASKED = "_CN_COMPLETE"
_IDENTIFIERS = ("c1", "c2", "c3")
# Of a command's name, which may be a stranger's: nothing that a shell reads as more than a word.
_WORD = re.compile(r"[\w@+.][\w@+./-]{0,99}")
_PATIENCE_S = 0.5  # somebody waits at their prompt
_REVISIONS = ("for-each-ref", "--format=%(refname:short)", "--count=1000",
              "--sort=-creatordate", "refs/heads", "refs/tags", "refs/remotes")  # fmt: skip

Source = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]


def script(shell: str) -> int:
    """Print the script for that shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    source = kind(click.Group("cn"), {}, "cn", ASKED).source()
    # click's script for fish cuts a description at its first comma.
    write(1, source.replace('string split ","', 'string split --max 1 ","').encode())
    return 0


def answer(group: click.Group) -> int:
    """Answer the script, which has put the words that were typed into the environment."""
    # Nothing may be written over the prompt, whatever was typed.
    with contextlib.suppress(Exception, SystemExit):
        kind = get_completion_class(os.environ[ASKED].partition("_")[0])
        if kind is not None:
            chosen: dict[str, str] = {}
            write(1, kind(group, {"obj": chosen}, "cn", ASKED).complete().encode("utf-8", "replace") + b"\n")
    return 0


def source(item: Parameter) -> Source | None:
    """What completes a parameter; None leaves it to click, which knows choices."""
    if item.kind in ("file", "files") or item.metavar == "FILE" or item.name in ("file", "destination"):
        return files
    if item.positional and item.name in ("query", "targetId") and not item.empty:
        return names
    if item.positional and item.name in (*_IDENTIFIERS, "command_id"):
        return commands
    if item.positional and item.name == "path":
        return reports
    if item.positional and item.name == "rev":
        return revisions
    return None


def files(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    return [CompletionItem(begun, type="file")]


def folders(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    return [CompletionItem(begun, type="dir")]


def names(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Identifiers, those that were asked for last first; files for what begins like a path (`src/user.ts:User`)."""
    if "/" in begun:
        return files(context, parameter, begun)
    owner, dot, member = begun.rpartition(".")
    if dot and not member:  # whatever was asked for last is no member of it
        return []
    return [CompletionItem(owner + dot + name) for name in _known(context.obj.get("root"), member)]


def commands(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """What a command is called: its name, or the next of a Climpt command's identifiers.

    No canonical ids: to bash a colon ends a word.
    """
    climpt = parameter.name in _IDENTIFIERS
    before = [context.params[name] for name in _IDENTIFIERS if context.params.get(name)]
    path = "/commands?page_size=1000" + ("&source=climpt" if climpt else "")
    found: dict[str, None] = {}
    for row in _answer(context.obj.get("root"), path).get("commands", ()):
        words = row["name"].split(" ") if climpt else [row["name"]]
        if words[: len(before)] == before and len(words) > len(before):
            found[words[len(before)]] = None
    return [CompletionItem(name) for name in found if name.startswith(begun) and _WORD.fullmatch(name)]


def reports(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """The paths of reports, the newest first."""
    rows = _answer(context.obj.get("root"), "/reports/list?limit=1000") or ()
    paths = [row["path"] for row in rows]
    return [CompletionItem(path) for path in paths if path.startswith(begun) and _WORD.fullmatch(path)]


def revisions(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Branches and tags, the newest first."""
    from cn_shared import git

    root = workspace(context.obj.get("root"))
    found = git.find(root, root, os.environ.get("PATH", ""))
    if found is None:
        return []
    found.check_objects()
    with found.question(*_REVISIONS, folder=root) as (command, environ):
        ran = subprocess.run(
            command,
            cwd=root,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=True,
        )
    with contextlib.suppress(OSError):  # what held the question's own folder
        os.rmdir(os.path.dirname(environ["TMPDIR"]))
    names = ["HEAD", *ran.stdout.decode("utf-8", "replace").split()]
    return [CompletionItem(name) for name in names if name.startswith(begun) and _WORD.fullmatch(name)]


def _known(root: str | None, prefix: str) -> list[str]:
    names = _answer(root, "/names?prefix=" + quoted(prefix)).get("names", ())
    # The code may be a stranger's: nothing but letters gets to the prompt.
    known = [name for name in names if name.replace("$", "_").isidentifier()]
    # What all of them begin with takes the place of what was typed: in zsh that would be nothing, were case not kept.
    return [name for name in known if name.startswith(prefix)] or known


def _answer(root: str | None, path: str) -> Any:
    """What a running daemon answers; {} when there is none, or it refuses."""
    state = live(workspace(root))
    if state is None:
        return {}
    request = compose(
        "GET",
        path,
        port=state.port,
        token=state.token,
        accept="application/json",
        deadline_s=_PATIENCE_S,
    )
    # `exchange` gives a daemon some time more, in which it says what it knows: not here.
    reply = exchange(state.port, request, time.monotonic() + _PATIENCE_S - SLACK_S)
    return json.loads(reply.body) if reply.status == 200 else {}
