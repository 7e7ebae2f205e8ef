"""The projects that files are at home in: those of the innermost folder above that list them. Of others, which may list
them as well, editors take none to say what a file means, and whether one is loaded is by chance."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cn_daemon.application.modules.reach import ANYWHERE, Places, Reach, places_of
from cn_daemon.application.ports import LanguageServer, Words
from cn_daemon.domain.scopes import Scope
from cn_daemon.domain.source.reading import SCRIPTS


class Homes:
    """For one question."""

    def __init__(self, words: Words, server: LanguageServer, reach: Reach) -> None:
        self._words = words
        self._server = server
        self._reach = reach
        self._scopes: dict[str, list[Scope]] = {}
        for config, scope in words.packages().scopes.items():
            self._scopes.setdefault(os.path.dirname(config), []).append(scope)
        self._folders: dict[str, set[str]] = {}
        # By folder, and by file that is at home in none: what is in its projects; and those where that may be more.
        self._held: dict[str, Places] = {}
        self._open: set[str] = set()

    def together(self, one: str, other: str) -> bool:
        """Whether a project that one of these files is at home in may hold both."""
        here, there = self._of(one), self._of(other)
        if not here.isdisjoint(there) or not (here or there):
            # What is in no tsconfig is one project.
            return True
        # Many are asked about with the same other one: what its projects hold is looked at first.
        ways = [(home, one) for home in there or {other}] + [(home, other) for home in here or {one}]
        ways = [(home, path) for home, path in ways if self._takes(home, path)]
        if any(self._in(home).may_hold(path) for home, path in ways):
            return True
        return any(home in self._open for home, _ in ways) and self._server.together(one, other)

    def _of(self, path: str) -> set[str]:
        """The folders of its projects, by each of its names."""
        if path not in self._folders:
            self._folders[path] = set(filter(None, map(self._folder, self._words.names(path))))
        return self._folders[path]

    def _folder(self, path: str) -> str:
        folder = path
        while (above := os.path.dirname(folder)) != folder:
            folder = above
            if self._lists(folder, path):
                return folder
        return ""

    def _lists(self, folder: str, path: str) -> bool:
        return any(scope.holds(path) for scope in self._scopes.get(folder, ()))

    def _takes(self, home: str, path: str) -> bool:
        """Whether files of its kind may be in its projects: what else an import may lead to is more than it does."""
        return home not in self._scopes or not path.endswith(SCRIPTS) or any(one.scripts for one in self._scopes[home])

    def _in(self, home: str) -> Places:
        if home not in self._held:
            found = set(self._reach.of_all(self._listed(home)))
            self._held[home] = places_of(found)
            if ANYWHERE in found:
                self._open.add(home)
        return self._held[home]

    def _listed(self, home: str) -> Iterator[str]:
        if home not in self._scopes:
            yield home
        for path in self._words.files() if home in self._scopes else ():
            if path.startswith(f"{home}/") and self._lists(home, path):
                yield path
