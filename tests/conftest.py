"""What every test stands on: user folders of its own, and one copy of the real toolchain for all."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cn_daemon.adapters.language_servers.provisioning import Toolchain, provision
from cn_daemon.settings import Settings

# How long an example takes tells of the machine: one that was held up for a moment failed the test.
settings.register_profile("anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("anywhere")

# A shell that runs the tests in the background has SIGINT ignored, in every process below it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def user_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Home, cache, state, configuration and runtime folders that are nobody's, and no CN_* of the developer: a test
    must not meet the commands in their ~/.claude, nor their Climpt."""
    home = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("CN_", "AICMD_"))]:
            patch.delenv(name)
        # What npm downloaded once is the same for everybody.
        patch.setenv("NPM_CONFIG_CACHE", os.environ.get("NPM_CONFIG_CACHE") or os.path.expanduser("~/.npm"))
        patch.setenv("HOME", str(home))
        for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
            folder = home / variable.split("_")[1].lower()
            folder.mkdir(mode=0o700)
            patch.setenv(variable, str(folder))
        yield home


@pytest.fixture(scope="session")
def toolchain(user_folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    """The pinned language server and TypeScript, installed for real into the test run's cache."""
    empty = tmp_path_factory.mktemp("empty")
    return asyncio.run(provision(empty.resolve(), Settings(typescript_source="bundled"), print))


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
    subprocess.run([*npm, "install", *options, package], cwd=folder, check=True, capture_output=True)
