"""Ways to lay Python out by which a use was, or could be, passed over in silence: told, or the answer says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.desk import Desk

pytestmark = pytest.mark.server

FILES = {
    "pkg/__init__.py": "from ._impl import Thing\nfrom .core import compute as calc\n__all__ = ['calc']\n",
    "pkg/_impl.py": "class Thing:\n    def go(self): ...\n",
    "pkg/core.py": "def compute(): ...\n",
    "app.py": "import pkg\nfrom pkg import Thing, calc\npkg.Thing().go()\nThing().go()\ncalc()\npkg.calc()\n",
    "star.py": "from pkg import *\ncalc()\n",
    "typed.py": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from pkg import Thing
        def typed(thing: 'list[Thing]'): ...
        """,
    "data.py": """
        from dataclasses import dataclass
        from typing import TypedDict
        @dataclass
        class Box:
            width: int
        class Row(TypedDict):
            key: int
        class Car:
            def __init__(self, speed):
                '''Sets it.

                self.doc = 1
                '''
                self.speed = speed  # self.note = 1
                self._gear: int = 1
            @property
            def fast(self): return self.speed > 3
            @fast.setter
            def fast(self, value): self.speed = 9; self._gear = value
            def __eq__(self, other): return True
            def horn(self): ...
        """,
    "using.py": """
        from data import Box, Car, Row
        print(Box(width=1).width)
        row: Row = {'key': 1}
        car = Car(1)
        car.fast = True
        print(car.speed, car.fast, car == Car(2))
        getattr(car, 'horn')()
        """,
    "ns/one/a.py": "def far(): ...\n",
    "ns/two/b.py": "from ns.one.a import far\nfar()\n",
    "src/lib/core.py": "def run(): ...\n",
    "tests/test_core.py": "from lib.core import run\nrun()\n",
    "scripts/tool.py": "import sys\nsys.path.insert(0, 'src')\nfrom lib.core import run\nrun()\n",
    "fast.py": "def quick(x): return x\n",
    "fast.pyi": "def quick(x: int) -> int: ...\n",
    "quicker.py": "from fast import quick\nquick(1)\n",
    "good.py": "def fine(): ...\ndef other(): ...\n",
    "bad.py": "from good import fine\ndef broken(:\n    fine()\nfine()\n",
    "latin.py": "# coding: latin-1\nfrom good import other\nname = 'été'\nother()\n",
    "lazy/__init__.py": "def __getattr__(name):\n    return __import__('lazy.' + name)\n",
    "lazy/late.py": "def work(): ...\n",
    "waiting.py": "import lazy\nlazy.late.work()\n",
}
# A name that is asked for, and its uses; what may be one makes the answer partial.
TOLD = {
    "Thing": "app.py:2 app.py:3 app.py:4 pkg/__init__.py:1 typed.py:3 typed.py:4",
    "Thing.go": "app.py:3 app.py:4",
    "compute": "app.py:2 app.py:5 app.py:6 pkg/__init__.py:2 pkg/__init__.py:3 star.py:2",
    "Box.width": "using.py:2 using.py:2",
    "Car.speed": "data.py:17 data.py:19 using.py:6",
    "Car._gear": "data.py:19",
    "Car.horn": "using.py:7",
    "Car.fast": "data.py:18 using.py:5 using.py:6",
    "far": "ns/two/b.py:1 ns/two/b.py:2",
    "run": "scripts/tool.py:3 scripts/tool.py:4 tests/test_core.py:1 tests/test_core.py:2",
    "other": "latin.py:2 latin.py:4",
    "work": "waiting.py:2",
    "quick": "quicker.py:1 quicker.py:2",
}
PARTIAL = {
    "Row.key": "using.py:3",
    "Car.__eq__": "called where it is not named",
    "Car.__init__": "called where it is not named",
    "fine": "bad.py:3",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, user_folders: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("layouts").resolve() / "work")
    desk.write(FILES)
    latin = desk.root / "latin.py"
    latin.write_bytes(latin.read_text("utf-8").encode("latin-1"))
    yield desk
    assert desk.close() == []


@pytest.mark.parametrize("query", TOLD)
def test_every_use_is_told(desk: Desk, query: str) -> None:
    assert " ".join(desk.uses(query)) == TOLD[query]


@pytest.mark.parametrize("query", PARTIAL)
def test_what_may_be_a_use_makes_the_answer_partial(desk: Desk, query: str) -> None:
    completeness = desk.find(query).completeness
    assert completeness.status == "partial"
    assert PARTIAL[query] in (completeness.reason or "")


def test_what_a_method_gives_its_object_is_a_member_of_its_class(desk: Desk) -> None:
    rows = [row for row in desk.rows("data.py") if ".Car." in f".{row.split()[-1]}"]
    assert [row.split(" ", 1)[1] for row in rows if "Property" in row] == ["Property Car.speed", "Property Car._gear"]
