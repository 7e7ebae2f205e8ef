"""The verbs that are no question to the daemon: `cn mcp`, `cn serve`, `cn init`, `cn doctor`, `cn logs`,
`cn completion`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from cn_client.call import accepted, coloured, workspace
from cn_client.invocation import Invocation
from cn_shared.verbs import Parameter, Verb

SHELLS = ("bash", "zsh", "fish")
CLIENTS = ("claude", "cursor", "vscode", "codex", "gemini", "windsurf", "agents")

MCP = Verb(
    "mcp",
    "Speak MCP on standard input and output.",
    "For an agent to start: cn init shows how to tell it so. Starts the daemon when none runs, and ends when its input "
    "does.",
    reads=False,
    examples=("cn mcp",),
)
SERVE = Verb(
    "serve",
    "Serve a library of commands and reports to other machines.",
    "MCP on /mcp and /sse, and the command verbs over HTTP, in the foreground. The token comes from the environment: "
    "CN_TOKEN, 16 characters or more. Commands and reports only, unless --root names a workspace. Put a proxy with "
    "TLS before it: docs/mcp.md has recipes.",
    (
        Parameter("host", "The address to listen on.", default="127.0.0.1"),
        Parameter("port", "The port to listen on.", kind="integer", default=8811, minimum=0, maximum=65535),
        Parameter("prefix", "The path below which a proxy offers this, such as /csp/acmt."),
        Parameter("config", "A settings file, which is trusted.", metavar="FILE"),
        Parameter(
            "allowed_host", "A Host header to accept; may be repeated.", kind="list", flag="--allowed-host",
            metavar="NAME",
        ),
        Parameter(
            "allowed_origin", "A web page's origin to accept; may be repeated.", kind="list", flag="--allowed-origin",
            metavar="URL",
        ),
        Parameter("stateless", "Keep no sessions on /mcp, so that any replica answers.", kind="boolean"),
        Parameter(
            "insecure_no_token", "Ask for no token: something before it must.", kind="boolean",
            flag="--insecure-no-token",
        ),
    ),
    reads=False,
    starts=False,
    examples=("CN_TOKEN=… cn serve --config library.json", "cn serve --host 0.0.0.0 --allowed-host tools.example.com"),
)  # fmt: skip
INIT = Verb(
    "init",
    "Tell coding agents of cn: print their configuration, or write it.",
    "Prints what to put into which file. With --write it is merged into the file of the client named by --client; "
    "all else in the file stays as it is.",
    (
        Parameter("client", "Only this client.", choices=CLIENTS),
        Parameter("as", "The server's name in the client.", default="cn", metavar="NAME"),
        Parameter("write", "Write it, instead of printing it.", kind="boolean"),
    ),
    reads=False,
    starts=False,
    examples=("cn init", "cn init --client claude --write"),
)

DOCTOR = Verb(
    "doctor",
    "Check everything that an answer needs, and say what to do.",
    "Node.js, TypeScript and its server, tsconfig coverage, the daemon, folders, git and the settings; each line with "
    "its fix. Changes nothing and starts nothing. Exit: 0 all is well, 1 something could be better, 5 something does "
    "not work.",
    reads=False,
    starts=False,
    examples=("cn doctor",),
)

LOGS = Verb(
    "logs",
    "Show the daemon's log of this workspace.",
    "Its last lines, and with -f those to come; also when the daemon is dead. Text in a pipe too, unless --json asks "
    "for JSON.",
    (
        Parameter(
            "lines", "How many of the last lines.", kind="integer", default=50, minimum=0, maximum=1_000_000, short="-n"
        ),
        Parameter("follow", "Go on with what is added.", kind="boolean", short="-f"),
    ),
    reads=False,
    starts=False,
    examples=("cn logs", "cn logs -f --lines 5"),
)

COMPLETION = Verb(
    "completion",
    "Print a shell's completion script.",
    "It completes verbs, options, choices, files and, while a daemon runs, the names of the workspace, of "
    "commands and of reports. For bash: "
    'eval "$(cn completion bash)" in ~/.bashrc; zsh likewise in ~/.zshrc; for fish: cn completion fish > '
    "~/.config/fish/completions/cn.fish.",
    (Parameter("shell", "Which shell.", positional=True, choices=SHELLS),),
    reads=False,
    starts=False,
    examples=("cn completion bash", "cn completion zsh"),
)

ROWS = (MCP, SERVE, INIT, DOCTOR, LOGS, COMPLETION)


def run(call: Invocation) -> int:
    """Carry one of them out. `serve` and `doctor` become another program and do not return. Raises CnError."""
    if call.verb.name == "mcp":
        from cn_client import pump

        return pump.run(call.root)
    if call.verb.name == "init":
        from cn_client import registration

        return registration.run(call)
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
    os.execv(sys.executable, [sys.executable, "-P", "-m", module, *words])


def _flat(call: Invocation) -> list[tuple[str, object]]:
    """Parameters one by one; a list's items each on their own."""
    return [
        (name, item)
        for name, value in call.parameters.items()
        for item in (value if isinstance(value, list | tuple) else [value])
        if item is not False
    ]
