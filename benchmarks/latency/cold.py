"""Cold: from nothing to the first complete answer, and from a spawn to /health.

`cn find NAME`, with no daemon, beside the bare language server that is told the file and asked at the place at once
(see bare.py); both must name the same number of places. The daemon's start beside that of an empty FastAPI app: from
the spawn to the reply of /health, neither polled for.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.latency import workspaces
from benchmarks.latency.bare import Starter, sites
from benchmarks.latency.daemon import cn, stop
from benchmarks.latency.measuring import Bar, Part, since

NAMES = {"5": "tsserver 5.9", "7": "native 7.0"}
SYMBOLS = {"zod": "ZodType", "effect": "Chunk"}
RATIO = 0.6  # of what tsserver takes
ADDED_S = 0.5  # to what the native server takes
START = 1.3
EMPTY_APP = """
import sys
import uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}
uvicorn.run(app, fd=int(sys.argv[1]), log_level="warning")
"""


def measure(work: Path, rounds: int, starts: int) -> Part:
    """rounds: times each workspace is begun with; starts: times the daemon is spawned."""
    part = Part(
        "Cold: to the first complete answer, ms (medians)", ("", "bare server", "cn", "ratio", "added", "rounds")
    )
    for name, typescript in ((name, typescript) for name in SYMBOLS for typescript in ("5", "7")):
        _find(part, workspaces.package(name, typescript, work), typescript, SYMBOLS[name], rounds, name)
    _spawn(part, workspaces.package("zod", "5", work), starts)
    return part


def _find(part: Part, root: Path, typescript: str, symbol: str, rounds: int, name: str) -> None:
    starter = Starter(root, typescript)
    command = [cn(), "find", symbol, "--limit", "0", "--json"]
    found = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)
    places = sites(root, found)
    rows = []
    for _ in range(rounds):
        stop(root)
        began = time.perf_counter()
        bare = starter.start()
        for path, _, _ in places:
            bare.open(path)
        number = bare.references(places)
        bare_ms = since(began)
        bare.close()
        began = time.perf_counter()
        told = subprocess.run(command, cwd=root, check=True, capture_output=True)  # 3 when partial: an error here
        rows.append((bare_ms, since(began)))
        total = json.loads(told.stdout)["total"]
        if total + len(places) != number:
            raise SystemExit(
                f"{name}, TypeScript {typescript}: {symbol} has {total} references, the server says {number}"
            )
    stop(root)
    own, ours = (median(row[column] for row in rows) for column in (0, 1))
    title = f"{name}, {NAMES[typescript]}: find {symbol}"
    part.rows.append((title, own, ours, f"{ours / own:.2f}", ours - own, rounds))
    part.raw[title] = rows
    if typescript == "5":
        part.bars.append(Bar(f"{title}: cn / bare", ours / own, RATIO))
    else:
        part.bars.append(Bar(f"{title}: added", (ours - own) / 1000, ADDED_S, "s"))


def _spawn(part: Part, root: Path, starts: int) -> None:
    stop(root)
    rows = [(_empty_app(), _daemon(root)) for _ in range(starts + 1)][1:]
    own, ours = (median(row[column] for row in rows) for column in (0, 1))
    part.rows.append(
        ("spawn to /health, beside an empty FastAPI app", own, ours, f"{ours / own:.2f}", ours - own, starts)
    )
    part.raw["spawn"] = rows
    part.bars.append(Bar("daemon / empty FastAPI app, spawn to /health", ours / own, START))


def _empty_app() -> float:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", EMPTY_APP, str(listener.fileno())], pass_fds=[listener.fileno()]
        )
        try:
            _health(port)
            return since(began)
        finally:
            process.kill()
            process.wait()


def _daemon(root: Path) -> float:
    reading, writing = os.pipe()
    began = time.perf_counter()
    command = [sys.executable, "-m", "cn_daemon", "--root", str(root), "--ready-fd", str(writing)]
    process = subprocess.Popen(command, pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as told:
            told.readline()
        _health(json.loads((root / ".cn-daemon.json").read_text("utf-8"))["port"])
        return since(began)
    finally:
        stop(root)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)


def _health(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/health")
    assert connection.getresponse().status == 200
    connection.close()
