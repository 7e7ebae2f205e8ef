"""Read your own writes: many files at once, and what is no text any more (others: tests/cases/odd_events.test)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk, places
from tests.server.test_gaps import use

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.fixture(scope="module", params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("events").resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


def both(*paths: str) -> list[str]:
    """The import and the use in each file."""
    return sorted(f"{path}:{line}" for path in paths for line in (1, 2))


def test_a_folder_of_300_files_is_renamed(desk: Desk) -> None:
    desk.write({"moved/tsconfig.json": TSCONFIG, "moved/thing.ts": "export class Moved {}\n"})
    desk.write({f"moved/one/deep/f{number:03}.ts": use("Moved", "../../thing") for number in range(300)})
    names = [f"f{number:03}.ts" for number in range(300)]
    assert desk.uses("Moved") == both(*(f"moved/one/deep/{name}" for name in names))
    (desk.root / "moved/one").rename(desk.root / "moved/two")
    assert desk.uses("Moved") == both(*(f"moved/two/deep/{name}" for name in names))
    shutil.move(desk.root / "moved/two", desk.root / "moved/two/../three")
    shutil.rmtree(desk.root / "moved/three/deep")
    assert desk.uses("Moved") == []


@pytest.mark.parametrize("odd", [b"// caf\xe9\n", b"// \0\n"], ids=["latin-1", "zeros"])
def test_a_file_that_is_no_utf8_any_more_was_answered_for_as_it_was(desk: Desk, odd: bytes) -> None:
    """Where it holds the project open, and tsserver, handed no other text, went on with the one that it had."""
    desk.write({"odd/tsconfig.json": TSCONFIG, "odd/thing.ts": "export class Odd {}\n"})
    text = use("Odd", "./thing")
    for number in range(3):
        desk.write({f"odd/use{number}.ts": text})
        desk.find(f"odd/use{number}.ts:2:5")
    for _ in range(2):
        assert desk.uses("Odd") == both("odd/use0.ts", "odd/use1.ts", "odd/use2.ts")
        for number in range(3):
            (desk.root / f"odd/use{number}.ts").write_bytes(odd + text.encode())
        told = places(desk.find("Odd", limit=0).references or [])
        assert told == [f"odd/use{number}.ts:{line}" for number in range(3) for line in (2, 3)]
        desk.write({f"odd/use{number}.ts": text for number in range(3)})


@pytest.mark.parametrize("kept", [50])
def test_more_changes_than_are_kept_were_told_in_part(
    toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """Of a server that asks late: the files that came, went and changed meanwhile are more than the log holds."""
    monkeypatch.setattr("cn_daemon.adapters.identifier_index._CHANGES_KEPT", kept)
    for server in ("typescript", "native"):
        desk = Desk(tmp_path_factory.mktemp("late").resolve() / "work", Settings(server=server))
        desk.write({"tsconfig.json": TSCONFIG, "thing.ts": "export class Late {}\n"})
        desk.write({f"old{number}.ts": use("Late", "./thing") for number in range(40)})
        desk.write({f"kept{number}.ts": "export {};\n" for number in range(40)})
        assert desk.uses("Late") == both(*(f"old{number}.ts" for number in range(40)))
        for number in range(40):
            (desk.root / f"old{number}.ts").unlink()
        desk.write({f"new{number}.ts": use("Late", "./thing") for number in range(60)})
        desk.write({f"kept{number}.ts": use("Late", "./thing") for number in range(40)})
        desk.run(desk.services.code.built.words.refresh())
        desk.write({f"other{number}.ts": "export const other = 1;\n" for number in range(60)})
        names = [f"new{number}.ts" for number in range(60)] + [f"kept{number}.ts" for number in range(40)]
        assert desk.uses("Late") == both(*names)
        assert desk.close() == []
