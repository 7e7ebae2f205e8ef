"""Modules that are handed on as values: `import * as a from "b"` and then `{ a }`, `c = a`, `export default a`. The
compiler looks for uses of what such a module exports in files that import it, and in no others; nor where a file names
its type alone, `a<typeof import("b")>()`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.modules import joined
from cn_daemon.application.modules.reach import OUTPUT
from cn_daemon.application.ports import stem_of
from cn_daemon.application.uses.candidates import Candidates
from cn_daemon.domain.mentions.whole_values import is_value, typed_wholes, whole_names
from cn_daemon.domain.source.text import Document

_ENDING = re.compile(r"(?:/index)?(?:\.d)?\.[cm]?[jt]sx?$|/index$")
_HANDS = re.compile(r"export\s*(?:type\s*)?(?:\*|\{[^{}]*\})[^'\"\n;]*from\s*['\"](?P<specifier>[^'\"\n]+)")


def handed_to(path: str, candidates: Candidates, documents: Documents) -> Collection[str] | None:
    """The files that may take something of the module, or of one that exports what that does, without an import of it;
    None where it goes as a value to any. It errs towards more."""
    ahead, known = [path], {path}
    typed = set()
    while ahead:
        module = ahead.pop()
        names = {_place(module), _called(module), *candidates.specifiers(module)}
        for document in filter(None, map(documents.try_get, candidates.importers(module))):
            given = {one for name in names for one in document.once(_wholes).get(name, ())}
            # Of one that is imported as a whole and exported so as well the compiler loses the second.
            if len(given) > 1 or any(document.known(is_value, one) for one in given):
                return None
            if not names.isdisjoint(document.once(_typed)):
                typed.add(document.path)
            if document.path not in known and not names.isdisjoint(document.once(_handing)):
                known.add(document.path)
                ahead.append(document.path)
    return typed


def typed_as_built(name: str, candidates: Candidates, documents: Documents) -> set[str]:
    """The files that hold the name and the type of a module that is to be built, whatever that is made of:
    `a<typeof import("../dist/b")>()`."""
    files = candidates.naming(f"{name} typeof")
    return {one.path for one in filter(None, map(documents.try_get, files)) if one.once(_types_built)}


def _types_built(document: Document) -> bool:
    paths = (one.split("/") for one in typed_wholes(document) if one.startswith("."))
    return any(not OUTPUT.isdisjoint(path) for path in paths)


def _place(path: str) -> str:
    """Where a module is, whatever its ending."""
    return _ENDING.sub("", path)


def _called(module: str) -> str:
    """The last word of a path, past `index`."""
    stem = stem_of(module)
    return os.path.basename(os.path.dirname(module)) if stem == "index" else stem


def _meant(document: Document, specifier: str) -> tuple[str, ...]:
    """What tells a module to which a specifier leads: its place, or by a name what it may be called."""
    if specifier.startswith("."):
        return (_place(joined(document.path, specifier)),)
    return specifier, _called(specifier)


def _wholes(document: Document) -> dict[str, list[str]]:
    """The names that a file gives whole modules, by what tells these."""
    found: dict[str, list[str]] = {}
    for name, specifier in whole_names(document):
        for module in _meant(document, specifier):
            found.setdefault(module, []).append(name)
    return found


def _typed(document: Document) -> frozenset[str]:
    """What tells the modules whose types a file names."""
    return frozenset(name for one in typed_wholes(document) for name in _meant(document, one))


def _handing(document: Document) -> frozenset[str]:
    """What tells the modules whose exports a file exports."""
    found = (_meant(document, one["specifier"]) for one in _HANDS.finditer(document.text))
    return frozenset(name for names in found for name in names)
