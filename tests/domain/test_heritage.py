"""What stands in the head of a class, an interface or an alias."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.heritage import inherited, is_compound


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
