"""pytest's fixtures: which function gives a test, or another fixture, what a parameter of a name takes."""

from __future__ import annotations

import os
from collections.abc import Collection

from cn_daemon.application.context import Context
from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.mentions.python_types import Function, PythonTypes
from cn_daemon.domain.python_modules import ENDINGS
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
        self._words, _, self._documents, _ = context
        self._known: dict[str, dict[str, Document]] = {}

    def given(self, name: str) -> dict[str, Document]:
        """The files that declare a fixture of a name."""
        if name not in self._known:
            found = {}
            for path in self._words.files_with(name):
                document = self._documents.try_get(path) if path.endswith(ENDINGS) else None
                if document is not None and any(one.name == name for one in document.once(PythonText).fixtures):
                    found[path] = document
            self._known[name] = found
        return self._known[name]

    def giver(self, document: Document, function: Function, name: str) -> tuple[Document, Function] | None:
        """The function of the fixture that a parameter takes."""
        home = self.given(name).get(giver(document.path, self.given(name))) if self.asks(document, function) else None
        fixture = (
            next((one for one in home.once(PythonText).fixtures if one.name == name), None)
            if home is not None
            else None
        )
        if home is None or fixture is None or fixture.start == function.name_start:
            return None
        return next(((home, one) for one in home.once(PythonTypes).functions if one.name_start == fixture.start), None)

    def asks(self, document: Document, function: Function) -> bool:
        """Whether pytest calls a function: a test, or a fixture."""
        fixtures = document.once(PythonText).fixtures
        return function.name.startswith("test") or any(one.start == function.name_start for one in fixtures)


def giver(path: str, givers: Collection[str]) -> str:
    """Of the files with a fixture of a name the one that gives it to a test file, as pytest looks for it: itself, else
    the nearest conftest.py above; "" for none."""
    if path in givers:
        return path
    above = (one for one in givers if os.path.basename(one) == "conftest.py")
    return max((one for one in above if path.startswith(os.path.dirname(one) + "/")), key=len, default="")
