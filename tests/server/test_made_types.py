"""impls on both TypeScript servers: classes that implement what only a compiler can follow were passed over, in answers
that said they were complete."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

Told = Callable[[str], list[str]]

FILES = {
    "tsconfig.json": TSCONFIG,
    "handlers.ts": """
        export class Command<T> { declare result: T }
        export interface CommandHandler<T, R = any> { execute(command: T): R }
        export interface EventHandler<T> { handle(event: T): void }
        export type Handler<T> = T extends Command<infer R> ? CommandHandler<T, R> : EventHandler<T>;
        export class Add extends Command<number> {}
        export class Added {}
        export class OnAdd implements Handler<Add> { execute(add: Add) { return 1; } }
        export class OnAdded implements Handler<Added> { handle(added: Added) {} }
        export class Twice extends OnAdded {}
        """,
    "far.ts": """
        import type { Add as Sum, Handler as Of } from "./handlers";
        export class Far implements Of<Sum> { execute(sum: Sum) { return 2; } }
        """,
    "mapped.ts": """
        export interface Target { one: number; two(): string; three?: boolean }
        type Same<T> = T;
        type Each<T> = { [K in keyof T]: T[K] };
        type Without<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
        type Less = Partial<Target>;
        export class BySame implements Same<Target> { one = 1; two() { return ""; } }
        export class ByEach implements Each<Target> { one = 1; two() { return ""; } }
        export class Without1 implements Without<Target, "one"> { two() { return ""; } }
        export class ByLess implements Less { two() { return ""; } }
        export class ByField implements Without<Target, "two"> { one: number = 1; three?: boolean; }
        export class ByExtract implements Extract<Target | string, object> { one = 1; two() { return ""; } }
        export class Stranger implements Each<Other> { two() { return ""; } }
        export interface Other { two(): string }
        """,
    "taken.ts": """
        export class Engine { run() { return 1; } stop() {} }
        const make = () => new Engine();
        interface Has { engine: Engine; all: Engine[] }
        type One = InstanceType<typeof Engine>;
        type Two = ReturnType<typeof make>;
        type Three = Has["engine"];
        type Four = Has["all"][number];
        export class Engine1 implements One { run() { return 1; } stop() {} }
        export class Engine2 implements Two { run() { return 1; } stop() {} }
        export class Engine3 implements Three { run() { return 1; } stop() {} }
        export class Engine4 implements Four { run() { return 1; } stop() {} }
        export class Engine5 implements InstanceType<typeof Engine> { run() { return 1; } stop() {} }
        """,
    "chosen.ts": """
        export interface Left { left(): void }
        export interface Right { right(): void }
        type Choose<K> = K extends "left" ? Left : Right;
        export interface Between extends Choose<"right"> {}
        export class ByLeft implements Choose<"left"> { left() {} }
        export class ByBetween implements Between { right() {} }
        """,
    "joined.ts": """
        export interface Upper { upper(): void }
        export interface Lower { lower(): void }
        type Joined<U> = (U extends any ? (one: U) => void : never) extends (one: infer I) => void ? I : never;
        export class ByJoined implements Joined<Upper | Lower> { upper() {} lower() {} }
        export interface Empty {}
        type Maybe<T> = T extends string ? Empty : Upper;
        export class ByMaybe implements Maybe<string> { other() {} }
        export class Event {}
        export interface Handles<T> { handle(one: T): void }
        export class ByHandles implements Handles<Event> { handle() {} }
        """,
}


@pytest.fixture(scope="module", params=["typescript", "native"])
def told(request: pytest.FixtureRequest, desk: Desk) -> Told:
    """The names that implement something; and the reason why others may."""
    desk.write(FILES)

    def ask(query: str) -> list[str]:
        answer = desk.run(desk.ask("impls", query=query, server=request.param))
        reason = answer.completeness.reason
        return sorted(one.name for one in answer.implementations) + ([reason] if reason else [])

    return ask


def test_a_class_that_implements_one_branch_of_a_conditional_type(told: Told) -> None:
    assert told("CommandHandler") == ["Far", "OnAdd"]
    assert told("CommandHandler.execute") == ["execute", "execute"]
    assert told("EventHandler") == ["OnAdded", "Twice"]
    assert told("EventHandler.handle") == ["handle"]
    assert told("chosen.ts:Left") == ["ByLeft"]
    assert told("chosen.ts:Right") == ["ByBetween"]
    assert told("chosen.ts:Right.right") == ["right"]


def test_a_class_that_implements_a_mapped_type_or_what_an_alias_is_given(told: Told) -> None:
    assert told("Target") == ["ByEach", "ByExtract", "ByField", "ByLess", "BySame", "Without1"]
    assert told("Target.two") == ["two"] * 5
    assert told("mapped.ts:Other") == ["Stranger"]


def test_a_class_that_implements_what_is_taken_of_a_value_or_a_member(told: Told) -> None:
    assert told("Engine") == ["Engine1", "Engine2", "Engine3", "Engine4", "Engine5"]
    assert told("Engine.stop") == ["stop"] * 5


def test_what_nothing_tells_of_makes_the_answer_partial(told: Told) -> None:
    """Servers do not go into intersections, and of a type without members they know nothing."""
    assert told("joined.ts:Event") == []
    (reason,) = told("joined.ts:Lower")
    assert reason == "ByJoined in joined.ts:4 implements what only a compiler can follow: it may be Lower"
    (reason,) = told("joined.ts:Empty")
    assert reason == "ByMaybe in joined.ts:7 implements what only a compiler can follow: it may be Empty"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_an_alias_inherits_from_was_passed_over_above_a_class(desk: Desk, server: str) -> None:
    desk.write(FILES)
    answer = desk.run(desk.ask("types", query="OnAdd", server=server))
    assert answer.completeness.reason == "what Handler inherits from only a compiler can follow"
