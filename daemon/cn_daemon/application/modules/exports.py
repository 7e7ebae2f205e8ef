"""What a module's text says of what others see of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.aliases import aliases
from cn_daemon.domain.source.reading import DECLARATIONS, SourceText, imports
from cn_daemon.domain.source.text import Document, Span

# What a module exports as its default: by its name, or else the word stands for it.
DEFAULT = re.compile(r"^export\s+(?P<word>default)\b(?:\s+(?P<name>[\w$]+)[ \t]*(?:;|$))?", re.MULTILINE)
_HANDED_ON = re.compile(r"export\s*\{(?:[^{}]*,)?\s*default\s*[,}]")
_HEADS = "abstract|async|class|interface|function"
# A module may be called as what it declares is.
_FROM = re.compile(r"\bfrom\s*(?=['\"])")
# One by one: of a pattern that begins with letters these are looked for, which is many times faster.
_DECLARED = re.compile(
    r"export\s+default\s+(?:abstract\s+|async\s+)?(?:class\s+|interface\s+|function\s*\*?\s*)?(?P<name>[\w$]+)"
)
# Of an expression, up to its end or to what it holds.
_VALUES = tuple(
    re.compile(rf"{head}(?P<value>(?:[^;{{}}\n]|\n[ \t])*)")
    for head in (rf"export\s+default\b(?!\s+(?:{_HEADS})\b)", r"export\s*=")
)
_AS_DEFAULT = re.compile(r"as\s+default\b")
_BEFORE_AS = re.compile(r"[\w$]+(?=\s+\Z)")
_WORD = re.compile(r"[\w$]+")
_NEAR = 200
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
    """Whether one of the names is what the module exports as its default."""
    return not names.isdisjoint(document.once(_defaults))


def default_at(source: SourceText, default: re.Match[str], span: Span) -> Declaration:
    """The value that a module exports as its default, which has no name."""
    return Declaration(source.document.path, "default", "Constant", source.span(*default.span("word")), span)


def _defaults(document: Document) -> frozenset[str]:
    """What a module exports as its default. As compilers have it, in `a ? b : c`, `b()` and `b.d` each name is."""
    text = document.text
    found = {one["name"] for one in _DECLARED.finditer(text)}
    for head in _VALUES:
        found.update(word for one in head.finditer(text) for word in _WORD.findall(one["value"]))
    before = (text[max(0, one.start() - _NEAR) : one.start()] for one in _AS_DEFAULT.finditer(text))
    found.update(one[0] for near in before if (one := _BEFORE_AS.search(near)))
    if "export default" in text or _HANDED_ON.search(text):
        found.add("default")
    return frozenset(found)
