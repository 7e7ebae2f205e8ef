"""Never wrong in silence: layouts in which uses were left out of an answer that said it was complete.

Further ones: tests/cases/gaps.test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from cn_shared.folders import cache_folder
from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server


@pytest.fixture(scope="module", params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """The workspace that all tests here share, once for each server. Its files have names of their own."""
    desk = Desk(tmp_path_factory.mktemp("gaps").resolve() / "work", Settings(server=request.param))
    desk.write(
        {f"{folder}/{path}": text for folder, files in LAYOUTS.items() for path, text in files.items()},
    )
    (desk.root / "wide/utf16.ts").write_bytes(use("Wide", "./wide").encode("utf-16"))
    (desk.root / "wide/declares16.ts").write_bytes("export class Narrow {}\n".encode("utf-16"))
    (desk.root / "wide/latin.ts").write_bytes(b"// caf\xe9\nexport class Latin {}\n")
    yield desk
    assert desk.close() == []


def use(name: str, module: str) -> str:
    return f'import {{ {name} }} from "{module}";\nnew {name}();\n'


LAYOUTS: dict[str, Mapping[str, str]] = {
    "nul": {
        "tsconfig.json": TSCONFIG,
        "nul.ts": "export function nulled() {}\n",
        "key.ts": 'import { nulled } from "./nul";\nexport const nulKey = (one: string) => `${one}\0${nulled()}`;\n',
    },
    "wide": {
        "tsconfig.json": TSCONFIG,
        "wide.ts": "export class Wide {}\n",
        "narrow.ts": use("Narrow", "./declares16"),
    },
    "mentioned": {"tsconfig.json": TSCONFIG, "mentioned.ts": "export class Mentioned {}\n"},
    "library": {
        "used.ts": use("OnlyImported", "library"),
        "node_modules/library/package.json": '{"name": "library", "version": "1.0.0", "types": "index.d.ts"}',
        "node_modules/library/index.d.ts": "export declare class OnlyImported {}\n"
        "export declare class NeverImported {}\n",
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "path"), [("Wide", "wide/utf16.ts"), ("Narrow", "wide/narrow.ts")])
def test_uses_were_left_out(desk: Desk, name: str, path: str) -> None:
    """Files in UTF-16."""
    assert list(dict.fromkeys(desk.uses(name))) == [f"{path}:1", f"{path}:2"]


def test_a_source_with_a_nul_in_a_text_was_passed_over(desk: Desk) -> None:
    assert desk.uses("nulled") == ["nul/key.ts:1", "nul/key.ts:2"]
    assert desk.uses("nulKey") == []
    assert desk.rows("nul/key.ts") == ["2 Constant nulKey"]


def test_a_declaration_in_a_file_that_is_no_utf8_was_not_found(desk: Desk) -> None:
    assert place(desk.find("Latin").definition) == "wide/latin.ts:2:14"


def test_a_declaration_in_a_file_that_is_too_large_was_not_found_in_silence(desk: Desk) -> None:
    file = desk.root / "wide/vast.ts"
    file.write_text("export class Vast {}\n" + "// padding\n" * 3_100_000)
    try:
        answer = desk.find("Vast")
    finally:
        file.unlink()
    assert answer.completeness.status == "partial"
    assert "wide/vast.ts is larger than 32 MB" in str(answer.completeness.reason)


def test_a_name_of_installed_packages_alone_is_no_unexplained_empty_answer(desk: Desk) -> None:
    for name in ("NeverImported", "NeverImportet"):
        answer = desk.find(name)
        assert (answer.outcome(), answer.definition, places(answer.references or [])) == ("empty", None, [])
        assert "installed and git-ignored files are not searched" in str(answer.hint)
    misspelt = desk.find("Mentionned")
    assert misspelt.suggestions is not None
    assert "Mentioned" in misspelt.suggestions


def test_types_that_an_editor_downloaded_counted(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TypeScript 7 looks for what a script imports in the cache of automatic type acquisition: to one user `go` was a
    member of the package's class, to another it was not."""
    own = Settings(server="native", cache_directory=cache_folder())
    types = tmp_path / "cache/typescript/7.0/node_modules/@types/untyped/index.d.ts"
    types.parent.mkdir(parents=True)
    types.write_text("export class Base { go(): void }\n", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    desk = Desk(tmp_path / "work", own)
    heir = 'import { Base } from "untyped";\nexport class NAME extends Base { go() { this.go(); } }\n'
    desk.write({f"{name.lower()}.js": heir.replace("NAME", name) for name in ("One", "Two")})
    assert places(desk.find("One.go", limit=0).references or []) == ["one.js:2"]
    assert desk.close() == []
