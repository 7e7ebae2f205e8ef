"""Which files a server is led elsewhere from: no more than a question needs, since each of them stays open."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

from cn_daemon.adapters.language_servers.redirects import Redirects
from cn_daemon.application.ports import Hit, Packages, Site
from cn_daemon.domain.scopes import Scope
from cn_daemon.domain.source.text import Position, Span
from tests.fakes.navigation import FakeLanguageServer, FakeWords, FakeWorkspace, path_of

# A tsconfig knows all packages by an alias, and holds the files of all but `apart`.
PACKAGES = Packages(
    {"@x/a": path_of("a"), "@x/b": path_of("b"), "apart": path_of("apart")},
    frozenset(),
    aliases=frozenset({"@x/*"}),
    ways={"@x/*": (path_of("*/src"),)},
    scopes={path_of("tsconfig.json"): Scope([path_of("a"), path_of("b"), path_of("c")], aliases=frozenset({"@x/*"}))},
)
TEXTS = {
    "a/src/index.ts": 'import { b } from "@x/b";\nexport const a = b;\n',
    "b/src/index.ts": "export const b = 1;\n",
    "c/one.ts": 'import { a } from "@x/a";\nimport "./two";\na;\n',
    "c/two.ts": 'import { b } from "@x/b";\nb;\n',
    "apart/use.ts": 'import { a } from "@x/a";\na;\n',
}


class Words(FakeWords):
    def packages(self) -> Packages:
        return PACKAGES


class Server(FakeLanguageServer):
    def project(self, path: str) -> str:
        return "" if "/apart/" in path else path_of("tsconfig.json")

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        start = Position(1, 1)
        return [[] if "/apart/" in one.path else [Hit(path_of("a/src/index.ts"), Span(start, start))] for one in sites]


def led(*questions: list[str]) -> dict[str, list[str]]:
    """By file the specifiers that are led elsewhere once these files were loaded, together or one after the other."""
    workspace = FakeWorkspace(TEXTS)
    redirects, server = Redirects(workspace, Words(workspace)), Server(workspace)
    for question in questions:
        redirects.refresh()
        asyncio.run(redirects.are_new(server, [path_of(path) for path in question], math.inf))
    return {path.removeprefix(path_of("")): list(told) for path, told in redirects.given.items()}


def test_files_of_a_tsconfig_that_knows_the_alias_are_left_alone() -> None:
    assert led(["c/one.ts", "c/two.ts", "a/src/index.ts"]) == {}


def test_what_another_program_is_led_to_is_led_on() -> None:
    """Its own tsconfig's alias is none there, whatever was asked before."""
    both = {"apart/use.ts": ["@x/a"], "a/src/index.ts": ["@x/b"]}
    assert led(["apart/use.ts"]) == led(["apart/use.ts", "c/one.ts"]) == both
    assert led(["c/one.ts"], ["a/src/index.ts"], ["apart/use.ts"]) == both
    assert led(["apart/use.ts"], ["a/src/index.ts", "c/one.ts"]) == both
