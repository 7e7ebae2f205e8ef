"""The ports of navigation over texts in memory: one fake per port.

The fake server reads a language of lines: `export class User {`, indented `rename() {`, `}`. Every word of that name
in a loaded file is a use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from cn_daemon.adapters.language_servers.plain_texts import PlainTexts
from cn_daemon.application.hard_texts import HardTexts
from cn_daemon.application.ports import (
    Calls,
    Changes,
    Coverage,
    Description,
    Finding,
    Hit,
    Imported,
    Importing,
    LanguageServer,
    NamedSymbol,
    Names,
    Packages,
    Site,
    Types,
    Usage,
)
from cn_daemon.domain.declarations.blocks import Around
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.patches import Patch
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import CnError, ForbiddenError, NotFoundError
from cn_shared.wire import LanguageServerStatus

ROOT = Path("/w")
_TOP = re.compile(r"(?P<export>export )?(?:default )?(?P<kind>class|function|const|interface) (?P<name>[\w$]+)")
_MEMBER = re.compile(r"  (?P<static>static )?(?P<name>#?[\w$]+)\(")
_KINDS = {"class": "Class", "function": "Function", "const": "Constant", "interface": "Interface"}


def path_of(name: str) -> str:
    return f"{ROOT}/{name}"


class FakeWorkspace:
    """`texts` by path relative to the root, or absolute when outside. allowed: what `allow` was told."""

    root = ROOT

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = {name if name.startswith("/") else path_of(name): text for name, text in texts.items()}
        self.allowed: set[str] = set()
        self.hard = HardTexts()

    def resolve(self, path: str, cwd: Path | None) -> Path:
        for folder in filter(None, (cwd, ROOT)):
            found = folder / path
            if str(found) in self.texts:
                if ROOT not in found.parents and str(found) not in self.allowed:
                    raise ForbiddenError("outside_root", f"{path} lies outside the workspace.")
                return found
        same = [self.relative(Path(one)) for one in self.texts if Path(one).name == Path(path).name]
        ending = [one for one in same if f"/{one}".endswith(f"/{path}")]
        near = ending if len(ending) == 1 else same
        raise NotFoundError("file_not_found", f"There is no file {path}.", file=path, near=near)

    def kind(self, path: str, cwd: Path | None) -> Literal["file", "folder", ""]:
        for folder in filter(None, (cwd, ROOT)):
            found = str(folder / path)
            if found in self.texts:
                return "file"
            if any(one.startswith(found.rstrip("/") + "/") for one in self.texts):
                return "folder"
        return ""

    def relative(self, path: Path) -> str:
        return path.relative_to(ROOT).as_posix() if ROOT in path.parents else path.as_posix()

    def read_text(self, path: Path, *, leniently: bool = False) -> str:
        if str(path) not in self.texts:
            raise NotFoundError("file_not_found", f"{path} is not there any more.")
        return self.hard.checked(self.relative(path), self.texts[str(path)])

    def allow(self, path: Path) -> str:
        self.allowed.add(str(path))
        return ""


class FakeWords:
    """Of the workspace's texts. near: what `like` says. barriers: how often one was passed."""

    def __init__(self, workspace: FakeWorkspace) -> None:
        self._workspace = workspace
        self.near: list[str] = []
        self.barriers = 0

    async def refresh(self) -> None:
        self.barriers += 1

    def files_with(self, word: str) -> list[str]:
        whole = re.compile(rf"(?<![\w$]){re.escape(word)}(?![\w$])")
        return sorted(path for path, text in self._workspace.texts.items() if self.holds(path) and whole.search(text))

    def minified(self, word: str) -> list[str]:
        return []

    def stamp(self, path: str) -> object | None:
        return self._workspace.texts.get(path)

    def holds(self, path: str) -> bool:
        return path.startswith(f"{ROOT}/") and path in self._workspace.texts

    def copy(self, path: str) -> str:
        return ""

    def similar(self, word: str) -> list[str]:
        return self.near[:5]

    def all(self) -> list[str]:
        return sorted({word for path in self.files() for word in re.findall(r"[\w$]+", self._workspace.texts[path])})

    def files(self) -> list[str]:
        return sorted(path for path in self._workspace.texts if self.holds(path))

    def projects(self) -> list[str]:
        return [path for path in self.files() if path.endswith("tsconfig.json")]

    def packages(self) -> Packages:
        return Packages({})

    def roots(self) -> list[str]:
        return []

    def changes_since(self, reader: str) -> Changes:
        return Changes()


class FakeLanguageServer:
    """failures: raised by the next requests of that name, in order. missing: what `load` says of some files.

    aliases: names by which files use a symbol, beside its own. asked: the requests, in order.
    """

    name = "fake"
    endings = frozenset({".ts", ".js"})

    def __init__(self, workspace: FakeWorkspace) -> None:
        self._workspace = workspace
        self.failures: dict[str, list[CnError]] = {}
        self.missing: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.defined: dict[Site, list[Hit]] = {}
        self.findings: dict[str, list[Finding]] = {}
        self.implementing: dict[Site, list[Hit]] = {}
        self.loaded: set[str] = set()
        self.asked: list[str] = []
        self.sites: list[Site] = []

    def _asked(self, request: str) -> None:
        self.asked.append(request)
        if self.failures.get(request):
            raise self.failures[request].pop(0)

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        self._asked("outlines")
        return {document.path: _outline(document) for document in documents}

    async def declaring(
        self, names: Mapping[str, Sequence[str]], read: Callable[[str], Document | None], deadline: float
    ) -> dict[str, list[str]]:
        return await PlainTexts().declaring(names, read, deadline)

    async def around(self, document: Document, place: Position, deadline: float) -> Around:
        self._asked("around")
        return Around([])

    async def identifiers(self, document: Document, span: Span, deadline: float) -> list[Span]:
        return await PlainTexts().identifiers(document, span, deadline)

    async def usages(self, mentions: Sequence[tuple[Document, Sequence[Span]]], deadline: float) -> list[list[Usage]]:
        self._asked("usages")
        return await PlainTexts().usages(mentions, deadline)

    async def calls(self, document: Document, span: Span, deadline: float) -> Calls:
        self._asked("calls")
        return await PlainTexts().calls(document, span, deadline)

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        self._asked("load")
        missing = [path for path in paths if path in self.missing]
        self.loaded |= set(paths) - set(missing)
        return Coverage(1, 1 + len(missing), missing, self.missing[missing[0]] if missing else "")

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        self._asked("references")
        self.sites = list(sites)
        names = {_word_at(Document(site.path, self._workspace.texts[site.path]), site.position) for site in sites}
        names |= {alias for alias, name in self.aliases.items() if name in names}
        return [hit for path in sorted(self.loaded) for hit in self._mentions(path, names)]

    def _mentions(self, path: str, names: Iterable[str]) -> Iterable[Hit]:
        document = Document(path, self._workspace.texts.get(path, ""))
        for number, line in enumerate(document.lines, 1):
            for match in re.finditer(r"[\w$]+", line):
                if match[0] in names:
                    yield Hit(path, Span(Position(number, match.start() + 1), Position(number, match.end() + 1)))

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        self._asked("definitions")
        return [self.defined.get(site, []) for site in sites]

    async def implementations(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        self._asked("implementations")
        return [hit for site in sites for hit in self.implementing.get(site, [])]

    async def describe(self, site: Site, deadline: float) -> Description | None:
        self._asked("describe")
        return None

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        self._asked("diagnostics")
        return {path: self.findings.get(path, []) for path in paths}

    def status(self) -> LanguageServerStatus:
        return LanguageServerStatus(self.name, "ready")

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


class FakeNames:
    """They decide nothing. imports: how many files import what a file, relative to the root, declares. apart: files
    that cannot use a member of another file."""

    def __init__(self, imports: dict[str, int] | None = None, apart: Sequence[str] = ()) -> None:
        self._imports = {path_of(name): count for name, count in (imports or {}).items()}
        self._apart = list(map(path_of, apart))

    async def symbols_at(self, site: Site, deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def uses(self, site: Site, deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def module(self, path: str, deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def library(self, package: str, name: str, deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def exported(self, sites: Sequence[Site], deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def naming(self, name: str, deadline: float) -> Sequence[tuple[Site, str]]:
        return ()

    async def importing(self, sites: Sequence[Site], name: str, deadline: float) -> Importing:
        return Importing([(self._imports.get(site.path, 0), "") for site in sites], [])

    async def describing(self, site: Site, others: Sequence[Site], deadline: float) -> Sequence[bool]:
        return ()

    async def most_imported(
        self, paths: Collection[str], limit: int, deadline: float
    ) -> tuple[Sequence[Imported], int]:
        return (), 0


class FakeLanguageServers:
    def __init__(self, server: FakeLanguageServer, names: Names | None = None) -> None:
        self._server = server
        self._names = names or FakeNames()

    def server_for(self, path: str, wanted: str = "auto") -> FakeLanguageServer | None:
        return self._server if Path(path).suffix in self._server.endings else None

    def supported(self) -> list[str]:
        return sorted(self._server.endings)

    def names(self, server: LanguageServer) -> Names | None:
        return self._names

    def types(self, server: LanguageServer) -> Types | None:
        return None

    def heritage(self, server: LanguageServer) -> Types | None:
        return None


class NoHistory:
    async def changes(self, rev: str, deadline: float) -> tuple[str, Sequence[Patch], Sequence[str]]:
        raise NotFoundError("no_repository", "There is none.")

    async def texts(self, blobs: Sequence[str], deadline: float) -> dict[str, str]:
        return {}


def _word_at(document: Document, position: Position) -> str:
    match = re.match(r"#?[\w$]+", document.line(position.line)[position.character - 1 :])
    return match[0].lstrip("#") if match else ""


def _outline(document: Document) -> list[Declaration]:
    roots: list[Declaration] = []
    for number, line in enumerate(document.lines, 1):
        top, member = _TOP.match(line), _MEMBER.match(line)
        match = top or member
        if match is None:
            continue
        last = number
        while top and line.endswith("{") and document.line(last) not in ("}", ""):
            last += 1
        name = Span(Position(number, match.start("name") + 1), Position(number, match.end("name") + 1))
        span = Span(Position(number, 1 if top else 3), Position(last, len(document.line(last)) + 1))
        if top:
            kind = _KINDS[top["kind"]]
            roots.append(Declaration(document.path, top["name"], kind, name, span, exported=bool(top["export"])))
        elif roots and member:
            above = roots[-1]
            static = bool(member["static"])
            kind = "Constructor" if member["name"] == "constructor" else "Method"
            one = Declaration(document.path, member["name"], kind, name, span, static=static, parent=above)
            above.children.append(one)
    return roots
