"""A Markdown command, rendered as the editor it was written for would.

Cursor hands the file over as it is, with what was typed behind it. Claude Code drops the frontmatter and fills in
`$ARGUMENTS`, `$ARGUMENTS[0]` (from 0) and `$1` to `$9` (from 1). Everything is filled in within one pass, so nothing
in a value is ever read as a placeholder. Lines to run (`` !`cmd` ``) and files to read (`@path`) are neither run nor
read: they are listed, as the command's author wrote them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

Dialect = Literal["claude", "cursor"]

_FRONTMATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:.*?\r?\n)??(?:---|\.\.\.)[ \t]*(?:(?:\r?\n)+|\Z)", re.DOTALL)
_PLACEHOLDER = re.compile(
    r"\$ARGUMENTS\[(?P<index>\d{1,3})\]"
    r"|\$(?P<all>ARGUMENTS)(?![\w\[])"
    r"|\$(?P<number>[1-9])(?!\w|[.,]\d)"
    r"|\$\{(?P<braced>[A-Za-z_][\w-]*)\}"
    r"|\{\{[ \t]*(?P<doubled>[A-Za-z_][\w-]*)[ \t]*\}\}"
    r"|\$(?P<name>[A-Za-z_]\w*)(?!\w)"
)
_SHELL = re.compile(r"(?<![^\s(])!`([^`\n]+)`")
_FILE = re.compile(r"(?<![\w`@/.])@((?:~?/|\.{1,2}/)?[\w-][\w.$-]*(?:/[\w.$-]+)*)")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
# As shlex.split reads words, which takes a second for 20 KB and a minute for 200.
_SPACE = re.compile(r"[ \t\r\n]++")
_ARGUMENT = re.compile(r"(?:[^ \t\r\n\"'\\]++|\\[\s\S]|\"(?:[^\"\\]++|\\[\s\S])*+\"|'[^']*+')++")
_PIECE = re.compile(r"\\(?P<escaped>[\s\S])|\"(?P<double>(?:[^\"\\]++|\\[\s\S])*+)\"|'(?P<single>[^']*+)'")
_ESCAPED = re.compile(r"\\([\"\\])")
_CODE = re.compile(r"`[^`\n]*`")


class Pending(NamedTuple):
    """What the prompt wants and cn did not do. kind: shell (a line to run), file (to read), argument (not given)."""

    kind: Literal["shell", "file", "argument"]
    text: str


class Rendered(NamedTuple):
    content: str
    pending: list[Pending]


def dialect_of(path: str, text: str) -> Dialect:
    """Whose command it is: by its folder, else by whether it has Claude Code's placeholders."""
    parts = path.replace("\\", "/").split("/")
    for folder in reversed(parts):
        if folder == ".claude":
            return "claude"
        if folder == ".cursor":
            return "cursor"
    return "claude" if re.search(r"\$ARGUMENTS\b|(?<!\w)\$[1-9](?!\w|[.,]\d)", text) else "cursor"


def render(text: str, dialect: Dialect, arguments: str = "", named: Mapping[str, str] | None = None) -> Rendered:
    """The prompt with its arguments: `arguments` as typed, `named` by name.

    A named argument fills `$name`, `${name}` and `{{name}}`; what no placeholder took stands below the text, so
    that nothing given is lost.
    """
    named = named or {}
    if dialect == "cursor":
        return Rendered(_below(text, arguments, named), _pending(text))
    body = _FRONTMATTER.sub("", text, count=1)
    filling = _Filling(arguments, named)
    content = _PLACEHOLDER.sub(filling.value, body)
    typed = "" if filling.took_arguments else arguments
    left = {name: value for name, value in named.items() if name not in filling.taken}
    missing = [Pending("argument", item) for item in filling.missing]
    return Rendered(_below(content, f"ARGUMENTS: {typed}" if typed else "", left), [*_pending(body), *missing])


def words(arguments: str) -> list[str]:
    """The arguments one by one: quotes hold words together; with a lone quote, white space alone divides."""
    found: list[str] = []
    at = 0
    while at < len(arguments):
        word = _SPACE.match(arguments, at) or _ARGUMENT.match(arguments, at)
        if word is None or (
            word.re is _ARGUMENT and word.end() < len(arguments) and not _SPACE.match(arguments, word.end())
        ):
            return arguments.split()
        if word.re is _ARGUMENT:
            found.append(_PIECE.sub(_bare, word[0]))
        at = word.end()
    return found


def _bare(piece: re.Match[str]) -> str:
    if piece["double"] is not None:
        return _ESCAPED.sub(r"\1", piece["double"])
    return piece["escaped"] or piece["single"] or ""


def joined(arguments: Sequence[str]) -> str:
    """Words as one text that `words` divides again; a single one is taken as it was typed."""
    return arguments[0] if len(arguments) == 1 else shlex.join(arguments)


class _Filling:
    """One pass over the placeholders."""

    def __init__(self, arguments: str, named: Mapping[str, str]) -> None:
        self._arguments = arguments
        self._words = words(arguments)
        self._named = named
        self.taken: set[str] = set()
        self.took_arguments = False
        self.missing: list[str] = []

    def value(self, match: re.Match[str]) -> str:
        if match["all"]:
            self.took_arguments = True
            return self._arguments
        if match["index"] or match["number"]:
            return self._word(match, int(match["index"]) if match["index"] else int(match["number"]) - 1)
        name = match["braced"] or match["doubled"] or match["name"]
        if name not in self._named:
            return match[0]
        self.taken.add(name)
        return self._named[name]

    def _word(self, match: re.Match[str], index: int) -> str:
        if not self._words:  # `$1` may be SQL's as well: it goes only when arguments came
            if match[0] not in self.missing:
                self.missing.append(match[0])
            return match[0]
        self.took_arguments = True
        return self._words[index] if index < len(self._words) else ""


def _below(text: str, arguments: str, named: Mapping[str, str]) -> str:
    added = [arguments] if arguments else []
    added += [f"{name}: {value}" for name, value in named.items()]
    return "\n\n".join([text.rstrip("\n"), "\n".join(added)]) + "\n" if added else text


def _pending(text: str) -> list[Pending]:
    found = [Pending("shell", match[1]) for match in _SHELL.finditer(text)]
    prose = _CODE.sub(" ", _unfenced(text))
    for match in _FILE.finditer(prose):
        name = match[1].rstrip(".")
        if "." in name or "/" in name:  # @someone is a person
            found.append(Pending("file", name))
    return list(dict.fromkeys(found))


def _unfenced(text: str) -> str:
    """The text without its fenced code; a fence that nothing closes is text. Each fence is looked at once or twice."""
    fences = [(match.start(), match[1]) for match in _FENCE.finditer(text)]
    kept: list[str] = []
    at = number = 0
    while number < len(fences):
        start, mark = fences[number]
        later = range(number + 1, len(fences))
        closing = next((one for one in later if fences[one][1].startswith(mark)), 0) or next(
            (one for one in later if fences[one][1][0] == mark[0]), 0
        )
        if closing:
            kept.append(text[at:start])
            at = text.find("\n", fences[closing][0])
            at = at if at >= 0 else len(text)
        number = (closing or number) + 1
    return " ".join([*kept, text[at:]])
