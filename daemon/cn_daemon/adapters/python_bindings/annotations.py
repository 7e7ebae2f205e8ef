"""Whether a string in a Python text stands for a type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cn_daemon.adapters.python_bindings.syntax import Step, Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

# Calls whose arguments are types, as strings too.
_TYPED = frozenset({"cast", "TypeVar", "NewType", "ForwardRef", "TypeAliasType", "assert_type", "NamedTuple"})
_GENERICS = frozenset(
    "Annotated Callable ClassVar Coroutine Deque Dict Final FrozenSet Generator Generic Iterable Iterator List Mapping "
    "Optional Sequence Set Tuple Type Union dict frozenset list set tuple type".split()
)
# What a type may be made of.
_WITHIN_TYPES = frozenset(
    "type type_parameter generic_type union_type constrained_type member_type binary_operator keyword_argument "
    "subscript list tuple parenthesized_expression expression_list concatenated_string".split()
)


def is_annotation(path: Sequence[Step], syntax: Syntax) -> bool:
    """Whether the last node, a string, stands for a type."""
    for at in range(len(path) - 1, 0, -1):
        node, (child, field) = path[at - 1].node, path[at]
        if node.type in ("subscript", "generic_type"):
            value = node.child_by_field_name("value") or node.named_children[0]
            name = syntax.written(value).rpartition(".")[2]
            first = path[at + 1].node if node.type == "generic_type" and at + 1 < len(path) else child
            if name == "Literal" or (name == "Annotated" and first != _arguments(node)[0]):
                return False
            if node.type == "subscript" and name in _GENERICS and field == "subscript":
                return True
        elif node.type == "argument_list":
            called = path[at - 2].node.child_by_field_name("function")
            name = syntax.written(called).rpartition(".")[2] if called is not None else ""
            leading = node.named_children[:1] == [child]
            return name in _TYPED and (leading if name in ("cast", "ForwardRef") else not leading)
        elif node.type == "type" and path[at - 2].node.type not in _WITHIN_TYPES:
            return True
        elif node.type not in _WITHIN_TYPES:
            return False
    return False


def _arguments(node: Node) -> list[Node]:
    """Of `a[b, c]` what stands in brackets."""
    if node.type == "generic_type":
        return node.named_children[1].named_children
    return node.children_by_field_name("subscript")
