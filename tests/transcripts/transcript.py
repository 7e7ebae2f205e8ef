"""Shell transcripts as tests: what the user types, and what they see.

    # a comment
    $ cn find Nothing
    complete · nothing found
    [exit 1]

Each command runs in a shell in the workspace; stdout and stderr are one stream, as on a terminal. An exit code
that is not 0 stands below the output. In expected lines `<root>` is the workspace, `<state>` and `<cache>` are the
user's folders, `<number>`, `<version>`, `<time>` and `<text>` stand for what differs from run to run, and a line
`...` for any lines.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PLACEHOLDERS = {
    "<number>": r"\d+(?:\.\d+)?",
    "<version>": r"\d+\.\d+\.\d+[\w.+-]*",
    "<time>": r"\d+ (?:s|min)(?: \d+ s)?",
    "<text>": r".*",
}
# What differs from run to run wherever it stands; a transcript may hold any value of it, or the placeholder.
VOLATILE = (
    (r"\b(pid|port|up) \d+(?:\.\d+)?", r"\1 <number>"),
    (r"\b\d+ MB", "<number> MB"),
    (r"^cn \d+\.\d+\.\d+[\w.+-]*", "cn <version>"),
    (r"[0-9a-f]{16}\.log", "<text>.log"),
    (r'"(pid|port|uptimeS|memoryBytes)":[\d.]+', r'"\1":<number>'),
    (r"^typescript-language-server .*", "typescript-language-server <text>"),
)
_DEADLINE_S = 120


@dataclass(frozen=True, slots=True)
class Step:
    """One command and its expected lines. line: 1-based, where the command stands."""

    command: str
    expected: tuple[str, ...]
    line: int


def parse(text: str, first_line: int = 1) -> list[Step]:
    """The steps of a transcript. Comments and lines before the first command are passed over."""
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), first_line):
        if line.startswith("$ "):
            steps.append(Step(line[2:], (), number))
        elif steps and not line.startswith("# "):
            last = steps[-1]
            steps[-1] = Step(last.command, (*last.expected, line), last.line)
    return [Step(step.command, _without_blank_end(step.expected), step.line) for step in steps]


def fenced(markdown: str) -> Iterator[tuple[int, str]]:
    """The ```console blocks of a Markdown text: the line of their first line, and their text."""
    for found in re.finditer(r"^```console\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL):
        yield markdown[: found.start(1)].count("\n") + 1, found[1]


def run(step: Step, root: Path, environ: Mapping[str, str]) -> list[str]:
    """What the command really prints, with names for the workspace and the user's folders."""
    done = subprocess.run(
        ["sh", "-c", step.command],
        cwd=root,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_DEADLINE_S,
        check=False,
    )
    text = done.stdout.decode("utf-8").replace(str(root), "<root>")
    for name, variable in (("<state>", "XDG_STATE_HOME"), ("<cache>", "XDG_CACHE_HOME")):
        text = text.replace(environ.get(variable) or "\0", name)
    lines = text.splitlines()
    return list(_without_blank_end(tuple(lines))) + ([f"[exit {done.returncode}]"] if done.returncode else [])


def matches(expected: tuple[str, ...], told: list[str]) -> bool:
    """Whether the printed lines are the expected ones, placeholders filled in."""
    wanted = [steady(line) for line in expected]
    pattern = "".join(r"(?:.*\n)*" if line == "..." else _pattern(line) + r"\n" for line in wanted)
    return any(re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) for lines in (told, map(steady, told)))


def steady(line: str) -> str:
    """A line with placeholders for what differs from run to run."""
    for pattern, placeholder in VOLATILE:
        line = re.sub(pattern, placeholder, line)
    return line


def _pattern(line: str) -> str:
    parts = re.split("(" + "|".join(PLACEHOLDERS) + ")", line)
    return "".join(PLACEHOLDERS.get(part, re.escape(part)) for part in parts)


def _without_blank_end(lines: tuple[str, ...]) -> tuple[str, ...]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
