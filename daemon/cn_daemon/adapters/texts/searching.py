"""The process that looks for a pattern: `python -I -S searching.py`, one question on its input, then its end.

    {"pattern", "fixed", "ignore_case", "word", "files": [path …], "program": ripgrep's path or "", "most", "seconds"}
    {"pattern", "words": [word …], "most", "seconds"}

What it finds goes to its output as lines of JSON, in the order of the files: `[file, [[line, character] …]]` (file: its
number; line, character: from 1, the latter in UTF-16 units; without places it only says how far it is), `[number]` for
a word that fits, `{"unsearched": [number …],
"reason"}`, `{"wrong": what}` for a pattern that is none, and in the end `{"done": whether that was all}`.

A regular expression can take for ever. ripgrep's cannot. Python's is stopped: by its own time of the processor for each
file, and with this process after `seconds`.

Standard library only, and nothing of cn is imported: the interpreter that runs this file is to start fast.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import signal
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

# Of processor time: an honest pattern takes a hundredth of it for the largest file.
FILE_S, WORDS_S = 1.0, 2.0
# After so many files on which the pattern takes too long, it is the pattern.
SLOW_FILES = 3
LARGEST_BYTES = 16 << 20
# Of command lines: some systems take no more.
_ARGUMENTS = 100_000
_LONGEST_WORD = 200
# After so many files it reports how far it is.
_STEP = 100
_PROBE = 8192
_CR = re.compile(r"\r(?!\n)")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# ripgrep reads no configuration, follows no link, ignores no file of those that it is given, and runs nothing. Of each
# line it tells where the first match is, and not what the line holds: that may be a megabyte.
_RIPGREP = (
    "--no-config", "--threads=1", "--no-messages", "--no-ignore", "--hidden", "--no-pre", "--no-search-zip",
    "--no-follow", "--crlf", "--text", "--color=never", "--no-heading", "--with-filename", "--null", "--line-number",
    "--column", "--max-columns=1",
)  # fmt: skip

Hit = tuple[int, int]


_SLOW = "the pattern takes too long"


class TooSlowError(Exception):
    """A pattern takes too long on one text."""


def main(question: dict[str, Any]) -> None:
    if question["seconds"] > 0 and hasattr(signal, "alarm"):
        signal.alarm(int(question["seconds"]) + 1)  # whoever asked may be gone
    if "words" in question:
        _words(question)
    else:
        _files(question)


def _tell(answer: object) -> None:
    sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def _files(question: dict[str, Any]) -> None:
    files = list(enumerate(question["files"]))
    refused = {number: reason for number, path in files if (reason := _refusal(path)) is not None}
    for number, reason in refused.items():
        if reason:
            _tell({"unsearched": [number], "reason": reason})
    left = [(number, path) for number, path in files if number not in refused]
    try:
        found = (ripgrep if _is_for_ripgrep(question) else own)(question, left)
        _tell({"done": _report_all(len(files), found, question["most"])})
    except re.error as error:
        _tell({"wrong": str(error)})


def _refusal(path: str) -> str | None:
    """Why a text is not searched, None when it is; nothing to say of what is none, or has gone."""
    try:
        if os.stat(path).st_size <= LARGEST_BYTES:
            return None if os.access(path, os.R_OK) else "it cannot be read"
        with open(path, "rb") as file:
            return "" if 0 in file.read(_PROBE) else "it is too large"
    except FileNotFoundError:
        return ""
    except OSError:
        return "it cannot be read"


def _report_all(files: int, found: Iterator[tuple[int, list[Hit] | None]], most: int) -> bool:
    """Whether all of it was reported: there may be more than `most` matches. No hits: the pattern takes too long."""
    left, slow = most, 0
    for number, hits in found:
        if hits is not None:
            _tell([number, hits[:left]])
            left -= len(hits)
            if left < 0:
                return False
            continue
        slow += 1
        _tell({"unsearched": list(range(number, files if slow == SLOW_FILES else number + 1)), "reason": _SLOW})
        if slow == SLOW_FILES:
            break
    return True


def own(question: dict[str, Any], files: list[tuple[int, str]]) -> Iterator[tuple[int, list[Hit] | None]]:
    """By Python. Raises re.error."""
    search = searching(question)
    needle = question["pattern"] if question["fixed"] and not question["ignore_case"] else ""
    for number, path in files:
        text = read(path) or ""
        try:
            hits = limited(functools.partial(_lines, text, search), FILE_S) if needle in text else []
        except TooSlowError:
            yield number, None
        else:
            if hits or not number % _STEP:
                yield number, hits


def searching(question: dict[str, Any]) -> Callable[[str], re.Match[str] | None]:
    """Raises re.error."""
    pattern = re.escape(question["pattern"]) if question["fixed"] else question["pattern"]
    if question["word"]:
        re.compile(pattern)  # what is wrong with it is reported of it alone
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    return compiled(pattern, re.IGNORECASE if question["ignore_case"] else 0)


def compiled(pattern: str, flags: int = 0) -> Callable[[str], re.Match[str] | None]:
    """Raises re.error."""
    try:
        return re.compile(pattern, flags).search
    except (RecursionError, OverflowError, MemoryError) as error:
        raise re.error(f"it is too large: {error}") from None


def limited(work: Callable[[], Any], seconds: float) -> Any:
    """What `work` gives. Raises TooSlowError when it takes more of the processor: `re` looks for signals while it goes
    through a text."""
    if not hasattr(signal, "setitimer"):
        return work()

    def stop(*_: object) -> None:
        raise TooSlowError

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def read(path: str) -> str | None:
    """The text; None for what is none, too large, or cannot be read."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST_BYTES + 1)
    except OSError:
        return None
    if raw[:2] in _UTF16:
        return raw.decode("utf-16", "replace")
    if len(raw) > LARGEST_BYTES or 0 in raw[:_PROBE]:
        return None
    return raw.decode("utf-8-sig", "surrogateescape")


def _lines(text: str, search: Callable[[str], re.Match[str] | None]) -> list[Hit]:
    hits = []
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        found = search(line)
        if found:
            hits.append((number, _units(line[: found.start()]) + 1))
    return hits


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def ripgrep(question: dict[str, Any], files: list[tuple[int, str]]) -> Iterator[tuple[int, list[Hit] | None]]:
    """With one thread it tells the files in the order in which they are given."""
    numbers = {path: number for number, path in files}
    for batch in _batches(numbers):
        with _running(question, batch) as program:
            assert program.stdout is not None
            try:
                for path, hits in _by_file(program.stdout):
                    text = read(path)
                    if text is not None:
                        lone = _as_lines(question, text) if _CR.search(text) else []
                        yield numbers[path], lone or _characters(text, hits)
            finally:
                program.kill()
        yield numbers[batch[-1]], []


def _as_lines(question: dict[str, Any], text: str) -> list[Hit]:
    """Where a text matches whose lines some CR ends, which is none of a line's to ripgrep; nothing when that cannot be
    reported."""
    try:
        return list(limited(functools.partial(_lines, text, searching(question)), FILE_S))
    except (re.error, TooSlowError):
        return []


def _is_for_ripgrep(question: dict[str, Any]) -> bool:
    """Whether it is there and reads the pattern: Python reads what it refuses (`(?=a)`)."""
    if not question["program"]:
        return False
    try:
        with _running(question, [os.devnull]) as program:
            program.communicate()
    except OSError:
        return False
    return program.returncode == 1


def _running(question: dict[str, Any], files: list[str]) -> subprocess.Popen[bytes]:
    case = "--ignore-case" if question["ignore_case"] else "--case-sensitive"
    command = [question["program"], *_RIPGREP, case, *(["--fixed-strings"] if question["fixed"] else [])]
    command += ["--word-regexp"] if question["word"] else []
    return subprocess.Popen(
        [*command, f"--regexp={question['pattern']}", "--", *files],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _batches(files: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in files:
        size += len(path) + 1
        if batch and size > _ARGUMENTS:
            yield batch
            batch, size = [], len(path) + 1
        batch.append(path)
    if batch:
        yield batch


def _by_file(lines: Iterable[bytes]) -> Iterator[tuple[str, list[Hit]]]:
    """By file what ripgrep tells: `path NUL line:column:`; columns count bytes."""
    for path, group in itertools.groupby(_records(lines), key=lambda one: one[0]):
        places = [rest.split(b":", 2) for _, rest in group]
        yield os.fsdecode(path), [(int(place[0]), int(place[1])) for place in places]


def _records(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Path and rest. A line without a NUL is a part of a path."""
    before = b""
    for line in lines:
        path, found, rest = (before + line).partition(b"\0")
        before = b"" if found else path
        if found:
            yield path, rest


def _characters(text: str, places: list[Hit]) -> list[Hit]:
    """The same with characters for columns."""
    lines = text.split("\n")
    found = []
    for number, column in places:
        line = lines[number - 1] if number <= len(lines) else ""
        before = line.encode("utf-8", "surrogateescape")[: column - 1] if not line.isascii() else b""
        found.append((number, _units(before.decode("utf-8", "replace")) + 1 if before else column))
    return found


def _words(question: dict[str, Any]) -> None:
    try:
        search = compiled(question["pattern"])
        fitting = limited(lambda: _fitting(search, question["words"], question["most"]), WORDS_S)
    except TooSlowError:
        _tell({"wrong": _SLOW})
    except re.error as error:
        _tell({"wrong": str(error)})
    else:
        for number in fitting[: question["most"]]:
            _tell([number])
        _tell({"done": len(fitting) <= question["most"]})


def _fitting(search: Callable[[str], re.Match[str] | None], words: list[str], most: int) -> list[int]:
    found: list[int] = []
    for number, word in enumerate(words):
        if len(word) <= _LONGEST_WORD and search(word):
            found.append(number)
            if len(found) > most:
                break
    return found


if __name__ == "__main__":
    main(json.load(sys.stdin))
