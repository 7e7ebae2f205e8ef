"""How a question gets to the daemon: by HTTP, as an agent's SDK asks, or by a `cn` of its own."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any

from cn_shared import state
from cn_shared.verbs import verb
from tests.faults.soak.questions import Question
from tests.faults.workbench import Workbench

# A question has 60 s; whoever says nothing for longer than this hangs.
HANGS_S = 75.0


@dataclass(frozen=True, slots=True)
class Reply:
    """error: its document. partial: why the answer is not complete. cut: the connection was lost. hung: no reply."""

    answer: Any = None
    error: dict[str, Any] | None = None
    partial: str = ""
    cut: bool = False
    hung: bool = False


def by_http(bench: Workbench, question: Question) -> Reply:
    """Ask the daemon there is, or have one started."""
    found = _daemon(bench)
    if isinstance(found, Reply):
        return found
    try:
        with closing(_asked(found, question)) as connection:
            response = connection.getresponse()
            body = response.read()
    except TimeoutError:
        return Reply(hung=True)
    except (OSError, HTTPException):
        return Reply(cut=True)
    if response.headers.get_content_type() != "application/json":
        return Reply(body.decode())
    document = json.loads(body)
    if response.status >= 400:
        return Reply(error=_error(document))
    told = response.headers.get("X-Cn-Reason") or response.headers.get("X-Cn-Stale") or ""
    return Reply(document, partial=_missing(document, told))


def abandon(bench: Workbench, question: Question) -> None:
    """Ask, and hang up at once, as a client does that is killed."""
    found = _daemon(bench)
    if not isinstance(found, Reply):
        try:
            _asked(found, question).close()
        except (OSError, HTTPException):
            pass


def by_cn(bench: Workbench, question: Question, killed_after_s: float | None) -> Reply | None:
    """None: it was killed before it answered, as it should be after that time."""
    with bench.spawn("--json", *question.line) as child:
        try:
            out, err = child.communicate(timeout=killed_after_s or HANGS_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return None if killed_after_s else Reply(hung=True)
    if child.returncode in (0, 1):
        return Reply(out if question.verb == "execute" else json.loads(out))
    if child.returncode == 3:
        return Reply(json.loads(out), partial="exit status 3")
    return Reply(error=_error(json.loads(err)))


def _daemon(bench: Workbench) -> state.State | Reply:
    found = state.read(str(bench.state_file))
    if found is None or not found.runs():
        with bench.spawn("start", "--json") as child:
            _, err = child.communicate(timeout=HANGS_S)
        if child.returncode:
            return Reply(error=_error(json.loads(err)))
        found = state.read(str(bench.state_file))
    return found or Reply(cut=True)


def _asked(daemon: state.State, question: Question) -> HTTPConnection:
    row = verb(question.verb)
    assert row is not None
    connection = HTTPConnection("127.0.0.1", daemon.port, timeout=HANGS_S)
    headers = {
        "Authorization": f"Bearer {daemon.token}",
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Connection": "close",
    }
    try:
        connection.request("POST", row.path, json.dumps(question.arguments), headers)
    except BaseException:
        connection.close()
        raise
    return connection


def _error(document: dict[str, Any]) -> dict[str, Any]:
    """A verb of Climpt has its error flat."""
    error = document["error"]
    return error if isinstance(error, dict) else document


def _missing(document: Any, reason: str) -> str:
    told = document.get("completeness") if isinstance(document, dict) else None
    return str(told.get("reason")) if isinstance(told, dict) and told["status"] != "complete" else reason
