"""What the uses of a Python project's functions, classes, constants and methods are, read from its syntax trees alone.

Only names are judged whose every mention in the project is accounted for: loads of the module's own name, imports of it
(renamed ones too), and attributes of an imported module. A name that is also bound elsewhere, or taken of anything
whose module is not known, is left out: the truth must be beyond doubt, it need not be whole. A method is judged when
nothing else in the project or in Python's own library has its name: whatever it is taken of must be an object that has
it.
"""

from __future__ import annotations

import ast
import builtins
import io
import re
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.languages.projects import ENVIRONMENT


class Place(NamedTuple):
    """line, character: 0-based, as in LSP. The sources that are measured hold ASCII where names stand."""

    path: Path
    line: int
    character: int


@dataclass
class Truth:
    """One symbol. declared: where its declaration has its name. calls: those of the uses that call it."""

    name: str
    declared: Place
    uses: set[Place] = field(default_factory=set)
    calls: set[Place] = field(default_factory=set)


@dataclass
class _Module:
    path: Path
    dotted: str
    tree: ast.Module
    places: dict[str, list[Place]]
    # Local name at the top level: (module, attribute); attribute None is the module itself.
    imported: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    declared: dict[str, Place] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    bound: Counter[str] = field(default_factory=Counter)


_TOP = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
# As the key of a member: it is whosever it is.
_ANYBODY = ""


def truths(root: Path, sources: tuple[str, ...], *, further: bool = False) -> list[Truth]:
    """The symbols of the project at `root` that are beyond doubt. sources: folders that are on its import path.

    further: constants and methods as well.
    """
    modules = {one.dotted: one for one in _modules(root, sources)}
    for module in modules.values():
        _bind(module)
    symbols: dict[tuple[str, str], Truth] = {
        (module.dotted, name): Truth(name, place)
        for module in modules.values()
        for name, place in module.declared.items()
        if module.bound[name] == 1 and (further or name not in module.constants)
    }
    if further:
        foreign = _library(root)
        symbols |= {(_ANYBODY, name): Truth(name, place) for name, place in _methods(modules.values(), foreign)}
    called = {place for module in modules.values() for place in _calls(module)}
    accounted: dict[str, set[Place]] = {}
    roots = {*(dotted.partition(".")[0] for dotted in modules), _ANYBODY}
    for one in symbols.values():
        accounted.setdefault(one.name, set()).add(one.declared)
    for module in modules.values():
        for word, place, key in _mentions(module, modules):
            truth = symbols.get(key)
            if truth is not None:
                truth.uses.add(place)
            if truth is not None or key[0].partition(".")[0] not in roots:
                accounted.setdefault(word, set()).add(place)
    for one in symbols.values():
        one.calls = one.uses & called
    # Places within an f-string are known since Python 3.12: before, its names are doubtful.
    written: dict[str, set[Place]] = {}
    for module in modules.values():
        for word, places in module.places.items():
            written.setdefault(word, set()).update(places)
    # What a stub declares is declared twice.
    for path in root.rglob("*.pyi"):
        for word in re.findall(r"\w+", path.read_text("utf-8")):
            written.pop(word, None)
    return [one for one in symbols.values() if one.uses and written.get(one.name) == accounted[one.name]]


def _methods(modules: Iterable[_Module], foreign: set[str]) -> Iterator[tuple[str, Place]]:
    """Methods whose name is bound once in the whole project, and nowhere in what it may use."""
    modules = list(modules)
    bound: Counter[str] = Counter()
    for module in modules:
        bound.update(module.bound)
    for module in modules:
        for holder in ast.walk(module.tree):
            for node in holder.body if isinstance(holder, ast.ClassDef) else ():
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("__"):
                    continue
                if bound[node.name] == 1 and node.name not in foreign:
                    yield node.name, _name_of(module, node)


def _library(root: Path) -> set[str]:
    """The names that Python's own library declares, members of its built-in types among them, and what is installed
    for a project."""
    names = {name for one in vars(builtins).values() for name in dir(one)}
    own = Path(sysconfig.get_path("stdlib")).rglob("*.py")
    paths = [path for path in own if "site-packages" not in path.parts and "test" not in path.parts]
    for path in [*paths, *(root / ENVIRONMENT).rglob("*.py")]:
        text = path.read_text("utf-8", "replace")
        names.update(re.findall(r"\bdef (\w+)", text))
        names.update(re.findall(r"\.(\w+) *=", text))
    return names


def _calls(module: _Module) -> Iterator[Place]:
    """Where a name is called: `f()`, `a.f()`, or a decorator."""
    for node in ast.walk(module.tree):
        called = [node.func] if isinstance(node, ast.Call) else node.decorator_list if isinstance(node, _TOP) else []
        for one in called:
            if isinstance(one, ast.Name):
                yield Place(module.path, one.lineno - 1, one.col_offset)
            elif isinstance(one, ast.Attribute) and one.end_lineno is not None and one.end_col_offset is not None:
                yield Place(module.path, one.end_lineno - 1, one.end_col_offset - len(one.attr))


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
            yield _Module(path, dotted, ast.parse(text), places)


def _bind(module: _Module) -> None:
    """What the module's names are bound to, in whichever scope: a name that is bound twice anywhere is ambiguous."""
    for name, place in _constants(module):
        module.declared[name] = place
        module.constants.add(name)
    for node in ast.walk(module.tree):
        if isinstance(node, _TOP):
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


def _constants(module: _Module) -> Iterator[tuple[str, Place]]:
    """What is assigned at the top level."""
    for node in module.tree.body:
        assigned = [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in node.targets if isinstance(node, ast.Assign) else assigned:
            if isinstance(target, ast.Name):
                yield target.id, Place(module.path, target.lineno - 1, target.col_offset)


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
        elif isinstance(node, ast.Attribute) and node.end_lineno is not None and node.end_col_offset is not None:
            place = Place(module.path, node.end_lineno - 1, node.end_col_offset - len(node.attr))
            target = _module_of(module, modules, node.value.id) if isinstance(node.value, ast.Name) else None
            if target is not None:
                yield node.attr, place, _origin(modules, target, node.attr)
            elif isinstance(node.ctx, ast.Load) and not _of_super(node):
                yield node.attr, place, (_ANYBODY, node.attr)


def _of_super(node: ast.Attribute) -> bool:
    """`super().serve` is somebody else's `serve`."""
    call = node.value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "super"


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
