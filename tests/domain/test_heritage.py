"""What stands in the head of a class, an interface or an alias."""

from __future__ import annotations

import re

import pytest

from cn_daemon.domain.heritage import clause_at, inherited, made_of
from cn_daemon.domain.holding import holder_at, leads_on


@pytest.mark.parametrize(
    ("kind", "head", "names"),
    [
        ("Class", " extends ns.Base<Other> implements A, lib.B<C> { x: D }", "Base A B"),
        ("Class", "<T extends Bound = {}> extends Base {}", "Base"),
        ("Class", " extends Mix({ key: Value }, Base) implements A {}", "Mix Base A"),
        ("Class", " extends Base.with<Own>('own')({ a: S }) {}", "with Base"),
        ("Class", " implements Partial<Omit<Base, keyof Other>>, Readonly<A> {}", "Base A"),
        ("Interface", " extends Pick<Base, 'a' | 'b'>, A {}", "Base A"),
        ("TypeAlias", "<T extends Bound = X> = Base<T> & Partial<A> & { b: B };", "Base A"),
        ("TypeAlias", " = Base\nexport const other: A = 1", "Base"),
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
    ],
)
def test_whose_clause_a_name_stands_in(text: str, heir: str | None) -> None:
    clause = clause_at(text, text.index("Base"))
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
    assert leads_on(text, "Base", value=True, script=False)
    assert not leads_on("export class Base {}\nnew Base().run(); let one: Base;", "Base", value=True, script=False)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("class A extends mix(Base) {}", "mix"),
        ("class A extends lib.mix<B<C>>(Base, { a: () => b(1) }).with(2) implements D {}", "with"),
        ("class A extends Base implements B {}", None),
        ("class A extends Base<B> { a = b() }", None),
    ],
)
def test_what_a_class_calls_for_its_base(text: str, call: str | None) -> None:
    clause = clause_at(text, text.index("Base"))
    assert clause is not None
    told = None if clause.call is None else re.match(r"\w+", text[clause.call :])
    assert (told and told[0]) == call


@pytest.mark.parametrize(
    ("signature", "made"),
    [
        ("const make: <A>(a: A, go: (one: A) => B<A>) => lib.Made<typeof A, B<A>> (+1 overload)",
         ("Made", "typeof A, B<A>")),
        ("(method) Of<A>.with(a: A): Made<typeof A>", ("Made", "typeof A")),
        ("function mix(a: typeof A): Made<typeof A> & typeof A", ("", "")),
        ("function mix(a: typeof A): typeof A", ("", "")),
        ("class A", ("", "")),
    ],
)  # fmt: skip
def test_what_a_call_makes(signature: str, made: tuple[str, str]) -> None:
    assert made_of(signature) == made
