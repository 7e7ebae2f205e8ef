"""One symbol of every kind, and every name it goes by: definition and uses, right from the first question."""

from __future__ import annotations

import pytest

from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "src/canvas.ts": """
        export namespace canvas {
          let context: unknown;
          try {
            const element = document.createElement("canvas");
            const { width, height } = element;
            context = [element, width, height];
            function inner() {}
          } catch {
            inner();
          }
          export const shown = {
            context,
          };
          export function show() {
            return shown;
          }
        }
        export type Tags = HTMLElementTagNameMap & { "": HTMLDivElement; none: 1 };
        export type Saved = {
          saved?: ({ done: boolean }) => void; told(id: 1, { deep: { far } }: Tags, [{ first: second }]: any): void;
          given: ((of: { wide: 1 }) => void) | ({ high: 1 });
        };
        """,
    "src/made.ts": """
        export type Made<T> = {
          readonly prototype: T & { own: T };
          new (): T & { made: T };
          named: { inner: 1 }
          (): { called: T }
          readonly [key: string]: { listed: T };
        };
        """,
    "src/shown.ts": """
        const kind = Symbol.for("kind");
        export abstract class Shown {
          held = [Symbol.for("a")];
          [kind]() {}
          public static async *[Symbol.for("made")](
            depth: number,
          ): AsyncGenerator<{ a: 1 }> {
            const own = { [Symbol.for("b")]() {} };
          }
          [Symbol.for("inspect")](): string { return ""; }
          abstract [Symbol.for("told")](): void;
          // @ts-expect-error
          static [Symbol.for("kept")]: number | undefined
          static Part = class Part {
            [kind]() {}
            last() {}
          };
        }
        /**
         * With marks such as +/?/*), it is no value.
         */
        class Behind {}
        """,
    "tsconfig.json": '{"compilerOptions": {"strict": true, "jsx": "preserve", "experimentalDecorators": true, '
    '"types": [], "lib": ["es2022", "dom"], "allowJs": true}, "include": ["src"]}',
    "test/tsconfig.json": '{"extends": "../tsconfig.json", "include": ["."]}',
    "src/decorated.ts": """
        export function mark(options: { name: string }) {
          return (target: unknown, key?: unknown) => {};
        }

        @mark({ name: "Decorated" })
        export class Decorated {
          @mark({ name: "Decorated" })
          go() { return new Decorated(); }
        }
        """,
    "src/uses_decorated.ts": """
        import { Decorated } from "./decorated";
        export const one: Decorated = new Decorated();
        one.go();
        """,
    "test/decorated.test.ts": """
        import { Decorated } from "../src/decorated";
        new Decorated().go();
        """,
    "src/merged.ts": """
        export interface Merged { id: string }
        export const Merged = { make: (): Merged => ({ id: "" }) };
        export namespace Merged { export type Key = string; }
        """,
    "src/uses_merged.ts": """
        import { Merged } from "./merged";
        const a: Merged = Merged.make();
        const b: Merged.Key = a.id;
        """,
    "src/overloaded.ts": """
        export function over(a: string): string;
        export function over(a: number): number;
        export function over(a: any): any { return a; }
        over(1);
        over("");
        """,
    "src/aliased.ts": """
        class Inner {}
        export { Inner as Outer };
        """,
    "src/again.ts": 'export { Outer as Outermost } from "./aliased";\n',
    "src/uses_aliased.ts": """
        import { Outermost } from "./again";
        import { Outer as Here } from "./aliased";
        new Outermost();
        new Here();
        """,
    "src/by_default.ts": "export default class Basis {}\n",
    "test/any_name.test.ts": 'import Whatever from "../src/by_default";\nnew Whatever();\n',
    "src/tool/index.ts": "export default function hammer() {}\n",
    "test/tool.test.ts": 'import swing from "../src/tool";\nswing();\n',
    "src/star.ts": "export function spaced() {}\n",
    "src/stars.ts": 'export * as ns from "./star";\nexport * from "./star";\n',
    "src/uses_star.ts": """
        import * as all from "./star";
        import { ns, spaced } from "./stars";
        all.spaced();
        ns.spaced();
        spaced();
        """,
    "src/members.ts": """
        export abstract class Base {
          inherited() {}
          static same() {}
          same() {}
        }
        export class Derived extends Base {
          #hidden = 1;
          hidden = 2;
          peek() { return this.#hidden + this.hidden; }
          run() { this.inherited(); this.same(); Base.same(); }
        }
        export interface Shape { area(): number }
        export class Square implements Shape { area() { return 1; } }
        export const shape: Shape = new Square();
        shape.area();
        """,
    "src/kinds.ts": """
        export enum Color { Red, Green = "g" }
        export type Pair = { left: Color; right: Color };
        export const pair: Pair = { left: Color.Red, right: Color.Green };
        export const arrow = (value: Pair) => value.left;
        export namespace Outer1.Inner1 { export const deep = 1; }
        export class Acc { get size() { return 1; } set size(value) {} }
        new Acc().size = arrow(pair) && Outer1.Inner1.deep;
        """,
    "src/view.tsx": """
        declare global { namespace JSX { interface IntrinsicElements { p: unknown } } }
        export function View(props: { label: string }) { return <p>{props.label}</p>; }
        export const page = <View label="View" />;
        """,
    "src/old.js": """
        export function legacy() { return 1; }
        legacy();
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize(
    ("query", "definition", "references"),
    [
        ("Decorated", "src/decorated.ts:6:14",
         "src/decorated.ts:8 src/uses_decorated.ts:1 src/uses_decorated.ts:2 src/uses_decorated.ts:2 "
         "test/decorated.test.ts:1 test/decorated.test.ts:2"),
        ("Decorated.go", "src/decorated.ts:8:3", "src/uses_decorated.ts:3 test/decorated.test.ts:2"),
        ("Merged", "src/merged.ts:1:18",
         "src/merged.ts:2 src/uses_merged.ts:1 src/uses_merged.ts:2 src/uses_merged.ts:2 src/uses_merged.ts:3"),
        ("over", "src/overloaded.ts:1:17", "src/overloaded.ts:4 src/overloaded.ts:5"),
        ("Inner", "src/aliased.ts:1:7",
         "src/again.ts:1 src/again.ts:1 src/aliased.ts:2 src/aliased.ts:2 src/uses_aliased.ts:1 src/uses_aliased.ts:2 "
         "src/uses_aliased.ts:2 src/uses_aliased.ts:3 src/uses_aliased.ts:4"),
        ("Basis", "src/by_default.ts:1:22", "test/any_name.test.ts:1 test/any_name.test.ts:2"),
        ("hammer", "src/tool/index.ts:1:25", "test/tool.test.ts:1 test/tool.test.ts:2"),
        ("spaced", "src/star.ts:1:17", "src/uses_star.ts:2 src/uses_star.ts:3 src/uses_star.ts:4 src/uses_star.ts:5"),
        ("Derived.hidden", "src/members.ts:8:3", "src/members.ts:9"),
        ("Derived.#hidden", "src/members.ts:7:3", "src/members.ts:9"),
        ("Base.inherited", "src/members.ts:2:3", "src/members.ts:10"),
        ("Derived.inherited", "src/members.ts:2:3", "src/members.ts:10"),
        ("Shape.area", "src/members.ts:12:26", "src/members.ts:13 src/members.ts:15"),
        ("Color", "src/kinds.ts:1:13", "src/kinds.ts:2 src/kinds.ts:2 src/kinds.ts:3 src/kinds.ts:3"),
        ("Color.Red", "src/kinds.ts:1:21", "src/kinds.ts:3"),
        ("Pair", "src/kinds.ts:2:13", "src/kinds.ts:3 src/kinds.ts:4"),
        ("Pair.left", "src/kinds.ts:2:22", "src/kinds.ts:3 src/kinds.ts:4"),
        ("pair", "src/kinds.ts:3:14", "src/kinds.ts:7"),
        ("arrow", "src/kinds.ts:4:14", "src/kinds.ts:7"),
        ("Outer1.Inner1.deep", "src/kinds.ts:5:47", "src/kinds.ts:7"),
        ("Inner1", "src/kinds.ts:5:25", "src/kinds.ts:7"),
        ("Acc.size", "src/kinds.ts:6:24", "src/kinds.ts:7"),
        ("View", "src/view.tsx:2:17", "src/view.tsx:3"),
        ("legacy", "src/old.js:1:17", "src/old.js:2"),
    ],
)  # fmt: skip
def test_found_with_every_use(desk: Desk, query: str, definition: str, references: str) -> None:
    answer = desk.find(query, limit=0)
    assert answer.completeness.status == "complete"
    assert place(answer.definition) == definition
    assert places(answer.references or []) == references.split()
    assert answer.outcome() == "found"


def test_the_declarations_of_a_merged_symbol_are_told(desk: Desk) -> None:
    assert [place(ref) for ref in desk.find("Merged").declarations or ()] == [
        "src/merged.ts:2:14",
        "src/merged.ts:3:18",
    ]
    assert [place(ref) for ref in desk.find("over").declarations or ()] == [
        "src/overloaded.ts:2:17",
        "src/overloaded.ts:3:17",
    ]
    assert desk.find("Basis").declarations is None


def test_a_static_member_is_not_the_instances(desk: Desk) -> None:
    answer = desk.find("Base.same")
    both = [answer.definition, *answer.candidates]
    assert sorted(str(place(ref)) for ref in both) == ["src/members.ts:3:10", "src/members.ts:4:3"]
    for ref, uses in ((ref, "src/members.ts:10") for ref in both):
        assert ref is not None
        assert desk.uses(ref.id) == [uses]


@pytest.mark.parametrize(
    ("query", "definition"),
    [
        ("src/uses_decorated.ts:2:19", "src/decorated.ts:6:14"),
        ("src/uses_decorated.ts:3:5", "src/decorated.ts:8:3"),
        ("src/uses_merged.ts:2:19", "src/merged.ts:2:14"),
        ("src/uses_aliased.ts:3:5", "src/aliased.ts:1:7"),
        ("test/tool.test.ts:2:1", "src/tool/index.ts:1:25"),
        ("ref::src/uses_star.ts::5::1", "src/star.ts:1:17"),
        ("src/decorated.ts:6", "src/decorated.ts:6:14"),
        ("src/decorated.ts:Decorated.go", "src/decorated.ts:8:3"),
        ("src/decorated.ts#Decorated", "src/decorated.ts:6:14"),
        ("src/kinds.ts:4:23", "src/kinds.ts:4:23"),
    ],
)
def test_asked_at_a_place(desk: Desk, query: str, definition: str) -> None:
    answer = desk.find(query, limit=0)
    declared = [place(ref) for ref in (answer.definition, *(answer.declarations or ()))]
    assert definition in declared
    assert answer.references


def test_an_aliass_name_leads_to_what_it_names(desk: Desk) -> None:
    for alias in ("Outermost", "Outer"):
        assert place(desk.find(alias).definition) == "src/aliased.ts:1:7"


@pytest.mark.parametrize(
    ("query", "definition"),
    [
        ("all.spaced", "src/star.ts:1:17"),
        ("ns.spaced", "src/star.ts:1:17"),
        ("shape.area", "src/members.ts:12:26"),
        ("src/members.ts:shape.area", "src/members.ts:12:26"),
        ("props.label", "src/view.tsx:2:31"),
    ],
)
def test_a_member_is_found_as_code_writes_it(desk: Desk, query: str, definition: str) -> None:
    answer = desk.find(query)
    assert (place(answer.definition), answer.completeness.status) == (definition, "complete")


@pytest.mark.parametrize(
    ("query", "definition", "uses"),
    [
        ('table["item:added"]', "src/quoted.ts:1:24", ["src/uses_quoted.ts:2"]),
        ("item-new", "src/quoted.ts:1:41", ["src/uses_quoted.ts:3"]),
        ("table.plain", "src/quoted.ts:1:56", ["src/uses_quoted.ts:4"]),
        ("Row.[Symbol.iterator]", "src/quoted.ts:2:20", []),
    ],
)
def test_names_that_are_no_identifiers(desk: Desk, query: str, definition: str, uses: list[str]) -> None:
    desk.write(
        {
            "src/quoted.ts": """
                export const table = { "item:added": 1, "item-new": 2, plain: 3, "item-gone": 4 };
                export class Row { [Symbol.iterator]() { return [].values(); } }
                """,
            "src/uses_quoted.ts": """
                import { table } from "./quoted";
                table["item:added"];
                export const added = table["item-new"];
                export const { "plain": plain, "item-gone": gone } = table;
                """,
        }
    )
    assert place(desk.find(query).definition) == definition
    assert desk.uses(query) == uses
    assert "whose item-gone a pattern takes" in (desk.find("item-gone").completeness.reason or "")


@pytest.mark.parametrize("query", ["shape.spaced", "src/old.js:shape.area", "all.nothing"])
def test_what_no_code_writes_is_not_found(desk: Desk, query: str) -> None:
    assert desk.find(query).outcome() == "empty"


def test_a_name_only_inside_strings_is_not_found(desk: Desk) -> None:
    desk.write({"src/words.ts": 'export const words = "onlyInAString";\n'})
    answer = desk.find("onlyInAString")
    assert (answer.outcome(), answer.completeness.status) == ("empty", "complete")
    assert answer.hint


def test_outlines_name_what_a_reader_would(desk: Desk) -> None:
    assert desk.rows("src/members.ts") == [
        "1 Class Base",
        "2 Method Base.inherited",
        "3 Method Base.same",
        "4 Method Base.same",
        "6 Class Derived",
        "7 Property Derived.#hidden",
        "8 Property Derived.hidden",
        "9 Method Derived.peek",
        "10 Method Derived.run",
        "12 Interface Shape",
        "12 Method Shape.area",
        "13 Class Square",
        "13 Method Square.area",
        "14 Constant shape",
    ]
    assert desk.rows("src/kinds.ts") == [
        "1 Enum Color",
        "1 EnumMember Color.Red",
        "1 EnumMember Color.Green",
        "2 TypeAlias Pair",
        "2 Property Pair.left",
        "2 Property Pair.right",
        "3 Constant pair",
        "3 Property pair.left",
        "3 Property pair.right",
        "4 Constant arrow",
        "5 Namespace Outer1",
        "5 Namespace Outer1.Inner1",
        "5 Constant Outer1.Inner1.deep",
        "6 Class Acc",
        "6 Accessor Acc.size",
        "6 Accessor Acc.size",
    ]
    assert desk.rows("src/view.tsx")[-2:] == ["2 Function View", "3 Constant page"]


def test_what_a_block_in_a_namespace_or_a_pattern_in_a_type_declares_is_no_row(desk: Desk) -> None:
    assert desk.rows("src/canvas.ts") == [
        "1 Namespace canvas",
        "2 Variable canvas.context",
        "11 Constant canvas.shown",
        "12 Property canvas.shown.context",
        "14 Function canvas.show",
        "18 TypeAlias Tags",
        "18 Property Tags.none",
        "19 TypeAlias Saved",
        "20 Property Saved.saved",
        "20 Method Saved.told",
        "21 Property Saved.given",
        "21 Property Saved.given.wide",
        "21 Property Saved.given.high",
    ]


def test_types_in_the_values_of_what_is_exported_without_a_name_were_rows(desk: Desk, server: str) -> None:
    desk.write(
        {
            "typed.ts": """
                type Pair<A, B> = [A, B];
                type Rope = string;
                export default {
                  reply: {
                    2: new Map<string, Rope>(),
                    3: undefined as unknown as () => Pair<Rope, Rope>
                  }
                } as const;
                """
        }
    )
    rows = desk.run(desk.ask("map", file_path="typed.ts", server=server)).symbols
    assert [row.name for row in rows] == ["Pair", "Rope", "reply", "2", "3"]


def test_members_named_by_a_number_with_a_point_were_no_rows(desk: Desk, server: str) -> None:
    desk.write(
        {
            "points.ts": """
                export const table = { 1.5: "a", .5: "b" };
                export interface Table { 1.5: string }
                export class Tables { 1.5 = "a"; 2.5() {} }
                """
        }
    )
    rows = desk.run(desk.ask("map", file_path="points.ts", server=server)).symbols
    assert [f"{row.container}.{row.name}" for row in rows if row.container] == [
        "table.1.5",
        "table..5",
        "Table.1.5",
        "Tables.1.5",
        "Tables.2.5",
    ]


@pytest.mark.parametrize(
    ("query", "definition", "uses"),
    [
        ("Scale.1.5", "scale.ts:1:22", ["far/b.ts:3"]),
        ("scale.ts#Scale.7", "scale.ts:1:31", ["far/b.ts:3"]),
        ("scale.ts:1:38", "scale.ts:1:38", ["far/b.ts:3"]),
        ("nested.1.5", "scale.ts:2:30", []),
    ],
)
def test_members_named_by_numbers_had_no_uses_in_other_projects(
    desk: Desk, server: str, query: str, definition: str, uses: list[str]
) -> None:
    """The index has words: `cn find A.1.5` found nothing, and only the project was asked that declares the member."""
    desk.write(
        {
            "tsconfig.json": TSCONFIG,
            "scale.ts": """
                export class Scale { 1.5 = 2; 7 = 1; "+" = 3 }
                export const nested = { 1: { 5: 2 } };
                """,
            "far/tsconfig.json": TSCONFIG,
            "far/b.ts": """
                import { Scale } from "../scale";
                const scale = new Scale();
                [scale[1.5], scale[7], scale["+"]];
                """,
            "far/none.ts": "export const none = [1.5, 7, 1.75, '+-'];\n",
        }
    )
    answer = desk.find(query, server=server, limit=0)
    assert (place(answer.definition), answer.completeness.status) == (definition, "complete")
    assert places(answer.references or ()) == uses


def test_a_number_that_a_pattern_takes_may_be_a_use(own_desk: Desk, server: str) -> None:
    """No server tells whose member it is, and the answer called itself complete."""
    own_desk.write(
        {
            "tsconfig.json": TSCONFIG,
            "scale.ts": "export class Scale { 1.5 = 2; 7 = 1 }\n",
            "b.ts": 'import { Scale } from "./scale";\nexport const { 1.5: first } = new Scale();\n',
        }
    )
    answer = own_desk.find("Scale.1.5", server=server, limit=0)
    assert "whose 1.5 a pattern takes" in (answer.completeness.reason or "")
    assert own_desk.find("Scale.7", server=server).completeness.status == "complete"


def test_names_that_servers_cut_off_are_told_as_a_whole(desk: Desk, server: str) -> None:
    long = "a" * 180
    desk.write(
        {
            "cut.ts": f"""
                export const {long} = 1, {long}1 = 2;
                export class Cut {{ {long}; "{long}-b" = 1; {long}2() {{}} }}
                export namespace {long}3.{long}4 {{ export const inner = {{ {long}5: 1 }}; }}
                """,
            "uses_cut.ts": f'import {{ {long}, Cut }} from "./cut";\nnew Cut().{long}2();\n',
        }
    )
    rows = desk.run(desk.ask("map", file_path="cut.ts", server=server)).symbols
    assert [row.name.replace(long, "…") for row in rows] == [
        *("…", "…1"),
        *("Cut", "…", "…-b", "…2"),
        *("…3", "…4", "inner", "…5"),
    ]
    assert rows[-1].container.replace(long, "…") == "…3.…4.inner"
    found = desk.find(f"Cut.{long}2", server=server, limit=0)
    assert (place(found.definition), places(found.references or ())) == ("cut.ts:2:392", ["uses_cut.ts:2"])


def test_methods_named_by_what_a_call_tells_are_rows(desk: Desk) -> None:
    assert desk.rows("src/shown.ts") == [
        "1 Constant kind",
        "2 Class Shown",
        "3 Property Shown.held",
        "4 Method Shown.[kind]",
        '5 Method Shown.[Symbol.for("made")]',
        '10 Method Shown.[Symbol.for("inspect")]',
        '11 Method Shown.[Symbol.for("told")]',
        '13 Property Shown.[Symbol.for("kept")]',
        "14 Property Shown.Part",
        "15 Method Shown.Part.[kind]",
        "16 Method Shown.Part.last",
        "22 Class Behind",
    ]
    ends = {row.line: row.end_line for row in desk.map("src/shown.ts").symbols}
    assert (ends[5], ends[10]) == (9, None)


def test_members_of_a_type_alias_that_have_no_type_were_no_rows(desk: Desk, server: str) -> None:
    desk.write(
        {
            "untyped.ts": """
                type Told = (type: "a", details?: { cloud; words?, bounds }) => void;
                type Lines = {
                  one
                  two?,
                  readonly three
                  readonly;
                  get: `a${string}` | Told
                  [key: string]
                  (a: { four }): void
                  five: Lines["one"]
                    | keyof
                    Told
                };
                type Keys<K> = { [P in keyof K as `is${Capitalize<string & P>}`]-?: K[P] } & { a: { [B in "b"] } };
                """
        }
    )
    rows = desk.run(desk.ask("map", file_path="untyped.ts", server=server)).symbols
    assert [f"{row.line} {row.kind} {'.'.join(filter(None, (row.container, row.name)))}" for row in rows] == [
        "1 TypeAlias Told",
        "1 Property Told.cloud",
        "1 Property Told.words",
        "1 Property Told.bounds",
        "2 TypeAlias Lines",
        "3 Property Lines.one",
        "4 Property Lines.two",
        "5 Property Lines.three",
        "6 Property Lines.readonly",
        "7 Property Lines.get",
        "9 Property Lines.four",
        "10 Property Lines.five",
        "14 TypeAlias Keys",
        "14 Property Keys.a",
    ]


def test_what_several_literals_in_a_type_have_is_one_symbol_however_deep(desk: Desk, server: str) -> None:
    desk.write(
        {
            "src/union.ts": """
                export type Step =
                  | { state: "asked"; answer: { id: string; given?: never } }
                  | { state: "given"; answer: { id: string; given: boolean } };
                export function go(step: Step) {
                  if (step.state === "asked") return step.answer.id;
                  if (step.answer.given) return step.answer.id;
                }
                """
        }
    )
    uses = ["src/union.ts:5", "src/union.ts:6"]
    answer = desk.find("Step.answer.id", server=server)
    declared = [answer.definition, *(answer.declarations or [])]
    assert [place(one) for one in declared] == ["src/union.ts:2:33", "src/union.ts:3:33"]
    assert (answer.candidates, places(answer.references or [])) == ([], uses)
    assert places(desk.find("src/union.ts:3:33", server=server).references or []) == uses


def test_what_a_signature_without_a_name_holds_is_not_the_members_above_it(desk: Desk) -> None:
    assert desk.rows("src/made.ts") == [
        "1 TypeAlias Made",
        "2 Property Made.prototype",
        "2 Property Made.prototype.own",
        "3 Property Made.made",
        "4 Property Made.named",
        "4 Property Made.named.inner",
        "5 Property Made.called",
        "6 Property Made.listed",
    ]


def test_cold_is_warm(own_desk: Desk) -> None:
    """The first question to a server that knows nothing is answered like the hundredth."""
    own_desk.write(FILES)
    cold = own_desk.find("Decorated", limit=0)
    assert cold.completeness.status == "complete"
    assert own_desk.find("Decorated", limit=0) == cold
    assert len(cold.references or ()) == 6


def test_what_an_export_calls_by_the_name_of_a_private_one_is_among_the_candidates(desk: Desk) -> None:
    """The private one alone was told, with its few uses, though all other files mean something else by the name."""
    desk.write(
        {
            "src/path/node.ts": """
                interface Waypoint {
                  near: Waypoint | null;
                }
                const Final = class Waypoint {
                  at!: Waypoint;
                };
                export default Final;
                """,
            "src/path/index.ts": 'export { default as Waypoint } from "./node";\n',
            "src/uses_waypoint.ts": 'import { Waypoint } from "./path";\nnew Waypoint();\n',
        }
    )
    answer = desk.find("Waypoint")
    assert answer.definition is not None
    assert place(answer.definition) == "src/path/node.ts:1:11"
    (exported,) = answer.candidates
    assert place(exported) == "src/path/node.ts:4:7"
    assert "src/uses_waypoint.ts:2" in desk.uses(exported.id)
