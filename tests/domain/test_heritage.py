"""What stands in the head of a class, an interface or an alias."""

from __future__ import annotations

import re

import pytest

from cn_daemon.domain.mentions.clauses import clause_at
from cn_daemon.domain.mentions.heritage import base_at, inherited, is_compound
from cn_daemon.domain.mentions.holding import holder_at, is_extended, leads_on
from cn_daemon.domain.mentions.making import Reader, value_type
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document


def source(text: str) -> SourceText:
    return SourceText(Document("/w/a.ts", text))


@pytest.mark.parametrize(
    ("kind", "head", "names"),
    [
        ("Class", " extends ns.Base<Other> implements A, lib.B<C> { x: D }", "Base A B"),
        ("Interface", " extends Base<Of.It>, A<Of.It, typeof b?.c>, ns.B {}", "Base A B"),
        ("Class", "<T extends Bound = {}> extends Base {}", "Base"),
        ("Class", " extends Mix({ key: Value }, Base) implements A {}", "Mix Base A"),
        ("Class", " extends Base.with<Own>('own')({ a: S }) {}", "with Base"),
        ("Class", " implements Partial<Omit<Base, keyof Other>>, Readonly<A> {}", "Base A"),
        ("Interface", " extends Pick<Base, 'a' | 'b'>, A {}", "Base A"),
        ("TypeAlias", "<T extends Bound = X> = Base<T> & Partial<A> & { b: B };", "Base A"),
        ("TypeAlias", " = Base\nexport const other: A = 1", "Base"),
        ("TypeAlias", "<T> = import('./of.type', { with: { 'resolution-mode': 'import' } }).Base<T> & A", "Base A"),
        ("TypeAlias", " = A & import('./a').ns.Base", "Base A"),
        ("TypeAlias", " = Partial<import('./a').Base>", "Base"),
        ("TypeAlias", " = typeof import('./a').Base", ""),
        ("TypeAlias", " = import('./a').Base['key']", ""),
        ("TypeAlias", " = Base | A", ""),
        ("TypeAlias", " = (one: Base) => A", ""),
        ("TypeAlias", " = Base['key']", ""),
        ("TypeAlias", " = keyof Base", ""),
        ("Constant", " = class Named extends Base {}", "Base"),
        ("Constant", " = mix(class extends Base {})", ""),
        ("Function", "() { class A extends Base {} }", ""),
    ],
)
def test_what_a_declaration_inherits_from(kind: str, head: str, names: str) -> None:
    text = f"Name{head}"
    assert sorted(text[one.start : one.end] for one in inherited(text, 4, kind)) == sorted(names.split())


@pytest.mark.parametrize(
    ("text", "heir"),
    [
        ("class A extends /* the class */ Base {}", "A"),
        ("class A { base: Base }", None),
        ("class A extends B { method(one: Base) {} }", None),
        ("const A = class extends Base {}", "A"),
        ("const A: Type = class B extends Base {}", "A"),
        ("new (class extends Base {})()", "class"),
        ("import type { Base } from 'a'", None),
        ("type A = Base & { a: 1 }", "A"),
        ("type A = { a: Base }", None),
        ("/**\n * Makes a class.\n */\ntype A<T> = T extends Base ? B : C;", None),
    ],
)
def test_whose_clause_a_name_stands_in(text: str, heir: str | None) -> None:
    clause = clause_at(source(text), text.index("Base"))
    assert (text[clause.start : clause.end] if clause else None) == heir


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("const A = Base;", "A"),
        ("const A: Type<B> = mix(Base, 1)", "A"),
        ("static readonly A = lib.Base\n", "A"),
        ("function f(A?: typeof Base) {}", "A"),
        ("register({ A: Base })", "A"),
        ("const make = () => Base;", ""),
        ("function make() { return cond ? Base : Other }", ""),
        ("const a = new Base()", None),
        ("const a = Base.create()", None),
        ("function f(one: Base) {}", None),
        ("one === Base", None),
        ("return One as unknown as abstract new <T extends Base>(...all: any[]) => Two<T>", None),
    ],
)
def test_what_holds_a_class(text: str, name: str | None) -> None:
    start = text.index("Base")
    held = holder_at(text, start, start + 4, value=True)
    assert (held.name if held else None) == name


@pytest.mark.parametrize(
    "text", ["export { Base as B }", "export default Base", "class A extends Base {}", "x = Base;"]
)
def test_what_may_have_heirs(text: str) -> None:
    assert leads_on(source(text), "Base", value=True)
    assert not leads_on(source("export class Base {}\nnew Base().run(); let one: Base;"), "Base", value=True)


@pytest.mark.parametrize(
    ("head", "base"),
    [
        (" extends mix(Base) {}", ("mix", 1)),
        (" extends lib.mix<B<C>>(Base, { a: () => b(1) }).with(2)<D>() implements E {}", ("with", 2)),
        ("<B extends C<D>> extends Base<B> implements E { a = b() }", ("Base", 0)),
        (" extends declare(a) {}", ("declare", 1)),
        (" extends (Base as any) {}", None),
        (" implements Base {}", None),
    ],
)
def test_what_a_class_extends(head: str, base: tuple[str, int] | None) -> None:
    told = base_at(f"class A{head}", 7)
    word = told and re.match(r"\w+", f"class A{head}"[told.start :])
    assert (told and word and (word[0], told.calls)) == base


@pytest.mark.parametrize(
    ("signature", "calls", "made"),
    [
        ("function make<A>(a: A): Maker<typeof A, B<A>> (+1 overload)", 1, "maker Maker"),
        ("const make: <A>(a: A, go: (one: A) => B) => lib.Made<typeof A>\nnamespace make", 1, "maker Made"),
        ('const tag: <"a">(id: "a") => <A, B>() => Tagged<A, B>', 2, "maker Tagged"),
        ("(method) Of<A>.with(a: A): typeof A & { a: 1 }", 1, "class A"),
        ("const tag: (id: string) => new <A>(all: A extends 1 ? 2 : 3) => A & Part<B>", 1, "instance A, instance Part"),
        ("const made: { new (): A; new <B>(one: C): D }", 0, "instance A, instance D"),
        ("(property) Parent?: typeof A | undefined", 0, "class A, open"),
        ("function mix(a: A): { new (): (Anonymous class) } & typeof A", 1, "instance Anonymous, class A, open"),
        ("function make(): any", 1, "open"),
        ("const make: () => A", 2, "open"),
    ],
)
def test_what_new_makes_of_a_value(signature: str, calls: int, made: str) -> None:
    reader = Reader(value_type(signature, calls), 0)
    reader.type()
    assert ", ".join([*(f"{one.sort} {one.name}" for one in reader.parts), *(["open"] if reader.open else [])]) == made


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("class A extends useIt {}", True),
        ("export default class<T extends B> extends mix(C, useIt) {}", True),
        # What else says `extends` led from one function that is handed a class to all that calls it, and on.
        ("type A<T> = T extends B ? typeof useIt : never;", False),
        ("function a<T extends B>(b: T = useIt()) {}", False),
    ],
)
def test_a_class_may_extend_a_thing_of_a_name(text: str, told: bool) -> None:
    assert is_extended(text, "useIt") is told


@pytest.mark.parametrize(
    ("text", "compound"),
    [
        ("type A = { a: 1 } & B;", True),
        ("type A = B | C;", True),
        ("type A<T extends B & C = D | E> = { a: 1 | 2, b: F & G };", False),
        ("type A = () => B;", False),
        ("type A = Part<B & C>;", False),
    ],
)
def test_an_alias_of_several_types(text: str, compound: bool) -> None:
    assert is_compound(text, text.index("A") + 1, len(text)) is compound
