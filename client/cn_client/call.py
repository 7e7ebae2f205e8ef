"""The parts of a call: the workspace it is about, the question to a daemon, the answer's way out."""

import os
import time

from cn_client.connection import Reply, compose, exchange
from cn_client.invocation import FORMATS, Invocation
from cn_shared import environment
from cn_shared.folders import find_root
from cn_shared.state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

DEADLINE_S = 60.0
# What runs a command has the deadline of the daemon's settings: this only ends a call whose daemon hangs.
RUNS_S = 3600.0


def ask(state: State, call: Invocation, accept: str, end: float) -> Reply:
    """One question to that daemon. When it runs under another environment than ours it is sent ours, once.

    Raises ConnectionLostError, OutOfTimeError.
    """
    values = environment.values()
    fingerprint = environment.fingerprint(values)
    talk = exchanges(call, document(call.parameters), values)
    method, path, body = next(talk)
    while True:
        request = compose(
            method,
            path,
            port=state.port,
            token=state.token,
            accept=accept,
            deadline_s=remaining_s(call, end),
            environment=fingerprint,
            body=body,
        )
        try:
            method, path, body = talk.send(exchange(state.port, request, end))
        except StopIteration as last:
            answer: Reply = last.value
            return answer


def exchanges(call: Invocation, body: str, values: dict[str, str]) -> "Generator[tuple[str, str, str], Reply, Reply]":
    """What is sent for one question: method, path and body, each in turn for the reply to the one before.

    The reply to the question in the end. values: the environment, for a daemon that runs under another.
    """
    question = call.verb.method, call.verb.path, body if call.verb.method == "POST" else ""
    reply = yield question
    if reply.status == 412:
        refused = yield "POST", "/environment", '{"values":' + document(values) + "}"
        if refused.status >= 400:  # settings that are wrong: say so, rather than "changed"
            return refused
        reply = yield question
    return reply


def remaining_s(call: Invocation, end: float) -> float:
    """The deadline that the daemon is given, in seconds; 0 leaves it to its settings."""
    return 0 if call.verb.runs and call.deadline_s is None else max(0.001, end - time.monotonic())


def write(descriptor: int, data: bytes) -> None:
    """All of the bytes, as they are. A reader that went away (`| head`) is no error of ours.

    Raises InputError: a full disk. What cannot be said on stderr is not said: the exit code tells it.
    """
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:  # whoever created the pipe made it non-blocking
            import select

            select.select([], [descriptor], [])
        except BrokenPipeError:
            return
        except OSError as error:
            if descriptor == 2:
                return
            from cn_shared.errors import InputError

            message = f"The answer cannot be written: {error.strerror}."
            raise InputError("unwritable", message, "Look at where stdout leads.") from None


def accepted(format: str | None) -> str:
    """The Accept header.

    What the option says, else CN_FORMAT, else text for a terminal and JSON for a pipe.
    """
    chosen = format or os.environ.get("CN_FORMAT") or ("text" if os.isatty(1) else "json")
    if chosen == "envelope":
        return "application/json; envelope=1"
    if chosen not in FORMATS:
        from cn_shared.errors import InputError

        raise InputError("bad_format", f"CN_FORMAT is {chosen!r}.", "It may be json or text.")
    if chosen == "json":
        return "application/json"
    return f"text/plain; color={int(coloured(1))}; errors=json"


def coloured(descriptor: int) -> bool:
    """Whether to colour what goes there.

    A terminal that can, and nobody who asked for none (no-color.org).
    """
    return os.isatty(descriptor) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def workspace(root: str | None) -> str:
    """The real path of the root.

    As given, else CN_ROOT, else upward from the current folder. Raises InputError.
    """
    chosen = os.environ.get("CN_ROOT") or None if root is None else root
    try:
        if chosen is None:
            return find_root(os.getcwd())
        path = os.path.realpath(chosen)
        if chosen and os.path.isdir(path):
            return path
        message = f"The root {chosen!r} is not a folder."
    except OSError:
        message = "The current folder does not exist any more."
    from cn_shared.errors import InputError

    raise InputError("bad_root", message, "Name a folder with --root, or go to one.")


def patience_s(call: Invocation) -> float:
    """How long to wait for the answer."""
    return call.deadline_s or (RUNS_S if call.verb.runs else DEADLINE_S)


def document(values: "dict[str, object] | dict[str, str]") -> str:
    """Strings, integers, booleans and lists of strings as a JSON object.

    The encoder in C, without the json package (7 ms).
    """
    try:
        from _json import encode_basestring_ascii as text
    except ImportError:  # another Python than CPython
        from json import dumps as text
    members = []
    for name, value in values.items():
        if isinstance(value, str):
            written = text(value)
        elif isinstance(value, list):
            written = "[" + ",".join([text(item) for item in value]) + "]"
        else:
            written = str(value).lower()
        members.append(text(name) + ":" + written)
    return "{" + ",".join(members) + "}"
