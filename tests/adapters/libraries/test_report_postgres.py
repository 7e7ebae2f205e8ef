"""The index of reports in PostgreSQL: the answers of SQLite's, for many daemons over one library."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest

from cn_daemon.adapters.report_index import ReportIndex, SqliteReportIndex
from cn_daemon.domain.libraries.reports import ReportHit, ReportQuery, read_query
from cn_shared.errors import CnError
from tests.adapters.libraries.test_report_index import REPORTS
from tests.postgres import Server, running

postgres = pytest.importorskip("cn_daemon.adapters.report_postgres", reason="psycopg is not installed")

_SUBJECTS = "openssl socket parser cache queue timeout session token header buffer kernel thread".split()
_FAULTS = "leaks overflows panics stalls drops truncates duplicates corrupts ignores retries".split()
QUERIES = (
    "openssl upgrade", "decode_response", "brotli overflow", "解码响应", "meeting october 2023",
    "since 2024-01-05 speech",
    "parser overflows", "the socket stalls in the kernel", "token header", '"openssl leaks"', "bufer overflows",
    "latest queue", "session", "cache thread timeout", "RUSTSEC-2021-0131", "zebra", "log_20240301_v2", "buffer.drops",
)  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as found:
        if found is None:
            pytest.skip("there is no PostgreSQL (Debian: apt install postgresql)")
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    reports = dict(REPORTS)
    for number in range(600):
        subject, fault = _SUBJECTS[number * 5 % 12], _FAULTS[number * 7 % 10]
        other, more = _SUBJECTS[number * 11 % 12], _FAULTS[number * 3 % 10]
        lines = [f"The {subject} {fault}, and the {other} {more}."] * (1 + number % 7)
        text = "\n\n".join([f"# On the {subject}", f"## {other.title()} {fault}", *lines])
        reports[f"triage-reports/2024-{1 + number % 12:02}-{1 + number % 28:02}-{number}.md"] = text
    for path, text in reports.items():
        (tmp_path / "reports" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "reports" / path).write_text(text)
    return tmp_path / "reports"


def index(folder: Path, server: Server) -> ReportIndex:
    return ReportIndex(folder, postgres.PostgresPlace(server.url), 3600)


def late() -> float:
    return time.monotonic() + 60


def asked(question: str) -> ReportQuery:
    return read_query(question, date(2025, 1, 1))


def told(hits: Sequence[ReportHit]) -> list[tuple[str, int, str]]:
    return [(hit.report.path, hit.relevance, hit.excerpt) for hit in hits]


def test_both_engines_give_the_same_first_ten(folder: Path, server: Server, tmp_path: Path) -> None:
    async def scene() -> None:
        sqlite, shared = SqliteReportIndex(folder, tmp_path, 3600), index(folder, server)
        try:
            for one in (sqlite, shared):
                assert (await one.refresh(late())).complete
            for question in QUERIES:
                expected = told(await sqlite.search(asked(question), 10, late()))
                assert told(await shared.search(asked(question), 10, late())) == expected, question
                assert expected or question == "zebra"
            for arguments in (("", "", "", 0, 30), ("triage", "2024-03-01", "2024-04-30", 5, 10)):
                assert [(report.path, report.title, report.summary, report.date, report.file_size, report.modified)
                        for report in (await shared.listed(*arguments, late()))[0]] == [
                    (report.path, report.title, report.summary, report.date, report.file_size, report.modified)
                    for report in (await sqlite.listed(*arguments, late()))[0]]  # fmt: skip
            assert await shared.newest(late()) == await sqlite.newest(late())
            assert (await shared.find("RUSTSEC-2022-0002.md", late())).path == "advisory-reports/RUSTSEC-2022-0002.md"
        finally:
            sqlite.close()
            shared.close()

    asyncio.run(scene())


def test_a_word_that_very_many_hold_finds_those_that_are_about_it(
    folder: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "BUDGET", 30)
    monkeypatch.setattr(postgres, "_SIFTED", 40)
    monkeypatch.setattr(postgres, "_COMMON", 20)

    async def scene() -> None:
        sqlite, shared = SqliteReportIndex(folder, tmp_path, 3600), index(folder, server)
        try:
            for one in (sqlite, shared):
                assert (await one.refresh(late())).complete
            for word in (*_SUBJECTS, *_FAULTS):
                expected = await sqlite.search(asked(word), 10, late())
                found = await shared.search(asked(word), 10, late())
                assert [hit.relevance for hit in found] == [hit.relevance for hit in expected], word
            with contextlib.closing(postgres.PostgresPlace(server.url).open()) as database:
                counted = database.count(["socket"], 1000)
                database.connection.execute("DELETE FROM cn.files")
                assert database.count(["socket"], 1000) == counted  # known from the table of common words
                assert database.count(["quixotic"], 1000) == 0
        finally:
            sqlite.close()
            shared.close()

    asyncio.run(scene())


def test_one_daemon_writes_and_another_goes_on_when_it_ends(folder: Path, server: Server) -> None:
    async def scene() -> None:
        first, second = index(folder, server), index(folder, server)
        try:
            assert (await first.refresh(late())).complete
            assert (await second.refresh(late())).complete
            assert second.progress()[0].items == 0  # it holds no list of the files
            (folder / "new-reports").mkdir()
            (folder / "new-reports" / "a.md").write_text("# Quixotic windmill")
            await first.refresh(late())
            before = second.generation
            await second.refresh(late())
            assert second.generation != before
            assert [hit.report.path for hit in await second.search(asked("quixotic"), 5, late())] == [
                "new-reports/a.md"
            ]
            first.close()
            (folder / "new-reports" / "a.md").unlink()
            end = late()
            while await second.search(asked("quixotic"), 5, late()):  # until the first one's connection is gone
                assert time.monotonic() < end
                await second.refresh(late())
        finally:
            first.close()
            second.close()

    asyncio.run(scene())


def test_a_server_that_is_gone_is_said_and_answers_again(folder: Path, server: Server) -> None:
    async def scene() -> None:
        shared = index(folder, server)
        try:
            await shared.refresh(late())
            server.stop()
            freshness = await shared.refresh(late())
            assert (freshness.complete, freshness.stale) == (True, "the index of reports does not answer")
            with pytest.raises(CnError) as failed:
                await shared.search(asked("openssl"), 5, late())
            assert failed.value.code == "report_index_failed"
            assert "hush" not in str(failed.value.document())
            server.start()
            assert await shared.refresh(late()) == (True, "", "")
            assert await shared.search(asked("openssl"), 5, late())
        finally:
            shared.close()

    asyncio.run(scene())


def test_a_text_of_any_size_and_kind_is_kept() -> None:
    terms = postgres.Terms()
    length, vector = terms.vector(("it's a\\b", "", "x" * 3000, "word " * 70_000 + "\0tail"))
    assert length == 70_006
    assert vector.startswith("'it':2A")
    assert vector.count("D") == 255
    assert len(vector) < 1_000_000
    terms.close()


def test_a_password_is_not_told() -> None:
    assert str(postgres.PostgresPlace("postgresql://ann:hush@db.example.com/x")) == "PostgreSQL at db.example.com"


@pytest.mark.parametrize(
    "url", ["postgresql:/ann:hush@db/x", "hush", "postgresql://ann:hush@[x/y", "ann:hush@db password"]
)
def test_what_is_no_url_is_not_told_either(url: str) -> None:
    place = postgres.PostgresPlace(url)
    with pytest.raises(postgres.psycopg.OperationalError) as failed:
        place.open()
    assert "hush" not in f"{failed.value} {place}"
