"""A report's file as a row of the index."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cn_daemon.adapters.file_tree import Stamp
from cn_daemon.adapters.markdown_text import first_paragraph, read_markdown
from cn_daemon.domain.libraries.ranking.words import raw_words, spaced
from cn_daemon.domain.libraries.reports import FOLDER_ENDING, date_of

_SUMMARY = 240
_HEAD = 8000
_VALUES = 4000
# What lies beyond this of one report is not searched.
_BODY = 1_000_000
_MONTHS = (
    "january february march april may june july august september october november december".split()
)  # fmt: skip


class ReportRow(NamedTuple):
    """What is kept of a report. columns: the texts that are searched: name, title, headings, body."""

    path: str
    command: str
    title: str
    date: str
    summary: str
    columns: tuple[str, str, str, str]


def report_row(path: str, text: str, mark: Stamp) -> ReportRow:
    """path: below the reports folder. mark: its time in ns, size, inode."""
    name = os.path.basename(path)
    found = read_markdown(text)
    command = command_of(path)
    stem = name.rpartition(".")[0]
    title = _title(found.frontmatter) or found.title or stem
    date = date_of(stem, found.frontmatter, found.body, mark[0] / 1e9)
    summary = " ".join(first_paragraph(found.body[:_HEAD]).split())[:_SUMMARY]
    values = " ".join(_values(found.frontmatter))[:_VALUES]
    return ReportRow(
        path,
        command,
        " ".join(title.split())[:200],
        date,
        summary,
        (
            " ".join([*raw_words(stem), *raw_words(command), *date_words(date)]),
            " ".join(raw_words(f"{title} {values}")),
            " ".join(raw_words("\n".join(found.headings))),
            spaced(found.body[:_BODY]),
        ),
    )


def command_of(path: str) -> str:
    """The command that a report is of: its `{command}-reports` folder, else the `{command}` folder directly below that
    of the reports (where AI-Command-Management writes them), "" outside of either."""
    folders = path.split("/")[:-1]
    for part in reversed(folders):
        if part.lower().endswith(FOLDER_ENDING):
            return part[: -len(FOLDER_ENDING)]
    return folders[0] if folders else ""


def date_words(date: str) -> list[str]:
    """What finds a day: itself, its month and year as one word each, and as they are said."""
    year, month, day = date.split("-")
    return [f"d{year}{month}{day}", f"m{year}{month}", f"y{year}", year, _MONTHS[int(month) - 1]]


def _title(frontmatter: Mapping[str, Any]) -> str:
    title = frontmatter.get("title")
    return title if isinstance(title, str) else ""


def _values(value: Any, depth: int = 3) -> Iterator[str]:
    if isinstance(value, Mapping) and depth:
        for inner in value.values():
            yield from _values(inner, depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value[:50]:
            yield from _values(inner, depth - 1)
    elif isinstance(value, str | int | float):
        yield str(value)[:500]
