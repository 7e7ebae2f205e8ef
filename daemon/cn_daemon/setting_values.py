"""One setting's value: read from JSON or a variable, checked against its row, described for the schema."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from dataclasses import Field
from pathlib import Path
from typing import Any

_TRUE = frozenset({"1", "true", "yes", "on"})
_OF_TYPESCRIPT = frozenset(".ts .tsx .mts .cts .js .jsx .mjs .cjs .json .vue .svelte .astro".split())
_FALSE = frozenset({"0", "false", "no", "off"})


class UnfitError(Exception):
    """The value does not fit its row. Its text says what was expected: "a whole number of at least 256"."""


def from_json(row: Field[Any], raw: object, folder: Path) -> Any:
    """The value of `row` that `raw` stands for. Raises UnfitError.

    A relative path starts at `folder`, that of the file.
    """
    match row.type:
        case "bool" if isinstance(raw, bool):
            return raw
        case "int" if isinstance(raw, int) and not isinstance(raw, bool):
            return _within(row, raw)
        case "float" if isinstance(raw, int | float) and not isinstance(raw, bool) and math.isfinite(raw):
            return _within(row, raw)
        case "str" if isinstance(raw, str) and _clean(raw) and _is_url(row, raw):
            return _chosen(row, raw)
        case "Path | None" if raw is None:
            return None
        case "Path | None" if isinstance(raw, str) and raw and _clean(raw):
            return _path(folder, raw)
        case "tuple[Path, ...]" if isinstance(raw, list) and all(
            isinstance(item, str) and item and _clean(item) for item in raw
        ):
            return tuple(_path(folder, item) for item in raw)
        case "tuple[str, ...]" if isinstance(raw, list) and all(isinstance(item, str) and _clean(item) for item in raw):
            return tuple(_chosen(row, item) for item in raw)
        case "Mapping[str, str]" if _is_table(raw):
            return raw
        case "Mapping[str, Mapping[str, str]]" if isinstance(raw, dict) and all(
            _clean(name) and _is_table(table) for name, table in raw.items()
        ):
            return raw
        case "Mapping[str, Mapping[str, Any]]" if isinstance(raw, dict) and all(
            _clean(name) and _is_server(values) for name, values in raw.items()
        ):
            return raw
    raise UnfitError(expected(row))


def from_text(row: Field[Any], text: str, folder: Path) -> Any:
    """The value of `row` in a variable. A list is a JSON array, or words as a shell splits them."""
    try:
        match row.type:
            case "bool" if text.lower() in _TRUE | _FALSE:
                return text.lower() in _TRUE
            case "int":
                return from_json(row, int(text), folder)
            case "float":
                return from_json(row, float(text), folder)
            case "Mapping[str, str]" | "Mapping[str, Mapping[str, str]]" | "Mapping[str, Mapping[str, Any]]":
                return from_json(row, json.loads(text), folder)
            case "tuple[str, ...]" | "tuple[Path, ...]":
                words = json.loads(text) if text.lstrip().startswith("[") else shlex.split(text)
                return from_json(row, words, folder)
    except (ValueError, RecursionError):
        raise UnfitError(expected(row)) from None
    return from_json(row, text, folder)


def expected(row: Field[Any]) -> str:
    """What a value of `row` must be, for the end of a sentence."""
    if row.metadata["choices"]:
        one = "a list of" if row.type.startswith("tuple") else "one of"
        return f"{one} " + ", ".join(row.metadata["choices"])
    if row.metadata["url"]:
        return "an http:// or https:// address"
    noun = {
        "bool": "true or false",
        "int": "a whole number",
        "float": "a number",
        "str": "a string",
        "Path | None": "a path",
        "tuple[str, ...]": "a list of strings",
        "tuple[Path, ...]": "a list of paths",
        "Mapping[str, str]": "an object of strings",
        "Mapping[str, Mapping[str, str]]": "an object of objects of strings",
        "Mapping[str, Mapping[str, Any]]": "an object of language servers, each with command and endings (lists of "
        "strings; an ending begins with a dot, and is none of TypeScript's); it may have markers, options and reading",
    }[str(row.type)]
    low, high = row.metadata["minimum"], row.metadata["maximum"]
    if low is not None and high is not None:
        return f"{noun} from {low} to {high}"
    return noun


def _is_server(values: object) -> bool:
    """Whether it is the value of a language in `language_servers`."""
    if not isinstance(values, dict) or not values.keys() <= {"command", "endings", "markers", "options", "reading"}:
        return False
    lists = (values.get("command"), values.get("endings"), values.get("markers", []), values.get("reading", []))
    words = all(isinstance(one, list) and all(isinstance(word, str) and _clean(word) for word in one) for one in lists)
    if not words or not values["command"] or not values["endings"] or not isinstance(values.get("options", {}), dict):
        return False
    return bool(values["command"][0]) and all(map(_is_ending, values["endings"]))


def _is_ending(ending: str) -> bool:
    return re.fullmatch(r"\.\w[\w+-]*", ending) is not None and ending not in _OF_TYPESCRIPT


def json_schema(row: Field[Any]) -> dict[str, object]:
    """The row as JSON Schema, with its default."""
    shapes: dict[str, dict[str, object]] = {
        "bool": {"type": "boolean"},
        "int": {"type": "integer"},
        "float": {"type": "number"},
        "str": {"type": "string"},
        "Path | None": {"type": ["string", "null"]},
        "tuple[str, ...]": {"type": "array", "items": {"type": "string"}},
        "tuple[Path, ...]": {"type": "array", "items": {"type": "string"}},
        "Mapping[str, str]": {"type": "object", "additionalProperties": {"type": "string"}},
        "Mapping[str, Mapping[str, str]]": {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    }
    words = {"type": "array", "items": {"type": "string"}}
    shapes["Mapping[str, Mapping[str, Any]]"] = {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "required": ["command", "endings"],
            "additionalProperties": False,
            "properties": {
                "command": {**words, "minItems": 1},
                "endings": {"type": "array", "items": {"type": "string", "pattern": r"^\.\w[\w+-]*$"}, "minItems": 1},
                "markers": words,
                "reading": words,
                "options": {"type": "object"},
            },
        },
    }
    shape = shapes[str(row.type)]
    if row.metadata["choices"]:
        choices = {"enum": list(row.metadata["choices"])}
        shape |= {"items": {"type": "string", **choices}} if "items" in shape else choices
    if row.metadata["url"]:
        shape["pattern"] = "^(https?://.*)?$"
    for name in ("minimum", "maximum"):
        if row.metadata[name] is not None:
            shape[name] = row.metadata[name]
    default = row.metadata["default"]
    shape["default"] = list(default) if isinstance(default, tuple) else default
    return shape


def _path(folder: Path, raw: str) -> Path:
    try:
        expanded = Path(raw).expanduser()
    except RuntimeError:  # ~somebody who does not exist
        expanded = Path(raw)
    return Path(os.path.normpath(folder / expanded))


def _within(row: Field[Any], number: float) -> float:
    low, high = row.metadata["minimum"], row.metadata["maximum"]
    if (low is not None and number < low) or (high is not None and number > high):
        raise UnfitError(expected(row))
    return number


def _chosen(row: Field[Any], word: str) -> str:
    if row.metadata["choices"] and word not in row.metadata["choices"]:
        instead = row.metadata["former"].get(word)
        raise UnfitError(expected(row) + (f" ({instead})" if instead else ""))
    return word


def all_inside(raw: object, folder: Path) -> bool:
    """Whether every path of a value, as it is written in a file of `folder`, really lies below that folder."""
    paths = raw if isinstance(raw, list) else [raw]
    root = os.path.join(os.path.realpath(folder), "")
    return all(
        not isinstance(path, str)
        or not _clean(path)
        or (os.path.realpath(os.path.join(folder, os.path.expanduser(path))) + os.sep).startswith(root)
        for path in paths
    )


def _is_url(row: Field[Any], raw: str) -> bool:
    return not row.metadata["url"] or not raw or raw.startswith(("http://", "https://"))


def _is_table(raw: object) -> bool:
    return isinstance(raw, dict) and all(
        isinstance(value, str) and _clean(name) and _clean(value) for name, value in raw.items()
    )


def _clean(text: str) -> bool:
    # No path and no argument can hold a NUL, and a lone surrogate cannot be written anywhere.
    if "\0" in text:
        return False
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True
