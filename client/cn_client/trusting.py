"""`cn trust`: vouch for the settings files of a workspace, so that their every key counts."""

from __future__ import annotations

import json
import subprocess
import time
from typing import Any

from cn_client.call import DEADLINE_S, accepted, coloured, document, workspace, write
from cn_client.connection import ConnectionLostError, OutOfTimeError, compose, exchange
from cn_client.invocation import Invocation
from cn_client.output import clean
from cn_shared import environment, interpreter, state
from cn_shared.errors import EXIT_EMPTY, EXIT_FOUND, ForbiddenError, InputError
from cn_shared.verbs import Parameter, Verb

TRUST = Verb(
    "trust",
    "Let this workspace's own settings and TypeScript run.",
    "A cloned repository may not choose what runs on this machine: in its .cn.json and .ai-command-tool.json, keys "
    "that name a program, a URL or a folder outside are ignored until you have read them and run this once, and of its "
    "node_modules nothing runs. This lists what it allows: the keys, the files of the workspace that they have run, "
    "and the workspace's own TypeScript. It holds for all of them as they are now: after a change it is asked for "
    "again.",
    (Parameter("revoke", "Take back what was trusted here.", kind="boolean"),),
    reads=False,
    starts=False,
    examples=("cn trust", "cn trust --revoke"),
)


def run(call: Invocation) -> int:
    """Record the trust (or take it back), and have a running daemon read its settings again.

    0, or 1 when there is nothing to trust. Raises ForbiddenError, and InputError: what the daemon says of bad settings.
    """
    accept = accepted(call.format)
    root = workspace(call.root)
    done = _done(root, revoking=bool(call.parameters.get("revoke")))
    _reread(root)
    write(1, _rendered(done, accept).encode("utf-8", "surrogateescape"))
    return EXIT_FOUND if done.get("trusted") or done.get("revoked") else EXIT_EMPTY


def _done(root: str, *, revoking: bool) -> dict[str, Any]:
    """The daemon's half knows the settings: it keeps the record, and says what that allows."""
    words = [f"--root={root}", *(["--revoke"] if revoking else [])]
    ran = subprocess.run(
        interpreter.command("cn_daemon.trusting", *words, root=root), stdout=subprocess.PIPE, check=True
    )
    done: dict[str, Any] = json.loads(ran.stdout.decode("utf-8", "surrogateescape"))
    if "error" in done:
        raise ForbiddenError(**done["error"])
    return done


def _reread(root: str) -> None:
    """Tell the daemon of that root, when one runs; one that is just ending needs no telling."""
    daemon = state.live(root)
    if daemon is None:
        return
    end = time.monotonic() + DEADLINE_S
    values = environment.values()
    request = compose(
        "POST",
        "/environment",
        port=daemon.port,
        token=daemon.token,
        accept="application/json",
        deadline_s=DEADLINE_S,
        environment=environment.fingerprint(values),
        body='{"values":' + document(values) + "}",
    )
    try:
        reply = exchange(daemon.port, request, end)
    except (ConnectionLostError, OutOfTimeError):
        return
    if reply.status == 400:
        error = json.loads(reply.body)["error"]
        raise InputError(error.pop("code"), error.pop("message"), error.pop("hint", ""), **error)


def _rendered(done: dict[str, Any], accept: str) -> str:
    if accept == "application/json":
        return json.dumps(done, ensure_ascii=False, separators=(",", ":")) + "\n"
    root, what = clean(done["root"]), "trusted" if "trusted" in done else "revoked"
    names = [clean(name) for name in done[what]]
    if not names:
        return f"There is nothing to {'revoke' if what == 'revoked' else 'trust'} in {root}.\n"
    mark = "\x1b[32m✓\x1b[0m " if coloured(1) else ""
    lines = [f"{mark}{what.capitalize()} {' and '.join(names)} of {root}.", *map(_allowed, done.get("allows", ()))]
    return "\n".join(lines) + "\n"


def _allowed(row: dict[str, Any]) -> str:
    """What a row allows: its command line, and the files of the workspace's that it runs."""
    title = f"TypeScript {row['version']}" if "version" in row else f"{row['file']}: {row['key']}"
    words = " ".join(row.get("words", ()))
    programs = ", ".join(f"{one['path']} ({one['hash'][:12]})" for one in row.get("programs", ()))
    return clean("  " + " · ".join(filter(None, (title, words, programs))))
