"""Which tests a run keeps, in which process each runs, and what becomes of those whose server cannot be installed.

`conftest.py` makes pytest call the functions here by their names.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

TESTS = Path(__file__).resolve().parent
FIFTHS = 5
# Where every test starts a daemon.
DAEMONS = ("faults", "mcp", "transcripts", "truth")
# The fixtures of tests elsewhere that start one.
BENCHES = {"bench", "benches", "warm_bench"}
# Where every test needs a server or a daemon.
SERVERS = (*DAEMONS, "server")
# A module none of whose tests is quick.
_MARKED = re.compile(r"^pytestmark = .*\bpytest\.mark\.(?:server|daemon|slow)\b", re.MULTILINE)
_CASES = re.compile(r"tests/cases/test_cases\.py::test_case\[[^/]+/")
_JAVASCRIPT = "tests/bindings/test_javascript.py::"
RUN_FOLDER = pytest.StashKey[Path]()
NOT_INSTALLED = "no-server-could-be-installed"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cn")
    group.addoption(
        "--fifth",
        metavar="N",
        help="of the tests marked slow, run a fifth: 0 to 4, or the hash of a commit, which chooses one",
    )
    group.addoption("--quick", action="store_true", help="run what needs neither a language server nor a daemon")
    group.addoption("--long", action="store_true", help="run the tests marked slow at full length")


def fifth(config: pytest.Config) -> int | None:
    """The chosen one, None for all. A folder without a commit has the first."""
    told = config.getoption("fifth")
    return None if told is None else int(told or "0", 16) % FIFTHS


def pytest_report_header(config: pytest.Config) -> str | None:
    chosen = fifth(config)
    if chosen is None:
        return None
    return f"of the tests marked slow, those of fifth {chosen}: to repeat it, sh scripts/test --fifth {chosen}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Importing them takes as long as many tests."""
    if not config.getoption("quick"):
        return None
    if collection_path.suffix == ".py":
        return _MARKED.search(collection_path.read_text("utf-8")) is not None or None
    return (collection_path.parent == TESTS and collection_path.name in SERVERS) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in DAEMONS or BENCHES.intersection(_fixtures(item)):
            item.add_marker("daemon")
        if item.get_closest_marker("server"):
            # Before every other fixture, also where only a daemon that the test starts asks for the server.
            _fixtures(item).insert(0, "toolchain")
    # What takes longest begins first: a file that is begun last keeps one process busy while the others are done.
    slow = {item.path for item in items if item.get_closest_marker("server")}
    items.sort(key=lambda item: item.path not in slow)
    left_out = {item for item in items if _left_out(item, config)}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]


def _fixtures(item: pytest.Item) -> list[str]:
    names: list[str] = item.fixturenames  # type: ignore[attr-defined]
    return names


def _left_out(item: pytest.Item, config: pytest.Config) -> bool:
    if config.getoption("quick"):
        return any(item.get_closest_marker(name) for name in ("server", "daemon", "slow"))
    chosen = fifth(config)
    return chosen is not None and item.get_closest_marker("slow") is not None and _fifth_of(item) != chosen


def _fifth_of(item: pytest.Item) -> int:
    return zlib.crc32(item.nodeid.encode()) % FIFTHS


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test of a real server does not try again what could not be installed for another."""
    run: Path | None = item.config.stash.get(RUN_FOLDER, None)
    if run and item.get_closest_marker("server") and (run / NOT_INSTALLED).exists():
        pytest.skip("no language server could be installed: the one failure tells why")


class Scheduling(LoadFileScheduling):
    """The tests of a file run in one process: they share a warm server, a daemon, a workspace. So do the cases that lie
    in one workspace; the tests in JavaScript share nothing."""

    def _split_scope(self, nodeid: str) -> str:
        cases = _CASES.match(nodeid)
        if cases or nodeid.startswith(_JAVASCRIPT):
            return cases[0] if cases else nodeid
        return super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    config.option.loadscopereorder = False  # files with many tests first
    return Scheduling(config, log)
