"""cn's own answers about the example workspace, symbol by symbol, against the compiler's.

A real daemon is asked over HTTP for every id `<path>#Container.member` of the truth: the definition and its further
declarations, and all references. Once with the pinned TypeScript 6, once with a TypeScript 5 of the workspace's own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.conftest import ROOT, npm_install

pytestmark = pytest.mark.server

TRUTH = json.loads((Path(__file__).resolve().parent / "shop.json").read_text("utf-8"))

Ask = Callable[..., Any]


@pytest.fixture(scope="module", params=["6.0.3", "5.9.3"])
def ask(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ask]:
    """POST to a daemon of a copy of the example."""
    folder = tmp_path_factory.mktemp("truth").resolve() / "shop"
    shutil.copytree(ROOT / "examples" / "shop", folder)
    if request.param != toolchain.typescript_version:
        npm_install(toolchain, folder, f"typescript@{request.param}")
    command = [sys.executable, "-m", "cn_client", "--root", str(folder)]
    subprocess.run([*command, "start"], check=True, capture_output=True)
    state = json.loads((folder / ".cn-daemon.json").read_text())
    headers = {"Authorization": f"Bearer {state['token']}", "Content-Type": "application/json"}

    def post(path: str, **parameters: object) -> Any:
        with closing(HTTPConnection("127.0.0.1", state["port"], timeout=90)) as connection:
            connection.request("POST", path, json.dumps(parameters), headers)
            return json.loads(connection.getresponse().read())

    yield post
    status = subprocess.run([*command, "--json", "status"], check=True, capture_output=True)
    assert json.loads(status.stdout)["languageServers"][0]["typescript"] == request.param
    subprocess.run([*command, "stop"], check=True, capture_output=True)


def places(refs: list[dict[str, Any]]) -> list[str]:
    return sorted(f"{ref['filePath']}:{ref['line']}:{ref['character']}" for ref in refs)


@pytest.mark.parametrize("symbol", TRUTH)
def test_symbol(ask: Ask, symbol: str) -> None:
    answer = ask("/find", query=symbol, limit=0)
    assert answer.get("completeness", answer).get("status") == "complete"
    declared = places([answer["definition"], *answer.get("declarations", [])])
    assert declared == sorted(TRUTH[symbol]["declarations"])
    assert places(answer["references"]) == sorted(TRUTH[symbol]["references"])
