"""`cn hook`: what a coding agent's hook runs. It answers a search for a symbol beside what grep found.

It never blocks and never fails a call: whatever happens it ends in time, with exit code 0, and says nothing where it
has nothing exact to say. Claude Code and Codex give it the event on standard input and read its answer as JSON.
"""

import contextlib
import os
import sys
import threading
import time

from cn_client.connection import SLACK_S, compose, exchange
from cn_client.grepping import names
from cn_client.tokens import estimated
from cn_shared.folders import MARKS, find_root
from cn_shared.state import State, live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# From the start of this process: the agent's call goes on within 300 ms.
_PATIENCE_S = 0.22
_TO_WRITE_S = 0.05  # before that, the daemon says what it knows
_MARGIN_S = 0.3  # so long before a deadline it begins to write
_MORE = "there may be more uses:"
_TOKENS = 300  # of all answers, as the daemon counts them: a token for four characters
_MOST = 400  # of all that is added
_HEAD = "cn, exactly:"
_USES = 12  # of all of them: more would stand there without their lines
_LONGEST = 8_000_000  # bytes of an event, which brings the output of the tool along
START = (
    "Symbols of this workspace: `cn --text find NAME` (or Class.member, path:line:column) answers with the definition "
    "and every use, exactly; `cn --text map FILE`, `cn --text inspect ID`, `cn --text callers NAME` likewise. What cn "
    "knows of a symbol that is searched for by grep stands below grep's output."
)


def run() -> int:
    """Answer the event on standard input; 0."""
    end = time.monotonic() + max(0.0, _PATIENCE_S - _age_s())
    with contextlib.suppress(Exception):
        import json

        event = json.loads(sys.stdin.buffer.read(_LONGEST))
        context = _context(event, end)
        if context:
            output = {"hookEventName": event["hook_event_name"], "additionalContext": context}
            os.write(1, json.dumps({"hookSpecificOutput": output}).encode())
    return 0


def _age_s() -> float:
    """How long this process has run, to a hundredth; 0 where the system does not tell."""
    with contextlib.suppress(OSError, AttributeError, ValueError, IndexError):
        with open("/proc/self/stat", "rb") as stat:
            ticks = int(stat.read().rpartition(b")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
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
    wanted = names(event["tool_input"])
    state = live(root) if wanted else None
    if wanted and state is None:
        _start(root)  # for the next one
    return _answers(state, wanted, end) if state else ""


def _answers(state: State, wanted: list[str], end: float) -> str:
    """What the daemon says of those that are symbols, all asked at once."""
    found: dict[str, str] = {}

    def ask(name: str) -> None:
        with contextlib.suppress(Exception):
            for late_s in (_PATIENCE_S, _TO_WRITE_S):  # the definition, then all of it if there is time
                deadline_s = max(0.01, end - late_s - time.monotonic() + _MARGIN_S)
                found[name] = _answer(state, name, len(wanted), deadline_s, end)
                if not found[name] or _MORE not in found[name]:
                    return

    asking = [threading.Thread(target=ask, args=(name,), daemon=True) for name in wanted]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(max(0.0, end - time.monotonic()))
    answered = [name for name in wanted if found.get(name)]
    room = (_MOST - estimated(_HEAD)) // max(1, len(answered))
    texts = [text for name in answered if (text := bounded(found[name], name, room))]
    return "\n".join([_HEAD, *texts]) if texts else ""


def bounded(text: str, name: str, tokens: int) -> str:
    """As many of the answer's lines as have at most so many tokens, and how to have the rest; nothing when not even the
    first has."""
    lines = text.splitlines()
    more = f"{_MORE} cn --text find {name}"
    if estimated(text) < tokens:  # and a line end
        return text
    while lines and estimated("\n".join([*lines, more, ""])) > tokens:
        lines.pop()
    while len(lines) > 1 and not lines[-1].startswith(" "):  # a file without its places
        lines.pop()
    return "\n".join([*lines, more]) if lines else ""


def _answer(state: State, name: str, of: int, deadline_s: float, end: float) -> str:
    """What is known of one of so many names by then; nothing when it is no symbol."""
    request = compose(
        "GET",
        f"/find?query={name.replace('#', '%23')}&limit={_USES // of}",
        port=state.port,
        token=state.token,
        accept=f"text/plain; errors=json; budget={_TOKENS // of}",
        deadline_s=deadline_s,
    )
    # `exchange` gives a daemon some time more, in which it says what it knows: not here.
    reply = exchange(state.port, request, end - SLACK_S)
    if reply.status != 200 or reply.exit not in (0, 3):
        return ""
    text = reply.body.decode("utf-8", "replace").strip()
    kind, *symbol = text.split(" ", 2)
    if not kind.isidentifier() or symbol[0].rpartition(".")[2] != name.rpartition(".")[2]:
        return ""  # a folder of that name, say
    if reply.exit == 3:  # it holds for what is shown, and the rest would cost tokens here
        text = text.partition("\npartial")[0] + f"\n{_MORE} cn --text find {name}"
    return text


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
