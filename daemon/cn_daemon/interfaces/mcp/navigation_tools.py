"""Code navigation as tools."""

from __future__ import annotations

from dataclasses import replace

from cn_daemon.interfaces.mcp.relation_tools import DEPTH, QUERY, RELATIONS
from cn_daemon.interfaces.mcp.tool import CURSOR, PAGE_CURSOR, Input, Tool

RELATION = Input(
    "relation",
    kind="string",
    help="Another question about it. refs: each mention, what it does, in which function; impls: what implements or "
    "overrides it; types: above and below it; hover: its signature.",
    choices=("definition", *(tool.name for tool in RELATIONS)),
    own=True,
)

NAVIGATION = (
    Tool(
        "find",
        "find",
        "Find a symbol",
        "Where a symbol is defined and every place that uses it, exact as the compiler knows it. Use it instead of "
        "grep for a name: it tells equal names apart and says whether the answer is complete (partial: a lower bound, "
        "ask again). Then inspect a place it gave.",
        (
            QUERY,
            Input("queries", kind="list", help="Several at once.", own=True),
            RELATION,
            Input("mode", hidden=True),
            replace(DEPTH, own=True, kind="integer", help="Of callers or types."),
            Input("limit", help="0 is all.", default=50),
            CURSOR,
        ),
        toolset="code",
        either=("query", "queries"),
    ),
    Tool(
        "inspect",
        "inspect",
        "Read a symbol's code",
        "The code of one symbol, whole, for far fewer tokens than its file; and the names in it.",
        (
            Input(
                "targetId",
                help="An id or place that find or map_file gave, path#Container.member, or path:line:character.",
                required=True,
            ),
            Input("expand", help="surround: the lines around it."),
            Input("lines", hidden=True),
            Input("parts", help="Also its members, callers, impls, tests, or all."),
            PAGE_CURSOR,
        ),
        pages=True,
        toolset="code",
    ),
    Tool(
        "map_file",
        "map",
        "Outline a file",
        "Every class, function and member of a file with its place, without the code. Call it before you read a long "
        "file, then inspect what you need.",
        (
            Input("filePath", help="The file.", required=True, plain=True),
            Input("limit", default=150, hidden=True),
            CURSOR,
        ),
        toolset="code",
    ),
    Tool(
        "status",
        "status",
        "Show the daemon",
        "Whether the language servers are ready, and why not: when answers are partial or fail.",
        toolset="code",
    ),
)
