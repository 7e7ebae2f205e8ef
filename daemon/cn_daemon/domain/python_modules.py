"""The dotted names of Python's modules."""

from __future__ import annotations

import os
from collections.abc import Iterable

ENDINGS = (".py", ".pyi", ".pyw")
# What holds Python that no language server reads: notebooks, and Cython; scripts without an ending do as well.
UNREAD = (".ipynb", ".pyx", ".pxd")
# What names modules and what is in them as entry points.
MANIFESTS = ("pyproject.toml", "setup.cfg")
# Why it is open what an import means: servers know one order of modules for all files.
SAME_NAME = "another module has the same name"


def module_names(path: str, roots: Iterable[str]) -> dict[str, str]:
    """The dotted names by which a Python file may be imported, each with its root, from the deepest root on."""
    stem, ending = os.path.splitext(path)
    if ending not in ENDINGS:
        return {}
    found: dict[str, str] = {}
    for root in sorted(roots, key=len, reverse=True):
        parts = stem[len(root) + 1 :].split("/") if stem.startswith(f"{root}/") else []
        parts = parts[:-1] if parts[-1:] == ["__init__"] else parts
        if parts and all(part.isidentifier() for part in parts):
            found.setdefault(".".join(parts), root)
    return found


def module_stem(path: str) -> str:
    """The last part of a module's dotted name: of a package that of its folder."""
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(path)) if stem == "__init__" else stem
