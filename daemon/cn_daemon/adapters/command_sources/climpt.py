"""Climpt registries (specs/climpt-command-operations, Registry Loading).

The configuration is the first of `.agent/climpt/config/registry_config.json` and its earlier name
`.agent/climpt/mcp/config.json`, in the workspace, then at home; without any, `climpt` has
`.agent/climpt/registry.json`. A registry's path is looked for below the workspace, then below home. A cloned
repository's configuration may name no file outside of these two.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cn_daemon.adapters import json_text
from cn_daemon.adapters.command_sources.marks import mark_of
from cn_daemon.adapters.command_sources.rows import sound
from cn_daemon.adapters.file_tree import Stamp, stamp
from cn_daemon.adapters.patient_files import inside, read_file, read_text, tell
from cn_daemon.application.libraries.library_ports import Freshness, Refresh
from cn_daemon.domain.libraries.commands import ClimptCall, Command, CommandText

CONFIGS = (".agent/climpt/config/registry_config.json", ".agent/climpt/mcp/config.json")
DEFAULT: Mapping[str, str] = {"climpt": ".agent/climpt/registry.json"}
_LISTS = ("edition", "adaptation", "input")
_SWITCHES = ("file", "stdin", "destination")


class Malformed(Exception):  # noqa: N818  (it ends in a sentence, not in a traceback)
    """What is wrong with a file; for the end of a sentence."""


class _Agent(NamedTuple):
    """registry: as the configuration names it. given: whether one does. own: it is the workspace's."""

    name: str
    registry: str
    given: bool
    own: bool


class ClimptReader:
    """A `Reader`; a unit is an agent. A registry that cannot be read any more keeps its commands."""

    name = "climpt"

    def __init__(self, root: Path, home: Path) -> None:
        self._root, self._home = root, home
        self._seen: dict[str, tuple[str, Stamp | None]] = {}
        self._failures: dict[str, tuple[str, str]] = {}
        self._faulty: dict[str, str] = {}
        self._resumed: dict[str, str] = {}

    def resume(self, marks: Mapping[str, str]) -> None:
        self._resumed = dict(marks)

    def read(self, *, everything: bool) -> Refresh:
        agents, warnings = self._agents()
        files: dict[str, list[CommandText]] = {}
        marks: dict[str, str] = {}
        for gone in (self._seen.keys() | self._resumed.keys()) - {agent.name for agent in agents}:
            self._seen.pop(gone, None)
            self._failures.pop(gone, None)
            self._faulty.pop(gone, None)
            files[gone] = []
        for agent in agents:
            path = self._registry(agent)
            mark = (path, stamp(os.path.realpath(path)))
            if not everything and self._seen.get(agent.name) == mark and agent.name not in self._failures:
                continue
            if mark[1] is None and not agent.given and agent.name not in self._seen.keys() | self._resumed.keys():
                continue  # no Climpt here
            kept_mark = mark_of(mark[1], path, agent)
            if not everything and kept_mark and self._resumed.get(agent.name) == kept_mark:
                self._seen[agent.name] = mark
                continue
            self._load(agent, path, mark, files)
            if agent.name in files:
                # What is wrong with its rows a later daemon has to tell again.
                marks[agent.name] = "" if agent.name in self._faulty else kept_mark
        self._resumed = {}
        warnings += [f"{name}: Failed to load registry {path}: {why}." for name, (path, why) in self._failures.items()]
        warnings += self._faulty.values()
        return Refresh(Freshness(), files, [agent.name for agent in agents], warnings, dict(self._failures), marks)

    def text(self, path: str) -> str:
        return read_text(path, lambda real: inside(real, self._root) or inside(real, self._home))

    def close(self) -> None:
        pass

    def _load(
        self, agent: _Agent, path: str, mark: tuple[str, Stamp | None], files: dict[str, list[CommandText]]
    ) -> None:
        try:
            if not self._allowed(agent, os.path.realpath(path)):
                raise Malformed("It lies outside of the workspace and of the home folder")
            document = _json(path, lambda real: self._allowed(agent, real))
            rows, faults = sound(_rows(document), _fault)
            files[agent.name] = [_command(row, agent.name, path, mark[1]) for row in rows]
        except FileNotFoundError:
            self._failures[agent.name] = (agent.registry, "File not found")
        except Malformed as problem:
            self._failures[agent.name] = (agent.registry, str(problem))
        except Exception as error:  # one registry's: the others are read all the same
            self._failures[agent.name] = (agent.registry, tell(error))
        else:
            self._failures.pop(agent.name, None)
            self._faulty.pop(agent.name, None)
            if faults:
                self._faulty[agent.name] = f"{agent.name}: {path}: {faults}"
            self._seen[agent.name] = mark

    def _agents(self) -> tuple[list[_Agent], list[str]]:
        warnings: list[str] = []
        for folder in (self._root, self._home):
            for name in CONFIGS:
                path = folder / name
                try:
                    own = folder == self._root
                    if own and not inside(os.path.realpath(path), self._root):
                        raise Malformed("It leads out of the workspace")
                    named = _registries(_json(str(path), self._in_root if own else None))
                except (FileNotFoundError, NotADirectoryError):
                    continue
                except Malformed as problem:
                    warnings.append(f"{path}: {problem}.")
                    continue
                except Exception as error:
                    warnings.append(f"{path}: {tell(error)}.")
                    continue
                odd = [one for one, file in named.items() if not isinstance(file, str) or not file or "\0" in file]
                warnings += [f"{path}: the registry of {one} is not a path." for one in odd]
                good = [(one, file) for one, file in named.items() if one not in odd]
                return [_Agent(one, file, True, folder == self._root) for one, file in good], warnings
        return [_Agent(one, file, False, True) for one, file in DEFAULT.items()], warnings

    def _registry(self, agent: _Agent) -> str:
        for folder in (self._root, self._home):
            path = folder / agent.registry
            if path.exists():
                return str(path)
        return str(self._root / agent.registry)

    def _in_root(self, real: str) -> bool:
        return inside(real, self._root)

    def _allowed(self, agent: _Agent, real: str) -> bool:
        if not agent.own or inside(real, self._root):
            return True
        # Below home by the documented search, and by its plain name only.
        plain = not os.path.isabs(agent.registry) and ".." not in Path(agent.registry).parts
        return plain and inside(real, self._home)


def _rows(document: Any) -> list[Any]:
    """The rows of a registry, of any age: `tools.commands`, or an agent's `steps`. Raises Malformed."""
    if not isinstance(document, dict):
        raise Malformed("It must hold a JSON object")
    tools = document.get("tools")
    rows = tools.get("commands") if isinstance(tools, dict) else None
    if rows is None and isinstance(document.get("steps"), dict):
        rows = [_step(document, step) if isinstance(step, dict) else step for step in document["steps"].values()]
    if rows is None and isinstance(tools, dict):
        rows = []
    if not isinstance(rows, list):
        raise Malformed("It has no list tools.commands")
    return rows


def _fault(row: Any) -> str:
    """Why a row is no command; "" for one that is."""
    if not isinstance(row, dict):
        return "is not an object"
    odd = [key for key in ("c1", "c2", "c3") if not isinstance(row.get(key, ""), str)]
    if odd:
        return f"has no text as {' and '.join(odd)}"
    return "" if row.get("c1") or row.get("c2") else "has neither c1 nor c2"


def _command(row: Mapping[str, Any], agent: str, path: str, mark: Stamp | None) -> CommandText:
    c1, c2, c3 = (str(row.get(key, "")) for key in ("c1", "c2", "c3"))
    usage = row.get("usage")
    call = ClimptCall(
        agent, c1, c2, c3, usage if isinstance(usage, str) else None, _options(row.get("options")), _variables(row)
    )
    description = row.get("description")
    command = Command(
        canonical_id=f"climpt:{agent}/{c1}/{c2}/{c3}",
        name=" ".join(part for part in (c1, c2, c3) if part),
        source="climpt",
        execution_type="climpt",
        description=description if isinstance(description, str) else "",
        path=path,
        origin="workspace",
        last_modified=mark[0] / 1e9 if mark else 0.0,
        file_size=mark[1] if mark else 0,
        climpt=call,
    )
    return CommandText(command, body=call.usage or "")


def _options(raw: Any) -> dict[str, Any] | None:
    """Options of any age: a switch may be true or [true]; `input_file` was `file` once."""
    if not isinstance(raw, Mapping):
        return None
    options: dict[str, Any] = {}
    for key, value in raw.items():
        name = "file" if key == "input_file" else str(key)
        if name in _SWITCHES:
            options[name] = any(item is True for item in value) if isinstance(value, list) else value is True
        elif name in _LISTS:
            options[name] = [str(item) for item in value] if isinstance(value, list) else [str(value)]
        else:
            options[name] = value
    return options


def _variables(row: Mapping[str, Any]) -> tuple[str, ...]:
    raw = row.get("uv")
    if isinstance(raw, Mapping):
        return tuple(map(str, raw))
    if not isinstance(raw, list):
        return ()
    return tuple(
        name for item in raw for name in (item if isinstance(item, Mapping) else [item]) if isinstance(name, str)
    )


def _step(document: Mapping[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
    """A step of an agent's registry, as a command."""
    options = {
        "edition": [str(step.get("edition", "default"))],
        "adaptation": [str(step["adaptation"])] if step.get("adaptation") else [],
        "stdin": step.get("usesStdin") is True,
    }
    row = {"c1": document.get("c1", ""), "c2": step.get("c2", ""), "c3": step.get("c3", ""), "options": options}
    return {**row, "description": step.get("description") or step.get("name"), "uv": step.get("uvVariables")}


def _registries(document: Any) -> dict[str, Any]:
    named = document.get("registries") if isinstance(document, dict) else None
    if not isinstance(named, dict):
        raise Malformed("It has no object registries")
    return named


def _json(path: str, allowed: Callable[[str], bool] | None = None) -> Any:
    try:
        return json_text.load(read_file(path, allowed=allowed))
    except ValueError as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Malformed(f"It is not valid JSON{place}") from None
