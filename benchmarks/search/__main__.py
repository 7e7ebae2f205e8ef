"""python -m benchmarks.search: how well and how fast commands and reports are found. See README.md in this folder."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import tempfile
from pathlib import Path

from benchmarks.search import cost, material, quality


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument(
        "--data", type=Path, help="a folder of libraries and queries; a small library of our own without"
    )
    parser.add_argument("--queries", type=Path, help="a folder of other queries than those of DATA")
    parser.add_argument("--only", choices=["quality", "cost"], help="leave the other half out")
    parser.add_argument("--large", nargs=2, type=int, metavar=("COMMANDS", "REPORTS"), help="measure that many as well")
    parser.add_argument("--work", type=Path, help="where libraries are unpacked and kept (default: a temporary folder)")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    work = chosen.work or Path(tempfile.mkdtemp(prefix="cn-search-"))
    work = work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    # Commands of the developer's own home are no part of it.
    os.environ["HOME"] = str(work / "home")
    (work / "home").mkdir(exist_ok=True)
    given = material.unpacked(chosen.data, work, chosen.queries) if chosen.data else material.own(work)
    try:
        if chosen.only != "cost":
            print(quality.table(asyncio.run(quality.measured(given, _empty(work / "cache"), work))), flush=True)
        if chosen.only != "quality":
            rows = {"as it is": cost.measured(given, _empty(work / "cache"), work / "root")}
            if chosen.large:
                large = material.multiplied(given, *chosen.large, work)
                rows["large"] = cost.measured(large, _empty(work / "cache-large"), work / "root")
            print("\n" + cost.table(rows))
    finally:
        if chosen.work is None:
            shutil.rmtree(work, ignore_errors=True)


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
