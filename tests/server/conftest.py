"""One language server for all tests of a module; each test writes below a folder of its own. It is asked about names as
well: what these decide without a server is told in `tests/cases` and `tests/bindings`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import Desk


@pytest.fixture(scope="module")
def desk(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A workspace that the tests of a module share. It must leave no process behind."""
    desk = Desk(tmp_path_factory.mktemp("desk").resolve() / "work", Settings(bindings="off"))
    yield desk
    assert desk.close() == []


@pytest.fixture
def own_desk(toolchain: Toolchain, tmp_path: Path) -> Iterator[Desk]:
    """A workspace, and a language server, of one test."""
    desk = Desk(tmp_path.resolve() / "work", Settings(bindings="off"))
    yield desk
    assert desk.close() == []


@pytest.fixture(params=["typescript", "native"])
def server(request: pytest.FixtureRequest) -> str:
    """The two servers of TypeScript, each in its turn."""
    return str(request.param)
