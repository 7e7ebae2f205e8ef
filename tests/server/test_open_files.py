"""Files are held open until others need their place; what git ignores is read as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.native import files as native_files
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.tsserver import files as tsserver_files
from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

PARTS = ("a", "b", "c", "d", "e")


@pytest.fixture(params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    for one in (native_files, tsserver_files):
        monkeypatch.setattr(one, "OPEN", 2)
    desk = Desk(tmp_path.resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


def complaints(desk: Desk, *files: str) -> list[str]:
    answer = desk.run(desk.ask("diagnostics", files=files))
    assert answer.completeness.status == "complete", answer.completeness
    return [f"{one.file_path} {one.code}" for one in answer.diagnostics]


def test_more_files_than_are_held_open_are_all_checked(desk: Desk) -> None:
    desk.write({f"{part}/tsconfig.json": TSCONFIG for part in PARTS[:3]})
    desk.write({f"{part}/one.ts": f'export const {part}: number = "1";\n' for part in PARTS})
    expected = [f"{part}/one.ts TS2322" for part in PARTS]
    assert complaints(desk) == expected
    assert desk.opened() == ["d/one.ts", "e/one.ts"]
    desk.write({"a/one.ts": "export const a: number = 1;\n"})
    assert complaints(desk) == expected[1:]
    assert desk.run(desk.ask("hover", query="b")).signature == "const b: number"


def test_generated_code_that_git_ignores_is_read_as_it_is_now(desk: Desk) -> None:
    desk.write({".gitignore": "made/\n", "tsconfig.json": TSCONFIG, "made/told.ts": "export const told = 1;\n"})
    desk.write({"use.ts": 'import { told } from "./made/told";\nexport const use: number = told;\n'})
    assert complaints(desk, "use.ts", "made/told.ts") == []  # it is open from now on
    for _ in range(2):
        desk.write({"made/told.ts": 'export const told = "1";\n'})
        assert complaints(desk, "use.ts") == ["use.ts TS2322"]
        desk.write({"made/told.ts": "export const told = 1;\n"})
        assert complaints(desk, "use.ts") == []
    desk.write({"use.ts": 'import { more } from "./made/more";\nexport const use: number = more;\n'})
    assert complaints(desk, "use.ts") == ["use.ts TS2307"]
    desk.write({"made/more.ts": "export const more = 1;\n"})
    assert complaints(desk, "use.ts") == []
