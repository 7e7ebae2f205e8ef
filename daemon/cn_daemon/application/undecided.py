"""What is known of a name when a question's time runs out: the places that hold it, undecided, and who may declare it.

Read from the texts alone, by no language server: it was not done when it was asked.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.declarations.symbols import exported_declarations, in_prose
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span, occurrences

# How long the texts may be read after the deadline: an answer is written by then.
READING_S = 0.4


class Undecided(NamedTuple):
    """hits: places outside of comments that hold a name; nobody has judged whether they use the symbol. unread: how
    many files that hold it there was no time to read."""

    hits: list[Hit]
    unread: int


class Exported(NamedTuple):
    """A declaration that its first line exports. kind: one of `KINDS`."""

    path: str
    name: Span
    kind: str


def mentions(
    names: Iterable[str], paths: Collection[str], documents: Documents, decided: Collection[Site], deadline: float
) -> Undecided:
    """The places that hold one of the names in these files, but for those that are decided. deadline: the question's,
    on the monotonic clock, which has passed."""
    hits: list[Hit] = []
    until, unread = max(time.monotonic(), deadline) + READING_S, len(paths)
    for path in sorted(paths):
        if time.monotonic() > until:
            break
        unread -= 1
        document = documents.try_get(path)
        if document is not None:
            spans = (span for name in names for span in document.known(_mentions, name))
            hits += [Hit(path, span) for span in spans if Site(path, span.start) not in decided]
    return Undecided(hits, unread)


def exported(name: str, paths: Iterable[str], documents: Documents) -> list[Exported]:
    """What these files declare under a name at their top and export at once."""
    found = []
    for path in paths:
        document = documents.try_get(path)
        if document is not None:
            source = document.once(SourceText)
            for kind, start in exported_declarations(source.text, name):
                found.append(Exported(path, source.span(start, start + len(name)), kind))
    return found


def nearest_projects(paths: Iterable[str], configs: Iterable[str]) -> set[str]:
    """The configurations (tsconfig files) nearest above these files: one of each folder that has some."""
    of_folder = {os.path.dirname(config): config for config in configs}
    return {of_folder[folder] for path in paths if (folder := _above(path, of_folder))}


def _above(path: str, folders: Collection[str]) -> str:
    """The nearest of the folders that a file lies in, or nothing."""
    folder = os.path.dirname(path)
    while folder not in folders:
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder


def _mentions(document: Document, name: str) -> list[Span]:
    source = document.once(SourceText)
    return [
        source.span(start, start + len(name))
        for start in occurrences(source.text, name)
        if not in_prose(source.text, start, start + len(name))
    ]
