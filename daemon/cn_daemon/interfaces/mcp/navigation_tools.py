"""Code navigation as tools."""

from __future__ import annotations

from cn_daemon.interfaces.mcp.tool import CURSOR, PAGE_CURSOR, Input, Tool

NAVIGATION = (
    Tool(
        "find",
        "find",
        "Find a symbol",
        "Where a symbol is defined and every place that uses it, exact as the compiler or the language's "
        "server knows it. Use it instead of grep when you have a name: it tells equal names apart and says whether the "
        "answer is complete. Then call inspect with an id from the answer to read the code. `completeness` partial "
        "means: ask again, or trust it as a lower bound.",
        (
            Input(
                "query",
                help="A name (User), a member (User.rename), path:name, path:line:character, or an id.",
                required=True,
                also=("symbol", "name", "q", "symbolName", "identifier", "text"),
            ),
            Input("mode", help="definition is cheapest: it looks for no references."),
            Input("limit", default=50, also=("maxResults", "max", "count", "top")),
            CURSOR,
        ),
    ),
    Tool(
        "inspect",
        "inspect",
        "Read a symbol's code",
        "The code of one symbol or place: the whole declaration (expand=block), or the lines around it "
        "(expand=surround). Call it after find or map_file, with an id they gave; it costs far fewer tokens than "
        'reading the file. `relatedSymbols` are names to find next; parts=["all"] tells members, callers, '
        "implementations and tests in the same call.",
        (
            Input(
                "targetId",
                help="An id from find or map_file, or <path>#Container.member, or path:line:character.",
                required=True,
                also=("id", "target", "symbolId", "ref", "query", "location"),
            ),
            Input("expand", also=("mode",)),
            Input("lines", also=("context", "contextLines")),
            Input("parts", also=("with", "include")),
            PAGE_CURSOR,
        ),
        pages=True,
    ),
    Tool(
        "map_file",
        "map",
        "Outline a file",
        "Every class, function, member and constant of one file with its line and id, without their code. Call it "
        "before reading a long file, then inspect with the ids you need.",
        (
            Input(
                "filePath",
                help="Relative to the workspace's root, or absolute.",
                required=True,
                also=("path", "file", "filename", "uri"),
            ),
            Input("limit", default=150, also=("maxResults", "max", "count")),
            CURSOR,
        ),
    ),
    Tool(
        "status",
        "status",
        "Show the daemon",
        "The workspace's root, and whether its language servers are ready, still loading, or failed and why. Call "
        "it when answers are partial or fail, not before every question.",
    ),
)
