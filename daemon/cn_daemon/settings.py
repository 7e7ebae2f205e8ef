"""The daemon's settings: one table, read from five places.

Lowest to highest: defaults, the user's file (`config.json` in the platform's config folder),
`.ai-command-tool.json` and `.cn.json` at the root, the environment (`CN_*`). To add a key, add a field to
`Settings`: its annotation is its type, its row says the rest, and files, environment, JSON Schema and
warnings follow.

What the user wrote themselves must be right: a bad value there raises InputError (`bad_settings`). What
came with a cloned repository must neither stop the daemon nor steer it: there a bad value warns, and a key
that names a program or a folder is ignored until `cn trust`.
"""

# ruff: noqa: RUF009  (a row is built by `_key`, which is dataclasses.field)

from __future__ import annotations

import difflib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from cn_daemon import trust
from cn_daemon.setting_values import UnfitError, all_inside, from_json, from_text, json_schema
from cn_daemon.trust import Facts, Record
from cn_shared.errors import InputError
from cn_shared.folders import config_folder

FILE_LIMIT = 1 << 20
_TRUSTED = " Counts only in the user's file, the environment, or after `cn trust`."
_OUTSIDE = " Out of the workspace it counts only in the user's file, the environment, or after `cn trust`."
CLIENT_NAMES = frozenset({"CN_ROOT", "CN_FORMAT"})


def _key(
    default: Any,
    help: str,
    *,
    trusted: bool | Literal["outside"] = False,
    runs: bool = False,
    secret: bool = False,
    choices: tuple[str, ...] = (),
    former: Mapping[str, str] = MappingProxyType({}),
    minimum: float | None = None,
    maximum: float | None = None,
    environment: str = "",
    url: bool = False,
) -> Any:
    """One row. trusted: not from a root's file before `cn trust`; "outside": only a path that
    leads out of the root. runs: it names what is run. secret: never shown, logged or passed on.

    environment: a name besides `CN_<KEY>`. former: of values that were choices once, what takes their place.
    """
    row = {
        "help": help,
        "default": default,
        "trusted": trusted,
        "runs": runs,
        "secret": secret,
        "choices": choices,
        "former": former,
        "minimum": minimum,
        "maximum": maximum,
        "environment": environment,
        "url": url,
    }
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=row)
    return field(default=default, metadata=row)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every value, with where it came from.

    sources: key → "default", the file, or the environment name. warnings: sentences for the user, in `cn
    status`. own_typescript: the digest of the workspace's TypeScript that may run, "" for none. vouched: of the files
    on which the trust in the workspace's own settings rests, what tells whether they are the same.
    """

    server: str = _key(
        "auto",
        "Which language server answers for TypeScript and JavaScript.",
        choices=("auto", "typescript", "native"),
    )
    server_command: tuple[str, ...] = _key(
        (), "The command line of the language server, instead of the one cn finds.", trusted=True, runs=True
    )
    language_servers: Mapping[str, Mapping[str, Any]] = _key(
        {},
        "Language servers of further languages, by the language's name as LSP has it: the command (a program on PATH "
        "and its arguments), the endings of its files, and if it wants them the markers (files whose change decides "
        "what belongs together), the options (initializationOptions) and what else it reads, of the user's (reading).",
        trusted=True,
        runs=True,
    )
    node: Path | None = _key(None, "The Node.js program to run language servers with.", trusted=True, runs=True)
    typescript: Path | None = _key(
        None, "The lib folder of the TypeScript to use (it holds tsserver.js).", trusted=True, runs=True
    )
    typescript_source: str = _key(
        "auto",
        "Which TypeScript to run: auto is the version that the workspace asks for, bundled the one that comes with cn.",
        trusted=True,
        choices=("auto", "bundled"),
        former={"workspace": "the workspace's own TypeScript runs after `cn trust`"},
    )
    sandbox: bool = _key(
        True,
        "Whether language servers run without network, write to a folder of theirs alone and read only code, packages "
        "and libraries, where the system can keep them to it (Linux with Landlock).",
        trusted=True,
    )
    bindings: str = _key(
        "on",
        "Whether the uses of TypeScript's and JavaScript's symbols are answered by names and types without a language "
        "server. Off: its references are told, and any other mention of the name is a doubt.",
        choices=("on", "off"),
    )
    tsserver_memory_mb: int = _key(
        3072,
        "The memory ceiling of one tsserver, in MB; the native server tries to stay below it.",
        minimum=256,
        maximum=65_536,
    )
    memory_limit_mb: int = _key(
        0,
        "What all daemons of yours may take together, in MB, with their language servers; 0 is half of the machine's. "
        "Past it, the one that has been idle for longest puts its servers to rest.",
        trusted=True,
        minimum=0,
        maximum=1 << 30,
    )
    idle_timeout_s: float = _key(
        1800, "Stop after this many seconds without a question; 0 is never.", minimum=0, maximum=31_536_000
    )
    request_timeout_s: float = _key(
        60, "The deadline of a question that brings none, in seconds.", minimum=0.1, maximum=3600
    )
    body_limit_bytes: int = _key(1 << 20, "The largest request body.", minimum=1024, maximum=1 << 26)
    log_level: str = _key("info", "How much the log file records.", choices=("debug", "info", "warning", "error"))
    cache_directory: Path | None = _key(
        None, "Where downloads and indexes are kept, instead of the user's cache folder.", trusted=True
    )
    climpt_command: tuple[str, ...] = _key(
        (),
        "The command line that runs Climpt, instead of deno run … jsr:@aidevtool/climpt at the version cn names.",
        trusted=True,
        runs=True,
    )
    execute_timeout_s: float = _key(
        60, "The deadline of a command that is run, in seconds.", minimum=0.1, maximum=86_400
    )
    output_limit_bytes: int = _key(
        8 << 20, "How much of a command's output, or of an API's answer, is taken.", minimum=1024, maximum=1 << 28
    )
    prompt_dialect: str = _key(
        "auto",
        "How placeholders in Markdown commands are read: as Claude Code does, as Cursor does, or by where they lie.",
        choices=("auto", "claude", "cursor"),
    )
    catalog_base_urls: Mapping[str, str] = _key(
        {}, "Where the commands of a catalog are sent, by its group, vendor or title.", trusted=True
    )
    catalog_headers: Mapping[str, Mapping[str, str]] = _key(
        {}, "Headers of the commands of a catalog, such as Authorization, by the same.", trusted=True, secret=True
    )
    commands_directory: Path | None = _key(
        None,
        "A library of Markdown commands, besides those that agents' clients keep (.claude/commands, skills, …).",
        trusted="outside",
        environment="AICMD_COMMANDS_DIR",
    )
    reports_directory: Path | None = _key(
        None,
        "The folder of past reports: {command}-reports/*.md or {command}/*.md.",
        trusted="outside",
        environment="AICMD_REPORTS_DIR",
    )
    reports_database: str = _key(
        "",
        "The URL of a PostgreSQL database (postgresql://…) that keeps the index of reports for many daemons over one "
        "library, instead of a file of the cache. It wants the extra cn-bridge[postgresql], and a database of its own.",
        trusted=True,
        secret=True,
    )
    catalogs: tuple[Path, ...] = _key(
        (),
        "API catalogs: manifests and OpenAPI documents, or folders of them (a catalogs.json there gives their order).",
        trusted="outside",
    )
    cache_ttl_seconds: float = _key(
        3600,
        "List library folders anew after this many seconds, for disks that do not report changes.",
        minimum=0,
        maximum=31_536_000,
        environment="AICMD_CACHE_TTL",
    )
    report_link_base_url: str = _key(
        "",
        "Where reports are served; links to files without it.",
        trusted=True,
        url=True,
        environment="AICMD_REPORT_BASE_URL",
    )
    max_search_results: int = _key(10, "How many commands or reports a search answers with.", minimum=1, maximum=1000)
    search_timeout_ms: int = _key(
        5000, "How long a search waits for an index that is still being built.", minimum=1, maximum=600_000
    )
    usage: bool = _key(
        False,
        "Whether it is kept which commands were invoked and when, in a file of your state folder and nowhere else: "
        "what was used then comes a little sooner in a search, and its last_used is true.",
        trusted=True,
    )
    api_proxy: str = _key(
        "",
        "The proxy that API commands go through; those of the environment are not used.",
        trusted=True,
        secret=True,
        url=True,
    )
    mcp_structured: bool = _key(
        False,
        "Whether MCP answers about code, commands and reports are structured content with a schema as well as text: "
        "clients that get both show their model the longer one.",
    )
    mcp_tools: tuple[str, ...] = _key(
        (),
        "The tools that MCP lists: those of code, and of commands, reports and climpt where there are any, unless "
        "sets are named here. Each can be called all the same.",
        choices=("code", "commands", "reports", "climpt", "all"),
    )
    private_addresses: bool = _key(
        False, "Whether API commands may go to this machine and to private networks.", trusted=True
    )

    warnings: list[str] = field(default_factory=list)
    sources: Mapping[str, str] = field(default_factory=dict)
    own_typescript: str = ""
    vouched: Mapping[str, Facts | None] = field(default_factory=dict)


KEYS = tuple(row for row in fields(Settings) if "help" in row.metadata)
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
    reading.root_files(root)
    reading.environment(environ, root)
    return Settings(
        **reading.values,
        warnings=reading.warnings,
        sources=reading.sources,
        own_typescript=reading.own_typescript,
        vouched=reading.vouched,
    )


def files(root: Path, user_file: Path | None = None) -> list[str]:
    """Those that `load` reads."""
    user_file = user_file or config_folder() / "config.json"
    return [str(user_file), *(str(root / name) for name in trust.FILES), trust.place(root)]


@dataclass(slots=True)
class RootFiles:
    """The settings files of a root that can be read. contents, entries: by their names. warnings: of the others."""

    contents: dict[str, bytes] = field(default_factory=dict)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def guarded(self, root: Path) -> list[tuple[str, str]]:
        """The file and the key of what counts only after `cn trust`."""
        return [
            (file, name)
            for file, entries in self.entries.items()
            for name, raw in entries.items()
            if name in _ROWS and _needs_trust(name, raw, root) and not _keeps_inside(name, raw, root)
        ]

    def words(self, file: str, name: str) -> list[str]:
        """The command line that a key says, () when it says none."""
        raw = self.entries[file][name] if _ROWS[name].metadata["runs"] else []
        servers = [one.get("command") for one in raw.values() if isinstance(one, dict)] if isinstance(raw, dict) else []
        raw = [word for command in servers if isinstance(command, list) for word in command] if servers else raw
        return [word for word in (raw if isinstance(raw, list) else [raw]) if isinstance(word, str)]

    def programs(self, root: Path) -> list[str]:
        """The places in the workspace that they have run."""
        return trust.candidates(root, [word for key in self.guarded(root) for word in self.words(*key)])

    def record(self, paths: Iterable[str], typescript: str = "") -> Record:
        files = {name: trust.content_hash(content) for name, content in self.contents.items()}
        return Record(files, trust.hashes(paths), typescript)


def root_files(root: Path) -> RootFiles:
    """Those of `root`."""
    found = RootFiles()
    for name in trust.FILES:
        # Another person's file: whatever is wrong with it becomes a warning.
        try:
            if (content := _read(root / name)) is not None:
                found.entries[name] = _object(content, name)
                found.contents[name] = content
        except InputError as error:
            found.warnings.append(f"{error.message} The file is ignored.")
    return found


def _needs_trust(name: str, raw: object, folder: Path) -> bool:
    rule = _ROWS[name].metadata["trusted"]
    return not all_inside(raw, folder) if rule == "outside" else bool(rule)


def schema() -> dict[str, object]:
    """The JSON Schema of `.cn.json` and of the user's `config.json`; shipped as `cn.schema.json`."""
    properties: dict[str, object] = {"$schema": {"type": "string"}}
    for row in KEYS:
        note = {True: _TRUSTED, "outside": _OUTSIDE}.get(row.metadata["trusted"], "")
        properties[row.name] = {"description": row.metadata["help"] + note, **json_schema(row)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of cn",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _keeps_inside(name: str, raw: object, root: Path) -> bool:
    """Whether the cache would lie in the repository: what is kept there is run, and no hash vouches for all of it."""
    return name == "cache_directory" and bool(trust.candidates(root, [str(raw)]))


class _Reading:
    """Values gathered so far: each source overwrites what came before."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources = {row.name: "default" for row in KEYS}
        self.warnings: list[str] = []
        self.own_typescript = ""
        self.vouched: dict[str, Facts | None] = {}

    def user_file(self, file: Path) -> None:
        content = _read(file)
        if content is None:
            return
        for name, raw in _object(content, str(file)).items():
            if self._known(name, str(file)):
                self._take(name, raw, str(file), file.parent)

    def root_files(self, root: Path) -> None:
        found = root_files(root)
        self.warnings += found.warnings
        trusted = self._trusted(found, root)
        for file in reversed(trust.FILES):
            for name, raw in found.entries.get(file, {}).items():
                if not self._known(name, file):
                    continue
                if _keeps_inside(name, raw, root):
                    self.warnings.append(f"{file}: {name} is ignored, because it lies in the repository.")
                    continue
                if not trusted and _needs_trust(name, raw, root):
                    self.warnings.append(
                        f"{file}: {name} is ignored, because a cloned repository may not choose what runs"
                        f"{' or which folders are read' if _ROWS[name].metadata['trusted'] == 'outside' else ''}. "
                        f"If you wrote it or read it, run: cn trust"
                    )
                    continue
                try:
                    self._take(name, raw, file, root)
                except InputError as error:
                    self.warnings.append(f"{error.message} The key is ignored.")
                    continue
                if _ROWS[name].metadata["runs"] and isinstance(words := self.values[name], tuple):
                    self.values[name] = tuple(trust.anchored(root, word) for word in words)

    def _trusted(self, found: RootFiles, root: Path) -> bool:
        """Whether all of it is as it was when the user vouched for it."""
        record = trust.read(root)
        self.own_typescript = record.typescript if record else ""
        if record is None or not found.guarded(root):
            return False
        paths = found.programs(root)
        self.vouched = {path: trust.facts_of(path) for path in paths}  # before they are read: a change then is seen
        changed = [os.path.relpath(name, root) if os.path.isabs(name) else name
                   for name in record.changes(found.record(paths))]  # fmt: skip
        if changed:
            self.warnings.append(
                f"{', '.join(changed[:5])}{' and more' if changed[5:] else ''} changed since this workspace was "
                "trusted. If you wrote it or read it, run: cn trust"
            )
        return not changed

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
                self.warnings.append(f"{variable} is not a setting of cn. Did you mean {near[0]}?")

    def _known(self, name: str, source: str) -> bool:
        if name in _ROWS:
            return True
        if name != "$schema":
            near = difflib.get_close_matches(name, _ROWS, 3)
            ask = f" Did you mean {' or '.join(near)}?" if near else ""
            self.warnings.append(f"{source}: {name!r} is not a setting of cn.{ask}")
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
