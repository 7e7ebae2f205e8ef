"""What changed since a commit, in every language, and who uses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cn_daemon.application.ports import Call, Coverage, LanguageServer
from cn_daemon.application.question import WorkspaceSession, begins_anew
from cn_daemon.application.surveys.changes import REASONS, Changes, plain
from cn_daemon.domain.patches import Patch
from cn_shared.errors import LanguageServerError
from cn_shared.surveys import ChangedAnswer
from cn_shared.wire import Completeness


class Changed:
    """The use case, over the same session as find."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._session = session

    async def changed(self, call: Call, rev: str = "HEAD", server: str = "auto") -> ChangedAnswer:
        """The declarations that differ between a commit and the working tree, and who uses them."""
        since, patches, doubts = await self._session.history.changes(rev, call.deadline)
        languages: dict[LanguageServer, dict[int, Patch]] = {}
        for number, patch in enumerate(patches):
            if self._session.is_surveyed(patch.path, server):
                languages.setdefault(self._session.server(patch.path, server), {})[number] = patch
        blobs = [patch.blob for mine in languages.values() for patch in mine.values() if patch.blob]
        old = await self._session.history.texts(blobs, call.deadline)

        async def answer() -> ChangedAnswer:
            await self._session.words.refresh()
            files = dict(enumerate(map(plain, patches)))
            parts = []
            for answering, mine in languages.items():
                changes = Changes(self._session.begun(call, answering), self._session)
                try:
                    files.update(await changes.files(mine, old))
                except LanguageServerError as error:
                    if len(languages) == 1 or begins_anew(error):
                        raise
                    changes.refused(error)
                parts.append(changes.completeness)
            return ChangedAnswer(_doubted(_worst(parts), doubts), since, list(files.values()))

        return await self._session.retry_on_restart(answer)


def _worst(parts: Sequence[Completeness]) -> Completeness:
    """Of several languages' answers: partial when one is."""
    if len(parts) == 1:
        return parts[0]
    loaded, total = sum(one.projects_loaded for one in parts), sum(one.projects_total for one in parts)
    reasons = [one.reason or "" for one in parts if one.status == "partial"]
    worst = Coverage(loaded, total, []).verdict(sum(one.files for one in parts), "; ".join(filter(None, reasons)))
    return replace(worst, status="partial" if reasons else "complete")


def _doubted(completeness: Completeness, doubts: Sequence[str]) -> Completeness:
    if not doubts:
        return completeness
    reason = "; ".join(filter(None, [completeness.reason, *doubts[:REASONS]]))
    return replace(completeness, status="partial", reason=reason)
