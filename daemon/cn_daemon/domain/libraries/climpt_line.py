"""The command line of Climpt (specs/climpt-command-operations, Execute)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cn_daemon.domain.libraries.refusal import RefusalError

# At a version: without one Deno runs what was published last, by whomever.
DEFAULT_COMMAND = (
    "deno",
    "run",
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-run",
    "--allow-net",
    "--no-config",
    "jsr:@aidevtool/climpt@1.13.27",
)
FLAGS = {"edition": "-e", "adaptation": "-a", "file": "-f", "destination": "-d"}
_FILE_FLAGS = ("-f", "--file", "--from")
_IDENTIFIER = re.compile(r"\w[\w.-]*")
_KEY = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


def config_of(agent: str, c1: str) -> str:
    """`--config`'s value: c1 of the agent climpt, `<agent>-<c1>` of another."""
    return c1 if agent == "climpt" else f"{agent}-{c1}"


def check(**identifiers: str) -> None:
    """Whether these can be identifiers: words, with dots and dashes inside; only c3 may be empty.

    Raises RefusalError (`bad_identifier`): nothing that could be an option or a path reaches a command line.
    """
    for name, value in identifiers.items():
        if value == "" and name == "c3":
            continue
        if not _IDENTIFIER.fullmatch(value) or ".." in value:
            hint = "Identifiers are words of letters, digits, _, - and dots, as cn search --agent names them."
            raise RefusalError("bad_identifier", f"{name} is no identifier: {value!r}.", hint, parameter=name)


def arguments(agent: str, c1: str, c2: str, c3: str, options: Sequence[str]) -> list[str]:
    """What stands behind the command: `--config=<c1 | agent-c1> c2 c3 options…`."""
    return [f"--config={config_of(agent, c1)}", c2, *([c3] if c3 else []), *options]


def from_object(options: Mapping[str, Any]) -> list[str]:
    """Options by name, as Climpt writes them: `edition` → `-e=…`, `uv-name` → `--uv-name=…`, true → the flag alone.

    `uv` may hold an object of user variables. A list repeats its option; false and null leave it out.
    Raises RefusalError (`bad_options`).
    """
    line: list[str] = []
    for key, value in options.items():
        if key == "uv" and isinstance(value, Mapping):
            line += from_object({f"uv-{name}": inner for name, inner in value.items()})
            continue
        name = key.lstrip("-")
        if not _KEY.fullmatch(name):
            raise RefusalError("bad_options", f"{key!r} is not an option name.", parameter="options")
        flag = FLAGS.get(name) or (f"-{name}" if len(name) == 1 else f"--{name}")
        for item in value if isinstance(value, list) else [value]:
            line += _option(key, flag, item)
    return line


def _option(key: str, flag: str, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, str | int | float):
        return [f"{flag}={value}"]
    raise RefusalError("bad_options", f"The option {key} must be a string, a number or a boolean.", parameter="options")


def verify(options: Sequence[str]) -> list[str]:
    """The options as they are, after a look: which command runs is not theirs to say. Raises RefusalError."""
    for word in options:
        if "\0" in word:
            raise RefusalError("bad_options", "An option holds a NUL character.", parameter="options")
        if word.partition("=")[0] == "--config" or word.startswith("-c"):  # its value may be joined to it
            raise RefusalError(
                "bad_options",
                f"{word!r} would run another command.",
                "c1 and the agent say which.",
                parameter="options",
            )
    return list(options)


def files(options: Sequence[str]) -> list[str]:
    """The input files that the options name; `-` (standard input) is none."""
    named = []
    for at, word in enumerate(options):
        flag, equals, value = word.partition("=")
        if flag in _FILE_FLAGS:
            named.append(value if equals else next(iter(options[at + 1 : at + 2]), ""))
        elif word.startswith("-f"):
            named.append(word[2:])
    return [name for name in named if name not in ("", "-")]
