"""How long a first question takes in Python, beside the server alone: `python -m benchmarks.languages.cold`.

Of each project so many names of modules and so many members, chosen as `completeness` does. `cn find` with no daemon,
from the command line, beside ty alone that is started, told the file and asked for the references at the place at once:
the best that anybody could do who knew where the symbol is declared.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.languages.__main__ import CACHE, Server, programs
from benchmarks.languages.completeness import symbols
from benchmarks.languages.oracle import Place
from benchmarks.languages.projects import FURTHER, PROJECTS, Project, fetch
from cn_client.sdk import Client
from cn_shared.wire import SymbolRow

CN = str(Path(sys.executable).with_name("cn"))


def chosen(project: Project, root: Path, number: int) -> dict[str, list[SymbolRow]]:
    with Client(root) as cn:
        found = list(symbols(cn, root, project.sources[:1]))
        cn.stop()
    kinds = {
        "names": [one for one in found if one.container is None],
        "members": [one for one in found if one.container],
    }
    return {kind: random.Random(7).sample(rows, min(number, len(rows))) for kind, rows in kinds.items()}


def ours(root: Path, row: SymbolRow) -> float:
    began = time.perf_counter()
    subprocess.run([CN, "--root", root, "find", row.id, "--limit", "0"], check=False, stdout=subprocess.DEVNULL)
    took = time.perf_counter() - began
    subprocess.run([CN, "--root", root, "stop"], check=True, stdout=subprocess.DEVNULL)
    return took


async def bare(root: Path, row: SymbolRow, folder: Path, log: Path) -> float:
    _, path, line, character = row.id.split("::")
    place = Place(root / path, int(line) - 1, int(character) - 1)
    began = time.perf_counter()
    server = await Server.start("ty", folder, root, log)
    server.open({place.path})
    await server.places("textDocument/references", place, context={"includeDeclaration": True})
    took = time.perf_counter() - began
    await server.stop()
    return took


def measure(project: Project, number: int, cache: Path) -> None:
    root, folder = fetch(project, cache), programs(cache / "bare", ["ty"])
    for kind, rows in chosen(project, root, number).items():
        pairs = [(asyncio.run(bare(root, row, folder, cache / "ty.log")), ours(root, row)) for row in rows]
        alone, cn = (median(pair[column] for pair in pairs) for column in (0, 1))
        cells = (
            f"{project.name} {project.version}, {kind}",
            len(pairs),
            f"{alone:.2f}",
            f"{cn:.2f}",
            f"{cn / alone:.2f}",
        )
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.languages.cold")
    parser.add_argument("--symbols", type=int, default=5)
    parser.add_argument("--project", choices=[one.name for one in (*PROJECTS, *FURTHER)], action="append")
    parser.add_argument("--cache", type=Path, default=CACHE)
    arguments = parser.parse_args()
    cache = arguments.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    print("| project | asked | ty alone, s | cn, s | ratio |\n|---|--:|--:|--:|--:|")
    for project in (*PROJECTS, *FURTHER):
        if not arguments.project or project.name in arguments.project:
            measure(project, arguments.symbols, cache)


if __name__ == "__main__":
    main()
