"""The verbs about a whole workspace."""

from cn_shared.relation_verbs import CURSOR, SERVER, limit
from cn_shared.verb import Parameter, Verb

SURVEY_VERBS = (
    Verb(
        "overview",
        "Show what a workspace holds.",
        "Its packages, projects and folders with their sizes, and the exported symbols that most files import. "
        "FOLDER narrows it.",
        (
            Parameter(
                "folder", "A folder; the whole workspace without one.", kind="file", positional=True, optional=True
            ),
            limit("symbols and folders", 30),
            SERVER,
        ),
        examples=("cn overview", "cn overview src/server"),
    ),
    Verb(
        "changed",
        "Show which symbols changed, and who uses them.",
        "The declarations that differ between the working tree and REV (HEAD without one, a branch's merge base with "
        "one), each with its uses. Files that git does not track yet count as added. No change is exit 0.",
        (
            Parameter("rev", "A branch, tag or commit.", positional=True, optional=True, default="HEAD"),
            SERVER,
        ),
        examples=("cn changed", "cn changed main"),
    ),
    Verb(
        "diagnostics",
        "Show what the compiler complains about.",
        "Errors and warnings of FILES, or of every file of the workspace, from the language server. "
        "Exits with 1 when there are errors, and with 0 when there are none.",
        (
            Parameter("files", "Files to check.", kind="files", positional=True, optional=True),
            limit("problems", 100),
            CURSOR,
            SERVER,
        ),
        examples=("cn diagnostics src/user.ts", "cn diagnostics"),
    ),
    Verb(
        "grep",
        "Find text, and the symbol that holds each match.",
        "PATTERN is a regular expression, searched for in each line of every text file that git does not ignore; "
        "sources come first, then tests, then other files. For a name, cn find is exact.",
        (
            Parameter("pattern", "What to look for.", positional=True),
            Parameter(
                "paths",
                "Files and folders to look in, or names such as *.ts.",
                kind="files",
                positional=True,
                optional=True,
                metavar="PATH...",
            ),
            Parameter(
                "folder",
                "Only in this folder, this file, or files so called (*.ts).",
                kind="file",
                flag="--in",
                metavar="FOLDER",
            ),
            Parameter("word", "Only where PATTERN is a word of its own.", kind="boolean", short="-w"),
            Parameter("fixed", "Take PATTERN as it stands.", kind="boolean", short="-F"),
            Parameter(
                "ignoreCase",
                "Take upper and lower case for the same.",
                kind="boolean",
                flag="--ignore-case",
                short="-i",
            ),
            limit("matches", 100),
            CURSOR,
            SERVER,
        ),
        idle="rRnHIEP",
        examples=("cn grep 'TODO|FIXME' src test", "cn grep -F 'user.name' --in '*.ts'"),
    ),
)
