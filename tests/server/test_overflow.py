"""tsserver at the ceiling of its memory: more projects than it can hold at once, one question after another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

APPS = range(8)
# Read, it takes some 40 MB; the server itself takes a hundred.
ROW = '{{ a: 1, b: "x", c: [1, 2, {{ d: null }}], e: {{ f: {{ g: 2 }} }} }}'
LARGE = "".join(f"export const v{n} = {ROW.format()};\n" for n in range(5_000))


@pytest.fixture
def desk(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("overflow").resolve() / "work"
    desk = Desk(root, Settings(server="typescript", tsserver_memory_mb=256))
    for app in APPS:
        desk.write(
            {
                f"app{app}/tsconfig.json": TSCONFIG,
                f"app{app}/large.ts": LARGE,
                f"app{app}/own.ts": f"export function own{app}() {{}}\nexport function shared() {{}}\n",
                f"app{app}/use.ts": f'import {{ own{app}, shared }} from "./own";\nown{app}();\nshared();\n',
            }
        )
    yield desk
    assert desk.close() == []


def test_questions_go_on_where_a_process_ran_out_of_memory(desk: Desk) -> None:
    """The next one once loaded everything anew that any before it had needed, and ran out of memory again."""
    for _ in range(2):
        for app in APPS:
            assert desk.uses(f"own{app}") == [f"app{app}/use.ts:1", f"app{app}/use.ts:2"]
    assert desk.services.language_servers()[0].restarts == 1
    told = desk.find("app0/own.ts#shared").completeness
    assert told.status == "partial"
    assert "tsserver_memory_mb" in str(told.reason)
    assert desk.services.language_servers()[0].restarts == 1


def test_the_native_server_is_told_to_stay_below_the_ceiling(toolchain: Toolchain, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "work", Settings(server="native", tsserver_memory_mb=300))
    desk.write({"tsconfig.json": TSCONFIG, "own.ts": "export function own() {}\n"})
    assert desk.uses("own") == []
    assert psutil.Process(desk.server_pid).environ()["GOMEMLIMIT"] == "300MiB"
    assert desk.close() == []
