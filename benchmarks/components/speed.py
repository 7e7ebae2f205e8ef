"""`python -m benchmarks.components.speed [--projects NAME …] [--names N] [--seed N] [--work FOLDER]`

How long names take, of components and of what the scripts beside them export, as many of each: the first from nothing
(no daemon, nothing of the workspace in the cache; programs installed), then all of them one after the other, twice.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.components.projects import PROJECTS, Project, assemble
from benchmarks.navigation.cn import Cn
from cn_shared.folders import cache_folder
from cn_shared.state import root_key

_EXPORTED = re.compile(r"^export\s+(?:async\s+)?(?:const|function|class)\s+([A-Za-z_$][\w$]*)", re.MULTILINE)
_HEAD = (
    "| application | components | first complete, s | p50, ms | slowest, ms | asked again p50, ms | complete "
    "| memory, MB |"
)


def measure(project: Project, work: Path, seed: int, count: int) -> str:
    """A row of the table. Raises FetchError."""
    root = assemble(project, work)
    own = [one for one in sorted(root.rglob("*")) if "node_modules" not in one.parts and one.is_file()]
    components = [one.stem for one in own if one.suffix == project.ending and re.fullmatch(r"[A-Z]\w+", one.stem)]
    scripts = [one.read_text("utf-8") for one in own if one.suffix == ".ts" and not one.name.endswith(".d.ts")]
    chance = random.Random(seed)
    exported = sorted({name for text in scripts for name in _EXPORTED.findall(text)})
    names = chance.sample(sorted(set(components)), count // 2) + chance.sample(exported, count - count // 2)
    shutil.rmtree(cache_folder() / "facts" / root_key(str(root)), ignore_errors=True)
    cn = Cn(root)
    try:
        first = cn.cold({"query": names[0]})
        found = [cn.find({}, name) for name in names]
        again = [cn.find({}, name).total_ms for name in names]
        told = subprocess.run(
            [str(Path(sys.executable).with_name("cn")), "--root", str(root), "status", "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        status = json.loads(told.stdout)
    finally:
        cn.close()
    memory = status["memoryBytes"]
    times = [one.total_ms for one in found]
    complete = f"{sum(bool(one.complete) for one in found)} of {len(found)}"
    seconds = f"{first.total_ms / 1000:.1f}" if first.complete else f"{first.total_ms / 1000:.1f} (partial)"
    middle, later = (f"{statistics.median(one):.0f}" for one in (times, again))
    cells = (
        project.name,
        len(components),
        seconds,
        middle,
        f"{max(times):.0f}",
        later,
        complete,
        f"{memory / 1e6:.0f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.components.speed")
    parser.add_argument("--projects", nargs="+", choices=[one.name for one in PROJECTS], default=["elk", "chat-ui"])
    parser.add_argument("--names", type=int, default=20)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "cn-components")
    arguments = parser.parse_args()
    print(f"{_HEAD}\n|---|--:|--:|--:|--:|--:|--:|--:|")
    for project in PROJECTS:
        if project.name in arguments.projects:
            print(measure(project, arguments.work.resolve(), arguments.seed, arguments.names), flush=True)


if __name__ == "__main__":
    main()
