"""Growth: find and search while the workspace grows tenfold and a hundredfold, and memory over many calls.

Every name is used in as many places whatever the size, so that what grows is the workspace and not the answer. The
three workspaces are asked in turn, each by a warm daemon of its own, and beside it a language server alone for the
references of the same symbol: what grows there is not ours. Memory is the daemon's own, without its language
server's, over calls of all verbs and many names.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.latency import workspaces
from benchmarks.latency.bare import Bare, Starter, sites
from benchmarks.latency.daemon import Daemon
from benchmarks.latency.measuring import Bar, Part, percentile, since

SIZES = (50, 500, 5000)
ASKED = 60
MEMORY = 1.05
# Names are drawn at random: only by then has nearly every file been asked about, and its text and outline been kept.
SETTLED = 0.5


def measure(work: Path, calls: int) -> Part:
    """calls: over which memory is watched."""
    head = ("", *(f"{size:,} files, p50" for size in SIZES), *(f"{size:,}, p90" for size in SIZES))
    part = Part("Growth: the daemon's own time, ms; its memory, MB", head)
    daemons: list[Daemon] = []
    servers: list[Bare] = []
    try:
        for size in SIZES:
            root = workspaces.grown(size, "7", work)
            daemons.append(Daemon(root))
            servers.append(Starter(root, "7").start())
        for title, times in (
            ("find", _in_turn(daemons, "find")),
            ("references, the language server alone", _alone(daemons, servers)),
            ("search", _in_turn(daemons, "search")),
        ):
            part.rows.append((title, *(percentile(of_one, number) for number in (50, 90) for of_one in times)))
            part.raw[title] = dict(zip(map(str, SIZES), times, strict=True))
        _memory(part, daemons[1], calls)
    finally:
        for server in servers:
            server.close()
        for daemon in daemons:
            daemon.close()
    return part


def _in_turn(daemons: list[Daemon], verb: str) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in daemons]
    chosen = random.Random(4)
    for daemon in daemons:  # whatever is read once is read
        for query in ("task1", "task7"):
            daemon.get(verb, query=query)
    for number, phrase in zip(range(ASKED), workspaces.queries(ASKED), strict=True):
        for daemon, size, taken in zip(daemons, SIZES, times, strict=True):
            query = f"task{chosen.randrange(size)}" if verb == "find" else phrase
            if verb == "find" and number == 0:
                found = daemon.ask("find", query=query)
                assert (found["total"], found["completeness"]["status"]) == (6, "complete"), found
            taken.append(daemon.get(verb, query=query)[0])
    return times


def _alone(daemons: list[Daemon], servers: list[Bare]) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in servers]
    chosen = random.Random(4)
    for number in range(ASKED + 2):
        for daemon, server, size, taken in zip(daemons, servers, SIZES, times, strict=True):
            places = sites(daemon.root, daemon.ask("find", query=f"task{chosen.randrange(size)}", mode="definition"))
            server.open(places[0][0])
            began = time.perf_counter()
            server.references(places)
            if number > 1:  # the first ones load the project
                taken.append(since(began))
    return times


def _memory(part: Part, daemon: Daemon, calls: int) -> None:
    questions = _questions()
    settled = int(calls * SETTLED)
    seen: list[float] = []
    for number in range(1, calls + 1):
        verb, parameters = next(questions)
        daemon.get(verb, **parameters)
        if number >= settled and number % max(1, calls // 100) == 0:
            seen.append(daemon.memory_mb())
    # Single readings go up and down with the garbage of the last answer.
    first, last = (sum(some) / len(some) for some in (seen[:10], seen[-10:]))
    part.rows.append((f"memory after {settled:,} and {calls:,} calls", first, last, *[""] * 4))
    part.raw["memory_mb"] = seen
    part.bars.append(Bar(f"memory after {calls:,} calls / after {settled:,}", last / first, MEMORY))


def _questions() -> Iterator[tuple[str, dict[str, str]]]:
    chosen = random.Random(5)
    phrases = workspaces.queries(ASKED)
    while True:
        number = chosen.randrange(SIZES[1])
        path = f"src/area{number // 100}/part{number}.ts"
        yield "find", {"query": f"task{number}"}
        yield "map", {"filePath": path}
        yield "inspect", {"targetId": f"{path}#task{number}"}
        yield "search", {"query": chosen.choice(phrases)}
