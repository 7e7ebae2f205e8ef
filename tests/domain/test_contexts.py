"""What has a say in the type of an object literal."""

from __future__ import annotations

import pytest

from cn_daemon.domain.mentions.contexts import givers
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.text import Document


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("const a = |{ b: 1 };", ""),
        ("const a = { b: |{ c: 1 } } as const;", ""),
        ("const a = { ...(b(c) && d === 1 || e ? (|{ c: 1 } as const) : f) };", None),  # or what stands beside
        ("const a = { ...((b || c) && d === 1 ? (|{ c: 1 } as const) : e) };", ""),
        ("const a = { b: c ? { d: 1, } : |{ e: 1 } };", ""),
        ("const a = { [b]: |{ c: 1 } };", ""),
        ("const a = f(|{ c: 1 });", "f"),
        ("const a = new f.g(b.c, 'd', true, |{ c: e });", "f b"),
        ("const a = { b: f(g(h), |{ c: 1 }) };", "f g h"),
        ("const a = f(|{ c: 1 }).d({ e });", "f"),
        ("f(|{ c: 1 }).d(lost);", "f"),
        ("const a = b ? f(|{ c: 1 }) : d;", "f"),
        ("const a = b ? |{ c: 1 } : d;", ""),
        # A pattern is given a value, and parameters are.
        ("const e = 1\nconst { a: |{ b } } = c", None),
        ("const e = ({ a: |{ b } } = c);", None),
        ("const e = (|{ b }) => b;", None),
        ("const e = (|{ b }: F): G => b;", None),
        ("const e = ({ a: |{ b } }: F): G => b;", None),
        # Something else has a say.
        ("const a: B = |{ c: 1 };", None),
        ("const a = |{ c: 1 } as B;", None),
        ("const a = |{ c: 1 } satisfies B;", None),
        ("const a = f(|{ c: 1 }) as B;", None),
        ("const a = b || |{ c: 1 };", None),
        ("const a = b ?? f(|{ c: 1 });", None),
        ("const a = [|{ c: 1 }];", None),
        ("const a = () => (|{ c: 1 });", None),
        ("a = |{ c: 1 };", None),
        ("a.b = f(|{ c: 1 });", None),
        ("const a = f(() => b, |{ c: 1 })", "f b"),
        ("const a = f(this, |{ c: 1 })", None),
        ("const a = f(b)(|{ c: 1 })", None),
        ("const a = f()!.b(|{ c: 1 })", None),
        ("const a = f<B>(|{ c: 1 })", None),
        ("const a = import(|{ c: 1 })", None),
        ("function a(b = |{ c: 1 }) {}", None),
        ("f(|{ c: 1 });", None),
        ("return |{ c: 1 };", None),
    ],
)
def test_what_has_a_say(text: str, told: str | None) -> None:
    document = Document("/w/a.ts", text.replace("|", "", 1) if text.count("|") == 1 else text.replace("|{", "{"))
    script = brackets(document)
    found = givers(script, script.at(text.index("|{")))
    assert (" ".join(script.text(at) for at in found) if found is not None else None) == told
