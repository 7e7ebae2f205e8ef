"""A workspace for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(tmp_path.resolve())
    yield bench
    bench.close()


@pytest.fixture
def library(bench: Workbench) -> Workbench:
    """A workspace with one command, `deploy`, whose daemon needs no language server."""
    bench.without_language_server()
    return bench
