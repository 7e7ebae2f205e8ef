"""Which keys of patterns a server may not know, and which are declared, or stand in values."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.patterns import doubtful_keys
from cn_daemon.domain.source.text import Document


@pytest.mark.parametrize(
    "text",
    [
        "({ |a: b } = c);",
        "b;\n({ d: { |a } } = c)",
        "({ '|a': b, d } = c);",
        "({ d, |a = 1 } = c);",
        "if (b) { ({ |a } = c); }",
        "f(() => ({ |a: b } = c));",
        "({ d } = c); if (b) d(); else ({ |a } = c);",
        "({ d } = c); async () => { return ({ |a } = c); }",
        "[{ |a: b }] = c;",
        "for ({ |a: b } of c) {}",
        "for ({ |a } of c) d;",
        "const { ['|a']: b } = c;",
        "const { d: { [`|a`]: b } } = c;",
        "function f({ ['|a']: b }) {}",
        "const f = ({ ['|a']: b }): void => {};",
        "class A { m({ ['|a']: b } = c) {} }",
        "({ ['|a']: b } = c);",
        "const d = { |a: b } = c;",
        "d = [{ |a }] = c;",
        "const f: F = ({ |a } = {}) => a;",
        "f(async function ({ b, |a: c = 1 } = {}): void {});",
        'b?.["|a"]("c");',
        "b?. [ '|a' ]?.();",
        "b?.[`|a`]();",
        # Values, variables and what declares.
        'b["a"]();',
        'b?.["ab"]();',
        "b?.[a]();",
        'b ? ["a"] : 1;',
        """// b?.["a"]\n'b?.["a"]'""",
        "const { a: b } = c; ({ d } = c);",
        "function f({ a: b } = c) {}\n({ d } = c);",
        "({ d } = c); const f = ({ a }: A = c) => a;",
        "({ d } = c); const e = { a: 1, b: { a } };",
        "({ d } = c); type F = (d: Get<C, 'a', never>, e: ['b', 'a']) => void;",
        "({ d } = c); f({ a }); e = [{ a: 1 }];",
        "const e = { ['a']: 1 };",
        "f({ ['a']: 1 });",
        "const { [a]: b } = c;",
        "({ d } = c); if (e == { a }) {}",
        "for (const { a: b } of c) {}\nfor (const { a } of c) {}",
        "// ({ a: b } = c)\n'({ a: b } = c)'",
        "let x = 1;\n[{ b: x }] = [c];\nconst d: { a: number } = c;",
        "[{ b: x }] = [c];\nexport const d: {\n  <A, a, B>(x: A): B\n} = c;",
        "({ d } = c); type F<T extends { a: string } = A> = (d: T) => void;",
        "({ d } = c); type F<T extends readonly [{ a: string }] = A> = (d: T) => void;",
    ],
)
def test_keys_that_a_server_may_not_know(text: str) -> None:
    place = text.find("|")
    found = [key.place for key in doubtful_keys(Document("/w/a.ts", text.replace("|", "")), "a")]
    assert found == ([place] if place >= 0 else [])
