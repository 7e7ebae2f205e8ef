"""What a module's text says of what others see of it."""

from __future__ import annotations

import re

from cn_daemon.domain.mentions.aliases import aliases
from cn_daemon.domain.source.reading import imports
from cn_daemon.domain.source.text import Document

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
