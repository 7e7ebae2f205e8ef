"""What the workspace declares under a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cn_daemon.application.context import Context
from cn_daemon.application.ports import LanguageServer, reads
from cn_daemon.domain.declarations.outline import Declaration, flatten, same_symbol
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import declares as embeds
from cn_daemon.domain.mentions.embedded import is_embedding
from cn_daemon.domain.source.components import component_name, is_component
from cn_daemon.domain.source.text import Document, Position
from cn_shared.errors import CnError

# The compiler's declaration files, and the scripts that they stand for.
_BESIDE = {".d.ts": (".js", ".jsx"), ".d.mts": (".mjs",), ".d.cts": (".cjs",)}


class Declared:
    """For one question: shares its documents."""

    def __init__(self, context: Context) -> None:
        self._words, self._server, self._documents, self._deadline = context
        # Files that hold a name that was looked for, and why they cannot be read.
        self._unread: dict[str, str] = {}

    async def by_name(self, name: str, within: str | None) -> list[Declaration]:
        """The declarations of a name, in one file or everywhere."""
        bare = name.lstrip("#")
        if within:
            paths = [within]
        else:
            paths = (await declaring(self._server, {bare: self.holding(bare)}, self.read, self._deadline))[bare]
        documents = [document for path in paths if (document := self.read(path)) is not None]
        outlines = await self._server.outlines(documents, self._deadline, bare)
        found = [
            declaration
            for outline in outlines.values()
            for declaration in flatten(outline)
            if declaration.name.lstrip("#") == bare
        ]
        # `res` is not `#res`, unless there is nothing else it could be.
        return [declaration for declaration in found if declaration.name == name] or found

    def read(self, path: str) -> Document | None:
        """None for a file that has gone, or cannot be read: then it is remembered."""
        try:
            return self._documents.lenient(path)
        except CnError as error:
            if error.code not in ("file_not_found", "binary_file"):
                self._unread[path] = error.message
            return None

    def unreadable(self) -> str:
        """Which files may declare something unseen, or nothing."""
        if not self._unread:
            return ""
        first, others = self._unread[min(self._unread)].rstrip("."), len(self._unread) - 1
        return f"{first}{f' (and {others} more files)' if others else ''}: what it declares is not known"

    def unseen(self, name: str) -> str:
        """Where a name may be declared that no server knows, or nothing."""
        for path in filter(is_embedding, self._words.files_with(name)):
            document = self._documents.try_get(path)
            if document is not None and (component_name(path) == name or embeds(document, name)):
                return f"{self._documents.place(path)} declares the name, which the language server does not read"
        minified = self._words.minified(name)
        return (
            f"{self._documents.place(minified[0])} holds the name; it is minified, and not looked into"
            if minified
            else ""
        )

    async def with_emitted(self, symbols: list[Symbol]) -> list[Symbol]:
        """What a script declares and the declaration file beside it tells again is one symbol: the compiler takes the
        imports of `x.js` to `x.d.ts`, if there is one."""
        united: list[Symbol] = []
        seen: set[tuple[str, Position]] = set()
        for symbol in symbols:
            if _place(symbol.main) in seen:
                continue
            emitted = await self._emitted(symbol.main)
            if emitted is not None and _place(emitted.main) not in map(_place, symbol.declarations):
                united = [known for known in united if _place(known.main) != _place(emitted.main)]
                first, second = (emitted, symbol) if symbol.main.path.endswith(".ts") else (symbol, emitted)
                symbol = Symbol((*first.declarations, *second.declarations))
            united.append(symbol)
            seen.update(map(_place, symbol.declarations))
        return united

    async def _emitted(self, declared: Declaration) -> Symbol | None:
        for path in beside(declared.path) if not declared.local else ():
            document = self._documents.try_get(path)
            if document is not None:
                outline = (await self._server.outlines([document], self._deadline))[path]
                for one in flatten(outline):
                    if not one.local and (one.containers, one.name) == (declared.containers, declared.name):
                        return symbol_of(one, outline)
        return None

    def holding(self, name: str) -> list[str]:
        """The files of the server's languages that hold a word."""
        return [path for path in self._words.files_with(name) if reads(self._server, path)]


def symbol_of(declared: Declaration, outline: list[Declaration]) -> Symbol:
    """The symbol that a declaration is one of, by the outline of its file: of what several literals of a type have that
    of its own, since to the compiler each has another one."""
    others = (one for one in flatten(outline) if one is not declared and same_symbol(one, declared))
    return Symbol((declared, *(one for one in others if one.scope == declared.scope)))


def beside(path: str) -> list[str]:
    """Of a script the declaration file that the compiler reads in its stead, of such a file its script; if there."""
    for declaration, scripts in _BESIDE.items():
        if path.endswith(declaration):
            return [path.removesuffix(declaration) + ending for ending in scripts]
        for ending in scripts:
            if path.endswith(ending):
                return [path.removesuffix(ending) + declaration]
    return []


def _place(declared: Declaration) -> tuple[str, Position]:
    return declared.path, declared.position


async def declaring(
    server: LanguageServer,
    names: Mapping[str, Sequence[str]],
    read: Callable[[str], Document | None],
    deadline: float,
) -> dict[str, list[str]]:
    """Of the files that hold each name those that may declare it; a component of that name is one."""
    declared = await server.declaring(names, read, deadline)
    found = {}
    for name, paths in names.items():
        may = set(declared[name])
        found[name] = [one for one in paths if one in may or (is_component(one) and component_name(one) == name)]
    return found
