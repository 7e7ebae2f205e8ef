from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.libraries.reports import (
    date_of,
    dates_in,
    day,
    day_in_name,
    iso_day,
    last_day,
    read_query,
    spelled,
)

TODAY = date(2026, 3, 31)
NOW = 1_700_000_000.0  # 2023-11-14


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2025-11-20", ["2025-11-20"]),
        ("report_20251120_v6", ["2025-11-20"]),
        ("2025/1/5 and 2025.02.03", ["2025-01-05", "2025-02-03"]),
        ("19 May 2016, then June 3rd, 2017", ["2016-05-19", "2017-06-03"]),
        ("2025年11月20日", ["2025-11-20"]),
        ("2025-02-30 and 20251301", []),
        ("RUSTSEC-2021-0131 CVE-2020-36210", []),
        ("CVE-20201231-1", []),
        ("1.2025-11-20", []),
        ("phone 120251120 or 202511201", []),
    ],
)
def test_days_are_those_of_the_calendar(text: str, days: list[str]) -> None:
    assert [found for _, _, found in dates_in(text)] == days


@pytest.mark.parametrize(
    ("name", "day_of_name"),
    [
        ("zoom_2025-11-05", "2025-11-05"),
        ("zoom-2025-11-05", "2025-11-05"),
        ("2025-11-05-1inch", "2025-11-05"),
        ("2025-11-05_10-22-33", "2025-11-05"),
        ("20251105T102233", "2025-11-05"),
        ("zoom20251105", "2025-11-05"),
        ("v1.2025-11-05", "2025-11-05"),
        ("CVE-2020-10-12345", ""),
        ("RUSTSEC-2021-0131", ""),
        ("120251120-202511201", ""),
        ("2025-02-30_2025-03-01", "2025-03-01"),
    ],
)
def test_a_day_in_a_name_has_other_words_around_it(name: str, day_of_name: str) -> None:
    assert day_in_name(name) == day_of_name


def test_a_reports_day_is_the_first_that_is_stated() -> None:
    assert date_of("log_20251120", {"date": "2024-01-01"}, "on 2023-01-01", NOW) == "2025-11-20"
    assert date_of("log", {"date": "2024-01-01"}, "on 2023-01-01", NOW) == "2024-01-01"
    assert date_of("RUSTSEC-2021-0131", {}, "on 2023-01-01", NOW) == "2023-01-01"
    assert date_of("log_20250230", {}, "", NOW) == "2023-11-14"


@pytest.mark.parametrize(
    ("sentence", "words", "since", "until", "wanted", "latest"),
    [
        ("node tsc minutes october 2023", "node tsc minutes", "", "", (("2023-10-01", "2023-10-31"),), False),
        ("tsc meeting 19 May 2016", "tsc meeting", "", "", (("2016-05-19", "2016-05-19"),), False),
        ("crashes since 2024-01-05", "crashes", "2024-01-05", "", (), False),
        ("crashes before 2024-01-05", "crashes", "", "2024-01-04", (), False),
        ("crashes in 2024", "crashes in", "", "", (("2024-01-01", "2024-12-31"),), False),
        ("crashes since 2024-01-05 until 2024-03", "crashes", "2024-01-05", "2024-03-31", (), False),
        ("latest crash report", "crash report", "", "", (), True),
        ("the last 3 crash reports", "the crash reports", "", "", (), True),
        ("crashes from 2022 to 2023", "crashes", "2022-01-01", "2023-12-31", (), False),
        ("crashes between 2022 and 2023", "crashes", "2022-01-01", "2023-12-31", (), False),
        ("crashes before 2023", "crashes", "", "2022-12-31", (), False),
        ("crashes after july 2022", "crashes", "2022-08-01", "", (), False),
        ("crashes until 2023", "crashes", "", "2023-12-31", (), False),
        ("crashes of the last 2 weeks", "crashes of the", "", "", (("2026-03-17", "2026-03-31"),), False),
        ("crash yesterday", "crash", "", "", (("2026-03-30", "2026-03-30"),), False),
        ("RUSTSEC-2021-0131", "RUSTSEC-2021-0131", "", "", (), False),
        ("port 8080", "port 8080", "", "", (), False),
        ("crashes from july 2022", "crashes", "", "", (("2022-07-01", "2022-07-31"),), False),
        ("crashes from 2024-01-05 to 2024-02-03", "crashes", "2024-01-05", "2024-02-03", (), False),
        ("between july 2022 and 2023-01 zoom", "zoom", "2022-07-01", "2023-01-31", (), False),
        ("a dump from zoom 2024-01-05", "a dump from zoom", "", "", (("2024-01-05", "2024-01-05"),), False),
        (
            "july 2022 and august 2022",
            "and",
            "",
            "",
            (("2022-08-01", "2022-08-31"), ("2022-07-01", "2022-07-31")),
            False,
        ),
    ],
)
def test_a_sentence_names_times_and_words(
    sentence: str, words: str, since: str, until: str, wanted: tuple[tuple[str, str], ...], latest: bool
) -> None:
    found = read_query(sentence, TODAY)
    assert (found.words, found.since, found.until, found.wanted, found.latest) == (words, since, until, wanted, latest)


def test_a_month_or_year_begins_and_ends() -> None:
    assert (iso_day("2024-02"), last_day("2024-02")) == ("2024-02-01", "2024-02-29")
    assert (iso_day("2024"), last_day("2024")) == ("2024-01-01", "2024-12-31")
    assert (iso_day("2024-13"), last_day("tomorrow"), iso_day("2024-02-30")) == ("", "", "")


def test_separators_and_case_are_alike_in_names() -> None:
    assert spelled("Analyze_Zoom log-reports") == spelled("analyze-zoom-log")


@given(st.integers(0, 3000), st.integers(0, 20), st.integers(0, 40))
def test_a_day_is_told_only_when_there_is_one(year: int, month: int, of_month: int) -> None:
    found = day(year, month, of_month)
    assert found == "" or date.fromisoformat(found) == date(year, month, of_month)


@given(st.text(max_size=80))
def test_any_sentence_can_be_read(sentence: str) -> None:
    read_query(sentence, TODAY)
    date_of(sentence, {"date": sentence}, sentence, NOW)
