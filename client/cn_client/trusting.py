"""`cn trust`: vouch for the settings files of a workspace, so that their every key counts."""

from __future__ import annotations

import json
import time

from cn_client.call import DEADLINE_S, accepted, coloured, document, workspace, write
from cn_client.connection import ConnectionLostError, OutOfTimeError, compose, exchange
from cn_client.invocation import Invocation
from cn_client.output import clean
from cn_shared import environment, state
from cn_shared.errors import EXIT_EMPTY, EXIT_FOUND, ForbiddenError, InputError
from cn_shared.verbs import Parameter, Verb

TRUST = Verb(
    "trust",
    "Let this workspace's own settings choose programs and folders.",
    "A cloned repository may not choose what runs on this machine: in its .cn.json and .ai-command-tool.json, keys "
    "that name a program, a URL or a folder outside are ignored until you have read them and run this once. It "
    "holds for these files as they are now: after a change it is asked for again.",
    (Parameter("revoke", "Take back what was trusted here.", kind="boolean"),),
    reads=False,
    starts=False,
    examples=("cn trust", "cn trust --revoke"),
)


def run(call: Invocation) -> int:
    """Record the trust (or take it back), and have a running daemon read its settings again.

    0, or 1 when there is nothing to trust. Raises ForbiddenError, and InputError: what the daemon says of bad settings.
    """
    from pathlib import Path

    from cn_shared import trust

    accept = accepted(call.format)
    root = workspace(call.root)
    revoking = bool(call.parameters.get("revoke"))
    try:
        files = trust.revoke(Path(root)) if revoking else trust.trust(Path(root))
    except OSError as error:
        raise ForbiddenError("unwritable", f"The trust cannot be kept: {error.strerror}.") from None
    _reread(root)
    names = [file.name for file in files]
    write(1, _rendered(root, "revoked" if revoking else "trusted", names, accept).encode("utf-8", "surrogateescape"))
    return EXIT_FOUND if names else EXIT_EMPTY


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


def _rendered(root: str, done: str, names: list[str], accept: str) -> str:
    if accept == "application/json":
        return json.dumps({"root": root, done: names}, ensure_ascii=False, separators=(",", ":")) + "\n"
    root = clean(root)
    if not names:
        return f"There is nothing to {'revoke' if done == 'revoked' else 'trust'} in {root}.\n"
    mark = "\x1b[32m✓\x1b[0m " if coloured(1) else ""
    return f"{mark}{done.capitalize()} {' and '.join(names)} of {root}.\n"
