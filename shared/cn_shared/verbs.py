"""The verbs, each defined once: the CLI, its fast path, HTTP and MCP are derived from this table."""

from cn_shared.command_verbs import COMMAND_VERBS
from cn_shared.relation_verbs import CURSOR, QUERY, RELATION_VERBS, SERVER, limit
from cn_shared.survey_verbs import SURVEY_VERBS
from cn_shared.verb import LONGEST, MOST, Parameter, Verb

__all__ = ["ALIASES", "LONGEST", "MOST", "VERBS", "Parameter", "Verb", "verb"]

_NAVIGATION = (
    Verb(
        "map",
        "Outline a file: every symbol with its kind and line.",
        "Every class, function, member and constant that FILE declares, in source order, each with an id that "
        "find and inspect take.",
        (
            Parameter(
                "filePath", "The file, relative to the current folder or to the root.", kind="file", positional=True
            ),
            limit("symbols", 0),
            CURSOR,
            SERVER,
        ),
        tool="map_file",
        examples=("cn map src/user.ts",),
    ),
    Verb(
        "find",
        "Find a symbol's definition and its references.",
        "QUERY is a name (User), a member (User.rename), a name in a file (src/user.ts:User), a position "
        "(src/user.ts:10:14) or an id from an earlier answer. Every answer says whether it is complete. Names by "
        "pattern (*Router, User.get*, /get.*Path/, User|Order) are listed; a file is answered by its map, a folder by "
        "its overview, lines of a file (src/user.ts:10-20) by inspect.",
        (
            QUERY,
            Parameter("mode", "What to look for.", default="both", choices=("definition", "reference", "both")),
            limit("references", 200),
            CURSOR,
            SERVER,
            Parameter("explain", "Tell also who answered, how much and how fast.", kind="boolean"),
        ),
        examples=(
            "cn find User",
            "cn find User.rename --mode definition",
            "cn find '*Router'",
            "cn find User Cart.total",
        ),
    ),
    Verb(
        "inspect",
        "Show the code of a symbol or a place.",
        "ID comes from map or find, or is <path>#Container.member. By default the whole declaration is shown, or "
        "the block that encloses the place; surround shows the lines around it.",
        (
            Parameter("targetId", "An id from map or find, or <path>#Container.member.", positional=True, several=True),
            Parameter("expand", "How much to show.", default="block", choices=("block", "surround")),
            Parameter(
                "lines", "Lines either side, for surround.", kind="integer", default=5, minimum=0, maximum=10_000
            ),
            Parameter(
                "parts",
                "Tell also members, callers, impls or tests, or all of them; may be repeated.",
                kind="list",
                flag="--with",
                metavar="PART",
            ),
            Parameter("without", "All parts but this; may be repeated.", kind="list", metavar="PART"),
            SERVER,
        ),
        examples=(
            "cn inspect ref::src/user.ts::10::14",
            "cn inspect 'src/user.ts#User.rename'",
            "cn inspect User --with all",
        ),
    ),
)

_DAEMON = (
    Verb(
        "status",
        "Show the daemon and its language servers.",
        "Root, port, version, memory, and each language server's state. Does not start a daemon.",
        method="GET",
        starts=False,
        examples=("cn status",),
    ),
    Verb(
        "stop",
        "Stop the daemon of this workspace.",
        "Finishes what is in flight, stops the language servers and removes the state file.",
        path="/shutdown",
        reads=False,
        starts=False,
        examples=("cn stop",),
    ),
)

# What other programs call it: the verb, and what stands behind it.
ALIASES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("definition", "goto"), ("find", "--mode", "definition")),
    **dict.fromkeys(("references", "usages", "uses"), ("find",)),
    **dict.fromkeys(("outline", "symbols"), ("map",)),
    **dict.fromkeys(("implementations", "implementers", "overrides"), ("impls",)),
    **dict.fromkeys(("supertypes", "subtypes", "hierarchy"), ("types",)),
    "signature": ("hover",),
    "show": ("inspect",),
    "check": ("diagnostics",),
}

VERBS: tuple[Verb, ...] = (*_NAVIGATION, *RELATION_VERBS, *SURVEY_VERBS, *COMMAND_VERBS, *_DAEMON)


def verb(name: str) -> Verb | None:
    """The row of that name, or None."""
    for row in VERBS:
        if row.name == name:
            return row
    return None
