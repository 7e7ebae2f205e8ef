"""The verbs of commands and reports: find the right one, look at it, run it."""

from cn_shared.verb import Parameter, Verb

_ID = Parameter("command_id", "Its canonical id, or its name when only one has it.", positional=True, metavar="ID")
_AGENT = Parameter("agent", "The Climpt agent: a registry of the configuration.", default="climpt", metavar="NAME")
_CURSOR = Parameter("cursor", "Continue an earlier answer: its next cursor.")
_SOURCE = Parameter(
    "source", "Only commands of this kind of library.", choices=("climpt", "markdown", "catalog", "mcp")
)
_COMMAND = Parameter("command", "Only reports of this command.", metavar="NAME")
_SINCE = Parameter("since", "Only reports of this day or later.", metavar="YYYY-MM-DD")
_UNTIL = Parameter("until", "Only reports of this day or earlier.", metavar="YYYY-MM-DD")
_QUERIES = Parameter("queries", "The same in other words: give three.", kind="words", positional=True, optional=True)
_REPORT = Parameter("path", "A report, as search and list name it.", positional=True, metavar="PATH")
# What is passed on is as long as an argument of a process may be.
_TEXT = 131_072
_ARG = Parameter(
    "arg", "An argument of the command; may be repeated.", kind="list", metavar="NAME=VALUE", longest=_TEXT
)
_DRY_RUN = Parameter("dry_run", "Show what would be run or sent, and stop there.", kind="boolean", flag="--dry-run")
_STDIN = Parameter(
    "stdin", "Wait for standard input and pass it on. Files and shell pipes are passed on anyway.", kind="stdin"
)


def _count(name: str, help: str, maximum: int, default: int | None = None, flag: str = "") -> Parameter:
    return Parameter(name, help, kind="integer", flag=flag, default=default, minimum=1, maximum=maximum)


COMMAND_VERBS = (
    Verb(
        "search",
        "Find the command that does what you want.",
        "QUERY is what you want done, in your words, or a command's name; further ones say the same in other words, "
        "and what several of them find comes first. All libraries are searched: Climpt registries, Markdown commands, "
        "API catalogs, tools of MCP servers that were trusted. With --agent only that Climpt agent, scored by cosine.",
        (
            Parameter("query", "What you want done.", positional=True, optional=True, empty=True),
            _QUERIES,
            Parameter("agent", "Search this Climpt agent only.", metavar="NAME"),
            _count("top", "At most this many results.", 1000),
            Parameter(
                "ranking",
                "How results are ranked. Default: best, or cosine with --agent.",
                choices=("best", "cosine", "bm25", "tfidf", "fuzzy", "tiers"),
            ),
            Parameter(
                "include_inputs",
                "Tell the inputs of each result as well.",
                flag="--include-inputs",
                default="none",
                choices=("none", "required_only", "full"),
            ),
            _SOURCE,
            Parameter("vendor", "Only commands of this vendor's catalogs.", metavar="NAME"),
            Parameter("fields", "With tfidf, read the identifiers too.", kind="boolean"),
            _count("max_results", "The same as --top.", 1000, flag="--max-results"),
            _CURSOR,
            Parameter(
                "suggest", "Without a QUERY: by what the workspace's own files say it is made of.", kind="boolean"
            ),
        ),
        tool="search_commands",
        bare=True,
        examples=(
            'cn search "group changes and commit" "split the diff into commits"',
            'cn search "group changes and commit" --agent climpt',
        ),
    ),
    Verb(
        "describe",
        "Show every command with these Climpt identifiers.",
        "C1, C2 and C3 are the identifiers that cn search --agent answers with. Exact matches only.",
        (
            Parameter("c1", "The domain.", positional=True),
            Parameter("c2", "The action.", positional=True),
            Parameter("c3", "The target; may be empty.", positional=True, optional=True, default=""),
            _AGENT,
        ),
        bare=True,
        examples=("cn describe git group-commit unstaged-changes",),
    ),
    Verb(
        "get",
        "Show one command, whole.",
        "ID is a canonical id (climpt:climpt/git/group-commit/unstaged-changes, md:analyze_log, 'apps list') or a "
        "name that only one library has.",
        (_ID,),
        tool="get_command",
        examples=("cn get md:analyze_log",),
    ),
    Verb(
        "commands",
        "List every command.",
        "A page at a time, in the order of their ids; --cursor continues.",
        (
            _CURSOR,
            _count("page_size", "Commands on a page.", 1000, 50, flag="--page-size"),
            _SOURCE,
        ),
        tool="list_commands",
        examples=("cn commands --source climpt",),
    ),
    Verb(
        "execute",
        "Run a Climpt command; prints its instructions as they are.",
        "C1, C2 and C3 are Climpt identifiers; further options of Climpt stand after --. With a canonical id instead, "
        "this is cn invoke. Runs in the current folder.",
        (
            Parameter("c1", "The domain, or a canonical id.", positional=True),
            Parameter("c2", "The action.", positional=True, optional=True),
            Parameter("c3", "The target.", positional=True, optional=True),
            _AGENT,
            Parameter("edition", "The edition of the prompt.", short="-e"),
            Parameter("adaptation", "The adaptation of the prompt.", short="-a"),
            Parameter("file", "The input file; - is standard input.", short="-f"),
            Parameter("destination", "Where the prompt says its output goes.", short="-d"),
            Parameter("options", "Options by name, or as Climpt's command line has them.", kind="options"),
            Parameter("more", "Further words for the command.", kind="rest", longest=_TEXT),
            _ARG,
            _DRY_RUN,
            _STDIN,
        ),
        reads=False,
        runs=True,
        examples=("cn execute git group-commit unstaged-changes -e detailed",),
    ),
    Verb(
        "invoke",
        "Invoke a command: render a prompt, call an API, or run Climpt.",
        "A Markdown command is rendered for you to carry out: nothing in it is run. An API command is sent; arguments "
        "are given with --arg. What stands after -- is the command's argument text.",
        (
            _ID,
            _ARG,
            Parameter("context", "The arguments by name; `arguments` is the raw text.", kind="object"),
            Parameter("more", "The argument text.", kind="rest", longest=_TEXT),
            Parameter("dialect", "How placeholders in a prompt are read.", choices=("claude", "cursor")),
            _DRY_RUN,
            _STDIN,
        ),
        tool="invoke_command",
        reads=False,
        runs=True,
        examples=("cn invoke 'apps info' --arg app=shop --dry-run", "cn invoke md:analyze_log -- server.log"),
    ),
    Verb(
        "reports search",
        "Search past reports.",
        "QUERY may hold words, a phrase in quotes, and days (2025-11, latest); further ones rephrase it.",
        (
            Parameter("query", "What the report is about.", positional=True, empty=True),
            _QUERIES,
            _COMMAND,
            _SINCE,
            _UNTIL,
            _count("limit", "At most this many reports.", 1000),
            _CURSOR,
        ),
        tool="search_reports",
        bare=True,
        examples=('cn reports search "decode_response" --command analyze_log',),
    ),
    Verb(
        "reports list",
        "List reports, newest first.",
        "Of one command with --command, else of all.",
        (_COMMAND, _SINCE, _UNTIL, _count("limit", "At most this many reports. Default: 50.", 1000), _CURSOR),
        tool="list_command_reports",
        bare=True,
        examples=("cn reports list --command analyze_log --since 2025-11-01",),
    ),
    Verb(
        "reports link",
        "Give the address of a report.",
        "Below the setting report_link_base_url, or file://.",
        (_REPORT,),
        tool="get_report_link",
        examples=("cn reports link analyze_log-reports/2025-11-25-zoom.md",),
    ),
    Verb(
        "reports show",
        "Show one report, whole.",
        "With its date, command, size and text.",
        (_REPORT,),
        tool="get_report",
        examples=("cn reports show analyze_log-reports/2025-11-25-zoom.md",),
    ),
    Verb(
        "reload",
        "Read the libraries again.",
        "Changed files are seen without this; it reads everything anew. A library that cannot be read keeps what it "
        "had, and the answer says so.",
        (Parameter("agent", "Only this Climpt agent.", metavar="NAME"),),
        reads=False,
        examples=("cn reload", "cn reload --agent climpt"),
    ),
    Verb(
        "config show",
        "Show the settings and where each comes from.",
        "Secrets are masked.",
        path="/config",
        method="GET",
        tool="show_config",
        examples=("cn config show",),
    ),
)
