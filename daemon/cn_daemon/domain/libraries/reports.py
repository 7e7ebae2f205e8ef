"""Past reports: what they are, when they are from, and what a question for them asks.

A report is a Markdown file `{command}-reports/….md`. Its date is the first of: file name, frontmatter, content,
file time (specs/mcp-command-tool, Analysis Report). Days are ISO strings (`2025-11-20`), so that they sort.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

FOLDER_ENDING = "-reports"
_CONTENT_CHARACTERS = 4000
_STATED_CHARACTERS = 100
_FIRST_YEAR, _LAST_YEAR = 1970, 2199

# A date stands alone: no letter or digit beside it, nor a dash that makes it part of an id (CVE-2020-10-12345).
_ISO = re.compile(r"(?<![\w.])(?<![A-Za-z]-)(\d{4})([-_./])(\d{1,2})\2(\d{1,2})(?![\d])(?![-_./]\d)")
_COMPACT = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z]-)(\d{4})(\d{2})(\d{2})(?!\d)")
# In a file's name other words stand around it: zoom_2025-11-05, 2025-11-05_10-22-33, 2025-11-05-1inch.
_IN_NAME = re.compile(r"(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)")
_CJK = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日")
_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\.?,?\s+(\d{{4}})\b", re.I)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.I)
_MONTH_YEAR = re.compile(rf"\b({_MONTH})\.?,?\s+(\d{{4}})\b|\b(\d{{4}})\s+({_MONTH})\b", re.I)
_YEAR_MONTH = re.compile(r"(?<![\w.-])(\d{4})[-/](\d{2})(?![\d-])|(\d{4})\s*年\s*(\d{1,2})\s*月(?!\s*\d)")
_YEAR = re.compile(r"\b(?:in|from|of|during|since|before|after|until|year)\s+(\d{4})\b|^(\d{4})$|(\d{4})\s*年", re.I)
_ID = re.compile(r"\b[A-Za-z]{2,}-\d{4}-\d+\b")
_YEARS = re.compile(r"\b(?:from|between)\s+(\d{4})\s*(?:\b(?:to|through|and|until|till)\b|[-–—])\s*(\d{4})\b", re.I)
_LATEST = re.compile(
    r"\b(?:latest|newest|most recent|last)\b(?!\s+(?:\d+\s+)?(?:week|month|year|day))(?:\s+\d{1,3}\b)?|最新", re.I
)
_SINCE = re.compile(r"\b(?:since|(after))\s*$", re.I)
_FROM = re.compile(r"\b(?:from|between)\s+\Z", re.I)
_BEGUN = re.compile(r"(?:from|between)\s", re.I)
_TO = re.compile(r"\s*(?:\b(?:to|through|and|until|till)\b|[-–—])\s*", re.I)
_UNTIL = re.compile(r"\b(?:(before)|until|till|up to)\s*$", re.I)
_LAST = re.compile(
    r"\b(?:last|past)\s+(?:(\d{1,3})\s+)?(day|week|month|year)s?\b|\b(today|yesterday)\b(?:'s)?|"
    r"\bthis\s+(week|month|year)\b(?:'s)?",
    re.I,
)
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True, slots=True)
class Report:
    """path: below the reports folder, with `/`. date: ISO. file_size: in bytes. modified: seconds since the epoch.
    number: the index's own."""

    path: str
    command_name: str
    title: str
    date: str
    file_size: int
    modified: float
    summary: str = ""
    number: int = 0

    @property
    def report_name(self) -> str:
        return self.path.rpartition("/")[2]


class ReportHit(NamedTuple):
    """relevance: 0–100. excerpt: the hit in its context."""

    report: Report
    relevance: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class ReportQuery:
    """words: what is left of the sentence without its dates. since, until: ISO days, inclusive,
    "" is open. wanted: days that the sentence names; they raise a report, and exclude none. latest: newest first.
    command: as a folder spells it, "" is all."""

    words: str
    command: str = ""
    since: str = ""
    until: str = ""
    wanted: tuple[tuple[str, str], ...] = ()
    latest: bool = False


def spelled(name: str) -> str:
    """A command's name as it is compared: `_`, `-`, space and case are alike; `-reports` at the end is dropped."""
    return re.sub(r"[-_\s]+", "-", name.strip().lower()).removesuffix(FOLDER_ENDING)


def day(year: int, month: int, day_of_month: int) -> str:
    """The ISO day, or "" when the calendar has none (2025-02-30)."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return ""
    try:
        return date(year, month, day_of_month).isoformat()
    except ValueError:
        return ""


def dates_in(text: str) -> list[tuple[int, int, str]]:
    """Every valid day in `text`, as (start, end, ISO day), in order. Ids that look like dates are none."""
    ids = [match.span() for match in _ID.finditer(text)]
    found: list[tuple[int, int, str]] = []
    for pattern, order in (
        (_ISO, (1, 3, 4)),
        (_COMPACT, (1, 2, 3)),
        (_CJK, (1, 2, 3)),
    ):
        for match in pattern.finditer(text):
            _note(found, ids, match, day(*(int(match[group]) for group in order)))
    for match in _DAY_MONTH.finditer(text):
        _note(found, ids, match, day(int(match[3]), _MONTHS[match[2].lower()], int(match[1])))
    for match in _MONTH_DAY.finditer(text):
        _note(found, ids, match, day(int(match[3]), _MONTHS[match[1].lower()], int(match[2])))
    return sorted(found)


def _note(found: list[tuple[int, int, str]], ids: list[tuple[int, int]], match: re.Match[str], iso: str) -> None:
    start, end = match.span()
    overlaps = any(start < other_end and other_start < end for other_start, other_end, _ in found)
    if iso and not overlaps and not any(first < end and start < last for first, last in ids):
        found.append((start, end, iso))


def day_in_name(name: str) -> str:
    """The first valid day in a file's name, "" for none. The number of an advisory (CVE-2020-10-12345) is none."""
    stated = dates_in(name)
    days = (day(int(match[1]), int(match[3]), int(match[4])) for match in _IN_NAME.finditer(name))
    return stated[0][2] if stated else next(filter(None, days), "")


def date_of(name: str, frontmatter: Mapping[str, Any], content: str, modified: float) -> str:
    """The day a report is from: file name, else frontmatter, else content, else file time."""
    named = day_in_name(name)
    if named:
        return named
    for key in ("date", "created", "created_at", "published", "updated", "timestamp"):
        value = frontmatter.get(key)
        stated = dates_in(str(value)[:_STATED_CHARACTERS]) if isinstance(value, str | int | date) else []
        if stated:
            return stated[0][2]
    written = dates_in(content[:_CONTENT_CHARACTERS])
    if written:
        return written[0][2]
    return datetime.fromtimestamp(modified, UTC).date().isoformat()


def iso_day(text: str) -> str:
    """What a `--since` or `--until` names: a day, "" when it is none. A month or year means its first day."""
    text = text.strip()[:_STATED_CHARACTERS]
    stated = dates_in(text)
    if stated:
        return stated[0][2]
    match = re.fullmatch(r"(\d{4})(?:-(\d{1,2}))?", text)
    return day(int(match[1]), int(match[2] or 1), 1) if match else ""


def last_day(text: str) -> str:
    """As `iso_day`, but a month or year means its last day."""
    match = re.fullmatch(r"(\d{4})(?:-(\d{1,2}))?", text.strip())
    if not match:
        return iso_day(text)
    month = int(match[2] or 12)
    first = day(int(match[1]), month, 1)
    return day(int(match[1]), month, calendar.monthrange(int(match[1]), month)[1]) if first else ""


def read_query(sentence: str, today: date) -> ReportQuery:
    """What a sentence asks: its dates ("october 2023", "since 2024-01-05", "last 2 weeks", "latest") and its
    words."""
    query = ReportQuery(sentence)
    for time in reversed(_times(sentence, today)):
        before = query.words[: time.start]
        since, until = _SINCE.search(before), _UNTIL.search(before)
        if since or time.bounded:
            first = _beside(time.last, 1) if since and since[1] else time.first
            query = replace(query, since=max(query.since, first))
        if until or time.bounded:
            last = _beside(time.first, -1) if until and until[1] else time.last
            query = replace(query, until=min(query.until or last, last))
        if not (since or until or time.bounded):
            query = replace(query, wanted=(*query.wanted, (time.first, time.last)))
        cut = since or until
        query = replace(query, words=(before[: cut.start()] if cut else before) + " " + query.words[time.end :])
    if _LATEST.search(query.words):
        query = replace(query, latest=True, words=_LATEST.sub(" ", query.words))
    return replace(query, words=" ".join(query.words.split()))


def _beside(iso: str, days: int) -> str:
    return (date.fromisoformat(iso) + timedelta(days=days)).isoformat()


class _Time(NamedTuple):
    """A time that a sentence names, with the words that belong to it. bounded: nothing outside of it is wanted."""

    start: int
    end: int
    first: str
    last: str
    bounded: bool = False


def _times(sentence: str, today: date) -> list[_Time]:
    """What `_spans` finds, two of them as one where the sentence says `from A to B`."""
    found: list[_Time] = []
    for start, end, first, last in _spans(sentence, today):
        opening = _FROM.search(sentence[:start])
        begun = found[-1] if found else None
        if begun and _BEGUN.match(sentence, begun.start) and _TO.fullmatch(sentence, begun.end, start):
            found[-1] = _Time(begun.start, end, begun.first, last, bounded=True)
        else:
            found.append(_Time(opening.start() if opening else start, end, first, last))
    return found


def _spans(sentence: str, today: date) -> list[tuple[int, int, str, str]]:
    """(start, end, first day, last day) of everything in the sentence that names a time."""
    # Every date is compared with every other: what lies beyond is words.
    sentence = sentence[:_CONTENT_CHARACTERS]
    found = [(start, end, iso, iso) for start, end, iso in dates_in(sentence)]
    ids = [match.span() for match in _ID.finditer(sentence)]

    def add(match: re.Match[str], first: str, last: str) -> None:
        start, end = next(match.span(group) for group in range(match.re.groups + 1) if match.group(group))
        start, end = match.span() if match.re is not _YEAR else (start, end)
        overlaps = any(start < other[1] and other[0] < end for other in found)
        inside = any(low < end and start < high for low, high in ids)
        if first and not overlaps and not inside:
            found.append((start, end, first, last))

    for match in _MONTH_YEAR.finditer(sentence):
        month, year = (match[1], match[2]) if match[1] else (match[4], match[3])
        add(match, *_month(int(year), _MONTHS[month.lower()]))
    for match in _YEAR_MONTH.finditer(sentence):
        year, number = (match[1], match[2]) if match[1] else (match[3], match[4])
        add(match, *_month(int(year), int(number)))
    for match in _YEARS.finditer(sentence):
        for group in (1, 2):
            year = int(match[group])
            if day(year, 1, 1) and not any(
                match.start(group) < other[1] and other[0] < match.end(group) for other in found
            ):
                found.append((*match.span(group), day(year, 1, 1), day(year, 12, 31)))
    for match in _YEAR.finditer(sentence):
        year = next(group for group in match.groups() if group)
        start = match.start() + match[0].index(year)
        if not any(start < other[1] and other[0] < start + 4 for other in found) and day(int(year), 1, 1):
            found.append((start, start + 4, day(int(year), 1, 1), day(int(year), 12, 31)))
    for match in _LAST.finditer(sentence):
        add(match, *_ago(match, today))
    return sorted(found)


def _month(year: int, month: int) -> tuple[str, str]:
    first = day(year, month, 1)
    return (first, day(year, month, calendar.monthrange(year, month)[1])) if first else ("", "")


def _ago(match: re.Match[str], today: date) -> tuple[str, str]:
    if match[4]:
        unit = match[4].lower()
        first = today - timedelta(days=today.weekday()) if unit == "week" else today.replace(day=1)
        return (first.replace(month=1) if unit == "year" else first).isoformat(), today.isoformat()
    if match[3]:
        one = today - timedelta(days=match[3].lower() == "yesterday")
        return one.isoformat(), one.isoformat()
    first = today - timedelta(days=int(match[1] or 1) * _DAYS[match[2].lower()])
    return first.isoformat(), today.isoformat()
