"""What a patch changes: `git diff -U0`, file by file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cn_daemon.domain.declarations.outline import Declaration

Status = Literal["added", "modified", "deleted", "renamed"]
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_INDEX = re.compile(r"index ([0-9a-f]+)\.\.")


@dataclass(frozen=True, slots=True)
class Patch:
    """One file's changes. path: now, or what it was before it was deleted. before, after: the changed lines, 1-based
    and both ends included; an empty range (first > last) lies behind its `last`. added, removed: in lines.

    blob: by what `History.texts` tells the text before. opaque: which lines changed is not known.
    """

    path: str
    status: Status
    old_path: str | None = None
    before: Sequence[tuple[int, int]] = ()
    after: Sequence[tuple[int, int]] = ()
    added: int = 0
    removed: int = 0
    blob: str = ""
    opaque: bool = False


@dataclass(slots=True)
class _Reading:
    old: str = ""
    new: str = ""
    status: Status = "modified"
    before: list[tuple[int, int]] = field(default_factory=list)
    after: list[tuple[int, int]] = field(default_factory=list)
    added: int = 0
    removed: int = 0
    blob: str = ""
    opaque: bool = False

    def patch(self) -> Patch:
        path = self.old if self.status == "deleted" else self.new
        renamed = self.old if self.status == "renamed" else None
        return Patch(
            path, self.status, renamed, self.before, self.after, self.added, self.removed, self.blob, self.opaque
        )


def read(diff: str) -> Iterator[Patch]:
    """The files of `git diff -U0 --no-prefix --full-index`."""
    here: _Reading | None = None
    left = 0
    for line in diff.split("\n"):
        if left:
            left -= not line.startswith("\\")
            continue
        if line.startswith("diff --git "):
            if here is not None:
                yield here.patch()
            here = _Reading()
            half = (len(line) - len("diff --git ")) // 2
            here.old = here.new = _unquoted(line[-half:])  # the same twice, unless it was renamed
        elif here is None:
            continue
        elif line.startswith("new file mode"):
            here.status = "added"
        elif line.startswith("deleted file mode"):
            here.status = "deleted"
        elif line.startswith("rename from "):
            here.old, here.status = _unquoted(line[len("rename from ") :]), "renamed"
        elif line.startswith("rename to "):
            here.new = _unquoted(line[len("rename to ") :])
        elif index := _INDEX.match(line):
            here.blob = index[1].strip("0") and index[1]
        elif line.startswith("Binary files "):
            here.opaque = True
        elif hunk := _HUNK.match(line):
            old_first, new_first = int(hunk[1]), int(hunk[3])
            old_count = int(hunk[2] or 1) if hunk[2] != "0" else 0
            new_count = int(hunk[4] or 1) if hunk[4] != "0" else 0
            here.before.append(_range(old_first, old_count))
            here.after.append(_range(new_first, new_count))
            here.removed += old_count
            here.added += new_count
            left = old_count + new_count
    if here is not None:
        yield here.patch()


def _unquoted(path: str) -> str:
    """git writes a path with a line's end, a tab, a quote or a backslash as C would."""
    if not path.startswith('"'):
        return path
    unescaped = path[1:-1].encode("utf-8", "surrogateescape").decode("unicode_escape")
    return unescaped.encode("latin-1").decode("utf-8", "surrogateescape")


def _range(first: int, count: int) -> tuple[int, int]:
    """git names the line before an empty range."""
    return (first, first + count - 1) if count else (first + 1, first)


def touched(outline: Iterable[Declaration], ranges: Sequence[tuple[int, int]]) -> Iterator[Declaration]:
    """The declarations whose own lines, their members' left out, one of the ranges changes. Locals are no rows."""
    for one in outline:
        if one.local:
            continue
        first, last = one.span.start.line, one.span.end.line
        if not any(_meets(span, first, last) for span in ranges):
            continue
        members = [child for child in one.children if not child.local]
        inner = list(touched(members, ranges))
        if any(_own(span, first, last, members) for span in ranges):
            yield one
        yield from inner


def _meets(span: tuple[int, int], first: int, last: int) -> bool:
    start, end = span
    return first <= end < last if start > end else start <= last and end >= first


def _own(span: tuple[int, int], first: int, last: int, members: Sequence[Declaration]) -> bool:
    """Whether a range changes something of first..last that is no member's."""
    start, end = span
    if start > end:
        return _meets(span, first, last) and not any(
            member.span.start.line <= end < member.span.end.line for member in members
        )
    line, last = max(start, first), min(end, last)
    for lines in sorted((member.span.start.line, member.span.end.line) for member in members):
        if line > last or lines[0] > line:
            break
        line = max(line, lines[1] + 1)
    return line <= last
