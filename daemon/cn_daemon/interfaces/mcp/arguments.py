"""A tool's arguments, read forgivingly: the intention counts, what is unclear is said in a sentence."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any

from cn_daemon.interfaces import spellings
from cn_daemon.interfaces.mcp.table import Offered, choices
from cn_daemon.interfaces.mcp.tool import Input
from cn_daemon.interfaces.requests import snake
from cn_daemon.interfaces.spellings import plain
from cn_shared.errors import InputError
from cn_shared.verbs import ALIASES, MOST

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0", "")


def read(offered: Offered, given: Mapping[str, Any]) -> tuple[dict[str, object], dict[str, Any]]:
    """The use case's parameters by their names in snake_case, and the door's own (a cursor, a budget).

    Names may be spelled with other capitals, `_` or `-`, or be one of the usual slips; numbers may be strings.
    Raises InputError (`bad_request`).
    """
    parameters: dict[str, object] = {}
    own: dict[str, Any] = {}
    seen: set[str] = set()
    for name, value in given.items():
        item = offered.names.get(plain(name))
        if item is None:
            raise _unknown(offered, name)
        if value is None:  # as good as absent: many clients fill in every property
            continue
        seen.add(item.name)
        read_value = _value(offered, item, value)
        if item.own:
            own[item.name] = read_value
        else:
            parameters[snake(item.parameter)] = read_value
    for item in offered.inputs:
        if item.name not in seen and item.required:
            raise InputError("bad_request", f"{item.name} is missing.", item.help, parameter=item.name)
        if item.default is not None and not item.own:
            parameters.setdefault(snake(item.parameter), item.default)
    either = offered.tool.either
    if either and not seen.intersection(either):
        raise InputError("bad_request", f"One of {' and '.join(either)} is needed.", parameter=either[0])
    return parameters, own


def directed(tools: Mapping[str, Offered], one: Offered, given: Mapping[str, Any]) -> tuple[Offered, dict[str, Any]]:
    """The tool that answers the relation that is asked for, and the arguments that it takes; else `one` with all.

    Raises InputError (`bad_request`).
    """
    given = spellings.together(one.tool.verb, given)
    relation = one.names.get("relation")
    related = [name for name in given if relation is not None and one.names.get(plain(name)) is relation]
    rest = {name: value for name, value in given.items() if name not in related}
    word = next((given[name] for name in related if given[name]), None)
    if relation is None or word is None:
        return one, rest
    verb, *more = ALIASES.get(plain(str(word)), (word,))
    if verb == one.tool.name and not more:
        return one, rest
    chosen = "definition" if more else _value(one, relation, verb)
    if chosen not in tools:
        return one, {**rest, "mode": chosen}
    # What one relation takes and another does not (a depth, a limit) is no mistake: the tool has them all.
    known = {name: value for name, value in rest.items() if plain(name) in tools[chosen].names or not _known(one, name)}
    return tools[chosen], known


def _known(one: Offered, name: str) -> bool:
    return plain(name) in one.names


def _unknown(offered: Offered, name: str) -> InputError:
    known = [item.name for item in offered.inputs]
    near = difflib.get_close_matches(name, known, 3, 0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else _takes(known)
    data: dict[str, object] = {"near": near} if near else {}
    return InputError("bad_request", f"{offered.tool.name} has no argument {name!r}.", hint, parameter=name, **data)


def _takes(known: list[str]) -> str:
    return f"It takes {', '.join(known)}." if known else "It takes no arguments."


def _value(offered: Offered, item: Input, value: Any) -> Any:
    match item.kind:
        case "integer":
            return _integer(item, value)
        case "boolean":
            return _boolean(item, value)
        case "files" | "words" | "list" | "rest":
            return _strings(item, value)
        case "object" | "options":
            return _object(item, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise _bad(item, "must be a string")
    if item.longest and len(value) > item.longest:
        raise _bad(item, f"must have at most {item.longest} characters")
    allowed = choices(offered.tool, item)
    if allowed and value not in allowed:
        value = next((word for word in allowed if plain(word) == plain(value)), value)
        if value not in allowed:
            raise _bad(item, f"must be {', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}")
    if item.required and not value and not item.empty:
        raise _bad(item, "must not be empty")
    return value


def _integer(item: Input, value: Any) -> int:
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,19}\s*", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _bad(item, "must be a whole number")
    if item.minimum is not None and value < item.minimum:
        raise _bad(item, f"must be at least {item.minimum}")
    if item.maximum is not None and value > item.maximum:
        raise _bad(item, f"must be at most {item.maximum}")
    return value


def _boolean(item: Input, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise _bad(item, "must be true or false")


def _strings(item: Input, value: Any) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise _bad(item, "must be an array of strings")
    if len(words) > MOST:
        raise _bad(item, f"must have at most {MOST} items")
    if item.longest and any(len(word) > item.longest for word in words):
        raise _bad(item, f"must have strings of at most {item.longest} characters")
    return words


def _object(item: Input, value: Any) -> Any:
    if isinstance(value, str):  # an object that was encoded once too often, or the raw argument text
        try:
            value = json.loads(value) if value.strip() else {}
        except ValueError:
            value = {"arguments": value} if item.kind == "object" else [value]
    fits = isinstance(value, dict) or (
        item.kind == "options" and isinstance(value, list) and all(isinstance(word, str) for word in value)
    )
    if not fits:
        raise _bad(item, "must be an object")
    return value


def _bad(item: Input, expectation: str) -> InputError:
    return InputError("bad_request", f"{item.name} {expectation}.", item.help, parameter=item.name)
