"""What callers write for the names of parameters, in one table, and questions about a symbol that come in parts.

A name counts in any case, with or without `_` and `-`: `file_path` is `filePath`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cn_daemon.application.query_kinds import SUBJECTS
from cn_daemon.domain import ids
from cn_daemon.domain.ids import Name
from cn_shared.errors import InputError
from cn_shared.verbs import verb

# Questions in one call.
MOST = 20
_LIMIT = ("maxResults", "max", "count", "top", "headLimit", "maxCount")
_FOLDER = ("path", "dir", "directory", "in", "glob", "include", "filePath", "file")
# By the name of the parameter.
SPELLINGS: Mapping[str, Sequence[str]] = {
    "filePath": ("path", "file", "filename", "uri", "relativePath", "absolutePath", "target"),
    "depth": ("levels", "maxDepth"),
    "limit": _LIMIT,
    "cursor": ("next", "offset", "page"),
    "expand": ("mode",),
    "lines": ("context", "contextLines"),
    "parts": ("with", "include"),
    "pattern": ("query", "regex", "regexp", "text", "search", "q"),
    "word": ("w", "wholeWord", "wordRegexp"),
    "paths": ("files", "folders"),
    "fixed": ("literal", "fixedStrings", "F"),
    "ignoreCase": ("i", "caseInsensitive", "insensitive"),
    "folder": _FOLDER,
    "rev": ("revision", "base", "branch", "commit", "ref", "since"),
    "files": ("paths", "filePaths", "file", "filePath", "path"),
    "budget": ("maxTokens", "tokens", "tokenBudget"),
    "relation": ("relationship", "kind", "what"),
}
# Of the parameter that names a symbol, which is `query` or `targetId`.
_SUBJECT = (
    "query", "targetId", "symbol", "name", "q", "symbolName", "identifier", "text", "id", "symbolId", "target", "ref",
    "location", "function", "functionName", "class", "className", "method", "methodName", "variable", "type", "member",
)  # fmt: skip
_SEVERAL = ("queries", "targetIds", "symbols", "names", "ids", "targets")
# The parts of a place, and of a symbol in a file.
_PARTS: Mapping[str, Sequence[str]] = {
    "path": ("filePath", *SPELLINGS["filePath"][:-1]),
    "line": ("line", "lineNumber", "row", "startLine", "lineStart"),
    "character": ("character", "column", "col", "char"),
    "last": ("endLine", "lineEnd"),
}


def plain(name: str) -> str:
    """A name without what callers get wrong about it: capitals, `_` and `-`."""
    return re.sub(r"[_\-\s]", "", name).lower()


def spelled(parameter: str, verb_name: str) -> Sequence[str]:
    """What else is written for a parameter of a verb."""
    return _SUBJECT if parameter == SUBJECTS.get(verb_name) else SPELLINGS.get(parameter, ())


def respelled(verb_name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The same by the names of the verb's own parameters; what nobody knows stays as it is. Raises InputError."""
    row = verb(verb_name)
    own = [item.name for item in row.parameters] if row else []
    known = {plain(other): name for name in reversed(own) for other in spelled(name, verb_name)}
    known |= {plain(name): name for name in own}
    joined = together(verb_name, given)
    renamed: dict[str, Any] = {}
    for name, value in joined.items():
        renamed.setdefault(known.get(plain(name), name), value)
    return renamed


def together(verb_name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """With the parts of one question about a symbol (`{symbol, file}`, `{file, line, column}`) put together as it is
    query: `src/a.ts:User`, `src/a.ts:3:14`. Raises InputError (`bad_request`)."""
    subject = SUBJECTS.get(verb_name)
    if subject is None:
        return dict(given)
    given = _flat(given)
    named = {plain(name): name for name in given}
    keys = {
        part: next((named[plain(one)] for one in words if plain(one) in named), None) for part, words in _PARTS.items()
    }
    parts = {part: given[key] for part, key in keys.items() if key is not None and given[key] not in (None, "")}
    if "path" not in parts:
        return dict(given)
    rest = {name: value for name, value in given.items() if name not in keys.values()}
    key = next((named[plain(one)] for one in _SUBJECT if plain(one) in named and named[plain(one)] in rest), subject)
    query = rest.get(key)
    path = _string("filePath", parts["path"]).removeprefix("file://")
    if query in (None, ""):
        rest[subject] = path + _place(parts)
        if key != subject:
            rest.pop(key, None)
    elif not isinstance(query, list):
        rest[key] = _in_file(_string(key, query), path, parts)
    else:
        rest[key] = [_in_file(_string(key, one), path, parts) for one in query]
    return rest


def _flat(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """`{query: {symbol, file}}` as `{symbol, file}`."""
    subjects = set(map(plain, _SUBJECT))
    inner = next(
        (name for name, value in given.items() if isinstance(value, Mapping) and plain(name) in subjects), None
    )
    if inner is None:
        return given
    return {**{name: value for name, value in given.items() if name != inner}, **given[inner]}


def several(verb_name: str, given: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The questions of a call that asks several at once; None of one that asks one. Raises InputError."""
    subject = SUBJECTS.get(verb_name)
    if subject is None:
        return None
    many, one_or_more = set(map(plain, _SEVERAL)), set(map(plain, _SUBJECT))
    key = next(
        (
            name
            for name, value in given.items()
            if (plain(name) in many and value is not None) or (plain(name) in one_or_more and isinstance(value, list))
        ),
        None,
    )
    if key is None:
        return None
    queries = given[key] if isinstance(given[key], list) else [given[key]]
    if not 0 < len(queries) <= MOST:
        raise InputError("bad_request", f"{key} must be an array of 1 to {MOST} questions.", parameter=key)
    rest = {name: value for name, value in given.items() if name != key}
    return [{**rest, **(one if isinstance(one, Mapping) else {subject: one})} for one in queries]


def _in_file(subject: str, path: str, parts: Mapping[str, Any]) -> str:
    """A symbol in a file, or the place that is given with it; what names its own file stays as it is."""
    bare = ids.undressed(subject)
    wanted = ids.parse(subject) or ids.parse(bare)
    if isinstance(wanted, Name) and wanted.path is None and "character" in parts:
        return path + _place(parts)
    if wanted is not None and (not isinstance(wanted, Name) or wanted.path is not None):
        return subject
    folder = path if "/" in path or "." in path else f"{path}/"
    return f"{folder}:{subject if ids.parse(subject) or wanted is None else bare}"


def _place(parts: Mapping[str, Any]) -> str:
    """`:line`, `:line:character` or `:first-last`."""
    if "line" not in parts:
        return ""
    line = _number("line", parts["line"])
    if "last" in parts:
        return f":{line}-{_number('endLine', parts['last'])}"
    return f":{line}:{_number('character', parts['character'])}" if "character" in parts else f":{line}"


def _string(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError("bad_request", f"{name} must be a string.", parameter=name)
    return value


def _number(name: str, value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,9}", str(value)):
        raise InputError("bad_request", f"{name} must be a whole number.", parameter=name)
    return int(value)
