"""What a text of Python says of members beside its identifiers, strings that spell them, and its fixtures.

By Python's own parser, which may be older than the text: what it does not parse has its strings alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.source import python_parser
from cn_daemon.domain.source.forms import form_of, read
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, line_start

# What names something by its path: `app.svc.f`, `app.svc:f`, and of an entry point `name = app.svc:f`.
_PATH = re.compile(r"\s*(?:[\w.-]+\s*=\s*)?(?P<path>[^\W\d]\w*(?:[.:][^\W\d]\w*)+)\s*(?:\[.*\])?\s*")
_QUOTES = re.compile(r"(?i:[rbu]{0,2})(?:\"\"\"|'''|\"|')")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FIELD_PATH = re.compile(r"-?[A-Za-z]\w*")
_FIELD = re.compile(r"(?:Field|Key|Relation|Rel)$")
_QUERY = re.compile(
    r"values|values_list|order_by|only|defer|select_related|prefetch_related|distinct|dates|datetimes|latest|earliest|"
    r"F|Q|OuterRef|Prefetch|Count|Sum|Avg|Min|Max|StdDev|Variance|Lower|Upper|Coalesce|Concat|get_field|in_bulk"
)
_OPTION = re.compile(
    r"ordering|unique_together|index_together|order_with_respect_to|get_latest_by|update_fields|fields|exclude|"
    r"list_\w+|search_fields|readonly_fields|autocomplete_fields|raw_id_fields|filter_\w+|prepopulated_fields|"
    r"date_hierarchy|lookup_field|filterset_fields|ordering_fields|related_name|to_field|extra_kwargs|read_only_fields"
)
FIXTURE = re.compile(r"fixture")


class Spelling(NamedTuple):
    """A string that spells a name. start, end: of the name in the text. before: the path in front of it, with dots; ""
    where it stands alone. called: the last name of what it is an argument of; receiver: where the value ends that it is
    looked up in (`X` of `X["a"]` and of `f(X, "a")`), None for none. key: whether it stands in brackets. torn:
    whether the text could not be parsed, so that nothing more is known."""

    start: int
    end: int
    before: str = ""
    called: str = ""
    receiver: int | None = None
    key: bool = False
    torn: bool = False


class Fixture(NamedTuple):
    """name: by which tests ask for it. start: of its function's name."""

    name: str
    start: int


class PythonText:
    """Of one document; places are offsets in its `SourceText`."""

    def __init__(self, document: Document) -> None:
        self._source = document.once(SourceText)
        self._text = self._source.text
        self._form = form_of(document.path)

    @cached_property
    def tree(self) -> ast.Module | None:
        return python_parser.module(self._text)

    # Strings

    def spellings(self, name: str) -> Iterator[Spelling]:
        """The strings that spell a name, alone or in a path; no documentation does. And names of arguments by which
        something is given another value, `patch.multiple(a, name=…)`."""
        yield from self._replaced(name)
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        if not any(self._may_be_quoted(found.start()) for found in word.finditer(self._text)):
            return
        if not any(word.search(self._text, start, end) for start, end in self._quoted):
            return
        if self.tree is None:
            for start, end in self._quoted:
                yield from self._torn(start, end, word)
            return
        for node, above in self._strings:
            if word.search(str(node.value)):
                yield from self._spelled(node, str(node.value), above, word)

    def _replaced(self, name: str) -> Iterator[Spelling]:
        if "multiple(" not in self._text:
            return
        for node in ast.walk(self.tree or ast.Module([], [])):
            if isinstance(node, ast.Call) and _last_name(node.func) == "multiple" and node.args:
                target = node.args[0]
                path = str(target.value) if isinstance(target, ast.Constant) else ""
                for start in (self.offset(one.lineno, one.col_offset) for one in node.keywords if one.arg == name):
                    yield Spelling(start, start + len(name), path, "patch", None if path else self.last(target))

    def patterns(self, name: str) -> Iterator[tuple[int, int | None]]:
        """Where a pattern takes a member of a name, `case A(name=1)`, and the last name of the class."""
        taken = re.compile(rf"(?<!\w)(?P<name>{re.escape(name)})\s*=[\s(]*\Z")
        nodes = ast.walk(self.tree) if self.tree is not None and "case " in self._text else ()
        for node in nodes:
            if isinstance(node, ast.MatchClass) and name in node.kwd_attrs:
                value = node.kwd_patterns[node.kwd_attrs.index(name)]
                end = self.offset(value.lineno, value.col_offset)
                if (found := taken.search(self._text, self.offset(node.lineno, node.col_offset), end)) is not None:
                    yield found.start("name"), self.last(node.cls)

    def _may_be_quoted(self, place: int) -> bool:
        """By what is before it on its line: most names are in no string, and then nothing needs to be read."""
        before = self._text[line_start(self._text, place) : place]
        return "'" in before or '"' in before

    @cached_property
    def _quoted(self) -> list[tuple[int, int]]:
        return [(start, end) for kind, start, end in self._tokens if kind == "string"]

    @cached_property
    def _tokens(self) -> list[tuple[str, int, int]]:
        return list(read(self._text, self._form)) if self._form is not None else []

    @cached_property
    def _strings(self) -> list[tuple[ast.Constant, list[ast.AST]]]:
        """With the nodes around each, the nearest first."""
        found: list[tuple[ast.Constant, list[ast.AST]]] = []
        pending: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(self.tree, ())] if self.tree else []
        while pending:
            node, above = pending.pop()
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append((node, list(above)))
            elif not isinstance(node, ast.JoinedStr):
                inner = (node, *above[:3])
                pending += [(one, inner) for one in ast.iter_child_nodes(node)]
        return found

    def _torn(self, start: int, end: int, word: re.Pattern[str]) -> Iterator[Spelling]:
        opening = _QUOTES.match(self._text, start)
        value = self._text[opening.end() : end - 1].rstrip("'\"") if opening else ""
        path = _PATH.fullmatch(value)
        if opening is not None and word.search(value) and (path or word.fullmatch(value)):
            for found in word.finditer(self._text, opening.end(), end):
                yield Spelling(found.start(), found.end(), torn=True)

    def _spelled(
        self, node: ast.Constant, value: str, above: list[ast.AST], word: re.Pattern[str]
    ) -> Iterator[Spelling]:
        if not above or isinstance(above[0], ast.Expr):
            return
        start, end = self.offset(node.lineno, node.col_offset), self.end(node)
        places = [found.span() for found in word.finditer(self._text, start, end)]
        path = _PATH.fullmatch(value)
        if path is not None:
            called = _last_name(above[0].func) if isinstance(above[0], ast.Call) else ""
            parts = re.split(r"[.:]", path["path"])
            known = [at for at, part in enumerate(parts) if word.fullmatch(part)]
            for (first, last), at in zip(places[-len(known) :] if known else (), known, strict=False):
                yield Spelling(first, last, ".".join(parts[:at]), called)
        elif word.fullmatch(value) and places:
            yield from self._alone(node, above, *places[0])

    def _alone(self, node: ast.Constant, above: list[ast.AST], start: int, end: int) -> Iterator[Spelling]:
        holder = next((one for one in above if not isinstance(one, (ast.List, ast.Tuple, ast.Set))), None)
        if isinstance(holder, ast.Subscript) and (inner := _namespace_of(holder.value)) is not None:
            yield Spelling(start, end, called="getattr", receiver=self.last(inner))
        elif isinstance(holder, ast.Subscript):
            yield Spelling(start, end, receiver=self.last(holder.value), key=True)
        elif isinstance(holder, ast.keyword | ast.Call):
            call = holder if isinstance(holder, ast.Call) else above[above.index(holder) + 1]
            if isinstance(call, ast.Call):
                yield self._argument(node, call, start, end)

    def _argument(self, node: ast.Constant, call: ast.Call, start: int, end: int) -> Spelling:
        at = call.args.index(node) if node in call.args else 0
        receiver = self.last(call.args[at - 1]) if at else None
        return Spelling(start, end, called=_last_name(call.func), receiver=receiver)

    def field_paths(self, name: str) -> Iterator[tuple[int, int]]:
        """Where a path of Django's names a field, as queries and models are told them: `filter(a__name=1)`,
        `order_by("-a__name")`, `ordering = ["name"]`. The field alone as a keyword is none: it is a name of its own."""
        word = re.compile(rf"(?:(?<=__)|(?<![A-Za-z0-9_])){re.escape(name)}(?=__|(?![A-Za-z0-9_]))")
        for node in ast.walk(self.tree or ast.Module([], [])):
            if isinstance(node, ast.keyword) and node.arg and node.arg != name and "__" in node.arg:
                start = self.offset(node.lineno, node.col_offset)
                yield from (found.span() for found in word.finditer(self._text, start, start + len(node.arg)))
        for string, above in self._strings:
            if _FIELD_PATH.fullmatch(str(string.value)) and word.search(str(string.value)):
                alone = str(string.value).lstrip("-") == name
                if not alone or _names_fields(above):
                    start, end = self.offset(string.lineno, string.col_offset), self.end(string)
                    yield from (found.span() for found in word.finditer(self._text, start, end))

    def is_field(self, place: int) -> bool:
        """Whether a class gives a name there a field of Django's."""
        for node in ast.walk(self.tree or ast.Module([], [])):
            for one in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call):
                    places = [self.offset(target.lineno, target.col_offset) for target in one.targets]
                    if place in places and _FIELD.search(_last_name(one.value.func)):
                        return True
        return False

    # Fixtures

    @cached_property
    def fixtures(self) -> list[Fixture]:
        """What is decorated as one of pytest's."""
        return [
            Fixture(_fixture_name(decorator) or node.name, self.named(node))
            for node in ast.walk(self.tree or ast.Module([], []))
            if isinstance(node, _Function)
            for decorator in node.decorator_list
            if FIXTURE.search(_last_name(decorator.func if isinstance(decorator, ast.Call) else decorator))
        ]

    def asked(self, fixture: str) -> Iterator[int]:
        """Where tests and fixtures take a fixture by a parameter."""
        known = {one.start for one in self.fixtures}
        for node in ast.walk(self.tree or ast.Module([], [])):
            if isinstance(node, _Function) and (node.name.startswith("test") or self.named(node) in known):
                for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                    if one.arg == fixture:
                        yield self.offset(one.lineno, one.col_offset)

    # Places

    def offset(self, line: int, column: int) -> int:
        """column: in bytes of UTF-8, as the parser counts."""
        start = self._starts[line - 1]
        if self._text.isascii():
            return start + column
        end = self._text.find("\n", start)
        row = self._text[start : end if end >= 0 else len(self._text)]
        return start + len(row.encode()[:column].decode("utf-8", "ignore"))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", self._text))]

    def end(self, node: ast.expr | ast.alias | ast.arg | ast.stmt) -> int:
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def named(self, node: _Function | ast.ClassDef) -> int:
        """Where the name of what is declared stands."""
        return self._text.index(node.name, self.offset(node.lineno, node.col_offset) + len("def"))

    def last(self, node: ast.expr) -> int | None:
        """Where the last name of `a.b` begins; None for what is no such chain."""
        if isinstance(node, ast.Name):
            return self.offset(node.lineno, node.col_offset)
        return self.end(node) - len(node.attr) if isinstance(node, ast.Attribute) else None


def _names_fields(above: list[ast.AST]) -> bool:
    """Whether what is around a string takes names of fields."""
    for one in above:
        match one:
            case ast.Call():
                return _QUERY.fullmatch(_last_name(one.func)) is not None
            case ast.keyword():
                return _OPTION.fullmatch(one.arg or "") is not None
            case ast.Assign():
                return any(_OPTION.fullmatch(_last_name(target)) for target in one.targets)
            case ast.List() | ast.Tuple() | ast.Set():
                continue
        return False
    return False


def _namespace_of(value: ast.expr) -> ast.expr | None:
    """What has the members: `a` of `vars(a)` and of `a.__dict__`."""
    match value:
        case ast.Attribute(attr="__dict__"):
            return value.value
        case ast.Call(func=ast.Name(id="vars"), args=[inner]):
            return inner
    return None


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _fixture_name(decorator: ast.expr) -> str:
    for one in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if one.arg == "name" and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
            return one.value.value
    return ""
