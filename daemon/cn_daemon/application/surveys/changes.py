"""Which declarations a patch touches, and who uses them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cn_daemon.application.declared import symbol_of
from cn_daemon.application.question import Question, WorkspaceSession
from cn_daemon.application.relations.mentions import Mentions, qualified
from cn_daemon.domain import ids
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.patches import Patch, touched
from cn_daemon.domain.source.text import Document
from cn_shared.errors import DeadlineError, LanguageServerError
from cn_shared.surveys import ChangedFile, ChangedSymbol
from cn_shared.wire import Completeness, LocationRef

# How many users of a declaration are listed.
USERS = 5
# Changed declarations whose uses are looked up.
CHANGES = 300
# How many of the reasons why an answer is partial are given.
REASONS = 3
LATE = "time ran out before the uses of all were looked up"


class Touched(NamedTuple):
    """What a patch does to the symbols of a file, each named by its first declaration. outline: the file's now."""

    patch: Patch
    outline: list[Declaration]
    rows: list[tuple[Literal["added", "changed"], Declaration]]
    removed: list[Declaration]


class Changes:
    """The changed declarations of one question, while their uses are looked up.

    When time runs out, what is not known yet is left out, and said to be.
    """

    def __init__(self, question: Question, session: WorkspaceSession) -> None:
        self._question = question
        self._session = session
        self._left = CHANGES
        self._unread: list[str] = []
        self._reasons: list[str] = []
        self._projects = (0, 0)
        self._files = 0

    @property
    def completeness(self) -> Completeness:
        reasons = [reason for reason in dict.fromkeys(self._reasons) if reason][:REASONS]
        if self._unread:
            others = f" and {len(self._unread) - 1} more files" if len(self._unread) > 1 else ""
            reasons.insert(0, f"what changed in {self._unread[0]}{others} is not known")
        partial = self._unread or self._reasons
        return Completeness(
            "partial" if partial else "complete",
            *self._projects,
            self._files,
            "; ".join(reasons) or None,
        )

    async def files(self, patches: Mapping[int, Patch], old: Mapping[str, str]) -> dict[int, ChangedFile]:
        """Each by its number. old: texts by their id. Raises LanguageServerError."""
        self._files = len(patches)
        # What changed in all of them comes before who uses the first of it: that takes the time.
        found = {number: await self._touched(patch, old) for number, patch in patches.items()}
        return {number: await self._file(one) for number, one in found.items()}

    def refused(self, error: LanguageServerError) -> None:
        """The language's server cannot be asked."""
        self._reasons.append(error.message)

    async def _touched(self, patch: Patch, old: Mapping[str, str]) -> Touched:
        root = self._session.workspace.root
        document = None if patch.status == "deleted" else self._question.documents.try_get(str(root / patch.path))
        readable = (document or patch.status == "deleted") and (not patch.blob or patch.blob in old)
        if patch.opaque or not readable:
            self._unread.append(patch.path)
            return Touched(patch, [], [], [])
        try:
            before = await self._outline(Document(str(root / (patch.old_path or patch.path)), old.get(patch.blob, "")))
            after = await self._outline(document) if document else []
        except DeadlineError:
            self._reasons.append(LATE)
            self._unread.append(patch.path)
            return Touched(patch, [], [], [])
        known, now = {qualified(one) for one in flatten(before)}, {qualified(one) for one in flatten(after)}
        rows: list[tuple[Literal["added", "changed"], Declaration]] = [
            ("changed" if qualified(one) in known else "added", one)
            for one in _first(touched(after, patch.after))
            if qualified(one) in known or one.parent is None or qualified(one.parent) in known
        ]
        gone = [one for one in _first(flatten(before)) if not one.local and qualified(one) not in now]
        return Touched(patch, after, rows, [one for one in gone if one.parent is None or qualified(one.parent) in now])

    async def _file(self, found: Touched) -> ChangedFile:
        symbols = [await self._symbol(change, one, found.outline) for change, one in found.rows]
        return plain(found.patch, [*symbols, *(self._removed(found.patch, one) for one in found.removed)])

    async def _outline(self, document: Document) -> list[Declaration]:
        if not document.text:
            return []
        return (await self._question.server.outlines([document], self._question.deadline))[document.path]

    async def _symbol(
        self, change: Literal["added", "changed"], declared: Declaration, outline: list[Declaration]
    ) -> ChangedSymbol:
        place = self._question.locations.declaration(declared)
        try:
            if self._left and time.monotonic() < self._question.deadline:
                self._left -= 1
                symbol = symbol_of(declared, outline)
                return await self._used(ChangedSymbol(change, place, None), symbol)
        except DeadlineError:
            pass
        self._reasons.append(LATE if self._left else f"the uses of more than {CHANGES} declarations were not looked up")
        return ChangedSymbol(change, place, None)

    async def _used(self, changed: ChangedSymbol, symbol: Symbol) -> ChangedSymbol:
        """Raises DeadlineError."""
        question = self._question
        uses = await question.references.uses(symbol, None)
        if uses.completeness.status == "partial":
            if time.monotonic() > question.deadline:
                raise DeadlineError("timed_out", LATE)
            self._reasons.append(uses.completeness.reason or "")
        self._projects = max(self._projects, (uses.completeness.projects_loaded, uses.completeness.projects_total))
        mentions = Mentions(question)
        mentioned = await mentions.of(mentions.ordered(uses.hits))
        users: dict[str, LocationRef] = {}
        for one in mentioned:
            if one.role in ("call", "use") and one.within is not None and one.within is not symbol.main:
                ref = question.locations.declaration(one.within)
                users.setdefault(ref.id, ref)
        return replace(changed, total=len(mentioned), users=list(users.values())[:USERS])

    def _removed(self, patch: Patch, declared: Declaration) -> ChangedSymbol:
        path = patch.old_path or patch.path
        place = LocationRef(
            ids.make(path, declared.position), path, *declared.position, declared.kind, "", declared.name,
            declared.container,
        )  # fmt: skip
        return ChangedSymbol("removed", place, len(self._session.words.files_with(declared.name.lstrip("#"))))


def _first(declarations: Iterable[Declaration]) -> Iterator[Declaration]:
    """Of overloads and of accessors only the first."""
    seen = set()
    for one in declarations:
        key = (qualified(one), one.static, one.local)
        if key not in seen:
            seen.add(key)
            yield one


def plain(patch: Patch, symbols: Sequence[ChangedSymbol] = ()) -> ChangedFile:
    return ChangedFile(patch.path, patch.status, patch.added, patch.removed, list(symbols), patch.old_path)
