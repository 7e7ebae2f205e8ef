"""What each occurrence of one name in a Python text is: a name, and which scope binds it; an attribute, and of what; a
part of an import; a string or a comment that names it.

A scope binds a name by an occurrence of it, so that the occurrences of one name tell all that is needed about it, but
for `from … import *`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from cn_daemon.adapters.python_bindings.imports import source_of
from cn_daemon.adapters.python_bindings.mentions import (
    MODULE,
    Analysis,
    Binding,
    Chain,
    Imported,
    Mention,
    Scope,
    Use,
    Value,
)
from cn_daemon.adapters.python_bindings.scopes import DEFINITIONS, is_alias_left, is_parameter, scopes, type_parameters
from cn_daemon.adapters.python_bindings.strings import LOOKING_UP, Quoted
from cn_daemon.adapters.python_bindings.syntax import Step, Syntax
from cn_daemon.adapters.python_bindings.values import called_name, value_of
from cn_daemon.domain.source.text import Document, Position, occurrences

if TYPE_CHECKING:
    from tree_sitter import Node

# What may stand between a target and the statement that binds it.
_TARGETS = (
    "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "tuple", "list", "expression_list",
    "parenthesized_expression", "list_splat",
)  # fmt: skip  # fmt: skip
# The same, and what else takes a module and hands it to nobody.
_LOOKING_INTO = re.compile(
    rf"{LOOKING_UP.pattern}|^(?:reload|get(?:members|source|sourcefile|doc|file|module)|vars|dir|print|type|id|repr|str)$"
)


def analysis(document: Document, syntax: Syntax, name: str) -> Analysis:
    """document: the one of the syntax; who watches how long a text is read looks for it."""
    return _Reading(syntax, name).analysis()


class _Reading:
    def __init__(self, syntax: Syntax, name: str) -> None:
        self._syntax = syntax
        self._name = name
        self._quoted = Quoted(syntax, name)
        self._uses: list[Use] = []
        self._bindings: dict[Scope, list[tuple[int, Binding]]] = {}
        self._global: set[Scope] = set()
        self._nonlocal: set[Scope] = set()

    def analysis(self) -> Analysis:
        for start in occurrences(self._syntax.text, self._name):
            end = start + len(self._name)
            path = self._syntax.path(start, end)
            node = path[-1].node
            if node.type == "identifier" and self._syntax.written(node) == self._name:
                self._identifier(start, path)
            elif node.type == "comment":
                self._uses += self._quoted.comment(start, path)
            elif any(step.node.type == "string" for step in path[-3:]):
                self._uses += self._quoted.string(start, path)
        for scope in self._global & self._bindings.keys():
            self._bindings.setdefault(MODULE, []).extend(self._bindings.pop(scope))
        mentions = [self._settled(one) for one in self._uses]
        bindings = {scope: [one for _, one in found] for scope, found in self._bindings.items()}
        return Analysis(mentions, bindings)

    def _identifier(self, start: int, path: list[Step]) -> None:
        parent, field = path[-2].node, path[-1].field
        kind = parent.type
        if kind == "attribute" and field == "attribute":
            self._attribute(start, parent.child_by_field_name("object"))
        elif kind in ("keyword_argument", "keyword_pattern") and parent.named_children[0] == path[-1].node:
            # A parameter, or an attribute, of what is called.
            if kind == "keyword_argument" and path[-4].node.type == "call":
                self._uses += self._quoted.keyword(start, path[-3].node, path[-4].node)
        elif kind in ("global_statement", "nonlocal_statement"):
            self._declared_elsewhere(start, path, kind == "global_statement")
        elif kind == "dotted_name":
            self._dotted(start, path)
        elif kind == "aliased_import" and field == "alias":
            self._alias(start, path)
        elif kind in DEFINITIONS and field == "name":
            self._bind(start, path, scopes(path), until=parent.end_byte)
        elif is_parameter(path):
            self._bind(start, path, scopes(path, parameter=True), parameter=True)
        elif (holder := type_parameters(path)) is not None:
            self._bind(start, path, [(holder.start_byte, "types"), *scopes(path)])
        else:
            self._target_or_load(start, path)

    def _target_or_load(self, start: int, path: list[Step]) -> None:
        at = len(path) - 1
        while path[at - 1].node.type in _TARGETS:
            at -= 1
        holder, field = path[at - 1].node, path[at].field
        if holder.type in ("assignment", "augmented_assignment") and field == "left":
            value = holder.child_by_field_name("right")
            plain = at == len(path) - 1 and holder.type == "assignment"
            given = value_of(self._syntax, value) if plain and value is not None else None
            self._bind(start, path, scopes(path), value=given, given=value is not None, until=holder.end_byte)
        elif holder.type in ("for_statement", "for_in_clause") and field == "left":
            self._bind(start, path, scopes(path), given=True)
        elif holder.type == "named_expression" and field == "name":
            around = [one for one in scopes(path) if one[1] != "comprehension"]
            value = holder.child_by_field_name("value")
            self._bind(
                start, path, around, value=value_of(self._syntax, value) if value is not None else None, given=True
            )
        elif holder.type in ("as_pattern_target", "delete_statement", "splat_pattern"):
            self._bind(start, path, scopes(path), given=holder.type != "delete_statement")
        elif holder.type == "as_pattern" and holder.named_children[0] != path[at].node:
            self._bind(start, path, scopes(path), given=True)
        elif holder.type in ("type_alias_statement", "type", "generic_type") and is_alias_left(path):
            self._bind(start, path, scopes(path))
        else:
            base = path[-2].node.type == "attribute" and path[-1].field == "object"
            looked_up = path[-2].node.type == "argument_list" and _LOOKING_INTO.search(
                called_name(self._syntax, path[-3].node)
            )
            self._name_at(start, scopes(path), base=base, looked_up=bool(looked_up))

    def _name_at(
        self,
        start: int,
        around: Sequence[Scope],
        *,
        base: bool = False,
        looked_up: bool = False,
    ) -> None:
        mention = Mention(start, self._position(start), "name", base=base, looked_up=looked_up)
        self._uses.append(Use(mention, around))

    def _bind(
        self,
        start: int,
        path: list[Step],
        around: Sequence[Scope],
        *,
        imported: Imported | None = None,
        value: Value = None,
        given: bool = False,
        until: int = 0,
        parameter: bool = False,
        renames: bool = False,
    ) -> None:
        """until: where the statement ends that binds it."""
        position = self._position(start)
        binding = Binding(position, imported, value, given or parameter)
        self._bindings.setdefault(around[0], []).append((until or path[-1].node.end_byte, binding))
        role: Literal["name", "import"] = "import" if imported is not None and not renames else "name"
        binds = imported is None
        mention = Mention(start, position, role, around[0], imported, binds=binds, renames=renames)
        self._uses.append(Use(mention, around, start + 1))

    def _attribute(self, start: int, receiver: Node | None) -> None:
        value = value_of(self._syntax, receiver) if receiver is not None else None
        mention = Mention(start, self._position(start), "attribute", receiver=value)
        self._uses.append(Use(mention, ()))

    def _declared_elsewhere(self, start: int, path: list[Step], everywhere: bool) -> None:
        around = scopes(path)
        (self._global if everywhere else self._nonlocal).add(around[0])
        self._name_at(start, around)

    def _dotted(self, start: int, path: list[Step]) -> None:
        names = path[-2].node.named_children
        at = names.index(path[-1].node)
        holder, field = path[-3].node, path[-2].field
        statement = next((step.node for step in reversed(path) if step.node.type.startswith("import_")), None)
        if statement is None and holder.type != "future_import_statement":
            self._pattern(start, path, at)
            return
        dotted = ".".join(self._syntax.written(one) for one in names[: at + 1])
        if statement is None:
            return
        if statement.type == "import_statement":
            imported = Imported(0, dotted)
            if at == 0 and holder.type != "aliased_import":
                self._bind(start, path, scopes(path), imported=imported, until=statement.end_byte)
            else:
                self._imported(start, imported)
        elif field == "module_name" or holder.type == "relative_import":
            level = len(self._syntax.written(holder).partition(dotted)[0].strip()) if field != "module_name" else 0
            self._imported(start, Imported(level, dotted))
        else:
            imported = source_of(self._syntax, statement)._replace(name=dotted)
            if holder.type == "aliased_import":
                self._imported(start, imported)
            else:
                self._bind(start, path, scopes(path), imported=imported, until=statement.end_byte)

    def _imported(self, start: int, imported: Imported) -> None:
        self._uses.append(Use(Mention(start, self._position(start), "import", imported=imported), ()))

    def _alias(self, start: int, path: list[Step]) -> None:
        statement = path[-3].node
        named = path[-2].node.child_by_field_name("name")
        name = self._syntax.written(named) if named is not None else ""
        imported = (
            Imported(0, name)
            if statement.type == "import_statement"
            else source_of(self._syntax, statement)._replace(name=name)
        )
        renames = name != self._name  # `import a as a` names it twice
        self._bind(start, path, scopes(path), imported=imported, until=statement.end_byte, renames=renames)

    def _pattern(self, start: int, path: list[Step], at: int) -> None:
        """In a `case`."""
        names, holder = path[-2].node.named_children, path[-3].node
        if at:
            before = names[:at]
            attributes = tuple(self._syntax.written(one) for one in before[1:])
            chain = Chain(self._syntax.written(before[0]), self._syntax.start(before[0]), attributes)
            self._uses.append(Use(Mention(start, self._position(start), "attribute", receiver=chain), ()))
        elif len(names) > 1 or holder.type == "class_pattern":
            self._name_at(start, scopes(path), base=len(names) > 1)
        else:
            self._bind(start, path, scopes(path), given=True)

    def _settled(self, use: Use) -> Mention:
        mention = use.mention
        if not use.scopes or mention.imported is not None:
            return mention
        return mention._replace(owner=self._owner(use))

    def _owner(self, use: Use) -> Scope | None:
        direct = True
        for at, scope in enumerate(use.scopes):
            if scope in self._global:
                break
            visible = scope[1] != "class" or direct
            direct = direct and scope[1] == "types"
            if scope in self._nonlocal or not visible:
                continue
            found = self._bindings.get(scope)
            if not found:
                continue
            late = scope[1] == "class" and not use.bound_from and at <= 1
            if late and all(until > self._byte(use.mention.start) for until, _ in found):
                continue  # a class body reads the name outside until it binds it
            return scope
        return MODULE if self._bindings.get(MODULE) else None

    def _byte(self, start: int) -> int:
        return self._syntax.path(start, start + len(self._name))[-1].node.start_byte

    def _position(self, start: int) -> Position:
        return self._syntax.source.position(start)
