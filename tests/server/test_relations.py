"""refs, callers, callees, impls, types and hover on both TypeScript servers, over two projects that import each other
under other names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from cn_shared.errors import InputError, NotFoundError
from cn_shared.relations import Caller, CallersAnswer, Relative
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "package.json": '{"name": "shapes", "private": true}',
    "tsconfig.json": TSCONFIG.replace('"strict"', '"jsx": "preserve", "experimentalDecorators": true, "strict"'),
    "src/save.ts": """
        /** Writes it down. */
        export function save(name: string, count = 1) {
          return `${name} ${count}`;
        }
        export default save;
        """,
    "src/store.ts": """
        import { save } from "./save";
        import keep from "./save";
        export interface Store {
          put(name: string): string;
        }
        export class FileStore implements Store {
          put(name: string) {
            return save(name, name.length);
          }
        }
        export class LoudStore extends FileStore {
          override put(name: string) {
            return super.put(name.toUpperCase());
          }
        }
        export const memory: Store = {
          put: (name) => name,
        };
        export const handlers = { save, later: () => keep.call(null, "x") };
        export type Saver = typeof save;
        """,
    "src/quoted.ts": """
        export interface Quoted { 'sum': number; "go"(): void }
        export abstract class Half implements Quoted {
          abstract "sum": number;
          "go"() {}
        }
        export class Whole extends Half {
          "sum" = 1;
        }
        export const quoted: Quoted = { "sum": 2, 'go'() {} };
        """,
    "src/app.ts": """
        import { FileStore, LoudStore, Store, handlers } from "./store";
        function pick(loud: boolean): Store {
          return loud ? new LoudStore() : new FileStore();
        }
        export function main() {
          const store = pick(true);
          store.put("a");
          store.put("b");
          [1].map((one) => pick(one > 0));
          handlers.later();
          return main2();
        }
        function main2(): string {
          return Math.random() > 1 ? main() : "";
        }
        main();
        """,
    "src/shape.ts": """
        export interface Shape { readonly sides: number; name?: string; area(): number }
        export interface Round extends Shape { radius: number }
        export abstract class Base implements Shape {
          sides!: number;
          abstract area(): number;
        }
        export class Square extends Base {
          constructor(override readonly sides: number, public name: string) { super(); }
          area() { return 1; }
        }
        export class Disc implements Round {
          sides = 0;
          radius = 1;
          area() { return 3; }
        }
        export interface Clock { now(): number; ticks: Iterable<number> }
        export class Steady implements Clock {
          static now = () => 1;
          now() { return Steady.now(); }
          ticks = [1];
          pass(): number { return later(this); }
          every(): Iterable<number> { return [1, 2]; }
        }
        function later(clock: Clock) { return clock.now(); }
        """,
    "src/cause.ts": """
        export type Cause = Cause.Fail | Fail;
        export declare namespace Cause {
          interface Fail { tag: string }
        }
        class Fail implements Cause.Fail { tag = "fail"; }
        export const fail = () => new Fail();
        """,
    "src/mixed.ts": """
        function made(fields: object) { return class { fields = fields; }; }
        function one(tag: string) { return { tag }; }
        export class Mixed extends made(
          { first: one("a"), second: [one("b")] }
        ) {}
        """,
    "src/fluent.ts": """
        export function frozen(inner: unknown): unknown { return inner; }
        export const Type = (inst: any) => {
          inst.frozen = () => frozen(inst);
          return inst;
        };
        """,
    "src/view.tsx": """
        declare namespace JSX { interface IntrinsicElements { p: {} } interface Element {} }
        export function Row(properties: { text: string }) { return <p></p>; }
        function mark(target: unknown, key?: string) {}
        export function tag(parts: TemplateStringsArray) { return parts[0]; }
        export class View {
          @mark title = tag`one`;
          render() { return <Row text="a"></Row>; }
        }
        """,
    "src/names.ts": """
        export class Taken { static make() { return new this(); } run() { return 1; } }
        export async function taken(store: Taken, key: "run", table: Record<string, () => void>) {
          const { soon: late } = await import("./soon");
          late("a");
          const { run } = store;
          run();
          const Named = Taken;
          new Named();
          new (Taken as any)();
          store["run"]();
          table[key]();
        }
        """,
    "src/soon.ts": "export function soon(name: string) { return name; }\n",
    "test/tsconfig.json": '{"extends": "../tsconfig.json", "include": ["."]}',
    "test/save.test.ts": """
        import writeDown, { save as written } from "../src/save";
        export function check() {
          return written("t") + writeDown("u");
        }
        """,
}


@pytest.fixture(scope="module", params=["typescript", "native"])
def ask(request: pytest.FixtureRequest, desk: Desk) -> Any:
    """Ask a verb of one of the two servers."""

    def asked(verb: str, query: str, **parameters: Any) -> Any:
        named = {"target_id" if verb == "inspect" else "query": query}
        answer = desk.run(desk.ask(verb, server=request.param, **named, **parameters))
        desk.note()
        assert answer.completeness is None or answer.completeness.status == "complete", answer
        return answer

    return asked


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


def tree(callers: Sequence[Caller]) -> list[Any]:
    """`Container.name:lines` of each, a list below it for a deeper level."""
    rows: list[Any] = []
    for caller in callers:
        name = ".".join(filter(None, (caller.symbol.container, caller.symbol.name)))
        assert caller.total >= len(caller.uses) > 0
        rows.append(f"{name}:{','.join(str(use.line) for use in caller.uses)}" + ("^" if caller.repeated else ""))
        if caller.callers:
            rows.append(tree(caller.callers))
    return rows


def relatives(rows: Iterable[Relative]) -> list[Any]:
    told: list[Any] = []
    for one in rows:
        told.append(f"{one.relation} {one.symbol.name}" + ("^" if one.repeated else ""))
        if one.further:
            told.append(relatives(one.further))
    return told


def test_refs_tell_what_each_mention_does_and_where_it_stands(ask: Any) -> None:
    answer = ask("refs", "save")
    told = {
        file.file_path: [f"{use.line} {use.role} {use.within or '-'}" for use in file.uses] for file in answer.files
    }
    assert told == {
        "src/save.ts": ["5 use -"],
        "src/store.ts": [
            "1 import -",
            "2 import -",
            "8 call FileStore.put",
            "19 use handlers.save",
            "19 call handlers.later",
            "20 use Saver",
        ],
        "test/save.test.ts": ["1 import -", "1 import -", "1 import -", "3 call check", "3 call check"],
    }
    assert [file.test for file in answer.files] == [None, None, True]
    assert answer.total == 12


def test_refs_go_on_where_they_were_cut(ask: Any) -> None:
    first = ask("refs", "save", limit=3)
    assert (sum(len(file.uses) for file in first.files), first.total, first.next) == (3, 12, "3")
    assert (len(first.files[-1].uses), first.files[-1].total) == (2, 6)
    rest = ask("refs", "save", limit=0, cursor=first.next)
    assert (sum(len(file.uses) for file in rest.files), rest.next) == (9, None)


def test_callers_are_found_in_every_project_and_under_every_name(ask: Any) -> None:
    answer = ask("callers", "save")
    assert tree(answer.callers) == [
        "save.ts:5",
        "FileStore.put:8",
        "handlers.save:19",
        "handlers.later:19",
        "check:3,3",
    ]
    # What takes the type of it alone calls nothing.
    assert (answer.total, answer.other_uses, answer.callers[0].symbol.kind) == (5, 6, "Module")


def test_callers_of_callers_end_where_they_meet(ask: Any) -> None:
    answer = ask("callers", "pick", depth=4)
    assert tree(answer.callers) == ["main:6,9", ["main2:14", ["main:11^"], "app.ts:16"]]


def test_a_call_takes_many_forms(ask: Any) -> None:
    assert tree(ask("callers", "LoudStore").callers) == ["pick:3"]
    assert tree(ask("callers", "Row").callers)[0].startswith("View.render:7")
    assert tree(ask("callers", "mark").callers) == ["View.title:6"]
    assert tree(ask("callers", "tag").callers) == ["View.title:6"]
    assert tree(ask("callers", "FileStore.put").callers) == ["main:7,8", "LoudStore.put:13"]


def test_a_function_without_a_name_has_none_in_its_body(ask: Any) -> None:
    """It is assigned to a member that has the name of what it calls."""
    answer = ask("callers", "frozen")
    assert tree(answer.callers) == ["Type:3"]
    assert answer.candidates == []


def test_callers_go_on_where_they_were_cut(ask: Any) -> None:
    first: CallersAnswer = ask("callers", "save", limit=2)
    second: CallersAnswer = ask("callers", "save", limit=9, cursor=first.next)
    assert (len(first.callers), len(second.callers), second.next) == (2, 3, None)


def test_callees(ask: Any) -> None:
    answer = ask("callees", "main")
    own = {one.symbol.name: [use.line for use in one.uses] for one in answer.callees if not one.symbol.external}
    assert own == {"pick": [6, 9], "put": [7, 8], "later": [10], "main2": [11]}
    assert [one.symbol.name for one in answer.callees if one.symbol.external] == ["map"]
    assert answer.unresolved is None


def test_callees_were_passed_over_that_variables_and_keys_name(ask: Any) -> None:
    answer = ask("callees", "taken")
    assert {one.symbol.name: [use.line for use in one.uses] for one in answer.callees} == {
        "soon": [4],
        "run": [6, 10],
        "Taken": [8, 9],
    }
    assert answer.unresolved == ["table[key]"]
    assert [one.symbol.name for one in ask("callees", "Taken.make").callees] == ["Taken"]
    assert tree(ask("callers", "Taken").callers) == ["Taken.make:1", "taken:9"]
    assert tree(ask("callers", "Taken.run").callers) == ["taken:5,10"]


def test_a_type_that_a_library_declares_in_several_files_is_told_once(ask: Any, desk: Desk) -> None:
    desk.write({"src/failure.ts": "export class Failure extends Error {}\n"})
    assert relatives(ask("types", "Failure").supertypes) == ["extends Error"]
    (desk.root / "src/failure.ts").unlink()


def test_what_a_call_means_may_be_unknown(ask: Any, desk: Desk) -> None:
    desk.write(
        {"src/loose.ts": "export function loose(any: any) {\n  any.thing();\n  new Error(async () => any);\n}\n"}
    )
    answer = ask("callees", "loose")
    assert (answer.unresolved, [one.symbol.name for one in answer.callees]) == (["thing"], ["Error"])
    (desk.root / "src/loose.ts").unlink()


def test_implementations(ask: Any) -> None:
    def told(query: str) -> list[str]:
        found = ask("impls", query).implementations
        return [f"{one.kind} {'.'.join(filter(None, (one.container, one.name)))}" for one in found]

    assert told("Store") == ["Class FileStore", "Class LoudStore", "Constant memory"]
    assert told("Store.put") == ["Method FileStore.put", "Method LoudStore.put", "Property memory.put"]
    # Interfaces only declare; what implements them implements the type all the same.
    assert told("Shape") == ["Class Base", "Class Square", "Class Disc"]
    assert told("Shape.sides") == ["Property Base.sides", "Property Square.sides", "Property Disc.sides"]
    assert told("Shape.name") == ["Property Square.name"]
    assert told("Shape.area") == ["Method Base.area", "Method Square.area", "Method Disc.area"]
    assert told("Disc") == []


def test_a_quoted_member_implemented_itself_and_was_told_twice(ask: Any) -> None:
    """The servers begin its name within the quotes; its declaration begins at them. It was taken for a use besides."""

    def told(query: str) -> list[str]:
        found = ask("impls", query).implementations
        return [f"{one.container}.{one.name} {one.line}:{one.character}" for one in found]

    assert told("Quoted.sum") == ["Half.sum 3:12", "Whole.sum 7:3", "quoted.sum 9:33"]
    assert told("Quoted.go") == ["Half.go 4:3", "quoted.go 9:43"]
    assert told("Half.sum") == ["Whole.sum 7:3"]
    assert {use.role for file in ask("refs", "Quoted.go").files for use in file.uses} == {"declare"}
    assert {use.role for file in ask("refs", "Quoted.sum").files for use in file.uses} == {"declare"}


def test_a_static_member_and_this_and_a_list_implement_nothing(ask: Any) -> None:
    def told(query: str) -> list[str]:
        return [f"{one.kind} {one.name}:{one.line}" for one in ask("impls", query).implementations]

    assert told("Clock") == ["Class Steady:17"]
    assert told("Clock.now") == ["Method now:19"]
    assert told("Clock.ticks") == ["Property ticks:20"]


def test_in_a_file_a_name_is_the_outermost_of_that_name(ask: Any) -> None:
    answer = ask("callers", "src/cause.ts#Fail")
    assert (answer.definition.kind, tree(answer.callers)) == ("Class", ["fail:6"])
    assert [one.container for one in answer.candidates] == ["Cause"]
    assert ask("impls", "src/cause.ts#Cause.Fail").implementations[0].line == 5


def test_a_call_in_the_heritage_of_a_class_is_the_class_own(ask: Any) -> None:
    assert tree(ask("callers", "one").callers) == ["Mixed:4,4"]
    assert tree(ask("callers", "made").callers) == ["Mixed:3"]


def test_types_up_and_down(ask: Any) -> None:
    answer = ask("types", "FileStore")
    assert relatives(answer.supertypes) == ["implements Store"]
    assert relatives(answer.subtypes) == ["extends LoudStore"]
    below = ask("types", "Store").subtypes
    assert relatives(below) == ["implements FileStore", ["extends LoudStore"]]
    assert relatives(ask("types", "Store", depth=1).subtypes) == ["implements FileStore"]
    with pytest.raises(InputError, match="no class or interface"):
        ask("types", "save")


def test_hover_infers(ask: Any) -> None:
    answer = ask("hover", "save")
    assert answer.signature == "function save(name: string, count?: number): string"
    assert answer.documentation == "Writes it down."
    assert "LoudStore" not in ask("hover", "src/app.ts:6:9").signature
    assert "store: Store" in ask("hover", "src/app.ts:6:9").signature


def test_one_inspect_tells_all_that_hangs_together(ask: Any) -> None:
    answer = ask("inspect", "Store", parts=["all"])
    assert answer.result.code.startswith("export interface Store {")
    assert [row.name for row in answer.members] == ["put"]
    assert [place.name for place in answer.implementations] == ["FileStore", "LoudStore", "memory"]
    assert (answer.callers, answer.tests) == ([], [])
    answer = ask("inspect", "save", without=["impls"])
    # What calls most comes first; a test is no caller but a test.
    assert [place.name for place in answer.callers] == ["put", "save", "later"]
    assert [(file.file_path, file.total) for file in answer.tests] == [("test/save.test.ts", 5)]
    assert (answer.members, answer.implementations) == ([], None)
    plain = ask("inspect", "save")
    assert (plain.completeness, plain.members, plain.callers, plain.tests) == (None, None, None, None)
    with pytest.raises(InputError, match="no part 'callees'"):
        ask("inspect", "save", parts=["callees"])


def test_what_is_not_there(ask: Any) -> None:
    for verb in ("refs", "callers", "callees", "impls", "types", "hover"):
        with pytest.raises(NotFoundError, match="Nothing named nobody"):
            ask(verb, "nobody")
    with pytest.raises(NotFoundError, match="No symbol stands at"):
        ask("refs", "src/app.ts:4:1")
