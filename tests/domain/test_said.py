"""Whether an object or a function is said to be of a type."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.said import said_by
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.text import Document


@pytest.mark.parametrize(
    "text",
    [
        "const a: A = |{ b: 1 };",
        "const a: lib.A<B, C> = |{ b: 1 };",
        "function f(a: B, b: Map<C, D>, a?: Partial<A> & B = |{}) {}",
        "class X { readonly a!: B | (A | C) = |{}; }",
        "const a: jest.Mocked<A> = |{};",
        "f(|{ b: 1 } as unknown as A)",
        "f(|{ b: 1 } as A);",
        "const a = |{} satisfies A\nconst b: A[] = []",
        "const a = (|(b) => c) as A;",
        "const f = (b: B): A => |({ c: 1 });",
        "const f = async (b): Promise<A> => |({ c: 1 });",
        "const f = (b): A => (|{ c: 1 });",
        "function f(a: A[]): A { if (a) { return |{ b: 1 }; } }",
        "const f = (a: A[]): Promise<A> => { return |{ b: 1 }; }",
        "class X { f(a: A[]): A { return |{ b: 1 }; } }",
        # Nothing is said where it stands.
        "function f(a: A[]) { return |{ b: 1 }; }",
        "const f = (a: A) => |{};",
        "const a: Named = |{};",
        "const f: (a: A[]) => B = g(|{});",
    ],
)
def test_it_is_said_to_be(text: str) -> None:
    place = text.index("|{") if "|{" in text else text.index("|(")
    assert said_by(brackets(Document("a.ts", text[:place] + text[place + 1 :])), place, {"A"}) != []


@pytest.mark.parametrize(
    "text",
    [
        "const a: Record<string, A> = |{};",
        "const a: { [b: string]: A } = |{};",
        "class X { a: { b: A[] } | { c: D } = |{ b: [] }; }",
        "const a: (a: A) => B = |(a) => b;",
        "const a: () => A = |() => b;",
        "const a: A['b'] = |{};",
        "const a: A<B>['b'] = |{};",
        "const a: NonNullable<A['b']> = |(c) => {};",
        "const a: Promise<Map<string, A>> = |{};",
        "const a = (|(b) => c) as A<B>['match'];",
        "f(|{} as A.Class);",
        "const a: keyof A = |{};",
        "const a: ConstructorParameters<typeof A> = |{};",
        "const f = (b): Record<string, A> => |({});",
        "const f = (b): Record<string, A> => { return |{}; }",
        "function f(): { a: A } { return |{ a }; }",
    ],
)
def test_it_is_not(text: str) -> None:
    place = text.index("|{") if "|{" in text else text.index("|(")
    assert said_by(brackets(Document("a.ts", text[:place] + text[place + 1 :])), place, {"A"}) == []


def test_it_may_be_for_what_the_types_around_it_do() -> None:
    text = "const a: lib.Store<Partial<A>, B> | A = {};"
    told = said_by(brackets(Document("a.ts", text)), text.index("{"), {"A"})
    assert told == [[text.index("Partial"), text.index("Store")], []]
