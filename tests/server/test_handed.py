"""Uses of what a module exports through a name that holds the whole module, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"types": [], "module": "esnext", "moduleResolution": "bundler"}}',
    "src/shapes.ts": "export const round = 1;\nexport class Square { side = 1 }\nexport interface Kind { a: 1 }\n",
    "src/icons.ts": """
        import * as shapes from "./shapes";
        export const icons = { shapes };
        export const same = shapes;
        """,
    "src/uses.ts": """
        import { icons, same } from "./icons";
        export const used = [icons.shapes.round, new same.Square()];
        export const { round: renamed } = icons.shapes;
        """,
    "src/twice.ts": 'import * as own from "./parts";\nexport * as parts from "./parts";\nown.part;\n',
    "src/parts.ts": "export const part = 1;\nexport type Whole = { part: typeof part };\n",
    "src/takes.ts": 'import { parts } from "./twice";\nexport const taken: parts.Whole = { part: parts.part };\n',
    "src/inner.ts": "export function inner() {}\n",
    "src/kit.ts": """
        const part = 1;
        export function make() {}
        export { part, part as piece };
        """,
    "src/barrel.ts": 'export * from "./kit";\n',
    "src/behind.ts": 'import * as barrel from "./barrel";\nexport const all = { first: 1, barrel, last: 2 };\n',
    "src/of_barrel.ts": """
        import { all } from "./behind";
        const { make, part } = all.barrel;
        all.barrel.make();
        all.barrel["part"] + all.barrel.piece;
        """,
    "src/whole.ts": "export const item = 1;\n",
    "src/default.ts": 'import * as whole from "./whole";\nexport default whole;\n',
    "src/of_default.ts": 'import any from "./default";\nany.item;\n',
    "src/args.ts": "export const arg = 1;\n",
    "src/kept.ts": """
        import * as args from "./args";
        const keep = <T>(one: string, kept: T) => ({ kept });
        export const box = keep("a", args).kept;
        """,
    "src/of_kept.ts": 'import { box } from "./kept";\nbox.arg;\n',
    "src/lazy.ts": "export const late = 1;\n",
    "src/loads.ts": 'const lazy = await import("./lazy");\nexport const loaded = [lazy] as const;\n',
    "src/of_loads.ts": 'import { loaded } from "./loads";\nloaded[0].late;\n',
    "src/field.ts": "export const grain = 1;\n",
    "src/fields.ts": """
        import * as field from "./field";
        export class Fields {
          constructor(public own = field) {}
        }
        """,
    "src/of_fields.ts": 'import { Fields } from "./fields";\nnew Fields().own.grain;\n',
    "src/typed.ts": "export class Typed { put() {} }\nexport const plain = 1;\n",
    "src/all_typed.ts": 'export * from "./typed";\n',
    # As tests take what they mock: only the type names the module.
    "src/typed.test.ts": """
        declare function original<T>(): Promise<T>;
        async function run() {
          const actual = await original<typeof import("./typed")>();
          new actual.Typed().put();
          const { plain } = await original<typeof import("./all_typed")>();
          return { ...actual, plain };
        }
        run();
        """,
    "src/made.ts": "export function made() {}\n",
    "src/hands_on.ts": 'export { made } from "./made";\n',
    # The server leads to the list between.
    "src/computed.ts": """
        const { made } = (await import("./hands" + "_on")) as typeof import("./hands_on");
        export const value = made();
        """,
    "src/plain.ts": "export const other = { plain: 1 };\nother.plain;\n",
    # Here the name is given to something else, and to what is no value.
    "src/other.ts": 'import * as inner from "./inner";\nexport const call = (all: number) => [all];\ninner.inner();\n',
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize(
    ("query", "uses"),
    [
        ("round", ["src/uses.ts:2", "src/uses.ts:3"]),
        ("Square", ["src/uses.ts:2"]),
        ("parts.ts:part", ["src/parts.ts:2", "src/takes.ts:2", "src/twice.ts:3"]),
        ("Whole", ["src/takes.ts:2"]),
        ("inner.ts:inner", ["src/other.ts:3"]),
        ("kit.ts:make", ["src/of_barrel.ts:2", "src/of_barrel.ts:3"]),
        (
            "kit.ts:part",
            [*["src/kit.ts:3"] * 3, "src/of_barrel.ts:2", "src/of_barrel.ts:4", "src/of_barrel.ts:4"],
        ),
        ("whole.ts:item", ["src/of_default.ts:2"]),
        ("args.ts:arg", ["src/of_kept.ts:2"]),
        ("late", ["src/of_loads.ts:2"]),
        ("Typed", ["src/typed.test.ts:4"]),
        ("Typed.put", ["src/typed.test.ts:4"]),
        ("typed.ts:plain", ["src/typed.test.ts:5"]),
        ("made.ts:made", ["src/computed.ts:1", "src/hands_on.ts:1"]),
        ("grain", ["src/of_fields.ts:2"]),
    ],
)
@pytest.mark.parametrize("server", ["typescript", "native"])
def test_the_compiler_looks_only_in_files_that_import_the_module(
    desk: Desk, query: str, uses: list[str], server: str
) -> None:
    name = query if ":" not in query else f"src/{query}"
    answer = desk.find(name, limit=0, server=server)
    assert answer.completeness.status == "complete"
    assert sorted(f"{one.file_path}:{one.line}" for one in answer.references or []) == uses
