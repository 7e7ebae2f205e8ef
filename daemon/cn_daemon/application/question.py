"""One question about code: what was typed, who answers it, and what all parts of its answer share."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cn_daemon.application.by_names import ByNames
from cn_daemon.application.context import Context
from cn_daemon.application.declared import declaring, symbol_of
from cn_daemon.application.documents import Documents, Texts
from cn_daemon.application.locations import Locations
from cn_daemon.application.ports import (
    Call,
    Coverage,
    History,
    LanguageServer,
    LanguageServers,
    Names,
    Site,
    Types,
    Words,
    Workspace,
    reads,
)
from cn_daemon.application.symbols.pointing import check_place, word_at
from cn_daemon.application.symbols.resolve import Resolution, Resolver
from cn_daemon.application.undecided import exported, mentions, nearest_projects
from cn_daemon.application.uses.overlays import surroundings
from cn_daemon.application.uses.references import References
from cn_daemon.domain import ids
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol, aside
from cn_daemon.domain.ids import Name, Place
from cn_daemon.domain.source.forms import form_of
from cn_shared.errors import CnError, DeadlineError, InputError, LanguageServerError, NotFoundError
from cn_shared.wire import Completeness, LocationRef

# What is left of the deadline for writing a partial answer down.
MARGIN_S = 0.3
# So many of the mentions that time ran out over are shown; their number is given.
MENTIONS = 200

_LATE = "time ran out before the symbol was found; the language server goes on, ask again"

T = TypeVar("T")


class Question:
    """Its documents are read once, so that all parts of the answer are of one moment."""

    def __init__(self, session: WorkspaceSession, call: Call, server: LanguageServer, documents: Documents) -> None:
        self.cwd = call.cwd
        # Why servers of other languages, whose files may declare the name too, were not asked.
        self.unasked = ""
        self._words = session.words
        self.deadline = call.deadline - MARGIN_S
        self.server = server
        self.documents = documents
        context = Context(session.words, server, documents, self.deadline)
        by_names = ByNames(session.names(server), context)
        self.by_names = by_names
        # What tells what inherits; None where the form of the language does.
        self.heritage = session.heritage(server)
        types = session.types(server)
        self.resolver = Resolver(session.workspace, context, by_names, types, partial(surroundings, context))
        self.references = References(self.resolver, context, by_names, types)
        self.locations = Locations(session.workspace, documents)

    async def resolve(self, wanted: Name | Place) -> Resolution:
        """The symbol that is meant. Raises DeadlineError, and what `Workspace.resolve` raises."""
        if isinstance(wanted, Place):
            return await self.resolver.place(wanted, self.cwd)
        return await self.resolver.name(wanted, self.cwd)

    async def outline(self, path: str) -> list[Declaration]:
        """What a file declares."""
        document = self.documents.get(path)
        return (await self.server.outlines([document], self.deadline))[path]

    async def symbol(self, declaration: Declaration) -> Symbol:
        """The symbol that a declaration is one of."""
        return symbol_of(declaration, await self.outline(declaration.path))

    def holding(self, names: Iterable[str]) -> set[str]:
        """The files of the server's languages that hold one of the names as a word."""
        paths = (path for name in names for path in self._words.files_with(name))
        return {path for path in paths if reads(self.server, path)}


class Late(NamedTuple):
    """What the texts show when time ran out before the symbol was found. declared: what it may be, the most
    likely first."""

    declared: list[LocationRef]
    completeness: Completeness


class WorkspaceSession:
    """Where questions are asked: the workspace's files, its words, its language servers and its history."""

    def __init__(self, workspace: Workspace, words: Words, servers: LanguageServers, history: History) -> None:
        self.workspace = workspace
        self.words = words
        self.history = history
        self._servers = servers
        self._texts = Texts(workspace, words)

    def begun(self, call: Call, server: LanguageServer) -> Question:
        """A question that sees what the last one saw."""
        return Question(self, call, server, Documents(self.workspace, self._texts))

    async def retry_on_restart(self, answer: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Ask once more when the language server died under the question; the next one is started by asking. As often
        as an edit takes from under it what it had loaded; and without each text that turns out to be hard.

        Each time in a task of its own: adapters note in its context what a question has begun with.
        """
        deaths = 0
        while True:
            try:
                return await self.workspace.hard.bounded(answer)
            except LanguageServerError as error:
                deaths += error.code == "language_server_died"
                if deaths > 1 or not begins_anew(error):
                    raise

    def names(self, server: LanguageServer) -> Names | None:
        """What answers in its stead as far as names decide."""
        return self._servers.names(server)

    def types(self, server: LanguageServer) -> Types | None:
        """What answers for members in a server's stead, or None."""
        return self._servers.types(server)

    def heritage(self, server: LanguageServer) -> Types | None:
        """What tells what inherits in its files, or None."""
        return self._servers.heritage(server)

    def relative(self, path: str) -> str:
        """An absolute path as answers tell it."""
        return self.workspace.relative(Path(path))

    def server(self, path: str, wanted: str) -> LanguageServer:
        """The server that answers for a file; wanted: by `--server`. Raises InputError (`unsupported_language`)."""
        server = self._servers.server_for(path, wanted)
        if server is None:
            ending = os.path.splitext(path)[1] or "no ending"
            supported = self._servers.supported()
            raise InputError(
                "unsupported_language",
                f"No language server answers for {self.relative(path)} ({ending}).",
                hint="Supported: " + " ".join(supported),
                supported=supported,
            )
        return server

    def answers_for(self, path: str, wanted: str) -> bool:
        """Whether some server answers for a file."""
        return self._servers.server_for(path, wanted) is not None

    def servers_for(self, wanted: Name | Place, call: Call, server: str) -> list[LanguageServer]:
        """Who may know what is wanted: of a bare name those of every language whose files hold it, as of the words'
        last refresh. Raises InputError (`unsupported_language`), and what `Workspace.resolve` raises."""
        if wanted.path is not None:
            return [self.server(str(self.workspace.resolve(wanted.path, call.cwd)), server)]
        assert isinstance(wanted, Name)
        holding = self.answering(self.words.files_with(wanted.name.lstrip("#")), server)
        return holding or [self.main(server)]

    def main(self, server: str) -> LanguageServer:
        """The server of the language that most of the workspace's files are in; TypeScript's when it has none."""
        return next(iter(self.surveyed(self.words.files(), server)), None) or self.server("any.ts", server)

    def surveyed(self, paths: Iterable[str], wanted: str) -> list[LanguageServer]:
        """As `answering`, without those of scripts and settings beside a program."""
        paths = list(paths)
        return self.answering((path for path in paths if not _is_aside(path)), wanted) or self.answering(paths, wanted)

    def is_surveyed(self, path: str, wanted: str) -> bool:
        """Whether some server answers for a file, which is not aside of what the workspace holds."""
        server = self._servers.server_for(path, wanted)
        return server is not None and (not _is_aside(path) or server is self.main(wanted))

    def answering(self, paths: Iterable[str], wanted: str) -> list[LanguageServer]:
        """The servers that answer for these files, that of the most files first."""
        endings = Counter(os.path.splitext(path)[1] for path in paths)
        files: Counter[str] = Counter()
        servers: dict[str, LanguageServer] = {}
        for ending, count in endings.items():
            server = self._servers.server_for(f"any{ending}", wanted)
            if server is not None:
                servers[server.name] = server
                files[server.name] += count
        return [servers[name] for name, _ in files.most_common()]

    async def resolved(self, call: Call, wanted: Name | Place, server: str) -> tuple[Question, Resolution]:
        """The symbol that is meant, by the server of its language, with those of other languages among the rivals.

        A server that cannot be asked is named in the question's `unasked`. Raises as `Question.resolve`, and what the
        only server, or all, raised.
        """
        await self.words.refresh()
        servers = await self._declaring(call, wanted, self.servers_for(wanted, call, server))
        if len(servers) == 1:
            question = self.begun(call, servers[0])
            return question, await question.resolve(wanted)
        resolutions: list[tuple[Question, Resolution]] = []
        errors: list[CnError] = []
        for one in servers:
            question = self.begun(call, one)
            try:
                resolutions.append((question, await question.resolve(wanted)))
            except LanguageServerError as error:
                if begins_anew(error):
                    raise
                errors.append(error)
        if not resolutions:
            raise errors[0]
        return await _merged(resolutions, errors)

    def late(self, call: Call, wanted: Name | Place, error: DeadlineError) -> Late:
        """What the texts show of what is wanted, when time ran out before a server answered what it is."""
        documents = Documents(self.workspace, self._texts)
        if isinstance(wanted, Name):
            name = wanted.name.lstrip("#")
        else:
            document = documents.get(str(self.workspace.resolve(wanted.path, call.cwd)))
            name = word_at(document, check_place(document, wanted))
        names = [name] if name else []
        paths = [path for path in self.words.files_with(name) if self.answers_for(path, "auto")] if name else []
        found = exported(name, paths, documents) if isinstance(wanted, Name) and not wanted.containers else []
        locations = Locations(self.workspace, documents)
        declared = [locations.of(one.path, one.name.start, one.kind, name=name) for one in found]
        declared.sort(key=lambda ref: (aside(ref.file_path), ref.file_path))
        decided = {Site(one.path, one.name.start) for one in found}
        left = mentions(names, paths, documents, decided, call.deadline)
        projects = len(nearest_projects(paths, self.words.projects())) or 1
        undecided = locations.undecided(left, declared[0].kind if declared else "Variable", MENTIONS)
        reason = error.message if error.code != "timed_out" else _LATE
        completeness = Coverage(0, projects, [], reason).verdict(len(paths))
        return Late(declared, replace(completeness, undecided=undecided))

    async def _declaring(self, call: Call, wanted: Name | Place, servers: list[LanguageServer]) -> list[LanguageServer]:
        """Of several servers those whose files may declare the name: one that would only find uses is not started."""
        if len(servers) < 2 or not isinstance(wanted, Name):
            return servers
        bare = wanted.name.lstrip("#")
        documents = Documents(self.workspace, self._texts)
        found = []
        for one in servers:
            holding = [path for path in self.words.files_with(bare) if reads(one, path)]
            if (await declaring(one, {bare: holding}, documents.try_get, call.deadline - MARGIN_S))[bare]:
                found.append(one)
        return found or servers

    def unknown(self, wanted: Name | Place, doubt: str = "") -> NotFoundError:
        """Nothing of that name is declared, or nothing stands at that place. doubt: why it may be all the same."""
        if isinstance(wanted, Place):
            at = f"{wanted.path}:{wanted.line}:{wanted.character}"
            message = f"What stands at {at} is not known." if doubt else f"No symbol stands at {at}."
            hint = f"{doubt[:1].upper()}{doubt[1:]}." if doubt else f"`cn map {wanted.path}` lists what it declares."
            return NotFoundError("symbol_not_found", message, hint=hint)
        near = self.words.similar(wanted.name)
        name = ".".join((*wanted.containers, wanted.name))
        where = f" in {wanted.path}" if wanted.path else ""
        hint = f"Near names: {', '.join(near)}." if near else "`cn map FILE` lists what a file declares."
        hint = f"{doubt}." if doubt else hint
        return NotFoundError("symbol_not_found", f"Nothing named {name} is declared{where}.", hint=hint, near=near)


def _is_aside(path: str) -> bool:
    form = form_of(path)
    return form is not None and form.aside


async def _merged(resolutions: list[tuple[Question, Resolution]], errors: list[CnError]) -> tuple[Question, Resolution]:
    """The best of several languages' symbols of one name. Those that only use it know no symbol of their own."""
    found = [(question, one, one.symbol) for question, one in resolutions if one.symbol is not None]
    symbols = [symbol for _, _, symbol in found]
    # Components and scripts import each other's.
    first = (await resolutions[0][0].resolver.ranked(symbols, symbols[0].main.name))[0] if len(found) > 1 else None
    question, best = next(
        ((question, one) for question, one, symbol in found if first is None or symbol.main in first.declarations),
        resolutions[0],
    )
    others = [one for other, one in resolutions if other is not question]
    rivals = [symbol for one in others for symbol in (*([one.symbol] if one.symbol else []), *one.candidates)]
    # Of components a server may be led to what another one declares.
    known = {(one.main.path, one.main.position) for one in (best.symbol, *best.candidates) if one is not None}
    rivals = [one for one in rivals if (one.main.path, one.main.position) not in known]
    question.unasked = "; ".join(error.message for error in errors)
    return question, best._replace(candidates=[*best.candidates, *rivals])


def begins_anew(error: LanguageServerError) -> bool:
    """Whether the question that met it may have the right answer when it is asked from its beginning."""
    return error.code in ("language_server_died", "projects_changed")


def parse_query(query: str) -> Name | Place:
    """Raises InputError (`empty_query`, `bad_query`)."""
    if not query.strip():
        raise InputError("empty_query", "The query is empty.", hint="cn find User")
    wanted = ids.parse(query) or ids.parse(ids.undressed(query))
    if wanted is None:
        raise InputError(
            "bad_query",
            f"{query!r} is not a name, a place or an id.",
            hint="A name (User), a member (User.rename), path:name, path:line:character, an id or a pattern (*Router). "
            "Other text: cn grep.",
        )
    return wanted


def parse_cursor(cursor: str | None) -> int:
    """Where an answer goes on. Raises InputError (`bad_cursor`)."""
    if cursor is None:
        return 0
    if not (cursor.isdecimal() and len(cursor) < 10):
        raise InputError("bad_cursor", f"{cursor!r} is not a cursor.", hint="Pass on the `next` of an answer.")
    return int(cursor)
