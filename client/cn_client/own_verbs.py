"""The rows of the verbs that are no question to the daemon, as `cn_shared.verbs` has those that are."""

from cn_shared.verbs import Parameter, Verb

TOOLSETS = ("code", "commands", "reports", "climpt", "all")
SHELLS = ("bash", "zsh", "fish")
CLIENTS = ("claude", "cursor", "vscode", "codex", "gemini", "windsurf", "agents")

MCP = Verb(
    "mcp",
    "Speak MCP on standard input and output.",
    "For an agent to start: cn init shows how to tell it so. Starts the daemon when none runs, and ends when its input "
    "does.",
    (
        Parameter(
            "tools",
            "List these tools alone: code, commands, reports, climpt or all, with commas. Default: code, and the "
            "others where there is a library of theirs.",
            metavar="SETS",
        ),
        Parameter(
            "structured", "Answer with structured content and schemas as well as text, for programs.", kind="boolean"
        ),
    ),
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
    "It completes verbs, options, choices, files, git's branches and tags and, while a daemon runs, the names of the "
    "workspace, of commands and of reports. For bash: "
    'eval "$(cn completion bash)" in ~/.bashrc; zsh likewise in ~/.zshrc; for fish: cn completion fish > '
    "~/.config/fish/completions/cn.fish.",
    (Parameter("shell", "Which shell.", positional=True, choices=SHELLS),),
    reads=False,
    starts=False,
    examples=("cn completion bash", "cn completion zsh"),
)

ROWS = (MCP, SERVE, INIT, DOCTOR, LOGS, COMPLETION)
