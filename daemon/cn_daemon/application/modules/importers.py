"""Which of the files that export a name its importers mean, by their texts alone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.reach import Reach
from cn_daemon.domain.source.reading import imports
from cn_daemon.domain.source.text import Document

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# Where an import comes from: its keyword and the words of a path are no names.
_MODULE = re.compile(r"""(?:\bfrom\s*)?(?P<quote>['"])(?P<name>[^'"\n]+)(?P=quote)""")
_EXPORT = re.compile(r"\s*export\b\s*(?:type\b\s*)?(?P<all>\*)?")


class Clause(NamedTuple):
    """What an import takes, or a list of exports. module: where from, or nothing. all: whatever that exports."""

    names: frozenset[str]
    module: str
    exports: bool
    all: bool


def clauses(document: Document) -> list[Clause]:
    return document.once(_clauses)


class Importers:
    """For one question. likeliest: of several files that an importer may mean."""

    def __init__(self, reach: Reach, documents: Documents, likeliest: Callable[[str, Collection[str]], str]) -> None:
        self._reach = reach
        self._documents = documents
        self._likeliest = likeliest
        self._leads: dict[tuple[str, str], list[str]] = {}

    def counted(self, name: str, importing: Iterable[str], exporting: Collection[str]) -> dict[str, int]:
        """How many of these files import the name from each that exports it."""
        counts: dict[str, int] = {}
        for path in importing:
            meant = self._meant(path, name, frozenset(exporting) - {path}, {path})
            if meant:
                one = self._likeliest(name, meant)
                counts[one] = counts.get(one, 0) + 1
        return counts

    def _meant(self, path: str, name: str, exporting: frozenset[str], passed: set[str]) -> set[str]:
        document = self._documents.try_get(path)
        told = clauses(document) if document is not None else []
        naming = [one for one in told if name in one.names]
        if len(passed) > 1:
            if all(one.module or not one.exports for one in naming):
                # What a module imports it does not hand on, unless a list of its exports says so.
                naming = [one for one in naming if one.exports]
            naming = naming or [one for one in told if one.all]
        found: set[str] = set()
        for clause in naming:
            for place in self._lead(path, clause.module):
                if place in exporting:
                    found.add(place)
                elif place.endswith("/"):
                    found.update(one for one in exporting if one.startswith(place))
                elif place not in passed:
                    passed.add(place)
                    found |= self._meant(place, name, exporting, passed)
        return found

    def _lead(self, path: str, module: str) -> list[str]:
        if not module:
            return []
        key = (os.path.dirname(path), module)
        if key not in self._leads:
            self._leads[key] = self._reach.lead(path, module)
        return self._leads[key]


def _clauses(document: Document) -> list[Clause]:
    found = []
    for start, end in document.once(imports):
        text = document.text[start:end]
        module, export = _MODULE.search(text), _EXPORT.match(text)
        names = frozenset(_WORD.findall(_MODULE.sub("", text)))
        every = export is not None and export["all"] is not None
        found.append(Clause(names, module["name"] if module else "", export is not None, every))
    return found
