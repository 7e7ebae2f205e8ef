"""Which other members a text surely takes of a value: of `it.here` those of `it.yes…`, never those of `it.no…`."""

from __future__ import annotations

import re

import pytest

from cn_daemon.domain.mentions.python_accesses import PythonAccesses
from cn_daemon.domain.source.text import Document

CASES = {
    "before it, in the same block": "def f(it):\n    it.yes\n    it.here\n",
    "before it, in a block around": "def f(it):\n    it.yes\n    for one in []:\n        it.here\n",
    "behind it, without a way around": "def f(it):\n    it.here\n    b = it.yes1\n    if it.yes2: it.no\n    it.no\n",
    "behind a return": "def f(it):\n    if f: it.no1; return it.here\n    it.no\n".replace("it.no1; ", ""),
    "in one expression": "f(it.here, [it.yes1], a=it.yes2, b=lambda: it.no, c=g and it.no, d=it.no if g else 1)\n",
    "in a chain of comparisons": "it.here < it.yes < it.no\n",
    "another value": "def f(it):\n    it.no\n    it = g()\n    it.yes\n    it.here\n    it = g()\n    it.no\n",
    "the next value of a loop": "def f(it):\n    it.no\n    while it.yes1:\n        it.here\n        it = it.next\n",
    "the test of a loop that goes on": "def f(it):\n    it.no\n    while it.here:\n        it = it.no\n",
    "each value of a loop": "it.no\nfor it in g():\n    if it.yes:\n        it.here\nit.no\n",
    "a comprehension": "it.no\n[(it.here, it.yes1) for it in g() if it.yes2 if it.yes3]\nit.no\n",
    "the condition of one": "it.no\n[it.no for it in g() if it.yes if it.here if it.no]\n",
    "what it may not get to": "def f(it):\n    if f: it.no\n    try: it.no\n    except E: it.no\n    it.here\n",
    "what may be missing": "def f(it):\n    try:\n        it.yes\n        it.here\n        it.no\n    except E: pass\n",
    "what is expected to be missing": "def f(it):\n    with raises(E):\n        it.here\n        it.no\n",
    "another function": "def f(it):\n    it.no\n    def g(): it.here\n    lambda: it.no\n",
    "a variable of all": "def g():\n    global it\n    it = 1\nit.no\nit.here\n",
    "what is behind and or or": "def f(it):\n    g or it.no\n    it.yes and it.here and it.no\n",
    "what is given there": "def f(it):\n    it.no = 1\n    it.here = it.yes\n",
    "a context": "def f(it):\n    with it.yes as a, it.no:\n        it.here\n    with g() as it:\n        it.no\n",
    "a context of its name": "def f(it):\n    it.no\n    with g() as it:\n        it.yes\n        it.here\n",
    "a pattern": "def f(it):\n    it.no\n    match g():\n        case it:\n            it.yes\n            it.here\n",
    "a name given in a condition": "def f(it):\n    it.no\n    if it := it.no:\n        it.here\n",
    "a name given in the expression": "def f(it):\n    g(it.no, (it := g()), it.here)\n",
    "another name": "def f(it, at):\n    at.no\n    g(it.here, at.no, it.a.no)\n".replace("it.a.no", "at.a.no"),
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_what_is_taken_beside(text: str) -> None:
    found = PythonAccesses(Document("/w/a.py", text)).beside(text.index("here"))
    assert {one for one in found if not one.startswith("next")} == set(re.findall(r"it\.(yes\d?)", text))


def test_a_place_of_nothing() -> None:
    assert PythonAccesses(Document("/w/a.py", "it.here; (")).beside(3) == frozenset()
    assert PythonAccesses(Document("/w/a.py", "f().here, f().no")).beside(4) == frozenset()
