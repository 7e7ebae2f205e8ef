"""The same over a daemon with its language servers, a repository and libraries behind it: no answer is a defect, and
every one is as the document says."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis.schemas import APIOperation

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared.errors import EXIT_DEADLINE, EXIT_PARTIAL
from cn_shared.verbs import VERBS
from tests.conftest import ROOT
from tests.faults.workbench import Workbench
from tests.security.test_fuzz import DOCUMENT, checked, conforms, fuzz, operations, parts

SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
pytestmark = [pytest.mark.server, pytest.mark.slow]

# What means something here, beside what Hypothesis thinks of; half of the strings are one of these.
WORDS = (
    "User", "Store.save", "src/user.ts", "src/user.ts:User", "src/user.ts:5:14", "ref::src/user.ts::5::14", "src", ".",
    "src/user.ts#User.rename", "HEAD", "HEAD~1", "--output=x", "-p", "HEAD:src", "deploy", "md:deploy", "all",
    "..", "/etc/passwd", "\0", "\r\nHost: x", "2026-01-01", "no such thing",
)  # fmt: skip


class Daemon:
    """A real one, and who asks it."""

    def __init__(self, bench: Workbench) -> None:
        found = bench.start()
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{found.port}",
            headers={"Authorization": f"Bearer {found.token}", "Cn-Deadline": "20"},
            timeout=60,
        )

    def ask(self, method: str, address: str, **sent: Any) -> httpx.Response:
        return self.client.request(method, address, **sent)


@pytest.fixture(scope="module")
def daemon(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    bench = Workbench(tmp_path_factory.mktemp("fuzz").resolve(), servers=True)
    shutil.copytree(ROOT / "examples" / "shop", bench.root, dirs_exist_ok=True)
    bench.command_file.parent.mkdir(parents=True, exist_ok=True)
    bench.command_file.write_text("---\ndescription: Deploy the shop.\n---\nDeploy $ARGUMENTS.\n")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(bench.root)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    changed = bench.root / "src" / "user.ts"
    changed.write_text(changed.read_text("utf-8") + "export const more = 1;\n", "utf-8")
    one = Daemon(bench)
    for server in ("typescript", "native"):
        assert one.ask("POST", "/find", json={"query": "User", "server": server}).status_code == 200
    yield one
    for path, body in (("/environment", {"values": {"PATH": os.environ["PATH"]}}), ("/shutdown", {})):
        answered(one.ask("POST", path, json=body), "POST", path)
    one.client.close()
    bench.close()
    assert bench.alive() == []


@SCHEMA.hook
def map_body(context: Any, body: Any) -> Any:
    return meaningful(body) if isinstance(body, dict) else body


@SCHEMA.hook
def map_query(context: Any, query: Any) -> Any:
    return meaningful(query) if isinstance(query, dict) else query


def meaningful(values: dict[str, Any]) -> dict[str, Any]:
    """The values with every other short string replaced, the same each time."""
    return {
        name: WORDS[len(value) % len(WORDS)] if isinstance(value, str) and name in NAMES and len(value) % 2 else value
        for name, value in values.items()
    }


NAMES = {item.name for row in VERBS for item in row.parameters if item.kind in ("string", "file") and not item.choices}


OPERATIONS = operations(SCHEMA.exclude(path=["/shutdown", "/environment"]))


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_no_request_made_from_the_document_breaks_a_real_daemon(
    daemon: Daemon, operation: APIOperation[Any, Any, Any, Any]
) -> None:
    @seed(6)
    @settings(max_examples=4, database=None, suppress_health_check=list(HealthCheck))
    def answers(case: schemathesis.Case[Any]) -> None:
        method, address, body, headers = parts(case)
        headers.pop("Cn-Deadline", None)  # too short for an answer is no refusal of ours
        answered(daemon.ask(method, address, content=body, headers=headers), method, case.path)

    fuzz(operation, answers)


@pytest.mark.parametrize("words", [".", "src/user.ts", "src/user.ts:5-9", "Store.*"])
@pytest.mark.parametrize("verb", ["find", "refs"])
def test_what_another_verb_answers_is_in_the_document(daemon: Daemon, verb: str, words: str) -> None:
    for method, sent in (("GET", {"params": {"query": words}}), ("POST", {"json": {"query": words}})):
        answered(daemon.ask(method, f"/{verb}", **sent), method, f"/{verb}")


PLAIN = [row for row in VERBS if row.method == "POST" and row.reads]


@seed(6)
@settings(database=None, suppress_health_check=list(HealthCheck))
@given(row=st.sampled_from(PLAIN), data=st.data())
def test_no_question_in_the_verbs_own_words_breaks_a_real_daemon(daemon: Daemon, row: Any, data: st.DataObject) -> None:
    values: dict[str, Any] = {}
    for item in row.parameters:
        if not item.positional and not data.draw(st.booleans()):
            continue
        match item.kind:
            case "integer":
                values[item.name] = data.draw(st.integers(item.minimum or 0, item.maximum))
            case "boolean":
                values[item.name] = data.draw(st.booleans())
            case "list" | "files":
                values[item.name] = data.draw(st.lists(st.sampled_from(WORDS), max_size=3))
            case _:
                values[item.name] = data.draw(st.sampled_from(item.choices or WORDS))
    answered(daemon.ask("POST", row.path, json=values), "POST", row.path)


def answered(reply: httpx.Response, method: str, path: str) -> None:
    if reply.headers.get("Cn-Exit") == str(EXIT_DEADLINE):
        assert reply.status_code == 504, reply.text
        return
    checked(reply)
    assert int(reply.headers["Cn-Exit"]) <= EXIT_PARTIAL
    conforms(method, path, reply, fakes=False)
    assert path in DOCUMENT["paths"]
