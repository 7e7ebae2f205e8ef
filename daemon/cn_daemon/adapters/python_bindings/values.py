"""What an expression of a Python text may be, as far as names tell it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cn_daemon.adapters.python_bindings.mentions import Chain, Loaded, Value
from cn_daemon.adapters.python_bindings.syntax import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

_LOADERS = frozenset({"import_module", "__import__", "import_string", "importorskip", "run_module", "resolve_name"})


def value_of(syntax: Syntax, node: Node) -> Value:
    attributes: list[str] = []
    while node.type in ("attribute", "parenthesized_expression"):
        if node.type == "attribute":
            attribute, inner = node.child_by_field_name("attribute"), node.child_by_field_name("object")
            if attribute is None or inner is None:
                return None
            attributes.insert(0, syntax.written(attribute))
            node = inner
        elif len(node.named_children) == 1:
            node = node.named_children[0]
        else:
            return None
    if node.type == "identifier":
        return Chain(syntax.written(node), syntax.start(node), tuple(attributes))
    loaded = _loaded(syntax, node)
    return Loaded(loaded, tuple(attributes)) if loaded is not None else None


def _loaded(syntax: Syntax, node: Node) -> str | None:
    """The name of the module that a call imports, or that `sys.modules` holds; "" where it is computed."""
    if node.type == "await" and node.named_children:
        node = node.named_children[0]
    if node.type == "subscript":
        value = node.child_by_field_name("value")
        if value is None or syntax.written(value) not in ("sys.modules", "modules"):
            return None
        inner = node.child_by_field_name("subscript")
    elif node.type == "call":
        called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called is None or syntax.written(called).rpartition(".")[2] not in _LOADERS:
            return None
        inner = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    else:
        return None
    written = syntax.written(inner) if inner is not None else ""
    literal = re.fullmatch(r"(['\"])([\w.]+)\1", written)
    return literal[2] if literal and not literal[2].startswith(".") else ""


def called_name(syntax: Syntax, call: Node) -> str:
    """The last name of what is called."""
    called = call.child_by_field_name("function")
    return syntax.written(called).rpartition(".")[2] if called is not None else ""
