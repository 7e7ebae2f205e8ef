"""What a verb is: one question to the daemon, and its inputs.

Plain classes, no dataclasses and no imports: a warm `cn` call reads this module in every process start.
"""

# Characters of a string, unless its row says otherwise: more than any path that a system opens.
LONGEST = 4096
# Strings of a list.
MOST = 10_000


class Parameter:
    """One input of a verb.

    name: the key on the wire (`filePath`); its command-line flag is `flag` (`--filePath`) unless positional.
    short: a second flag of one letter (`-e`). optional: a positional that may be left out; empty: one that may be "".
    several: a positional that may be given more than once, each time another question.
    metavar: what help calls the value. longest: the characters that a string, or each one of a list, may have; 0 for
    what only the size of a request's body bounds.
    kind: "string", "integer", "boolean" or one of
        "file": sent as typed; the daemon resolves it against the caller's current folder first, then the root;
        "files", "words": strings; positional, any number of files, or of texts;
        "list": strings; on the command line the flag is repeated;
        "rest": strings; on the command line all that stands after `--`;
        "stdin": a string; on the command line what is piped into the verb;
        "object": a JSON object, "options": that or an array of strings; neither has a flag.
    """

    __slots__ = (
        "choices",
        "default",
        "empty",
        "flag",
        "help",
        "kind",
        "longest",
        "maximum",
        "metavar",
        "minimum",
        "name",
        "optional",
        "positional",
        "several",
        "short",
    )

    def __init__(
        self,
        name: str,
        help: str,
        *,
        kind: str = "string",
        positional: bool = False,
        flag: str = "",
        short: str = "",
        optional: bool = False,
        empty: bool = False,
        metavar: str = "",
        default: object = None,
        choices: tuple[str, ...] = (),
        minimum: int | None = None,
        maximum: int | None = None,
        longest: int = LONGEST,
        several: bool = False,
    ) -> None:
        self.name = name
        self.help = help
        self.kind = kind
        self.positional = positional
        self.several = several
        self.flag = "" if positional or kind in ("rest", "object", "options") else flag or "--" + name
        self.short = short
        self.optional = optional
        self.empty = empty
        self.metavar = metavar
        self.default = default
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum
        self.longest = 0 if kind in ("integer", "boolean", "stdin", "object", "options") else longest


class Verb:
    """One question to the daemon: `cn NAME`, `POST /PATH` (and `GET` when `reads`), MCP tool `TOOL`.

    name: one word, or two (`reports search`). bare: its answer is a JSON array, which `--envelope` wraps.
    idle: letters of flags that other programs take and that change nothing here (`-rn` of grep).
    runs: it runs a command, under a deadline of its own (the setting `execute_timeout_s`).
    """

    __slots__ = (
        "bare",
        "examples",
        "help",
        "idle",
        "method",
        "name",
        "parameters",
        "path",
        "reads",
        "runs",
        "starts",
        "summary",
        "tool",
    )

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
        bare: bool = False,
        runs: bool = False,
        idle: str = "",
        examples: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.summary = summary
        self.help = help
        self.parameters = parameters
        self.path = path or "/" + name.replace(" ", "/")
        self.method = method
        self.tool = tool or name
        self.reads = reads
        self.starts = starts
        self.bare = bare
        self.runs = runs
        self.idle = idle
        self.examples = examples
