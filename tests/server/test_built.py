"""Packages that know each other by what a build wrote, with declaration maps and without, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

PROJECT = '{"compilerOptions": {"strict": true, "outDir": "dist", "rootDir": "src", "types": [], "target": "es2022"}}'
MAPPED = """
    export enum Level { Low, High }
    export const table = { first: 1, second() { return 2; } };
    export const { left, right: [up] } = { left: 1, right: [2] };
    export class Box { same = 1; }
    """
# As tsc writes it of that text; its map knows the keys of no object, and takes a pattern's names for their types.
MAPPED_TYPES = """
    export declare enum Level {
        Low = 0,
        High = 1
    }
    export declare const table: {
        first: number;
        second(): number;
    };
    export declare const left: number, up: number;
    export declare class Box {
        same: number;
    }
    //# sourceMappingURL=index.d.ts.map
    """
MAP = (
    '{"version":3,"file":"index.d.ts","sourceRoot":"","sources":["../src/index.ts"],"names":[],"mappings":'
    '"AAAA,oBAAY,KAAK;IAAG,GAAG,IAAA;IAAE,IAAI,IAAA;CAAE;AAC/B,eAAO,MAAM,KAAK;;;CAAuC,CAAC;AAC1D,eAAO,MAAQ,IAAI,UAAU,EAAE,QAA6B,CAAC;'
    'AAC7D,qBAAa,GAAG;IAAG,IAAI,SAAK;CAAE"}'
)
# As tsc writes it where only its command line tells the folder, so that no tsconfig leads from the sources to it.
APART = "export class Apart { apart = 1; }\nexport const made = () => new Apart();\n"
APART_TYPES = """
    export declare class Apart {
        apart: number;
    }
    export declare const made: () => Apart;
    //# sourceMappingURL=index.d.ts.map
    """
APART_MAP = (
    '{"version":3,"file":"index.d.ts","sourceRoot":"","sources":["../../src/index.ts"],"names":[],'
    '"mappings":"AAAA,qBAAa,KAAK;IAAG,KAAK,SAAK;CAAE;AACjC,eAAO,MAAM,IAAI,aAAoB,CAAC"}'
)
# As rolldown writes it: the map knows the names of statements alone.
ROLLED_MAP = '{"version":3,"file":"index.d.ts","names":[],"sources":["../src/index.ts"],"mappings":"UAAiB;;;KAGL;cACC"}'
PLAIN = """
    export * from "./one";
    export { Props as OtherProps } from "./two";
    export * from "./shared";
    export * from "./step";
    """
NAMELESS = 'export { default } from "./made";\nexport * from "./more";\n'
MORE = """
    export { default as does } from "./does";
    export { default as value } from "./value";
    export { default as aside } from "./aside";
    """
FILES = {
    "mapped/package.json": '{"name": "@x/mapped", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "mapped/tsconfig.json": PROJECT,
    "mapped/src/index.ts": MAPPED,
    "mapped/dist/index.d.ts": MAPPED_TYPES,
    "mapped/dist/index.d.ts.map": MAP,
    "plain/package.json": '{"name": "@x/plain", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "plain/tsconfig.json": PROJECT,
    "plain/src/index.ts": PLAIN,
    "plain/src/one.ts": """
        export class One { same = 1; other = 1; }
        export class Two { same = 2; other = 2; }
        export enum First { Same } export enum Second { Same }
        export const table = { key: 1 }, other = { key: 2 };
        export interface Props { size: number }
        export const own = [new One().same, new Two().same];
        """,
    "plain/src/shared.ts": """
        export interface Shared { shared: number }
        export declare function make(): Shared;
        export interface Handed { handed: number }
        """,
    "plain/dist/shared.d.ts": """
        export interface Shared { shared: number }
        export declare function make(): Shared;
        export interface Handed { handed: number }
        """,
    "plain/src/step.ts": """
        export interface Step { step(): number }
        export interface Pace { pace(): number }
        export const walk = (one: Step, other: Pace) => one.step() + other.pace();
        export class Failure { cause() { return 1; } }
        """,
    "plain/dist/step.d.ts": """
        export interface Step { step(): number }
        export interface Pace { pace(): number }
        export declare const walk: (one: Step, other: Pace) => number;
        export declare class Failure { cause(): number; }
        """,
    "apart/package.json": '{"name": "@x/apart", "version": "1.0.0", "types": "dist/types/index.d.ts"}',
    "apart/tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "es2022"}, "include": ["src"]}',
    "apart/src/index.ts": APART,
    "apart/dist/types/index.d.ts": APART_TYPES,
    "apart/dist/types/index.d.ts.map": APART_MAP,
    "rolled/package.json": '{"name": "@x/rolled", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "rolled/tsconfig.json": PROJECT,
    "rolled/src/index.ts": """
        export interface Console {
          error(): void;
        }
        export type Enabled = { error: boolean };
        export const use = (one: Enabled) => one;
        """,
    "rolled/src/nameless.ts": "export default function () { return 1; }\n",
    "rolled/src/takes.ts": """
        import some from "./nameless";
        export { default as other } from "./nameless";
        export const one = some();
        """,
    "rolled/dist/index.d.ts": """
        interface Console {
          error(): void;
        }
        type Enabled = { error: boolean };
        declare const use: (one: Enabled) => Enabled;
        export { Console, Enabled, use };
        //# sourceMappingURL=index.d.ts.map
        """,
    "rolled/dist/index.d.ts.map": ROLLED_MAP,
    "user/src/rolled.ts": """
        import { use as used, type Console, type Enabled } from "@x/rolled";
        export const rolled = (one: Console, two: Enabled) => [one.error(), used(two)];
        export const again = (three: Enabled) => used(three);
        """,
    "user/src/apart.ts": """
        import { Apart, made } from "@x/apart";
        export const apart = [new Apart().apart, made().apart];
        """,
    "again/package.json": '{"name": "@x/again", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "again/tsconfig.json": PROJECT,
    "again/src/index.ts": 'export * from "@x/plain";\n',
    "again/dist/index.d.ts": 'export * from "@x/plain";\n',
    "plain/src/two.ts": "export interface Props { size: string }\n",
    "plain/dist/index.d.ts": PLAIN,
    "plain/dist/one.d.ts": """
        export declare class One { same: number; other: number; }
        export declare class Two { same: number; other: number; }
        export declare enum First { Same = 0 }
        export declare enum Second { Same = 0 }
        export declare const table: { key: number }, other: { key: number };
        export interface Props { size: number }
        export declare const own: number[];
        """,
    "plain/dist/two.d.ts": "export interface Props { size: string }\n",
    "bundle/package.json": '{"name": "@x/bundle", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "bundle/tsconfig.json": PROJECT,
    "bundle/src/index.ts": 'export * from "./button";\nexport { Card, type Look as CardLook } from "./card";\n',
    "bundle/src/button.ts": """
        export interface Look { width: number; color: string }
        export class Button { constructor(readonly look: Look) {} press() { return this.look.width; } }
        """,
    "bundle/src/card.ts": """
        export interface Look { width: string; title: string }
        export class Card { constructor(readonly look: Look) {} press() { return this.look.title; } }
        """,
    "bundle/dist/index.d.ts": """
        interface Look$1 { width: number; color: string; }
        declare class Button { readonly look: Look$1; constructor(look: Look$1); press(): number; }
        interface Look { width: string; title: string; }
        declare class Card { readonly look: Look; constructor(look: Look); press(): string; }
        export { Button, Card, type Look as CardLook, type Look$1 as Look };
        """,
    "user/package.json": '{"name": "@x/user", "version": "1.0.0", "dependencies": {"@x/mapped": "*", "@x/plain": "*"}}',
    "user/tsconfig.json": PROJECT,
    "user/src/mapped.ts": """
        import { Box, Level, table, left, up } from "@x/mapped";
        export const used = [Level.High, table.first, table.second(), left, up, new Box().same];
        export const far: number[] = [];
        """,
    "user/src/bundle.ts": """
        import { Button, Card, type CardLook, type Look } from "@x/bundle";
        const looks: [Look, CardLook] = [{ width: 1, color: "red" }, { width: "1", title: "t" }];
        export const used = [new Button(looks[0]).press(), new Card(looks[1]).press()];
        """,
    "user/src/twice.ts": """
        import { make } from "@x/plain";
        import { make as near } from "../../plain/src/shared";
        export const twice = [make().shared, near().shared];
        """,
    "user/src/again.ts": """
        import { type Handed } from "@x/again";
        export const again = (one: Handed) => one.handed;
        """,
    "user/src/step.ts": """
        import { type Pace, type Step } from "@x/plain";
        export const mine: Step = { step: () => 1 };
        export class Mine implements Pace { pace() { return 1; } }
        """,
    "user/src/failure.ts": """
        import { Failure } from "@x/plain";
        export class Lost extends Failure {}
        """,
    "user/src/fails.ts": """
        import { Lost } from "./failure";
        export const fails = new Lost().cause();
        """,
    "other/package.json": '{"name": "@x/other", "version": "1.0.0"}',
    "other/tsconfig.json": PROJECT,
    "other/src/index.ts": """
        import { type Pace, type Step } from "@x/plain";
        export const run = (one: Step) => one.step();
        export const go = (one: Pace) => one.pace();
        """,
    "nameless/package.json": '{"name": "@x/nameless", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "nameless/tsconfig.json": PROJECT,
    "nameless/src/index.ts": NAMELESS,
    "nameless/src/more.ts": MORE,
    "nameless/src/aside.ts": "export default () => 2;\n",
    "nameless/dist/aside.d.ts": "declare const _default: () => number;\nexport default _default;\n",
    "nameless/src/value.ts": "export default () => 1;\n",
    "nameless/src/made.ts": "export default class { size = 1; grow() { return 1; } }\n",
    "nameless/src/does.ts": "export default function () { return { size: 1 }; }\n",
    "nameless/dist/index.d.ts": NAMELESS,
    "nameless/dist/more.d.ts": MORE,
    # As tsc writes it.
    "nameless/dist/value.d.ts": "declare const _default: () => number;\nexport default _default;\n",
    "nameless/dist/made.d.ts": "export default class { size: number; grow(): number; }\n",
    "nameless/dist/does.d.ts": "export default function (): { size: number; };\n",
    "user/src/nameless.ts": """
        import Made, { does, value } from "@x/nameless";
        import * as all from "@x/nameless";
        export const grown = new Made().grow();
        export const done = [does().size, all.does, new all.default().size];
        export const valued = value();
        """,
    "byhand/package.json": '{"name": "@x/byhand", "version": "1.0.0", "types": "lib/index.d.ts"}',
    "byhand/tsconfig.json": PROJECT,
    "byhand/lib/index.d.ts": "export declare function helped(): number;\n",
    "byhand/lib/index.js": 'exports.helped = require("./helped").helped;\n',
    "byhand/lib/helped.js": "function helped() { return 1; }\nexports.helped = helped;\n",
    "byhand/es/types.d.ts": "export interface Options { size: number }\n",
    "byhand/src/types.ts": "export interface Options { size: string }\n",
    "byhand/src/uses.ts": 'import { Options } from "../es/types";\nexport const uses = (one: Options) => one.size;\n',
    # In no tsconfig.
    "stray/package.json": '{"name": "@x/stray", "version": "1.0.0", "types": "dist/index.d.ts"}',
    "stray/src/index.ts": """
        export interface Gait { trot(): number }
        export const go = (one: Gait) => one.trot();
        """,
    "stray/dist/index.d.ts": """
        export interface Gait { trot(): number }
        export declare const go: (one: Gait) => number;
        """,
    "horse/package.json": '{"name": "@x/horse", "version": "1.0.0", "dependencies": {"@x/stray": "*"}}',
    "horse/src/index.ts": """
        import { type Gait } from "@x/stray";
        export class Horse implements Gait { trot() { return 1; } }
        """,
    "user/src/byhand.ts": 'import { helped } from "@x/byhand";\nexport const two = helped();\n',
    "user/src/plain.ts": """
        import { One, Two, Second, other, type OtherProps } from "@x/plain";
        export const used = [new Two().same, new One().other, Second.Same, other.key];
        export const props: OtherProps = { size: "" };
        """,
}


@pytest.fixture(
    scope="module", autouse=True, params=["dist\nnode_modules\n", "node_modules\n"], ids=["ignored", "kept"]
)
def workspace(desk: Desk, request: pytest.FixtureRequest) -> None:
    """Once git ignores what was built, and once the repository keeps it."""
    desk.write({**FILES, ".gitignore": request.param})
    scope = desk.root / "node_modules/@x"
    if not scope.exists():
        scope.mkdir(parents=True)
        for name in ("mapped", "plain", "rolled", "bundle", "again", "apart", "byhand", "nameless", "stray"):
            (scope / name).symlink_to(desk.root / name)


def told(desk: Desk, query: str, server: str) -> list[str]:
    """The uses in sources; those in what was built may be told where the repository keeps it."""
    answer = desk.find(query, limit=0, server=server)
    assert answer.completeness.status == "complete", answer
    return [one for one in places(answer.references or []) if "/dist/" not in one]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("Level.High", ["user/src/mapped.ts:2"]),
        ("Level.Low", []),
        ("mapped/src/index.ts#table.first", ["user/src/mapped.ts:2"]),
        ("mapped/src/index.ts#table.second", ["user/src/mapped.ts:2"]),
        ("left", ["mapped/src/index.ts:3", "user/src/mapped.ts:1", "user/src/mapped.ts:2"]),
        ("up", ["user/src/mapped.ts:1", "user/src/mapped.ts:2"]),
        ("Box.same", ["user/src/mapped.ts:2"]),
    ],
)
def test_uses_that_no_declaration_map_leads_to_were_lost(desk: Desk, query: str, uses: list[str], server: str) -> None:
    assert told(desk, query, server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("One.same", ["plain/src/one.ts:6"]),
        ("Two.same", ["plain/src/one.ts:6", "user/src/plain.ts:2"]),
        ("One.other", ["user/src/plain.ts:2"]),
        ("Two.other", []),
        ("First.Same", []),
        ("Second.Same", ["user/src/plain.ts:2"]),
        ("plain/src/one.ts#table.key", []),
        ("plain/src/one.ts#other.key", ["user/src/plain.ts:2"]),
        ("plain/src/one.ts#Props.size", []),
        ("plain/src/two.ts#Props.size", ["user/src/plain.ts:3"]),
        ("Button.press", ["user/src/bundle.ts:3"]),
        ("Card.press", ["user/src/bundle.ts:3"]),
        ("Look.color", ["user/src/bundle.ts:2"]),
    ],
)
def test_uses_of_another_member_of_that_name_were_told(desk: Desk, query: str, uses: list[str], server: str) -> None:
    assert told(desk, query, server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "definition"),
    [
        ("user/src/mapped.ts:2:42", "mapped/src/index.ts:2:24"),
        ("user/src/mapped.ts:2:28", "mapped/src/index.ts:1:26"),
        ("user/src/plain.ts:2:32", "plain/src/one.ts:2:20"),
        ("user/src/plain.ts:2:75", "plain/src/one.ts:4:44"),
        ("user/src/plain.ts:1:15", "plain/src/one.ts:2:14"),
        ("user/src/rolled.ts:2:60", "rolled/src/index.ts:2:3"),
        ("user/src/rolled.ts:2:69", "rolled/src/index.ts:5:14"),
        # What stands in such a folder may be written by hand.
        ("user/src/byhand.ts:2:20", "byhand/lib/index.js:1:9"),
        ("byhand/src/uses.ts:2:27", "byhand/es/types.d.ts:1:18"),
    ],
)
def test_a_use_leads_to_the_sources(desk: Desk, at: str, definition: str, server: str) -> None:
    answer = desk.find(at, server=server)
    assert place(answer.definition) == definition
    assert f"{at.rpartition(':')[0]}" in places(answer.references or [])


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("bundle/src/card.ts#Look", "index.d.ts does not tell whose Look"),
        ("bundle/src/button.ts#Look.width", "index.d.ts does not tell whose width"),
        ("user/src/bundle.ts:2:15", "which Look of its package"),
    ],
)
def test_what_a_bundle_does_not_tell_apart_was_told_as_both(desk: Desk, query: str, reason: str, server: str) -> None:
    completeness = desk.find(query, server=server).completeness
    assert completeness.status == "partial"
    assert reason in (completeness.reason or "")


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_file_that_knows_it_from_the_sources_too_lost_the_uses_by_what_was_built(desk: Desk, server: str) -> None:
    assert told(desk, "Shared.shared", server) == ["user/src/twice.ts:3", "user/src/twice.ts:3"]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [("Handed", ["user/src/again.ts:1", "user/src/again.ts:2"]), ("Handed.handed", ["user/src/again.ts:2"])],
)
def test_uses_of_what_another_package_hands_on_were_lost(desk: Desk, query: str, uses: list[str], server: str) -> None:
    assert told(desk, query, server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("Apart", ["apart/src/index.ts:2", "user/src/apart.ts:1", "user/src/apart.ts:2"]),
        ("Apart.apart", ["user/src/apart.ts:2", "user/src/apart.ts:2"]),
        ("made", ["user/src/apart.ts:1", "user/src/apart.ts:2"]),
    ],
)
def test_uses_by_a_map_to_a_folder_that_no_tsconfig_names_were_lost(
    desk: Desk, query: str, uses: list[str], server: str
) -> None:
    assert told(desk, query, server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("user/src/step.ts#mine.step", ["other/src/index.ts:2", "plain/src/step.ts:1", "plain/src/step.ts:3"]),
        ("Mine.pace", ["other/src/index.ts:3", "plain/src/step.ts:2", "plain/src/step.ts:3"]),
        ("Horse.trot", ["stray/src/index.ts:1", "stray/src/index.ts:2"]),
    ],
)
def test_uses_of_what_a_member_implements_were_lost_where_that_was_built(
    desk: Desk, query: str, uses: list[str], server: str
) -> None:
    assert told(desk, query, server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_uses_of_what_was_built_were_lost_behind_a_file_in_between(desk: Desk, server: str) -> None:
    assert told(desk, "Failure.cause", server) == ["user/src/fails.ts:2"]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("rolled/src/index.ts#Console.error", ["user/src/rolled.ts:2"]),
        ("rolled/src/index.ts#Console", ["user/src/rolled.ts:1", "user/src/rolled.ts:2"]),
        ("rolled/src/index.ts#use", [f"user/src/rolled.ts:{line}" for line in (1, 1, 2, 3)]),
    ],
)
def test_uses_of_what_a_map_knows_instead_were_told(desk: Desk, query: str, uses: list[str], server: str) -> None:
    assert told(desk, query, server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_default_without_a_name_is_what_its_importers_call_it(desk: Desk, server: str) -> None:
    uses = [f"rolled/src/takes.ts:{line}" for line in (1, 2, 2, 3)]
    assert told(desk, "rolled/src/nameless.ts#default", server) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("nameless/src/made.ts#default", [1, 3, 4]),
        ("nameless/src/made.ts#default.grow", [3]),
        ("nameless/src/made.ts#default.size", [4]),
        ("nameless/src/does.ts#default", [1, 4, 4]),
        ("nameless/src/value.ts#default", [1, 5]),
        ("user/src/nameless.ts:3:26", [1, 3, 4]),
        ("user/src/nameless.ts:5:23", [1, 5]),
    ],
)
def test_uses_of_a_default_without_a_name_were_lost(desk: Desk, query: str, lines: list[int], server: str) -> None:
    uses = [one for one in told(desk, query, server) if one.startswith("user/")]
    assert uses == [f"user/src/nameless.ts:{line}" for line in lines]
