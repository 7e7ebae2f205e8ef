"""What each occurrence of one name in a Python text is: a name, and which scope binds it; an attribute, and of what; a
part of an import; a string or a comment that names it.

A scope binds a name by an occurrence of it, so that the occurrences of one name tell all that is needed about it, but
for `from … import *`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cn_daemon.adapters.python_bindings.syntax import Step, Syntax
from cn_daemon.domain.source.text import Document, Position, occurrences

if TYPE_CHECKING:
    from tree_sitter import Node

# Where a scope begins, in bytes, and which kind it is of.
Scope = tuple[int, str]
MODULE: Scope = (0, "module")
_COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
_DEFINITIONS = ("function_definition", "class_definition")
# What may stand between a target and the statement that binds it.
_TARGETS = (
    "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "tuple", "list", "expression_list",
    "parenthesized_expression", "list_splat",
)  # fmt: skip
_PARAMETERS = ("parameters", "lambda_parameters")
# The same for a parameter.
_PARAMETER = (
    "default_parameter", "typed_parameter", "typed_default_parameter", "list_splat_pattern",
    "dictionary_splat_pattern", "tuple_pattern",
)  # fmt: skip
_DOTS = re.compile(r"(?:[^\W\d]\w*\s*\.\s*)+\Z")
# A string that names something by its path: `app.svc.f`, `app.svc:f`, and of an entry point `name = app.svc:f`.
_PATH = re.compile(r"\s*(?:[\w.-]+\s*=\s*)?(?P<path>[^\W\d]\w*(?:[.:][^\W\d]\w*)+)\s*(?:\[.*\])?\s*")
_TYPE_COMMENT = re.compile(r"#\s*type:(?!\s*ignore\b)")
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
# What is called to look a name up in something.
LOOKING_UP = re.compile(r"attr|methodcaller|^object$|^spy$|^stub$|^patch")
# The same, and what else takes a module and hands it to nobody.
_LOOKING_INTO = re.compile(
    rf"{LOOKING_UP.pattern}|^(?:reload|get(?:members|source|sourcefile|doc|file|module)|vars|dir|print|type|id|repr|str)$"
)
# Django's, and SQLAlchemy's.
_RELATION = re.compile(r"ForeignKey|OneToOneField|ManyToManyField|GenericRelation|relationship")
_LOADERS = frozenset({"import_module", "__import__", "import_string", "importorskip", "run_module", "resolve_name"})


class Chain(NamedTuple):
    """`a.b.c`: base is `a`, start where it stands."""

    base: str
    start: int
    attributes: tuple[str, ...] = ()


class Loaded(NamedTuple):
    """A module that is imported when the program runs, by its dotted name; "" where that is computed."""

    dotted: str
    attributes: tuple[str, ...] = ()


# What a value is read from; None for what leads to no module by names.
Value = Chain | Loaded | None


class Imported(NamedTuple):
    """level: the dots before `module`. name: what is taken of it, None for the module itself."""

    level: int
    module: str
    name: str | None = None


class Binding(NamedTuple):
    """How a scope binds the name. position: of the name there. imported: None for what is declared there; value: what
    it is given then."""

    position: Position
    imported: Imported | None = None
    value: Value = None
    given: bool = False


class Mention(NamedTuple):
    """One occurrence. owner: the scope that binds it, None where none does. imported: of a part of an import, or of a
    path in a string. receiver: of an attribute. renames: it stands behind `as`. quoted: it stands in a string.
    base: of an attribute (`name.x`). looked_up: what is called with it looks something up in it. model: a class of an
    application's models, as a field of Django's names what it leads to."""

    start: int
    position: Position
    role: Literal["name", "attribute", "import", "path"]
    owner: Scope | None = None
    imported: Imported | None = None
    receiver: Value = None
    binds: bool = False
    renames: bool = False
    quoted: bool = False
    base: bool = False
    looked_up: bool = False
    model: bool = False


class Analysis(NamedTuple):
    """Of one name in one text."""

    mentions: Sequence[Mention]
    bindings: dict[Scope, list[Binding]]

    def at(self, start: int) -> Mention | None:
        return next((one for one in self.mentions if one.start == start), None)


class _Use(NamedTuple):
    mention: Mention
    scopes: Sequence[Scope]
    # Where what it binds begins to be bound, in a class.
    bound_from: int = 0
    parameter: bool = False


def analysis(document: Document, syntax: Syntax, name: str) -> Analysis:
    """document: the one of the syntax; who watches how long a text is read looks for it."""
    return _Reading(syntax, name).analysis()


class _Reading:
    def __init__(self, syntax: Syntax, name: str) -> None:
        self._syntax = syntax
        self._name = name
        self._uses: list[_Use] = []
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
                self._comment(start, path)
            elif any(step.node.type == "string" for step in path[-3:]):
                self._string(start, path)
        for scope in self._global & self._bindings.keys():
            self._bindings.setdefault(MODULE, []).extend(self._bindings.pop(scope))
        mentions = [self._settled(one) for one in self._uses]
        bindings = {scope: [one for _, one in found] for scope, found in self._bindings.items()}
        return Analysis(mentions, bindings)

    # Identifiers

    def _identifier(self, start: int, path: list[Step]) -> None:
        parent, field = path[-2].node, path[-1].field
        kind = parent.type
        if kind == "attribute" and field == "attribute":
            self._attribute(start, parent.child_by_field_name("object"))
        elif kind in ("keyword_argument", "keyword_pattern") and parent.named_children[0] == path[-1].node:
            pass  # a parameter, or an attribute, of what is called
        elif kind in ("global_statement", "nonlocal_statement"):
            self._declared_elsewhere(start, path, kind == "global_statement")
        elif kind == "dotted_name":
            self._dotted(start, path)
        elif kind == "aliased_import" and field == "alias":
            self._alias(start, path)
        elif kind in _DEFINITIONS and field == "name":
            self._bind(start, path, scopes(path), until=parent.end_byte)
        elif _is_parameter(path):
            self._bind(start, path, scopes(path, parameter=True), parameter=True)
        elif (holder := _type_parameters(path)) is not None:
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
            given = self._value(value) if plain and value is not None else None
            self._bind(start, path, scopes(path), value=given, given=value is not None, until=holder.end_byte)
        elif holder.type in ("for_statement", "for_in_clause") and field == "left":
            self._bind(start, path, scopes(path), given=True)
        elif holder.type == "named_expression" and field == "name":
            around = [one for one in scopes(path) if one[1] != "comprehension"]
            value = holder.child_by_field_name("value")
            self._bind(start, path, around, value=self._value(value) if value is not None else None, given=True)
        elif holder.type in ("as_pattern_target", "delete_statement", "splat_pattern"):
            self._bind(start, path, scopes(path), given=holder.type != "delete_statement")
        elif holder.type == "as_pattern" and holder.named_children[0] != path[at].node:
            self._bind(start, path, scopes(path), given=True)
        elif holder.type in ("type_alias_statement", "type", "generic_type") and _is_alias_left(path):
            self._bind(start, path, scopes(path))
        else:
            base = path[-2].node.type == "attribute" and path[-1].field == "object"
            looked_up = path[-2].node.type == "argument_list" and _LOOKING_INTO.search(self._called(path[-3].node))
            self._name_at(start, scopes(path), base=base, looked_up=bool(looked_up))

    def _name_at(
        self,
        start: int,
        around: Sequence[Scope],
        *,
        quoted: bool = False,
        base: bool = False,
        looked_up: bool = False,
    ) -> None:
        mention = Mention(start, self._position(start), "name", quoted=quoted, base=base, looked_up=looked_up)
        self._uses.append(_Use(mention, around))

    def _called(self, call: Node) -> str:
        """The last name of what is called."""
        called = call.child_by_field_name("function")
        return self._syntax.written(called).rpartition(".")[2] if called is not None else ""

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
        self._uses.append(_Use(mention, around, start + 1))

    def _attribute(self, start: int, receiver: Node | None) -> None:
        value = self._value(receiver) if receiver is not None else None
        mention = Mention(start, self._position(start), "attribute", receiver=value)
        self._uses.append(_Use(mention, ()))

    def _declared_elsewhere(self, start: int, path: list[Step], everywhere: bool) -> None:
        around = scopes(path)
        (self._global if everywhere else self._nonlocal).add(around[0])
        self._name_at(start, around)

    # Imports, and the patterns that have dotted names as well

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
            imported = _source_of(self._syntax, statement)._replace(name=dotted)
            if holder.type == "aliased_import":
                self._imported(start, imported)
            else:
                self._bind(start, path, scopes(path), imported=imported, until=statement.end_byte)

    def _imported(self, start: int, imported: Imported) -> None:
        self._uses.append(_Use(Mention(start, self._position(start), "import", imported=imported), ()))

    def _alias(self, start: int, path: list[Step]) -> None:
        statement = path[-3].node
        named = path[-2].node.child_by_field_name("name")
        name = self._syntax.written(named) if named is not None else ""
        imported = (
            Imported(0, name)
            if statement.type == "import_statement"
            else _source_of(self._syntax, statement)._replace(name=name)
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
            self._uses.append(_Use(Mention(start, self._position(start), "attribute", receiver=chain), ()))
        elif len(names) > 1 or holder.type == "class_pattern":
            self._name_at(start, scopes(path), base=len(names) > 1)
        else:
            self._bind(start, path, scopes(path), given=True)

    # Strings and comments

    def _comment(self, start: int, path: list[Step]) -> None:
        comment = path[-1].node
        if _TYPE_COMMENT.match(self._syntax.text, self._syntax.start(comment)):
            self._typed(start, scopes(path), self._syntax.start(comment))

    def _string(self, start: int, path: list[Step]) -> None:
        at = next(index for index in reversed(range(len(path))) if path[index].node.type == "string")
        string = path[at].node
        contents = [one for one in string.named_children if one.type not in ("string_start", "string_end")]
        if len(contents) != 1 or contents[0].type != "string_content":
            return
        outer = path[: at + 1]
        first, text = self._syntax.start(contents[0]), self._syntax.written(contents[0])
        if _is_annotation(outer, self._syntax):
            self._typed(start, scopes(outer), first)
            return
        holder = outer[-2].node
        label, _, last = text.rpartition(".")
        if last == self._name and self._is_relation(outer):
            imported = Imported(0, label, last)
            mention = Mention(start, self._position(start), "path", imported=imported, quoted=True, model=True)
            self._uses.append(_Use(mention, ()))
        elif text == self._name:
            self._spelled(start, outer)
        elif holder.type != "expression_statement" and (found := _PATH.fullmatch(text)):
            before = self._syntax.text[first + found.start("path") : start]
            if start >= first + found.start("path"):
                self._path(start, before.rstrip(".:").replace(":", "."))

    def _is_relation(self, path: Sequence[Step]) -> bool:
        """Whether the last node is what a field of a model leads to: the first argument, or `to`."""
        argument, arguments, call = path[-1].node, path[-2].node, path[-3].node
        if arguments.type == "keyword_argument":
            name = arguments.child_by_field_name("name")
            to = name is not None and self._syntax.written(name) == "to"
            return to and _RELATION.fullmatch(self._called(path[-4].node)) is not None
        first = arguments.type == "argument_list" and arguments.named_children[0] == argument
        return first and _RELATION.fullmatch(self._called(call)) is not None

    def _path(self, start: int, before: str) -> None:
        imported = Imported(0, before, self._name) if before else Imported(0, self._name)
        self._uses.append(_Use(Mention(start, self._position(start), "path", imported=imported, quoted=True), ()))

    def _typed(self, start: int, around: Sequence[Scope], first: int) -> None:
        """A name in a type that a string, or a comment, holds from `first` on."""
        dots = _DOTS.search(self._syntax.text, first, start)
        if dots is None:
            self._name_at(start, around, quoted=True)
            return
        names = [one.strip() for one in dots[0].split(".")[:-1]]
        chain = Chain(names[0], dots.start(), tuple(names[1:]))
        mention = Mention(start, self._position(start), "attribute", receiver=chain, quoted=True)
        self._uses.append(_Use(mention, ()))

    def _spelled(self, start: int, path: list[Step]) -> None:
        """A string that is the name: in `__all__`, or what is looked up in a module."""
        at = len(path) - 1
        while path[at - 1].node.type in ("list", "tuple", "set", "parenthesized_expression", "binary_operator"):
            at -= 1
        holder = path[at - 1].node
        if holder.type in ("assignment", "augmented_assignment"):
            left = holder.child_by_field_name("left")
            if left is not None and self._syntax.written(left) == "__all__":
                self._name_at(start, [MODULE], quoted=True)
        elif holder.type == "argument_list":
            self._argument(start, path[at].node, holder, path[at - 2].node)
        elif holder.type == "subscript" and path[at].field == "subscript":
            value = holder.child_by_field_name("value")
            if value is not None and self._syntax.written(value) == "globals()":
                self._name_at(start, [MODULE], quoted=True)

    def _argument(self, start: int, argument: Node, arguments: Node, call: Node) -> None:
        called = call.child_by_field_name("function")
        written = self._syntax.written(called) if called is not None else ""
        before = [one for one in arguments.named_children if one.end_byte <= argument.start_byte]
        if written.startswith("__all__."):
            self._name_at(start, [MODULE], quoted=True)
        elif before and LOOKING_UP.search(self._called(call)):
            mention = Mention(start, self._position(start), "attribute", receiver=self._value(before[-1]), quoted=True)
            self._uses.append(_Use(mention, ()))

    # Values

    def _value(self, node: Node) -> Value:
        attributes: list[str] = []
        while node.type in ("attribute", "parenthesized_expression"):
            if node.type == "attribute":
                attribute, inner = node.child_by_field_name("attribute"), node.child_by_field_name("object")
                if attribute is None or inner is None:
                    return None
                attributes.insert(0, self._syntax.written(attribute))
                node = inner
            elif len(node.named_children) == 1:
                node = node.named_children[0]
            else:
                return None
        if node.type == "identifier":
            return Chain(self._syntax.written(node), self._syntax.start(node), tuple(attributes))
        loaded = self._loaded(node)
        return Loaded(loaded, tuple(attributes)) if loaded is not None else None

    def _loaded(self, node: Node) -> str | None:
        """The name of the module that a call imports, or that `sys.modules` holds; "" where it is computed."""
        if node.type == "await" and node.named_children:
            node = node.named_children[0]
        if node.type == "subscript":
            value = node.child_by_field_name("value")
            if value is None or self._syntax.written(value) not in ("sys.modules", "modules"):
                return None
            inner = node.child_by_field_name("subscript")
        elif node.type == "call":
            called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if called is None or self._syntax.written(called).rpartition(".")[2] not in _LOADERS:
                return None
            inner = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        else:
            return None
        written = self._syntax.written(inner) if inner is not None else ""
        literal = re.fullmatch(r"(['\"])([\w.]+)\1", written)
        return literal[2] if literal and not literal[2].startswith(".") else ""

    # What binds

    def _settled(self, use: _Use) -> Mention:
        mention = use.mention
        if not use.scopes or mention.imported is not None:
            return mention
        return mention._replace(owner=self._owner(use))

    def _owner(self, use: _Use) -> Scope | None:
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
        generic = node.type in _DEFINITIONS and node.child_by_field_name("type_parameters") is not None
        if (generic and field not in ("name", "type_parameters")) or (
            node.type == "type_alias_statement" and field == "right" and child is not None
        ):
            found.append((node.start_byte, "types"))
    return [*found, MODULE]


def _is_first_iterable(comprehension: Node, inner: Sequence[Step]) -> bool:
    clause = inner[0].node
    first = next((one for one in comprehension.named_children if one.type == "for_in_clause"), None)
    return clause == first and len(inner) > 1 and inner[1].field == "right"


def _is_parameter(path: Sequence[Step]) -> bool:
    at = len(path) - 1
    while path[at - 1].node.type in _PARAMETER:
        if path[at].field in ("value", "type"):
            return False
        at -= 1
    return path[at - 1].node.type in _PARAMETERS


def _type_parameters(path: Sequence[Step]) -> Node | None:
    """What has the type parameter that is declared there (PEP 695)."""
    for at in range(len(path) - 1, max(0, len(path) - 6), -1):
        node, (child, _) = path[at - 1].node, path[at]
        if node.type == "type_parameter":
            declares = path[at].field == "type_parameters" or path[at - 1].field == "type_parameters"
            if declares:
                return path[at - 2].node
            return path[at - 4].node if at >= 4 and _is_alias_left(path[: at + 1]) and at > 4 else None
        if node.type not in ("type", "constrained_type", "splat_type") or node.named_children[0] != child:
            return None
    return None


def _is_alias_left(path: Sequence[Step]) -> bool:
    """Whether it is within what `type X[T] = …` declares."""
    for at in range(len(path) - 1, 0, -1):
        if path[at - 1].node.type == "type_alias_statement":
            return path[at].field == "left"
        if path[at - 1].node.type not in ("type", "generic_type", "type_parameter"):
            return False
    return False


def _is_annotation(path: Sequence[Step], syntax: Syntax) -> bool:
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


def _source_of(syntax: Syntax, statement: Node) -> Imported:
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
                yield _source_of(syntax, node)
        elif node.type not in ("function_definition", "lambda", "expression_statement"):
            pending += node.named_children
