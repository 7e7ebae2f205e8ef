"""Which scopes are around a place of a Python text, and what declares a parameter there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cn_daemon.adapters.python_bindings.mentions import MODULE, Scope
from cn_daemon.adapters.python_bindings.syntax import Step

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
DEFINITIONS = ("function_definition", "class_definition")
_PARAMETERS = ("parameters", "lambda_parameters")
# The same for a parameter.
_PARAMETER = (
    "default_parameter", "typed_parameter", "typed_default_parameter", "list_splat_pattern",
    "dictionary_splat_pattern", "tuple_pattern",
)  # fmt: skip


def scopes(path: Sequence[Step], *, parameter: bool = False) -> list[Scope]:
    """The scopes around the last node, the innermost first. parameter: whether it is the name of one."""
    found: list[Scope] = []
    for at in range(len(path) - 2, -1, -1):
        node, (child, field) = path[at].node, path[at + 1]
        if node.type in ("function_definition", "lambda"):
            if field == "body" or (parameter and field == "parameters"):
                found.append((node.start_byte, "function"))
                parameter = False
        elif node.type == "class_definition":
            if field == "body":
                found.append((node.start_byte, "class"))
        elif node.type in _COMPREHENSIONS and not _is_first_iterable(node, path[at + 1 :]):
            found.append((node.start_byte, "comprehension"))
        generic = node.type in DEFINITIONS and node.child_by_field_name("type_parameters") is not None
        if (generic and field not in ("name", "type_parameters")) or (
            node.type == "type_alias_statement" and field == "right" and child is not None
        ):
            found.append((node.start_byte, "types"))
    return [*found, MODULE]


def _is_first_iterable(comprehension: Node, inner: Sequence[Step]) -> bool:
    clause = inner[0].node
    first = next((one for one in comprehension.named_children if one.type == "for_in_clause"), None)
    return clause == first and len(inner) > 1 and inner[1].field == "right"


def is_parameter(path: Sequence[Step]) -> bool:
    at = len(path) - 1
    while path[at - 1].node.type in _PARAMETER:
        if path[at].field in ("value", "type"):
            return False
        at -= 1
    return path[at - 1].node.type in _PARAMETERS


def type_parameters(path: Sequence[Step]) -> Node | None:
    """What has the type parameter that is declared there (PEP 695)."""
    for at in range(len(path) - 1, max(0, len(path) - 6), -1):
        node, (child, _) = path[at - 1].node, path[at]
        if node.type == "type_parameter":
            declares = path[at].field == "type_parameters" or path[at - 1].field == "type_parameters"
            if declares:
                return path[at - 2].node
            return path[at - 4].node if at >= 4 and is_alias_left(path[: at + 1]) and at > 4 else None
        if node.type not in ("type", "constrained_type", "splat_type") or node.named_children[0] != child:
            return None
    return None


def is_alias_left(path: Sequence[Step]) -> bool:
    """Whether it is within what `type X[T] = …` declares."""
    for at in range(len(path) - 1, 0, -1):
        if path[at - 1].node.type == "type_alias_statement":
            return path[at].field == "left"
        if path[at - 1].node.type not in ("type", "generic_type", "type_parameter"):
            return False
    return False
