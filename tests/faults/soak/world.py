"""A generated workspace: what it declares, where every symbol is used, and what its commands are."""

from __future__ import annotations

import copy
import json
import string
from collections import defaultdict
from dataclasses import dataclass, field

PACKAGES = ("packages/app", "packages/core", "packages/kit")
CONFIGS = {f"{package}/tsconfig.json" for package in PACKAGES}
REGISTRY = ".agent/climpt/registry.json"
_OPTIONS = {"strict": True, "module": "ESNext", "moduleResolution": "Bundler", "target": "ES2022", "types": []}


@dataclass(frozen=True, slots=True)
class Part:
    """A name as it stands in a line. role: "use", "call", or the kind of what it declares."""

    name: str
    role: str = "use"


@dataclass(slots=True)
class Symbol:
    """line, character and end: from 1; end is its last line. uses, called (of these, the calls): `path:line:character`.

    callers, callees: names.
    """

    name: str
    kind: str
    container: str
    path: str
    line: int
    character: int
    end: int
    uses: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    callers: set[str] = field(default_factory=set)
    callees: set[str] = field(default_factory=set)

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}:{self.character}"

    @property
    def query(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


@dataclass(slots=True)
class Module:
    """One source file. tag: what its names end in, and nobody else's.

    uses: the number of another module -> whether it is imported through its package's index.
    """

    number: int
    package: str
    stem: str
    tag: str
    above: int = 1
    uses: dict[int, bool] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{self.package}/src/{self.stem}.ts"


class World:
    """All that may change. `snapshot` says what it comes to."""

    def __init__(self) -> None:
        self.modules: dict[int, Module] = {}
        self.prompts: dict[str, int] = {}
        self.registry: dict[tuple[str, str, str], int] = {}
        self.settings: dict[str, int] = {}
        self.odd = ""
        self.numbers = 0

    def copy(self) -> World:
        return copy.deepcopy(self)

    def add(self, package: str, uses: dict[int, bool]) -> Module:
        self.numbers += 1
        number = self.numbers
        module = Module(number, package, f"m{number}", f"{number}v0", uses=uses)
        self.modules[number] = module
        return module

    def snapshot(self) -> Snapshot:
        page = _Page()
        for package in PACKAGES:
            page.file(f"{package}/tsconfig.json", tsconfig(self.settings.get(package, 0)))
            self._index(page, package)
        for module in self.modules.values():
            self._module(page, module)
        for name, version in self.prompts.items():
            page.file(f".claude/commands/{name}.md", prompt(name, version))
        page.file(REGISTRY, json.dumps({"version": "1.0.0", "tools": {"commands": self.commands()}}) + "\n")
        return page.done(self)

    def commands(self) -> list[dict[str, str]]:
        return [
            {"c1": c1, "c2": c2, "c3": c3, "description": f"Version {version} of {c1} {c2} {c3}"}
            for (c1, c2, c3), version in self.registry.items()
        ]

    def _index(self, page: _Page, package: str) -> None:
        page.begin(f"{package}/src/index.ts")
        for module in self.modules.values():
            if module.package == package:
                function, made, shape = names(module, "grow", "Widget", "Shape")
                page.line(
                    "export { ",
                    Part(function),
                    ", ",
                    Part(made),
                    ", type ",
                    Part(shape),
                    f' }} from "./{module.stem}";',
                )
        page.line("export {};")

    def _module(self, page: _Page, module: Module) -> None:
        used = [(self.modules[number], by_index) for number, by_index in sorted(module.uses.items())]
        function, widget, turn = names(module, "grow", "Widget", "turn")
        shape, size, told, made = names(module, "Shape", "size", "told", "made")
        page.begin(module.path)
        for number in range(module.above):
            page.line(f"// line {number + 1}")
        for other, by_index in used:
            page.line("import { ", *_listed(other), " } from ", f'"{_specifier(module, other, by_index)}";')
        page.line()
        with page.declaring(function):
            page.line("export function ", Part(function, "Function"), "(value: number): number {")
            page.line(
                "  return value",
                *_sum([(" + ", Part(f"grow{other.tag}", "call"), "(value)") for other, _ in used]),
                ";",
            )
            page.line("}")
        page.line()
        with page.declaring(widget):
            page.line("export class ", Part(widget, "Class"), " {")
            with page.declaring(turn):
                page.line("  ", Part(turn, "Method"), "(shape: ", Part(shape), "): number {")
                page.line("    return ", Part(function, "call"), "(shape.", Part(size), ");")
                page.line("  }")
            page.line("}")
        page.line()
        with page.declaring(shape):
            page.line("export interface ", Part(shape, "Interface"), " {")
            with page.declaring(size):
                page.line("  ", Part(size, "Property"), ": number;")
            page.line("}")
        page.line()
        with page.declaring(told):
            decoy = f' = "{function} and {widget}"; // no uses of {function}, {turn}, {size}'
            page.line("export const ", Part(told, "Constant"), decoy)
        page.line()
        with page.declaring(made):
            page.line("export const ", Part(made, "Constant"), " = (", *_shapes(used), "): number =>")
            page.line("  0", *_sum([_turned(other) for other, _ in used]), ";")


def names(module: Module, *stems: str) -> list[str]:
    return [stem + module.tag for stem in stems]


def tsconfig(version: int) -> str:
    options = {**_OPTIONS, "skipLibCheck": True, "maxNodeModuleJsDepth": version % 4}
    return json.dumps({"compilerOptions": options, "include": ["src", "odd"]}) + "\n"


def prompt(name: str, version: int) -> str:
    return f"---\ndescription: Version {version} of {name}\n---\nDo {name}, version {version}, with $ARGUMENTS.\n"


def _listed(other: Module) -> list[str | Part]:
    function, widget, shape = names(other, "grow", "Widget", "Shape")
    return [Part(function), ", ", Part(widget), ", type ", Part(shape)]


def _specifier(module: Module, other: Module, by_index: bool) -> str:
    stem = "index" if by_index else other.stem
    if module.package == other.package:
        return f"./{stem}"
    return f"../../{other.package.rpartition('/')[2]}/src/{stem}"


def _shapes(used: list[tuple[Module, bool]]) -> list[str | Part]:
    parts: list[str | Part] = []
    for other, _ in used:
        parts += [", " if parts else "", f"of{other.number}: ", Part(f"Shape{other.tag}")]
    return parts


def _turned(other: Module) -> tuple[str | Part, ...]:
    widget, turn, size = names(other, "Widget", "turn", "size")
    of = f"of{other.number}"
    return (" + new ", Part(widget, "call"), "().", Part(turn, "call"), f"({of}) + {of}.", Part(size))


def _sum(terms: list[tuple[str | Part, ...]]) -> list[str | Part]:
    return [part for term in terms for part in term]


@dataclass(slots=True)
class Snapshot:
    """The truth at one moment. Not changed once it is made."""

    files: dict[str, str]
    symbols: dict[str, Symbol]
    holding: dict[str, set[str]]
    prompts: dict[str, int]
    registry: dict[tuple[str, str, str], int]

    def files_of(self, name: str) -> set[str]:
        """What an answer about this name may depend on: the projects, and what holds any name of its module."""
        return self.holding.get(tag_of(name), set()) | CONFIGS

    def code(self, symbol: Symbol) -> str:
        return "\n".join(self.files[symbol.path].split("\n")[symbol.line - 1 : symbol.end])

    def outline(self, path: str) -> list[tuple[int, str, str]]:
        """(line, kind, query) in source order."""
        rows = [(one.line, one.character, one.kind, one.query) for one in self.symbols.values() if one.path == path]
        return [(line, kind, query) for line, _, kind, query in sorted(rows)]


def tag_of(name: str) -> str:
    return name.lstrip(string.ascii_letters)


class _Page:
    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}
        self._symbols: dict[str, Symbol] = {}
        self._uses: dict[str, set[str]] = defaultdict(set)
        self._calls: list[tuple[str, str, str]] = []  # of what, within what, where
        self._holding: dict[str, set[str]] = defaultdict(set)
        self._path = ""
        self._within: list[str] = []

    def file(self, path: str, text: str) -> None:
        self._files[path] = text.split("\n")[:-1]

    def begin(self, path: str) -> None:
        self._path = path
        self._files[path] = []

    def line(self, *parts: str | Part) -> None:
        lines = self._files[self._path]
        text = ""
        for part in parts:
            if isinstance(part, Part):
                self._note(part, len(lines) + 1, len(text) + 1)
                text += part.name
            else:
                text += part
        lines.append(text)

    def _note(self, part: Part, line: int, character: int) -> None:
        self._holding[tag_of(part.name)].add(self._path)
        place = f"{self._path}:{line}:{character}"
        if part.role == "call":
            self._calls.append((part.name, self._within[-1], place))
        if part.role in ("use", "call"):
            self._uses[part.name].add(place)
            return
        container = self._within[-2] if len(self._within) > 1 else ""
        self._symbols[part.name] = Symbol(part.name, part.role, container, self._path, line, character, line)

    def declaring(self, name: str) -> _Declaring:
        return _Declaring(self, name)

    def enter(self, name: str) -> None:
        self._within.append(name)

    def leave(self, name: str) -> None:
        self._within.pop()
        self._symbols[name].end = len(self._files[self._path])

    def done(self, world: World) -> Snapshot:
        for name, symbol in self._symbols.items():
            symbol.uses = self._uses[name]
        for name, within, place in self._calls:
            # A module that was removed may still be called by what nobody edited yet.
            if name in self._symbols:
                self._symbols[name].called.add(place)
                self._symbols[name].callers.add(within)
                self._symbols[within].callees.add(name)
        files = {path: "\n".join([*lines, ""]) for path, lines in self._files.items()}
        return Snapshot(files, self._symbols, dict(self._holding), dict(world.prompts), dict(world.registry))


class _Declaring:
    def __init__(self, page: _Page, name: str) -> None:
        self._page = page
        self._name = name

    def __enter__(self) -> None:
        self._page.enter(self._name)

    def __exit__(self, *_: object) -> None:
        self._page.leave(self._name)
