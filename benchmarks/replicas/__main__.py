"""python -m benchmarks.replicas: two `cn serve` over one index in PostgreSQL, one of which is killed; and how long a
question takes over very many reports. See README.md in this folder."""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil
from tests.postgres import Server, running

from benchmarks.replicas.library import Library
from benchmarks.replicas.replica import Question, Replica
from cn_daemon.adapters.report_postgres import PostgresPlace

COMMANDS, QUESTIONS = 300, 1000


class Asked(NamedTuple):
    """One request: what came of it, how long it took, and whether one replica was gone by then."""

    outcome: str
    took_s: float
    alone: bool


class Load:
    """Clients that ask one question after the other, each time the next replica; one that does not answer is left out
    from then on, as a balancer's health check has it. A request that failed is not sent again."""

    def __init__(self, replicas: Sequence[Replica], expected: dict[Question, bytes], requests: int) -> None:
        self.asked: list[Asked] = []
        self._replicas = replicas
        self._gone: set[int] = set()
        self._expected = expected
        self._due = iter(list(itertools.islice(itertools.cycle(expected), requests)))
        self._turn = itertools.count()
        self._lock = threading.Lock()

    def run(self, clients: int, at: int, then: Callable[[], None]) -> float:
        """Seconds. then: called once `at` requests are answered."""
        began = time.monotonic()
        threads = [threading.Thread(target=self._client, daemon=True) for _ in range(clients)]
        for thread in threads:
            thread.start()
        while len(self.asked) < at:
            time.sleep(0.01)
        then()
        for thread in threads:
            thread.join()
        return time.monotonic() - began

    def _client(self) -> None:
        with contextlib.ExitStack() as stack:
            connections = [stack.enter_context(replica.client()) for replica in self._replicas]
            while True:
                with self._lock:
                    question = next(self._due, None)
                    number = next(self._turn) % len(connections)
                    alone = bool(self._gone)
                    if number in self._gone:
                        number = 1 - number
                if question is None:
                    return
                began = time.monotonic()
                try:
                    answer, whole = connections[number].ask(question)
                    outcome = "right" if answer == self._expected[question] else "wrong"
                    outcome = outcome if whole else f"{outcome}, said to be partial"
                except (OSError, http.client.HTTPException) as error:
                    outcome = f"error {type(error).__name__}"
                    with self._lock:
                        self._gone.add(number)
                with self._lock:
                    self.asked.append(Asked(outcome, time.monotonic() - began, alone))


def two_replicas(reports: int, clients: int, requests: int, work: Path) -> None:
    library = Library()
    library.write(work / "library", reports, COMMANDS)
    with _index() as index, contextlib.ExitStack() as stack:
        replicas = []
        for name in ("first", "second"):
            replicas.append(Replica(name, work / "library", index.url, work))
            stack.callback(replicas[-1].stop)
            replicas[-1].wait()  # the first one holds the index
        texts = library.questions(QUESTIONS, reports, reports)
        verbs = itertools.cycle(("reports/search", "reports/search", "reports/search", "search"))
        questions = [Question(verb, text) for verb, text in zip(verbs, texts, strict=False)]
        with replicas[0].client() as first, replicas[1].client() as second:
            expected = {question: first.ask(question)[0] for question in questions}
            differ = sum(second.ask(question)[0] != answer for question, answer in expected.items())
        print(f"{len(expected)} questions, {differ} of them answered otherwise by the second replica", flush=True)
        load = Load(replicas, expected, requests)
        spent = replicas[1].cpu_s()
        took = load.run(clients, requests * 2 // 5, replicas[0].kill)
        print(_told(load.asked, took), flush=True)
        print(f"the second replica: {replicas[1].cpu_s() - spent:.0f} s of processor, {replicas[1].memory_mb():.0f} MB")
        (work / "library" / "Reports" / "late-reports").mkdir()
        (work / "library" / "Reports" / "late-reports" / "a.md").write_text("# Quixotic windmill\n")
        with replicas[1].client() as client:
            found = b"late-reports" in client.ask(Question("reports/search", "quixotic windmill"))[0]
        print(f"a report that was written after that: {'found' if found else 'NOT FOUND'}")


def one_library(reports: int, requests: int, clients: int, work: Path) -> None:
    """The replicas only read: the benchmark holds the index, as another daemon would."""
    library = Library()
    library.write(work / "library", 0, 0)
    (work / "library" / "Reports").mkdir(parents=True)
    (work / "library" / "Commands").mkdir()
    with _index() as index:
        place = PostgresPlace(index.url)
        assert place.is_mine()
        began = time.monotonic()
        with contextlib.closing(place.open()) as database:
            database.create()
            library.load(database.connection, reports)
            database.settle()
            (size,) = database.connection.execute("SELECT pg_total_relation_size('cn.files') / 1e9").fetchone() or (0,)
        print(f"{reports} reports, an index of {size:.1f} GB, in {time.monotonic() - began:.0f} s", flush=True)
        replica = Replica("reader", work / "library", index.url, work)
        try:
            replica.wait()
            questions = [Question("reports/search", text) for text in library.questions(2 * requests, reports)]
            for number, part in ((1, questions[:requests]), (clients, questions[requests:])):
                load = Load([replica, replica], dict.fromkeys(part, b""), len(part))
                servers, spent = _spent_s(index.pid()), replica.cpu_s()
                took = load.run(number, 0, lambda: None)
                own, theirs = (replica.cpu_s() - spent) / len(part), (_spent_s(index.pid()) - servers) / len(part)
                print(f"{number} clients: {_times([one.took_s for one in load.asked])}, "
                      f"{len(part) / took:.0f} a second; processor a question: {own * 1000:.1f} ms, PostgreSQL "
                      f"{theirs * 1000:.1f} ms; {replica.memory_mb():.0f} MB", flush=True)  # fmt: skip
        finally:
            replica.stop()
            place.close()


@contextlib.contextmanager
def _index() -> Iterator[Server]:
    with running() as server:
        if server is None:
            raise SystemExit("There is no PostgreSQL (Debian: apt install postgresql).")
        yield server


def _spent_s(postmaster: int) -> float:
    """Seconds of processor of a PostgreSQL server and all that it started."""
    server = psutil.Process(postmaster)
    ended = server.cpu_times()
    processes = [process.cpu_times() for process in (server, *server.children())]
    return float(sum(one.user + one.system for one in processes) + ended.children_user + ended.children_system)


def _told(asked: Sequence[Asked], took: float) -> str:
    outcomes = Counter(one.outcome for one in asked)
    failed = sum(count for outcome, count in outcomes.items() if outcome.startswith("error"))
    lines = [f"{len(asked)} requests in {took:.0f} s: {dict(outcomes)}; uptime {100 * (1 - failed / len(asked)):.2f} %"]
    for name, alone in (("both", False), ("one alone", True)):
        lines.append(f"{name}: {_times([one.took_s for one in asked if one.alone == alone])}")
    return "\n".join(lines)


def _times(times: Sequence[float]) -> str:
    ordered = sorted(times) or [0.0]
    p50, p99 = (1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.99))
    return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replicas", description=__doc__)
    parser.add_argument("--reports", type=int, default=5000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--large", type=int, metavar="REPORTS", help="one replica that reads, over so many")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cn-replicas-") as work:
        if chosen.large:
            one_library(chosen.large, min(chosen.requests, 500), 4, Path(work))
        else:
            two_replicas(chosen.reports, chosen.clients, chosen.requests, Path(work))


if __name__ == "__main__":
    main()
