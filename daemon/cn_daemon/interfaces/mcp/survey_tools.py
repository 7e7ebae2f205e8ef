"""A whole workspace at once, as tools."""

from __future__ import annotations

from cn_daemon.interfaces.mcp.tool import CURSOR, Input, Tool

SURVEYS = (
    Tool(
        "overview",
        "overview",
        "See what a workspace holds",
        "Packages, projects, folders with their sizes, and the exported symbols that most files import. Call it first "
        "in a repository you do not know; then map_file or refs for what looks central.",
        (Input("folder", also=("path", "dir", "directory")), Input("limit", also=("maxResults", "max", "count"))),
    ),
    Tool(
        "changed",
        "changed",
        "See what changed and who uses it",
        "The functions, classes and members that differ between the working tree and a commit or branch (git), each "
        "with its uses. Call it before a review or a commit, to see what the change can break.",
        (Input("rev", also=("revision", "base", "branch", "commit", "ref", "since")),),
    ),
    Tool(
        "diagnostics",
        "diagnostics",
        "Check code for errors",
        "Type errors and warnings of files, or of the whole workspace without files. Call it after an edit, with the "
        "files you changed and those that use them.",
        (
            Input("files", also=("paths", "filePaths", "file", "filePath", "path")),
            Input("limit", default=50, also=("maxResults", "max", "count")),
            CURSOR,
        ),
    ),
)
