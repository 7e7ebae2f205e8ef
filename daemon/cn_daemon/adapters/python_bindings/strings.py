"""What strings and comments of a Python text say of a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cn_daemon.adapters.python_bindings.annotations import is_annotation
from cn_daemon.adapters.python_bindings.mentions import MODULE, Chain, Imported, Mention, Scope, Use
from cn_daemon.adapters.python_bindings.scopes import scopes
from cn_daemon.adapters.python_bindings.syntax import Step, Syntax
from cn_daemon.adapters.python_bindings.values import called_name, value_of
from cn_daemon.domain.source.text import Position

if TYPE_CHECKING:
    from tree_sitter import Node

_DOTS = re.compile(r"(?:[^\W\d]\w*\s*\.\s*)+\Z")
# A string that names something by its path: `app.svc.f`, `app.svc:f`, and of an entry point `name = app.svc:f`.
_PATH = re.compile(r"\s*(?:[\w.-]+\s*=\s*)?(?P<path>[^\W\d]\w*(?:[.:][^\W\d]\w*)+)\s*(?:\[.*\])?\s*")
_TYPE_COMMENT = re.compile(r"#\s*type:(?!\s*ignore\b)")
# What is called to look a name up in something.
LOOKING_UP = re.compile(r"attr|methodcaller|^object$|^spy$|^stub$|^patch")
# Django's, and SQLAlchemy's.
_RELATION = re.compile(r"ForeignKey|OneToOneField|ManyToManyField|GenericRelation|relationship")


class Quoted:
    """Of one name in one text."""

    def __init__(self, syntax: Syntax, name: str) -> None:
        self._syntax = syntax
        self._name = name

    def comment(self, start: int, path: list[Step]) -> Iterator[Use]:
        comment = path[-1].node
        if _TYPE_COMMENT.match(self._syntax.text, self._syntax.start(comment)):
            yield from self._typed(start, scopes(path), self._syntax.start(comment))

    def string(self, start: int, path: list[Step]) -> Iterator[Use]:
        at = next(index for index in reversed(range(len(path))) if path[index].node.type == "string")
        string = path[at].node
        contents = [one for one in string.named_children if one.type not in ("string_start", "string_end")]
        if len(contents) != 1 or contents[0].type != "string_content":
            return
        outer = path[: at + 1]
        first, text = self._syntax.start(contents[0]), self._syntax.written(contents[0])
        if is_annotation(outer, self._syntax):
            yield from self._typed(start, scopes(outer), first)
            return
        holder = outer[-2].node
        label, _, last = text.rpartition(".")
        if last == self._name and self._is_relation(outer):
            imported = Imported(0, label, last)
            mention = Mention(start, self._position(start), "path", imported=imported, quoted=True, model=True)
            yield Use(mention, ())
        elif text == self._name:
            yield from self._spelled(start, outer)
        elif holder.type != "expression_statement" and (found := _PATH.fullmatch(text)):
            before = self._syntax.text[first + found.start("path") : start]
            if start >= first + found.start("path"):
                yield from self._path(start, before.rstrip(".:").replace(":", "."))

    def _is_relation(self, path: Sequence[Step]) -> bool:
        """Whether the last node is what a field of a model leads to: the first argument, or `to`."""
        argument, arguments, call = path[-1].node, path[-2].node, path[-3].node
        if arguments.type == "keyword_argument":
            name = arguments.child_by_field_name("name")
            to = name is not None and self._syntax.written(name) == "to"
            return to and _RELATION.fullmatch(called_name(self._syntax, path[-4].node)) is not None
        first = arguments.type == "argument_list" and arguments.named_children[0] == argument
        return first and _RELATION.fullmatch(called_name(self._syntax, call)) is not None

    def _path(self, start: int, before: str) -> Iterator[Use]:
        imported = Imported(0, before, self._name) if before else Imported(0, self._name)
        yield Use(Mention(start, self._position(start), "path", imported=imported, quoted=True), ())

    def _typed(self, start: int, around: Sequence[Scope], first: int) -> Iterator[Use]:
        """A name in a type that a string, or a comment, holds from `first` on."""
        dots = _DOTS.search(self._syntax.text, first, start)
        if dots is None:
            yield self._named(start, around)
            return
        names = [one.strip() for one in dots[0].split(".")[:-1]]
        chain = Chain(names[0], dots.start(), tuple(names[1:]))
        mention = Mention(start, self._position(start), "attribute", receiver=chain, quoted=True)
        yield Use(mention, ())

    def _spelled(self, start: int, path: list[Step]) -> Iterator[Use]:
        """A string that is the name: in `__all__`, or what is looked up in a module."""
        at = len(path) - 1
        while path[at - 1].node.type in ("list", "tuple", "set", "parenthesized_expression", "binary_operator"):
            at -= 1
        holder = path[at - 1].node
        if holder.type in ("assignment", "augmented_assignment"):
            left = holder.child_by_field_name("left")
            if left is not None and self._syntax.written(left) == "__all__":
                yield self._named(start, [MODULE])
        elif holder.type == "argument_list":
            yield from self._argument(start, path[at].node, holder, path[at - 2].node)
        elif holder.type == "subscript" and path[at].field == "subscript":
            value = holder.child_by_field_name("value")
            if value is not None and self._syntax.written(value) == "globals()":
                yield self._named(start, [MODULE])
            elif value is not None and (inner := _namespace_of(self._syntax, value)) is not None:
                yield self._looked_up(start, inner)

    def _argument(self, start: int, argument: Node, arguments: Node, call: Node) -> Iterator[Use]:
        called = call.child_by_field_name("function")
        written = self._syntax.written(called) if called is not None else ""
        before = [one for one in arguments.named_children if one.end_byte <= argument.start_byte]
        if written.startswith("__all__."):
            yield self._named(start, [MODULE])
        elif before and LOOKING_UP.search(called_name(self._syntax, call)):
            yield self._looked_up(start, before[-1])

    def keyword(self, start: int, arguments: Node, call: Node) -> Iterator[Use]:
        """The name of an argument of `patch.multiple(a, name=…)`, which gives what `a` has by it another value."""
        target = arguments.named_children[0]
        if called_name(self._syntax, call) != "multiple" or target.type == "keyword_argument":
            return
        if target.type == "string":
            yield from self._path(start, self._syntax.written(target).strip("'\""))
        else:
            yield self._looked_up(start, target)

    def _looked_up(self, start: int, value: Node) -> Use:
        receiver = value_of(self._syntax, value)
        return Use(Mention(start, self._position(start), "attribute", receiver=receiver, quoted=True), ())

    def _named(self, start: int, around: Sequence[Scope]) -> Use:
        return Use(Mention(start, self._position(start), "name", quoted=True), around)

    def _position(self, start: int) -> Position:
        return self._syntax.source.position(start)


def _namespace_of(syntax: Syntax, value: Node) -> Node | None:
    """What has the names: `a` of `vars(a)` and of `a.__dict__`."""
    attribute, arguments = value.child_by_field_name("attribute"), value.child_by_field_name("arguments")
    if attribute is not None and syntax.written(attribute) == "__dict__":
        return value.child_by_field_name("object")
    if arguments is not None and called_name(syntax, value) == "vars" and len(arguments.named_children) == 1:
        return arguments.named_children[0]
    return None
