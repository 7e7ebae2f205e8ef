"""Asked at a use: what the place means, on both servers, and every declaration that it can mean."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "ES2022", '
    '"lib": ["es2022", "dom"]}, "include": ["src"]}',
    "src/command.ts": """
        #! /usr/bin/env node

        import { take } from "./given";

        (async () => {
          await take({ size: 1, label: "" });
        })()
          .then(
            () => 1,
          );
        const first = (): number => {
            let held = 1;
            return held;
          },
          // Beside it.
          second = (): number => {
            return first();
          };
        export function third(given?: { go?(): number }, other?: () => number) {
          given ??= {};
          given.go ||= () => 1;
          other ??= () => 1;
          return other() + given.go();
        }
        """,
    "src/beside.ts": """
        export const sizes = {
          wide: 1,
        } as const

        export const names = ["a"] as const,
          labels = ["b"]

        // What var means
        const held = {
          a: 1,
        }
        let open
        const shut = [
          held, open,
        ]
        declare const given: number
        const { wide } =
          sizes
        """,
    "src/given.ts": """
        export interface Options { size: number; go?(by: number): number; readonly label: string }
        export function take(options: Options): Options { return options; }
        take({
          size: 1,
          go(by) { return by; },
          get label() { return ""; },
        });
        export function made(): Options {
          return { size: 2, get label() { return ""; } };
        }
        export function loose() {
          class Local { go() { return 1; } }
          return { go() { return new Local().go(); } };
        }
        """,
    "src/wrapped.ts": """
        const same = <T>(one: T) => one;
        const Cell = () => 1;
        export default same(
          Cell,
        );
        """,
    "src/of_wrapped.ts": """
        import Cell from "./wrapped";
        export { default as Again } from "./wrapped";
        export const cells = [Cell()];
        """,
    "src/again.ts": 'import { Again } from "./of_wrapped";\nexport const again = Again();\n',
    "src/union.ts": """
        export class Table { keys() { return [""]; } }
        export class Bag { keys() { return 1; } }
        export function each(one: Table | Bag, table: Table) {
          one.keys();
          one?.keys();
          table.keys();
        }
        """,
    "src/plugged.ts": """
        export default {
          id: "plugged",
          before: (list: number[]) => {
            list.forEach((one) => {
              String(one);
            });
          },
        };
        """,
    "src/assigned.ts": """
        export function make(one: unknown) { return one; }
        export function init(inst: any) {
          inst.make = (one: unknown) => make(one);
          function own() { return 1; }
          return own();
        }
        export function keyed(keys: string[], made: any) {
          keys.forEach((key) => {
            made[key + "s"] = function () {
              return key;
            };
          });
        }
        """,
    "src/library.ts": """
        declare global { interface Window { own?: number } }
        export type Closing<T extends {}> = T & { close(): void };
        export function shut(): Closing<Partial<WebSocket>> { return { close() {} }; }
        export const seen = (one: Window) => one.own;
        """,
    "src/patterns.ts": """
        export interface Kind { assigned: number; quoted: number; keyed: 1; spare: { deep: string }; optional?: 1 }
        export const kind = { first: 1, second: { third: 1 }, fourth: 4 };
        export const given: Kind = { assigned: 1, quoted: 1, ["keyed"]: 1, spare: { deep: "" } };
        export interface Listed { [name: string]: unknown }
        """,
    "src/takes.ts": """
        import { kind, type Kind, type Listed } from "./patterns";
        declare const typed: Kind;
        let at: number, first: number;
        ({ assigned: at } = typed);
        ({ first, second: { third: at } } = kind);
        const { ["quoted"]: quoted } = typed;
        export const take = ({ fourth: taken } = kind) => [taken, at, first, quoted];
        export const optional = (one?: Kind, two?: Listed) => [one?.["optional"], two?. [ 'optional' ], one?.optional];
        """,
    "src/generic.ts": """
        export interface Base<T> { taken: T; inner: { deep: T }; none: 1 }
        export interface Own extends Base<string> { taken: string; other: 1 }
        export interface Apart<T> { taken: T; other: T; none: 2 }
        export interface Far<T> { far?: { next: { end: T } }; lost: T; none: 3 }
        """,
    "src/assigns.ts": """
        import type { Apart, Base, Far, Own } from "./generic";
        let taken: unknown, other: unknown;
        class Held { taken: unknown; other: unknown; }
        export function take<T>(base: Base<T>, apart: Apart<T>, both: Base<T> | Apart<T> | 1, own: Own[], any: any) {
          const held = new Held();
          ({ inner: held.other, taken: held.taken = 1 } = base);
          const late = async (): Promise<unknown> => ({ taken } = await Promise.resolve(apart));
          if (both !== 1) ({ taken } = both); else ({ none: taken } = any);
          for ({ inner: { deep: taken }, other } of own) late();
          [, { taken }] = [base, apart as Apart<1>]; ({ taken } = base); [{ taken: held.taken }] = own;
        }
        export function far<T>(far: Far<T>, any: any) {
          ({ far: { next: { end: taken } } = far.far! } = far);
          const odd = { lost: taken } = far;
          const { ["none"]: none } = any;
          return [odd, none];
        }
        """,
    "typed/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
    "typed/globals.d.ts": "declare const ANYWHERE: boolean;\n",
    "typed/first.ts": "export const first = 1;\n",
    "typed/last.ts": "export const last = ANYWHERE;\n",
    "src/chained.ts": """
        export interface Chained<T> { chained: T }
        let taken: unknown;
        export function chain<T>(one: Chained<T>) {
          const chain = { chained: taken } = one;
          return chain;
        }
        """,
    "untyped/tsconfig.json": '{"compilerOptions": {"types": []}, "include": ["."]}',
    "untyped/aside.ts": 'import { last } from "../typed/last";\nexport const aside = last;\n',
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "definition"),
    [
        ("4:3", "1:28"),
        ("5:3", "1:42"),
        ("6:7", "1:76"),
        ("9:12", "1:28"),
        ("9:25", "1:76"),
        ("12:17", "12:17"),
        ("13:12", "13:12"),
        ("13:38", "12:17"),
    ],
)
def test_a_key_of_an_object_that_is_passed_on_is_its_types(desk: Desk, at: str, definition: str, server: str) -> None:
    """Whether it is written as a property, a method or an accessor."""
    answer = desk.find(f"src/given.ts:{at}", server=server)
    assert place(answer.definition) == f"src/given.ts:{definition}"
    assert answer.completeness.status == "complete"


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("at", ["4:7", "5:8"])
def test_a_unions_member_is_that_of_each_part(desk: Desk, at: str, server: str) -> None:
    """Which of them a server names for a call is an accident; the others are told beside it."""
    answer = desk.find(f"src/union.ts:{at}", server=server)
    assert answer.definition is not None
    assert places([answer.definition, *answer.candidates]) == ["src/union.ts:1", "src/union.ts:2"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_class_own_member_is_no_unions(desk: Desk, server: str) -> None:
    answer = desk.find("src/union.ts:6:9", server=server)
    assert (place(answer.definition), answer.candidates) == ("src/union.ts:1:22", [])


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(("at", "definition"), [("3:33", "1:17"), ("4:12", "4:12"), ("5:10", "4:12")])
def test_a_function_is_not_the_member_that_it_is_assigned_to(desk: Desk, at: str, definition: str, server: str) -> None:
    """The native server calls the arrow function by the member's name, which its text holds as another's."""
    answer = desk.find(f"src/assigned.ts:{at}", server=server)
    assert place(answer.definition) == f"src/assigned.ts:{definition}"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_place_is_read_by_the_project_of_its_file(desk: Desk, server: str) -> None:
    """Another project that imports the file knows other globals."""
    for name in ("untyped/aside.ts#aside", "typed/first.ts#first"):
        desk.find(name, server=server)
    answer = desk.find("typed/last.ts:1:21", server=server)
    assert place(answer.definition) == "typed/globals.d.ts:1:15"


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(("at", "definition"), [("4:27", "1:28"), ("3:64", "2:43")])
def test_what_the_workspace_declares_comes_before_a_librarys(desk: Desk, at: str, definition: str, server: str) -> None:
    """Where both are meant, each server begins with another."""
    answer = desk.find(f"src/library.ts:{at}", server=server)
    assert place(answer.definition) == f"src/library.ts:{definition}"


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("Kind.assigned", ["src/patterns.ts:3", "src/takes.ts:4"]),
        ("Kind.keyed", ["src/patterns.ts:3"]),
        ("Kind.quoted", ["src/patterns.ts:3", "src/takes.ts:6"]),
        ("Kind.optional", ["src/takes.ts:8", "src/takes.ts:8"]),
        ("kind.first", ["src/takes.ts:5"]),
        ("kind.second.third", ["src/takes.ts:5"]),
        ("kind.fourth", ["src/takes.ts:7"]),
    ],
)
def test_what_a_pattern_takes_was_left_out_in_silence(desk: Desk, name: str, uses: list[str], server: str) -> None:
    """No server tells computed keys of patterns, whose member is assigned from what has no type of its own, nor
    `a?.["b"]`."""
    answer = desk.find(f"src/patterns.ts#{name}", server=server, limit=0)
    assert places(answer.references or []) == uses
    assert answer.completeness.reason is None


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "uses", "doubt"),
    [
        ("#Base.taken", ["6:25", "8:22", "10:49", "10:69"], ""),
        ("#Own.taken", ["6:25", "8:22", "10:49", "10:69"], ""),
        ("#Apart.taken", ["7:49", "8:22", "10:8"], ""),
        (":1:47", ["9:19"], ""),
        ("#Own.other", ["9:34"], ""),
        ("#Apart.other", [], ""),
        # Of what has any type a pattern takes nobody's, as `any.none`.
        ("#Base.none", [], ""),
        ("#Far.none", [], ""),
        (":4:43", ["13:21"], ""),
        ("#Far.lost", [], "the language server does not tell whose lost a pattern takes in src/assigns.ts:14"),
    ],
)
def test_what_is_assigned_from_a_type_with_parameters_was_in_doubt(
    desk: Desk, at: str, uses: list[str], doubt: str, server: str
) -> None:
    """Whose member it is the type of the right side tells, wherever the pattern stands."""
    answer = desk.find(f"src/generic.ts{at}", server=server, limit=0)
    assert [
        f"{one.line}:{one.character}" for one in answer.references or [] if one.file_path == "src/assigns.ts"
    ] == uses
    assert answer.completeness.reason == (doubt or None)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_pattern_behind_an_equals_sign_was_left_out_in_silence(desk: Desk, server: str) -> None:
    """No other pattern in the file assigns."""
    answer = desk.find("src/chained.ts#Chained.chained", server=server)
    assert "does not tell whose chained a pattern takes in src/chained.ts:4" in str(answer.completeness.reason)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_an_optional_key_of_what_has_any_type_may_be_a_use(desk: Desk, server: str) -> None:
    take = 'export const loosely = (one: any, two: Loosely) => [one?.["loosened"], two];\n'
    desk.write({"src/loosely.ts": f"export interface Loosely {{ loosened: 1 }}\n{take}"})
    answer = desk.find("Loosely.loosened", server=server)
    assert answer.completeness.reason == "the language server does not tell whose loosened is taken in src/loosely.ts:2"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_a_parameter_with_a_default_takes_was_left_out_in_silence(desk: Desk, server: str) -> None:
    """Where what is around it gives its type, which may be that of nothing as well."""
    desk.write(
        {
            "given.ts": """
                export type Given = { ease?: number };
                type Take = (given?: Given) => void;
                const take: Take = ({ ease = 1 } = {}) => console.log(ease);
                const other: Take = function ({ ease: held } = {}) { console.log(held); };
                const both = { take({ ease } = {}) { console.log(ease); } } satisfies { take: Take };
                const none = ({ ease = 2 } = {}) => ease;
                """
        }
    )
    answer = desk.find("Given.ease", server=server)
    uses = ["given.ts:3", "given.ts:4", "given.ts:5"]
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_a_pattern_takes_is_as_of_the_last_edit(desk: Desk, server: str) -> None:
    """It is kept between questions, and another file may change it."""
    held = "export interface Held<T> { kept: T }\nexport interface Apart<T> { kept: T }\n"
    taking = 'import type { Given } from "./given_type";\nlet x: unknown;\n'
    taking += "export function taking<T>(given: Given<T>) { ({ kept: x } = given); }\nexport default x;\n"
    desk.write({"src/held.ts": held, "src/taking.ts": taking})
    for one, other in (("Held", "Apart"), ("Apart", "Held")):
        given = f'import type {{ {one} }} from "./held";\nexport type Given<T> = {one}<T>;\n'
        desk.write({"src/given_type.ts": given})
        for _ in range(2):
            found = [desk.find(f"src/held.ts#{name}.kept", server=server) for name in (one, other)]
            assert [places(answer.references or []) for answer in found] == [["src/taking.ts:3"], []]
            assert [answer.completeness.reason for answer in found] == [None, None]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("at", ["src/wrapped.ts#default", "src/of_wrapped.ts:3:23", "src/again.ts:2:22"])
def test_what_is_exported_as_a_value_had_no_uses(desk: Desk, at: str, server: str) -> None:
    answer = desk.find(at, server=server)
    assert (place(answer.definition), answer.completeness.status) == ("src/wrapped.ts:3:8", "complete")
    assert places(answer.references or []) == [
        *("src/again.ts:1", "src/again.ts:2"),
        *("src/of_wrapped.ts:1", "src/of_wrapped.ts:2", "src/of_wrapped.ts:2", "src/of_wrapped.ts:3"),
    ]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("at", ["9::10", "10::14"])
def test_a_function_under_a_computed_key_was_the_block(desk: Desk, at: str, server: str) -> None:
    result = desk.inspect(f"ref::src/assigned.ts::{at}", server=server).result
    assert (result.range.start_line, result.range.end_line) == (7, 13)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_key_of_what_is_exported_without_a_name_was_the_block(desk: Desk, server: str) -> None:
    result = desk.inspect("ref::src/plugged.ts::5::7", server=server).result
    assert (result.range.start_line, result.range.end_line) == (1, 8)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "lines"),
    [("6::9", (5, 10)), ("16::3", (11, 18)), ("17::12", (11, 18)), ("21::9", (19, 24)), ("22::3", (19, 24))],
)
def test_a_part_of_a_statement_was_the_block(desk: Desk, at: str, lines: tuple[int, int], server: str) -> None:
    """The first line of a program is a comment, and a variable may stand far behind its word."""
    result = desk.inspect(f"ref::src/command.ts::{at}", server=server).result
    assert (result.range.start_line, result.range.end_line) == lines
    assert desk.rows("src/command.ts") == ["11 Constant first", "16 Constant second", "19 Function third"]


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "lines"),
    [
        ("5::14", (5, 6)),
        ("6::3", (5, 6)),
        ("9::7", (8, 11)),
        ("12::5", (12, 12)),
        ("13::7", (13, 15)),
        ("16::15", (16, 16)),
        ("17::9", (17, 18)),
    ],
)
def test_the_statement_above_was_part_of_the_block(desk: Desk, at: str, lines: tuple[int, int], server: str) -> None:
    """`as const`, a variable without a value and a comment hold words that declare, and end without a mark."""
    result = desk.inspect(f"ref::src/beside.ts::{at}", server=server).result
    assert (result.range.start_line, result.range.end_line) == lines
    kinds = [row.split()[1] for row in desk.rows("src/beside.ts") if "." not in row]
    assert kinds == ["Constant", "Constant", "Constant", "Constant", "Variable", *["Constant"] * 3]
