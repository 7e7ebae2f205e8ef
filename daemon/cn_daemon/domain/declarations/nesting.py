"""Whether what a server lists at the top of a file, or of a namespace, stands in a block there: it lists those too.

To know in which brackets a place stands takes a second for each megabyte. Most places tell it by their line.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.brackets import DECLARING, Brackets, brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_DECLARING = re.compile(
    r"\b(?:const|let|var|using|function|class|interface|type|enum|namespace|module|global)\b(?![^;]*;)"
)
_EXPORTED = re.compile(r"\bexport\b[\w\s]*$")
# What may stand before a statement without a bracket, or be the end of one.
_BEFORE = re.compile(r"[{()]|\b(?:else|do)\b")
_CONTROLS = frozenset({"if", "for", "while", "with"})
_BLOCKS = ("if ", "if(", "for ", "for(", "while ", "while(", "do ", "do{", "try ", "try{", "switch ", "switch(")


def in_block(source: SourceText, declared: Declaration) -> bool:
    """Of a declaration without a parent, or in a namespace."""
    return _may_be(source, declared) and _is(source, declared)


def _may_be(source: SourceText, declared: Declaration) -> bool:
    document, place = source.document, declared.position
    line = document.line(place.line)
    before = source.before(place).rpartition("\n")[2]
    words = list(_DECLARING.finditer(before))
    head = before[: words[-1].start()] if words else before
    if words and _EXPORTED.search(head):
        return False
    if _BEFORE.search(head):
        return True
    if declared.parent is not None:
        return _indentation(line) > _indentation(_first_line(document, declared.parent))
    return line[:1].isspace() or place.line in document.once(_at_margin)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _first_line(document: Document, namespace: Declaration) -> str:
    lines = range(namespace.span.start.line + 1, namespace.span.end.line)
    return next((line for number in lines if (line := document.line(number)).strip()), "")


def _at_margin(document: Document) -> frozenset[int]:
    """The numbers of the lines that stand in a block, and are not indented."""
    found, inside, before = set(), False, ""
    for number, line in enumerate(document.lines, 1):
        bare = line.rstrip()
        if inside and line.startswith("}"):
            inside = bare.endswith("{")
        elif inside and bare and not line[:1].isspace():
            found.add(number)
        elif bare == "{":
            inside = before.startswith(_BLOCKS) or before.endswith((";", "}"))
        elif not inside and bare.endswith("{"):
            inside = line.startswith(_BLOCKS)
        before = bare or before
    return frozenset(found)


def _is(source: SourceText, declared: Declaration) -> bool:
    script = brackets(source.document)
    at = script.at(source.offset(declared.position))
    if declared.kind in ("Constant", "Variable"):
        at = _keyword(script, source.document, at) or at
        if _is_controlled(script, at):
            return True
    around = script.opener[at]
    if declared.parent is None or not around:
        return around != 0
    return script.text(around) != "{" or script.text(around - 1).strip("'\"") != declared.parent.name


def _keyword(script: Brackets, document: Document, at: int) -> int:
    """That of the statement that declares a variable, which may stand in a pattern or behind others; or 0."""
    keywords = document.once(_keywords)
    while at:
        level = script.opener[at]
        before = bisect_left(keywords.get(level, ()), at)
        if before:
            return keywords[level][before - 1]
        at = level if script.text(level) != "(" else 0
    return 0


def _keywords(document: Document) -> dict[int, list[int]]:
    """The numbers of the words that declare variables, by that of the bracket around them."""
    script = brackets(document)
    found: dict[int, list[int]] = {}
    for number in sorted(number for word in DECLARING for number in script.places.get(word, ())):
        found.setdefault(script.opener[number], []).append(number)
    return found


def _is_controlled(script: Brackets, at: int) -> bool:
    """Whether it is the one statement of an `if` or a loop."""
    word = script.opener[at - 1] - 1 if script.text(at - 1) == ")" else at - 1
    controls = _CONTROLS if word < at - 1 else ("else", "do")
    return script.text(word) in controls and script.text(word - 1) not in (".", "?.")
