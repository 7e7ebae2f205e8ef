"""What the uses of a Python project's top-level functions and classes are, read from its syntax trees alone.

Only names are judged whose every mention in the project is accounted for: loads of the module's own name, imports of it
(renamed ones too), and attributes of an imported module. A name that is also bound elsewhere, or taken of anything
whose module is not known, is left out: the truth must be beyond doubt, it need not be whole.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """line, character: 0-based, as in LSP. The sources that are measured hold ASCII where names stand."""

    path: Path
    line: int
    character: int


@dataclass
class Truth:
    """One symbol. name: where its declaration has its name."""

    name: str
    declared: Place
    uses: set[Place] = field(default_factory=set)


@dataclass
class _Module:
    path: Path
    dotted: str
    tree: ast.Module
    words: Counter[str]
    places: dict[str, list[Place]]
    # Local name at the top level: (module, attribute); attribute None is the module itself.
    imported: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    declared: dict[str, Place] = field(default_factory=dict)
    bound: Counter[str] = field(default_factory=Counter)


def truths(root: Path, sources: tuple[str, ...]) -> list[Truth]:
    """The symbols of the project at `root` that are beyond doubt. sources: folders that are on its import path."""
    modules = {one.dotted: one for one in _modules(root, sources)}
    for module in modules.values():
        _bind(module)
    symbols: dict[tuple[str, str], Truth] = {
        (module.dotted, name): Truth(name, place)
        for module in modules.values()
        for name, place in module.declared.items()
        if module.bound[name] == 1
    }
    accounted: Counter[str] = Counter()
    for truth in symbols.values():
        accounted[truth.name] += 1
    for module in modules.values():
        for word, place, key in _mentions(module, modules):
            truth = symbols.get(key)
            if truth is not None:
                truth.uses.add(place)
            accounted[word] += truth is not None or key[0].partition(".")[0] not in _roots(modules)
    written: Counter[str] = Counter()
    for module in modules.values():
        written.update(module.words)
    return [one for one in symbols.values() if one.uses and written[one.name] == accounted[one.name]]


def _roots(modules: dict[str, _Module]) -> set[str]:
    return {dotted.partition(".")[0] for dotted in modules}


def _modules(root: Path, sources: tuple[str, ...]) -> Iterator[_Module]:
    for folder in sources:
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root / folder).with_suffix("").parts
            dotted = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text("utf-8")
            places: dict[str, list[Place]] = {}
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type == tokenize.NAME:
                    places.setdefault(token.string, []).append(Place(path, token.start[0] - 1, token.start[1]))
            words = Counter({word: len(found) for word, found in places.items()})
            yield _Module(path, dotted, ast.parse(text), words, places)


def _bind(module: _Module) -> None:
    """What the module's names are bound to, in whichever scope: a name that is bound twice anywhere is ambiguous."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.bound[node.name] += 1
            if node in module.tree.body:
                module.declared[node.name] = _name_of(module, node)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            module.bound[node.id] += 1
        elif isinstance(node, ast.arg):
            module.bound[node.arg] += 1
        elif isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                module.bound[local] += 1
                module.imported[local] = (alias.name if alias.asname else local, None)
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(module, node)
            for alias in node.names:
                module.bound[alias.asname or alias.name] += 1
                module.imported[alias.asname or alias.name] = (source, alias.name)


def _name_of(module: _Module, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Place:
    return next(one for one in module.places[node.name] if one.line >= node.lineno - 1)


def _absolute(module: _Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.dotted.split(".")
    keep = len(package) - node.level + (module.path.name == "__init__.py")
    return ".".join([*package[:keep], *([node.module] if node.module else [])])


def _origin(modules: dict[str, _Module], dotted: str, name: str) -> tuple[str, str]:
    """The module that declares what `dotted` offers as `name`: re-exports are followed."""
    seen = set()
    while dotted in modules and (dotted, name) not in seen:
        seen.add((dotted, name))
        module = modules[dotted]
        if name in module.declared or name not in module.imported:
            break
        source, attribute = module.imported[name]
        if attribute is None:
            return source, ""
        if f"{source}.{attribute}" in modules:
            return f"{source}.{attribute}", ""
        dotted, name = source, attribute
    return dotted, name


def _mentions(module: _Module, modules: dict[str, _Module]) -> Iterator[tuple[str, Place, tuple[str, str]]]:
    """Every mention that can be told: its word, where it stands, and (module, name) of what it names."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            yield from _imports(module, modules, node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            place = Place(module.path, node.lineno - 1, node.col_offset)
            if node.id in module.declared and module.bound[node.id] == 1:
                yield node.id, place, (module.dotted, node.id)
            elif node.id in module.imported and module.bound[node.id] == 1:
                source, attribute = module.imported[node.id]
                if attribute is not None:
                    yield node.id, place, _origin(modules, source, attribute)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            target = _module_of(module, modules, node.value.id)
            if target is not None and node.end_lineno is not None and node.end_col_offset is not None:
                place = Place(module.path, node.end_lineno - 1, node.end_col_offset - len(node.attr))
                yield node.attr, place, _origin(modules, target, node.attr)


def _module_of(module: _Module, modules: dict[str, _Module], name: str) -> str | None:
    if name not in module.imported or module.bound[name] != 1:
        return None
    source, attribute = module.imported[name]
    if attribute is None:
        return source
    found, rest = _origin(modules, source, attribute)
    if rest == "" and found in modules:
        return found
    return f"{source}.{attribute}" if f"{source}.{attribute}" in modules else None


def _imports(
    module: _Module, modules: dict[str, _Module], node: ast.ImportFrom
) -> Iterator[tuple[str, Place, tuple[str, str]]]:
    source = _absolute(module, node)
    for alias in node.names:
        place = Place(module.path, alias.lineno - 1, alias.col_offset)
        origin = _origin(modules, source, alias.name)
        yield alias.name, place, origin
        if alias.asname:
            found = [one for one in module.places[alias.asname] if one.line == alias.lineno - 1]
            last = next(one for one in reversed(found) if one.character > alias.col_offset)
            # Whether the new name counts as a use is a matter of taste: it is neither asked for nor held against any.
            if alias.asname == alias.name:
                yield alias.asname, last, origin
