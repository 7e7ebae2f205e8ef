"""The verbs, each defined once: the CLI, its fast path, HTTP and MCP are derived from this table.

Plain classes, no dataclasses and no imports: a warm `cn` call reads this module in every process start.
"""


class Parameter:
    """One input of a verb.

    name: the key on the wire (`filePath`); its command-line flag is `flag` (`--file-path`) unless positional.
    kind: "string", "integer", "boolean" or "file". A file is sent as typed; the daemon resolves it against the
        caller's current folder first, then the root.
    """

    __slots__ = ("choices", "default", "flag", "help", "kind", "maximum", "minimum", "name", "positional")

    def __init__(
        self,
        name: str,
        help: str,
        *,
        kind: str = "string",
        positional: bool = False,
        flag: str = "",
        default: object = None,
        choices: tuple[str, ...] = (),
        minimum: int | None = None,
        maximum: int | None = None,
    ) -> None:
        self.name = name
        self.help = help
        self.kind = kind
        self.positional = positional
        self.flag = "" if positional else flag or "--" + name
        self.default = default
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum


class Verb:
    """One question to the daemon: `cn NAME`, `POST /PATH` (and `GET` when `reads`), MCP tool `TOOL`."""

    __slots__ = ("examples", "help", "method", "name", "parameters", "path", "reads", "starts", "summary", "tool")

    def __init__(
        self,
        name: str,
        summary: str,
        help: str,
        parameters: tuple[Parameter, ...] = (),
        *,
        path: str = "",
        method: str = "POST",
        tool: str = "",
        reads: bool = True,
        starts: bool = True,
        examples: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.summary = summary
        self.help = help
        self.parameters = parameters
        self.path = path or "/" + name
        self.method = method
        self.tool = tool or name
        self.reads = reads
        self.starts = starts
        self.examples = examples


_SERVER = Parameter(
    "server",
    "Which TypeScript server answers: the one that fits the workspace, or one of the two.",
    default="auto",
    choices=("auto", "typescript", "native"),
)

VERBS: tuple[Verb, ...] = (
    Verb(
        "map",
        "Outline a file: every symbol with its kind and line.",
        "Every class, function, member and constant that FILE declares, in source order, each with an id that "
        "find and inspect take.",
        (
            Parameter(
                "filePath", "The file, relative to the current folder or to the root.", kind="file", positional=True
            ),
            _SERVER,
        ),
        tool="map_file",
        examples=("cn map src/user.ts",),
    ),
    Verb(
        "find",
        "Find a symbol's definition and its references.",
        "QUERY is a name (User), a member (User.rename), a name in a file (src/user.ts:User), a position "
        "(src/user.ts:10:14) or an id from an earlier answer. Every answer says whether it is complete.",
        (
            Parameter("query", "A name, Container.member, path:name, path:line:character, or an id.", positional=True),
            Parameter("mode", "What to look for.", default="both", choices=("definition", "reference", "both")),
            Parameter(
                "limit",
                "At most this many references; 0 is all.",
                kind="integer",
                default=200,
                minimum=0,
                maximum=1_000_000,
            ),
            Parameter("cursor", "Continue an earlier answer: its `next`."),
            _SERVER,
        ),
        examples=("cn find User", "cn find User.rename --mode definition"),
    ),
    Verb(
        "inspect",
        "Show the code of a symbol or a place.",
        "ID comes from map or find, or is <path>#Container.member. By default the whole declaration is shown, or "
        "the block that encloses the place; surround shows the lines around it.",
        (
            Parameter("targetId", "An id from map or find, or <path>#Container.member.", positional=True),
            Parameter("expand", "How much to show.", default="block", choices=("block", "surround")),
            Parameter(
                "lines", "Lines either side, for surround.", kind="integer", default=5, minimum=0, maximum=10_000
            ),
            _SERVER,
        ),
        examples=("cn inspect ref::src/user.ts::10::14", "cn inspect 'src/user.ts#User.rename'"),
    ),
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


def verb(name: str) -> Verb | None:
    """The row of that name, or None."""
    for row in VERBS:
        if row.name == name:
            return row
    return None
