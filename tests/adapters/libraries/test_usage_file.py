"""What was used is kept in one file of the user's own, and only where the user wants that."""

from __future__ import annotations

import asyncio
import stat
from datetime import date
from pathlib import Path

import pytest

from cn_daemon.adapters.usage_file import UsageFile
from cn_daemon.domain.libraries.ranking.use import Use, raised

TODAY = date(2026, 3, 1)


def usage(file: Path, wanted: bool = True) -> UsageFile:
    return UsageFile(lambda: file, lambda: wanted, lambda: TODAY)


def noted(one: UsageFile, *ids: str) -> dict[str, Use]:
    async def scene() -> dict[str, Use]:
        await asyncio.gather(*map(one.note, ids))
        return dict(await one.uses())

    return asyncio.run(scene())


def test_what_was_invoked_is_known_to_the_next_daemon(tmp_path: Path) -> None:
    file = tmp_path / "usage.json"
    first = usage(file)
    before = first.generation
    noted(first, "md:deploy", "apps list", "md:deploy")
    assert first.generation != before
    assert noted(usage(file)) == {"md:deploy": Use(2, "2026-03-01"), "apps list": Use(1, "2026-03-01")}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["usage.json"]


def test_nothing_is_kept_unless_it_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "usage.json"
    assert noted(usage(file, wanted=False), "md:deploy") == {}
    assert not file.exists()
    noted(usage(file), "md:deploy")
    assert noted(usage(file, wanted=False)) == {}


@pytest.mark.parametrize(
    "content", ["", "[1]", '{"a": 1}', '{"a": ["x", "2026-03-01"]}', '{"a": [1, "soon"]}', "[" * 9999]
)
def test_a_spoilt_file_is_begun_anew(tmp_path: Path, content: str) -> None:
    file = tmp_path / "usage.json"
    file.write_text(content)
    assert noted(usage(file), "md:deploy") == {"md:deploy": Use(1, "2026-03-01")}


def test_a_folder_that_cannot_be_written_costs_nothing_but_the_next_start(tmp_path: Path) -> None:
    one = usage(tmp_path / "missing" / "usage.json")
    assert noted(one, "md:deploy") == {"md:deploy": Use(1, "2026-03-01")}


def test_use_is_a_weak_signal_and_fades() -> None:
    once, often = (raised(100, Use(times, "2026-03-01"), TODAY) for times in (1, 50))
    assert 100 < once < often <= 105
    assert raised(100, Use(50, "2025-03-01"), TODAY) < once
    assert raised(100, None, TODAY) == 100
