"""What the workspace gives a parameter of a Python function: by all calls of the function's name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.domain.declarations.symbols import is_test
from cn_daemon.domain.mentions.python_calls import Call, PythonCalls
from cn_daemon.domain.mentions.python_types import Function, PythonTypes
from cn_daemon.domain.python_modules import ENDINGS
from cn_daemon.domain.source.text import Document

# So many files, and so many calls, are looked at.
_FILES = 40
_CALLS = 30


class Argument(NamedTuple):
    """start, end: of an expression in a document."""

    document: Document
    start: int
    end: int


class CallArguments:
    """For one question: shares its documents."""

    def __init__(self, context: Context) -> None:
        self._words, _, self._documents, _ = context

    def arguments(self, document: Document, function: Function, name: str) -> list[Argument] | None:
        """The expressions whose values a parameter takes that has no default; None where not all are known: of methods
        those alone that nobody else calls (with an underscore, and constructors of classes without heirs). What tests
        alone call others call as well."""
        declared = document.once(PythonTypes).method_of(function)
        if function.decorator is not None or (function.name.startswith("__") and function.name != "__init__"):
            return None
        if declared is not None and not function.name.startswith("_"):
            return None
        called = declared.name if declared is not None and function.name == "__init__" else function.name
        at = list(function.places).index(name) if name in function.places else 0
        if called != function.name and declared is not None and not declared.plain:
            return None  # who constructs it is not known
        found = []
        for one, calls in self._calls(called):
            if calls is None:
                return None
            for call in calls:
                shifted = declared is not None and (call.of_member or called != function.name)
                value = call.named.get(name, _at(call, at - shifted))
                if value is not None:
                    found.append(Argument(one, *one.once(PythonCalls).span(value)))
        if not self.is_test(document) and all(self.is_test(one.document) for one in found):
            return None
        return found if 0 < len(found) <= _CALLS else None

    def is_test(self, document: Document) -> bool:
        return is_test(self._documents.place(document.path))

    def _calls(self, name: str) -> Iterator[tuple[Document, list[Call] | None]]:
        for at, path in enumerate(self._words.files_with(name)):
            document = self._documents.try_get(path) if path.endswith(ENDINGS) and at < _FILES else None
            if document is not None:
                yield document, document.once(PythonCalls).of(name)
            elif path.endswith(ENDINGS) or path.endswith(".ipynb"):
                yield Document(path, ""), None


def _at(call: Call, at: int) -> ast.expr | None:
    return call.arguments[at] if 0 <= at < len(call.arguments) else None
