"""What `cn mcp` itself says: its first line to the daemon, and errors to the client when there is no daemon."""

import os

from cn_shared import environment
from cn_shared.state import LINE_LIMIT, State, parse

# How a reply of the daemon begins.
REPLY = b'{"jsonrpc":"2.0","id":'


def greeting(token: str, root: str, options: "dict[str, object]") -> bytes:
    """The first line: the token, the folder that relative paths start at and commands run in, the settings in our
    environment, and how the client wants to be answered. root: a real path. Clients start us in folders of their own
    (Windsurf in the home folder), which nobody asked about: then the folder is the root."""
    from cn_client.call import document

    values = environment.values()
    values.pop("PATH", None)
    try:
        folder = os.getcwd()
        if not (os.path.realpath(folder) + "/").startswith(root.rstrip("/") + "/"):
            folder = ""
    except OSError:
        folder = ""
    members = (("token", token), ("cwd", folder))
    return ("{" + ",".join(f'"{name}":{as_json(value)}' for name, value in members)
            + ',"values":' + document(values) + ',"options":' + document(options) + "}\n").encode()  # fmt: skip


def gone(id: str, root: str, state: State | None) -> bytes:
    from cn_shared.errors import NoDaemonError

    pid = f" (pid {state.pid})" if state else ""
    log = f" Its log is {state.document['log']}." if state else ""
    return failed(
        id,
        NoDaemonError(
            "daemon_gone",
            f"The daemon of {root}{pid} ended before it answered.",
            "Ask again: the next request starts it anew." + log,
        ),
    )


def too_long(id: str, size: int) -> bytes:
    from cn_shared.errors import InputError

    message = f"The message has {size / (1 << 20):.1f} MB; {LINE_LIMIT >> 20} MB are the most."
    return failed(id, InputError("message_too_long", message, size=size))


def failed(id: str, error: Exception) -> bytes:
    """A JSON-RPC error that tells what `cn` would have printed."""
    import json

    from cn_shared.errors import CnError, InternalError

    if not isinstance(error, CnError):
        error = InternalError("pump_failed", f"cn mcp failed: {type(error).__name__}: {error}")
    message = " ".join(filter(None, (error.message, error.hint)))
    body = json.dumps({"code": -32000, "message": message, "data": error.document()})
    return f'{{"jsonrpc":"2.0","id":{id},"error":{body}}}\n'.encode()


def as_json(value: object) -> str:
    """An id (a string or an integer) as JSON, in one spelling; null for what is none."""
    if isinstance(value, str):
        try:
            from _json import encode_basestring_ascii as text
        except ImportError:  # another Python than CPython
            from json import dumps as text
        return text(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else "null"


def id_of(line: bytes) -> str:
    """The id of a reply, as `_json` spells it, without reading the rest of the line."""
    rest = line[len(REPLY) :]
    if not rest.startswith(b'"'):
        return rest[: rest.index(b",")].decode("latin-1")
    end = 1
    while rest[end : end + 1] != b'"':
        end += 2 if rest[end : end + 1] == b"\\" else 1
    return as_json(parse(rest[: end + 1].decode()))
