"""A library of any size, the same each time: words of our own by Zipf's law, so that a question meets common words and
rare ones, as in texts that people write."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import psycopg

from cn_daemon.adapters.report_postgres import Terms
from cn_daemon.adapters.report_text import report_row
from cn_daemon.domain.libraries.reports import spelled

_WORDS = 60_000
_COMMANDS = tuple("triage audit review load-test incident migration cost-report release accessibility backup".split())
_FIRST_DAY, _DAYS = date(2019, 1, 1), 2500
# What Mandelbrot adds to a word's rank: the commonest is then one of a hundred words, as of those that tell.
_SHIFT = 20
_TEXTS = 20_000
_JOINED = """
INSERT INTO cn.files (path, name, time, size, inode, command, spelled, title, date, summary, length, terms)
SELECT replace(head.path, '.md', '-' || at || '.md'), replace(head.name, '.md', '-' || at || '.md'), head.time,
  head.size + body.size, at, head.command, head.spelled, head.title, head.date, body.summary, head.length + body.length,
  head.terms || body.terms
FROM generate_series(0, %s - 1) AS at
JOIN heads AS head ON head.number = at %% %s JOIN bodies AS body ON body.number = (at * 13 + at / %s) %% %s
"""


class Library:
    """Reports by number; a report is a head (title, heading) and a body. words: the commonest first; none has an ending
    that a stemmer takes off."""

    def __init__(self) -> None:
        syllables = [a + b for a in "bdfgklmnprtvz" for b in "aeiou"]
        endings = [a + b for a in "aeou" for b in "kpxb"]
        words = ["".join(parts) for parts in itertools.product(syllables, syllables, endings)]
        random.Random(1).shuffle(words)
        self._rank = {word: rank for rank, word in enumerate(words[:_WORDS])}
        self._words = list(self._rank)
        self._weights = list(itertools.accumulate(1 / (rank + _SHIFT) for rank in range(len(self._words))))

    def head(self, number: int) -> tuple[str, str]:
        """The path of a report below the reports' folder, and the text that its title and heading are."""
        words = self._some(f"head {number}", 8)
        command, day = _COMMANDS[number % len(_COMMANDS)], _FIRST_DAY + timedelta(days=number * 7919 % _DAYS)
        text = f"# {' '.join(words[:5]).title()}\n\n## {' '.join(words[5:]).title()}\n"
        return f"{command}-reports/{day.year}/{day}-{words[0]}-{number}.md", text

    def body(self, number: int) -> str:
        words = self._some(f"body {number}", 75)
        return f"{' '.join(words[:20]).capitalize()}.\n\n{' '.join(words[20:]).capitalize()}.\n"

    def write(self, folder: Path, reports: int, commands: int) -> None:
        """Both as files, in `Reports` and `Commands` of the folder."""
        for number in range(reports):
            path, text = self.head(number)
            _write(folder / "Reports" / path, f"{text}\n{self.body(number)}")
        for number in range(commands):
            _, text = self.head(-1 - number)
            name = "-".join(text.split()[1:4]).lower()
            _write(folder / "Commands" / f"{name}.md", f"{text}\n{self.body(-1 - number)}")

    def load(self, connection: psycopg.Connection, reports: int) -> None:
        """So many into an index that was created, without files: any head with any body, put together there."""
        terms = Terms()
        with connection.transaction():
            connection.execute("SET LOCAL statement_timeout = 0")
            connection.execute("SET LOCAL maintenance_work_mem = '1GB'")
            connection.execute("DROP INDEX cn.files_terms_idx")
            for table, of_body in (("heads", False), ("bodies", True)):
                connection.execute(f"CREATE TEMP TABLE {table} (LIKE cn.files)".encode())
                with connection.cursor().copy(f"COPY {table} FROM STDIN".encode()) as copy:
                    for number in range(_TEXTS):
                        path, text = self.head(number)
                        text = self.body(number) if of_body else text
                        row = report_row(path, text, (10**18, len(text), number))
                        columns = ("", "", "", row.columns[3]) if of_body else row.columns
                        length, vector = terms.vector(columns)
                        mark = 10**18, len(text), number
                        told = row.command, spelled(row.command), row.title, row.date, row.summary
                        copy.write_row((number, path, path.rpartition("/")[2], *mark, *told, length, vector))
            connection.execute(_JOINED, (reports, _TEXTS, _TEXTS, _TEXTS))
            connection.execute("CREATE INDEX files_terms_idx ON cn.files USING gin (terms) WITH (fastupdate = off)")
            connection.execute("UPDATE cn.meta SET files = %s, tokens = (SELECT sum(length) FROM cn.files)", (reports,))
        terms.close()

    def questions(self, count: int, reports: int, texts: int = _TEXTS) -> Iterator[str]:
        """What somebody asks who has read one of the reports: words of it, mostly those that tell. One in ten is a
        single word; one in ten names the month, one in ten the command."""
        chance = random.Random(7)
        for number in range(count):
            at = chance.randrange(reports)
            path, head = self.head(at % texts)
            body = self.body((at * 13 + at // texts) % texts)
            words = sorted({*head.lower().split(), *body.lower().replace(".", "").split()} & self._rank.keys(),
                           key=self._rank.__getitem__)  # fmt: skip
            told = words[len(words) // 3 :]
            asked = chance.sample(told, 1 if number % 10 == 0 else chance.randint(2, 5))
            further = {1: path.rpartition("/")[2][:7], 2: path.partition("/")[0]}.get(number % 10, "")
            yield " ".join([*asked, further]).strip()

    def _some(self, seed: str, count: int) -> list[str]:
        return random.Random(seed).choices(self._words, cum_weights=self._weights, k=count)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
