"""The index of reports on disk: SQLite with FTS5, in the user's cache folder. Blocking; one connection a thread.

A changed report gets a new number and its old row stays in the text index, where nothing joins it any more: a
contentless FTS5 table cannot delete without the old text. When such rows are many, the index is built anew.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from cn_daemon.adapters.file_tree import Stamp
from cn_daemon.adapters.report_query import Match
from cn_daemon.adapters.report_text import ReportRow
from cn_daemon.domain.libraries.reports import Report, spelled
from cn_shared import process

# Whatever changes in here, in `report_text` or in the way words are formed: count up, and every index is rebuilt.
VERSION = "2"
# bm25 weights of name (with command and date), title (with frontmatter), headings, body.
WEIGHTS = (10.0, 6.0, 4.0, 1.0)
TOKENIZER = "porter unicode61 remove_diacritics 2"
_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE files (
  number INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, time INTEGER, size INTEGER, inode INTEGER,
  command TEXT, spelled TEXT, title TEXT, date TEXT, summary TEXT);
CREATE INDEX files_by_date ON files (date DESC, path);
CREATE INDEX files_by_command ON files (spelled, date DESC, path);
CREATE VIRTUAL TABLE terms USING fts5 (
  name, title, headings, body, content = '', tokenize = "{TOKENIZER}");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (terms, row);
CREATE TABLE words (term TEXT PRIMARY KEY, docs INTEGER) WITHOUT ROWID;
INSERT INTO terms (terms, rank) VALUES ('rank', 'bm25({", ".join(map(str, WEIGHTS))})');
INSERT INTO meta VALUES ('version', '{VERSION}');
"""
_REPORT = (
    "files.path, files.command, files.title, files.date, files.size, files.time / 1e9, files.summary, files.number"
)
_ONE_BY_ONE = 100
_LEAST_DEAD, _DEAD_SHARE = 500, 0.5
_CACHE_KIB = 8192
_BUSY_S = 10


class Database:
    """One connection. Every method raises sqlite3.Error; DatabaseError means that the file is of no use."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.connection = sqlite3.connect(file, timeout=_BUSY_S, check_same_thread=False, isolation_level=None)
        try:
            self.connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")  # a lost index is built again
        except sqlite3.Error:
            self.connection.close()
            raise

    def close(self) -> None:
        self.connection.close()

    def fits(self) -> bool:
        """Whether the file holds an index of this version."""
        try:
            rows = self.connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchall()
        except sqlite3.OperationalError:
            return False
        return rows == [(VERSION,)]

    def create(self) -> None:
        self.connection.executescript(f"BEGIN;{_SCHEMA}COMMIT;")

    def known(self) -> dict[str, Stamp]:
        """Every report's path, with what its file was like when it was indexed."""
        rows = self.connection.execute("SELECT path, time, size, inode FROM files")
        return {path: (time, size, inode) for path, time, size, inode in rows}

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def put(self, row: ReportRow, mark: Stamp) -> None:
        self.remove(row.path)
        number = self.connection.execute(
            "INSERT INTO files (path, time, size, inode, command, spelled, title, date, summary) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row.path, *mark, row.command, spelled(row.command), row.title, row.date, row.summary),
        ).lastrowid
        self.connection.execute("INSERT INTO terms (rowid, name, title, headings, body) VALUES (?, ?, ?, ?, ?)",
                                (number, *row.columns))  # fmt: skip

    def remove(self, path: str) -> None:
        self.connection.execute("DELETE FROM files WHERE path = ?", (path,))

    def settle(self) -> None:
        """After many changes: what spelling correction needs, and the text index in one piece."""
        with self.transaction():
            self.connection.execute("DELETE FROM words")
            # In a large library a word that one report holds is as likely a slip itself.
            self.connection.execute(
                "INSERT INTO words SELECT term, doc FROM vocabulary WHERE length(term) BETWEEN 3 AND 24 "
                "AND doc > (SELECT count(*) FROM files) / 2000 AND term NOT GLOB '*[0-9]*'"
            )
            self.connection.execute("INSERT INTO terms (terms) VALUES ('optimize')")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def worn(self) -> bool:
        """Whether so much of the text index is of former files that it should be built anew."""
        (last,) = self.connection.execute("SELECT ifnull(max(seq), 0) FROM sqlite_sequence").fetchone()
        (living,) = self.connection.execute("SELECT count(*) FROM files").fetchone()
        return bool(last - living > max(_LEAST_DEAD, _DEAD_SHARE * living))

    def generation(self, known: int) -> int:
        return known

    def count(self, words: Sequence[str], most: int) -> int:
        """How many reports hold these words in a row, at most `most`."""
        (count,) = self.connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ?)", (_quoted(words), most)
        ).fetchone()
        return int(count)

    def candidates(self, beginning: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """The stems of the library with that beginning and length, and how many reports hold each."""
        return self.connection.execute(
            "SELECT term, docs FROM words WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
            (beginning, beginning[:-1] + chr(ord(beginning[-1]) + 1), shortest, longest),
        ).fetchall()

    def search(self, match: Match, command: str, since: str, until: str, limit: int) -> list[tuple[Report, float]]:
        """The best reports with their bm25, larger is better."""
        where, values = _where(command, since, until)
        rows = self.connection.execute(
            f"SELECT {_REPORT}, -terms.rank FROM terms JOIN files ON files.number = terms.rowid "
            f"WHERE terms MATCH ? {where} ORDER BY terms.rank LIMIT ?",
            (_expression(match), *values, limit),
        )
        return [(Report(*row[:-1]), row[-1]) for row in rows]

    def holding(self, words: Sequence[str], numbers: Sequence[int]) -> set[int]:
        """Those of the reports that hold these words in a row."""
        match = _quoted(words)
        if len(numbers) > _ONE_BY_ONE:
            marks = ",".join("?" * len(numbers))
            rows = self.connection.execute(
                f"SELECT rowid FROM terms WHERE terms MATCH ? AND rowid IN ({marks})", (match, *numbers)
            )
            return {number for (number,) in rows}
        # FTS5 seeks a single row; with a list of them it goes through all that hold the word.
        one = "SELECT 1 FROM terms WHERE terms MATCH ? AND rowid = ?"
        return {number for number in numbers if self.connection.execute(one, (match, number)).fetchone()}

    def listed(self, command: str, since: str, until: str, offset: int, limit: int) -> tuple[list[Report], int]:
        where, values = _where(command, since, until)
        (total,) = self.connection.execute(f"SELECT count(*) FROM files WHERE 1 {where}", values).fetchone()
        rows = self.connection.execute(
            f"SELECT {_REPORT} FROM files WHERE 1 {where} ORDER BY date DESC, path LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        return [Report(*row) for row in rows], int(total)

    def newest(self) -> dict[str, str]:
        return dict(self.connection.execute("SELECT command, max(date) FROM files GROUP BY spelled"))

    def named(self, path: str) -> list[Report]:
        """The reports with this path, else with this file name."""
        rows = self.connection.execute(f"SELECT {_REPORT} FROM files WHERE path = ?", (path,)).fetchall()
        if not rows and "/" not in path:
            escaped = path.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            rows = self.connection.execute(
                f"SELECT {_REPORT} FROM files WHERE path LIKE ? ESCAPE '\\' LIMIT 10", (f"%/{escaped}",)
            ).fetchall()
        return [Report(*row) for row in rows]


def _where(command: str, since: str, until: str) -> tuple[str, Sequence[str]]:
    parts, values = "", []
    for clause, value in (("spelled = ?", command), ("date >= ?", since), ("date <= ?", until)):
        if value:
            parts += f"AND files.{clause} "
            values.append(value)
    return parts, values


def _quoted(words: Sequence[str]) -> str:
    return '"' + " ".join(words).replace('"', "") + '"'


def _expression(match: Match) -> str:
    some, every = " OR ".join(map(_quoted, match.any)), " AND ".join(map(_quoted, match.all))
    return f"({every}) AND ({some})" if some and every else some or every


class SqliteFile:
    """Where an index lies; see `report_index.Place`."""

    failures: tuple[type[Exception], ...] = (sqlite3.Error,)
    useless: tuple[type[Exception], ...] = (sqlite3.DatabaseError,)

    def __init__(self, file: Path) -> None:
        self.file = file

    def __str__(self) -> str:
        return str(self.file)

    def exists(self) -> bool:
        return self.file.exists()

    def open(self) -> Database:
        return Database(self.file)

    def is_mine(self) -> bool:
        return True

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Alone among all daemons that share this index. The lock goes with the process that holds it."""
        descriptor = os.open(self.file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            process.lock(descriptor)
            yield
        finally:
            os.close(descriptor)

    def discard(self) -> None:
        """Remove an index that is of no use."""
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{self.file}{ending}")

    def close(self) -> None:
        pass
