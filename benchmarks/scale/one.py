"""One workspace, in a process of its own: what the first name costs from nothing, then what the others cost."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import resource
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from cn_daemon.adapters.compilers.bindings import Bindings, Program
from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers.languages import indexed, noted

_EXPORTED = re.compile(
    r"^export (?:abstract )?(?:async )?(?:class|function|interface|type|enum|const) (\w{3,})", re.MULTILINE
)
_WITHIN_S = 300.0


async def measure(
    root: Path, first: str, count: int, seed: int, node: str, typescript: str, facts: Path
) -> dict[str, Any]:
    index = IdentifierIndex(root, indexed, noted)

    async def provided(_: bool) -> Program:
        return Program([node], Path(typescript))

    bindings = Bindings(root, index, provided, Path(os.devnull), dict(os.environ), facts)

    async def ask(name: str) -> tuple[float, int, list[str]]:
        begun = time.perf_counter()
        await index.refresh()
        found = await bindings.named(name, asyncio.get_running_loop().time() + _WITHIN_S)
        [symbol] = found.symbols or [None]
        took = time.perf_counter() - begun
        return took, len(symbol.references) if symbol else -1, [one.reason for one in symbol.doubts] if symbol else []

    try:
        took, uses, doubts = await ask(first)
        answer: dict[str, Any] = {
            "first": {
                "name": first,
                "uses": uses,
                "doubts": len(doubts),
                "wall_s": took,
                "processor_s": _processor_s(),
                "memory_mb": _memory_mb(),
            }
        }
        rows = [(name, *await ask(name)) for name in _sample(index.files(), count, seed)]
        times = sorted(row[1] for row in rows)
        partial = [row for row in rows if row[3]]
        answer["names"] = {
            "asked": len(rows),
            "complete": len(rows) - len(partial),
            "p50_ms": statistics.median(times) * 1000,
            "p95_ms": times[int(len(times) * 0.95)] * 1000,
            "max_ms": times[-1] * 1000,
            "processor_s": _processor_s(),
            "memory_mb": _memory_mb(),
            "reasons": Counter(row[3][0] for row in partial).most_common(5),
            "partial": [row[0] for row in partial],
        }
        return answer
    finally:
        await bindings.close()
        index.close()


def _sample(files: list[str], count: int, seed: int) -> list[str]:
    """Exported names, each of another file."""
    names: list[str] = []
    scripts = [path for path in files if path.endswith((".ts", ".tsx", ".mts")) and not path.endswith(".d.ts")]
    random.Random(seed).shuffle(scripts)
    for path in scripts:
        found = _EXPORTED.findall(Path(path).read_text(encoding="utf-8", errors="replace"))
        if found and found[0] not in names:
            names.append(found[0])
        if len(names) == count:
            break
    return names


def _processes() -> list[psutil.Process]:
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def _processor_s() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    running = (process.cpu_times() for process in _processes())
    return ended.ru_utime + ended.ru_stime + sum(times.user + times.system for times in running)


def _memory_mb() -> float:
    return sum(process.memory_info().rss for process in _processes()) / 1e6


if __name__ == "__main__":
    root, first, count, seed, node, typescript, facts = sys.argv[1:]
    print(json.dumps(asyncio.run(measure(Path(root), first, int(count), int(seed), node, typescript, Path(facts)))))
