"""What the compilers complain about, file by file or everywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cn_daemon.application.ports import Call, Coverage, Finding, reads
from cn_daemon.application.question import Question, WorkspaceSession, begins_anew, parse_cursor
from cn_daemon.application.surveys.foreign_resolution import ForeignResolution
from cn_daemon.application.undecided import nearest_projects
from cn_daemon.domain import ids
from cn_shared.errors import DeadlineError, InputError, LanguageServerError
from cn_shared.surveys import Diagnostic, DiagnosticsAnswer

# Files that are checked at once, between two looks at the clock.
BATCH = 20


class Diagnostics:
    """The use case, over the same session as find."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._session = session

    async def diagnostics(
        self,
        call: Call,
        files: Sequence[str] | None = None,
        limit: int = 100,
        cursor: str | None = None,
        server: str = "auto",
    ) -> DiagnosticsAnswer:
        """What the compiler complains about in `files`, or everywhere."""
        first = parse_cursor(cursor)
        named = [str(self._session.workspace.resolve(path, call.cwd)) for path in files or ()]
        for path in named:
            if self._session.server(path, server) is not self._session.server(named[0], server):
                raise InputError("mixed_languages", "The files belong to different language servers: ask for each.")

        async def answer() -> DiagnosticsAnswer:
            await self._session.words.refresh()
            paths = named or self._session.words.files()
            found, checked, coverage, reason = await self._everywhere(call, paths, server)
            rows = [self._diagnostic(path, one) for path, one in found]
            rows.sort(key=lambda row: (row.severity != "error", row.file_path, row.line, row.character))
            last = len(rows) if limit == 0 else first + limit
            return DiagnosticsAnswer(
                coverage.verdict(len(paths), reason),
                len(rows),
                checked,
                rows[first:last],
                str(last) if last < len(rows) else None,
            )

        return await self._session.retry_on_restart(answer)

    async def _everywhere(
        self, call: Call, paths: Sequence[str], server: str
    ) -> tuple[list[tuple[str, Finding]], int, Coverage, str]:
        """By every language of the files. One that cannot be asked makes the answer partial, unless it is the only."""
        answering = self._session.surveyed(paths, server)
        found: list[tuple[str, Finding]] = []
        checked, coverage, reasons = 0, Coverage(), []
        for one in answering:
            question = self._session.begun(call, one)
            try:
                reported = await self._checked(question, [path for path in paths if reads(one, path)])
            except LanguageServerError as error:
                if len(answering) == 1 or begins_anew(error):
                    raise
                reasons.append(error.message)
                continue
            found += reported[0]
            checked += reported[1]
            loaded, total, missing, reason = reported[2]
            coverage = Coverage(
                coverage.projects_loaded + loaded,
                coverage.projects_total + total,
                [*coverage.missing, *missing],
                coverage.reason or reason,
            )
            reasons += [reported[3]] if reported[3] else []
        return found, checked, coverage, "; ".join(reasons)

    async def _checked(
        self, question: Question, paths: Sequence[str]
    ) -> tuple[list[tuple[str, Finding]], int, Coverage, str]:
        found: list[tuple[str, Finding]] = []
        coverage = Coverage(0, 1, [])
        foreign = ForeignResolution(self._session.workspace)
        left = list(paths)
        try:
            while left:
                batch = left[:BATCH]
                coverage = await question.server.load(batch, question.deadline)
                batch = [path for path in batch if path not in coverage.missing]
                if not batch:
                    break
                for path, findings in (await question.server.diagnostics(batch, question.deadline)).items():
                    found += [(path, one) for one in foreign.sifted(path, findings)]
                left = [path for path in left if path not in batch]
        except DeadlineError:
            reason = f"time ran out: {len(left)} of {len(paths)} files were not checked"
            return found, len(paths) - len(left), coverage._replace(missing=[]), reason
        configs = nearest_projects(paths, self._session.words.projects())
        reasons = [*self._flaws(configs), foreign.reason()]
        return found, len(paths) - len(left), coverage._replace(missing=left), "; ".join(filter(None, reasons))

    def _flaws(self, configs: Collection[str]) -> Iterator[str]:
        """Which of these tsconfigs say what is not known: a compiler goes on with its defaults."""
        packages = self._session.words.packages()
        flawed = [(config, flaw) for config in sorted(filter(None, configs)) if (flaw := packages.flaw(config))]
        if flawed:
            config, flaw = flawed[0]
            others = f" and {len(flawed) - 1} more such files" if len(flawed) > 1 else ""
            yield f"{self._session.relative(config)} {flaw}{others}: files are checked with guessed options"

    def _diagnostic(self, path: str, one: Finding) -> Diagnostic:
        relative, (line, character) = self._session.relative(path), one.span.start
        return Diagnostic(
            ids.make(relative, one.span.start), relative, line, character, one.severity, one.code, one.message
        )
