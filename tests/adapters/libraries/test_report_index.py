from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters import report_database, report_index
from cn_daemon.adapters.report_index import SqliteReportIndex
from cn_daemon.application.libraries.library_ports import Freshness
from cn_daemon.domain.libraries.reports import ReportHit, ReportQuery, read_query
from cn_shared.errors import CnError, DeadlineError, ForbiddenError, InputError, NotFoundError

REPORTS = {
    "analyze_log-reports/log_20251120_v1.md": "# Speech log\n\nNo decode_response arrived from the server.\n",
    "analyze_log-reports/log_20240301_v2.md": "# Speech log\n\nA decode_response arrived late.\n",
    "advisory-reports/RUSTSEC-2021-0131.md": (
        '```toml\n[advisory]\nid = "RUSTSEC-2021-0131"\npackage = "brotli-sys"\ndate = "2021-12-20"\n'
        'aliases = ["CVE-2020-8927"]\n```\n# Integer overflow in the bundled Brotli library\n\nPatched upstream.\n'
    ),
    "advisory-reports/RUSTSEC-2022-0002.md": (
        '```toml\n[advisory]\nid = "RUSTSEC-2022-0002"\npackage = "dashmap"\ndate = "2022-01-10"\n```\n'
        "# Unsoundness in dashmap references\n\nReferences outlive the map.\n"
    ),
    "minutes-reports/2023-10-04.md": "# Meeting\n\n## Permission model\n\nDiscussed the openssl upgrade.\n",
    "minutes-reports/2023-11-01.md": "# Meeting\n\n## Corepack\n\nDiscussed openssl again, and again openssl.\n",
    "日志-reports/分析报告.md": "# 语音日志分析报告\n\n为什么没有收到解码响应\n",
    "triage/2024/triage_报告_20240102_030405_v1.md": "# Triage\n\nWritten beside the others.\n",
    "loose.md": "# A loose report\n\nWithout a command.\n",
}
Scene = Callable[[SqliteReportIndex], Awaitable[None]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in REPORTS.items():
        file = tmp_path / "reports" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "cache").mkdir()
    return tmp_path / "reports"


def later() -> float:
    return time.monotonic() + 10


def play(folder: Path, *scenes: Scene) -> None:
    """Each scene meets an index of its own on the same cache, as a daemon that starts again does."""

    async def run() -> None:
        for scene in scenes:
            index = SqliteReportIndex(folder, folder.parent / "cache", 3600)
            try:
                await scene(index)
            finally:
                threads = [one for one in threading.enumerate() if one.name.startswith("cn report")]
                index.close()
                for thread in threads:
                    await asyncio.to_thread(thread.join, 5)

    asyncio.run(run())


async def ask(index: SqliteReportIndex, sentence: str, limit: int = 5) -> list[ReportHit]:
    await index.refresh(later())
    return await index.search(read_query(sentence, date(2026, 1, 1)), limit, later())


@pytest.mark.parametrize(
    ("sentence", "path"),
    [
        ("decode_response from the server", "analyze_log-reports/log_20251120_v1.md"),
        ("Show me reports about decode_response late", "analyze_log-reports/log_20240301_v2.md"),
        ("RUSTSEC-2021-0131", "advisory-reports/RUSTSEC-2021-0131.md"),
        ("CVE-2020-8927", "advisory-reports/RUSTSEC-2021-0131.md"),
        ("brotli overflows", "advisory-reports/RUSTSEC-2021-0131.md"),
        ("dashmpa", "advisory-reports/RUSTSEC-2022-0002.md"),
        ("minutes october 2023", "minutes-reports/2023-10-04.md"),
        ("minutes 1 November 2023", "minutes-reports/2023-11-01.md"),
        ("latest openssl", "minutes-reports/2023-11-01.md"),
        ("openssl before 2023-10-20", "minutes-reports/2023-10-04.md"),
        ("latest report", "loose.md"),
        ("show me reports of the last 2 months", "analyze_log-reports/log_20251120_v1.md"),
        ("the reports from october 2023", "minutes-reports/2023-10-04.md"),
        ("reports from 2023-10-01 to 2023-10-31", "minutes-reports/2023-10-04.md"),
        ("openssl in november 2023", "minutes-reports/2023-11-01.md"),
        ("日志分析", "日志-reports/分析报告.md"),
        ('"permission model"', "minutes-reports/2023-10-04.md"),
    ],
)
def test_the_wanted_report_comes_first(folder: Path, sentence: str, path: str) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        assert (await ask(index, sentence))[0].report.path == path

    play(folder, scene)


def test_a_report_that_holds_little_of_the_question_scores_little(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        (whole, *_) = await ask(index, "openssl upgrade")
        (little, *_) = await ask(index, "zebra umbrella openssl quantum teapot")
        assert whole.relevance > 90
        assert little.relevance < 30
        assert await ask(index, "zebra umbrella quantum teapot") == []
        (slip, *_) = await ask(index, "dashmpa")
        assert 30 < slip.relevance < 60

    play(folder, scene)


def test_a_hit_is_told_with_its_context(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        (first, second) = await ask(index, "decode_response")
        assert first.excerpt.startswith(("No decode_response arrived", "A decode_response arrived"))
        assert first.relevance >= second.relevance
        found = first.report
        assert (found.command_name, found.title, found.report_name) == ("analyze_log", "Speech log", found.path[20:])
        assert found.file_size == len(REPORTS[found.path])

    play(folder, scene)


def test_a_command_is_asked_for_by_option_or_by_name(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        await index.refresh(later())
        named = await index.search(ReportQuery("Show me all analyze_log reports"), 5, later())
        assert [hit.report.date for hit in named] == ["2025-11-20", "2024-03-01"]
        assert len(await index.search(ReportQuery("speech", command="analyze log"), 5, later())) == 2
        assert len(await index.search(ReportQuery("openssl", command="analyze log"), 5, later())) == 0
        assert await index.search(ReportQuery("zzzz qqqq"), 5, later()) == []
        assert await index.search(ReportQuery("speech", command="nobody"), 5, later()) == []

    play(folder, scene)


def test_lists_are_newest_first_and_filtered(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        await index.refresh(later())
        found, total = await index.listed("", "", "", 0, 3, later())
        assert total == len(REPORTS)
        assert [one.date for one in found] == sorted((one.date for one in found), reverse=True)
        found, total = await index.listed("Minutes", "2023-10-01", "2023-10-31", 0, 9, later())
        assert ([one.path for one in found], total) == (["minutes-reports/2023-10-04.md"], 1)
        assert (await index.newest(later()))["analyze_log"] == "2025-11-20"

    play(folder, scene)


def test_new_changed_and_deleted_reports_are_seen_by_the_next_question(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        file = folder / "new-reports/2025-01-01.md"
        assert await ask(index, "coffee") == []
        file.parent.mkdir()
        file.write_text("Coffee machine")
        assert [hit.report.path for hit in await ask(index, "coffee")] == ["new-reports/2025-01-01.md"]
        file.write_text("Tea kettle")
        assert await ask(index, "coffee") == []
        assert len(await ask(index, "kettle")) == 1
        file.unlink()
        assert await ask(index, "kettle") == []

    play(folder, scene)


def test_an_index_is_kept_and_only_what_changed_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    before = report_index.report_row
    monkeypatch.setattr(report_index, "report_row", lambda path, *rest: (read.append(path), before(path, *rest))[1])

    async def first(index: SqliteReportIndex) -> None:
        assert await ask(index, "openssl")
        assert len(read) == len(REPORTS)

    async def second(index: SqliteReportIndex) -> None:
        read.clear()
        (folder / "loose.md").unlink()
        (folder / "added.md").write_text("# Added while away")
        assert len(await ask(index, "added")) == 1
        assert await ask(index, "loose") == []
        assert read == ["added.md"]

    play(folder, first, second)


@pytest.mark.parametrize("damage", ["garbage", "truncated", "version"])
def test_an_index_of_no_use_is_built_anew(folder: Path, damage: str) -> None:
    async def build(index: SqliteReportIndex) -> None:
        assert await ask(index, "openssl")

    def spoil(file: Path) -> None:
        content = file.read_bytes()
        if damage == "garbage":
            file.write_bytes(b"no database" * 1000)
        elif damage == "truncated":
            file.write_bytes(content[: len(content) // 2])
        else:
            with sqlite3.connect(file) as connection:
                connection.execute("UPDATE meta SET value = 'old'")
            connection.close()

    async def again(index: SqliteReportIndex) -> None:
        assert await ask(index, "openssl")
        assert (await index.listed("", "", "", 0, 1, later()))[1] == len(REPORTS)

    play(folder, build)
    (file,) = (folder.parent / "cache").glob("*.sqlite")
    spoil(file)
    play(folder, again)


def test_a_much_changed_index_is_built_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_database, "_LEAST_DEAD", 5)

    async def scene(index: SqliteReportIndex) -> None:
        for number in range(30):
            (folder / "loose.md").write_text(f"# Version {number} of a loose report" + "!" * number)
            await index.refresh(later())
        assert len(await ask(index, "loose")) == 1
        rows = sqlite3.connect(index.file)
        (last,) = rows.execute("SELECT max(number) FROM files").fetchone()
        rows.close()
        assert last < 30

    play(folder, scene)


def test_two_daemons_share_an_index(folder: Path) -> None:
    async def scene(one: SqliteReportIndex) -> None:
        other = SqliteReportIndex(folder, folder.parent / "cache", 3600)
        await asyncio.gather(one.refresh(later()), other.refresh(later()))
        assert len(await ask(one, "openssl")) == len(await ask(other, "openssl")) == 2
        for number in range(5):
            (folder / f"more{number}.md").write_text(f"# More{number}")
            found = await asyncio.gather(ask(one, f"more{number}"), ask(other, f"more{number}"))
            assert [len(hits) for hits in found] == [1, 1]
        assert (await other.listed("", "", "", 0, 1, later()))[1] == len(REPORTS) + 5
        threads = [one for one in threading.enumerate() if one.name.startswith("cn report")]
        other.close()
        assert threads

    play(folder, scene)


def test_a_folder_out_of_reach_is_answered_for_and_marked(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        await index.refresh(later())
        folder.rename(folder.parent / "away")
        assert "it is not there" in (await index.refresh(later())).stale
        assert len(await ask(index, "openssl")) == 2
        (folder.parent / "away").rename(folder)
        assert (await index.refresh(later())).stale == ""

    play(folder, scene)


def test_a_folder_that_was_never_there_warns(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()

    async def scene(index: SqliteReportIndex) -> None:
        assert await ask(index, "anything") == []
        assert "there is no folder" in index.warnings()[0]

    play(tmp_path / "nothing", scene)


def test_a_slow_folder_does_not_hold_up_who_does_not_wait(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    before = report_index.read_text

    def slow(path: str, *rest: Any) -> str:
        go_on.wait(5)
        return before(path, *rest)

    async def scene(index: SqliteReportIndex) -> None:
        monkeypatch.setattr(report_index, "read_text", slow)
        began = time.monotonic()
        fresh = await index.refresh(time.monotonic() + 0.2)
        assert time.monotonic() - began < 1
        assert not fresh.complete
        assert index.progress()[0].state == "indexing"
        go_on.set()
        assert (await index.refresh(later())).complete
        monkeypatch.setattr(report_index, "read_text", before)
        with pytest.raises(DeadlineError):
            await index.search(ReportQuery("x"), 1, time.monotonic() - 1)

    play(folder, scene)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("../cache", ForbiddenError),
        ("/etc/passwd", ForbiddenError),
        ("link.md", ForbiddenError),
        ("a\0b", InputError),
        ("", InputError),
        ("nothing.md", NotFoundError),
        ("minutes-reports/../../outside.md", ForbiddenError),
    ],
)
def test_no_path_leads_out_of_the_folder(folder: Path, path: str, error: type[CnError]) -> None:
    (folder.parent / "outside.md").write_text("Outside.")
    (folder / "link.md").symlink_to(folder.parent / "outside.md")

    async def scene(index: SqliteReportIndex) -> None:
        await index.refresh(later())
        with pytest.raises(error):
            await index.find(path, later())

    play(folder, scene)


def test_a_report_is_found_by_its_path_or_its_name(folder: Path) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        await index.refresh(later())
        whole = "advisory-reports/RUSTSEC-2021-0131.md"
        for name in (whole, str(folder / whole), "RUSTSEC-2021-0131.md", "./" + whole):
            assert (await index.find(name, later())).path == whole
        found = await index.find(whole, later())
        assert await index.text(found, later()) == REPORTS[whole]
        os.unlink(folder / whole)
        with pytest.raises(NotFoundError):
            await index.text(found, later())

    play(folder, scene)


@pytest.mark.parametrize("wild", ['"', "a AND", "NEAR(", "*", "col:x", "' OR 1=1 --", "(", "-", "^x", "{a b}", "\x00"])
def test_no_question_breaks_the_expression(folder: Path, wild: str) -> None:
    async def scene(index: SqliteReportIndex) -> None:
        await ask(index, wild)
        await ask(index, f'openssl {wild} "two words')

    play(folder, scene)


def test_a_folder_that_is_away_when_a_daemon_starts_is_answered_from_the_index(folder: Path) -> None:
    async def build(index: SqliteReportIndex) -> None:
        assert await ask(index, "corepack")

    async def away(index: SqliteReportIndex) -> None:
        assert await index.refresh(later()) == Freshness(stale=f"{folder}: it is not there")
        assert await ask(index, "corepack")
        assert index.warnings() == []
        (folder.parent / "aside").rename(folder)
        assert await index.refresh(later()) == Freshness()
        assert (await ask(index, "corepack"))[0].report.path == "minutes-reports/2023-11-01.md"

    play(folder, build)
    folder.rename(folder.parent / "aside")
    play(folder, away)
