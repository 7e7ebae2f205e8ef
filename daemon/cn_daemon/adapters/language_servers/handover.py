"""What answers by itself in a workspace of TypeScript 7: the native server, unless a tsconfig makes it lose references.

TypeScript 7 no longer reads some options of older tsconfigs, and misses what depends on them. The server of
TypeScript ≤ 6 reads them; a workspace that has one is its, until the tsconfig is changed.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Collection, Sequence
from contextvars import ContextVar
from typing import Protocol

from cn_daemon.application.ports import Coverage, Description, Finding, Hit, LanguageServer, Site
from cn_daemon.domain.declarations.blocks import Fold
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

log = logging.getLogger(__name__)


class Native(LanguageServer, Protocol):
    """What `NativeServer` tells beside its answers."""

    async def loss(self, deadline: float) -> str: ...


class Handover:
    """The port `LanguageServer` over two others. `compiled`: the server of TypeScript ≤ 6."""

    def __init__(self, native: Native, compiled: LanguageServer) -> None:
        self.name = "typescript"
        self.endings = native.endings
        self._native = native
        self._compiled = compiled
        self._loss = ""
        self._failure = ""
        # Which one the question of this task has loaded its projects with: a tsconfig may change meanwhile.
        self._asked: ContextVar[LanguageServer | None] = ContextVar("asked", default=None)

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        self._loss = await self._native.loss(deadline)
        if self._loss:
            try:
                coverage = await self._compiled.load(paths, deadline, own=own)
                self._failure = ""
                self._asked.set(self._compiled)
                return coverage
            except LanguageServerError as error:
                if error.code != "provisioning_failed":
                    raise
                # The native server needs no Node.js: its answer, which says that it is partial, is better than none.
                log.warning("%s: %s", self._compiled.name, error.message)
                self._failure = error.message
        self._asked.set(self._native)
        return await self._native.load(paths, deadline, own=own)

    def project(self, path: str) -> str:
        return self._answering().project(path)

    def together(self, one: str, other: str) -> bool:
        return self._answering().together(one, other)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        return await self._answering().references(sites, deadline)

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        return await self._answering().definitions(sites, deadline)

    async def supposed(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        return await self._answering().supposed(document, place, deadline)

    async def describe(self, site: Site, deadline: float) -> Description | None:
        return await self._answering().describe(site, deadline)

    # By form alone both answer alike, so the one that runs anyway is asked.

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        return await self._answering().outlines(documents, deadline, name)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        return await self._answering().folds(document, deadline)

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        return await self._answering().nesting(document, place, deadline)

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        return await self._answering().diagnostics(paths, deadline)

    def status(self) -> LanguageServerStatus:
        """Of the one that answers, with the reason when that is not the native one."""
        if not self._loss:
            return self._native.status()
        status = (self._native if self._failure else self._compiled).status()
        verb = "is wanted" if self._failure else "answers"
        told = filter(None, (f"the server of TypeScript ≤ 6 {verb}: {self._loss}", self._failure, status.detail))
        return dataclasses.replace(status, detail="; ".join(told))

    async def warm(self) -> None:
        await self._native.warm()

    async def close(self) -> None:
        """Both are rows of the table, which closes them."""

    def _answering(self) -> LanguageServer:
        handed = self._compiled if self._loss and not self._failure else self._native
        return self._asked.get() or handed
