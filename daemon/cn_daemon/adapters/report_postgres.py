"""The index of reports in PostgreSQL, for many daemons over one library: the setting `reports_database`.

Both engines answer alike. The terms are made by SQLite's FTS5 here as well, so that a text and a question have the
same ones; a report's are a tsvector (weights A to D: name, title, headings, body) behind a GIN index. PostgreSQL has no
BM25, and `ts_rank` unpacks a whole vector for each word: the index alone tells which reports hold a word and about how
often (the term stands in a vector once more behind a `^` from a weight of four on, and behind two from twelve on), and
the best by that are scored as by FTS5. Of a word that more hold than a question has time for, those count that hold it
often.
Slips are corrected by the same rule, over `words`, which also holds how many reports have each common word, as of the
last time that many changed.

Who holds an advisory lock keeps the index in step with the files; the lock goes with its connection, and another daemon
then goes on.
"""

from __future__ import annotations

import contextlib
import functools
import heapq
import math
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import psycopg

from cn_daemon.adapters.file_tree import Stamp
from cn_daemon.adapters.report_database import TOKENIZER, VERSION, WEIGHTS
from cn_daemon.adapters.report_query import BUDGET, Match
from cn_daemon.adapters.report_text import ReportRow
from cn_daemon.domain.libraries.reports import Report, spelled

_VERSION = f"{VERSION}.1"
_SCHEMA = f"""
DROP SCHEMA IF EXISTS cn CASCADE;
CREATE SCHEMA cn;
CREATE TABLE cn.meta (version text, generation bigint, files bigint, tokens bigint);
CREATE TABLE cn.files (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, path text NOT NULL UNIQUE COLLATE "C", name text COLLATE "C",
  time bigint, size bigint, inode numeric, command text, spelled text COLLATE "C", title text, date text COLLATE "C",
  summary text, length integer, terms tsvector);
CREATE INDEX ON cn.files (date DESC, path);
CREATE INDEX ON cn.files (spelled, date DESC, path);
CREATE INDEX ON cn.files (name);
CREATE INDEX ON cn.files USING gin (terms) WITH (fastupdate = off);
CREATE TABLE cn.words (term text PRIMARY KEY COLLATE "C", docs integer);
INSERT INTO cn.meta VALUES ('{_VERSION}', 1, 0, 0);
"""
_REPORT = "path, command, title, date, size, time / 1e9::float8, summary, number"
# bm25's, as FTS5 has them.
_K1, _B, _LEAST_IDF = 1.2, 0.75, 1e-6
_LOCK = 0x636E_7265
# Of those that hold a word, so many are scored exactly.
_SIFTED = 300
# A word that so many reports hold is common: they are not counted again for each question.
_COMMON = 1000
# What tells about how often a report holds a term, from which weighted count on, and what that counts as.
_LEVELS = (("", 0.0, 1.5), ("^", 4.0, 6.0), ("^^", 12.0, 20.0))
# A tsvector holds a megabyte, positions up to 16383, and 256 of one term.
_LARGEST, _LAST, _MOST_PLACES, _LONGEST = 450_000, 16_383, 255, 500
_GAP = 2  # between two columns, so that no pair of words spans them
_TIMEOUT = "-c statement_timeout=30000 -c jit=off"


class PostgresPlace:
    """See `report_index.Place`. url: with a password, perhaps: it is not shown."""

    failures: tuple[type[Exception], ...] = (psycopg.Error,)
    useless: tuple[type[Exception], ...] = ()

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock: psycopg.Connection[Any] | None = None

    def __str__(self) -> str:
        try:
            return f"PostgreSQL at {urlsplit(self._url).hostname or 'this machine'}"
        except ValueError:
            return "PostgreSQL"

    def exists(self) -> bool:
        return True

    def open(self) -> PostgresDatabase:
        return PostgresDatabase(self._connect())

    def is_mine(self) -> bool:
        """Once the lock is held, it is asked for again: a connection that is gone has lost it."""
        try:
            if self._lock is None:
                self._lock = self._connect()
            (mine,) = self._lock.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone() or (False,)
        except psycopg.Error:
            self.close()
            raise
        return bool(mine)

    def writing(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def discard(self) -> None:
        """`create` begins anew."""

    def close(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(psycopg.Error):
                self._lock.close()
            self._lock = None

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            return psycopg.connect(self._url, autocommit=True, connect_timeout=5, options=_TIMEOUT)
        except psycopg.ProgrammingError:  # it would show all of what it cannot read
            raise psycopg.OperationalError("reports_database is no URL of PostgreSQL") from None


class _Branch(NamedTuple):
    """Reports that hold a phrase. held: what their weighted count of it counts as."""

    query: str
    phrase: tuple[str, ...] = ()
    held: float = 0.0


class PostgresDatabase:
    """One connection; see `report_index.Database`. Every method raises psycopg.Error."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self._terms = Terms()
        self._holders = functools.lru_cache(20_000)(self._counted)

    def close(self) -> None:
        self.connection.close()
        self._terms.close()

    def fits(self) -> bool:
        (there,) = self._row("SELECT to_regclass('cn.meta') IS NOT NULL")
        return bool(there) and self._row("SELECT version FROM cn.meta") == (_VERSION,)

    def create(self) -> None:
        with self.connection.transaction():
            self.connection.execute(_SCHEMA.encode())

    def known(self) -> dict[str, Stamp]:
        rows = self.connection.execute("SELECT path, time, size, inode FROM cn.files")
        return {path: (time, size, int(inode)) for path, time, size, inode in rows}

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        with self.connection.transaction():
            yield
            self.connection.execute("UPDATE cn.meta SET generation = generation + 1")

    def generation(self, known: int) -> int:
        return int(self._row("SELECT generation FROM cn.meta")[0])

    def put(self, row: ReportRow, mark: Stamp) -> None:
        self.remove(row.path)
        length, vector = self._terms.vector(row.columns)
        name = row.path.rpartition("/")[2]
        texts = (row.command, spelled(row.command), row.title, row.date, row.summary)
        self.connection.execute(
            "INSERT INTO cn.files "
            "(path, name, time, size, inode, command, spelled, title, date, summary, length, terms) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s::tsvector)",
            (row.path, name, *mark, *(text.replace("\0", " ") for text in texts), length, vector),
        )
        self.connection.execute("UPDATE cn.meta SET files = files + 1, tokens = tokens + %s", (length,))

    def remove(self, path: str) -> None:
        self.connection.execute(
            "WITH gone AS (DELETE FROM cn.files WHERE path = %s RETURNING length) "
            "UPDATE cn.meta SET files = files - 1, tokens = tokens - gone.length FROM gone",
            (path,),
        )

    def settle(self) -> None:
        """After many changes: what spelling correction needs, and what the planner does."""
        with self.transaction():
            self.connection.execute("SET LOCAL statement_timeout = 0")
            self.connection.execute("TRUNCATE cn.words")
            self.connection.execute(
                "INSERT INTO cn.words SELECT word, ndoc FROM ts_stat('SELECT terms FROM cn.files') "
                "WHERE ndoc >= %s OR length(word) BETWEEN 3 AND 24 AND word !~ '[0-9^]' "
                "AND ndoc > (SELECT files FROM cn.meta) / 2000",
                (_COMMON,),
            )
        self.connection.execute("ANALYZE cn.files")

    def worn(self) -> bool:
        return False

    def count(self, words: Sequence[str], most: int) -> int:
        phrase = self._phrase(tuple(words))
        return min(most, self._holders(phrase)) if phrase else 0

    def candidates(self, beginning: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        return self.connection.execute(
            "SELECT term, docs FROM cn.words WHERE term >= %s AND term < %s AND length(term) BETWEEN %s AND %s "
            "AND term !~ '[0-9]'",
            (beginning, beginning[:-1] + chr(ord(beginning[-1]) + 1), shortest, longest),
        ).fetchall()

    def search(self, match: Match, command: str, since: str, until: str, limit: int) -> list[tuple[Report, float]]:
        """The best reports with their bm25, larger is better."""
        phrases = [phrase for words in (*match.all, *match.any) if (phrase := self._phrase(tuple(words)))]
        words = dict.fromkeys(phrase for one in match.any if len(one) == 1 and (phrase := self._phrase(tuple(one))))
        every = self._query(match.all, " & ")
        if not words and not every:
            return []
        count, tokens = self._row("SELECT files, tokens FROM cn.meta")
        rarity = {phrase: _idf(self._holders(phrase), count) for phrase in {*phrases}}
        average = max(1.0, tokens / max(1, count))
        # Who holds a pair of words holds each of them.
        branches = [branch for phrase in words for branch in self._branches(phrase, every, len(words))]
        where = _where(command, since, until)
        sifted = self._sifted(branches or [_Branch(every)], rarity, average, where, max(_SIFTED, limit))
        found = self._places_of(sifted, {term for phrase in phrases for term in phrase})
        # FTS5 counts a phrase that stands twice in a question twice.
        weighed = [(phrase, rarity[phrase]) for phrase in phrases]
        scores = {at: _bm25(places, length / average, weighed) for at, (length, places) in found.items()}
        best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
        chosen = self.connection.execute(f"SELECT {_REPORT} FROM cn.files WHERE number = ANY(%s)", (best,)).fetchall()
        reports = {row[-1]: Report(*row) for row in chosen}
        return [(reports[number], scores[number]) for number in best if number in reports]

    def holding(self, words: Sequence[str], numbers: Sequence[int]) -> set[int]:
        sql = "SELECT number FROM cn.files WHERE number = ANY(%s) AND terms @@ %s::tsquery"
        query = self._query([words])
        return {number for (number,) in self.connection.execute(sql, (list(numbers), query))} if query else set()

    def listed(self, command: str, since: str, until: str, offset: int, limit: int) -> tuple[list[Report], int]:
        where, values = _where(command, since, until)
        counted = f"SELECT count(*) FROM cn.files WHERE true {where}" if where else "SELECT files FROM cn.meta"
        (total,) = self._row(counted, *values)
        rows = self.connection.execute(
            f"SELECT {_REPORT} FROM cn.files WHERE true {where} ORDER BY date DESC, path LIMIT %s OFFSET %s",
            (*values, limit, offset),
        )
        return [Report(*row) for row in rows], int(total)

    def newest(self) -> dict[str, str]:
        # From one command to the next by the index: DISTINCT would go through all reports.
        first = "SELECT spelled, command, date FROM cn.files {} ORDER BY spelled, date DESC, path LIMIT 1"
        rows = self.connection.execute(
            f"WITH RECURSIVE newest AS (({first.format('')}) UNION ALL SELECT following.* FROM newest, "
            f"LATERAL ({first.format('WHERE spelled > newest.spelled')}) AS following) SELECT command, date FROM newest"
        )
        return dict(rows.fetchall())

    def named(self, path: str) -> list[Report]:
        rows = self.connection.execute(f"SELECT {_REPORT} FROM cn.files WHERE path = %s", (path,)).fetchall()
        if not rows and "/" not in path:
            rows = self.connection.execute(
                f"SELECT {_REPORT} FROM cn.files WHERE name = %s AND path <> name ORDER BY path LIMIT 10", (path,)
            ).fetchall()
        return [Report(*row) for row in rows]

    def _branches(self, phrase: tuple[str, ...], every: str, words: int) -> list[_Branch]:
        """How the reports with these terms are asked for. every: a query that they meet as well. words: how many
        of them the question has."""
        if len(phrase) > 1:
            levels = [(phrase, _LEVELS[0][2])]
        else:
            levels = [((f"{mark}{phrase[0]}",), count) for mark, _, count in _LEVELS]
            if words == 1 and not every and self._holders(phrase) > BUDGET:
                enough = [at for at, (marked, _) in enumerate(levels) if self._holders(marked) >= _SIFTED]
                levels = levels[max(enough) :]
        joined = f" & ({every})" if every else ""
        return [_Branch(f"{_phrase_query(terms)}{joined}", phrase, count) for terms, count in levels]

    def _sifted(
        self,
        branches: Sequence[_Branch],
        rarity: Mapping[tuple[str, ...], float],
        average: float,
        where: tuple[str, Sequence[str]],
        most: int,
    ) -> list[int]:
        """The numbers of the best by the index alone."""
        one = f"FROM cn.files WHERE terms @@ %s::tsquery {where[0]}"
        rows = self.connection.execute(
            " UNION ALL ".join(f"SELECT {at}, number, length {one}" for at in range(len(branches))).encode(),
            [value for branch in branches for value in (branch.query, *where[1])],
        )
        gains: dict[tuple[tuple[str, ...], int], float] = {}
        for at, number, length in rows:
            _, phrase, weight = branches[at]
            gain = rarity.get(phrase, 0.0) * _saturated(weight, length / average)
            gains[phrase, number] = max(gain, gains.get((phrase, number), 0.0))
        scores: dict[int, float] = defaultdict(float)
        for (_, number), gain in gains.items():
            scores[number] += gain
        return heapq.nlargest(most, scores, key=lambda number: (scores[number], -number))

    def _places_of(
        self, numbers: Sequence[int], terms: Collection[str]
    ) -> dict[int, tuple[int, dict[str, list[tuple[int, float]]]]]:
        """By number, a report's length and where it holds the terms, with the weight of each place."""
        # A vector as text is read faster here than its terms become rows there.
        sql = "SELECT number, length, terms::text FROM cn.files WHERE number = ANY(%s)"
        rows = self.connection.execute(sql, (list(numbers),))
        return {number: (length, {term: _places_in(vector, term) for term in terms}) for number, length, vector in rows}

    def _counted(self, phrase: tuple[str, ...]) -> int:
        """How many reports hold these terms in a row."""
        exact = "SELECT count(*) FROM cn.files WHERE terms @@ %s::tsquery"
        common = "SELECT docs FROM cn.words WHERE term = %s AND docs >= %s"
        if len(phrase) > 1:
            return int(self._row(exact, _phrase_query(phrase))[0])
        parameters = phrase[0], _COMMON, _phrase_query(phrase)
        return int(self._row(f"SELECT coalesce(({common}), ({exact}))", *parameters)[0])

    def _query(self, phrases: Sequence[Sequence[str]], joined: str = " | ") -> str:
        found = (self._phrase(tuple(words)) for words in phrases)
        return joined.join(_phrase_query(phrase) for phrase in found if phrase)

    def _phrase(self, words: tuple[str, ...]) -> tuple[str, ...]:
        return self._terms.of(" ".join(words))

    def _row(self, sql: str, *values: Any) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self.connection.execute(sql.encode(), values).fetchone()
        assert row is not None
        return row


class Terms:
    """Texts as the terms that FTS5 makes of them."""

    def __init__(self) -> None:
        self._fts5 = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._fts5.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 "
            f"(name, title, headings, body, content = '', tokenize = \"{TOKENIZER}\")"
        )
        self._fts5.execute("CREATE VIRTUAL TABLE places USING fts5vocab (texts, instance)")
        self.of = functools.lru_cache(10_000)(self._of)

    def close(self) -> None:
        self._fts5.close()

    def _of(self, text: str) -> tuple[str, ...]:
        return tuple(term for term, _, _ in self._places((text, "", "", "")))

    def vector(self, columns: Sequence[str]) -> tuple[int, str]:
        """How many terms the columns have, and the tsvector of as many as one holds."""
        rows = self._places(columns)
        starts: dict[str, int] = {}
        places: dict[str, list[str]] = defaultdict(list)
        weights: dict[str, float] = defaultdict(float)
        last, column, size = 0, "", 0
        for term, where, offset in rows:
            if where != column:
                column, starts[where] = where, last + _GAP
            last = starts[column] + offset
            label = "ABCD"[("name", "title", "headings", "body").index(column)]
            weights[term] += WEIGHTS["ABCD".index(label)]
            if len(term) > _LONGEST or len(places[term]) >= _MOST_PLACES or last > _LAST or size > _LARGEST:
                continue
            size += len(term.encode()) + 12
            places[term].append(f"{last}{label}")
        marked = (f"{mark}{term}" for term in places for mark, least, _ in _LEVELS[1:] if weights[term] >= least)
        placed = (f"{_lexeme(term)}:{','.join(at)}" for term, at in places.items() if at)
        return len(rows), " ".join([*placed, *map(_lexeme, marked)])

    def _places(self, columns: Sequence[str]) -> list[tuple[str, str, int]]:
        """(term, column, offset) in the order of the text."""
        texts = [text.replace("\0", " ") for text in columns]
        self._fts5.execute("INSERT INTO texts (rowid, name, title, headings, body) VALUES (1, ?, ?, ?, ?)", texts)
        rows = self._fts5.execute("SELECT term, col, offset FROM places").fetchall()
        self._fts5.execute("INSERT INTO texts (texts) VALUES ('delete-all')")
        order = ("name", "title", "headings", "body")
        return sorted(rows, key=lambda row: (order.index(row[1]), row[2]))


def _bm25(
    places: Mapping[str, Sequence[tuple[int, float]]], length: float, phrases: Sequence[tuple[tuple[str, ...], float]]
) -> float:
    """length: of the text, beside the average."""
    total = 0.0
    for phrase, idf in phrases:
        begins = places.get(phrase[0], ())
        following = [{at for at, _ in places.get(term, ())} for term in phrase[1:]]
        counted = sum(weight for at, weight in begins if all(at + step in ats for step, ats in enumerate(following, 1)))
        total += idf * _saturated(counted, length)
    return total


def _saturated(weight: float, length: float) -> float:
    """bm25's share of a term, without its rarity. weight: its weighted count. length: as `_bm25`."""
    return weight * (_K1 + 1) / (weight + _K1 * (1 - _B + _B * length)) if weight else 0.0


def _places_in(vector: str, term: str) -> list[tuple[int, float]]:
    """Where a tsvector's text (`'cache':2A,7 'socket':1A`) has the term, with the weight of each place."""
    _, found, rest = f" {vector}".partition(f" {_lexeme(term)}:")
    places = rest.partition(" ")[0].split(",") if found else ()
    return [
        (int(place[:-1]), WEIGHTS["ABC".index(place[-1])]) if place[-1] in "ABC" else (int(place), WEIGHTS[3])
        for place in places
    ]


def _idf(holders: int, count: int) -> float:
    idf = math.log((max(count, holders) - holders + 0.5) / (holders + 0.5))
    return idf if idf > 0 else _LEAST_IDF


def _lexeme(term: str) -> str:
    quoted = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{quoted}'"


def _phrase_query(phrase: Sequence[str]) -> str:
    return f"({' <-> '.join(map(_lexeme, phrase))})"


def _where(command: str, since: str, until: str) -> tuple[str, Sequence[str]]:
    parts, values = "", []
    for clause, value in (("spelled = %s", command), ("date >= %s", since), ("date <= %s", until)):
        if value:
            parts += f"AND {clause} "
            values.append(value)
    return parts, values
