"""A tsconfig that is no valid JSON is named by the answers about its files, and by no others; over fakes."""

from __future__ import annotations

import asyncio

from cn_daemon.application.caveats import with_broken_configs
from cn_daemon.application.ports import NO_JSON, Call, Packages
from cn_shared.wire import FindAnswer, MapAnswer
from tests.application.test_navigation import Bench
from tests.fakes.navigation import ROOT


class FakeIndex:
    """flaws: by tsconfig, below the root."""

    def __init__(self, flaws: dict[str, str]) -> None:
        self._flaws = {str(ROOT / config): flaw for config, flaw in flaws.items()}

    def projects(self) -> list[str]:
        return sorted(self._flaws)

    def packages(self) -> Packages:
        return Packages({}, flaws=self._flaws)


def note(flaws: dict[str, str], query: str = "User") -> str | None:
    bench = Bench()

    async def asked() -> FindAnswer:
        call = Call(None, asyncio.get_running_loop().time() + 10)
        handler = with_broken_configs(bench.navigation.find, FakeIndex(flaws), str(ROOT))
        answer = await handler(call, query=query)
        assert isinstance(answer, FindAnswer)
        return answer

    return asyncio.run(asked()).completeness.note


def test_answers_about_its_files_were_complete_without_a_word() -> None:
    assert note({"tsconfig.json": NO_JSON}) == (
        "tsconfig.json is not valid JSON: its options are guessed, see cn doctor"
    )
    both = note({"src/tsconfig.json": NO_JSON, "test/tsconfig.json": NO_JSON})
    assert both == "src/tsconfig.json and 1 more are not valid JSON: their options are guessed, see cn doctor"


def test_no_other_answer_says_it() -> None:
    assert note({}) is None
    assert note({"tsconfig.json": "extends ./a.json, which is not there"}) is None
    assert note({"tsconfig.json": "", "elsewhere/tsconfig.json": NO_JSON}) is None
    assert note({"tsconfig.json": NO_JSON}, "Nothing") is None


def test_an_outline_depends_on_no_options() -> None:
    bench = Bench()

    async def asked() -> object:
        call = Call(None, asyncio.get_running_loop().time() + 10)
        handler = with_broken_configs(bench.navigation.map, FakeIndex({"tsconfig.json": NO_JSON}), str(ROOT))
        return await handler(call, file_path="src/user.ts")

    assert isinstance(asyncio.run(asked()), MapAnswer)
