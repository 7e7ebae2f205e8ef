"""The verbs that are no question to the daemon: `cn mcp`, `cn serve`, `cn init`, `cn hook`, `cn doctor`,
`cn logs`, `cn completion`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from cn_client.call import accepted, coloured, workspace
from cn_client.invocation import Invocation
from cn_client.own_verbs import TOOLSETS
from cn_shared import interpreter
from cn_shared.errors import InputError


def run(call: Invocation) -> int:
    """Carry one of them out. `serve` and `doctor` become another program and do not return. Raises CnError."""
    if call.verb.name == "mcp":
        from cn_client import pump

        for word in str(call.parameters.get("tools") or "code").split(","):
            if word not in TOOLSETS:
                raise InputError("bad_usage", f"There are no tools {word!r}.", f"There are {', '.join(TOOLSETS)}.")
        return pump.run(call.root, call.parameters)
    if call.verb.name == "init":
        from cn_client import registration

        return registration.run(call)
    if call.verb.name == "hook":
        from cn_client import hook

        return hook.run()
    if call.verb.name == "completion":
        from cn_client import completing

        return completing.script(str(call.parameters["shell"]))
    if call.verb.name == "logs":
        from cn_client import logs

        return logs.run(call)
    if call.verb.name == "doctor":
        accept = accepted(call.format)
        shape = "json" if accept.startswith("application/json") else "color" if coloured(1) else "text"
        _become("cn_daemon.doctor", f"--root={workspace(call.root)}", f"--format={shape}")
    words = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}") for name, value in _flat(call)]
    root = [] if call.root is None else [f"--root={os.path.realpath(call.root)}"]
    _become("cn_daemon.serving", *root, *words)


def _become(module: str, *words: str) -> NoReturn:
    """Go on as another program of ours."""
    os.execv(sys.executable, interpreter.command(module, *words))


def _flat(call: Invocation) -> list[tuple[str, object]]:
    """Parameters one by one; a list's items each on their own."""
    return [
        (name, item)
        for name, value in call.parameters.items()
        for item in (value if isinstance(value, list | tuple) else [value])
        if item is not False
    ]
