"""What every answer says of its workspace: that it is gone, or that a tsconfig is no valid JSON."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Protocol

from cn_daemon.application.ports import Answer, Call, Handler, Packages
from cn_daemon.application.undecided import nearest_projects
from cn_shared.errors import NotFoundError
from cn_shared.wire import Completeness

# The verbs whose answers depend on the options of projects; `diagnostics` says it as the reason of a partial answer.
VERBS = frozenset({"find", "refs", "callers", "callees", "impls", "types", "hover", "changed"})


class Index(Protocol):
    def projects(self) -> list[str]: ...

    def packages(self) -> Packages: ...


def refused_when_gone(handler: Handler, root: str) -> Handler:
    """The use case, which raises NotFoundError (`root_gone`) rather than answer that a removed workspace holds
    nothing."""

    @functools.wraps(handler)
    async def answer(call: Call, **parameters: Any) -> Answer:
        answered = await handler(call, **parameters)
        if answered.outcome() == "empty" and not os.path.isdir(root):
            message = f"The workspace {root} is not there any more."
            raise NotFoundError("root_gone", message, "Name another with --root, or go to one.")
        return answered

    return answer


def with_broken_configs(handler: Handler, words: Index, root: str) -> Handler:
    """The use case, whose answers say which tsconfigs of the files in them are broken. root: of the workspace."""

    @functools.wraps(handler)
    async def answer(call: Call, **parameters: Any) -> Answer:
        answered: Any = await handler(call, **parameters)
        completeness: Completeness | None = getattr(answered, "completeness", None)
        packages, projects = words.packages(), words.projects()
        broken = {config for config in projects if packages.broken(config)}
        if completeness is None or not broken:
            return answered  # type: ignore[no-any-return]
        touched = broken & nearest_projects({f"{root}/{path}" for path in _paths(answered)}, projects)
        if not touched:
            return answered  # type: ignore[no-any-return]
        first, *more = (config.removeprefix(f"{root}/") for config in sorted(touched))
        subject, whose = (f"{first} and {len(more)} more are", "their") if more else (f"{first} is", "its")
        note = f"{subject} not valid JSON: {whose} options are guessed, see cn doctor"
        note = "; ".join(filter(None, (completeness.note, note)))
        return replace(answered, completeness=replace(completeness, note=note))  # type: ignore[no-any-return]

    return answer


def _paths(value: Any) -> Iterator[str]:
    """The files of all places in an answer."""
    if isinstance(value, list):
        for item in value:
            yield from _paths(item)
    elif is_dataclass(value):
        for field in fields(value):
            found = getattr(value, field.name)
            if field.name == "file_path" and isinstance(found, str):
                yield found
            else:
                yield from _paths(found)
