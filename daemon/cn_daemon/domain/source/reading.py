"""A document by offsets: where a position lies in the whole text, its tokens and imports, the brackets of a place."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from cn_daemon.domain.source import forms
from cn_daemon.domain.source.components import is_component, readable
from cn_daemon.domain.source.text import Document, Position, Span

_IMPORT = (
    r"(?:import\b(?!\s*[(.:?!,<=])(?:[^;'\"`=\n]|\n(?![ \t]*(?:import|export)\b)|=\s*require"
    r"|['\"][^'\"\n]*['\"](?=\s+as\b))*?"
    r"(?:['\"][^'\"\n]*['\"](?!\s+as\b)|;)"
    r"|export\b\s*(?:type\b\s*)?(?:\*(?:/\*[\s\S]*?\*/|//[^\n]*|[^}'\"])*"
    r"|\{(?:/\*[\s\S]*?\*/|//[^\n]*|[^}'\"]|'[^'\n]*'|\"[^\"\n]*\")*\}?)[^;\n]*)"
)
_IMPORTS = re.compile(rf"^[ \t]*{_IMPORT}", re.MULTILINE)
_IMPORT_HERE = re.compile(_IMPORT)
_COMMENTED = re.compile(r"/\*[\s\S]*?\*/|(?<![:'\"])//[^\n]*")
# One by one: of a pattern that begins with letters these are looked for, which is many times faster.
_IMPORTING = (re.compile(r"import\b"), re.compile(r"export\b"))
# So much text before a place is looked at.
_NEAR = 80
# In a script the compiler takes a variable for an import that is `require("a")`, or something of it.
_REQUIRED = re.compile(
    r"(?:^[ \t]*(?:const|let|var)\s+|,\s*)(?P<bound>[\w$]+|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]*\])"
    r"\s*=\s*require\s*\(\s*(?P<quote>['\"]|`(?![^`]*\$\{))[^'\"`\n]*(?P=quote)\s*\)"
    r"(?:\s*\.\s*[\w$]+|\s*\[[^\[\]\n]*\])*"
    r"(?=\s*(?:[;,}]|//|/\*|\Z)|[ \t]*\n\s*[\w$@#'\"{])",
    re.MULTILINE,
)
_TYPED = re.compile(r"@type\b")
_NESTED = re.compile(r"\{[^{}]*\}")
_QUOTED = re.compile(r"""\[?(?P<quote>['"])(?P<name>(?:\\.|(?!(?P=quote)).)*)(?P=quote)\]?""", re.DOTALL)
SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
# Files that a compiler of TypeScript reads.
COMPILED = (*SCRIPTS, ".ts", ".tsx", ".mts", ".cts")
# Files that only declare.
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")


def import_spans(text: str, *, script: bool = False) -> list[tuple[int, int]]:
    """Where the imports of `text` stand, and its `export { … }` lists: what they name is declared elsewhere. script:
    JavaScript, where `require` imports."""
    found = [match.span() for match in _IMPORTS.finditer(text) if not _is_filled(match[0])]
    behind = list(_behind(text))
    if behind:
        told, found = sorted([*found, *behind]), []
        for one in told:
            # The text of one import may hold what looks like another.
            if not found or one[0] >= found[-1][1]:
                found.append(one)
    if not script or "require" not in text:
        return found
    return sorted([*found, *_required(text)])


def imports(document: Document) -> list[tuple[int, int]]:
    """The same of a document."""
    return import_spans(document.text, script=document.path.endswith(SCRIPTS))


def _is_filled(imported: str) -> bool:
    """Whether a template writes it (`import a from "${b.id}"`): that is no import. Comments may tell of one."""
    return "${" in imported and "${" in _COMMENTED.sub("", imported)


def _behind(text: str) -> Iterator[tuple[int, int]]:
    """Those that stand behind another statement on its line, or a brace."""
    for word in _IMPORTING:
        for found in word.finditer(text):
            start = found.start()
            before = text[max(0, start - _NEAR) : start].rstrip(" \t")
            match = _IMPORT_HERE.match(text, start) if before.endswith((";", "{", "}")) else None
            if match is not None and not _is_filled(match[0]):
                yield match.span()


def _required(text: str) -> Iterator[tuple[int, int]]:
    for match in _REQUIRED.finditer(text):
        head = text[max(0, match.start() - 2000) : match.start()].rstrip()
        typed = head.endswith("*/") and _TYPED.search(head, head.rfind("/**"))
        if typed and match["bound"][0] not in "{[":
            # What has a type of its own is a variable; what a pattern takes has none.
            continue
        first = match.start()
        for inner in _NESTED.finditer(text, match.start("bound") + 1, match.end("bound") - 1):
            # So is what a pattern takes from a part of the module.
            yield first, inner.start()
            first = inner.end()
        yield first, match.end()


class SourceText:
    """A document with offsets: where a position lies in the whole text, and back."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.form = forms.form_of(document.path)
        self.script = document.path.endswith(SCRIPTS)
        # Whether `<` may open an element.
        self.jsx = self.script or document.path.endswith(".tsx")
        self.text = "\n".join(document.lines) if "\r" in document.text else document.text
        if is_component(document.path):
            self.text = readable(document.path, self.text)
        self._ascii = self.text.isascii()

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *accumulate(len(line) + 1 for line in self.document.lines)]

    @cached_property
    def _imports(self) -> list[tuple[int, int]]:
        if self.form is not None:
            return [found.span() for found in self.form.imports.finditer(self.text)]
        return import_spans(self.text, script=self.script)

    def cut(self, span: Span) -> str:
        return self.text[self.offset(span.start) : self.offset(span.end)]

    def offset(self, position: Position) -> int:
        line = min(position.line, len(self.document.lines))
        return self._starts[line - 1] + self.document.index(Position(line, position.character))

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        index = offset - self._starts[line - 1]
        return Position(line, index + 1 + (0 if self._ascii else bisect_left(self.document.pairs(line), index)))

    def span(self, start: int, end: int) -> Span:
        return Span(self.position(start), self.position(end))

    def in_imports(self, offset: int) -> bool:
        """Whether an import, or an `export { … }`, stands there."""
        return self._import_span(offset) is not None

    def _import_span(self, offset: int) -> tuple[int, int] | None:
        row = bisect_right(self._imports, (offset, len(self.text) + 1)) - 1
        start, end = self._imports[row] if row >= 0 else (0, 0)
        return (start, end) if start <= offset < end else None


def unquoted(name: str) -> str:
    """A name as it is told: `"a"` and `["a"]` are a."""
    found = _QUOTED.fullmatch(name)
    return found["name"] if found else name
