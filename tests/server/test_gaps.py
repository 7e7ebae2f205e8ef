"""Never wrong in silence: layouts in which uses were left out of an answer that said it was complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from cn_shared.folders import cache_folder
from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server

NODE = '{"compilerOptions": {"module": "NodeNext", "types": []}, "include": ["src", "test"]}'


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


def manifest(name: str, target: str) -> str:
    return f'{{"name": "{name}", "exports": {{".": "{target}"}}}}'


LAYOUTS: dict[str, Mapping[str, str]] = {
    "barrel": {
        "tsconfig.json": NODE,
        "src/part.ts": "export default class BarrelPart {}\n",
        "src/barrel.ts": """
            import BarrelPart from "./part.js";
            export { default as BarrelPart } from "./part.js";
            class BarrelWhole { part?: BarrelPart }
            export default BarrelWhole;
            """,
        "src/use.ts": """
            import Other from "./part.js";
            import BarrelWhole, { BarrelPart as Third } from "./barrel.js";
            export const made = [new BarrelWhole(), [
              new Other(), new Third()]];
            """,
        "example.js": 'import whole, { BarrelPart } from "./src/barrel.js";\nnew whole();\nnew BarrelPart();\n',
    },
    "passed": {
        "tsconfig.json": NODE,
        "src/part.ts": "export class PassedOn {}\nexport function passedOn() {}\n",
        "src/index.ts": 'export * from "./part";\nexport { PassedOn as PassedAs } from "./part";\n',
        "use.js": 'const all = require("./src");\nclass Below extends all.PassedOn {}\nnew all.PassedAs();\n',
        "take.js": 'const { PassedOn: Own, passedOn } = require("./src/index");\nnew Own();\npassedOn();\n',
        "other.js": 'const { PassedOn } = require("./another");\nnew PassedOn();\n',
        "another.ts": 'export * from "./src/part";\nexport class PassedOn {}\n',
    },
    "committed": {
        "package.json": manifest("committed", "./build/index.d.ts"),
        "tsconfig.json": '{"compilerOptions": {"module": "NodeNext", "types": []}, "include": ["src"]}',
        "src/index.ts": 'export * from "./part.js";\n',
        "src/part.ts": "export function committed() {}\nexport function byPath() {}\n",
        "build/index.d.ts": 'export * from "./part.js";\n',
        "build/part.d.ts": "export declare function committed(): void;\nexport declare function byPath(): void;\n",
        "build/part.cjs": "function committed() {}\nexports.committed = committed;\n",
        "test/use.ts": 'import { committed } from "committed";\ncommitted();\n',
        "test/path.ts": 'import { byPath } from "../build/part.js";\nbyPath();\n',
        "test/holds.ts": 'import { other } from "../src/other.js";\nother();\n',
        "test/beside.ts": 'import { other } from "../build/other.js";\nother();\n',
        "test/named.js": "const made = 1;\nmade;\n",
        "test/whole.js": 'import * as made from "../build/made.js";\nmade.maker();\n',
        "build/made.d.ts": "export declare function maker(): void;\n",
        "src/other.ts": "export function other() {}\nexport const other$ = 1;\n",
        "build/other.d.ts": "export declare function other(): void;\nexport declare const other$ = 1;\n",
        "test/dollar.ts": 'import { other$ } from "../build/other.js";\nother$;\n',
    },
    "nul": {
        "tsconfig.json": TSCONFIG,
        "nul.ts": "export function nulled() {}\n",
        "key.ts": 'import { nulled } from "./nul";\nexport const nulKey = (one: string) => `${one}\0${nulled()}`;\n',
    },
    "instead": {
        "tsconfig.json": NODE,
        "src/instead.ts": "class Instead {}\nconst instead = () => new Instead();\nexport { instead as Instead };\n",
        "src/use.ts": 'import { Instead } from "./instead.js";\nInstead();\n',
    },
    "mapped": {
        "package.json": manifest("mapped", "./src/mapped-index.ts"),
        "tsconfig.json": NODE,
        "src/mapped-index.ts": "export class Mapped {}\n",
        "test/mapped.ts": use("Mapped", "mapped"),
    },
    "unbuilt": {
        "package.json": manifest("unbuilt", "./dist/unbuilt.js"),
        "tsconfig.json": NODE,
        "src/unbuilt.ts": "export class Unbuilt {}\nexport const { Spread } = Unbuilt.prototype as any;\n"
        "class Kept {}\nfunction listed() {}\nexport { listed };\n",
        "test/use.ts": use("Unbuilt", "unbuilt"),
        "test/more.ts": 'import * as all from "unbuilt";\nnew all.Spread(all.Kept, all.listed);\n',
    },
    "built": {
        "package.json": '{"name": "built", "exports": {".": {"types": "./dist/built.d.ts"}}}',
        "tsconfig.json": NODE,
        ".gitignore": "dist\n",
        "dist/built.d.ts": "export declare class Built {}\n",
        "src/built.ts": "export class Built {}\n",
        "test/use.ts": use("Built", "built"),
    },
    "hash": {
        "package.json": '{"name": "hash", "imports": {"#inner/*": "./src/*.ts", "#store": "./dist/database.js"}}',
        "tsconfig.json": NODE,
        "src/deep.ts": "export class Deep {}\n",
        "src/database.ts": "export class Database {}\n",
        "src/deep-use.ts": use("Deep", "#inner/deep"),
        "src/store-use.ts": use("Database", "#store"),
    },
    "pool": {
        "package.json": '{"name": "pool", "imports": {"#pool": "./src/connections.ts"}}',
        "tsconfig.json": '{"compilerOptions": {"module": "NodeNext", "types": []}, "include": ["src"]}',
        "src/connections.ts": "export default class Connected {}\n",
        "tools/tsconfig.json": '{"compilerOptions": {"module": "NodeNext", "types": []}}',
        "tools/run.ts": 'import Other from "#pool";\nnew Other();\n',
    },
    "alias": {
        "tsconfig.json": '{"compilerOptions": {"types": [], "paths": {"@alias/*": ["./src/*"]}}, // "*"\n'
        ' "include": ["src"],}',
        "src/aliased.ts": "export class Aliased {}\n",
        "spec/aliased.ts": use("Aliased", "@alias/aliased"),
    },
    "foreign": {
        "own/tsconfig.json": '{"compilerOptions": {"types": [], "paths": {"~deep/*": ["./lib/*"]}}}',
        "own/lib/foreign.ts": "export class Foreign {}\n",
        "own/main.ts": 'import { Foreign } from "~deep/foreign";\nexport const main = new Foreign();\n',
        "own/globals.d.ts": "declare const OWN_GLOBAL: number;\n",
        "own/place.ts": "export const place = OWN_GLOBAL;\n",
        "app/tsconfig.json": TSCONFIG,
        "app/app.ts": 'import { main } from "../own/main";\nimport { place } from "../own/place";\n'
        "export { main, place };\n",
    },
    "required": {
        "required.ts": "export class Taken {}\nexport function calledSo() {}\n",
        "use.cjs": 'const { Taken } = require("./required");\nnew Taken();\n',
        "renames.cjs": 'const { calledSo: other } = require("./required");\nother();\n',
    },
    "beside": {
        "tsconfig.json": '{"compilerOptions": {"allowJs": true, "types": []}}',
        "beside.js": "export class Beside { go() {} }\n",
        "beside.d.ts": "export declare class Beside { go(): void }\n",
        "use.ts": 'import { Beside } from "./beside.js";\nnew Beside().go();\n',
    },
    "wide": {
        "tsconfig.json": TSCONFIG,
        "wide.ts": "export class Wide {}\n",
        "narrow.ts": use("Narrow", "./declares16"),
    },
    "escaped": {
        "tsconfig.json": TSCONFIG,
        "escaped.ts": "export class Escaped {}\n",
        "use.ts": 'import { \\u0045scaped } from "./escaped";\nnew \\u{45}scaped();\n',
    },
    "embedded": {
        "tsconfig.json": TSCONFIG,
        "embedded.ts": "export class Painted { paint() {} stay() {} bound = 1 }\nexport default function pooled() {}\n"
        "export function composed() {}\nfunction hidden() {}\n",
        "App.vue": '<script setup lang="ts">\nimport { Painted } from "./embedded";\nimport any from "./embedded";\n'
        'import { composed } from "some-library";\n// hidden() and stay\nconst hidden = composed();\n'
        "export function onlyInVue() {}\n</script>\n<template>\n"
        '  <p @click="one.paint()" :class="{ stay: true }">stay</p>\n</template>\n'
        "<style>\n.stay { width: v-bind('one.bound') }\n</style>\n",
        "page.mdx": "```ts\nimport { Mentioned } from './mentioned';\nnew Mentioned().shown();\n```\n`x.shown()`\n",
        "whole.ts": "export class Whole {}\nexport class Lazy {}\nexport class Apart {}\n"
        "export const useIt = () => ({ given() {}, kept() {} });\n"
        "export function useThat() { const lent = 1, unlent = 2; return { lent }; }\n",
        "globals.d.ts": "interface Ambient { glow: number }\ndeclare const AMBIENT: string;\ninterface Unmet {}\n",
        "Page.vue": '<script lang="ts">\nimport * as all from "./whole";\nconst one: all.Whole = 1;\n'
        'const { Lazy } = await import("./whole");\n'
        'const { given } = all.useIt(), { lent, unlent } = all.useThat();\nlet ambient: Ambient;\n'
        "</script>\n<template>{{ AMBIENT }} Apart {{ one.Unmet }}</template>\n",
        "mentioned.ts": "export class Mentioned { shown() {} }\n",
    },
    "template": {
        "view.component.ts": """
            declare function Component(options: object): ClassDecorator;
            @Component({ templateUrl: "./view.component.html" })
            export class View { saved() {} unsaved() {} }
            @Component({ template: `<p>{{ inlined }}</p>` })
            export class Inline { inlined = 1; outlined = 1; }
            """,
        "view.component.html": '<button (click)="saved()">Save</button>\n',
    },
    "library": {
        **{f"prose{number:02}.ts": "// OnlyImported\nexport {};\n" for number in range(9)},
        "used.ts": use("OnlyImported", "library"),
        "node_modules/library/package.json": '{"name": "library", "version": "1.0.0", "types": "index.d.ts"}',
        "node_modules/library/index.d.ts": "export declare class OnlyImported {}\n"
        "export declare class NeverImported {}\n",
        "lost0.ts": use("NotInstalled", "not-installed"),
        "lost1.ts": use("NotInstalled", "not-installed"),
    },
    "ambient": {
        "package.json": '{"name": "ambient", "imports": {"#types/*": "./types/*.d.ts"}}',
        "tsconfig.json": NODE,
        "types/socket.d.ts": "export namespace Socket {\n  class Serves {}\n}\n",
        "types/connect.d.ts": "export namespace Connect {\n  class Serves {}\n}\n",
        "src/use.ts": 'import { Connect } from "#types/connect";\nnew Connect.Serves();\n',
    },
    "writes": {
        "tsconfig.json": TSCONFIG,
        "code.ts": """
            export const written = "b";
            export const code = `
            import a from "${written}";
            import ${written} from "a"; import "${written}";
            `;
            """,
    },
    "holder": {
        "package.json": '{"name": "holder"}',
        "tsconfig.json": '{"compilerOptions": {"types": [], "paths": {"@holder/*": ["./src/*"]}}}',
        "src/own.ts": "export function unlike() {}\n",
        "use.ts": """
            import type { Other } from "@holder/other";
            import unlike from "./asset.txt?raw";
            export const used: Other[] = [unlike];
            """,
        "node_modules/@holder/other/package.json": '{"name": "@holder/other", "types": "index.d.ts"}',
        "node_modules/@holder/other/index.d.ts": '/// <reference path="raw.d.ts" />\nexport type Other = string;\n',
        "node_modules/@holder/other/raw.d.ts": "declare module '*?raw' {\n  const text: string;\n"
        "  export default text;\n}\n",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Mapped", "mapped/test/mapped.ts"),
        ("Built", "built/test/use.ts"),
        ("Deep", "hash/src/deep-use.ts"),
        ("Database", "hash/src/store-use.ts"),
        ("Aliased", "alias/spec/aliased.ts"),
        ("Connected", "pool/tools/run.ts"),
        ("Taken", "required/use.cjs"),
        ("Beside", "beside/use.ts"),
        ("beside/beside.js:Beside", "beside/use.ts"),
        ("beside/beside.js:1:14", "beside/use.ts"),
        ("Wide", "wide/utf16.ts"),
        ("Narrow", "wide/narrow.ts"),
        ("OnlyImported", "library/used.ts"),
        ("calledSo", "required/renames.cjs"),
    ],
)
def test_uses_were_left_out(desk: Desk, name: str, path: str) -> None:
    """A package that imports itself by name or by `#…`, an alias outside of the project that has it, `require` with a
    pattern, declarations beside a script, UTF-16, a library's name that nine other files only mention."""
    assert list(dict.fromkeys(desk.uses(name))) == [f"{path}:1", f"{path}:2"]


def test_uses_of_what_is_exported_by_a_name_were_told_of_what_has_it(desk: Desk) -> None:
    assert desk.uses("instead/src/instead.ts#Instead") == ["instead/src/instead.ts:2"]
    told = ["instead/src/instead.ts:3", "instead/src/instead.ts:3", "instead/src/use.ts:1", "instead/src/use.ts:2"]
    assert desk.uses("instead/src/instead.ts#instead") == told


def test_uses_of_a_modules_own_default_were_told_of_one_that_it_hands_on(desk: Desk) -> None:
    lines = [f"barrel.ts:{line}" for line in (1, 2, 2, 3)] + [f"use.ts:{line}" for line in (1, 2, 2, 4, 4)]
    example = [f"barrel/example.js:{line}" for line in (1, 3)]
    assert desk.uses("BarrelPart") == example + [f"barrel/src/{line}" for line in lines]
    whole = ["barrel/src/barrel.ts:4", "barrel/src/use.ts:2", "barrel/src/use.ts:3"]
    assert desk.uses("BarrelWhole") == [f"barrel/example.js:{line}" for line in (1, 2)] + whole


def test_what_a_module_passes_on_was_lost_where_a_script_requires_it(desk: Desk) -> None:
    told = [f"take.js:{line}" for line in (1, 1, 2)] + ["use.js:2", "use.js:3"]
    own = ["src/index.ts:2", "src/index.ts:2"]
    assert desk.uses("passed/src/part.ts#PassedOn") == [f"passed/{line}" for line in own + told]
    assert desk.uses("passedOn") == [f"passed/take.js:{line}" for line in (1, 3)]
    assert desk.uses("passed/another.ts#PassedOn") == [f"passed/other.js:{line}" for line in (1, 2)]


def test_a_script_that_a_build_wrote_was_taken_for_what_its_declarations_are_made_of(desk: Desk) -> None:
    assert desk.uses("committed/src/part.ts#committed") == [f"committed/test/use.ts:{line}" for line in (1, 2)]


def test_a_path_into_a_build_that_the_repository_holds_did_not_lead_to_its_sources(desk: Desk) -> None:
    assert desk.uses("committed/src/part.ts#byPath") == [f"committed/test/path.ts:{line}" for line in (1, 2)]
    beside = [f"committed/test/{path}.ts:{line}" for path in ("beside", "holds") for line in (1, 2)]
    assert desk.uses("committed/src/other.ts#other") == beside
    assert desk.uses("committed/src/other.ts#other$") == [f"committed/test/dollar.ts:{line}" for line in (1, 2)]
    assert desk.uses("committed/test/named.js#made") == ["committed/test/named.js:2"]


def test_an_instances_member_in_a_comment_was_the_static_one_of_its_name_natively(desk: Desk) -> None:
    desk.write(
        {
            "linked/static.ts": """
                export class Linked {
                  static ending = 1;
                  /** {@link Linked.ending}, {@link Linked#ending}, {@link Linked#own}, {@link Linked.own} */
                  own() {}
                  static #kept = 1;
                  kept() { return Linked.#kept; }
                }
                """
        }
    )
    for name, characters in (("ending", [21]), ("own", [67, 87]), ("#kept", [26])):
        answer = desk.find(f"Linked.{name}")
        assert [one.character for one in answer.references or ()] == characters


def test_a_source_with_a_nul_in_a_text_was_passed_over(desk: Desk) -> None:
    assert desk.uses("nulled") == ["nul/key.ts:1", "nul/key.ts:2"]
    assert desk.uses("nulKey") == []
    assert desk.rows("nul/key.ts") == ["2 Constant nulKey"]


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("Unbuilt", ["src/unbuilt.ts:2", "test/use.ts:1", "test/use.ts:2"]),
        ("Spread", ["test/more.ts:2"]),
        ("listed", ["src/unbuilt.ts:5", "test/more.ts:2"]),
        ("Kept", []),
    ],
)
def test_what_imports_a_package_that_is_not_built_was_in_doubt(desk: Desk, name: str, places: list[str]) -> None:
    assert desk.uses(name) == [f"unbuilt/{place}" for place in places]


def test_an_import_that_a_template_writes_was_taken_for_one(desk: Desk) -> None:
    assert desk.uses("written") == [f"writes/code.ts:{line}" for line in (3, 4, 4)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Escaped", "with escapes"),
        ("Painted", "(embedded/App.vue:2)"),
        ("Painted.paint", "(embedded/App.vue:10)"),
        ("Painted.bound", "(embedded/App.vue:13)"),
        ("pooled", "(embedded/App.vue:3)"),
        ("Whole", "(embedded/Page.vue:3)"),
        ("Lazy", "(embedded/Page.vue:4)"),
        ("given", "(embedded/Page.vue:5)"),
        ("lent", "(embedded/Page.vue:5)"),
        ("Ambient", "(embedded/Page.vue:6)"),
        ("AMBIENT", "(embedded/Page.vue:8)"),
        ("View.saved", "(template/view.component.html:1)"),
        ("Inline.inlined", "(template/view.component.ts:4)"),
        ("onlyInVue", "App.vue declares the name"),
        ("NotInstalled", "imports of not-installed lead nowhere"),
    ],
)
def test_what_cannot_be_known_was_not_said(desk: Desk, name: str, reason: str) -> None:
    answer = desk.find(name)
    assert (answer.completeness.status, answer.outcome()) == ("partial", "partial")
    assert reason in str(answer.completeness.reason)


@pytest.mark.parametrize(
    "name",
    [
        *("Painted.stay", "composed", "hidden", "Mentioned", "Mentioned.shown", "View.unsaved", "Inline.outlined"),
        *("unlike", "Socket.Serves", "Kept", "Apart", "kept", "Unmet", "unlent"),
    ],
)
def test_prose_and_names_of_others_make_no_answer_partial(desk: Desk, name: str) -> None:
    assert desk.uses(name) == []


def test_a_local_that_a_function_returns_had_no_use(desk: Desk) -> None:
    """The key of that name was taken for its second declaration."""
    assert places(desk.find("lent").references) == ["embedded/whole.ts:5"]


def test_a_file_that_only_anothers_project_had_loaded_was_read_by_its_options(desk: Desk) -> None:
    """Cold: the project of `foreign/app` holds `own/main.ts`, and knows neither its aliases nor its globals."""
    desk.find("foreign/app/app.ts#app")
    desk.run(desk.ask("find", query="foreign/app/app.ts:1:10"))
    answer = desk.find("foreign/own/place.ts:1:22")
    assert place(answer.definition) == "foreign/own/globals.d.ts:1:15"
    assert desk.uses("Foreign") == ["foreign/own/main.ts:1", "foreign/own/main.ts:2"]


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
        assert "installed packages are not searched" in str(answer.hint)
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
