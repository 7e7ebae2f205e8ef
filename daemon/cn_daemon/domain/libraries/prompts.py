"""A command that is a file, rendered as the client it was written for would.

- cursor passes the file as it is, with what was typed behind it.
- claude (Claude Code, Codex, opencode, skills) drops the front matter and fills in `$ARGUMENTS`, `$ARGUMENTS[0]` (from
  0) and `$1` to `$9` (from 1).
- gemini (Gemini CLI, Qwen Code) fills in `{{args}}`, within `!{…}` as one word of a shell.
- copilot (prompt files of VS Code) drops the front matter and fills in `${input:name}`.

Everything is filled in within one pass, so nothing in a value is ever read as a placeholder. Lines to run and files to
read are neither run nor read: they are listed, as the command's author wrote them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from cn_daemon.domain.libraries.front_matter import front_matter

Dialect = Literal["claude", "cursor", "gemini", "copilot"]

_NAMED = (
    r"|\$\{(?P<braced>[A-Za-z_][\w-]*)\}"
    r"|\{\{[ \t]*(?P<doubled>[A-Za-z_][\w-]*)[ \t]*\}\}"
    r"|\$(?P<name>[A-Za-z_]\w*)(?!\w)"
)
_PLACEHOLDERS: Mapping[Dialect, re.Pattern[str]] = {
    "claude": re.compile(
        r"\$ARGUMENTS\[(?P<index>\d{1,3})\]|\$(?P<all>ARGUMENTS)(?![\w\[])|\$(?P<number>[1-9])(?!\w|[.,]\d)" + _NAMED
    ),
    "gemini": re.compile(r"(?P<shell>!\{[^{}]*+(?>(?:\{\{args\}\}[^{}]*+)*)\})|\{\{(?P<all>args)\}\}" + _NAMED),
    "copilot": re.compile(r"\$\{input:(?P<input>[^:}\n]+)(?::[^}\n]*)?\}" + _NAMED),
}
# By the folder that a client keeps its commands in.
_DIALECTS: Mapping[str, Dialect] = {
    ".claude": "claude",
    ".agents": "claude",
    ".copilot": "claude",
    ".opencode": "claude",
    "opencode": "claude",
    ".codex": "claude",
    ".roo": "claude",
    ".windsurf": "claude",
    ".codeium": "claude",
    ".clinerules": "claude",
    "Cline": "claude",
    ".cursor": "cursor",
    ".gemini": "gemini",
    ".qwen": "gemini",
    ".github": "copilot",
}
_SKILL = re.compile(r"[/\\]skills[/\\](?:.*[/\\])?SKILL\.md\Z")
_SHELL = re.compile(r"(?<![^\s(])!`([^`\n]+)`")
_FILE = re.compile(r"(?<![\w`@/.])@((?:~?/|\.{1,2}/)?[\w-][\w.$-]*(?:/[\w.$-]+)*)")
_BRACED_SHELL = re.compile(r"!\{([^{}]*+(?>(?:\{\{args\}\}[^{}]*+)*))\}")
_BRACED_FILE = re.compile(r"@\{([^{}\n]+)\}")
_LINKED_FILE = re.compile(r"#file:([^\s`)\]]+)")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
# As shlex.split reads words, which takes a second for 20 KB and a minute for 200.
_SPACE = re.compile(r"[ \t\r\n]++")
_ARGUMENT = re.compile(r"(?>(?:[^ \t\r\n\"'\\]++|\\[\s\S]|\"(?>(?:[^\"\\]++|\\[\s\S])*)\"|'[^']*+')+)")
_PIECE = re.compile(r"\\(?P<escaped>[\s\S])|\"(?P<double>(?>(?:[^\"\\]++|\\[\s\S])*))\"|'(?P<single>[^']*+)'")
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
    """Whose command it is: a skill is everybody's; by its folder, else by whether it has Claude Code's placeholders."""
    if is_skill(path):
        return "claude"
    parts = path.replace("\\", "/").split("/")
    for folder in reversed(parts[:-1]):
        if folder in _DIALECTS:
            return _DIALECTS[folder]
    return "claude" if re.search(r"\$ARGUMENTS\b|(?<!\w)\$[1-9](?!\w|[.,]\d)", text) else "cursor"


def is_skill(path: str) -> bool:
    """Whether a command's file is a skill's, in a folder of skills."""
    return _SKILL.search(path) is not None


def render(text: str, dialect: Dialect, arguments: str = "", named: Mapping[str, str] | None = None) -> Rendered:
    """The prompt with its arguments: `arguments` as typed, `named` by name.

    A named argument fills `$name`, `${name}` and `{{name}}`; what no placeholder took stands below the text, so
    that nothing given is lost.
    """
    named = named or {}
    if dialect == "cursor":
        return Rendered(_below(text, arguments, named), _pending(text))
    header = front_matter(text)
    body = text[header.end :].lstrip("\r\n") if header else text
    filling = _Filling(arguments, named)
    content = _PLACEHOLDERS[dialect].sub(filling.value, body)
    typed = "" if filling.took_arguments else arguments
    left = {name: value for name, value in named.items() if name not in filling.used}
    missing = [Pending("argument", item) for item in filling.missing]
    mark = "ARGUMENTS: " if dialect == "claude" else ""
    pending = _PENDING[dialect](body)
    return Rendered(_below(content, f"{mark}{typed}" if typed else "", left), [*pending, *missing])


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
    """Words as one text that `words` divides again; a single one stays as it was typed."""
    return arguments[0] if len(arguments) == 1 else shlex.join(arguments)


class _Filling:
    """One pass over the placeholders."""

    def __init__(self, arguments: str, named: Mapping[str, str]) -> None:
        self._arguments = arguments
        self._words = words(arguments)
        self._named = named
        self.used: set[str] = set()
        self.took_arguments = False
        self.missing: list[str] = []

    def value(self, match: re.Match[str]) -> str:
        found = match.groupdict()
        if found.get("shell"):
            self.took_arguments |= "{{args}}" in match[0]
            return match[0].replace("{{args}}", shlex.quote(self._arguments) if self._arguments else "")
        if found.get("all"):
            self.took_arguments = True
            return self._arguments
        if index := found.get("index"):
            return self._word(match, int(index))
        if number := found.get("number"):
            return self._word(match, int(number) - 1)
        name = found.get("input") or match["braced"] or match["doubled"] or match["name"]
        if name in self._named:
            self.used.add(name)
            return self._named[name]
        if found.get("input") and name not in self.missing:
            self.missing.append(name)
        return match[0]

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


def _pending_in_braces(text: str) -> list[Pending]:
    found = [Pending("shell", match[1].strip()) for match in _BRACED_SHELL.finditer(text)]
    found += [Pending("file", match[1].strip()) for match in _BRACED_FILE.finditer(text)]
    return list(dict.fromkeys(found))


def _pending_links(text: str) -> list[Pending]:
    return list(dict.fromkeys(Pending("file", match[1]) for match in _LINKED_FILE.finditer(_unfenced(text))))


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


_PENDING: Mapping[Dialect, Callable[[str], list[Pending]]] = {
    "claude": _pending,
    "gemini": _pending_in_braces,
    "copilot": _pending_links,
}
