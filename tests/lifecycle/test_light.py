"""What the daemon leaves for later: its start is waited for."""

import subprocess
import sys

import pytest

from cn_daemon.interfaces import openapi
from tests.fakes.door import Door

STARTED = "from cn_daemon import lifecycle; from cn_daemon.adapters.language_servers import table"


def test_the_daemon_answers_before_the_types_of_lsp_are_imported() -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"{STARTED}; import sys; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert {name.partition(".")[0] for name in told.stdout.split()}.isdisjoint({"pygls", "lsprotocol", "mcp", "httpx"})


def test_the_daemon_answers_before_what_questions_need_is_imported() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from cn_daemon import lifecycle; lifecycle._doors(); import sys; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    late = {f"cn_daemon.bootstrap.{name}" for name in ("questions", "library", "running")}
    late |= {f"cn_daemon.interfaces.{name}" for name in ("openapi", "text", "budget")}
    assert set(told.stdout.split()).isdisjoint(
        late | {"cn_daemon.domain.libraries.ranking", "cn_shared.relations", "cn_daemon.adapters.report_database"}
    )


def test_no_route_is_described_before_somebody_asks_for_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[str] = []
    monkeypatch.setattr(openapi, "APIRoute", lambda path, *rest, **more: described.append(path))
    assert Door().ask("GET", "/health").status_code == 200
    assert not described
