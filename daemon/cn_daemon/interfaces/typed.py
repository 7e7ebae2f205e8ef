"""A question as it is typed at a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from cn_daemon.interfaces.requests import snake
from cn_shared.verb import Parameter
from cn_shared.verbs import verb


def typed(name: str, parameters: Mapping[str, object], root: Path, cwd: Path | None) -> str:
    """The command that asks the verb `name` the same again, "" for one that does more than to read.

    parameters: by their names in snake_case. cwd: where it will be typed; outside of `root` the root is named.
    """
    row = verb(name)
    if row is None or not row.reads:
        return ""
    words = ["cn", *name.split()]
    # By HTTP alone there is no folder to type it in: the workspace's own is as good as any.
    if cwd is not None and not (cwd == root or root in cwd.parents):
        words += ["--root", str(root)]
    for item in sorted(row.parameters, key=lambda one: not one.positional):
        words += _words(item, parameters.get(snake(item.name)))
    return shlex.join(words)


def _words(item: Parameter, value: object) -> Iterator[str]:
    if value is None or value == item.default:
        return
    flag = [item.flag] if item.flag else []
    if item.kind == "boolean":
        yield from flag if value else ()
        return
    for one in value if isinstance(value, list) else [value]:
        yield from (*flag, str(one))
