"""tsserver at the ceiling of its memory: more projects than it can hold at once, one question after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

APPS = range(8)
# Read, it takes some 40 MB; the server itself takes a hundred.
ROW = '{{ a: 1, b: "x", c: [1, 2, {{ d: null }}], e: {{ f: {{ g: 2 }} }} }}'
LARGE = "".join(f"export const v{n} = {ROW.format()};\n" for n in range(5_000))


SET = {"tsserver_memory_mb": "CN_TSSERVER_MEMORY_MB"}


@pytest.fixture(params=[SET])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """Its parameter is where the settings come from."""
    root = tmp_path_factory.mktemp("overflow").resolve() / "work"
    desk = Desk(root, Settings(server="typescript", bindings="off", tsserver_memory_mb=256, sources=request.param))
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("desk", [{}], indirect=True)
def test_a_ceiling_that_nobody_has_set_rises_with_the_need(desk: Desk) -> None:
    for app in APPS:
        assert desk.uses(f"own{app}") == [f"app{app}/use.ts:1", f"app{app}/use.ts:2"]
    assert desk.uses("app0/own.ts#shared") == ["app0/use.ts:1", "app0/use.ts:3"]
    assert desk.services.language_servers()[0].restarts == 1


@pytest.mark.slow
def test_one_project_that_is_too_large(desk: Desk) -> None:
    desk.write({f"app0/large{n}.ts": LARGE for n in range(6)})
    with pytest.raises(LanguageServerError) as caught:
        desk.find("own0")
    assert "tsserver_memory_mb" in str(caught.value.hint)


def test_what_makes_way_was_kept_until_the_next_was_loaded(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside it the process ran out of memory again, when it was slow to clear up."""
    for app in APPS[:3]:
        desk.write({f"app{app}/large.ts": ""})
        desk.uses(f"own{app}")
    code = desk.services.code.built
    assert code is not None
    server: Any = code.servers.server_for("any.ts")
    files, held = server._server._files, []
    real = files._tell

    async def is_held(path: str, deadline: float) -> bool:
        try:
            await files.project_of(path, deadline)
        except LanguageServerError:
            return False
        return True

    async def spied(opened: Sequence[dict[str, str]], closed: Sequence[str], deadline: float) -> None:
        if any("app3/" in one["file"] for one in opened):
            held.append([app for app in APPS[:3] if await is_held(str(desk.root / f"app{app}/own.ts"), deadline)])
        await real(opened, closed, deadline)

    monkeypatch.setattr(files, "_tell", spied)
    monkeypatch.setattr(files, "_most", 2)
    desk.uses("own3")
    assert held == [[2]]


def test_the_native_server_is_told_to_stay_below_the_ceiling(toolchain: Toolchain, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "work", Settings(server="native", bindings="off", tsserver_memory_mb=300))
    desk.write({"tsconfig.json": TSCONFIG, "own.ts": "export function own() {}\n"})
    assert desk.uses("own") == []
    assert psutil.Process(desk.server_pid).environ()["GOMEMLIMIT"] == "300MiB"
    assert desk.close() == []
