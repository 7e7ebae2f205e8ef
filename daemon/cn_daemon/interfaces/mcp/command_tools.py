"""Commands and reports as tools, named and spelled as their specifications have them."""

from __future__ import annotations

from cn_daemon.interfaces.mcp.tool import (
    BOOLEAN,
    CURSOR,
    INTEGER,
    NULLABLE,
    NUMBER,
    OBJECT,
    PAGE_CURSOR,
    STRING,
    Input,
    Tool,
    array_of,
    object_of,
)  # fmt: skip

_QUERY = ("q", "text", "search", "keywords", "intent")
_AGENT = Input("agent", default="climpt", help="The registry.")
_C = tuple(
    Input(name, required=True, help=help, also=also)
    for name, help, also in (
        ("c1", "The domain, from search.", ("domain",)),
        ("c2", "Action.", ("action",)),
        ("c3", "Target; may be empty.", ("target",)),
    )
)
_COMMAND_NAME = ("name", "command", "id", "canonicalId", "commandId")
_SINCE = Input("since", help="YYYY-MM-DD or later.", also=("dateFrom", "from", "startDate"))
_UNTIL = Input("until", help="YYYY-MM-DD or earlier.", also=("dateTo", "to", "endDate"))
_LIMIT = Input(
    "max_results",
    "limit",
    help="At most.",
    plain=True,
    maximum=100,
    also=("limit", "top", "count", "pageSize"),
)
_REPORT = {
    "report_name": STRING, "title": STRING, "command_name": STRING, "path": STRING, "date": STRING,
    "file_size": INTEGER, "summary": STRING, "excerpt": STRING, "link": STRING,
}  # fmt: skip
_PATH = Input(
    "report_path", "path", required=True, help="A path that search_reports gave.", also=("path", "report", "reportName")
)

CLIMPT = (
    Tool(
        "search",
        "search",
        "Search Climpt commands",
        "The Climpt commands that do what you want, best first. Then describe the one you choose, then execute it.",
        (Input("query", required=True, help="What you want done.", also=_QUERY), _AGENT),
        array_of("results", c1=STRING, c2=STRING, c3=STRING, description=STRING, score=NUMBER),
        array="results",
        json_text=True,
        hint="climpt command for a task",
        toolset="climpt",
    ),
    Tool(
        "describe",
        "describe",
        "Describe a Climpt command",
        "Usage and options of a Climpt command, before you execute it.",
        (*_C, _AGENT),
        array_of("commands", c1=STRING, c2=STRING, c3=STRING, description=STRING, usage=STRING, options=OBJECT),
        array="commands",
        json_text=True,
        toolset="climpt",
    ),
    Tool(
        "execute",
        "execute",
        "Execute a Climpt command",
        "Runs a Climpt command and answers its instructions, which you then carry out.",
        (
            *_C,
            _AGENT,
            Input(
                "options", help='As describe lists them: {"edition": "detailed"}.', also=("args", "arguments", "params")
            ),
            Input("stdin", help="For its standard input.", also=("input",)),
        ),
        object_of("content", content=STRING),
        reads=False,
        repeatable=False,
        destroys=True,
        open_world=True,
        toolset="climpt",
    ),
    Tool(
        "reload",
        "reload",
        "Reload the registry",
        "Reads the libraries again, when a command you know of is missing.",
        (Input("agent", help="Only this registry."),),
        object_of("success", success=BOOLEAN, reloaded={"type": "array", "items": OBJECT}),
        json_text=True,
        reads=False,
        toolset="climpt",
    ),
)

COMMANDS = (
    Tool(
        "search_commands",
        "search",
        "Search all commands",
        "The ready commands for what you want done, best first. Then get_command, then invoke_command.",
        (
            Input("query", help="What you want, or a name.", also=_QUERY),
            Input("queries", help="In other words: give three."),
            Input("max_results", help="At most.", plain=True, maximum=100, also=("limit", "top", "count")),
            Input("include_inputs", help="Of each result."),
            Input("vendor", hidden=True),
            Input("source", hidden=True),
            Input("ranking", hidden=True),
            Input("suggest", hidden=True),
            CURSOR,
        ),
        array_of(
            "results",
            canonical_id=STRING,
            name=STRING,
            summary=STRING,
            execution_type=STRING,
            source=STRING,
            relevance_score=NUMBER,
            match_reason=STRING,
            excerpt=STRING,
            last_modified=NULLABLE,
            last_used=NULLABLE,
        ),
        array="results",
        either=("query", "queries", "suggest"),
        hint="ready command, prompt or API call for a task",
        toolset="commands",
    ),
    Tool(
        "get_command",
        "get",
        "Get one command",
        "A command's text, or its arguments and schema.",
        (
            Input("canonical_id", "command_id", help="From search_commands.", also=("id", "commandId")),
            Input(
                "command_name",
                "command_id",
                help="Or its name.",
                also=("name", "command"),
            ),
            PAGE_CURSOR,
        ),
        object_of("canonical_id", canonical_id=STRING, name=STRING, description=STRING, content=STRING),
        pages=True,
        either=("canonical_id", "command_name"),
        toolset="commands",
    ),
    Tool(
        "list_commands",
        "commands",
        "List commands",
        "Every command, a page at a time.",
        (
            CURSOR,
            Input("page_size", hidden=True, default=50, maximum=200, also=("limit", "maxResults", "count")),
            Input("source", hidden=True),
        ),
        array_of("commands", canonical_id=STRING, name=STRING, summary=STRING, execution_type=STRING, source=STRING),
        toolset="commands",
    ),
    Tool(
        "invoke_command",
        "invoke",
        "Invoke a command",
        "A Markdown command is rendered: carry it out yourself, do what is pending when it is safe, and write your "
        "report where it says. An API command is sent, and its response answered. get_command lists its arguments.",
        (
            Input("command_name", "command_id", required=True, help="A name or an id.", also=_COMMAND_NAME),
            Input(
                "context",
                help="Arguments by name; `arguments` is the text of all.",
                also=("args", "parameters", "params", "inputs", "input"),
            ),
            Input("dry_run", help="Only show the request."),
            PAGE_CURSOR,
        ),
        object_of(content=STRING, pending={"type": "array"}, report_path=NULLABLE, structured_content={}),
        pages=True,
        reads=False,
        repeatable=False,
        destroys=True,
        open_world=True,
        toolset="commands",
    ),
)

REPORTS = (
    Tool(
        "search_reports",
        "reports search",
        "Search past reports",
        "What was analysed before, with excerpts. Then get_report.",
        (
            Input("query", help="Words; `latest` sorts by date.", also=_QUERY),
            Input("queries", help="In other words."),
            Input("command_filter", "command", help="Of this command.", also=("command", "commandName")),
            _SINCE,
            _UNTIL,
            _LIMIT,
            CURSOR,
        ),
        array_of("reports", **_REPORT),
        array="reports",
        either=("query", "queries"),
        hint="earlier analysis, report",
        toolset="reports",
    ),
    Tool(
        "list_command_reports",
        "reports list",
        "List reports of a command",
        "Reports of one command or of all, newest first.",
        (
            Input("command_name", "command", help="Of all without it.", also=_COMMAND_NAME),
            _SINCE,
            _UNTIL,
            Input("max_results", "limit", help="At most.", plain=True, default=20, maximum=200, also=_LIMIT.also),
            CURSOR,
        ),
        array_of("reports", **_REPORT),
        array="reports",
        toolset="reports",
    ),
    Tool(
        "get_report",
        "reports show",
        "Read a report",
        "One report, whole.",
        (_PATH, PAGE_CURSOR),
        object_of("path", content=STRING, **_REPORT),
        pages=True,
        toolset="reports",
    ),
    Tool(
        "get_report_link",
        "reports link",
        "Link to a report",
        "Its address, for the user.",
        (_PATH,),
        object_of("link", path=STRING, link=STRING),
        toolset="reports",
    ),
)
