"""Python's own parser, for texts that somebody else wrote: whatever such a text causes there gives None, or nothing.

It may be older than a text; it has no null bytes and no halves of surrogates; and it goes only so deep.
"""

from __future__ import annotations

import ast
import warnings
from typing import Literal

# What a text may cause. UnicodeError is a ValueError.
_FAULTS = (SyntaxError, ValueError, MemoryError)
# Before CPython 3.11.9 and 3.12.1 one count of the depth is shared by all that is parsed at a time, and not set right
# where one of them fails (gh-106905): another thread, or what the garbage collector calls, makes a text that is right
# fail with "AST constructor recursion depth mismatch", a SystemError, or as one that is too deep. Each begins with a
# fresh count, so the text is parsed anew; one that is really too deep fails as fast again.
_SPURIOUS = (SystemError, RecursionError)
_TRIES = 3


def module(text: str) -> ast.Module | None:
    found = _parsed(text, "exec")
    return found if isinstance(found, ast.Module) else None


def expression(text: str) -> ast.expr | None:
    """Such as an annotation that is a string."""
    found = _parsed(text, "eval")
    return found.body if isinstance(found, ast.Expression) else None


def string(literal: str) -> str | None:
    """The value of a literal, if that is a string."""
    found = expression(literal)
    return found.value if isinstance(found, ast.Constant) and isinstance(found.value, str) else None


def written(node: ast.AST) -> str:
    """As a text; of what is too deep nothing, which no name is."""
    try:
        return ast.unparse(node)
    except RecursionError:  # it calls itself for each level, of which the parser allows more
        return ""


def _parsed(text: str, mode: Literal["exec", "eval"]) -> ast.AST | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a text's odd escapes, on the daemon's stderr
        for _ in range(_TRIES):
            try:
                return ast.parse(text, mode=mode)
            except _FAULTS:
                return None
            except _SPURIOUS:
                continue
    return None
