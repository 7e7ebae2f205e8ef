"""A whole workspace at once, as tools."""

from __future__ import annotations

from cn_daemon.interfaces.mcp.tool import CURSOR, Input, Tool

SURVEYS = (
    Tool(
        "overview",
        "overview",
        "See what a workspace holds",
        "Packages, projects, folders with sizes, and the symbols that most files import. Call it first in a repository "
        "you do not know.",
        (
            Input("folder", help="Only this folder.", plain=True),
            Input("limit", hidden=True),
        ),
        toolset="code",
    ),
    Tool(
        "grep",
        "grep",
        "Find text",
        "Lines that hold a text, each with the function or class around it, sources first. For a name find is exact.",
        (
            Input("pattern", help="A regular expression.", required=True),
            Input("folder", help="A folder, a file, or *.ts."),
            Input("paths", hidden=True),
            Input("word", hidden=True),
            Input("fixed", hidden=True),
            Input("ignoreCase", plain=True),
            Input("limit", default=50, hidden=True),
            CURSOR,
        ),
        toolset="code",
    ),
    Tool(
        "changed",
        "changed",
        "See what changed and who uses it",
        "The functions, classes and members that the working tree changes, with their uses: what a commit can break.",
        (Input("rev", help="Since this commit or branch."),),
        toolset="code",
    ),
    Tool(
        "diagnostics",
        "diagnostics",
        "Check code for errors",
        "Type errors and warnings. Call it after an edit.",
        (
            Input("files", help="All without it.", plain=True),
            Input("limit", default=50, hidden=True),
            CURSOR,
        ),
        toolset="code",
    ),
)
