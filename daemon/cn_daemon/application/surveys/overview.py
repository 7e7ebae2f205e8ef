"""What a workspace holds: packages, projects, folders, and the symbols that most files use."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence

from cn_daemon.application.ports import Call, Coverage, reads
from cn_daemon.application.question import Question, WorkspaceSession, begins_anew
from cn_daemon.application.surveys.used import ByTexts, Used, by_names, exported, imported
from cn_daemon.domain.declarations.outline import flatten
from cn_daemon.domain.declarations.symbols import is_test
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.text import Document
from cn_shared.errors import DeadlineError, LanguageServerError, NotFoundError
from cn_shared.surveys import FileRow, FolderRow, KeySymbol, OverviewAnswer, PackageRow


class Overview:
    """The use case, over the same session as find."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._session = session

    async def overview(
        self, call: Call, folder: str | None = None, limit: int = 30, server: str = "auto"
    ) -> OverviewAnswer:
        """Packages, projects, folders with their sizes, and the exported symbols that most files use."""
        self._session.server("any.ts", server)

        async def answer() -> OverviewAnswer:
            session, words = self._session, self._session.words
            await words.refresh()
            answering = session.surveyed(words.files(), server)
            question = session.begun(call, session.main(server))
            below = self._folder(folder, call)
            paths = [path for path in words.files() if path.startswith(below + "/")]
            questions = [session.begun(call, one) for one in answering]
            lines = {path: await self._lines(question, path) for path in paths}
            symbols, left, reason = await self._key_symbols(questions, paths, limit)
            folder_name = "." if below == str(session.workspace.root) else session.relative(below)
            folders = _folders(below, "" if folder_name == "." else folder_name + "/", lines)
            direct = [
                FileRow(session.relative(path), lines[path]) for path in paths if path.rpartition("/")[0] == below
            ]
            direct.sort(key=lambda row: -row.lines)
            bound = limit or None
            return OverviewAnswer(
                Coverage().verdict(len(paths), reason),
                folder_name,
                len(paths),
                sum(lines.values()),
                self._packages(below),
                [session.relative(path) for path in words.projects() if path.startswith(below + "/")],
                folders[:bound],
                symbols,
                direct[:bound],
                left + sum(len(rows[bound:]) for rows in (folders, direct) if bound),
            )

        return await self._session.retry_on_restart(answer)

    async def _key_symbols(
        self, questions: Sequence[Question], paths: Sequence[str], limit: int
    ) -> tuple[list[KeySymbol], int, str]:
        """The exported symbols that most files use, how many were left out, and why some are missing."""
        used: list[Used] = []
        left, reasons = 0, list[str]()
        own = [path for path in paths if not is_test(self._session.relative(path))]
        scripts = [path for path in own if form_of(path) is None]
        for question in questions:
            mine = [path for path in own if reads(question.server, path)]
            try:
                if scripts and mine and form_of(mine[0]) is None:
                    named_by_scripts, further = await by_names(question, scripts, limit)
                    used, left = [*used, *named_by_scripts], left + further
                    scripts = []  # components, for which another one answers, were among them
                elif mine and form_of(mine[0]) is not None:
                    await self._read(question)
                    used += ByTexts(self._session, question).all(frozenset(mine))
            except LanguageServerError as error:
                if begins_anew(error):
                    raise
                reasons.append(error.message)
        used.sort()
        shown = used[:limit] if limit else used
        rows: dict[Used, KeySymbol] = {}
        for question in questions:
            of_it = [one for one in shown if reads(question.server, one.path)]
            try:
                rows.update(await self._key_rows(question, of_it) if of_it else {})
            except (DeadlineError, LanguageServerError) as error:
                if isinstance(error, LanguageServerError) and (len(questions) == 1 or begins_anew(error)):
                    raise
                reasons.append(error.message)
        return [rows[one] for one in shown if one in rows], left + len(used) - len(shown), "; ".join(reasons)

    async def _read(self, question: Question) -> None:
        """Read every file of a language, with room for other questions between. Raises DeadlineError."""
        for path in filter(lambda path: reads(question.server, path), self._session.words.files()):
            if (document := await self._document(question, path)) is not None:
                document.once(exported)
                document.once(imported)

    async def _document(self, question: Question, path: str) -> Document | None:
        """With room for other questions before. Raises DeadlineError."""
        if time.monotonic() > question.deadline:
            raise DeadlineError("timed_out", "Time ran out before all files were read.")
        await asyncio.sleep(0)
        return question.documents.try_get(path)

    async def _key_rows(self, question: Question, shown: Sequence[Used]) -> dict[Used, KeySymbol]:
        documents = [question.documents.get(path) for path in dict.fromkeys(one.path for one in shown)]
        outlines = await question.server.outlines(documents, question.deadline)
        rows = {}
        for one in shown:
            named = [
                found
                for found in flatten(outlines[one.path])
                if (found.name == one.name if one.position is None else found.position == one.position)
            ]
            if named:
                outermost = min(named, key=lambda found: len(found.containers))
                rows[one] = KeySymbol(question.locations.declaration(outermost), -one.rank)
        return rows

    def _folder(self, folder: str | None, call: Call) -> str:
        """The folder, which must hold sources: what lies outside the workspace holds none."""
        root = str(self._session.workspace.root)
        if folder is None:
            return root
        files = self._session.words.files()
        for base in filter(None, (str(call.cwd) if call.cwd else None, root)):
            found = os.path.normpath(os.path.join(base, folder))
            inside = found.startswith(root + "/") and any(path.startswith(found + "/") for path in files)
            if found == root or inside:
                return found
        message = f"No folder {folder} of the workspace holds sources."
        raise NotFoundError("folder_not_found", message, "cn overview lists the folders that do.")

    def _packages(self, below: str) -> list[PackageRow]:
        folders = self._session.words.packages().folders
        rows = [PackageRow(name, self._session.relative(path)) for name, path in folders.items()
                if f"{path}/".startswith(below + "/")]  # fmt: skip
        return sorted(rows, key=lambda row: row.path)

    async def _lines(self, question: Question, path: str) -> int:
        document = await self._document(question, path)
        return document.text.count("\n") if document else 0


def _folders(below: str, prefix: str, lines: dict[str, int]) -> list[FolderRow]:
    """The folders up to two levels below, the largest first. prefix: what their paths begin with."""
    files: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for path, count in lines.items():
        parts = path[len(below) + 1 :].split("/")[:-1]
        for depth in range(1, min(2, len(parts)) + 1):
            folder = prefix + "/".join(parts[:depth])
            files[folder] = files.get(folder, 0) + 1
            sizes[folder] = sizes.get(folder, 0) + count
    return sorted((FolderRow(folder, files[folder], sizes[folder]) for folder in files), key=lambda row: -row.lines)
