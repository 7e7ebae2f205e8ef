"""Modules that are handed on as values: `import * as a from "b"` and then `{ a }`, `c = a`. The compiler looks for uses
of what such a module exports in files that import it, and in no others."""

from __future__ import annotations

import os
import re

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Words, stem_of
from cn_daemon.domain.modules import declared_again, takes
from cn_daemon.domain.reading import imports
from cn_daemon.domain.text import Document, occurrences

_NAMED = re.compile(r"\* as\s+(?P<name>[\w$]+)\s+from\s*['\"](?P<specifier>[^'\"\n]+)")
_STATEMENT = re.compile(r"(?:.*;)?\s*(?:import|export)\s+(?:type\s+)?\Z")
# What stands before it where it is a value. Arguments of calls are left out: mocks and prints take modules everywhere.
_VALUE = re.compile(
    r"(?:(?:\[|\.\.\.|(?<![=!<>])=|=>|[\w$\"')]\s*:|\b(?:return|typeof)\s)|(?P<first>\{)|(?P<further>,))\s*\Z"
)
_END = re.compile(r"\s*([,;)}\]])|[ \t]*\n(?!\s*(?://|\*)?\s*[.?])")
_BEHIND = {None: ("", ",", ";", ")", "}", "]"), "first": (",", "}"), "further": ("}",)}
_PROSE = re.compile(r"\s*(?://|/?\*)")
_NEAR = 40


def is_handed_on(path: str, words: Words, documents: Documents) -> bool:
    """Whether some file may hand on the module as a value. It errs towards yes."""
    name = _called(path)
    read = map(documents.try_get, words.files_with(name))
    return any(document.known(_hands_on, name) for document in read if document is not None)


def _called(module: str) -> str:
    """The last word of a path or a specifier, past `index`."""
    stem = stem_of(module)
    return os.path.basename(os.path.dirname(module)) if stem == "index" else stem


def _hands_on(document: Document, module: str) -> bool:
    """Whether a file imports all of a module that is called so, and uses that as a value."""
    text = document.text
    named = []
    for found in _NAMED.finditer(text):
        head = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if _called(found["specifier"]) == module and _STATEMENT.match(head):
            named.append(found["name"])
    # Of one that is imported as a whole and exported so as well the compiler loses the second.
    return len(named) > 1 or any(_is_value(document, name) for name in named)


def _is_value(document: Document, name: str) -> bool:
    """Whether it stands alone where a value does, in a file that gives the name to nothing else."""
    text = document.text
    for start in occurrences(text, name):
        end = _END.match(text, start + len(name))
        value = _VALUE.search(text, max(0, start - _NEAR), start) if end else None
        if not end or not value or (end[1] or "") not in _BEHIND[value.lastgroup]:
            continue
        prose = _PROSE.match(text, text.rfind("\n", 0, start) + 1)
        if not prose and not any(first <= start < last for first, last in document.once(imports)):
            return not _is_given_again(document, name)
    return False


def _is_given_again(document: Document, name: str) -> bool:
    word = re.escape(name)
    if re.search(rf"[(,]\s*{word}\s*\??:|\b(?:const|let|var|function|class)\s+{word}\b", document.text):
        return True
    return any(one.here == name and declared_again(document, one) for one in takes(document))
