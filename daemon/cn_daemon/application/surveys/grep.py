"""Text in the workspace's files, each match with the declaration that holds it."""

from __future__ import annotations

import asyncio
import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from cn_daemon.application.ports import Call, Coverage, LanguageServer
from cn_daemon.application.question import MARGIN_S, WorkspaceSession, parse_cursor
from cn_daemon.application.relations.mentions import holder, qualified
from cn_daemon.application.text_ports import FileHits, Searched, Sought, TextSearch
from cn_daemon.domain.declarations.outline import Enclosing
from cn_daemon.domain.declarations.symbols import aside, is_test
from cn_daemon.domain.source.text import Document, Position
from cn_shared.errors import CnError, InputError, NotFoundError
from cn_shared.surveys import FileMatches, GrepAnswer, TextMatch

# So many are counted.
MOST = 10_000
# A language server that has to start first is not waited for longer: the matches are answered without the symbols.
OUTLINES_S = 5.0
PREVIEW = 100
_LEAD = 40
_LONGEST_GLOB = 200
_GLOB = re.compile(r"[*?\[]")
# What tools wrote, listed last.
_WRITTEN = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|[^/]+\.lock|go\.sum)$"
    r"|\.min\.\w+$|\.(?:map|snap|svg)$"
)
_NAMED = 3


class Grep:
    """The use case, over the same session as find."""

    def __init__(self, session: WorkspaceSession, texts: TextSearch) -> None:
        self._session = session
        self._texts = texts

    async def grep(
        self,
        call: Call,
        pattern: str,
        paths: Sequence[str] | None = None,
        folder: str | None = None,
        word: bool = False,
        fixed: bool = False,
        ignore_case: bool = False,
        limit: int = 100,
        cursor: str | None = None,
        server: str = "auto",
    ) -> GrepAnswer:
        """The lines that a regular expression matches. Raises InputError (`empty_query`), NotFoundError
        (`folder_not_found`)."""
        first = parse_cursor(cursor)
        if not pattern:
            raise InputError("empty_query", "The pattern is empty.", hint="cn grep TODO")
        await self._session.words.refresh()
        files = await self._texts.files()
        places = [*(paths or ()), *([folder] if folder else ())]
        chosen = {path for place in places for path in self._within(place, call, files)} if places else set(files)
        ordered = self._ordered(chosen)
        most = max(MOST, first + limit)
        deadline = call.deadline - MARGIN_S
        sought = Sought(pattern, fixed, ignore_case, word)
        searched, hint = await self._searched(sought, ordered, most, deadline)
        place_count = sum(len(one.places) for one in searched.hits)
        last = first + limit if limit else place_count
        page = _page(searched.hits, first, last)
        shown, left = await self._shown(page, call, server)
        completeness = Coverage().verdict(len(searched.hits), self._missing(searched, left, len(ordered)))
        totals = {self._session.relative(one.path): len(one.places) for one in searched.hits}
        return GrepAnswer(
            completeness,
            place_count,
            [replace(one, total=totals[one.file_path]) for one in shown],
            str(last) if last < place_count or (searched.cut and limit) else None,
            hint or None,
        )

    async def _searched(self, sought: Sought, paths: Sequence[str], most: int, deadline: float) -> tuple[Searched, str]:
        """What is found, and how the pattern was read when that is not as it stands."""
        try:
            searched = await self._texts.search(sought, paths, most, deadline)
        except InputError as error:
            as_text = await self._texts.search(sought._replace(fixed=True), paths, most, deadline)
            return as_text, f"{error.message} It was searched for as plain text."
        # `a\|b` is how grep without -E spells alternatives.
        if not searched.hits and "\\|" in sought.pattern and not sought.fixed:
            other = sought.pattern.replace("\\|", "|")
            try:
                found = await self._texts.search(sought._replace(pattern=other), paths, most, deadline)
            except InputError:
                return searched, ""
            if found.hits:
                return found, f"{sought.pattern} matches nothing; this is {other}."
        return searched, ""

    def _within(self, folder: str, call: Call, files: Sequence[str]) -> list[str]:
        """The files of a folder, a file, or those whose names fit a glob. Raises NotFoundError."""
        root = str(self._session.workspace.root)
        if _GLOB.search(folder):
            fits = _glob(folder)
            return [path for path in files if fits(path[len(root) + 1 :])]
        for base in filter(None, (str(call.cwd) if call.cwd else None, root)):
            at = os.path.normpath(os.path.join(base, folder))
            found = [path for path in files if path == at or path.startswith(at.rstrip("/") + "/")]
            if found:
                return found
        raise NotFoundError("folder_not_found", f"Nothing in the workspace is called {folder}, or git ignores it.")

    def _ordered(self, paths: Iterable[str]) -> list[str]:
        """Sources, their tests, other texts, what tools wrote; by path."""

        def key(path: str) -> tuple[int, int, str]:
            relative = self._session.relative(path)
            family = 3 if _WRITTEN.search(relative) else 0 if self._session.words.holds(path) else 2
            return (1 if family == 0 and is_test(relative) else family, aside(relative), relative)

        return sorted(paths, key=key)

    async def _shown(
        self, page: Sequence[FileHits], call: Call, wanted: str
    ) -> tuple[list[FileMatches], dict[str, str]]:
        """These as answers tell them, and the files that cannot be read, with why."""
        question = self._session.begun(call, self._session.main(wanted))
        documents: dict[str, Document] = {}
        unread: dict[str, str] = {}
        for one in page:
            try:
                documents[one.path] = question.documents.lenient(one.path)
            except CnError as error:
                if error.code != "file_not_found":
                    unread[one.path] = error.message.rstrip(".")
        around = await self._around(documents, call, wanted)
        return [
            _matches(self._session.relative(one.path), one, documents[one.path], around.get(one.path))
            for one in page
            if one.path in documents
        ], unread

    async def _around(self, documents: Mapping[str, Document], call: Call, wanted: str) -> dict[str, Enclosing]:
        """What their outlines say of files, as far as a server tells in time."""
        until = min(call.deadline - MARGIN_S, asyncio.get_running_loop().time() + OUTLINES_S)
        groups: dict[str, tuple[LanguageServer, list[Document]]] = {}
        for path, document in documents.items():
            if self._session.is_surveyed(path, wanted):
                server = self._session.server(path, wanted)
                groups.setdefault(server.name, (server, []))[1].append(document)
        found: dict[str, Enclosing] = {}
        for server, group in groups.values():
            try:
                outlines = await server.outlines(group, until)
            except CnError:
                continue  # whoever asks about symbols is given the reason
            found |= {path: Enclosing(outline, local=False) for path, outline in outlines.items()}
        return found

    def _missing(self, searched: Searched, left: Mapping[str, str], paths: int) -> str:
        """What was not looked through, and why; nothing when all was."""
        reasons = []
        if searched.cut:
            reasons.append(f"only the first {MOST} matches are counted")
        if searched.reached < paths and not searched.cut:
            reasons.append(f"time ran out: {paths - searched.reached} of {paths} files were not searched")
        unsearched = {**searched.unsearched, **left}
        for reason in sorted(set(unsearched.values())):
            named = sorted(self._session.relative(path) for path, why in unsearched.items() if why == reason)
            more = f" and {len(named) - _NAMED} more files" if len(named) > _NAMED else ""
            reasons.append(f"{', '.join(named[:_NAMED])}{more} not searched: {reason}")
        return "; ".join(reasons)


def _page(hits: Iterable[FileHits], first: int, last: int) -> list[FileHits]:
    """Those from the one of that number on, up to the last."""
    found = []
    passed = 0
    for one in hits:
        places = one.places[max(0, first - passed) : max(0, last - passed)]
        passed += len(one.places)
        if places:
            found.append(one._replace(places=places))
    return found


def _matches(relative: str, hits: FileHits, document: Document, around: Enclosing | None) -> FileMatches:
    matches = [
        TextMatch(place.line, place.character, _preview(document, place), _within(place, around))
        for place in hits.places
    ]
    return FileMatches(relative, len(matches), matches)


def _within(place: Position, around: Enclosing | None) -> str | None:
    """What holds a place; of a line that declares what holds that: the rest is in the line."""
    found = holder(around, place) if around is not None else None
    while found is not None and found.position.line == place.line:
        found = found.parent
    return qualified(found) if found is not None else None


def _preview(document: Document, place: Position) -> str:
    """The line, trimmed; of a long one what stands around the match."""
    line = document.line(place.line)
    if len(line.strip()) <= PREVIEW:
        return line.strip()
    start = document.index(place)
    first = max(0, start - _LEAD) if start > PREVIEW - _LEAD else len(line) - len(line.lstrip())
    shown = line[first : first + PREVIEW].strip()
    return f"{'…' if line[:first].strip() else ''}{shown}{'…' if line[first + PREVIEW :].strip() else ''}"


def _glob(pattern: str) -> Callable[[str], bool]:
    """Whether a relative path fits: its name alone where the pattern has no slash. Raises InputError (`bad_path`)."""
    if len(pattern) > _LONGEST_GLOB:
        raise InputError("bad_path", f"The pattern of names is longer than {_LONGEST_GLOB} characters.")
    plain = pattern.removeprefix("./").replace("**/", "*")
    fits = re.compile(fnmatch.translate(plain)).match
    if "/" in pattern:
        return lambda relative: fits(relative) is not None
    return lambda relative: fits(relative.rpartition("/")[2]) is not None
