"""pytest's fixtures: which function gives a test, or another fixture, what a parameter of a name takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from cn_daemon.application.context import Context
from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.mentions.python_types import Function, PythonTypes
from cn_daemon.domain.source.text import Document

# Those that pytest itself has (its reference, "Built-in fixtures"); `request` leads to objects of the tests.
FOREIGN = frozenset(
    "cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace monkeypatch pytestconfig pytester "
    "record_property record_testsuite_property record_xml_attribute recwarn request testdir tmp_path tmp_path_factory "
    "tmpdir tmpdir_factory".split()
)


class Fixtures:
    """For one question: shares its documents."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[str, dict[str, Document]] = {}

    def declaring(self, name: str) -> dict[str, Document]:
        """The files that declare a fixture of a name."""
        if name not in self._known:
            texts = self._context.python_texts(name)
            self._known[name] = {one.path: one for one in texts if next(_starts(one, name), None) is not None}
        return self._known[name]

    def giver(self, document: Document, function: Function, name: str) -> tuple[Document, Function] | None:
        """The function of the fixture that a parameter takes."""
        place = function.places.get(name, function.name_start)
        found = giver(document, place, name, self.declaring(name)) if self.asks(document, function) else None
        if found is None:
            return None
        home, start = found
        return next(((home, one) for one in home.once(PythonTypes).functions if one.name_start == start), None)

    def asks(self, document: Document, function: Function) -> bool:
        """Whether pytest calls a function: a test, or a fixture."""
        fixtures = document.once(PythonText).fixtures
        return function.name.startswith("test") or any(one.start == function.name_start for one in fixtures)


def giver(document: Document, place: int, name: str, givers: Mapping[str, Document]) -> tuple[Document, int] | None:
    """Of the files with a fixture of a name the one that gives it to a parameter at a place, and where its function's
    name begins, as pytest looks for it: in the class around, in the module, in the nearest conftest.py above. One that
    takes a fixture of its own name takes the next."""
    types = document.once(PythonTypes)
    around = types.around(place)
    here = [one for one in _starts(document, name) if not types.is_in_function(place, one)]
    # What a class inherits from may have fixtures, too.
    further = here if around is not None and around.bases else []
    own = [one for one in here if around is not None and types.around(one) == around]
    found = [*own, *(one for one in here if types.around(one) is None), *further]
    if found:
        return document, found[0]
    above = [one for one in givers if os.path.basename(one) == "conftest.py" and one != document.path]
    nearest = max((one for one in above if document.path.startswith(f"{os.path.dirname(one)}/")), key=len, default="")
    start = next(_starts(givers[nearest], name), None) if nearest else None
    return (givers[nearest], start) if start is not None else None


def _starts(document: Document, name: str) -> Iterator[int]:
    return (one.start for one in document.once(PythonText).fixtures if one.name == name)
