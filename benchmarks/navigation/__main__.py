"""python -m benchmarks.navigation: fetch, ask, compare, tell. See README.md in this folder."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.navigation import python
from benchmarks.navigation.answers import Contestant
from benchmarks.navigation.cn import Cn
from benchmarks.navigation.grep import Grep
from benchmarks.navigation.literal import Literal
from benchmarks.navigation.projects import DEFAULT, HERE, PROJECTS, FetchError, Project, assemble, library
from benchmarks.navigation.relations import measure_relations
from benchmarks.navigation.score import Score, measure
from benchmarks.navigation.table import table

# In the place of a version of TypeScript: there is none, and the workspace's own decides.
PYTHON = "–"
OWN = ""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn" / "benchmarks" / "navigation"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.navigation", description=__doc__)
    names = [project.name for project in (*PROJECTS, *python.PROJECTS)]
    parser.add_argument("--projects", nargs="+", choices=names, metavar="NAME", help=" ".join(names))
    parser.add_argument("--folder", nargs="*", type=Path, default=[], help="measure workspaces that stand there")
    parser.add_argument("--installed", type=Path, help="a copy of the one folder with its packages: it tells the truth")
    parser.add_argument("--typescript", nargs="+", choices=["5", "7"], default=["5", "7"])
    parser.add_argument(
        "--contestants", nargs="+", choices=["cn", "literal", "grep"], default=["cn", "literal", "grep"]
    )
    parser.add_argument("--server", choices=["auto", "typescript", "native"], default="auto", help="who answers for cn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--symbols", type=int, default=160, help="sampled per project (default: 160)")
    parser.add_argument("--bodies", type=int, default=80, help="places inside bodies per project (default: 80)")
    parser.add_argument("--callables", type=int, default=40, help="asked for their callers, per project (default: 40)")
    parser.add_argument("--types", type=int, default=40, help="types and members asked for impls (default: 40)")
    parser.add_argument("--work", type=Path, default=CACHE, help=f"where packages and workspaces go ({CACHE})")
    parser.add_argument("--json", type=Path, help="write everything, with every deviation, there")
    parser.add_argument("--deviations", type=int, default=5, help="how many to tell per row (default: 5)")
    chosen = parser.parse_args()
    if chosen.projects is None:
        chosen.projects = [] if chosen.folder else DEFAULT
    return chosen


def truth_of(root: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    counts = [*map(str, (chosen.seed, chosen.symbols, chosen.bodies, "", chosen.callables, chosen.types))]
    command = ["node", "--max-old-space-size=12288", HERE / "oracle" / "main.mjs", library(chosen.work), root, *counts]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    document: dict[str, Any] = json.loads(told.stdout)
    return document


def contestants(root: Path, typescript: str, chosen: argparse.Namespace) -> Iterator[tuple[Contestant, bool]]:
    """Each with whether it can only be asked by name. The plain ones need no TypeScript 7 of their own."""
    if "cn" in chosen.contestants:
        yield Cn(root, chosen.server), False
    if typescript in ("5", OWN) and "literal" in chosen.contestants:
        yield Literal(root, *language_server(root)), True
    if typescript in ("5", OWN, PYTHON) and "grep" in chosen.contestants:
        yield Grep(root), True


def language_server(root: Path) -> tuple[list[str], Path]:
    """The copy of typescript-language-server that `cn` has in its cache."""
    from cn_daemon.adapters.language_servers.provisioning import provision
    from cn_daemon.settings import Settings

    toolchain = asyncio.run(provision(root, Settings(), lambda line: print(line, file=sys.stderr)))
    return [str(toolchain.node), str(toolchain.server), "--stdio"], toolchain.tsserver


Truth = Callable[[], dict[str, Any]]


def workspaces(chosen: argparse.Namespace) -> Iterator[tuple[str, str, Path, Truth]]:
    wanted: list[Project] = [project for project in PROJECTS if project.name in chosen.projects]
    for project in wanted:
        for typescript in chosen.typescript:
            root = assemble(project, typescript, chosen.work)
            yield project.name, typescript, root, partial(truth_of, root, chosen)
    for other in python.PROJECTS:
        if other.name in chosen.projects:
            root = python.assemble(other, chosen.work)
            counts = (chosen.seed, chosen.symbols, chosen.callables, chosen.types)
            yield other.name, PYTHON, root, partial(python.truth_of, other, root, *counts)
    for folder in chosen.folder:
        yield folder.name, OWN, folder.resolve(), partial(truth_of, (chosen.installed or folder).resolve(), chosen)


def main() -> int:
    chosen = arguments()
    rows: list[dict[str, Any]] = []
    totals: dict[tuple[str, str], Score] = {}
    try:
        truths: dict[str, dict[str, Any]] = {}
        for project, typescript, root, told in workspaces(chosen):
            print(f"{project}, TypeScript {typescript or 'of its own'}: {root}", file=sys.stderr)
            truth = truths.get(project) or truths.setdefault(project, told())
            for contestant, by_name_only in contestants(root, typescript, chosen):
                score, answering = measure_and_close(contestant, truth, by_name_only)
                version = typescript or answering or PYTHON
                rows.append(
                    {
                        "project": project,
                        "typescript": version,
                        "contestant": contestant.name,
                        "files": truth["files"],
                        "symbols": len(truth["symbols"]),
                        **score.document(),
                    }
                )
                totals.setdefault((contestant.name, version), Score()).merge(score)
    except FetchError as error:
        print(error, file=sys.stderr)
        return 1
    rows += [
        {"project": "all", "typescript": typescript, "contestant": name, **score.document()}
        for (name, typescript), score in totals.items()
    ]
    print(table(rows, chosen.deviations))
    if chosen.json:
        report = {"seed": chosen.seed, "rows": rows}
        chosen.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return 0


def measure_and_close(contestant: Contestant, truth: dict[str, Any], by_name_only: bool) -> tuple[Score, str]:
    """With who answers."""
    try:
        score = measure(contestant, truth, by_name_only=by_name_only)
        measure_relations(score, contestant, truth)
        return score, contestant.answering()
    finally:
        contestant.close()


if __name__ == "__main__":
    sys.exit(main())
