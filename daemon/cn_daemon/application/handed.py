"""Modules that are handed on as values: `import * as a from "b"` and then `{ a }`, `c = a`. The compiler looks for uses
of what such a module exports in files that import it, and in no others."""

from __future__ import annotations

import os
import re

from cn_daemon.application.candidates import Candidates
from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import stem_of
from cn_daemon.domain.modules import declared_again, takes
from cn_daemon.domain.reading import imports
from cn_daemon.domain.text import Document

_NAMED = re.compile(
    r"(?:^|;[ \t]*)(?:import|export)\s+(?:type\s+)?\*\s*as\s+(?P<name>[\w$]+)\s+from\s*['\"](?P<specifier>[^'\"\n]+)",
    re.MULTILINE,
)
_ALL = re.compile(r"\bexport\s*\*\s*from\s*['\"](?P<specifier>[^'\"\n]+)['\"]")
# What stands before it where it is a value. Arguments of calls are left out: mocks and prints take modules everywhere.
_VALUE = re.compile(
    r"(?:(?:\[|\.\.\.|(?<![=!<>])=|=>|[\w$\"')]\s*:|\b(?:return|typeof)\s)|(?P<first>\{)|(?P<further>,))\s*\Z"
)
_BEHIND = {None: ("", ",", ";", ")", "}", "]"), "first": (",", "}"), "further": ("}",)}
_PROSE = re.compile(r"\s*(?://|/?\*)")
_NEAR = 40
# How many modules may export all of one another.
_STEPS = 4


def is_handed_on(path: str, candidates: Candidates, documents: Documents) -> bool:
    """Whether some file may hand on the module, or one that exports all of it, as a value. It errs towards yes."""
    ahead, known = [path], {path}
    for _ in range(_STEPS):
        further = []
        for module in ahead:
            meant = {stem_of(module)}
            if "index" in meant:
                meant = {os.path.basename(os.path.dirname(module)), "index", "."}
            for importer in candidates.importers(module) - known:
                document = documents.try_get(importer)
                handed, whole = document.once(_handed) if document else (frozenset(), frozenset())
                if not meant.isdisjoint(handed):
                    return True
                if not meant.isdisjoint(whole):
                    known.add(importer)
                    further.append(importer)
        ahead = further
    return False


def _handed(document: Document) -> tuple[frozenset[str], frozenset[str]]:
    """What the modules are called that a file hands on as values, and those that it exports all of."""
    text = document.text
    whole = frozenset(_called(found["specifier"]) for found in _ALL.finditer(text)) if "export" in text else frozenset()
    named = list(_NAMED.finditer(text)) if "* as" in text else []
    handed = set()
    for found in named:
        twice = sum(other["specifier"] == found["specifier"] for other in named) > 1
        if twice or _is_value(document, found["name"]):
            handed.add(_called(found["specifier"]))
    return frozenset(handed), whole


def _called(specifier: str) -> str:
    last = specifier.rstrip("/").rpartition("/")[2]
    return "." if last in (".", "..") else stem_of(last)


def _is_value(document: Document, name: str) -> bool:
    """Whether it stands alone where a value does, in a file that gives the name to nothing else."""
    text, word = document.text, re.escape(name)
    if re.search(rf"[(,]\s*{word}\s*\??:|\b(?:const|let|var|function|class)\s+{word}\b", text):
        return False
    for found in re.finditer(rf"{word}(?:\s*([,;)}}\]])|[ \t]*\n(?!\s*(?://|\*)?\s*[.?]))", text):
        start = found.start()
        value = _VALUE.search(text, max(0, start - _NEAR), start)
        if not value or (found[1] or "") not in _BEHIND[value.lastgroup]:
            continue
        prose = _PROSE.match(text, text.rfind("\n", 0, start) + 1)
        if not prose and not any(first <= start < last for first, last in document.once(imports)):
            return not any(one.here == name and declared_again(document, one) for one in takes(document))
    return False
