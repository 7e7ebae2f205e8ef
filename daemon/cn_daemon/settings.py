"""The daemon's settings: one table, read from five places.

Lowest to highest: defaults, the user's file (`config.json` in the platform's config folder),
`.ai-command-tool.json` and `.cn.json` at the root, the environment (`CN_*`). To add a key, add a field to
`Settings`: its annotation is its type, its row says the rest, and files, environment, JSON Schema and
warnings follow.

What the user wrote themselves must be right: a bad value there raises InputError (`bad_settings`). What
came with a cloned repository must neither stop the daemon nor steer it: there a bad value warns, and a key
that names a program or a folder is ignored until `cn trust`.
"""

# ruff: noqa: RUF009  (a row is made by `_key`, which is dataclasses.field)

from __future__ import annotations

import difflib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cn_daemon.setting_values import UnfitError, from_json, from_text, json_schema
from cn_shared import trust
from cn_shared.errors import InputError
from cn_shared.folders import config_folder

FILE_LIMIT = 1 << 20
CLIENT_NAMES = frozenset({"CN_ROOT", "CN_FORMAT"})
# Its documented keys; a key of this list that `Settings` does not hold (yet) passes without a warning.
AI_COMMAND_TOOL_KEYS = frozenset(
    {
        "commands_directory",
        "reports_directory",
        "cache_ttl_seconds",
        "report_link_base_url",
        "max_search_results",
        "search_timeout_ms",
    }
)


def _key(
    default: Any,
    help: str,
    *,
    trusted: bool = False,
    choices: tuple[str, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
    environment: str = "",
) -> Any:
    """One row. trusted: not from a root's file before `cn trust`. environment: a name besides `CN_<KEY>`."""
    row = {
        "help": help,
        "trusted": trusted,
        "choices": choices,
        "minimum": minimum,
        "maximum": maximum,
        "environment": environment,
    }
    return field(default=default, metadata=row)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every value, with where it came from.

    sources: key → "default", the file, or the environment name. warnings: sentences for the user, in `cn
    status`.
    """

    server: str = _key(
        "auto",
        "Which language server answers for TypeScript and JavaScript.",
        choices=("auto", "typescript", "native"),
    )
    server_command: tuple[str, ...] = _key(
        (), "The command line of the language server, instead of the one cn finds.", trusted=True
    )
    node: Path | None = _key(None, "The Node.js program to run language servers with.", trusted=True)
    typescript: Path | None = _key(
        None, "The lib folder of the TypeScript to use (it holds tsserver.js).", trusted=True
    )
    typescript_source: str = _key(
        "auto",
        "Whose TypeScript and typescript-language-server to run: auto is the workspace's "
        "own unless the repository brought it along.",
        trusted=True,
        choices=("auto", "workspace", "bundled"),
    )
    tsserver_memory_mb: int = _key(3072, "The memory ceiling of one tsserver, in MB.", minimum=256, maximum=65_536)
    idle_timeout_s: float = _key(
        1800, "Stop after this many seconds without a question; 0 is never.", minimum=0, maximum=31_536_000
    )
    request_timeout_s: float = _key(
        60, "The deadline of a question that brings none, in seconds.", minimum=0.1, maximum=3600
    )
    body_limit_bytes: int = _key(1 << 20, "The largest request body.", minimum=1024, maximum=1 << 26)
    log_level: str = _key("info", "How much the log file tells.", choices=("debug", "info", "warning", "error"))
    cache_directory: Path | None = _key(
        None, "Where downloads and indexes are kept, instead of the user's cache folder.", trusted=True
    )

    warnings: list[str] = field(default_factory=list)
    sources: Mapping[str, str] = field(default_factory=dict)


KEYS = tuple(row for row in fields(Settings) if row.name not in ("warnings", "sources"))
_ROWS = {row.name: row for row in KEYS}


def environment_names(name: str) -> tuple[str, ...]:
    """The variables that set this key, the strongest first."""
    other = _ROWS[name].metadata["environment"]
    return ("CN_" + name.upper(), other) if other else ("CN_" + name.upper(),)


def load(root: Path, environ: Mapping[str, str], user_file: Path | None = None) -> Settings:
    """The settings of one workspace.

    environ: CN_* and AICMD_* count. user_file: instead of `config.json` in the user's config folder.
    Raises InputError (`bad_settings`) for a mistake in the user's own places.
    """
    reading = _Reading()
    reading.user_file(user_file or config_folder() / "config.json")
    for name in reversed(trust.FILES):
        reading.root_file(root / name)
    reading.environment(environ, root)
    return Settings(**reading.values, warnings=reading.warnings, sources=reading.sources)


def stamp(root: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """What changes when one of the files that `load` reads does: their times, sizes and inodes."""
    return tuple(
        _stamp(str(file)) for file in (config_folder() / "config.json", *(root / name for name in trust.FILES))
    )


def schema() -> dict[str, object]:
    """The JSON Schema of `.cn.json` and of the user's `config.json`; shipped as `cn.schema.json`."""
    properties: dict[str, object] = {"$schema": {"type": "string"}}
    for row in KEYS:
        note = (
            " Counts only in the user's file, the environment, or after `cn trust`." if row.metadata["trusted"] else ""
        )
        properties[row.name] = {"description": row.metadata["help"] + note, **json_schema(row)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of cn",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


class _Reading:
    """Values gathered so far: each source overwrites what came before."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources = {row.name: "default" for row in KEYS}
        self.warnings: list[str] = []

    def user_file(self, file: Path) -> None:
        content = _read(file)
        if content is None:
            return
        for name, raw in _object(content, str(file)).items():
            if self._known(name, str(file)):
                self._take(name, raw, str(file), file.parent)

    def root_file(self, file: Path) -> None:
        # Another person's file: whatever is wrong with it becomes a warning.
        try:
            content = _read(file)
            entries = {} if content is None else _object(content, file.name)
        except InputError as error:
            self.warnings.append(f"{error.message} The file is ignored.")
            return
        foreign = AI_COMMAND_TOOL_KEYS if file.name == ".ai-command-tool.json" else frozenset()
        trusted = content is not None and trust.is_trusted(file, content)
        for name, raw in entries.items():
            if (name not in _ROWS and name in foreign) or not self._known(name, file.name):
                continue
            if _ROWS[name].metadata["trusted"] and not trusted:
                self.warnings.append(
                    f"{file.name}: {name} is ignored, because a cloned repository may not choose what runs. "
                    f"If you wrote it or read it, run: cn trust"
                )
                continue
            try:
                self._take(name, raw, file.name, file.parent)
            except InputError as error:
                self.warnings.append(f"{error.message} The key is ignored.")

    def environment(self, environ: Mapping[str, str], root: Path) -> None:
        known = set(CLIENT_NAMES)
        for row in KEYS:
            for variable in reversed(environment_names(row.name)):
                known.add(variable)
                if text := environ.get(variable, ""):
                    try:
                        self.values[row.name] = from_text(row, text, root)
                    except UnfitError as unfit:
                        raise _bad(variable, "", unfit) from None
                    self.sources[row.name] = variable
        # CN_ is no private prefix (CN_NORTH_1_REGION is another's), so only a near miss is worth a word.
        for variable in sorted(environ.keys() - known):
            if variable.startswith("CN_") and (near := difflib.get_close_matches(variable, known, 1, 0.8)):
                self.warnings.append(f"{variable} is no setting of cn. Did you mean {near[0]}?")

    def _known(self, name: str, source: str) -> bool:
        if name in _ROWS:
            return True
        if name != "$schema":
            near = difflib.get_close_matches(name, _ROWS, 3)
            ask = f" Did you mean {' or '.join(near)}?" if near else ""
            self.warnings.append(f"{source}: {name!r} is no setting of cn.{ask}")
        return False

    def _take(self, name: str, raw: object, source: str, folder: Path) -> None:
        try:
            self.values[name] = from_json(_ROWS[name], raw, folder)
        except UnfitError as unfit:
            raise _bad(source, name, unfit) from None
        self.sources[name] = source


def _bad(source: str, name: str, expected: Exception) -> InputError:
    place = f"{source}: {name}" if name else source
    return InputError("bad_settings", f"{place} must be {expected}.", source=source, key=name or source)


def _object(content: bytes, source: str) -> dict[str, Any]:
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError("bad_settings", f"{source} is not valid JSON{place}.", source=source) from None
    if not isinstance(value, dict):
        raise InputError("bad_settings", f"{source} must hold a JSON object.", source=source)
    return value


def _stamp(file: str) -> tuple[int, int, int] | None:
    try:
        facts = os.stat(file)
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _read(file: Path) -> bytes | None:
    """The file's bytes, None when there is none. O_NONBLOCK: a pipe of that name must not hang the start."""
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError("bad_settings", f"{file} cannot be read: {error.strerror}.", source=str(file)) from None
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError("bad_settings", f"{file} is not a file.", source=str(file))
        content = stream.read(FILE_LIMIT + 1)
    if len(content) > FILE_LIMIT:
        raise InputError("bad_settings", f"{file} is larger than {FILE_LIMIT} bytes.", source=str(file))
    return content
