"""What an index costs: time to build and to open again, size, memory, and the time of a question.

Each library is measured in a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from benchmarks.search.material import Material
from benchmarks.search.quality import call, services
from cn_daemon.adapters import memory as process_memory

ROUNDS = 3


def measured(material: Material, cache: Path, root: Path) -> list[dict[str, Any]]:
    """First with no index, then with the index that is there: a daemon that starts again."""
    job = {
        "material": [str(material.commands), str(material.reports), str(material.catalogs or "")],
        "queries": [[query.corpus, query.query] for query in material.queries],
        "cache": str(cache),
        "root": str(root),
    }
    return [_process(job) for _ in range(2)]


def _process(job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.search.cost"],
        input=json.dumps(job),
        text=True,
        capture_output=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


async def _measure(job: dict[str, Any]) -> dict[str, Any]:
    # What a daemon holds besides: its server, its client of language servers.
    import fastapi
    import pygls.lsp.client
    import uvicorn

    assert all((fastapi, pygls, uvicorn))
    commands, reports, catalogs = job["material"]
    material = Material(Path(commands), Path(reports), Path(catalogs) if catalogs else None, {}, [])
    before = psutil.Process().memory_info().rss
    began, spent = time.perf_counter(), time.process_time()
    behind = services(Path(job["root"]), material, Path(job["cache"]))
    libraries = await behind.library.get()
    library, store = libraries._library, libraries._store
    await library.warm()
    commands_s = time.perf_counter() - began
    await store.refresh(time.monotonic() + 36_000)
    ready_s, ready_cpu_s = time.perf_counter() - began, time.process_time() - spent
    process_memory.settle()  # as the daemon does once everything is read
    times: dict[str, list[tuple[float, float]]] = {"commands": [], "reports": [], "repeated": []}
    for number in range(ROUNDS):
        for corpus, query in job["queries"]:
            verb = "reports search" if corpus == "reports" else "search"
            # Another wording each round: a repeated question is answered from memory.
            text = f"{query} {'and or the'.split()[number]}"
            times["reports" if corpus == "reports" else "commands"].append(await _timed(behind, verb, text))
            if corpus != "reports":
                times["repeated"].append(await _timed(behind, verb, text))
    memory = psutil.Process().memory_info().rss
    files = [*Path(job["cache"]).glob("*.sqlite*"), *Path(job["cache"]).glob("*.index")]
    await behind.close()
    return {
        "commands": len(library.commands()),
        "commands_s": commands_s,
        "ready_s": ready_s,
        "ready_cpu_s": ready_cpu_s,
        "index_mb": sum(file.stat().st_size for file in files) / 1e6,
        "memory_mb": memory / 1e6,
        "own_mb": (memory - before) / 1e6,
        **{name: value for verb, pairs in times.items() for name, value in _summary(verb, pairs).items()},
    }


def _summary(verb: str, pairs: list[tuple[float, float]]) -> dict[str, float]:
    """wall: as it was waited for. cpu: of all threads, which a busy machine does not change."""
    wall, cpu = ([pair[at] for pair in pairs] for at in (0, 1))
    return {
        f"{verb}_wall_p50_ms": _share(wall, 0.5),
        f"{verb}_wall_p99_ms": _share(wall, 0.99),
        f"{verb}_cpu_p50_ms": _share(cpu, 0.5),
        f"{verb}_cpu_p99_ms": _share(cpu, 0.99),
    }


async def _timed(behind: Any, verb: str, query: str) -> tuple[float, float]:
    began, spent = time.perf_counter(), time.process_time()
    await behind.handlers[verb](call(), query=query)
    return (time.perf_counter() - began) * 1000, (time.process_time() - spent) * 1000


def _share(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def table(rows: dict[str, list[dict[str, Any]]]) -> str:
    """A column per library: as built, and as opened again."""
    columns = {
        f"{name}, {what}": row
        for name, pair in rows.items()
        for what, row in zip(("built", "reopened"), pair, strict=True)
    }
    keys = list(next(iter(columns.values())))
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {key} | {' | '.join(f'{row[key]:.2f}' for row in columns.values())} |" for key in keys]
    return "\n".join(lines)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_measure(json.loads(sys.stdin.read())))))
