"""`cn hook`: what a coding agent's hook runs. It answers a search for a symbol beside what grep found.

It never blocks and never fails a call: whatever happens it ends in time, with exit code 0, and says nothing where it
has nothing exact to say. Claude Code and Codex give it the event on standard input and read its answer as JSON.

The daemon reads the search and words the answer (`interfaces/hook`): on a busy machine the agent waits several times as
long as this process works, and most of its work is to import modules.
"""

import os
import sys
import time

from cn_client.call import document, write
from cn_client.connection import SLACK_S, compose, exchange
from cn_shared.folders import MARKS, find_root
from cn_shared.state import live, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# From the start of this process: the agent's call goes on within 300 ms.
_PATIENCE_S = 0.22
_LONGEST = 8_000_000  # bytes of an event, which brings the output of the tool along
_SENT = ("command", "cmd", "pattern", "path", "glob")  # of the tool's input
START = (
    "Symbols of this workspace: `cn --text find NAME` (or Class.member, path:line:column) answers with the definition "
    "and every use, exactly; `cn --text map FILE`, `cn --text inspect ID`, `cn --text callers NAME` likewise. What cn "
    "knows of a symbol that is searched for by grep stands below grep's output."
)


def run() -> int:
    """Answer the event on standard input; 0."""
    end = time.monotonic() + max(0.0, _PATIENCE_S - _age_s())
    try:
        event: Any = parse(sys.stdin.buffer.read(_LONGEST).decode("utf-8", "replace"))
        context = _context(event, end)
        if context:
            output: dict[str, object] = {"hookEventName": event["hook_event_name"], "additionalContext": context}
            write(1, b'{"hookSpecificOutput":' + document(output).encode() + b"}")
    except Exception:
        pass
    return 0


def _age_s() -> float:
    """How long this process has run, to a hundredth; 0 where the system does not tell."""
    try:
        with open("/proc/self/stat", "rb") as stat:
            ticks = int(stat.read().rpartition(b")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0


def _context(event: "dict[str, Any]", end: float) -> str:
    folder = event.get("cwd")
    if folder:
        os.chdir(folder)
    root = os.path.realpath(os.environ.get("CN_ROOT") or find_root(os.getcwd()))
    if event["hook_event_name"] == "SessionStart":
        if live(root) is None:
            _start(root)
        return START
    tool = {name: value for name, value in event["tool_input"].items() if name in _SENT and value}
    state = live(root)
    if state is None:
        from cn_shared.grepping import names

        if names(tool):
            _start(root)  # for the next one
        return ""
    request = compose(
        "POST",
        "/hook",
        port=state.port,
        token=state.token,
        accept="text/plain; errors=json",
        deadline_s=max(0.01, end - time.monotonic()),
        body=document(tool),
    )
    # `exchange` gives a daemon some time more, in which it says what it knows: not here.
    reply = exchange(state.port, request, end - SLACK_S)
    return reply.body.decode("utf-8", "replace") if reply.status == 200 else ""


def _start(root: str) -> None:
    """Have a daemon started, and do not wait for it. Not for a folder that is no project: nobody asked for it there."""
    if not any(os.path.lexists(os.path.join(root, mark)) for mark in MARKS):
        return
    import subprocess

    from cn_shared import interpreter

    command = interpreter.command("cn_client", "start", f"--root={root}", root=root)
    subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
