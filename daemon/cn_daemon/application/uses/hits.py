"""What stands at the hits of a language server, by the text around them: a declaration, an import, a key, a use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.noted import is_parameter
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span

_DEFAULT = len("default")
# What several files may declare, and before the name of such a declaration.
MERGED = ("Interface", "Class", "Namespace", "Module")
_MERGING = re.compile(r"\b(?:interface|namespace)\s+\Z")
_KEY = re.compile(r"(['\"])[\w$]+\1")
# As compilers begin what they write: `exports.b = exports.a = void 0;` announces both.
_ASSIGNMENT = re.compile(r"(?:['\"]\])?\s*=(?![=>])(?!(?:[^;=]*=)*\s*void 0;)")


def exclusions(symbol: Symbol) -> list[Callable[[Document, Span], bool]]:
    """The predicates of hits that are no uses of such a symbol."""
    main = symbol.main
    predicates = (
        (True, _is_default),
        (main.kind in MERGED, is_merged),
        (not main.local, is_parameter),
        (main.static, _is_instances),
    )
    return [is_no_use for may_be, is_no_use in predicates if may_be]


def is_imported(document: Document, span: Span) -> bool:
    """Whether an import gives a name there: in the file that declares the symbol at its top it declares it as well, as
    a type beside a value of the same name. The module that an import names is no name."""
    source = document.once(SourceText)
    start, end = source.offset(span.start), source.offset(span.end)
    if source.text.endswith(("'", '"'), 0, start):
        return False
    imports = source.import_at(start).lstrip().startswith("import")
    return imports and not source.text[end : end + 40].lstrip().startswith("as ")


def is_merged(document: Document, span: Span) -> bool:
    """Whether another declaration of it is named there: natively no definition for who asks in a project that does not
    hold it."""
    return _MERGING.search(document.line(span.start.line)[: document.index(span.start)]) is not None


def _is_default(document: Document, span: Span) -> bool:
    """Whether it is the word in `export default a`, which the native server tells beside `a`."""
    if span.end.character - span.start.character != _DEFAULT or span.start.line != span.end.line:
        return False
    return (
        document.at(span) == "default"
        and document.line(span.start.line)[: document.index(span.start)].strip() == "export"
    )


def _is_instances(document: Document, span: Span) -> bool:
    """Whether it is the member of an instance, `{@link A#b}`, which TypeScript 7 takes for the static one as well."""
    return document.line(span.start.line)[: document.index(span.start)].endswith("#")


def is_key(document: Document, position: Position) -> bool:
    """Whether a word in quotes stands there, `a["b"]`."""
    line, index = document.line(position.line), position.character - 1
    return any(found.start() <= index < found.end() for found in _KEY.finditer(line))


def is_assigned(document: Document | None, span: Span) -> bool:
    """Whether a member is assigned there: to compilers each `this.a = …` of a script declares `a`, each `f.a = …` and
    `f["a"] = …` of a function."""
    if document is None:
        return False
    line = document.line(span.start.line)
    before, behind = line[: document.index(span.start)], line[document.index(span.end) :]
    return before.endswith((".", '["', "['")) and _ASSIGNMENT.match(behind) is not None


def overlap(one: Span, others: Iterable[Span]) -> bool:
    """The servers begin the name of a quoted key within its quotes, and that of a constructor before its line."""
    return any(one.start < other.end and other.start < one.end for other in others)
