"""impls and types on both TypeScript servers: heirs that were passed over in answers that said they were complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from cn_shared.errors import InputError
from cn_shared.relations import Relative
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

Told = Callable[[str], list[str]]

FILES = {
    "tsconfig.json": TSCONFIG.replace("}}", ', "allowJs": true, "checkJs": true, "lib": ["es2022", "dom"]}}'),
    "held.ts": """
        export class Held { go() {} }
        const Constant = Held;
        class ByConstant extends Constant {}
        export let Declared: typeof Held = Held;
        class ByDeclared extends Declared { override go() {} }
        export function give() { return Held; }
        class ByCall extends give() {}
        export const registry = { Inner: Held, other: new Held() };
        export function made(options?: { Parent?: typeof Held }) {
          const Parent = options?.Parent ?? Object;
          class ByOption extends Parent {}
          return ByOption;
        }
        export const Expression = class Named extends Held {};
        """,
    "far.ts": """
        import { registry as known, Expression } from "./held";
        export class ByKey extends known.Inner { override go() {} }
        export class ByExpression extends Expression {}
        """,
    "mixed.ts": """
        type New<T = {}> = new (...all: any[]) => T;
        export class Plain {}
        export function Mix<T extends New>(base: T) { return class extends base { mixed = 1; }; }
        export class ByMixin extends Mix(Plain) {}
        export class ByCast extends (Plain as any) {}
        const Mixed = Mix(Plain);
        export class ByMixed extends Mixed {}
        export class Fluent { static with(options: object): typeof Fluent { return Fluent; } }
        export class ByStatic extends Fluent.with({ a: 1 }) implements Marked {}
        export interface Marked {}
        """,
    "qualified.ts": """
        declare namespace Kind { type One = 1 }
        interface Typed<T> { typed: T }
        interface Sized<T> { sized: T }
        interface Both extends Typed<Kind.One>, Sized<Kind.One> {}
        /**
         * What makes a class.
         */
        export type Making<T> = T extends Both ? Both : never;
        export class ByBoth implements Both { typed = 1 as const; sized = 1 as const; }
        """,
    "failing.ts": """
        export interface Failing { reason: string }
        export const Failed: new <A extends object = {}>(all: A) => Failing & Readonly<A> = null as any;
        export interface Maker { new <A = never>(): Failing }
        const Made: Maker = null as any;
        export class Three extends Made<string> {}
        export const Tagged = (tag: string): (new <A>(all: A) => Failing & A) => Failed as any;
        """,
    "failed.ts": """
        import * as Data from "./failing";
        export class One extends Data.Failed<{ one: 1 }> {}
        export class Two extends Data.Tagged("two")<{ two: 2 }> {}
        """,
    "makers.ts": """
        type Built = new (...all: any[]) => object;
        export class Part {}
        export interface Kit<From, To> { from: From; to: To; labelled(text: string): Kit<From, To> }
        interface Maker<From, To> extends Kit<From, To> { new (): object }
        export interface Whole<From, To> extends Maker<From, To> { labelled(text: string): Whole<From, To> }
        export interface Copy<From extends Built> { new (): InstanceType<From> }
        export type Both<From> = From & { more: number };
        export declare const whole: { <A, B>(a: A, b: B, more: (one: A) => B): Whole<A, B>; <A>(a: A): Whole<A, A> };
        export declare function copy<From extends Built>(from: From): Copy<From>;
        export declare function both<From extends Built>(from: From): Both<From>;
        export class OfParts extends whole(Part, Part, (one) => one).labelled("a") {}
        export class OfPart extends whole(Part) {}
        declare const given: { of(part: typeof Part): { kit: string } };
        export class OfKit extends whole(given.of(Part), 1, () => 1) {}
        export class Copied extends copy(Part) {}
        export class Doubled extends both(Part) {}
        """,
    "variance.ts": """
        export declare namespace Scheme { interface Variance<A> { readonly of: A } }
        export interface Scheme<A> extends Scheme.Variance<A> { pipe<B>(through: (self: this) => B): B }
        export interface MadeClass<Self, A> extends Scheme<A> { again(): Self; new (_: never): Scheme.Variance<A> }
        export interface SchemeClass<A> extends MadeClass<SchemeClass<A>, A> {}
        export interface narrowed<A> extends SchemeClass<A> {}
        export interface declare<A> extends SchemeClass<A> {}
        export interface Struct<A, Own> extends Scheme<A> { new (given: A): A & Own }
        export interface Other { other: number }
        export function make<A>(one: A): SchemeClass<A> { return class Inner { static one = one; } as any; }
        export function narrow<A>(self: Scheme<A>): narrowed<A> { return self as any; }
        export const declare = <A>(one: A): declare<A> => make(one) as any;
        export const struct = (id: string) => <A, Own>(one: A, own: new () => Own): Struct<A, Own> => make(one) as any;
        export interface Tag<A> extends Scheme<A> { new (_: never): Tagged<A> }
        export interface Tagged<A> { tagged: A }
        export const tag = (id: string): (<A>() => Tag<A>) => make(id) as any;
        export class Text extends make("text") {}
        const Fixed = make(1);
        """,
    "variants.ts": """
        import * as Scheme from "./variance";
        import { declare } from "./variance";
        import type { Scheme as Type } from "./variance";
        export class Trimmed extends Scheme.Text.pipe(Scheme.narrow) {}
        export class Declared extends declare(1) {}
        export class Owned { own = 1; }
        export class Structured extends Scheme.struct("a")({ other: 1 }, Owned) {}
        export class Labelled extends Scheme.tag("b")<Type<string>>() {}
        const Built = Scheme.make({ a: 1 });
        export class FromBuilt extends Built {}
        """,
    "kits.ts": """
        export interface Variant { readonly v: 1 }
        export interface Boxed<A> { box: A; labelled(text: string): Boxed<A> }
        export declare const Boxed: { <A>(a: A): Boxed<A> };
        export interface Crate<A> extends Boxed<A> { new (): Variant; labelled(text: string): Crate<A> }
        export declare const Crate: { <A>(a: A): Crate<A>; of: number };
        export class Small extends Crate(1).labelled("a") {}
        export class Large extends Crate(Small).labelled("b") {}
        """,
    "models.ts": """
        export abstract class Rooted<P> { props!: P; }
        type Made<C extends abstract new (...all: any) => unknown> = { base: C };
        interface Model<Above, P> { new (given: P): Above & Rooted<P> & Omit<P, "props"> }
        function modelled<P>(props: P): Model<unknown, P> { return null!; }
        function extended<P, C extends abstract new (...all: any) => unknown>(
          made: () => Made<C> & { props: P },
        ): Model<InstanceType<C>, P> { return null!; }
        export class Todo extends modelled({ text: "" }) { label() {} }
        export class Timed extends extended(() => ({ base: Todo, props: { at: 1 } })) { label() {} }
        export class Holding extends modelled({ first: Todo }) {}
        """,
    "ports.ts": """
        export interface Target { listen(): void }
        export interface Port extends Target {}
        export class Port { post() {} listen() {} }
        """,
    "plain.ts": "export class Unmarked { far() {} }\n",
    "added.ts": """
        import "./plain";
        export interface Far { far(): void }
        declare module "./plain" { interface Unmarked extends Far {} }
        """,
    "untyped.ts": """
        export class Handed {}
        function grow(base: any): any { return class extends base {}; }
        export class Grown extends grow(Handed) {}
        """,
    "mingled.ts": """
        type Class<Given extends any[], Made = {}, Static = {}> = (abstract new (...all: any[]) => Made) & Static;
        declare function mingle<A, B, S, T>(a: Class<any[], A, S>, b: Class<any[], B, T>): Class<any[], A & B, S & T>;
        export class Sour {}
        export class Sweet {}
        export class Mingled extends mingle(Sour, Sweet) {}
        export interface OptionsThatAreCalledByAVeryLongNameIndeed {}
        export abstract class Bitter<T> { bitter?: T }
        export class Lengthy extends mingle(Bitter<OptionsThatAreCalledByAVeryLongNameIndeed>, Sour) {}
        """,
    "inner.ts": """
        export class Root {}
        export const derived = () => { return class Middle extends Root {}; };
        export class Last extends derived() {}
        """,
    "parts.ts": """
        export interface Store { put(): void; get(): number }
        export class Some implements Partial<Store> { put() {} }
        export class Less implements Omit<Store, "get"> { put() {} }
        export interface Picked extends Pick<Store, "put"> { more: number }
        export class ByPicked implements Picked { more = 1; put() {} }
        export type Wider = Store & { further: string };
        export type Same = Store;
        export class ByWider implements Wider { further = ""; put() {} get() { return 1; } }
        export class BySame implements Same { put() {} get() { return 1; } }
        export type Either = Store | Marker;
        export interface Marker { mark: Store }
        export const literal: Wider = { further: "", put() {}, get() { return 2; } };
        """,
    "dtos.ts": """
        export interface Type<T = any> { new (...all: any[]): T }
        type Both<T extends Type[]> = Type<T[number] extends Type<infer One> ? One : never>;
        export declare function PartialType<T>(of: Type<T>): Type<Partial<T>>;
        export declare function OmitType<T, K extends keyof T>(of: Type<T>, keys: readonly K[]): Type<Omit<T, K>>;
        export declare function Joined<T extends Type[]>(...all: T): Both<T>;
        export class Person { name!: string; age!: number }
        export class Change extends PartialType(Person) { name?: string }
        export class Nameless extends OmitType(Person, ["name"]) { age = 1; }
        export class Aged extends PartialType(OmitType(Person, ["name"])) {}
        export class Pet {}
        export class Owner extends Joined(Person, Pet) {}
        """,
    "pages.ts": """
        import type { Type } from "./dtos";
        export interface Page<T> { data: T[]; shown: number }
        export function Paged<T>(of: Type<T>): Type<Page<T>> { return null!; }
        export interface Simple { simple: 1 }
        export declare const Base: Type<Simple>;
        export interface Later extends PromiseLike<Page<1>> { later<T extends 1>(of: T): Later }
        export declare const Later: { of(page: Promise<Page<1>>): Later };
        export class Latest implements Later { later(): any {} then(): any {} }
        """,
    "paged.ts": """
        import { Person } from "./dtos";
        import { Base, Paged } from "./pages";
        export class People extends Paged(Person) { data = []; }
        export class Simply extends Base {}
        """,
    "signals.ts": "export interface Signal<T> { post(data: T): void }\n",
    "signal.ts": """
        export type Signal<T> = import("./signals").Signal<T>;
        class Posted<T> implements Signal<T> { post(data: T) {} }
        export const Signal: { new <T>(): Signal<T> } = Posted;
        """,
    "posting.ts": """
        import { Signal } from "./signal";
        export class Stateful<T> extends Signal<T> { post(data: T) {} }
        """,
    "documented.js": """
        export class Base { run() {} }
        /** @implements {Base} */
        export class Documented { run() {} }
        """,
    "unnamed.ts": """
        class Engine { start() {} }
        export default Engine;
        export { Engine as Motor };
        """,
    "again.ts": 'export { default } from "./unnamed";\nexport { default as Kept, Motor } from "./unnamed";\n',
    "small.ts": """
        import Engine from "./again";
        /** Small. */
        export default class extends Engine { override start() {} }
        """,
    "great.ts": 'import { Motor } from "./again"; export default abstract class extends Motor { start() {} }\n',
    "explorer.ts": """
        export class Explorer { run() {} }
        export class Finder { run() {} }
        """,
    "of_explorer.ts": """
        declare function load<T>(path: string): Promise<T>;
        export const replaced = async () => {
          const { Explorer, Finder: Base } = await load<typeof import("./explorer")>("./explorer");
          return {
            Explorer: class FakeExplorer extends Explorer { override run() {} },
            Finder: class FakeFinder extends Base {},
          };
        };
        """,
    "element.ts": """
        export {};
        declare global {
          interface HTMLElement { marked?: string }
        }
        export class Button extends HTMLElement {}
        customElements.define("a-b", class Late extends HTMLElement {});
        """,
    "local.ts": """
        export class Outer {}
        export const list = [() => { class Local extends Outer {} return Local; }, new (class extends Outer {})()];
        """,
}


@pytest.fixture(scope="module", params=["typescript", "native"])
def told(request: pytest.FixtureRequest, desk: Desk) -> Told:
    """The names that implement something."""
    desk.write(FILES)

    def ask(query: str) -> list[str]:
        answer = desk.run(desk.ask("impls", query=query, server=request.param))
        assert answer.completeness.status == "complete", answer
        return [one.name for one in answer.implementations]

    return ask


@pytest.fixture(scope="module", params=["typescript", "native"])
def below(request: pytest.FixtureRequest, desk: Desk) -> Callable[[str], str]:
    desk.write(FILES)

    def spelled(rows: Iterable[Relative]) -> str:
        return " ".join(
            f"{one.symbol.name}({spelled(one.further)})" if one.further else str(one.symbol.name) for one in rows
        )

    def ask(query: str) -> str:
        answer = desk.run(desk.ask("types", query=query, server=request.param))
        assert answer.completeness.status == "complete", answer
        return f"{spelled(answer.supertypes)} > {spelled(answer.subtypes)}".strip()

    return ask


def test_members_of_a_default_class_without_a_name_were_passed_over_and_exports_told(told: Told) -> None:
    assert told("unnamed.ts:Engine") == ["default", "default"]
    assert told("Engine.start") == ["start", "start"]


def test_a_class_was_passed_over_that_extends_what_holds_one(told: Told) -> None:
    """A constant, a variable, a function's result, an object's key, an option."""
    found = told("Held")
    assert sorted(found) == sorted(
        ["ByConstant", "ByDeclared", "ByCall", "ByKey", "ByOption", "Expression", "ByExpression"]
    )
    assert sorted(told("Held.go")) == ["go", "go"]


def test_a_class_was_passed_over_that_extends_what_a_pattern_takes(told: Told) -> None:
    assert told("explorer.ts:Explorer") == ["FakeExplorer"]
    assert told("explorer.ts:Finder") == ["FakeFinder"]


def test_a_class_was_passed_over_that_extends_what_a_library_has_beside_an_interface_that_is_added_to(
    told: Told,
) -> None:
    assert told("global.HTMLElement") == ["Button", "Late"]


def test_a_class_was_passed_over_that_extends_what_a_call_makes(told: Told) -> None:
    assert told("Plain") == ["ByMixin", "ByCast", "ByMixed"]
    assert told("Fluent") == ["ByStatic"]
    assert told("Marked") == ["ByStatic"]
    assert sorted(told("Failing")) == ["One", "Three", "Two"]
    assert told("Failed") == ["One", "Two"]


def test_a_class_was_told_whose_base_was_merely_made_of_the_type(told: Told) -> None:
    assert told("Part") == ["Copied", "Doubled"]


def test_a_class_was_passed_over_whose_base_is_what_an_interface_makes(told: Told) -> None:
    assert sorted(told("Scheme.Variance")) == ["Declared", "FromBuilt", "Text", "Trimmed"]


def test_a_class_was_told_below_what_its_base_is_and_not_what_it_makes(told: Told) -> None:
    assert told("variance.ts#Scheme") == []
    assert told("Tagged") == ["Labelled"]


def test_a_class_was_told_below_one_that_makes_part_of_its_base_beside_a_constant_of_that_name(told: Told) -> None:
    assert told("Small") == []
    assert told("Variant") == ["Small", "Large"]


def test_a_class_was_passed_over_whose_base_is_made_beside_other_types_or_of_what_an_object_has(told: Told) -> None:
    assert sorted(told("Rooted")) == ["Holding", "Timed", "Todo"]
    assert told("Todo") == ["Timed"]
    assert told("Todo.label") == ["label"]


def test_a_class_was_passed_over_which_an_interface_of_its_name_makes_an_heir(told: Told) -> None:
    assert told("Target") == ["Port"]
    assert told("Target.listen") == ["listen"]
    assert told("Far") == ["Unmarked"]
    assert told("Far.far") == ["far"]


def test_of_two_types_with_qualified_arguments_the_first_was_passed_over(told: Told) -> None:
    assert told("Typed") == told("Sized") == ["ByBoth"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_class_was_told_whose_base_has_no_type(desk: Desk, server: str) -> None:
    desk.write(FILES)
    answer = desk.run(desk.ask("impls", query="Handed", server=server))
    assert answer.implementations == []
    assert answer.completeness.reason == "what Grown in untyped.ts:3 extends has no type: it may inherit from Handed"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_class_was_passed_over_whose_base_has_a_type_of_which_servers_tell_a_part(desk: Desk, server: str) -> None:
    desk.write(FILES)
    answer = desk.run(desk.ask("impls", query="Sweet", server=server))
    assert [one.name for one in answer.implementations] == ["Mingled"]
    assert answer.completeness.status == "complete"
    answer = desk.run(desk.ask("impls", query="Bitter", server=server))
    long = "what Lengthy in mingled.ts:8 extends has a type that is too long to be told: it may inherit from Bitter"
    assert answer.completeness.reason == long


def test_a_class_was_passed_over_below_one_that_a_call_is_given(told: Told) -> None:
    assert told("Owned") == ["Structured"]


def test_a_class_was_passed_over_below_one_that_a_function_returns(told: Told) -> None:
    assert sorted(told("Root")) == ["Last", "Middle"]
    assert told("Middle") == ["Last"]


def test_a_class_was_passed_over_that_implements_a_part_or_an_alias(told: Told) -> None:
    assert told("Store") == ["Some", "Less", "ByPicked", "ByWider", "BySame", "literal"]
    assert told("Picked") == ["ByPicked"]
    assert told("documented.js#Base") == ["Documented"]


def test_a_class_was_passed_over_that_has_the_members_of_what_a_call_is_given(told: Told) -> None:
    assert told("dtos.ts#Person") == ["Change", "Nameless", "Aged", "Owner"]
    assert told("dtos.ts#Person.name") == ["name"]
    assert told("dtos.ts#Person.age") == ["age"]


def test_a_class_was_passed_over_whose_base_is_the_argument_of_a_type(told: Told) -> None:
    assert told("Page") == ["People"]
    assert told("Page.data") == ["data"]
    assert told("pages.ts#Simple") == ["Simply"]


def test_a_class_was_passed_over_that_implements_an_alias_of_what_is_imported_in_place(told: Told) -> None:
    assert told("signals.ts#Signal") == ["Stateful", "Posted"]
    assert told("signals.ts#Signal.post") == ["post", "post"]


def test_subtypes_were_passed_over(below: Callable[[str], str]) -> None:
    """An alias that adds nothing is no subtype, but what implements it is one."""
    assert below("Store") == "> Some Less Picked(ByPicked) Wider(ByWider) BySame"
    assert below("Wider") == "Store > ByWider"
    assert below("Expression") == "Held > ByExpression"
    assert below("ByPicked") == "Picked(Store) >"
    assert below("Outer") == "> Local list"


def test_what_a_call_in_a_heritage_clause_is_given_was_told_as_a_supertype(below: Callable[[str], str]) -> None:
    assert below("OfPart") == ">"
    assert below("ByMixin") == "Plain >"
    assert below("Trimmed") == "Variance >"
    assert below("Structured") == "Owned >"
    assert below("One") == "Failing >"


def test_a_class_was_passed_over_that_extends_a_parameter(desk: Desk, server: str) -> None:
    desk.write(
        {
            **FILES,
            "mixed.ts": """
                export class Mixed { go() {} }
                export interface Blend { area: number }
                """,
            "mixins.ts": """
                import { Blend, Mixed } from "./mixed";
                type Ctor<T = {}> = new (...args: any[]) => T;
                interface Maker<T> { new (...args: any[]): T }
                export function Tagged<B extends Ctor<Mixed>>(Base: B) { return class Tag extends Base {}; }
                export function Given(Base: Ctor<Mixed>) { class Inner extends Base {} return Inner; }
                export function Direct<B extends typeof Mixed>(Base: B) { return class Straight extends Base {}; }
                export const Twofold = <B extends Maker<Mixed & Blend>>(Base: B) => {
                  class Two extends Base {}
                  return Two;
                };
                export function Free<B extends Ctor>(Base: B, other: Mixed) { return class Freed extends Base {}; }
                """,
        }
    )

    def heirs(name: str) -> list[str]:
        answer = desk.run(desk.ask("impls", query=name, server=server))
        assert answer.completeness.status == "complete", answer
        return [one.name for one in answer.implementations]

    assert heirs("mixed.ts#Mixed") == ["Tag", "Inner", "Straight", "Two"]
    assert heirs("mixed.ts#Blend") == ["Two"]
    above = desk.run(desk.ask("types", query="mixins.ts#Tag", server=server))
    assert [one.symbol.name for one in above.supertypes] == ["Mixed"]


def test_what_nothing_extends_is_no_type(desk: Desk) -> None:
    desk.write(FILES)
    with pytest.raises(InputError, match="literal is a Constant, no class or interface"):
        desk.run(desk.ask("types", query="literal"))


def test_objects_of_a_type_and_of_no_other_in_every_project(desk: Desk, server: str) -> None:
    alone = TSCONFIG.replace("}}", '}, "include": ["."]}')
    desk.write(
        {
            "depot/tsconfig.json": alone,
            "depot/depot.ts": """
                export interface Depot { load(id: string): string }
                export interface OpenDepot extends Depot { load(id: string): string; open(): void }
                export type NamedDepot = Depot;
                export function use(depot: Depot) { return depot.load("a"); }
                """,
            "fakes/tsconfig.json": alone,
            "fakes/fake.ts": """
                import type { Depot } from "../depot/depot";
                export const fake: Depot = { load: (id) => id };
                describe(() => {
                  const fakes: Array<Depot> = [];
                  type Local = Depot & { local: number };
                  const local = { local: 1 } as Local;
                });
                const byName: Record<string, Depot> = {};
                const load = ((id) => id) as Depot["load"];
                const make = (): { depot: Depot } => ({ depot: fake });
                interface Store<T> { stored?: T }
                const Store = { of: 1 };
                const store: Store<Depot> = { stored: fake };
                type Mocked<T> = { [K in keyof T]: T[K] };
                const mocked: Mocked<Depot> = { load: (id) => id };
                const later = async (): Promise<Depot> => { return { load: (id) => id }; };
                declare function describe(run: () => void): void;
                """,
            "fakes/handed.ts": """
                import { use } from "../depot/depot";
                use({ "load": (id) => id });
                const { load } = { load: (id: string) => id };
                use({ load });
                function other() {
                  const load = (id: string) => id;
                  use({ load });
                }
                """,
            "e2e/tsconfig.json": alone,
            "e2e/open.ts": """
                import type { OpenDepot } from "../depot/depot";
                export const open: OpenDepot = { load: (id) => id, open() {} };
                export function local() {
                  interface LocalDepot extends OpenDepot { load(id: string): "local" }
                  return null! as LocalDepot;
                }
                """,
            "named/tsconfig.json": alone,
            "named/named.ts": """
                import type { NamedDepot } from "../depot/depot";
                export const named: NamedDepot = { load: (id) => id };
                """,
        }
    )

    def told(query: str) -> list[str]:
        answer = desk.run(desk.ask("impls", query=query, server=server))
        desk.note()
        assert answer.completeness.status == "complete"
        return sorted(f"{one.file_path}:{one.line}" for one in answer.implementations)

    fakes = ["fakes/fake.ts:15", "fakes/fake.ts:16", "fakes/fake.ts:2"]
    assert told("Depot") == ["e2e/open.ts:2", *fakes, "fakes/fake.ts:6", "named/named.ts:2"]
    assert told("Depot.load") == [
        "e2e/open.ts:2",
        *fakes,
        "fakes/handed.ts:2",
        "fakes/handed.ts:6",
        "named/named.ts:2",
    ]


def test_objects_of_other_heirs_of_a_base_were_told(desk: Desk, server: str) -> None:
    desk.write(
        {
            "tree.ts": """
                export interface Node { type: string; note?: string }
                export interface Leaf extends Node { type: "leaf" }
                export interface Branch extends Node { type: "branch"; of: Tree[] }
                export interface Big extends Branch { note: string }
                export interface Huge extends Big { type: "branch" }
                export type Tree = Leaf | Branch;
                """,
            "grown.ts": """
                import type { Big, Branch, Huge, Leaf, Node, Tree } from "./tree";
                export const leaf: Leaf = { type: "leaf" };
                export const top: Branch = { type: "branch", of: [leaf, { type: "leaf" }, { type: "branch", of: [] }] };
                export const node: Node = { type: "node" };
                export const big: Big = { type: "branch", of: [], note: "a" };
                export const huge: Huge = { type: "branch", of: [], note: "b" };
                export const grow = (type: "leaf" | "branch"): Tree => (type === "leaf" ? { type } : { type, of: [] });
                export const part: Partial<Branch> & { more: 1 } = { type: "branch", more: 1 };
                """,
        }
    )

    def told(query: str) -> list[str]:
        answer = desk.run(desk.ask("impls", query=query, server=server))
        assert answer.completeness.status == "complete"
        return sorted(f"{one.line}:{one.character}" for one in answer.implementations)

    assert told("Leaf.type") == ["2:29", "3:59", "7:22"]
    assert told("Branch.type") == ["3:30", "3:77", "5:27", "6:29", "7:22", "8:54"]
    assert told("Huge.type") == ["6:29"]
    assert told("Node.type") == ["2:29", "3:30", "3:59", "3:77", "4:29", "5:27", "6:29", "7:22", "8:54"]


def test_objects_of_types_that_a_value_may_be_as_well_were_told(desk: Desk, server: str) -> None:
    desk.write(
        {
            "spots.ts": """
                export interface Spot { offset: string; part: number }
                export type Away = { part: number } & { offset: string };
                export interface Both extends Spot, Away {}
                export declare function seek(at: Spot | Away): void;
                export declare function away(at: Away): void;
                export declare function spot(at: Spot[]): void;
                """,
            "used.js": """
                const { away, seek, spot } = require("./spots");
                away({ part: 1, offset: "1" });
                seek({ part: 1, offset: "2" });
                spot([{ part: 1, offset: "3" }]);
                """,
            "tsconfig.json": TSCONFIG.replace('"strict"', '"allowJs": true, "strict"'),
        }
    )
    answer = desk.run(desk.ask("impls", query="Spot.offset", server=server))
    assert answer.completeness.status == "complete"
    assert [f"{one.file_path}:{one.line}" for one in answer.implementations] == ["used.js:3", "used.js:4"]
