"""How much memory the next tsserver may take after one that has run out of it."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from cn_daemon.adapters.language_servers import ceiling
from cn_daemon.adapters.language_servers.ceiling import Ceiling, free_mb
from cn_daemon.settings import Settings

KEY = "tsserver_memory_mb"


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is free, in MB: the last one that is put there."""
    told = [64_000]
    monkeypatch.setattr(ceiling, "free_mb", lambda: told[-1])
    return told


@pytest.mark.parametrize(
    ("has", "then"), [pytest.param(64_000, 6144, id="enough"), pytest.param(9_000, 4500, id="not for twice as much")]
)
def test_it_rises_once(free: list[int], has: int, then: int) -> None:
    free.append(has)
    one = Ceiling(Settings())
    assert (one.mb, one.rise(), one.mb) == (3072, True, then)
    free.append(100_000)
    assert (one.rise(), one.mb) == (False, then)


def test_it_stays_where_nothing_is_free(free: list[int]) -> None:
    free.append(4_000)
    one = Ceiling(Settings())
    assert (one.rise(), one.mb) == (False, 3072)


def test_what_the_user_has_set_stays(free: list[int]) -> None:
    one = Ceiling(Settings(tsserver_memory_mb=2048, sources={KEY: "CN_TSSERVER_MEMORY_MB"}))
    assert (one.rise(), one.mb) == (False, 2048)


def cgroup(folder: Path, limit: str, used_mb: int, droppable_mb: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{used_mb << 20}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {droppable_mb << 20}\n")


def test_the_tightest_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, groups, own = psutil.virtual_memory().available >> 20, tmp_path / "cgroup", tmp_path / "own"
    monkeypatch.setattr(ceiling, "_CGROUPS", groups)
    monkeypatch.setattr(ceiling, "_OWN_CGROUP", own)
    assert free_mb() == pytest.approx(machine, rel=0.5)
    own.write_text("1:name=systemd:/elsewhere\n0::/pod/box\n")
    cgroup(groups / "pod" / "box", "max", 7, 0)
    cgroup(groups / "pod" / "other", "0", 0, 0)
    assert free_mb() == pytest.approx(machine, rel=0.5)
    cgroup(groups / "pod", str(100 << 20), 80, 10)
    assert free_mb() == 30
    cgroup(groups / "pod" / "box", str(20 << 20), 7, 0)
    assert free_mb() == 13
