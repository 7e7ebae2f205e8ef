"""Add and remove an entry in somebody's TOML or YAML file, and change nothing else in it.

The lines are edited, and both texts are read to compare: a file that is written in another way than these lines expect
is refused (ValueError), never damaged.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from typing import Any


def toml_put(text: str, path: tuple[str, ...], values: dict[str, Any]) -> str:
    """The text with those values (strings, lists of strings) in the table of that name; those that are there stay.

    Raises ValueError.
    """
    before = tomllib.loads(text)
    expected = copy.deepcopy(before)
    table: Any = expected
    for key in path:
        table = table.setdefault(key, {}) if isinstance(table, dict) else None
    if not isinstance(table, dict):
        raise ValueError(f"{'.'.join(path)} is not a table")
    missing = {key: value for key, value in values.items() if key not in table}
    if not missing:
        return text
    table.update(missing)
    lines = "\n".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in missing.items())
    header = _header(path).search(text)
    if header:
        merged = text[: header.end()] + f"\n{lines}".replace("\n", line_end(text)) + text[header.end() :]
    else:
        merged = appended(text, f"[{'.'.join(path)}]\n{lines}")
    return _checked(merged, expected, f"{path[0]} is written in another way")


def toml_remove(text: str, path: tuple[str, ...], key: str = "") -> str:
    """The text without that table and those below it, or without that one key of it. Raises ValueError."""
    expected = copy.deepcopy(tomllib.loads(text))
    above: Any = expected
    for name in path[:-1]:
        above = above.get(name, {})
    if path[-1] not in above or (key and key not in above[path[-1]]):
        return text
    if key and len(above[path[-1]]) > 1:
        del above[path[-1]][key]
        header = _header(path).search(text)
        line = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=.*(?:\r?\n|\Z)", re.MULTILINE)
        found = line.search(text, header.end()) if header else None
        left = text[: found.start()] + text[found.end() :] if found else text
    else:
        del above[path[-1]]
        name = r"[ \t]*\.[ \t]*".join(rf"(?:{re.escape(one)}|\"{re.escape(one)}\")" for one in path)
        section = re.compile(rf"(?:^[ \t]*\r?\n)?^[ \t]*\[{name}[.\]](?:(?!^[ \t]*\[).*(?:\n|\Z))+", re.MULTILINE)
        left = section.sub("", text)
    return _checked(left, expected, f"{path[0]} is written in another way")


def _header(path: tuple[str, ...]) -> re.Pattern[str]:
    dotted = r"[ \t]*\.[ \t]*".join(map(re.escape, path))
    return re.compile(rf"^[ \t]*\[[ \t]*{dotted}[ \t]*\][^\r\n]*", re.MULTILINE)


def _checked(text: str, expected: dict[str, Any], otherwise: str) -> str:
    try:
        same = _full(tomllib.loads(text)) == _full(expected)
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise ValueError(otherwise)
    return text


def _full(value: Any) -> Any:
    """Without tables that are empty: whether they are written out is all the same."""
    if not isinstance(value, dict):
        return value
    return {key: inner for key, item in value.items() if (inner := _full(item)) != {}}


def yaml_put(text: str, path: tuple[str, str], value: dict[str, Any]) -> str:
    """The text with that value at `path` (a key of the document, a key in that mapping). Raises ValueError."""
    import yaml

    group, name = path
    document = yaml_mapping(text)
    there = document.get(group) or {}
    if not isinstance(there, dict):
        raise ValueError(f"{group} is not a mapping")
    if there.get(name) == value:
        return text
    text = yaml_remove(text, path)
    begun = re.compile(rf"^{re.escape(group)}:[ \t]*(?:\{{\}}|null|~)?[ \t]*(?:#[^\n]*)?\r?\n?", re.MULTILINE).search(
        text
    )
    inner = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ ]+)\S").match(text, begun.end()) if begun else None
    indent = inner[1] if inner else "  "
    # A path is not folded at its space.
    entry = yaml.safe_dump({name: value}, sort_keys=False, allow_unicode=True, width=100_000)
    lines = "".join(f"{indent}{line}\n" for line in entry.splitlines()).replace("\n", line_end(text))
    if begun:
        merged = f"{text[: begun.start()]}{group}:{line_end(text)}{lines}{text[begun.end() :]}"
    else:
        merged = appended(text, f"{group}:\n{lines.rstrip()}")
    if yaml_mapping(merged) != {**document, group: {**there, name: value}}:
        raise ValueError(f"{group} is written in another way")
    return merged


def yaml_remove(text: str, path: tuple[str, str]) -> str:
    """The text without what is at `path`, as `yaml_put` has it. Raises ValueError."""
    group, name = path
    document = yaml_mapping(text)
    there = document.get(group) or {}
    if not isinstance(there, dict) or name not in there:
        return text
    begun = re.compile(rf"^([ ]+){re.escape(name)}:", re.MULTILINE).search(text)
    if begun is None:
        raise ValueError(f"{group} is written in another way")
    # To the next line that is not indented deeper.
    ended = re.compile(rf"^[ ]{{0,{len(begun[1])}}}[^ \r\n]", re.MULTILINE).search(text, begun.end())
    left = text[: begun.start()] + (text[ended.start() :] if ended else "")
    rest = {key: value for key, value in there.items() if key != name}
    after = yaml_mapping(left)
    if {**after, group: after.get(group) or {}} != {**document, group: rest}:
        raise ValueError(f"{group} is written in another way")
    return left if rest else re.compile(rf"^{re.escape(group)}:[ \t]*\r?\n?", re.MULTILINE).sub("", left, count=1)


def yaml_mapping(text: str) -> dict[str, Any]:
    """The document of a YAML file, which is a mapping. Raises ValueError."""
    import yaml

    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error).split("\n", 1)[0]) from None
    if not isinstance(document, dict | None):
        raise ValueError("it is not a mapping")
    return document or {}


def appended(text: str, section: str) -> str:
    """The text with that section as its last lines."""
    gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
    return text + f"{gap}{section}\n".replace("\n", line_end(text))


def line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
