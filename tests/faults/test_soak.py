"""The soak in short: `python -m tests.faults.soak` is the long one."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.faults.soak.__main__ import soak
from tests.faults.soak.drive import Rates


@pytest.mark.server
@pytest.mark.slow
@pytest.mark.parametrize(("server", "calls"), [("typescript", 160), ("native", 320)])
def test_nothing_wrong_hung_or_left_behind(
    toolchain: Toolchain, pytestconfig: pytest.Config, server: str, calls: int
) -> None:
    calls *= 10 if pytestconfig.getoption("long") else 1
    # Kept when it fails: its logs tell why.
    folder = Path(tempfile.mkdtemp(prefix="cn-soak.")).resolve()
    figures = soak(folder, calls, 7, server, modules=14, rates=Rates(edit=0.1, kill=0.02, client_killed=0.03))
    assert figures["faults"] == [], f"{figures}\nThe workspace and the logs are in {folder}."
    assert sum(figures["kills"].values()) > 0
    shutil.rmtree(folder)
