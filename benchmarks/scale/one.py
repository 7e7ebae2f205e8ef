"""One workspace, in a process of its own: what the first name costs from nothing, then what the others cost."""

from __future__ import annotations

import asyncio
import functools
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

from cn_daemon.adapters.compilers.bindings import Bindings, Place
from cn_daemon.adapters.compilers.types import CompiledTypes, Types
from cn_daemon.adapters.compilers.worker import Program
from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers.languages import indexed, is_project_file
from cn_daemon.adapters.language_servers.sources import indexed as is_script
from cn_daemon.application.ports import Site
from cn_daemon.application.undecided import nearest_projects
from cn_daemon.domain.source.text import Position
from cn_shared.errors import LanguageServerError

_EXPORTED = re.compile(
    r"^export (?:abstract )?(?:async )?(?:class|function|interface|type|enum|const) (\w{3,})", re.MULTILINE
)
# A class or an interface, and what it begins with.
_TYPE = re.compile(
    r"^export (?:abstract )?(?:class|interface) (\w+)[^{}]*\{\s*(?:readonly )?(\w{2,})\??[:(<]", re.MULTILINE
)
_WITHIN_S = 300.0
# As long as a verb may take by default.
_MEMBER_S = 60.0


async def measure(
    root: Path, first: str, count: int, seed: int, node: str, typescript: str, facts: Path, members: int
) -> dict[str, Any]:
    index = IdentifierIndex(root, indexed, is_project_file)

    async def provided(_: bool) -> Program:
        return Program([node], Path(typescript))

    bindings = Bindings(root, index, provided, Path(os.devnull), dict(os.environ), facts)
    worker = Types(root, index, provided, Path(os.devnull), dict(os.environ), lambda: True)

    answers: list[dict[str, Any]] = []

    async def ask(name: str) -> tuple[float, int, list[str]]:
        begun = time.perf_counter()
        await index.refresh()
        site = _declared(name, index.files_with(name))
        found = await bindings.at(site, _deadline(_WITHIN_S))
        symbol = found[0] if found else None
        took = time.perf_counter() - begun
        if not symbol:
            return took, -1, []
        answers.append(
            {
                "name": name,
                "place": bindings.place(site),
                "declared": list(map(_place, symbol.definitions)),
                "uses": list(map(_place, symbol.references)),
                "complete": not symbol.doubts,
            }
        )
        return took, len(symbol.references), [one.reason for one in symbol.doubts]

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
        # As the daemon does between two questions.
        await index.settle(functools.partial(asyncio.sleep, 0))
        rows = []
        spent = []
        for name in _sample(index.files(), count, seed):
            before = _processor_s()
            rows.append((name, *await ask(name)))
            spent.append((_processor_s() - before) * 1000)
        times = sorted(row[1] for row in rows)
        works = sorted(spent)
        partial = [row for row in rows if row[3]]
        answer["names"] = {
            "asked": len(rows),
            "complete": len(rows) - len(partial),
            "p50_ms": statistics.median(times) * 1000,
            "p95_ms": times[int(len(times) * 0.95)] * 1000,
            "max_ms": times[-1] * 1000,
            "p50_processor_ms": statistics.median(works),
            "p95_processor_ms": works[int(len(works) * 0.95)],
            "rows": [(row[0], spent, row[1] * 1000, row[2]) for row, spent in zip(rows, spent, strict=True)],
            "processor_s": _processor_s(),
            "memory_mb": _memory_mb(),
            "reasons": Counter(row[3][0] for row in partial).most_common(5),
            "partial": [row[0] for row in partial],
            "answers": answers,
        }
        if members:
            types = CompiledTypes(root, bindings, worker)
            answer["members"] = await _members(root, index, bindings, types, members, seed)
        return answer
    finally:
        await worker.close()
        await bindings.close()
        index.close()


async def _members(
    root: Path, index: IdentifierIndex, bindings: Bindings, types: CompiledTypes, count: int, seed: int
) -> dict[str, Any]:
    """Of members, in how many projects files hold the name, in how many of these it may be used, and what types tell of
    them."""
    rows: list[tuple[str, int, int, float, int, list[str]]] = []
    for path in _scripts(index.files(), seed):
        text = Path(path).read_text(encoding="utf-8", errors="replace")
        found = _TYPE.search(text)
        if found is None or found[2] == "constructor" or text.count("`", 0, found.start()) % 2:
            continue  # what a template string holds declares nothing
        holding = [one for one in index.files_with(found[2]) if is_script(one)]
        using = await bindings.using([os.path.relpath(path, root)], found[2], _deadline(_WITHIN_S))
        left = {os.path.join(root, one) for one in using["files"]}
        wanted = [len(nearest_projects(paths, index.projects())) for paths in (holding, left)]
        before = text[: found.start(2)]
        place = Position(before.count("\n") + 1, len(before) - before.rfind("\n"))
        begun = time.perf_counter()
        try:
            told = await types.members(found[2], [Site(path, place)], _deadline(_MEMBER_S))
            uses, doubts = len(told.uses), [one.reason for one in told.doubts]
        except LanguageServerError as error:
            uses, doubts = -1, [error.message]
        took = time.perf_counter() - begun
        rows.append((f"{found[1]}.{found[2]}", wanted[0], wanted[1], took, uses, doubts))
        if len(rows) == count:
            break
    return {
        "asked": len(rows),
        "complete": sum(not row[5] for row in rows),
        "projects": sum(row[1] for row in rows),
        "projects_left": sum(row[2] for row in rows),
        "p50_ms": statistics.median(row[3] for row in rows) * 1000,
        "max_ms": max(row[3] for row in rows) * 1000,
        "memory_mb": _memory_mb(),
        "processor_s": _processor_s(),
        "reasons": Counter(row[5][0] for row in rows if row[5]).most_common(5),
        "rows": rows,
    }


def _declared(name: str, paths: list[str]) -> Site:
    """Where the first file that exports a name declares it."""
    for path in sorted(filter(is_script, paths)):
        text = Path(path).read_text(encoding="utf-8", errors="replace")
        for found in _EXPORTED.finditer(text):
            if found[1] == name:
                before = text[: found.start(1)]
                return Site(path, Position(before.count("\n") + 1, len(before) - before.rfind("\n")))
    raise ValueError(f"nothing exports {name}")


def _place(place: Place) -> str:
    """As `compiler.mjs` tells it."""
    return f"{place.path}:{place.line + 1}:{place.character + 1}"


def _deadline(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


def _scripts(files: list[str], seed: int) -> list[str]:
    scripts = [path for path in files if path.endswith((".ts", ".tsx", ".mts")) and not path.endswith(".d.ts")]
    random.Random(seed).shuffle(scripts)
    return scripts


def _sample(files: list[str], count: int, seed: int) -> list[str]:
    """Exported names, each of another file."""
    names: list[str] = []
    for path in _scripts(files, seed):
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
    """The proportional set size: the pages of Node.js itself, which two processes share, count once. On Linux only."""
    return sum(process.memory_full_info().pss for process in _processes()) / 1e6


if __name__ == "__main__":
    root, first, count, seed, node, typescript, facts, members = sys.argv[1:]
    measured = measure(Path(root), first, int(count), int(seed), node, typescript, Path(facts), int(members))
    print(json.dumps(asyncio.run(measured)))
