"""YAML that anybody may have written.

Plain scalars are what the core schema of YAML 1.2 makes of them (null, true, false, numbers of a machine's size);
all others are text: no dates, and no sexagesimal numbers, of which a long one overflows. What aliases repeat is shared
until somebody copies it; what `<<` merges is copied while it is read, and some hundred lines of it make a million keys
(twenty before PyYAML 6.0.4, which merges none twice). libyaml builds its tree by recursion without an end: some ten
thousand `[` would take the process down, with no exception to catch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

_MERGED_MOST = 100_000
_DEEPEST = 200
# A node takes 10 µs and 500 bytes. Each has a mark of its own, but for the lines of a text.
_NODES_MOST = 1_000_000
_DIGITS_MOST = 300
_MARKS = (",", "\n", "[", "{", "&")
_NULL, _BOOL, _INT, _FLOAT, _MERGE = (f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "merge"))
# https://yaml.org/spec/1.2.2/#1032-tag-resolution; longer numbers are text.
_CORE = (
    (_NULL, re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]),
    (_BOOL, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    (_INT, re.compile(r"(?:[-+]?[0-9]{1,18}|0o[0-7]{1,20}|0x[0-9a-fA-F]{1,15})\Z"), list("-+0123456789")),
    (
        _FLOAT,
        re.compile(r"[-+]?(?:\.[0-9]{1,300}|[0-9]{1,300}(?:\.[0-9]{0,300})?)(?:[eE][-+]?[0-9]{1,2})?\Z"),
        list("-+.0123456789"),
    ),
    (_MERGE, re.compile(r"<<\Z"), ["<"]),
)


def load(content: str | bytes) -> Any:
    """The document. Raises yaml.YAMLError, whatever is wrong with it."""
    import yaml  # late: a start needs none

    text = content if isinstance(content, str) else content.decode("utf-8-sig", "replace")
    try:
        if sum(map(text.count, _MARKS)) > _NODES_MOST:
            raise yaml.YAMLError(f"it has more than {_NODES_MOST} parts")
        # A level needs a bracket, or at least half a column: of most files that is enough to know.
        if text.count("[") + text.count("{") > _DEEPEST or max(map(len, text.splitlines()), default=0) > _DEEPEST // 2:
            _measure(text)
        return yaml.load(text, _loader())
    except yaml.YAMLError:
        raise
    except Exception as error:
        # `!!int a`, `!!float 1e`: a constructor of PyYAML may raise anything.
        raise yaml.YAMLError(f"{type(error).__name__}: {error}") from error


def scanned(text: str) -> Iterator[tuple[str, str, int, int]]:
    """The anchors, aliases, keys and scalars, and where a document begins: each with its kind, its name, its line from
    1 and the column of the name from 0. What is behind a mistake is left out."""
    import yaml

    try:
        for token in yaml.scan(text, _loader()):
            mark = token.start_mark
            if isinstance(token, (yaml.AnchorToken, yaml.AliasToken)):
                kind = "anchor" if isinstance(token, yaml.AnchorToken) else "alias"
                yield kind, token.value, mark.line + 1, mark.column + 1
            elif isinstance(token, yaml.ScalarToken):
                # A quote stands before it.
                yield "scalar", token.value, mark.line + 1, mark.column + (not token.plain)
            elif isinstance(token, (yaml.KeyToken, yaml.DocumentStartToken)):
                yield "key" if isinstance(token, yaml.KeyToken) else "document", "", mark.line + 1, mark.column
    except (yaml.YAMLError, RecursionError):
        return


def _measure(text: str) -> None:
    import yaml

    depth = 0
    for event in yaml.parse(text, _loader()):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise yaml.YAMLError(f"it is nested more than {_DEEPEST} deep")


@cache
def _loader() -> Any:
    import yaml
    from yaml.constructor import ConstructorError

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012  (PyYAML's own name and shape)
        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            before = len(node.value)
            super().flatten_mapping(node)
            self.merged += max(0, len(node.value) - before)
            if self.merged > _MERGED_MOST:
                raise ConstructorError(None, None, "it merges too much", node.start_mark)

    for tag, pattern, first in _CORE:
        Loader.add_implicit_resolver(tag, pattern, first)
    Loader.add_constructor(_INT, lambda loader, node: _integer(loader.construct_scalar(node)))
    Loader.add_constructor(_FLOAT, lambda loader, node: float(loader.construct_scalar(node)))
    return Loader


def _integer(text: str) -> int:
    """Of digits, octal as `0o17`: in YAML 1.1, and to `int(text, 0)`, a zero before them says something else."""
    if len(text) > _DIGITS_MOST:
        raise ValueError("it is too long for a number")
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
