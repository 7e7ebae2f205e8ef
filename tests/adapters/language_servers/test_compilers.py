"""TypeScript's server is begun before anybody speaks to it: once, told of, and never left behind."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.compilers import COMPILED, NATIVE, Compilers
from cn_daemon.adapters.language_servers.provisioning import Provisioning, Toolchain
from cn_daemon.adapters.language_servers.provisioning.install import failed
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from cn_shared.process import start_of

SETTINGS = Settings(server="typescript", server_command=(sys.executable, "-c", "import sys; sys.stdin.read()"))
FOUND = Toolchain(Path("node"), "20.0.0", Path("server"), "5.0.0", Path("tsserver"), "5.9.3")


@pytest.fixture
def installing(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What finding the programs fails with, one after the other; nothing more is found out by the tests."""
    failures: list[Exception] = []

    async def toolchain(provisioning: Provisioning) -> Toolchain:
        provisioning.progress("installing")
        await asyncio.sleep(0)
        if failures:
            raise failures.pop()
        return FOUND

    monkeypatch.setattr(Provisioning, "toolchain", toolchain)
    return failures


def run(root: Path, story: Callable[[Compilers], Awaitable[None]]) -> None:
    async def told() -> None:
        one = Compilers(root, SETTINGS, dict(os.environ), root / "log")
        try:
            await story(one)
        finally:
            await one.close()

    asyncio.run(told())


def test_what_was_begun_is_given_to_one_and_the_next_start_is_another(
    tmp_path: Path, installing: list[Exception]
) -> None:
    async def story(one: Compilers) -> None:
        await one.begin()
        lines: list[str] = []
        begun = await one.compiled(lines.append)
        other = await one.compiled(lambda _: None)
        assert begun.programs is FOUND
        assert lines == ["installing"]
        assert begun.process.pid != other.process.pid
        for started in (begun, other):
            assert started.process.returncode is None
            started.kill()
            await started.process.wait()

    run(tmp_path, story)


def test_an_installation_that_was_begun_is_told_to_whoever_comes_later(
    tmp_path: Path, installing: list[Exception]
) -> None:
    async def story(one: Compilers) -> None:
        await one.begin()
        await asyncio.sleep(0)
        lines: list[str] = []
        started = await one.compiled(lines.append)
        assert lines == ["installing"]
        started.kill()
        await started.process.wait()

    run(tmp_path, story)


def test_a_beginning_that_fails_is_the_error_of_the_one_who_asks_and_the_next_tries_again(
    tmp_path: Path, installing: list[Exception]
) -> None:
    async def story(one: Compilers) -> None:
        installing.append(failed("No network."))
        await one.begin()
        with pytest.raises(LanguageServerError, match="No network"):
            await one.compiled(lambda _: None)
        started = await one.compiled(lambda _: None)
        started.kill()
        await started.process.wait()

    run(tmp_path, story)


def test_nothing_is_left_of_what_nobody_asked_for(tmp_path: Path, installing: list[Exception]) -> None:
    async def story(one: Compilers) -> None:
        await one.begin()
        assert one._ahead is not None
        left = await one._ahead
        assert os.path.isdir(left.scratch)
        await one.close()
        assert start_of(left.process.pid) is None
        assert not os.path.exists(left.scratch)

    run(tmp_path, story)


def test_the_other_server_is_not_given_what_was_begun(tmp_path: Path, installing: list[Exception]) -> None:
    async def story(one: Compilers) -> None:
        assert one.first == COMPILED
        await one.begin()
        assert one._begun(NATIVE, lambda _: None) is None
        assert one._ahead is not None

    run(tmp_path, story)
