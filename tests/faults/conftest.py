"""A workspace for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workbench]:
    bench = Workbench(tmp_path.resolve(), servers=request.node.get_closest_marker("server") is not None)
    yield bench
    bench.close()


@pytest.fixture(scope="module")
def warm_bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """For the tests of a module that leave the daemon as it is."""
    bench = Workbench(tmp_path_factory.mktemp("warm").resolve())
    yield bench
    bench.close()


@pytest.fixture
def library(bench: Workbench) -> Workbench:
    """A workspace with one command, `deploy`."""
    bench.add_command()
    return bench
