"""Warm: a whole `cn` process beside other programs' starts, curl's same request, and rg for the same name.

Each round asks one more name and starts every program once, so that a change of the machine's speed meets all of them
alike. `client` is a whole `cn` process less the daemon's own time for the same question (`Server-Timing`), which is
asked right before.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.latency import workspaces
from benchmarks.latency.daemon import Daemon, cn
from benchmarks.latency.measuring import Bar, Part, percentile, spread, timed
from benchmarks.navigation.answers import files

VERBS = ("map", "find", "inspect", "search")
PARAMETERS = {"map": "filePath", "find": "query", "inspect": "targetId", "search": "query"}
COMMANDS = 300
Question = tuple[str, str, str]


def measure(work: Path, rounds: int, root: Path | None = None) -> Part:
    """rounds: calls of each verb, each of another name, file or question as long as there are some."""
    if root is None:
        root = workspaces.package("zod", "5", work)
        workspaces.commands(root, COMMANDS)
    daemon = Daemon(root)
    try:
        asked = questions(daemon, rounds)
        for verb, value, _ in asked:
            daemon.get(verb, **{PARAMETERS[verb]: value})
        times = _rounds(daemon, asked)
    finally:
        daemon.close()
    return _part(times)


def questions(daemon: Daemon, rounds: int) -> list[Question]:
    """(verb, its value, the name in it), the verbs in turn."""
    paths = [path.relative_to(daemon.root).as_posix() for path in files(daemon.root)]
    chosen = random.Random(1)
    chosen.shuffle(paths)
    rows = [row for path in paths[:60] for row in daemon.ask("map", filePath=path)["symbols"]]
    by_name = {row["name"]: row["id"] for row in rows if row["name"].isidentifier()}
    named = chosen.sample(sorted(by_name.items()), min(rounds, len(by_name)))
    of_verb = {
        "map": [(path, Path(path).stem) for path in paths],
        "find": [(name, name) for name, _ in named],
        "inspect": [(id, name) for name, id in named],
        "search": [(query, query.split()[0]) for query in workspaces.queries(rounds)],
    }
    return [
        (verb, *of_verb[verb][number % len(of_verb[verb])])
        for number in range(rounds)
        for verb in VERBS
        if of_verb[verb]
    ]


def _rounds(daemon: Daemon, asked: list[Question]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    for verb, value, name in asked:
        parameters = {PARAMETERS[verb]: value}
        programs = dict(_others(daemon, verb, parameters, name))
        took = {title: timed(command, daemon.root) for title, command in programs.items()}
        daemon_ms, _ = daemon.get(verb, **parameters)
        whole_ms = timed([cn(), verb, value], daemon.root)
        took |= {f"cn {verb}": whole_ms, f"daemon, {verb}": daemon_ms, "client": whole_ms - daemon_ms}
        for title, ms in took.items():
            times.setdefault(title, []).append(ms)
    return times


def _others(daemon: Daemon, verb: str, parameters: dict[str, str], name: str) -> Iterator[tuple[str, list[str]]]:
    yield "python -c pass", [sys.executable, "-c", "pass"]
    yield "node -e 0", ["node", "-e", "0"]
    if shutil.which("curl"):
        yield "curl, the same request", daemon.curl(verb, **parameters)
    if shutil.which("rg") and verb == "find":
        yield "rg -nw NAME", ["rg", "-nw", "--", name, "."]


def _part(times: dict[str, list[float]]) -> Part:
    order = ["python -c pass", "node -e 0", "curl, the same request", "rg -nw NAME", "client",
             *(f"cn {verb}" for verb in VERBS), *(f"daemon, {verb}" for verb in VERBS)]  # fmt: skip
    part = Part("Warm: whole processes, ms", ("", "p50", "p90", "p99", "calls"), raw={"ms": times})
    part.rows = [(title, *spread(times[title]), len(times[title])) for title in order if title in times]
    client, node, python = (percentile(times[title], 50) for title in ("client", "node -e 0", "python -c pass"))
    part.bars = [Bar("client / node -e 0", client / node, 0.45), Bar("client / bare Python", client / python, 2.5)]
    return part
