"""What a module's text says of what others see of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.domain.aliases import aliases
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.reading import DECLARATIONS, SourceText, imports
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Span

# What a module exports as its default: by its name, or else the word stands for it.
DEFAULT = re.compile(r"^export\s+(?P<word>default)\b(?:\s+(?P<name>[\w$]+)[ \t]*(?:;|$))?", re.MULTILINE)
_HANDED_ON = re.compile(r"export\s*\{(?:[^{}]*,)?\s*default\s*[,}]")
# One by one: of a pattern that begins with letters these are looked for, which is many times faster.
_DEFAULT = (*map(re.compile, (r"export\s+default\b", r"as\s+default\b", r"export\s*=")), _HANDED_ON)
_HEADS = "abstract|async|class|interface|function"
# A module may be called as what it declares is.
_FROM = re.compile(r"\bfrom\s*(?=['\"])")
# Of an expression, up to its end or to what it holds.
_EXPRESSION = r"(?:[^;{}\n]|\n[ \t])"
# The endings of files that are modules when they import or export.
_MODULES = (".ts", ".tsx", ".mts", ".cts")
# What is used by its name alone, and not as a part of something.
_NAMED_ALONE = frozenset({"Constant", "Variable", "Function", "Class", "Interface", "TypeAlias", "Enum"})


def is_own(symbol: Symbol, document: Document | None, names: set[str]) -> bool:
    """Whether no other file than its own can name the symbol: a body declares it, or the top of a module that keeps it.
    names: the symbol's own and those that exports give it."""
    main = symbol.main
    if document is None or main.kind not in _NAMED_ALONE or main.parent is not None:
        return False
    spans = document.once(imports)
    offset = document.once(SourceText).offset(main.position)
    if any(first <= offset < last for first, last in spans):
        return False
    if main.local:
        return True
    if not spans or not main.path.endswith(_MODULES) or main.path.endswith(DECLARATIONS):
        return False
    exported = any(one.exported for one in symbol.declarations) or "export import" in document.text
    return not exported and names.isdisjoint(exported_names(document)) and not exports_default(document, names)


def keeps_name(symbol: Symbol, document: Document | None) -> bool:
    """Whether other files mean something else by its name: it is exported under others alone, or not at all."""
    main = symbol.main
    if document is None or main.kind not in _NAMED_ALONE or main.parent is not None:
        return False
    if main.local or not main.path.endswith(_MODULES):
        return main.local
    if any(one.exported for one in symbol.declarations):
        return False
    return exports_other(document, main.name) or all(main.name not in part[-1:] for part in _listed(document))


def exports_other(document: Document, name: str) -> bool:
    """Whether a module exports something else by the name: `export { a as name }`."""
    return any(part[-2:] == ["as", name] and part[-3:-2] != [name] for part in _listed(document))


def _listed(document: Document) -> Iterator[list[str]]:
    """The words of each part of the lists of exports."""
    lists = (document.text[start:end] for start, end in document.once(imports))
    return (part.split() for one in lists if one.lstrip().startswith("export") for part in re.split("[{},]", one))


def exported_names(document: Document) -> set[str]:
    """The names in the `export { … }` lists of a file, and those of `export import A = b.C`."""
    text = document.text
    lists = (text[start:end] for start, end in document.once(imports))
    given = {alias.name for alias in document.once(aliases).values() if alias.exported}
    names = (_FROM.split(one, maxsplit=1)[0] for one in lists if one.lstrip().startswith("export"))
    return given.union(*(re.findall(r"[\w$]+", one) for one in names))


def exports_default(document: Document, names: set[str]) -> bool:
    """Whether one of the names is what the module exports as its default. As compilers have it, in `a ? b : c`, `b()`
    and `b.d` each name is."""
    if not document.once(_has_default):
        return False
    any_name = "|".join(map(re.escape, names))
    if "default" in names and ("export default" in document.text or _HANDED_ON.search(document.text)):
        return True
    found = re.search(
        rf"\bexport\s+default\s+(?:abstract\s+|async\s+)?(?:class\s+|interface\s+|function\s*\*?\s*)?(?:{any_name})\b"
        rf"|\bexport\s*(?:=|\bdefault\b(?!\s+(?:{_HEADS})\b)){_EXPRESSION}*?(?<![\w$])(?:{any_name})(?![\w$])"
        rf"|\b(?:{any_name})\s+as\s+default\b",
        document.text,
    )
    return found is not None


def default_at(source: SourceText, default: re.Match[str], span: Span) -> Declaration:
    """The value that a module exports as its default, which has no name."""
    return Declaration(source.document.path, "default", "Constant", source.span(*default.span("word")), span)


def _has_default(document: Document) -> bool:
    return any(one.search(document.text) for one in _DEFAULT)
