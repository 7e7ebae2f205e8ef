"""Symbols: declarations that belong together, and which of several symbols of a name is most likely meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable
from typing import NamedTuple

from cn_daemon.domain.declarations.outline import MEMBERS, Declaration, holder, same_symbol
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS
from cn_daemon.domain.source.text import line_start

_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|spec|specs|__mocks__|fixtures|e2e)/|[._-](test|spec|bench)\.[^/]*$"
    r"|(^|/)(test_[^/]*|conftest)\.py$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(^|/)(legacy|deprecated|old|examples?|benchmarks?|docs?|scripts?|dist|build|out|vendor|generated)/",
    re.IGNORECASE,
)
_BUILT = re.compile(r"(^|/)(dist|coverage)/")


def is_listed(one: Declaration) -> bool:
    """Whether the object that a script exports lists it, `module.exports = { one() {} }`."""
    return one.kind in MEMBERS and one.exported and one.path.endswith(SCRIPTS)


class Symbol(NamedTuple):
    """The declarations of one symbol, the one that best stands for it first."""

    declarations: tuple[Declaration, ...]

    @property
    def main(self) -> Declaration:
        return self.declarations[0]

    @property
    def is_module(self) -> bool:
        """Whether it is the module that a file is, and none that the file declares or imports."""
        return self.main.kind == "Module" and self.main.local and self.main.path.endswith(f"/{self.main.name}")


def group(declarations: Collection[Declaration]) -> list[Symbol]:
    """Overloads, merged declarations and accessor pairs of one file become one symbol."""
    groups: list[list[Declaration]] = []
    # Of a name of many locals only those in one scope are compared.
    beside: dict[tuple[Hashable, ...], list[list[Declaration]]] = {}
    for declaration in declarations:
        near = beside.setdefault((declaration.path, holder(declaration)), [])
        for known in near:
            if same_symbol(known[0], declaration):
                known.append(declaration)
                break
        else:
            near.append([declaration])
            groups.append(near[-1])
    return [Symbol(tuple(members)) for members in groups]


_EXPORTED = re.compile(
    r"^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+|async\s+)?"
    r"(?P<word>class|function|interface|type|enum|const\s+enum|const|let|var|namespace)(?:\s*\*\s*|\s+)"
    r"(?P<name>[A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_KIND_OF = {
    "class": "Class", "function": "Function", "interface": "Interface", "type": "TypeAlias", "enum": "Enum",
    "const": "Constant", "let": "Variable", "var": "Variable", "namespace": "Namespace",
}  # fmt: skip


def exported_declarations(text: str, name: str) -> list[tuple[str, int]]:
    """What the module `text` declares by a name and exports at once: the kind of each, and where the name stands."""
    return [
        (_KIND_OF[match["word"].split()[-1]], match.start("name"))
        for match in _EXPORTED.finditer(text)
        if match["name"] == name
    ]


def is_test(path: str) -> bool:
    return _TESTS.search(path) is not None


def lateness(path: str) -> int:
    """How late a file is listed: production 0, tests 1, declaration files 2."""
    return 2 if path.endswith((*DECLARATIONS, ".pyi")) else 1 if is_test(path) else 0


# As `aside` tells it.
DECLARED = 1
# The first of `rank` for a member.
MEMBER = 2


def aside(path: str) -> int:
    """How far a file lies from what is meant by default: production 0, declarations, legacy and such, tests 3, and 4
    what a build wrote, which may be a copy of any of these."""
    if _BUILT.search(path):
        return 4
    return 3 if is_test(path) else 2 if _ASIDE.search(path) else DECLARED if path.endswith(DECLARATIONS) else 0


def rank(symbol: Symbol, uses: int, path: str, *, announced: bool = False) -> tuple[int, ...]:
    """A key that sorts the symbol most likely meant first.

    uses: how often its file holds the name. path: its file, relative to the root. Exported comes first, then what a
    module or a namespace holds, then members, then locals; production before declaration files, legacy and tests; what
    is defined before what only names something else, and what is only announced.
    """
    main = symbol.main
    if main.local:
        place = 3
    elif main.kind in MEMBERS:
        place = 0 if is_listed(main) else MEMBER
    else:
        place = 0 if main.parent is None and any(one.exported for one in symbol.declarations) else 1
    return (place, aside(path), main.reexport, len(main.containers), announced, -uses, path.count("/"))


def in_prose(text: str, start: int, end: int) -> bool:
    """Whether what stands there is plainly within a comment, or within a string that holds more than it."""
    if text[start - 1 : start] in ('"', "'") and text[end : end + 1] != text[start - 1]:
        return True
    head = text[line_start(text, start) : start].lstrip()
    if "*/" in head:
        return False
    if head.startswith("*") and ("(" in head or text[end : end + 1] in ("(", "<")):
        # `*name() {}` is a generator unless a comment is open; a `/*` behind code may be a string's.
        opened = text.rfind("/*", 0, start)
        alone = not text[line_start(text, max(opened, 0)) : max(opened, 0)].strip()
        return alone and opened > text.rfind("*/", 0, start)
    return head.startswith(("//", "/*", "*")) or head.rstrip().endswith("//")
