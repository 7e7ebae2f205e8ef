"""Which symbols an agent greps for: the names in a shell command (`grep -rn "class Hono\\b" src`), or in a pattern."""

import re
import shlex

MOST = 3  # names of one call
_LONGEST = 20_000  # characters of a command that are read
_LONGEST_PATTERN = 400  # of names in a row; the expressions here may look at each of its characters twice
# The options that take their value as a word of its own; every other one is a word alone.
_RG = frozenset("-A -B -C -E -M -T -d -f -g -j -m -r -t --after-context --before-context --color --colors --context "
                "--encoding --engine --file --glob --iglob --max-columns --max-count --max-depth --replace --sort "
                "--sortr --threads --type --type-not".split())  # fmt: skip
_GREP = frozenset("-A -B -C -D -d -f -m --after-context --before-context --binary-files --context --devices "
                  "--directories --exclude --exclude-dir --exclude-from --file --include --label "
                  "--max-count".split())  # fmt: skip
_PROGRAMS = {"rg": _RG, "ag": _RG, "ack": _RG, "grep": _GREP, "egrep": _GREP, "fgrep": _GREP, "ugrep": _GREP}
_PATTERN = ("-e", "--regexp")
_SEPARATORS = frozenset(("|", "&&", "||", ";", "&", "(", ")", "\n", "|&"))
_REDIRECTIONS = frozenset((">", ">>", "<", "<<", "<<<", ">&", "&>", ">|"))
_CODE = re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|c|h|cc|cpp|cxx|hh|hpp|hxx|go|rs)$")
_SUFFIX = re.compile(r"\.\w{1,10}$")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$#][\w$]*)?")
# What stands around a name in the patterns that agents write, and is no name.
_AROUND = re.compile(
    r"\\[bBsSwWdD<>AZz][*+?]?"  # \b, \s+
    r"|\[[^\]]*\][*+?]?|\(\?[:=!<]{1,2}|\.[*+]\??|[\^$]"  # [...]*, (?:, .*, ^
    r"|\\?[(){}<>=:;,!&+*?@'\"`\[\]]|\\(?=[.(])"  # \(, <, =
)
# Alternatives that are no whole names: a bracket, `(get|set)Header`, `get(Path|Query)`.
_PARTS = re.compile(r"\[[^\]]*\|[^\]]*\]|\([^()]*\|[^()]*\)\w+|(?<![\\\w])\w+\([^()\s]*\|[^()\s]*\)")
_KEYWORDS = frozenset(
    "abstract as async await class const constructor declare def default enum export extends extern final fn for from "
    "func function get if impl implements import in interface is let mod module mut namespace new of override private "
    "protected pub public readonly require return self set static struct super this throw trait type typedef typeof "
    "use using var virtual void yield".split()
)


def names(tool: dict[str, object]) -> list[str]:
    """The symbols that a tool's input looks for, in order, each once: at most MOST; none when it is no such search.

    tool: `command` of a shell (a string, or its words), or `pattern` of a search, with `path` and `glob`.
    """
    command = tool.get("command", tool.get("cmd"))
    if isinstance(command, list):  # sh -c "..."
        command = command[-1] if len(command) == 3 else shlex.join(map(str, command))
    patterns: list[str] = []
    if isinstance(command, str):
        patterns = [pattern for words in _searches(command[:_LONGEST]) for pattern in _patterns(words)]
    elif isinstance(tool.get("pattern"), str) and all(
        _may_be_code([str(tool.get(of) or "")]) for of in ("path", "glob")
    ):
        patterns = [str(tool["pattern"])]
    found = dict.fromkeys(name for pattern in patterns for name in _named(pattern))
    return list(found)[:MOST]


def _searches(command: str) -> list[list[str]]:
    """The words of each search through files in a command line; of none that reads what another program prints."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    try:
        tokens = list(lexer)
    except ValueError:  # a quotation that does not end
        return []
    runs: list[list[str]] = [[]]
    piped = [False]
    for token in tokens:
        if token in _SEPARATORS or set(token) == {"\n"}:
            runs.append([])
            piped.append(token in ("|", "|&"))
        else:
            runs[-1].append(token)
    found = (_search(words, after_pipe) for words, after_pipe in zip(runs, piped, strict=True))
    return [words for words in found if words]


def _search(words: list[str], after_pipe: bool) -> list[str]:
    """The search that those words run, from its program on; empty: none."""
    while words and (
        re.fullmatch(r"[A-Za-z_]\w*=.*", words[0]) or words[0] in ("time", "command", "nice", "then", "do")
    ):
        words = words[1:]
    if words[:1] == ["xargs"] and after_pipe:  # find ... | xargs grep
        at = next((index for index, word in enumerate(words) if _program(word)), len(words))
        return words[at:]
    if after_pipe:
        return []
    if words[:2] == ["git", "grep"]:
        return words[1:]
    return words if words and _program(words[0]) else []


def _program(word: str) -> str:
    name = word.rpartition("/")[2]
    return name if name in _PROGRAMS else ""


def _patterns(words: list[str]) -> list[str]:
    """The patterns of a search, or none: it looks through files that hold no code."""
    valued = _PROGRAMS[_program(words[0])]
    given: list[str] = []
    rest: list[str] = []
    globs: list[str] = []
    left = iter(words[1:])
    for word in left:
        flag, equals, value = word.partition("=")
        if word in _REDIRECTIONS:
            next(left, "")
        elif word == "--":
            rest += left
        elif not word.startswith("-") or word == "-":
            rest += [] if word.isdigit() and rest else [word]  # of 2>/dev/null
        elif flag in _PATTERN or (not word.startswith("--") and word.endswith("e") and word[1:-1].isalpha()):
            given.append(value if equals else next(left, ""))
        elif flag in ("--include", "-g", "--glob"):
            globs.append(value if equals else next(left, ""))
        elif not equals and (flag in valued or (not word.startswith("--") and f"-{word[-1]}" in valued)):
            next(left, "")
    if not given:
        given, rest = rest[:1], rest[1:]
    return given if _may_be_code(rest) and _may_be_code(globs) else []


def _may_be_code(paths: list[str]) -> bool:
    """Whether one of the files or patterns of files may be code: no suffix, or one of a language that cn reads."""
    named = [path for path in paths if path and not path.startswith("!")]
    return not named or any(
        not _SUFFIX.search(path.rstrip("}*")) or _CODE.search(path) or "{" in path for path in named
    )


def _named(pattern: str) -> list[str]:
    """The one name in each of a pattern's alternatives, where there is nothing but it and what is around it."""
    found: list[str] = []
    if len(pattern) > _LONGEST_PATTERN:
        return found
    for part in re.split(r"\\?\|", _PARTS.sub(" ", pattern)):
        words = _AROUND.sub(" ", part).split()
        left = [word.strip(".") for word in words if word.strip(".") not in _KEYWORDS and word.strip(".\\-")]
        if len(left) == 1 and len(left[0]) > 2 and _IDENTIFIER.fullmatch(left[0]):
            found.append(left[0])
    return found
