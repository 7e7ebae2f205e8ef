"""What several files declare together: no declaration of it is told as a use, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = [pytest.mark.server, pytest.mark.slow]

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "ES2022"}, "include": ["src"]}',
    "src/one.ts": """
        declare global {
          interface SymbolConstructor { readonly seen: symbol }
          namespace Shared { interface Options { size: number } }
        }
        export const one = Symbol.seen;
        """,
    "src/two.ts": """
        declare global {
          interface SymbolConstructor { readonly seen: symbol }
          namespace Shared { interface Options { size: number } }
        }
        export const two: Shared.Options = { size: 1 };
        """,
    "src/deep.ts": """
        export namespace Deep { export namespace Part { export interface One { first: 1 } } }
        export namespace Deep {
          export namespace Part {
            export interface Two {
              second: 1;
            }
            export namespace Last { export const inner = 1; }
          }
        }
        export namespace Deep {
          export namespace Part {
            export namespace Last {
              export const other = 1;
            }
          }
        }
        """,
    "src/blocks.ts": """
        export namespace Outer.Inner { export const first = 1; }
        export namespace Outer.Inner { export const second = 2; }
        export declare namespace Split { namespace Part { const third: 3; } }
        // namespace Split { export const never = 0; }
        export declare namespace Split {
          namespace Part { const fourth: 4; }
          interface Options { size: 1 }
        }
        export function run() {}
        export namespace run { export const fifth = Outer.Inner.second; }
        export namespace run {}
        export const sizes: Split.Options[] = [];
        """,
    "src/type.ts": "export type Field = { size: number };\n",
    "src/value.ts": """
        import type { Field } from "./type";
        const Field: Field = { size: 1 };
        export const size = Field.size;
        """,
    "src/nested.ts": """
        { const a = 1 }
        if (true) { const b = 1, bb = 2 }
        label: { const c = 1 }
        for (;;) { const d = 1 }
        try { const e = 1 } catch (f) {}
        switch (1 as number) { case 1: let g = 2 }
        while (true) { function h() {} }
        if (true) var i = 1;
        else { class J {} }
        Symbol.for("a")
        const seen = 1
        { interface L {} } { type M = 1; enum N { O } }
        export const q = 1; { const r = 2 } const s = 3; if (s) { const t = 1 }
        const [u] = [1], { v, w: [x] } = { v: 1, w: [2] }; { const { y } = { y: 1 }; }
        if (true) {
        const z = 1,
          zz = 2;
        }
        const after = "if (true) {", last = after;
        namespace Space {
          const inner = 1;
          { const block = inner; }
          if (true) {
            const deeper = 1;
          }
          const outer = 1; { const aside = outer; }
        }
        export const Square = class { constructor(readonly side = { length: 1 }) {} };
        """,
    "src/aliases.ts": """
        export namespace Space { export class Part {} export enum Kind { Round } }
        import Piece = Space.Part;
        export import Given = Space.Part;
        namespace Inner { export import Deep = Space.Part; export const deep = new Deep(); }
        export const all = [new Piece(), new Given(), new Inner.Deep(), Space.Kind.Round];
        """,
    "src/given.ts": """
        import { Given as Taken, Space } from "./aliases";
        import Round = Space.Kind;
        export const given = [new Taken(), Round.Round];
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "uses"),
    [
        ("2:42", ["src/one.ts:5"]),
        ("3:42", ["src/two.ts:5"]),
        ("3:32", ["src/two.ts:5"]),
        ("3:13", ["src/two.ts:5"]),
    ],
)
@pytest.mark.parametrize("path", ["src/one.ts", "src/two.ts"])
def test_another_files_declaration_was_told_as_a_use(
    desk: Desk, path: str, at: str, uses: list[str], server: str
) -> None:
    answer = desk.find(f"{path}:{at}", server=server)
    assert (place(answer.definition), answer.completeness.status) == (f"{path}:{at}", "complete")
    assert places(answer.references or []) == uses


ADDED = {
    "core/tsconfig.json": FILES["tsconfig.json"],
    "core/src/shapes.ts": "export interface Sized { size: number }\nexport class Circle { radius = 1; }\n",
    "core/src/adds.ts": """
        declare module "./shapes" {
          interface Sized { unit: string }
          interface Circle { glow(): void }
          namespace Circle { const PI: number }
        }
        export const far = 1;
        """,
    "app/tsconfig.json": FILES["tsconfig.json"],
    "app/src/app.ts": """
        import { Circle, type Sized } from "../../core/src/shapes";
        export const sized: Sized & Circle = { size: 1, radius: 2 };
        """,
}


def test_what_adds_to_a_type_was_told_as_a_use_where_a_project_loaded_before_does_not_hold_it(
    own_desk: Desk, server: str
) -> None:
    own_desk.write(ADDED)
    own_desk.find("app/src/app.ts#sized", server=server)
    for name in ("Sized", "Circle"):
        answer = own_desk.find(f"core/src/shapes.ts#{name}", server=server)
        assert (answer.completeness.status, places(answer.references or [])) == (
            "complete", ["app/src/app.ts:1", "app/src/app.ts:2"],
        )  # fmt: skip


def test_what_adds_to_a_type_outside_of_every_tsconfig_was_told_as_a_use(own_desk: Desk, server: str) -> None:
    own_desk.write(
        {
            "tsconfig.json": FILES["tsconfig.json"],
            "src/index.ts": """
                export interface Settings { first?: string }
                export interface Data { settings?: Settings }
                """,
            "test.ts": """
                import type { Data } from "./src/index";
                declare module "./src/index" {
                  interface Settings { second?: string }
                }
                export const data: Data = { settings: { second: "a" } };
                """,
        }
    )
    answer = own_desk.find("src/index.ts#Settings", server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", ["src/index.ts:2"])


ROOT = """
    {"compilerOptions":
      {"types": [], "module": "esnext", "moduleResolution": "bundler", "paths": {"lib": ["./lib.d.ts"]}}}
    """


def test_what_another_project_adds_to_an_interface_was_told_as_a_use_of_what_one_adds(
    own_desk: Desk, server: str
) -> None:
    """Both are declarations of one symbol to the project around them."""
    files = {"tsconfig.json": ROOT, "lib.d.ts": "export interface Options {}\nexport type Whole = Options;\n"}
    for name in ("one", "two", "three"):
        files |= {
            f"{name}/tsconfig.json": '{"extends": "../tsconfig.json", "include": ["."]}',
            f"{name}/adds.d.ts": f'import "lib";\ndeclare module "lib" {{\n  interface Options {{ {name}: 1 }}\n}}\n',
        }
        files[f"{name}/use.ts"] = 'import type { Options } from "lib";\nexport const used = {} as Options;\n'
    own_desk.write(files)
    one, two, three = ([f"{name}/use.ts:{line}" for line in (1, 2)] for name in ("one", "two", "three"))
    for target, uses in (("two/adds.d.ts:3:13", two), ("lib.d.ts#Options", [*one, *three, *two])):
        answer = own_desk.find(target, limit=0, server=server)
        assert (answer.completeness.status, places(answer.references or [])) == ("complete", ["lib.d.ts:2", *uses])


BOX = '{"compilerOptions": {"strict": true, "types": [], "module": "esnext", "moduleResolution": "bundler"}}'


@pytest.mark.parametrize(
    "asked", ["src/lib/box.ts:1:14", "src/adds.ts:3:13", "src/more.ts:3:13", "src/adds.ts:6:27", "src/more.ts:5:27"]
)
def test_what_adds_to_a_module_that_only_hands_on_was_another_symbol_than_what_it_adds_to(
    own_desk: Desk, asked: str, server: str
) -> None:
    """Of each module that hands a class on the compiler has a copy with what is added there."""
    own_desk.write(
        {
            "tsconfig.json": BOX,
            "src/lib/box.ts": "export class Box { side = 1 }\nexport const box = new Box();\n",
            "src/lib/index.ts": 'export { Box } from "./box";\n',
            "src/index.ts": 'export * from "./lib";\n',
            "src/adds.ts": """
                import { Box } from ".";
                declare module "." {
                  interface Box { depth: number }
                }
                // Uses the whole.
                export const deep = (box: Box) => box.depth + box.side;
                """,
            "src/more.ts": """
                import { Box } from "./lib";
                declare module "./lib" {
                  interface Box { more: number }
                }
                export const more = (box: Box) => box.more + box.side;
                """,
        }
    )
    answer = own_desk.find(asked, limit=0, server=server)
    assert answer.completeness.status == "complete"
    assert places(answer.references or []) == [
        *("src/adds.ts:1", "src/adds.ts:6", "src/lib/box.ts:2", "src/lib/index.ts:1", "src/more.ts:1", "src/more.ts:5"),
    ]


def test_an_interface_that_is_handed_on_by_another_name_and_added_to_there_lost_its_uses(
    own_desk: Desk, server: str
) -> None:
    """What one package adds is none of the others'."""
    own_desk.write(
        {
            "lib/package.json": '{"name": "lib", "main": "./dist/index.js", "types": "./dist/index.d.ts"}',
            "lib/tsconfig.json": BOX.replace('{"', '{"include": ["src"], "', 1),
            "lib/src/named.ts": "export interface Named { first: number }\n",
            "lib/src/index.ts": 'export { type Named as Renamed } from "./named";\n',
        }
    )
    for name in ("one", "two", "none"):
        adds = f'import "lib";\ndeclare module "lib" {{\n  interface Renamed {{ {name}: 1 }}\n}}\n'
        own_desk.write(
            {
                f"{name}/package.json": f'{{"name": "{name}", "dependencies": {{"lib": "*"}}}}',
                f"{name}/tsconfig.json": BOX,
                f"{name}/adds.ts": adds if name != "none" else "export {};\n",
                f"{name}/use.ts": f'import type {{ Renamed }} from "lib";\nexport const {name} = {{}} as Renamed;\n',
            }
        )
    (own_desk.root / "node_modules").mkdir()
    (own_desk.root / "node_modules/lib").symlink_to("../lib")
    lib = ["lib/src/index.ts:1"] * 2
    one, two, none = ([f"{name}/use.ts:1", f"{name}/use.ts:2"] for name in ("one", "two", "none"))
    asked = {"lib/src/named.ts:1:18": [*lib, *none, *one, *two], "one/adds.ts:3:13": [*lib, *one]}
    for target, uses in asked.items():
        answer = own_desk.find(target, limit=0, server=server)
        assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


SPACES = {
    "tsconfig.json": BOX,
    "src/jsx.ts": "export namespace Internal { export interface Elements { a: 1 } }\n",
    "src/index.ts": """
        import { Internal } from "./jsx";
        export function make(name: string) { return name; }
        export namespace make { export import JSX = Internal; }
        """,
    "src/runtime.ts": 'import { Internal } from "./jsx";\nexport type All = keyof Internal.Elements;\n',
    "src/entry.ts": 'export { make, make as h } from "./index";\n',
    "src/use.ts": """
        import { make } from "./entry";
        const h = make;
        export const a = h("a");
        """,
    "test/adds.ts": """
        import { h } from "../src/entry";
        declare module "../src" {
          namespace make.JSX {
            interface Elements { b: 2 }
          }
        }
        export const b = h("b");
        """,
}
INTERNAL = ["src/index.ts:1", "src/index.ts:3", "src/index.ts:3", "src/runtime.ts:1", "src/runtime.ts:2"]
MAKE = [*["src/entry.ts:1"] * 3, "src/use.ts:1", "src/use.ts:2", "test/adds.ts:1", "test/adds.ts:7"]


@pytest.mark.parametrize(
    ("asked", "uses"),
    [
        ("src/jsx.ts:1:18", INTERNAL),
        ("test/adds.ts:3:18", INTERNAL),
        ("src/jsx.ts:1:46", ["src/runtime.ts:2"]),
        ("test/adds.ts:4:15", ["src/runtime.ts:2"]),
        ("src/index.ts:2:17", MAKE),
        ("test/adds.ts:3:13", MAKE),
    ],
)
def test_what_adds_to_a_namespace_with_another_name_was_another_one_and_a_variable_of_it_its_uses(
    own_desk: Desk, asked: str, uses: list[str], server: str
) -> None:
    own_desk.write(SPACES)
    answer = own_desk.find(asked, limit=0, server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_imports_a_type_was_told_as_a_use_of_the_value_of_its_name(desk: Desk, server: str) -> None:
    answer = desk.find("src/value.ts:2:7", server=server)
    assert places(answer.references or []) == ["src/type.ts:1", "src/value.ts:2", "src/value.ts:3"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_second_namespace_of_its_name_was_no_row(desk: Desk, server: str) -> None:
    rows = desk.run(desk.ask("map", file_path="src/blocks.ts", server=server)).symbols
    assert [f"{row.line} {'.'.join(filter(None, (row.container, row.name)))}" for row in rows] == [
        *("1 Outer", "1 Outer.Inner", "1 Outer.Inner.first"),
        *("2 Outer", "2 Outer.Inner", "2 Outer.Inner.second"),
        *("3 Split", "3 Split.Part", "3 Split.Part.third"),
        *("5 Split", "6 Split.Part", "6 Split.Part.fourth", "7 Split.Options", "7 Split.Options.size"),
        *("9 run", "10 run", "10 run.fifth", "11 run", "12 sizes"),
    ]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "name", "lines"),
    [
        ("1:72", "Deep.Part.One.first", (1, 1)),
        ("5:7", "Deep.Part.Two.second", (5, 5)),
        ("7:42", "Deep.Part.Last.inner", (7, 7)),
        ("13:20", "Deep.Part.Last.other", (13, 13)),
    ],
)
def test_what_a_second_namespace_in_a_namespace_holds_was_local_to_the_first(
    desk: Desk, at: str, name: str, lines: tuple[int, int], server: str
) -> None:
    shown = desk.inspect(f"src/deep.ts:{at}", server=server).result
    assert (shown.name, (shown.range.start_line, shown.range.end_line)) == (name, lines)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "at", "uses"),
    [
        ("Split.Options", "src/blocks.ts:7:13", ["src/blocks.ts:12"]),
        ("Outer.Inner.second", "src/blocks.ts:2:45", ["src/blocks.ts:10"]),
    ],
)
def test_what_a_second_namespace_holds_was_not_found(
    desk: Desk, query: str, at: str, uses: list[str], server: str
) -> None:
    answer = desk.find(query, server=server)
    assert (place(answer.definition), answer.completeness.status) == (at, "complete")
    assert places(answer.references or []) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_a_block_declares_in_one_line_was_a_row(desk: Desk, server: str) -> None:
    rows = desk.run(desk.ask("map", file_path="src/nested.ts", server=server)).symbols
    told = [f"{row.line} {row.name}" for row in rows]
    assert told == [
        *("11 seen", "13 q", "13 s", "14 u", "14 v", "14 x", "19 after", "19 last"),
        *("20 Space", "21 inner", "26 outer", "28 Square", "28 constructor", "28 side"),
    ]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("query", "at", "aliases", "given"),
    [
        ("src/aliases.ts#Space.Part", "src/aliases.ts:1:39", [2, 2, 3, 3, 4, 4, 4, 5, 5, 5], [1, 1, 3]),
        ("src/aliases.ts#Space.Kind", "src/aliases.ts:1:59", [5], [2, 2, 3]),
    ],
)
def test_uses_of_an_import_alias_were_lost(
    desk: Desk, query: str, at: str, aliases: list[int], given: list[int], server: str
) -> None:
    answer = desk.find(query, server=server)
    assert (place(answer.definition), answer.completeness.status) == (at, "complete")
    uses = [*(f"src/aliases.ts:{line}" for line in aliases), *(f"src/given.ts:{line}" for line in given)]
    assert places(answer.references or []) == uses
