"""Which use case answers which question about code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from cn_daemon.adapters.git_history import GitHistory
from cn_daemon.adapters.texts.text_search import ProcessTextSearch
from cn_daemon.application import caveats
from cn_daemon.application.ports import Handler
from cn_daemon.application.query_kinds import SUBJECTS, QueryKinds
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.surveys.by_pattern import ByPattern
from cn_daemon.bootstrap.code import Code
from cn_daemon.bootstrap.late import Late
from cn_shared.relation_verbs import RELATION_VERBS


class Questions:
    """parts: the use cases' handlers by verb, each imported by the first question that needs it."""

    def __init__(
        self, code: Code, root: Path, passed_on: Callable[[], Mapping[str, str]], sandboxed: Callable[[], bool]
    ) -> None:
        """passed_on: where git and ripgrep are looked for. sandboxed: the setting."""
        self._session = WorkspaceSession(code.workspace, code.words, code.servers, GitHistory(root, passed_on))
        self._texts = ProcessTextSearch(root, passed_on, sandboxed)
        self._query_kinds = QueryKinds(code.workspace, ByPattern(self._session, self._texts), self._plain)
        navigation = Late("cn_daemon.application.navigation", self._navigation)
        portrait = Late("cn_daemon.application.portrait", self._portrait)
        relations = Late("cn_daemon.application.relations.relations", self._relations)
        self.parts: Mapping[str, Late[dict[str, Handler]]] = {
            "map": navigation,
            "find": navigation,
            "inspect": portrait,
            **{row.name: relations for row in RELATION_VERBS},
            "overview": Late("cn_daemon.application.surveys.overview", self._overview),
            "changed": Late("cn_daemon.application.surveys.changed", self._changed),
            "grep": Late("cn_daemon.application.surveys.grep", self._grep),
            "diagnostics": Late("cn_daemon.application.surveys.diagnostics", self._diagnostics),
        }

    async def handler(self, verb: str) -> Handler:
        root = str(self._session.workspace.root)
        handler = caveats.refused_when_gone(await self._plain(verb), root)
        if verb in caveats.VERBS:
            handler = caveats.with_broken_configs(handler, self._session.words, root)
        if verb == "map":
            return self._query_kinds.of_file(handler)
        if verb == "overview":
            return self._query_kinds.of_folder(handler)
        return self._query_kinds.forgiving(verb, handler) if verb in SUBJECTS else handler

    async def _plain(self, verb: str) -> Handler:
        return (await self.parts[verb].get())[verb]

    def _navigation(self) -> dict[str, Handler]:
        from cn_daemon.application.navigation import Navigation

        navigation = Navigation(self._session)
        return {"map": navigation.map, "find": navigation.find}

    def _portrait(self) -> dict[str, Handler]:
        from cn_daemon.application.portrait import Portrait

        return {"inspect": Portrait(self._session).inspect}

    def _relations(self) -> dict[str, Handler]:
        from cn_daemon.application.relations.relations import Relations

        return {row.name: getattr(Relations(self._session), row.name) for row in RELATION_VERBS}

    def _overview(self) -> dict[str, Handler]:
        from cn_daemon.application.surveys.overview import Overview

        return {"overview": Overview(self._session).overview}

    def _changed(self) -> dict[str, Handler]:
        from cn_daemon.application.surveys.changed import Changed

        return {"changed": Changed(self._session).changed}

    def _grep(self) -> dict[str, Handler]:
        from cn_daemon.application.surveys.grep import Grep

        return {"grep": Grep(self._session, self._texts).grep}

    def _diagnostics(self) -> dict[str, Handler]:
        from cn_daemon.application.surveys.diagnostics import Diagnostics

        return {"diagnostics": Diagnostics(self._session).diagnostics}
