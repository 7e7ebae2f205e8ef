"""python -m benchmarks.latency: how long `cn` takes beside what else there is, and what its answers cost to read.

Everything runs side by side and in turn, so that a change of the machine's speed meets all contestants alike; figures
are medians unless they say otherwise. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.latency import added, cold, growth, plot, tokens, verbs, warm, within
from benchmarks.latency.measuring import Part
from benchmarks.navigation.projects import FetchError

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn" / "benchmarks" / "latency"

HERE = Path(__file__).resolve().parent
README, PLOT = HERE / "README.md", HERE.parents[1] / "docs" / "latency.svg"
BYTES = PLOT.with_name("bytes.svg")  # the one of the README
BEGIN, END = "<!-- printed by --readme -->", "<!-- end -->"

PARTS: dict[str, Callable[[argparse.Namespace], Part]] = {
    "warm": lambda chosen: warm.measure(chosen.work, chosen.calls, chosen.root),
    "added": lambda chosen: added.measure(chosen.work, chosen.calls // 2, 9),
    "cold": lambda chosen: cold.measure(chosen.work, 5, 15),
    "tokens": lambda chosen: tokens.measure(chosen.work),
    "verbs": lambda chosen: verbs.measure(chosen.work),
    "budget": lambda chosen: within.measure(chosen.work),
    "growth": lambda chosen: growth.measure(chosen.work, chosen.memory_calls),
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency", description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS), metavar="PART",
                        help=" ".join(PARTS))  # fmt: skip
    parser.add_argument("--calls", type=int, default=200, help="calls of each verb in warm (default: 200)")
    parser.add_argument("--memory-calls", type=int, default=10_000, help="calls over which memory is watched (10,000)")
    parser.add_argument("--root", type=Path, help="ask that workspace in warm, instead of zod")
    parser.add_argument("--work", type=Path, default=CACHE, help=f"where packages and workspaces go ({CACHE})")
    parser.add_argument("--json", type=Path, help="write every figure there")
    parser.add_argument(
        "--readme", action="store_true", help="put the tables into README.md and, of all parts, the plot into docs/"
    )
    parser.add_argument("--plot", type=Path, metavar="SVG", help="draw the figures there")
    chosen = parser.parse_args()
    chosen.root = chosen.root and chosen.root.resolve()
    chosen.work = chosen.work.resolve()
    return chosen


def machine() -> str:
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"Python {platform.python_version()}, Node {node}, {os.cpu_count()} cores, load {load}"


def _published(told: str, parts: Iterable[Part]) -> None:
    """Put the tables where the README has its last ones; those of other parts stay. told: of the machine."""
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    printed, _, after = rest.partition(END)
    sections = {one.partition("\n")[0]: f"### {one.strip()}" for one in printed.split("### ")[1:]}
    for part in parts:
        head, *lines = part.lines()
        sections[part.title] = "\n".join([head, f"{told}\n", *lines]).strip()
    README.write_text("\n\n".join([f"{before}{BEGIN}", *sections.values(), f"{END}{after}"]), "utf-8")


def main() -> int:
    chosen = arguments()
    # Without compiled modules every start would compile them again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    told = machine()
    print(told, end="\n\n", flush=True)
    parts: dict[str, Part] = {}
    for name in chosen.parts:
        began = time.perf_counter()
        try:
            parts[name] = PARTS[name](chosen)
        except FetchError as error:
            print(error, file=sys.stderr)
            return 1
        print("\n".join(parts[name].lines()), end="\n\n", flush=True)
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    if chosen.json:
        document = {"machine": told, "parts": {name: part.document() for name, part in parts.items()}}
        chosen.json.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    if chosen.readme:
        _published(told, parts.values())
        if "tokens" in parts:
            BYTES.write_text(plot.drawn({"tokens": parts["tokens"]}), "utf-8")
        if set(parts) >= set(PARTS):
            chosen.plot = chosen.plot or PLOT
    if chosen.plot:
        chosen.plot.write_text(plot.drawn(parts), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
