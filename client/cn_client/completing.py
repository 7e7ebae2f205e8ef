"""Completion in a shell: click's, with the names of the workspace from a daemon that runs. None is started."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable

import click
from click.shell_completion import CompletionItem, get_completion_class

from cn_client.call import workspace, write
from cn_client.connection import SLACK_S, compose, exchange, quoted
from cn_shared.state import live
from cn_shared.verbs import Parameter

ASKED = "_CN_COMPLETE"
_PATIENCE_S = 0.5  # somebody waits at their prompt

Source = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]


def script(shell: str) -> int:
    """Print the script for that shell."""
    from cn_client.cli import build

    kind = get_completion_class(shell)
    assert kind is not None
    write(1, kind(build(), {}, "cn", ASKED).source().encode())
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
    return [CompletionItem(owner + dot + name) for name in _known(context.obj.get("root"), member)]


def _known(root: str | None, prefix: str) -> list[str]:
    state = live(workspace(root))
    if state is None:
        return []
    request = compose(
        "GET",
        "/names?prefix=" + quoted(prefix),
        port=state.port,
        token=state.token,
        accept="application/json",
        deadline_s=_PATIENCE_S,
    )
    # `exchange` gives a daemon some time more, in which it says what it knows: not here.
    reply = exchange(state.port, request, time.monotonic() + _PATIENCE_S - SLACK_S)
    told = json.loads(reply.body)["names"] if reply.status == 200 else []
    # The code may be a stranger's: nothing but letters gets to the prompt.
    known = [name for name in told if name.replace("$", "_").isidentifier()]
    # What all of them begin with takes the place of what was typed: in zsh that would be nothing, were case not kept.
    return [name for name in known if name.startswith(prefix)] or known
