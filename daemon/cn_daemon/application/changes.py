"""Which declarations a patch touches, and who uses them."""

from __future__ import annotations

from collections.abc import Sequence

from cn_daemon.application.declared import symbol_of
from cn_daemon.application.mentions import Mentions, qualified
from cn_daemon.application.question import Desk, Question
from cn_daemon.domain import ids
from cn_daemon.domain.outline import Declaration, flatten
from cn_daemon.domain.patches import Patch, touched
from cn_daemon.domain.text import Document
from cn_shared.surveys import ChangedFile, ChangedSymbol
from cn_shared.wire import Completeness, LocationRef

# How many users of a declaration are told.
USERS = 5
# Changed declarations whose uses are looked up.
CHANGES = 300


class Changes:
    """The changed declarations of one question, while their uses are looked up."""

    def __init__(self, question: Question, desk: Desk) -> None:
        self._question = question
        self._desk = desk
        self._looked_up = 0
        self._reasons: list[str] = []
        self._projects = (0, 0)
        self._files = 0

    @property
    def completeness(self) -> Completeness:
        reason = next((reason for reason in self._reasons if reason), "")
        return Completeness("partial" if self._reasons else "complete", *self._projects, self._files, reason or None)

    async def file(self, patch: Patch, old_text: str) -> ChangedFile:
        self._files += 1
        path = str(self._desk.workspace.root / patch.path)
        before = await self._outline(
            Document(str(self._desk.workspace.root / (patch.old_path or patch.path)), old_text)
        )
        document = None if patch.status == "deleted" else self._question.documents.try_get(path)
        after = await self._outline(document) if document else []
        known = {qualified(one) for one in flatten(before)}
        rows = [
            ("changed" if qualified(one) in known else "added", one)
            for one in touched(after, patch.after)
            if qualified(one) in known or one.parent is None or qualified(one.parent) in known
        ]
        symbols = [await self._symbol(change, one) for change, one in rows]
        now = {qualified(one) for one in flatten(after)}
        gone = [one for one in flatten(before) if not one.local and qualified(one) not in now]
        symbols += [self._removed(patch, one) for one in gone if one.parent is None or qualified(one.parent) in now]
        return plain(patch, symbols)

    async def _outline(self, document: Document) -> list[Declaration]:
        if not document.text:
            return []
        return (await self._question.server.outlines([document], self._question.deadline))[document.path]

    async def _symbol(self, change: str, declared: Declaration) -> ChangedSymbol:
        question = self._question
        place = question.locations.declaration(declared)
        self._looked_up += 1
        if self._looked_up > CHANGES:
            self._reasons.append(f"the uses of more than {CHANGES} declarations were not looked up")
            return ChangedSymbol("changed" if change == "changed" else "added", place, 0)
        outline = await self._outline(question.documents.get(declared.path))
        symbol = symbol_of(declared, outline)
        uses = await question.references.uses(symbol, None)
        if uses.completeness.status == "partial":
            self._reasons.append(uses.completeness.reason or "")
        self._projects = max(self._projects, (uses.completeness.projects_loaded, uses.completeness.projects_total))
        mentions = Mentions(question)
        told = await mentions.of(mentions.ordered(uses.hits))
        users: dict[str, LocationRef] = {}
        for one in told:
            if one.role in ("call", "use") and one.within is not None and one.within is not declared:
                ref = question.locations.declaration(one.within)
                users.setdefault(ref.id, ref)
        return ChangedSymbol(
            "changed" if change == "changed" else "added", place, len(told), list(users.values())[:USERS]
        )

    def _removed(self, patch: Patch, declared: Declaration) -> ChangedSymbol:
        path = patch.old_path or patch.path
        place = LocationRef(
            ids.make(path, declared.position), path, *declared.position, declared.kind, "", declared.name,
            declared.container,
        )  # fmt: skip
        return ChangedSymbol("removed", place, len(self._desk.words.files_with(declared.name.lstrip("#"))))


def plain(patch: Patch, symbols: Sequence[ChangedSymbol] = ()) -> ChangedFile:
    return ChangedFile(patch.path, patch.status, patch.added, patch.removed, list(symbols), patch.old_path)
