"""The random changes in short: `python -m tests.faults.churn` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.faults.churn import monorepo
from tests.faults.churn.builds import BUILDS
from tests.faults.churn.drive import Churn, Plan
from tests.faults.churn.odd import ODD
from tests.faults.churn.setup import SETUP
from tests.faults.churn.sources import SOURCES


@pytest.mark.server
@pytest.mark.slow
@pytest.mark.parametrize(("server", "steps"), [("typescript", 5), ("native", 10)])
def test_a_daemon_that_saw_the_changes_answers_as_one_that_starts(
    toolchain: Toolchain, tmp_path: Path, pytestconfig: pytest.Config, server: str, steps: int
) -> None:
    steps *= 10 if pytestconfig.getoption("long") else 1
    compile = (str(toolchain.node), str(toolchain.tsserver.with_name("tsc.js")))
    changes = [*SOURCES, *ODD, *BUILDS, *SETUP]
    plan = Plan(monorepo.lay, changes, Settings(server=server), compile, 11, monorepo.QUERIES, asked=3)
    told: list[str] = []
    found = list(Churn(plan, tmp_path.resolve(), told.append).run(range(steps)))
    assert found == [], "\n".join([*told, *map(str, found)])
    assert len(told) > steps // 2
