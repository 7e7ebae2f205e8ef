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
_AGENT = Input("agent", default="climpt", help='The registry; "climpt" unless the user named another.')
_C = tuple(
    Input(name, required=True, help=help, also=also)
    for name, help, also in (
        ("c1", "Domain, as search answered it (git).", ("domain",)),
        ("c2", "Action (group-commit).", ("action",)),
        ("c3", "Target (unstaged-changes); may be empty.", ("target",)),
    )
)
_COMMAND_NAME = ("name", "command", "id", "canonicalId", "commandId")
_SINCE = Input("since", help="Reports of this day or later, YYYY-MM-DD.", also=("dateFrom", "from", "startDate"))
_UNTIL = Input("until", help="Reports of this day or earlier, YYYY-MM-DD.", also=("dateTo", "to", "endDate"))
_LIMIT = Input("max_results", "limit", default=10, maximum=100, also=("limit", "top", "count", "pageSize"))
_REPORT = {
    "report_name": STRING, "title": STRING, "command_name": STRING, "path": STRING, "date": STRING,
    "file_size": INTEGER, "summary": STRING, "excerpt": STRING, "link": STRING,
}  # fmt: skip
_PATH = Input(
    "report_path", "path", required=True, help="A path from search_reports.", also=("path", "report", "reportName")
)

CLIMPT = (
    Tool(
        "search",
        "search",
        "Search Climpt commands",
        "The Climpt commands that fit a sentence, best first, with a score from 0 to 1. First of three steps: "
        "search, then describe the one you choose, then execute it.",
        (Input("query", required=True, help="What you want done, in English.", also=_QUERY), _AGENT),
        array_of("results", c1=STRING, c2=STRING, c3=STRING, description=STRING, score=NUMBER),
        array="results",
        json_text=True,
    ),
    Tool(
        "describe",
        "describe",
        "Describe a Climpt command",
        "Usage and options of the command with these identifiers. Call it after search and before execute. "
        "Nothing matches: an empty list.",
        (*_C, _AGENT),
        array_of("commands", c1=STRING, c2=STRING, c3=STRING, description=STRING, usage=STRING, options=OBJECT),
        array="commands",
        json_text=True,
    ),
    Tool(
        "execute",
        "execute",
        "Execute a Climpt command",
        "Runs the command and answers its instructions, which you then carry out. Call search and describe first. "
        'options: as describe lists them, e.g. {"edition": "detailed"}.',
        (
            *_C,
            _AGENT,
            Input("options", help="Options by name.", also=("args", "arguments", "params")),
            Input("stdin", help="Text for the command's standard input.", also=("input",)),
        ),
        object_of("content", content=STRING),
        reads=False,
        repeatable=False,
        destroys=True,
        open_world=True,
    ),
    Tool(
        "reload",
        "reload",
        "Reload the registry",
        "Reads the command libraries again. Changed files are noticed without it; call it when the user asks, or "
        "when a command you know of is missing.",
        (Input("agent"),),
        object_of("success", success=BOOLEAN, reloaded={"type": "array", "items": OBJECT}),
        json_text=True,
        reads=False,
    ),
)

COMMANDS = (
    Tool(
        "search_commands",
        "search",
        "Search all commands",
        "Searches every command library (Climpt, Markdown, API catalogs) for what you want done; an exact name "
        "comes first. Then get_command for the whole definition, then invoke_command. include_inputs=required_only "
        "tells what a command needs without a second call.",
        (
            Input("query", required=True, help="What you want done, or a command's name.", also=_QUERY),
            Input("max_results", default=10, maximum=100, also=("limit", "top", "count")),
            Input("include_inputs"),
            Input("vendor", help="Only commands of this vendor."),
            Input("source"),
            Input("ranking"),
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
    ),
    Tool(
        "get_command",
        "get",
        "Get one command",
        "One command, whole: its text or its arguments and schema. Call it with an id from search_commands, before "
        "invoke_command.",
        (
            Input("canonical_id", "command_id", help="An id from search_commands.", also=("id", "commandId")),
            Input(
                "command_name",
                "command_id",
                help="Or its name, when only one library has it.",
                also=("name", "command"),
            ),
            PAGE_CURSOR,
        ),
        object_of("canonical_id", canonical_id=STRING, name=STRING, description=STRING, content=STRING),
        pages=True,
        either=("canonical_id", "command_name"),
    ),
    Tool(
        "list_commands",
        "commands",
        "List commands",
        "Every command, a page at a time. Prefer search_commands when you know what you want done.",
        (CURSOR, Input("page_size", default=50, maximum=200, also=("limit", "maxResults", "count")), Input("source")),
        array_of("commands", canonical_id=STRING, name=STRING, summary=STRING, execution_type=STRING, source=STRING),
    ),
    Tool(
        "invoke_command",
        "invoke",
        "Invoke a command",
        "A Markdown command is rendered: carry out its `content` yourself, do what `pending` lists when it is safe, "
        "and write your report to `report_path` when one is named. An API command is sent and its response answered "
        "(dry_run shows the request). Call get_command first for its arguments.",
        (
            Input("command_name", "command_id", required=True, help="A name or a canonical id.", also=_COMMAND_NAME),
            Input(
                "context",
                help="Arguments by name; `arguments` is the raw argument text.",
                also=("args", "parameters", "params", "inputs", "input"),
            ),
            Input("dry_run"),
            PAGE_CURSOR,
        ),
        object_of(content=STRING, pending={"type": "array"}, report_path=NULLABLE),
        pages=True,
        reads=False,
        repeatable=False,
        destroys=True,
        open_world=True,
    ),
)

REPORTS = (
    Tool(
        "search_reports",
        "reports search",
        "Search past reports",
        "What was analysed before: the reports that fit a question, with an excerpt. Call it before repeating an "
        "analysis, then get_report to read one. `latest` in the query sorts by date.",
        (
            Input("query", required=True, help="Words, or a phrase in quotes.", also=_QUERY),
            Input("command_filter", "command", help="Only reports of this command.", also=("command", "commandName")),
            _SINCE,
            _UNTIL,
            _LIMIT,
            CURSOR,
        ),
        array_of("reports", **_REPORT),
        array="reports",
    ),
    Tool(
        "list_command_reports",
        "reports list",
        "List reports of a command",
        "The reports of one command (of all when none is named), newest first.",
        (
            Input("command_name", "command", help="A command's name.", also=_COMMAND_NAME),
            _SINCE,
            _UNTIL,
            Input("max_results", "limit", default=20, maximum=200, also=_LIMIT.also),
            CURSOR,
        ),
        array_of("reports", **_REPORT),
        array="reports",
    ),
    Tool(
        "get_report",
        "reports show",
        "Read a report",
        "One report, whole. Call it with a path from search_reports or list_command_reports.",
        (_PATH, PAGE_CURSOR),
        object_of("path", content=STRING, **_REPORT),
        pages=True,
    ),
    Tool(
        "get_report_link",
        "reports link",
        "Link to a report",
        "An address of the report to hand to the user.",
        (_PATH,),
        object_of("link", path=STRING, link=STRING),
    ),
)
