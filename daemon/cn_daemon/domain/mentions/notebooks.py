"""Python in files that no language server reads: notebooks (nbformat 4), Cython, scripts without an ending."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from cn_daemon.domain.source.form_table import PYTHON
from cn_daemon.domain.source.forms import mentions

_IMPORT = re.compile(
    r"^[ \t]*c?(?:from[ \t]+\.*(?P<module>[\w.]*)[ \t]+c?import\b|import[ \t]+(?P<modules>[^\n#;]+))", re.M
)
# What is not closed reaches to the end of its line.
_LINE = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)')


def lines_with(text: str, path: str, name: str, inside: Callable[[str], bool]) -> list[int]:
    """The lines, 1-based, at which the name is an identifier, when the file imports a module of the workspace. inside:
    whether the first part of a module's name is one of the workspace."""
    code = _cells(text) if path.endswith(".ipynb") else text
    if not any(map(inside, _imported(code))):
        return []
    found = {code.count("\n", 0, start) for start in mentions(code, PYTHON, name)}
    if code is text:
        return sorted(line + 1 for line in found)
    rows = code.split("\n")
    return sorted(_lines(text, {rows[line] for line in found})) if found else []


def _imported(code: str) -> Iterator[str]:
    for found in _IMPORT.finditer(code):
        for one in (found["module"] or found["modules"] or "").split(","):
            yield one.strip().partition(".")[0].partition(" ")[0]


def _cells(text: str) -> str:
    """The code of a notebook."""
    try:
        cells = json.loads(text).get("cells", ())
        code = [cell.get("source", "") for cell in cells if cell.get("cell_type") == "code"]
        return "\n".join("".join(one) for one in code)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return text


def _lines(text: str, rows: set[str]) -> Iterator[int]:
    """Where a notebook spells one of these rows of code; its first line where none stands by itself."""
    known = False
    for number, line in enumerate(text.split("\n"), 1):
        for found in _LINE.finditer(line):
            if not rows.isdisjoint(_spelled(found[0]).split("\n")):
                known = True
                yield number
                break
    if not known:
        yield 1


def _spelled(string: str) -> str:
    try:
        return str(json.loads(string, strict=False))
    except ValueError:
        return ""
