"""Where the imports of a Python text take names from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cn_daemon.adapters.python_bindings.mentions import Imported
from cn_daemon.adapters.python_bindings.syntax import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node


def source_of(syntax: Syntax, statement: Node) -> Imported:
    """Where a `from … import` takes names from."""
    module = statement.child_by_field_name("module_name")
    written = re.sub(r"[\s\\]", "", syntax.written(module)) if module is not None else ""
    dotted = written.lstrip(".")
    return Imported(len(written) - len(dotted), dotted)


def star_imports(syntax: Syntax) -> Iterator[Imported]:
    """The modules that the text takes every name from."""
    if re.search(r"\bimport\s*\(?\s*\*", syntax.text) is None:
        return
    pending = list(syntax.root.named_children)
    while pending:
        node = pending.pop()
        if node.type == "import_from_statement":
            if any(one.type == "wildcard_import" for one in node.named_children):
                yield source_of(syntax, node)
        elif node.type not in ("function_definition", "lambda", "expression_statement"):
            pending += node.named_children
