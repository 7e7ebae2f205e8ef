"""What a workspace holds: packages, projects, folders, and the symbols that most files use."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence

from cn_daemon.application.ports import Call, Coverage, reads
from cn_daemon.application.question import Desk, Question, begins_anew
from cn_daemon.application.surveys.used import Used, exported, imported
from cn_daemon.application.verdicts import verdict
from cn_daemon.domain.declarations.outline import flatten
from cn_shared.errors import DeadlineError, LanguageServerError, NotFoundError
from cn_shared.surveys import FileRow, FolderRow, KeySymbol, OverviewAnswer, PackageRow


class Overview:
    """The use case, over the same desk as find."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def overview(
        self, call: Call, folder: str | None = None, limit: int = 30, server: str = "auto"
    ) -> OverviewAnswer:
        """Packages, projects, folders with their sizes, and the exported symbols that most files use."""
        self._desk.server("any.ts", server)

        async def answer() -> OverviewAnswer:
            await self._desk.words.refresh()
            answering = self._desk.answering(self._desk.words.files(), server)
            question = self._desk.begun(call, self._desk.main(server))
            below = self._folder(folder, call)
            paths = [path for path in self._desk.words.files() if path.startswith(below + "/")]
            questions = [self._desk.begun(call, one) for one in answering]
            for each in questions:
                await self._read(each)
            lines = {path: self._lines(question, path) for path in paths}
            symbols, left, reason = await self._key_symbols(questions, paths, limit)
            told = "." if below == str(self._desk.workspace.root) else self._desk.relative(below)
            folders = _folders(below, "" if told == "." else told + "/", lines)
            direct = [
                FileRow(self._desk.relative(path), lines[path]) for path in paths if path.rpartition("/")[0] == below
            ]
            direct.sort(key=lambda row: -row.lines)
            bound = limit or None
            return OverviewAnswer(
                verdict(Coverage(0, 0, []), len(paths), reason),
                told,
                len(paths),
                sum(lines.values()),
                self._packages(below),
                [self._desk.relative(path) for path in self._desk.words.projects() if path.startswith(below + "/")],
                folders[:bound],
                symbols,
                direct[:bound],
                left + sum(len(rows[bound:]) for rows in (folders, direct) if bound),
            )

        return await self._desk.surviving(answer)

    async def _key_symbols(
        self, questions: Sequence[Question], paths: Sequence[str], limit: int
    ) -> tuple[list[KeySymbol], int, str]:
        """The exported symbols that most files use, how many were left out, and why some are missing."""
        used = [await Used(self._desk, question).names(paths, limit) for question in questions]
        ranked = sorted(one for told, _ in used for one in told)
        further = sum(left for _, left in used)
        shown = ranked if limit == 0 else ranked[:limit]
        rows: dict[tuple[int, str, str], KeySymbol] = {}
        reasons = []
        for question in questions:
            mine = [one for one in shown if reads(question.server, one[2])]
            try:
                rows.update(await self._told(question, mine) if mine else {})
            except (DeadlineError, LanguageServerError) as error:
                if isinstance(error, LanguageServerError) and (len(questions) == 1 or begins_anew(error)):
                    raise
                reasons.append(error.message)
        return [rows[one] for one in shown if one in rows], further + len(ranked) - len(shown), "; ".join(reasons)

    async def _read(self, question: Question) -> None:
        """Read every file of a language, with room for other questions between. Raises DeadlineError."""
        for path in filter(lambda path: reads(question.server, path), self._desk.words.files()):
            if time.monotonic() > question.deadline:
                raise DeadlineError("timed_out", "Time ran out before all files were read.")
            document = question.documents.try_get(path)
            if document is not None:
                document.once(exported)
                document.once(imported)
            await asyncio.sleep(0)

    async def _told(
        self, question: Question, shown: Sequence[tuple[int, str, str]]
    ) -> dict[tuple[int, str, str], KeySymbol]:
        documents = [question.documents.get(path) for path in dict.fromkeys(path for _, _, path in shown)]
        outlines = await question.server.outlines(documents, question.deadline)
        rows = {}
        for one in shown:
            count, name, path = one
            named = [found for found in flatten(outlines[path]) if found.name == name]
            if named:
                outermost = min(named, key=lambda found: len(found.containers))
                rows[one] = KeySymbol(question.locations.declaration(outermost), -count)
        return rows

    def _folder(self, folder: str | None, call: Call) -> str:
        """The folder, which must hold sources: what lies outside the workspace holds none."""
        root = str(self._desk.workspace.root)
        if folder is None:
            return root
        files = self._desk.words.files()
        for base in filter(None, (str(call.cwd) if call.cwd else None, root)):
            found = os.path.normpath(os.path.join(base, folder))
            inside = found.startswith(root + "/") and any(path.startswith(found + "/") for path in files)
            if found == root or inside:
                return found
        message = f"No folder {folder} of the workspace holds sources."
        raise NotFoundError("folder_not_found", message, "cn overview lists the folders that do.")

    def _packages(self, below: str) -> list[PackageRow]:
        folders = self._desk.words.packages().folders
        rows = [PackageRow(name, self._desk.relative(path)) for name, path in folders.items()
                if f"{path}/".startswith(below + "/")]  # fmt: skip
        return sorted(rows, key=lambda row: row.path)

    def _lines(self, question: Question, path: str) -> int:
        document = question.documents.try_get(path)
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
