"""Packages of one workspace that import each other by name: installed, built, and not installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk, places
from tests.server.test_built import FILES as BUILT
from tests.server.test_built import told

pytestmark = [pytest.mark.server, pytest.mark.slow]

PROJECT = '{"compilerOptions": {"strict": true, "declaration": true, "outDir": "dist", "rootDir": "src", "types": []}}'
INDEX = 'export { Widget } from "./widget";\nexport { default as aid } from "./help";\n'
USES = ["packages/a/src/index.ts:1", "packages/b/src/use.ts:1", "packages/b/src/use.ts:2"]


@pytest.fixture(params=["typescript", "native"])
def monorepo(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """Package b uses package a, which is known to others only by the declarations that its build wrote."""
    desk = Desk(tmp_path / "monorepo", Settings(server=request.param))
    desk.write(
        {
            ".gitignore": "dist\nnode_modules\n",
            "packages/a/package.json": '{"name": "@x/a", "version": "1.0.0", "types": "dist/index.d.ts"}',
            "packages/a/tsconfig.json": PROJECT,
            "packages/a/src/index.ts": INDEX,
            "packages/a/src/widget.ts": "export class Widget {\n  render() {}\n}\n",
            "packages/a/src/help.ts": "export default function help() {}\n",
            "packages/a/dist/index.d.ts": INDEX,
            "packages/a/dist/widget.d.ts": "export declare class Widget {\n  render(): void;\n}\n",
            "packages/a/dist/help.d.ts": "export default function help(): void;\n",
            "packages/b/package.json": '{"name": "@x/b", "version": "1.0.0", "dependencies": {"@x/a": "*"}}',
            "packages/b/tsconfig.json": PROJECT,
            "packages/b/src/use.ts": """
                import { Widget, aid } from "@x/a";
                new Widget().render();
                aid();
            """,
        }
    )
    link(desk)
    yield desk
    desk.close()


def link(desk: Desk) -> None:
    scope = desk.root / "node_modules/@x"
    scope.mkdir(parents=True)
    (scope / "a").symlink_to(desk.root / "packages/a")


def test_uses_through_built_declarations_are_found(monorepo: Desk) -> None:
    assert monorepo.uses("Widget") == USES
    assert monorepo.uses("Widget.render") == ["packages/b/src/use.ts:2"]
    # The default export is known to others as `aid`: the files that use it do not hold its name.
    assert set(monorepo.uses("help")) == {
        "packages/a/src/index.ts:2", "packages/b/src/use.ts:1", "packages/b/src/use.ts:3",
    }  # fmt: skip


def test_what_is_not_installed_is_led_to_its_sources(monorepo: Desk) -> None:
    assert monorepo.uses("Widget") == USES
    shutil.rmtree(monorepo.root / "node_modules")
    assert monorepo.uses("Widget") == USES
    link(monorepo)
    assert monorepo.uses("Widget") == USES


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_another_package_that_was_installed_took_all_others_away(own_desk: Desk, server: str) -> None:
    """The native server was told that the folder of all packages had gone."""
    library = {
        "package.json": '{"name": "make", "version": "1.0.0", "types": "index.d.ts"}',
        "index.d.ts": "export declare function make<T>(): T;",
    }
    own_desk.write(
        {
            "package.json": "{}",
            "tsconfig.json": TSCONFIG,
            "src/row.ts": 'import { make } from "make";\ninterface Row { cell: number }\nmake<Row>().cell;\n',
            **{f"node_modules/make/{name}": text for name, text in library.items()},
        }
    )
    for others in range(2):
        answer = own_desk.find("Row.cell", server=server)
        assert (answer.completeness.status, places(answer.references or [])) == ("complete", ["src/row.ts:3"])
        own_desk.write(
            {f"node_modules/other{others}/package.json": '{"name": "other"}', f"src/new{others}.ts": "export {};\n"}
        )


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("tsconfig", ["", PROJECT.replace('"rootDir": "src", ', "")], ids=["loose", "one"])
def test_packages_in_one_project_that_knows_them_as_built(own_desk: Desk, tsconfig: str, server: str) -> None:
    """By maps, which tell no members' places: uses were lost where the project holds the sources as well."""
    parts = (
        "mapped/",
        "apart/",
        "plain/",
        "user/package.json",
        *(f"user/src/{n}" for n in ("mapped", "apart", "fail")),
    )
    own = {path: text for path, text in BUILT.items() if path.startswith(parts) and not path.endswith("tsconfig.json")}
    own_desk.write({".gitignore": "dist\nnode_modules\n", **own, **({"tsconfig.json": tsconfig} if tsconfig else {})})
    scope = own_desk.root / "node_modules/@x"
    scope.mkdir(parents=True)
    for name in ("mapped", "apart", "plain"):
        (scope / name).symlink_to(own_desk.root / name)
    assert told(own_desk, "Level.High", server) == ["user/src/mapped.ts:2"]
    assert told(own_desk, "mapped/src/index.ts#table.first", server) == ["user/src/mapped.ts:2"]
    assert told(own_desk, "Box.same", server) == ["user/src/mapped.ts:2"]
    assert told(own_desk, "Apart.apart", server) == ["user/src/apart.ts:2"] * 2
    assert told(own_desk, "Failure.cause", server) == ["user/src/fails.ts:2"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_link_is_swapped_below_a_project_that_another_one_refers_to(own_desk: Desk, server: str) -> None:
    """Asked about a place that a map leads to, tsserver keeps projects that have to do with it, open or not."""
    composite = '{"compilerOptions": {"composite": true, "declarationMap": true, "outDir": "dist", "rootDir": "src",'
    composite += ' "types": [], "module": "esnext", "moduleResolution": "bundler"}, "include": ["src"], "references": '
    own_desk.write(
        {
            ".gitignore": "dist\nnode_modules\n",
            "core/package.json": '{"name": "@x/core", "version": "1.0.0", "types": "dist/index.d.ts"}',
            "core/tsconfig.json": composite + "[]}",
            "core/src/index.ts": "export class Core {\n  core = 1;\n}\n",
            "core/dist/index.d.ts": "export declare class Core {\n    core: number;\n}\n"
            "//# sourceMappingURL=index.d.ts.map",
            "core/dist/index.d.ts.map": '{"version": 3, "file": "index.d.ts", "sources": ["../src/index.ts"], '
            '"names": [], "mappings": "AAAA,qBAAa,IAAI;IACf,IAAI,SAAK;CACV"}',
            "plain/package.json": '{"name": "@x/plain", "version": "1.0.0", "types": "dist/index.d.ts"}',
            "plain/tsconfig.json": composite + "[]}",
            "plain/src/index.ts": "export class Plain {\n  size = 1;\n}\n",
            "app/tsconfig.json": composite + '[{"path": "../core"}, {"path": "../plain"}]}',
            "app/src/core.ts": 'import { Core } from "@x/core";\nexport const core = new Core();\n',
            "app/src/plain.ts": 'import { Plain } from "@x/plain";\nexport const plain = new Plain();\n',
            "app/run.ts": 'import { Core } from "@x/core";\nexport const run = new Core();\n',
        }
    )
    scope = own_desk.root / "node_modules/@x"
    scope.mkdir(parents=True)
    for name in ("core", "plain"):
        (scope / name).symlink_to(own_desk.root / name)

    def told(query: str) -> list[str]:
        return places(own_desk.find(query, limit=0, server=server).references or [])

    assert told("Plain") == ["app/src/plain.ts:1", "app/src/plain.ts:2"]
    assert len(told("Core")) == 4
    (scope / "plain~").symlink_to(own_desk.root / "core")
    (scope / "plain~").replace(scope / "plain")
    assert told("Plain") == []
