"""The rows of the verbs that are no question to the daemon, as `cn_shared.verbs` has those that are."""

from cn_shared.verbs import Parameter, Verb

TOOLSETS = ("code", "commands", "reports", "climpt", "all")
SHELLS = ("bash", "zsh", "fish")
CLIENTS = (
    "claude", "cursor", "vscode", "codex", "gemini", "windsurf", "opencode", "copilot", "qwen", "kiro", "antigravity",
    "zed", "crush", "cline", "roo", "kilo", "goose", "amp", "agents", "skill", "claude-plugin",
)  # fmt: skip

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
    "Set up coding agents to use cn: show, write or remove their configuration.",
    "Without --client it lists the clients, the file of each, and whether it is installed or written already. With it, "
    "it shows what goes into which file; --write merges that into the file, --remove takes it out again, and all else "
    "in the file stays as it is. A file that serves all workspaces gets an entry for each.",
    (
        Parameter(
            "client",
            "This client; may be repeated. Also agents (AGENTS.md), skill, claude-plugin; all, or auto: those that are "
            "installed.",
            kind="list",
            choices=(*CLIENTS, "all", "auto"),
            metavar="NAME",
        ),
        Parameter("list", "List the clients.", kind="boolean"),
        Parameter("as", "The server's name in the client.", default="cn", metavar="NAME"),
        Parameter(
            "hooks",
            "Write hooks too (claude, codex, claude-plugin): when the agent greps for a symbol, what cn knows of it "
            "stands beside.",
            kind="boolean",
        ),
        Parameter("write", "Write it, instead of showing it.", kind="boolean"),
        Parameter("remove", "Remove what was written.", kind="boolean"),
    ),
    reads=False,
    starts=False,
    examples=(
        "cn init",
        "cn init --client claude --write",
        "cn init --client auto --client skill --write",
        "cn init --client claude --hooks --write",
        "cn init --client windsurf --remove",
    ),
)


HOOK = Verb(
    "hook",
    "Answer an agent's search for a symbol beside what grep found.",
    "For the hooks of an agent, which cn init --hooks writes. Reads the event as JSON on standard input: when a shell "
    "command or a search tool looked for a name, says what cn knows of that symbol, in at most 400 tokens. Waits for "
    "0.2 seconds, says nothing rather than something uncertain, and always exits with 0.",
    reads=False,
    starts=False,
    examples=("cn hook < event.json",),
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

ROWS = (MCP, SERVE, INIT, HOOK, DOCTOR, LOGS, COMPLETION)
