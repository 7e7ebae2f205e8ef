"""What a person sees while a daemon that was just started prepares its first answer."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator

from cn_client.call import write
from cn_client.connection import ConnectionLostError, OutOfTimeError, compose, exchange
from cn_shared.state import State, live

_EVERY_S = 0.25
_clock = time.monotonic


@contextlib.contextmanager
def shown(root: str) -> Iterator[None]:
    """Show on stderr, when it is a terminal, what is waited for and how long so far, until the block ends."""
    if not os.isatty(2):
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(root, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(1.0)


def _show(root: str, done: threading.Event) -> None:
    shown, begun = "", _clock()
    while not done.wait(_EVERY_S):
        state = live(root)
        line = _line(state) if state else "starting the daemon"
        seconds = int(_clock() - begun)
        if not line and seconds:
            line = "waiting for the answer"
        line += f" ({seconds} s)" if line and seconds else ""
        if line != shown:
            width = shutil.get_terminal_size().columns - 1
            write(2, ("\r\x1b[K" + line[:width]).encode("utf-8", "replace"))
            shown = line
    if shown:
        write(2, b"\r\x1b[K")


def _line(state: State) -> str:
    request = compose(
        "GET",
        "/status",
        port=state.port,
        token=state.token,
        accept="application/json",
        deadline_s=1.0,
    )
    try:
        reply = exchange(state.port, request, time.monotonic() + 1.0)
        servers = json.loads(reply.body)["languageServers"]
        busy = [row for row in servers if row["state"] in ("starting", "loading", "restarting")]
        line = "; ".join(f"{row['name']}: {row.get('detail') or row['state']}" for row in busy)
        # It may quote names of the workspace's: nothing in them may steer the terminal.
        return "".join(letter if letter.isprintable() else "?" for letter in line)
    except (ConnectionLostError, OutOfTimeError, ValueError, KeyError, TypeError, AttributeError):
        return ""
