"""What both clients share: a question as an invocation, and its reply as an answer or an error."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, TypeVar

from cn_client.call import remaining_s, workspace
from cn_client.connection import Reply, head
from cn_client.invocation import Invocation
from cn_client.sdk.decoding import decode
from cn_shared import environment
from cn_shared.errors import (
    EXIT_EXECUTION,
    EXIT_INPUT,
    CnError,
    DeadlineError,
    ExecutionError,
    ForbiddenError,
    InputError,
    InternalError,
    LanguageServerError,
    NoDaemonError,
    NotFoundError,
    UnauthorizedError,
)
from cn_shared.state import State
from cn_shared.verbs import VERBS

T = TypeVar("T")

Path = str | os.PathLike[str]

_ROWS = {row.name: row for row in VERBS}
_ERRORS: tuple[type[CnError], ...] = (
    InputError, NotFoundError, ForbiddenError, UnauthorizedError, NoDaemonError, LanguageServerError, DeadlineError,
    InternalError,
)  # fmt: skip
_BY_STATUS = {kind.status: kind for kind in _ERRORS}
# How a file, a folder and lines are answered where a symbol is wanted: by what verb, of which kind, with which keys.
_OF_NO_SYMBOL = {
    "map": ("MapAnswer", {"filePath", "symbols"}),
    "overview": ("OverviewAnswer", {"folder", "projects"}),
    "inspect": ("InspectAnswer", {"result"}),
}


class Asker:
    """The settings of a client. root: the workspace, as a real path."""

    def __init__(self, root: Path | None, deadline_s: float | None, budget: int | None) -> None:
        """Raises InputError: the root is no folder, or a number is not above 0."""
        self.root = workspace(os.fspath(root) if root is not None else None)
        self._deadline_s = deadline_s
        self._budget = budget
        self.invocation("status", {}, None, None)

    def invocation(
        self, verb: str, given: Mapping[str, Any], deadline_s: float | None, budget: int | None
    ) -> Invocation:
        """The question; what is None is not given. Raises InputError."""
        deadline_s = self._deadline_s if deadline_s is None else deadline_s
        budget = self._budget if budget is None else budget
        for name, number in (("deadline_s", deadline_s), ("budget", budget)):
            if number is not None and not number > 0:
                raise InputError("bad_usage", f"{name} must be above 0.", parameter=name)
        values = {name: _plain(value) for name, value in given.items() if value is not None}
        return Invocation(_ROWS[verb], values, self.root, "json", deadline_s, budget)


def _plain(value: Any) -> Any:
    """A parameter as JSON has it: paths as text, any sequence as a list."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, str | int | Mapping):
        return value
    return [_plain(item) for item in value]


def body(call: Invocation) -> str:
    return json.dumps(call.parameters)


def headers(call: Invocation, state: State, end: float, *, typed: bool) -> dict[str, str]:
    """Those of every request of one question. typed: its answer says itself whether it is complete; others are
    wrapped."""
    accept = "application/json" + ("" if typed else "; envelope=1")
    if call.budget:
        accept += f"; budget={call.budget}"
    mark = environment.fingerprint(environment.values())
    return {
        **head(state.port, state.token, accept, remaining_s(call, end), mark),
        "Content-Type": "application/json",
    }


def answer(reply: Reply, kind: type[T] | None) -> Any:
    """What a method returns: a `kind`, else the JSON document, else the text that a command printed.

    Raises CnError; InputError (`other_answer`) for what is no symbol where one is wanted.
    """
    if reply.exit is None:
        raise InternalError("bad_reply", f"The daemon's reply (HTTP {reply.status}) is not one of cn's.")
    if reply.status >= 400:
        raise error(reply)
    if reply.headers.get("content-type", "").startswith("text/plain"):
        return reply.body.decode("utf-8", "surrogateescape")
    document = _parsed(reply)
    if kind is None:
        return document
    try:
        return decode(kind, document)
    except InternalError:
        for verb, (name, keys) in _OF_NO_SYMBOL.items():
            if kind.__name__ != name and isinstance(document, dict) and keys <= document.keys():
                raise InputError("other_answer", "That is no symbol.", f"Ask with {verb}().") from None
        raise


def error(reply: Reply) -> CnError:
    """The error of the tree that the daemon refused with; `data` holds what else it said."""
    document = _parsed(reply)
    described = document.get("error") if isinstance(document, dict) else None
    if isinstance(described, str):  # the flat shape of Climpt verbs
        described = {**document, "message": described}
        del described["error"]
    if not isinstance(described, dict):
        raise InternalError("bad_reply", f"The daemon's reply (HTTP {reply.status}) is not one of cn's.")
    data = {str(name): value for name, value in described.items()}
    code, message, hint = (str(data.pop(name, "")) for name in ("code", "message", "hint"))
    kind = _BY_STATUS.get(reply.status, InputError if reply.exit == EXIT_INPUT else InternalError)
    raised = (ExecutionError if reply.exit == EXIT_EXECUTION else kind)(code, message, hint)
    raised.data = data  # a command may say `code` of its own
    raised.exit_code = raised.exit_code if reply.exit is None else reply.exit
    raised.status = reply.status
    return raised


def _parsed(reply: Reply) -> Any:
    try:
        return json.loads(reply.body)
    except ValueError:
        raise InternalError("bad_reply", f"The daemon's reply (HTTP {reply.status}) is no JSON.") from None
