"""From what a user typed to the symbol that is meant."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules
from cn_daemon.application.ports import Coverage, Hit, LanguageServer, Site, Words, Workspace
from cn_daemon.application.unread import Unread
from cn_daemon.domain.forms import form_of, mentions, parents, read
from cn_daemon.domain.forms import may_declare as may_declare_plainly
from cn_daemon.domain.heads import declaration_at
from cn_daemon.domain.ids import Name, Place
from cn_daemon.domain.outline import CONTAINERS, Declaration, flatten, same_symbol
from cn_daemon.domain.reading import SCRIPTS, SourceText, import_spans
from cn_daemon.domain.symbols import Symbol, group, may_declare, rank
from cn_daemon.domain.text import Document, Position, Span, character_at, index_at, occurrences
from cn_daemon.domain.tokens import tokens
from cn_shared.errors import CnError, InputError, NotFoundError

# How far up the classes a member is looked for that the named one inherits.
ANCESTRY = 6
_NAME = re.compile(r"#?[^\W\d][\w$]*|\$[\w$]*")
# Files by which it is told whether what a name needs is loaded.
LOADED = 20
# What takes longer to load is not waited for by what is declared.
LOADS_S = 10.0
# Files in which a name that nothing declares is looked up.
LOOKED_AT = 1000
_MODULE = re.compile(r"""(?<=['"])[^'"\n]+(?=['"])""")
# The compiler's declaration files, and the scripts that they stand for.
_BESIDE = {".d.ts": (".js", ".jsx"), ".d.mts": (".mjs",), ".d.cts": (".cjs",)}
_HERITAGE = re.compile(r"\b(?:extends|implements)\b")


class Resolution(NamedTuple):
    """symbol: the one that is meant, None when nothing is found. candidates: the others, best first.

    site: where the question was asked, when that was a place. doubt: why another one may be meant, or nothing.
    """

    symbol: Symbol | None
    candidates: list[Symbol]
    site: Site | None = None
    doubt: str = ""


class Resolver:
    """For one question: shares its documents."""

    def __init__(
        self,
        workspace: Workspace,
        words: Words,
        server: LanguageServer,
        documents: Documents,
        deadline: float,
    ) -> None:
        self._workspace = workspace
        self._words = words
        self._server = server
        self._documents = documents
        self._deadline = deadline
        # The name whose uses will be wanted of what is found.
        self.used = ""
        self._loading: asyncio.Task[Coverage] | None = None
        # Files that hold a name that was looked for, and why they cannot be read.
        self._unread: dict[str, str] = {}

    async def name(self, wanted: Name, cwd: Path | None, depth: int = 0) -> Resolution:
        """The symbols of that name, ranked."""
        found = await self._named(wanted, cwd, depth)
        return found._replace(doubt=found.doubt or self._unreadable())

    async def _named(self, wanted: Name, cwd: Path | None, depth: int) -> Resolution:
        within = str(self._workspace.resolve(wanted.path, cwd)) if wanted.path else None
        declarations = await self._declared(wanted.name, within)
        matching = [one for one in declarations if _contained(one, wanted.containers)]
        symbols = self._ranked(await self._with_twins(group(matching)), wanted.name)
        if within:
            # In a file the name is exact: `a.ts#Fail` is no `Cause.Fail` while there is a `Fail`.
            symbols.sort(key=lambda symbol: len(symbol.main.containers) > len(wanted.containers))
        if symbols:
            return Resolution(symbols[0], symbols[1:])
        if wanted.containers and depth < ANCESTRY:
            inherited = await self._inherited(wanted, cwd, depth)
            if inherited.symbol:
                return inherited
        if wanted.containers or within:
            # Members of that name elsewhere are what the user may have meant.
            everywhere = declarations if not within else await self._declared(wanted.name, None)
            return Resolution(None, self._ranked(group(everywhere), wanted.name))
        return await self._used(wanted.name)

    async def place(self, wanted: Place, cwd: Path | None) -> Resolution:
        """The symbol that stands at a place."""
        path = str(self._workspace.resolve(wanted.path, cwd))
        document = self._documents.get(path)
        position = check_place(document, wanted)
        outline = (await self._server.outlines([document], self._deadline))[path]
        declared = declaration_at(outline, wanted.position)
        stands = declared is not None and (position.character == 0 or declared.name_span.holds(position))
        if declared is not None and stands and not _is_given(declared, position):
            (symbol,) = await self._with_twins([self.symbol_of(declared, outline)])
            return Resolution(symbol, [], Site(path, declared.position))
        if position.character == 0:
            position = _first_identifier(document, wanted.line)
        site = Site(path, position)
        await self._server.load([path], self._deadline, own=True)
        symbols = await self.defined(site)
        symbols += await self._united(site, symbols)
        if not symbols and declared is not None and stands:
            symbols = [self.symbol_of(declared, outline)]
        word = _identifier_at(document, position)
        if form_of(path) is not None:
            # Where an object is called, servers name what is called on it as well.
            symbols.sort(key=lambda symbol: symbol.main.name != word)
        return Resolution(symbols[0] if symbols else None, symbols[1:], site, self._doubt(symbols, word))

    def _doubt(self, symbols: list[Symbol], word: str) -> str:
        """Why something else than the symbols may be meant by a word, or nothing."""
        if not symbols:
            return f"the language server does not tell what {word} is there: its type may not be known" if word else ""
        if module := self._lost_import(symbols[0]):
            return _lost(module)
        main = symbols[0].main
        document = self._documents.try_get(main.path) if form_of(main.path) is not None else None
        source = document.once(SourceText) if document is not None else None
        if source is None or not source.in_imports(source.offset(main.position)):
            return ""
        return f"the import of {word} leads no further: a stub may hide what it names"

    async def _declared(self, name: str, within: str | None) -> list[Declaration]:
        bare = name.lstrip("#")
        paths = [within] if within else self._holding(bare)
        documents: list[Document] = []
        for path in paths:
            document = self._read(path)
            if document is None or not (within or declares(document, bare)):
                continue
            if not documents and bare == self.used:
                self._load_ahead(bare)
                await asyncio.sleep(0)  # it begins now, and not after all texts were looked at
            documents.append(document)
        if self._loading is not None:
            # A server reads texts faster when it has loaded them: beside that it takes its time of it.
            await asyncio.wait({self._loading}, timeout=LOADS_S)
        outlines = await self._server.outlines(documents, self._deadline, bare)
        found = [
            declaration
            for outline in outlines.values()
            for declaration in flatten(outline)
            if declaration.name.lstrip("#") == bare
        ]
        # `res` is not `#res`, unless there is nothing else it could be.
        return [declaration for declaration in found if declaration.name == name] or found

    def _read(self, path: str) -> Document | None:
        """None for a file that has gone, or cannot be read: then it is remembered."""
        try:
            return self._documents.lenient(path)
        except CnError as error:
            if error.code not in ("file_not_found", "binary_file"):
                self._unread[path] = error.message
            return None

    def _unreadable(self) -> str:
        if not self._unread:
            return ""
        first, others = self._unread[min(self._unread)].rstrip("."), len(self._unread) - 1
        return f"{first}{f' (and {others} more files)' if others else ''}: what it declares is not known"

    async def _with_twins(self, symbols: list[Symbol]) -> list[Symbol]:
        """What a script declares and the declaration file beside it tells again is one symbol: the compiler takes the
        imports of `x.js` to `x.d.ts`, if there is one."""
        united: list[Symbol] = []
        for symbol in symbols:
            if any(_same_place(symbol.main, one) for known in united for one in known.declarations):
                continue
            twin = await self._twin(symbol.main)
            if twin is None or any(_same_place(twin.main, one) for one in symbol.declarations):
                united.append(symbol)
                continue
            united = [known for known in united if not _same_place(known.main, twin.main)]
            first, second = (twin, symbol) if symbol.main.path.endswith(".ts") else (symbol, twin)
            united.append(Symbol((*first.declarations, *second.declarations)))
        return united

    async def _twin(self, declared: Declaration) -> Symbol | None:
        for path in beside(declared.path) if not declared.local else ():
            document = self._documents.try_get(path)
            if document is not None:
                outline = (await self._server.outlines([document], self._deadline))[path]
                for one in flatten(outline):
                    if not one.local and (one.containers, one.name) == (declared.containers, declared.name):
                        return self.symbol_of(one, outline)
        return None

    def _load_ahead(self, name: str) -> None:
        """Begin to load the projects that the uses of a name will need anyway, while outlines are read."""
        paths = self._holding(name)
        if self._loading is None and not all(map(self._server.project, paths[:LOADED])):
            self._loading = asyncio.create_task(self._server.load(paths, self._deadline))
            self._loading.add_done_callback(_retrieve)

    def _holding(self, name: str) -> list[str]:
        """The files of the server's languages that hold a word."""
        return [path for path in self._words.files_with(name) if os.path.splitext(path)[1] in self._server.endings]

    async def _inherited(self, wanted: Name, cwd: Path | None, depth: int) -> Resolution:
        """A member that the named class or interface has from the ones it extends."""
        *outer, container = wanted.containers
        holders = await self.name(Name(container, tuple(outer), wanted.path), cwd, ANCESTRY)
        if holders.symbol is None:
            return Resolution(None, [])
        for declaration in holders.symbol.declarations:
            for base in self._bases(declaration):
                found = await self.name(Name(wanted.name, (base,)), None, depth + 1)
                if found.symbol:
                    return found
        return Resolution(None, [])

    def _bases(self, declaration: Declaration) -> Iterable[str]:
        document = self._documents.get(declaration.path)
        form = form_of(declaration.path)
        if form is not None:
            text = document.once(SourceText)
            first = text.offset(declaration.name_span.end)
            return [text.text[start:end] for start, end in parents(text.text, first, form)]
        start = declaration.name_span.end
        head = "\n".join(
            [
                document.line(start.line)[start.character - 1 :],
                *(document.line(number) for number in range(start.line + 1, start.line + 6)),
            ]
        )
        match = _HERITAGE.search(head)
        if match is None:
            return []
        names = re.split(r"\b(?:extends|implements)\b|,", head[match.start() :].partition("{")[0])
        return [found[0] for name in names if (found := re.search(r"[\w$]+(?=\s*(?:<|$))", name.strip()))]

    async def _used(self, name: str) -> Resolution:
        """A name that nothing in the workspace declares: an alias of an export, or a library's."""
        lost: Resolution | None = None
        holding = [document for path in self._holding(name) if (document := self._read(path)) is not None]
        likely = sorted(holding, key=lambda document: not _imports_name(document, name))
        for document in likely[:LOOKED_AT]:
            site = _mention(document, name)
            if site is None:
                continue
            await self._server.load([document.path], self._deadline)
            symbols = await self.defined(site)
            if symbols and not (module := self._lost_import(symbols[0])):
                return Resolution(symbols[0], symbols[1:], site)
            if symbols and lost is None:
                lost = Resolution(symbols[0], symbols[1:], site, _lost(module))
        if lost is None and len(likely) > LOOKED_AT:
            doubt = f"of {len(likely)} files that hold the word the first {LOOKED_AT} were looked at"
            return Resolution(None, [], doubt=doubt)
        return lost or Resolution(None, [], doubt=Unread(self._words, self._documents).declaring(name))

    def _lost_import(self, symbol: Symbol) -> str:
        """The module of an import that the server takes for the declaration, since it leads nowhere; or nothing."""
        main = symbol.main
        document = self._documents.try_get(main.path) if main.local else None
        if document is None or form_of(main.path) is not None:
            return ""
        source = document.once(SourceText)
        start = source.offset(main.position)
        for first, last in document.once(_imports):
            if first <= start < last:
                modules = _MODULE.findall(document.text[first:last])
                return str(modules[-1]) if modules else ""
        return ""

    async def defined(self, site: Site) -> list[Symbol]:
        """What the server says is declared for a site."""
        symbols: list[Symbol] = []
        modules = Modules(self._words, self._server, self._documents, self._deadline)
        for hit in await modules.origins(site):
            symbol = await self.symbol_at(hit)
            if symbol is not None and all(symbol.main is not known.main for known in symbols):
                symbols.append(symbol)
        return symbols

    async def symbol_at(self, hit: Hit) -> Symbol | None:
        """What is declared where a server leads."""
        if "/node_modules/" in hit.path or not hit.path.startswith(str(self._workspace.root) + "/"):
            self._workspace.allow(Path(hit.path))
        document = self._documents.try_get(hit.path)
        if document is None:
            return None
        outline = (await self._server.outlines([document], self._deadline))[hit.path]
        declared = declaration_at(outline, hit.span.start)
        if declared is not None and declared.name_span.start == hit.span.start:
            return self.symbol_of(declared, outline)
        return Symbol((await self._local(document, hit.span),))

    async def _united(self, site: Site, known: list[Symbol]) -> list[Symbol]:
        """The members of that name in the other parts of a union or an intersection.

        Of a call the servers name the one member whose signature they took: which one is an accident of what they read
        first. Its description then names no class, since there are several.
        """
        document = self._documents.get(site.path)
        name = _member_at(document, site.position)
        if name is None or len(known) != 1 or form_of(site.path) is not None:
            return []
        told = await self._server.describe(site, self._deadline)
        if told is None or not re.match(rf"\(\w+\) {re.escape(name)}(?![\w$.])", told.signature):
            return []
        found: list[Symbol] = []
        for hit in await self._server.references([site], self._deadline):
            other = await self._declared_at(hit, name)
            if other is not None and all(other.main is not one.main for one in (*known, *found)):
                found.append(other)
        return sorted(found, key=lambda symbol: (symbol.main.path, symbol.main.position))

    async def _declared_at(self, hit: Hit, name: str) -> Symbol | None:
        document = self._documents.try_get(hit.path)
        if document is None or document.at(hit.span) != name or _member_at(document, hit.span.start):
            return None
        outline = (await self._server.outlines([document], self._deadline))[hit.path]
        declared = declaration_at(outline, hit.span.start)
        if declared is None or declared.local or declared.name_span.start != hit.span.start:
            return None
        return self.symbol_of(declared, outline)

    async def _local(self, document: Document, span: Span) -> Declaration:
        """A parameter or another declaration that no outline lists."""
        told = await self._server.describe(Site(document.path, span.start), self._deadline)
        name = document.at(span) if span.start.line == span.end.line else os.path.basename(document.path)
        kind = told.kind if told else "Variable"
        if span.start == Position(1, 1) and span.end == Position(1, 1):
            name, kind = os.path.basename(document.path), "Module"
        return Declaration(document.path, name, kind, span, span, local=True)

    def symbol_of(self, declared: Declaration, outline: list[Declaration]) -> Symbol:
        others = [one for one in flatten(outline) if one is not declared and same_symbol(one, declared)]
        return Symbol((declared, *others))

    def _ranked(self, symbols: list[Symbol], name: str) -> list[Symbol]:
        if len(symbols) < 2:
            return symbols

        # `name` and `#name` are two members of a class: the one that was asked for comes first.
        return sorted(
            symbols,
            key=lambda symbol: (
                symbol.main.name != name,
                *self.rank(symbol, name),
                symbol.main.path,
                symbol.main.position,
            ),
        )

    def rank(self, symbol: Symbol, name: str) -> tuple[int, ...]:
        """Sorts the symbol most likely meant first. name: as it was asked for."""
        document = self._documents.try_get(symbol.main.path)
        uses = sum(1 for _ in occurrences(document.text, name)) if document else 0
        return rank(symbol, uses, self._workspace.relative(Path(symbol.main.path)))


def _retrieve(task: asyncio.Task[Coverage]) -> None:
    # What it raises, the one who loads the same when it is needed is told as well.
    if not task.cancelled():
        task.exception()


def _imports(document: Document) -> list[tuple[int, int]]:
    return import_spans(document.text, script=document.path.endswith(SCRIPTS))


def _imports_name(document: Document, name: str) -> bool:
    return any(name in document.text[first:last] for first, last in document.once(_imports))


def beside(path: str) -> list[str]:
    """Of a script the declaration file that the compiler reads in its stead, of such a file its script; if there."""
    for declaration, scripts in _BESIDE.items():
        if path.endswith(declaration):
            return [path.removesuffix(declaration) + ending for ending in scripts]
        for ending in scripts:
            if path.endswith(ending):
                return [path.removesuffix(ending) + declaration]
    return []


def _lost(module: str) -> str:
    return f"imports of {module} lead nowhere: which of its names are uses is not known (is the workspace installed?)"


def _same_place(one: Declaration, other: Declaration) -> bool:
    return (one.path, one.position) == (other.path, other.position)


def declares(document: Document, name: str) -> bool:
    """Whether some mention of `name` in a document could be a declaration. It errs towards yes."""
    return document.known(_declares, name)


def _declares(document: Document, name: str) -> bool:
    form = form_of(document.path)
    if form is not None:
        return may_declare_plainly("\n".join(document.lines), form, name)
    return may_declare(document.text, name, script=document.path.endswith(SCRIPTS), imports=document.once(_imports))


def check_place(document: Document, place: Place) -> Position:
    """The place, when the file has it. Raises NotFoundError (`no_such_line`), InputError (`no_such_character`)."""
    count = len(document.lines)
    if not 1 <= place.line <= count:
        raise NotFoundError(
            "no_such_line",
            f"{place.path} has {count} lines, not {place.line}.",
            hint=f"`cn map {place.path}` lists what is in it now.",
            lines=count,
        )
    width = character_at(document.line(place.line), len(document.line(place.line)))
    if place.character > width:
        raise InputError(
            "no_such_character",
            f"Line {place.line} of {place.path} has {width - 1} characters, not {place.character}.",
        )
    return place.position


def _is_given(declared: Declaration, position: Position) -> bool:
    """Whether what stands there may be declared elsewhere all the same, and the server knows where: a key of an object
    that is passed on (by a parameter's type or, in `{ key }`, by a variable), a function that a member is assigned and
    that the outline calls by the member's name, a name within `[name]`."""
    if declared.name.startswith("["):
        return position > declared.position
    # A class that stands in a body is declared there, with its members.
    within = declared.parent is not None and declared.parent.kind in CONTAINERS
    return declared.local and not within


def _identifier_at(document: Document, position: Position) -> str:
    """The identifier that stands there; nothing in a comment or a string."""
    source = document.once(SourceText)
    place = source.offset(position)
    found = tokens(source.text, jsx=source.jsx) if source.form is None else read(source.text, source.form)
    token = next((one for one in found if one.end > place), None)
    if token is None or token.kind != "name" or token.start > place:
        return ""
    return source.text[token.start : token.end]


def _member_at(document: Document, position: Position) -> str | None:
    """The name that is taken of something (`a.name`, `a?.name`) at a place."""
    line = document.line(position.line)
    start = index_at(line, position.character)
    found = _NAME.match(line, start)
    before = line[:start].rstrip()
    if not before and position.line > 1:
        before = document.line(position.line - 1).rstrip()
    return found[0] if found and before.endswith(".") and not before.endswith("..") else None


def _contained(declaration: Declaration, containers: tuple[str, ...]) -> bool:
    return not containers or declaration.containers[-len(containers) :] == containers


def _first_identifier(document: Document, line: int) -> Position:
    text = document.line(line)
    form = form_of(document.path)
    for token in read(text, form) if form is not None else tokens(text):
        if token.kind == "name":
            return Position(line, character_at(text, token.start))
    return Position(line, 1)


def _mention(document: Document, name: str) -> Site | None:
    """The first place where `name` is an identifier, not a word of a comment or a string."""
    form = form_of(document.path)
    if form is not None:
        source = document.once(SourceText)
        first = next(mentions(source.text, form, name), None)
        return None if first is None else Site(document.path, source.position(first))
    for token in tokens("\n".join(document.lines), jsx=document.path.endswith((".tsx", ".jsx", ".js"))):
        text = document.text if "\r" not in document.text else "\n".join(document.lines)
        if token.kind in ("name", "keyword") and text[token.start : token.end] == name:
            before = text[: token.start]
            line = before.count("\n") + 1
            return Site(
                document.path,
                Position(line, character_at(document.line(line), len(before) - before.rfind("\n") - 1)),
            )
    return None
