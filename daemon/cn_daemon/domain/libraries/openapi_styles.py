"""Values as OpenAPI's `style` and `explode` write them into a query, a path, a header or a cookie."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from cn_daemon.domain.libraries.commands import Argument

# What stands between the parts of a value that is written as one.
_BETWEEN: Mapping[str, str] = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "|"}


def query_of(item: Argument, value: Any) -> Iterator[str]:
    """`name=value`, escaped: one, or one for each part."""
    if item.style == "deepObject" and isinstance(value, dict):
        yield from (f"{quote(name, safe='[]')}={_escaped(one)}" for name, one in _deep(item.name, value))
    elif isinstance(value, list) and (item.explode or item.style not in _BETWEEN):
        yield from (f"{_escaped(item.name)}={_escaped(one)}" for one in value)
    elif isinstance(value, dict) and item.style == "form" and item.explode:
        yield from (f"{_escaped(name)}={_escaped(one)}" for name, one in value.items())
    elif isinstance(value, list | dict) and item.style in _BETWEEN:
        yield f"{_escaped(item.name)}={_BETWEEN[item.style].join(map(_escaped, _parts(value)))}"
    else:
        yield f"{_escaped(item.name)}={_escaped(value)}"


def simple(item: Argument, value: Any) -> str:
    """As one text: `a,b` for a list; for an object `a,1,b,2`, exploded `a=1,b=2`."""
    if isinstance(value, dict) and item.style:
        return (
            ",".join(f"{name}={text_of(one)}" for name, one in value.items())
            if item.explode
            else ",".join(_parts(value))
        )
    return ",".join(map(text_of, value)) if isinstance(value, list) else text_of(value)


def text_of(value: Any) -> str:
    """The text itself, anything else as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _escaped(value: Any) -> str:
    return quote(text_of(value), safe="")


def _parts(value: list[Any] | dict[str, Any]) -> Iterator[str]:
    if isinstance(value, list):
        yield from map(text_of, value)
    else:
        for name, one in value.items():
            yield str(name)
            yield text_of(one)


def _deep(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """`filter[a][b]=1`."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _deep(f"{name}[{key}]", one)
    elif isinstance(value, list):
        yield from ((name, one) for one in value)
    else:
        yield name, value
