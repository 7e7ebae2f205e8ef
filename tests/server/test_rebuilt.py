"""Read your own writes: what a build writes, which git ignores. Every answer is right at once, on both servers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import Desk, places

pytestmark = pytest.mark.server

PROJECT = """
    {"compilerOptions": {"composite": true, "strict": true, "outDir": "dist", "rootDir": "src", "types": [],
        "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "declarationMap": true}}
    """
USE = ["app/src/use.ts:1", "app/src/use.ts:2"]
# As tsc writes it.
BUILT = {"index.d.ts": 'export * from "./deep/made";\n', "deep/made.d.ts": "export declare const made = 1;\n"}


@pytest.fixture(scope="module", params=["typescript", "native"])
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("rebuilt").resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


@pytest.fixture(params=["dist/", "dist/types/"])
def folder(request: pytest.FixtureRequest, desk: Desk) -> Iterator[str]:
    """Where the package's declarations are to be; nothing is built."""
    folder: str = request.param
    desk.write(
        {
            ".gitignore": "dist/\nnode_modules\n",
            "lib/package.json": f'{{"name": "@x/lib", "version": "1.0.0", "types": "{folder}index.d.ts"}}',
            "lib/tsconfig.json": PROJECT,
            "lib/src/index.ts": 'export * from "./deep/made";\n',
            "lib/src/deep/made.ts": "export const made = 1;\n",
            "app/package.json": '{"name": "@x/app", "version": "1.0.0", "dependencies": {"@x/lib": "*"}}',
            "app/tsconfig.json": PROJECT,
            "app/src/use.ts": 'import { made } from "@x/lib";\nexport const twice = made + 1;\n',
        }
    )
    if not (desk.root / "node_modules").exists():
        (desk.root / "node_modules/@x").mkdir(parents=True)
        (desk.root / "node_modules/@x/lib").symlink_to(desk.root / "lib")
    assert_not_built(desk)
    yield folder
    shutil.rmtree(desk.root / "lib/dist", ignore_errors=True)


def built(desk: Desk, folder: str, **changed: str) -> None:
    desk.write({f"lib/{folder}{path}": changed.get(path, text) for path, text in BUILT.items()})


def assert_not_built(desk: Desk) -> None:
    """Its sources are used then."""
    assert desk.uses("lib/src/deep/made.ts#made") == USE


def test_what_was_built_under_the_daemon_was_not_seen(desk: Desk, folder: str) -> None:
    for _ in range(3):
        built(desk, folder)
        assert desk.uses("lib/src/deep/made.ts#made") == USE
        shutil.rmtree(desk.root / "lib/dist")
        assert_not_built(desk)


def test_a_build_that_takes_the_place_of_another(desk: Desk, folder: str) -> None:
    built(desk, folder)
    assert desk.uses("lib/src/deep/made.ts#made") == USE
    for now in ("export {};\n", 'export * from "./deep/made";\n') * 2:
        (desk.root / "lib/dist").rename(desk.root / "lib/node_modules.old")
        shutil.rmtree(desk.root / "lib/node_modules.old")
        built(desk, folder, **{"index.d.ts": now})
        answer = desk.find("lib/src/deep/made.ts#made", limit=0)
        assert places(answer.references or []) == (USE if "made" in now else [])


def test_a_build_writes_over_another(desk: Desk, folder: str) -> None:
    """What stands in a file behind the module that is imported decides."""
    built(desk, folder)
    assert desk.uses("lib/src/deep/made.ts#made") == USE
    for now in ("export declare const other = 1;\n", "export declare const made = 1;\n") * 2:
        desk.write({f"lib/{folder}deep/made.d.ts": now})
        answer = desk.find("lib/src/deep/made.ts#made", limit=0)
        assert places(answer.references or []) == (USE if "made" in now else [])


def test_a_part_of_a_build_is_gone(desk: Desk, folder: str) -> None:
    for path in (*BUILT, *BUILT):
        built(desk, folder)
        assert desk.uses("lib/src/deep/made.ts#made") == USE
        (desk.root / "lib" / folder / path).unlink()
        if path == "index.d.ts":
            # The package leads nowhere.
            assert_not_built(desk)
        else:
            assert desk.find("lib/src/deep/made.ts#made").references == []


def test_sources_that_moved_on_since_they_were_built_were_taken_for_what_stood_there(desk: Desk) -> None:
    """The map leads to the lines of then."""
    types = "export interface Shape {\n    area: number;\n}\nexport declare const shape: Shape;\n"
    mappings = "AAAA,MAAM,WAAW,KAAK;IAAG,IAAI,EAAE,MAAM,CAAA;CAAE;AACvC,eAAO,MAAM,KAAK,EAAE,KAAmB,CAAC"
    desk.write(
        {
            ".gitignore": "dist/\nnode_modules\n",
            "moved/package.json": '{"name": "@x/moved", "version": "1.0.0", "types": "dist/index.d.ts"}',
            "moved/tsconfig.json": PROJECT,
            "moved/src/index.ts": """
                export interface First { first: number }
                export interface Shape { area: number }
                export const shape: Shape = { area: 1 };
                """,
            "moved/dist/index.d.ts": f"{types}//# sourceMappingURL=index.d.ts.map",
            "moved/dist/index.d.ts.map": '{"version": 3, "file": "index.d.ts", "sources": ["../src/index.ts"], '
            f'"names": [], "mappings": "{mappings}"}}',
            "user/package.json": '{"name": "@x/user", "version": "1.0.0", "dependencies": {"@x/moved": "*"}}',
            "user/tsconfig.json": PROJECT,
            "user/src/use.ts": 'import { type Shape, shape } from "@x/moved";\nexport const one: Shape = shape;\n',
        }
    )
    (desk.root / "node_modules/@x").mkdir(parents=True, exist_ok=True)
    (desk.root / "node_modules/@x/moved").symlink_to(desk.root / "moved")
    uses = ["moved/src/index.ts:3", "user/src/use.ts:1", "user/src/use.ts:2"]
    assert desk.uses("Shape") == desk.uses("user/src/use.ts:1:15") == desk.uses("user/src/use.ts:2:19") == uses
    assert desk.uses("shape") == desk.uses("user/src/use.ts:2:27") == ["user/src/use.ts:1", "user/src/use.ts:2"]
    assert desk.uses("First") == []


def test_members_that_moved_on_since_they_were_built_were_taken_for_each_other(desk: Desk) -> None:
    """By a map that leads to the line above, or to the offsets of then where it was read before."""
    grown = "export class Grown {\n  area = 1;\n  grow() { return this.area; }\n}\n"
    types = "export declare class Grown {\n    area: number;\n    grow(): number;\n}\n"
    desk.write(
        {
            ".gitignore": "dist/\nnode_modules\n",
            "grown/package.json": '{"name": "@x/grown", "version": "1.0.0", "types": "dist/index.d.ts"}',
            "grown/tsconfig.json": PROJECT,
            "grown/src/index.ts": grown,
            "grown/dist/index.d.ts": f"{types}//# sourceMappingURL=index.d.ts.map",
            "grown/dist/index.d.ts.map": '{"version": 3, "file": "index.d.ts", "sources": ["../src/index.ts"], '
            '"names": [], "mappings": "AAAA,qBAAa,KAAK;IAChB,IAAI,SAAK;IACT,IAAI;CACL"}',
            "grower/package.json": '{"name": "@x/grower", "version": "1.0.0", "dependencies": {"@x/grown": "*"}}',
            "grower/tsconfig.json": PROJECT,
            "grower/src/use.ts": 'import { Grown } from "@x/grown";\nnew Grown().area;\nnew Grown().grow();\n',
        }
    )
    (desk.root / "node_modules/@x").mkdir(parents=True, exist_ok=True)
    (desk.root / "node_modules/@x/grown").symlink_to(desk.root / "grown")
    for head in ("", "// head\n", "// another\n"):
        desk.write({"grown/src/index.ts": head + grown})
        line = 4 if head else 3
        assert desk.uses("Grown.area") == ["grower/src/use.ts:2", f"grown/src/index.ts:{line}"]
        assert desk.uses("Grown.grow") == ["grower/src/use.ts:3"]
        assert desk.uses("Grown") == ["grower/src/use.ts:1", "grower/src/use.ts:2", "grower/src/use.ts:3"]


def test_a_script_beside_what_was_built_was_taken_for_another_source(desk: Desk) -> None:
    """In a repository that keeps what it builds."""
    desk.write(
        {
            ".gitignore": "node_modules\n",
            "kept/package.json": '{"name": "@x/kept", "version": "1.0.0", "types": "dist/index.d.ts"}',
            "kept/tsconfig.json": PROJECT,
            "kept/src/index.ts": "export const keep = 1;\nexport function draw() {}\n",
            "kept/dist/index.d.ts": "export declare const keep = 1;\nexport declare function draw(): void;\n",
            "kept/dist/index.js": "export const keep = 1;\nexport function draw() { }\n",
            "user/package.json": '{"name": "@x/user", "version": "1.0.0", "dependencies": {"@x/kept": "*"}}',
            "user/tsconfig.json": PROJECT,
            "user/src/kept.ts": 'import { draw, keep } from "@x/kept";\ndraw();\nkeep;\n',
        }
    )
    (desk.root / "node_modules/@x").mkdir(parents=True, exist_ok=True)
    (desk.root / "node_modules/@x/kept").symlink_to(desk.root / "kept")
    assert desk.uses("kept/src/index.ts#keep") == ["user/src/kept.ts:1", "user/src/kept.ts:3"]
    assert desk.uses("kept/src/index.ts#draw") == ["user/src/kept.ts:1", "user/src/kept.ts:2"]
