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
            Input("folder", help="Only this folder.", also=("path", "dir", "directory")),
            Input("limit", hidden=True, also=("maxResults", "max", "count")),
        ),
        toolset="code",
    ),
    Tool(
        "grep",
        "grep",
        "Find text",
        "Lines that hold a text, each with the function or class around it, sources first. For a name find is exact.",
        (
            Input(
                "pattern", help="A regular expression.", required=True, also=("query", "regex", "text", "search", "q")
            ),
            Input(
                "folder", help="A folder, a file, or *.ts.", also=("path", "in", "glob", "include", "dir", "directory")
            ),
            Input("fixed", hidden=True, also=("literal", "fixedStrings", "F")),
            Input("ignoreCase", plain=True, also=("i", "caseInsensitive", "insensitive")),
            Input("limit", default=50, hidden=True, also=("maxResults", "max", "count", "headLimit")),
            CURSOR,
        ),
        toolset="code",
    ),
    Tool(
        "changed",
        "changed",
        "See what changed and who uses it",
        "The functions, classes and members that the working tree changes, with their uses: what a commit can break.",
        (
            Input(
                "rev",
                help="Since this commit or branch.",
                also=("revision", "base", "branch", "commit", "ref", "since"),
            ),
        ),
        toolset="code",
    ),
    Tool(
        "diagnostics",
        "diagnostics",
        "Check code for errors",
        "Type errors and warnings. Call it after an edit.",
        (
            Input("files", help="All without it.", also=("paths", "filePaths", "file", "filePath", "path")),
            Input("limit", default=50, hidden=True, also=("maxResults", "max", "count")),
            CURSOR,
        ),
        toolset="code",
    ),
)
