"""What the daemon adds: its own time for a question beside the language server's for the same one.

Two servers of one kind stand side by side over one workspace, both warm: the daemon's, and one that is asked without
`cn` at the declarations that `cn` found. References are compared whole (`limit=0`) and in number; where the numbers
differ from each other the question is left out, and counted. With 10,000 references the ratio is what counts.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from benchmarks.latency import workspaces
from benchmarks.latency.bare import Bare, Starter, sites
from benchmarks.latency.daemon import Daemon
from benchmarks.latency.measuring import Bar, Part, percentile, since
from benchmarks.navigation.answers import files

ADDED_MS = 5.0
MANY = 1.5
NAMES = {"5": "tsserver 5.9", "7": "native 7.0"}


def measure(work: Path, names: int, rounds: int) -> Part:
    """names: different questions of each kind; rounds: times that the one with many answers is asked."""
    head = ("", "server p50", "server p90", "daemon p50", "daemon p90", "added p50", "asked", "of another number")
    part = Part("Added: the daemon's time beside the server's own, ms", head)
    for typescript in ("5", "7"):
        _plain(part, work, typescript, names)
    for typescript in ("5", "7"):
        _many(part, work, typescript, rounds)
    return part


def _plain(part: Part, work: Path, typescript: str, names: int) -> None:
    root = workspaces.package("zod", typescript, work)
    starter = Starter(root, typescript)
    daemon, bare = Daemon(root), starter.start()
    try:
        for title, rows, other in (_find(daemon, bare, names), _map(daemon, bare, names)):
            own, ours = ([row[column] for row in rows] for column in (0, 1))
            added = percentile([mine - theirs for theirs, mine in rows], 50)
            name = f"{title}, {NAMES[typescript]}"
            spreads = [percentile(times, number) for times in (own, ours) for number in (50, 90)]
            part.rows.append((name, *spreads, added, len(rows), other))
            part.raw[name] = rows
            part.bars.append(Bar(f"{name}: added at p50", added, ADDED_MS, "ms"))
    finally:
        bare.close()
        daemon.close()


def _find(daemon: Daemon, bare: Bare, names: int) -> tuple[str, list[tuple[float, float]], int]:
    rows, other = [], 0
    for name in _names(daemon, names):
        found = daemon.ask("find", query=name, limit=0)  # warm: texts and outlines are read
        if found.get("definition") is None:
            continue
        places = sites(daemon.root, found)
        for path, _, _ in places:
            bare.open(path)
        bare.references(places)
        began = time.perf_counter()
        number = bare.references(places)
        own_ms = since(began)
        daemon_ms, _ = daemon.get("find", query=name, limit=0)
        if number != found["total"] + len(places):
            other += 1
        else:
            rows.append((own_ms, daemon_ms))
    return "find", rows, other


def _map(daemon: Daemon, bare: Bare, names: int) -> tuple[str, list[tuple[float, float]], int]:
    rows = []
    for path in random.Random(2).sample(files(daemon.root), names):
        relative = path.relative_to(daemon.root).as_posix()
        bare.open(path)
        bare.outline(path)
        daemon.get("map", filePath=relative)
        began = time.perf_counter()
        bare.outline(path)
        rows.append((since(began), daemon.get("map", filePath=relative)[0]))
    return "map", rows, 0


def _names(daemon: Daemon, count: int) -> list[str]:
    chosen = random.Random(3)
    paths = chosen.sample(files(daemon.root), 60)
    outlines = [daemon.ask("map", filePath=path.relative_to(daemon.root).as_posix()) for path in paths]
    names = {row["name"] for outline in outlines for row in outline["symbols"] if row["name"].isidentifier()}
    return chosen.sample(sorted(names), min(count, len(names)))


def _many(part: Part, work: Path, typescript: str, rounds: int) -> None:
    root = workspaces.many_uses(typescript, work)
    starter = Starter(root, typescript)
    daemon, bare = Daemon(root), starter.start()
    rows: list[tuple[float, float]] = []
    try:
        found: dict[str, Any] = daemon.ask("find", query="shared", limit=0)
        places = sites(root, found)
        bare.open(places[0][0])
        bare.references(places)
        number = 0
        for _ in range(rounds):
            began = time.perf_counter()
            number = bare.references(places)
            rows.append((since(began), daemon.get("find", query="shared", limit=0)[0]))
    finally:
        bare.close()
        daemon.close()
    assert number == found["total"] + 1 == 10_001, (number, found["total"])
    own, ours = ([row[column] for row in rows] for column in (0, 1))
    name = f"find, 10,000 references, {NAMES[typescript]}"
    spreads = [percentile(times, number) for times in (own, ours) for number in (50, 90)]
    part.rows.append((name, *spreads, spreads[2] - spreads[0], len(rows), 0))
    part.raw[name] = rows
    part.bars.append(Bar(f"{name}: daemon / server", spreads[2] / spreads[0], MANY))
