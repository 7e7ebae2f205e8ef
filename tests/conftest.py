"""What every test stands on: user folders of its own, and one copy of the real toolchain for all.

Tests run in several processes at once (pytest-xdist), each a session of its own: what a process shares with the others
is in `run_folder`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from cn_daemon.adapters.language_servers.provisioning import Toolchain, provision, provision_native
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.selection import (
    NOT_INSTALLED,
    RUN_FOLDER,
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
    pytest_report_header,
    pytest_runtest_setup,
    pytest_xdist_make_scheduler,
)

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_ignore_collect",
    "pytest_report_header",
    "pytest_runtest_setup",
    "pytest_xdist_make_scheduler",
]

# How long an example takes tells of the machine: one that was held up for a moment failed the test.
settings.register_profile("anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25)
settings.register_profile("long", settings.get_profile("anywhere"), max_examples=300)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("long" if config.getoption("long") else "anywhere")


def interrupted(_number: int, _frame: object) -> None:
    # A terminal and scripts/test both tell it: the second time would cut short what pytest says at the end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


# A shell that runs the tests in the background has SIGINT ignored, in every process below it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, interrupted)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """Of the whole run. That of a process of pytest-xdist lies in it."""
    own = tmp_path_factory.getbasetemp()
    run = own.parent if hasattr(pytestconfig, "workerinput") else own
    pytestconfig.stash[RUN_FOLDER] = run
    return run


@pytest.fixture(scope="session", autouse=True)
def user_folders(tmp_path_factory: pytest.TempPathFactory, run_folder: Path) -> Iterator[Path]:
    """Home, state, configuration and runtime folders that are nobody's, and no CN_* of the developer: a test must not
    meet the commands in their ~/.claude, nor their Climpt. The cache is that of the run: it is made for several
    daemons, and language servers are installed in it once."""
    home = tmp_path_factory.mktemp("user")
    cache = run_folder / "cache"
    cache.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("CN_", "AICMD_"))]:
            patch.delenv(name)
        # What npm downloaded once is the same for everybody.
        patch.setenv("NPM_CONFIG_CACHE", os.environ.get("NPM_CONFIG_CACHE") or os.path.expanduser("~/.npm"))
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CACHE_HOME", str(cache))
        for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
            folder = home / variable.split("_")[1].lower()
            folder.mkdir(mode=0o700)
            patch.setenv(variable, str(folder))
        yield home


@pytest.fixture(scope="session")
def toolchain(user_folders: Path, run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    """The pinned language servers of TypeScript, installed for real into the run's cache."""
    empty = tmp_path_factory.mktemp("empty").resolve()

    async def install() -> Toolchain | LanguageServerError:
        try:
            toolchain = await provision(empty, Settings(typescript_source="bundled"), print)
            await provision_native(empty, Settings(), print, environ=os.environ)
        except LanguageServerError as error:
            return error
        return toolchain

    installed = asyncio.run(install())
    if isinstance(installed, LanguageServerError):
        not_installed(run_folder, installed)
    return installed


def not_installed(run_folder: Path, error: LanguageServerError) -> NoReturn:
    """Fail the test that needs the server, once in a run: the others say in one line that they were not run."""
    file = run_folder / NOT_INSTALLED
    first = not file.exists()
    file.touch()
    words = f"No language server could be installed. {error.message} {error.hint}".strip()
    if first:
        pytest.fail(words, pytrace=False)
    pytest.skip(words)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A copy of the example workspace, to change at will. It is its own root."""
    folder = tmp_path.resolve() / "shop"
    shutil.copytree(ROOT / "examples" / "shop", folder)
    (folder / ".cn.json").write_text("{}\n")
    return folder


def npm_install(toolchain: Toolchain, folder: Path, package: str) -> None:
    """Install a package into the folder's node_modules with the npm that goes with the toolchain's Node.js."""
    beside = toolchain.node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    npm = [str(toolchain.node), str(beside)] if beside.is_file() else [shutil.which("npm") or "npm"]
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", "--prefer-offline"]
    done = subprocess.run(
        [*npm, "install", *options, package],
        cwd=folder,
        env={"NODE_USE_SYSTEM_CA": "1", **os.environ},  # as where the toolchain is installed
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def deny_writing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """As on a disk that is mounted read-only, where root cannot write either."""
    access = os.access

    def denied(path: str | os.PathLike[str], mode: int, **more: Any) -> bool:
        inside = os.path.realpath(path) == str(folder) or os.path.realpath(path).startswith(f"{folder}{os.sep}")
        return not (inside and mode & os.W_OK) and access(path, mode, **more)

    monkeypatch.setattr(os, "access", denied)
