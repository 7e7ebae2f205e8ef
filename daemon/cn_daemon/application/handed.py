"""Modules that are handed on as values: `import * as a from "b"` and then `{ a }`, `c = a`. The compiler looks for uses
of what such a module exports in files that import it, and in no others."""

from __future__ import annotations

import os
import re

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Words, stem_of
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


def is_handed_on(path: str, words: Words, documents: Documents) -> bool:
    """Whether some file may hand on the module, or one that exports all of it, as a value. It errs towards yes."""
    meant = _meant(path)
    ahead: set[str] = set()
    for holder in words.files_with("as"):
        document = documents.try_get(holder)
        ahead.update(document.once(_handed) if document is not None else ())
    modules: dict[str, list[str]] = {}
    for one in words.files() if ahead else ():
        for name in _meant(one):
            modules.setdefault(name, []).append(one)
    known: set[str] = set()
    for _ in range(_STEPS):
        if not ahead or not meant.isdisjoint(ahead):
            break
        known |= ahead
        read = (documents.try_get(one) for name in ahead for one in modules.get(name, ()))
        ahead = {name for one in read if one is not None for name in one.once(_whole)} - known
    return not meant.isdisjoint(ahead)


def _meant(path: str) -> set[str]:
    """How a specifier of the module may end."""
    stem = stem_of(path)
    return {os.path.basename(os.path.dirname(path)), stem} if stem == "index" else {stem}


def _whole(document: Document) -> frozenset[str]:
    """What the modules are called that a file exports all of."""
    return frozenset(_called(document, found["specifier"]) for found in _ALL.finditer(document.text))


def _handed(document: Document) -> frozenset[str]:
    """What the modules are called that a file hands on as values."""
    named = list(_NAMED.finditer(document.text)) if "* as" in document.text else []
    handed = set()
    for found in named:
        twice = sum(other["specifier"] == found["specifier"] for other in named) > 1
        if twice or _is_value(document, found["name"]):
            handed.add(_called(document, found["specifier"]))
    return frozenset(handed)


def _called(document: Document, specifier: str) -> str:
    last = specifier.rstrip("/").rpartition("/")[2]
    if specifier.startswith(".") and (last in (".", "..") or stem_of(last) == "index"):
        below = specifier if last in (".", "..") else specifier.removesuffix(last)
        return os.path.basename(os.path.normpath(os.path.join(os.path.dirname(document.path), below)))
    return stem_of(last)


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
