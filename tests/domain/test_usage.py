"""What the text around a name says of its use."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.usage import calls, is_call, origin_at, unnamed_calls


@pytest.mark.parametrize(
    "text",
    [
        "f()", "f<A>(1)", "f<A<{ b: string }>>([])", "f<{ a: { b: 1; c: 2 } }>()", "f<A<B<C<D>>>>()",
        "f<A<string, () => void>>()", "f<(a: (b: () => void) => void) => void>()", "f<<A>(a: A) => { b: A }>()",
        "f?.()", "f!()", "new f()", "f`x`", "@f class A {}", "f.call(null)", "f!.call(this)",
        "f?.apply(1)", "(f)()", "(f as F)(1)",
        "(f satisfies F)()", "(0, f)()", "new (f as any)()", "a['f']()", 'a?.["f"](1)', "((f))()", "return (f)()",
        "(f as (this: A, b: C) => Promise<D>).call(a)", "(f as unknown as (a: () => B) => C)()",
        "if (x) (f)()", "while (a(b) && (c)) (f)()", "for await (const x of y(')')) (f as F)()",
        "class A extends f(B) {}", "class A extends m.f() {}", "x ? f() : {}", "g(x ? f() : 1)", "if (f()) {}",
        "f()\n{}", "x ? await\n f() : y", "x ?\n /* y */\n f() : z", "x\n ? y +\n f() : z", "{ x ? /* y */ f() : z",
        "[f({ a() {} })]", "f(() => { })",
        "<f />", "<p>one<f/></p>", "<><f></f></>", "<p>{x}<f a={1} /></p>", "=><f/>",
        "return <f>x</f>", "x && (\n  <f>x</f>\n)", "x ? <f>x</f> : null", "<p>some <f>x</f></p>",
        "<p>(some) <f {...x} /></p>", "<p>some <x.f key={1}/></p>",
    ],
)  # fmt: skip
def test_a_call(text: str) -> None:
    start = text.index("f", text.index("(f") if "(f" in text else text.index("f"))
    assert is_call(text, start, start + 1, jsx=True)


@pytest.mark.parametrize(
    "text",
    [
        "g(f)",
        "g(f)()",
        "f < g && (h)",
        "f < g; h > (i)",
        "f < g && h > (i)",
        "x = f < g\nconst y = a(b(c)) > (i)",
        "f",
        "x < f",
        "if (x < f) {}",
        "a[0] < x.f && y > x",
        "x() <\n  f && y",
        "x = f;",
        "{ ['f']() {} }",
        "if (f) (g)()",
        "(f) => 1",
        "a.if(x)(f)()",
        "elif(x) (f)()",
        "a<f>(1)",
        "[f][0]()",
        "new f.B()",
        "@f.b() class A {}",
        "<f.B />",
        "(a): f\n(a)",
        "g({ f() { } })",
        "g({ a, async f({ b = ')' }, c) {\n} })",
        "g({ a, f(b: { c: D }): Promise<E> { } })",
        "class A { static f() {} }",
        "type A = { b?: string\n f(c: D): E }",
        "type A = { b: { c: D; f<B>(c: D): E } }",
        "type A = { b: string[]\n /** one\n * two */\n f(c: D): E }",
    ],
)
def test_no_call(text: str) -> None:
    start = text.rindex("f") if text.startswith("if") is False else text.index("f", 2)
    assert not is_call(text, start, start + 1, jsx=True)


def test_what_is_called_without_a_name() -> None:
    text = (
        "function f(a) { t[key](); t['told'](); (one || other)(1); (told as F)(); list[0]?.(x);"
        "x = [a](); class A { [k]() {} async ['x']() {} } (() => 1)(); get(x)(y); (await told())(1); "
        "new (a ? B : C)() }"
    )
    assert list(unnamed_calls(text, 0, len(text))) == ["t[key]", "(one || other)", "list[0]", "(a ? B : C)"]
    named = [text[start:end] for start, end in calls(text, 0, len(text))]
    assert named == ["told", "told", "get", "told"]


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("const a = b;", "b"),
        ("let a: Type = lib.b\n", "b"),
        ("const a = b();", None),
        ("const a = b + c;", None),
        ("function f(a = b) {}", None),
    ],
)
def test_what_a_variable_is_another_name_of(text: str, origin: str | None) -> None:
    start = text.index("a", 3)
    found = origin_at(text, start, start + 1)
    assert (text[found : found + 1] if found is not None else None) == origin
