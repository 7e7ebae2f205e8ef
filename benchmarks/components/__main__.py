"""`python -m benchmarks.components [--projects NAME …] [--symbols N] [--seed N] [--work FOLDER] [--json FILE]`

Of each application so many members and so many other symbols, chosen by chance at places of its components, are asked
of `cn` and of the framework's own language server.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.components.oracle import Oracle, Truth
from benchmarks.components.projects import PROJECTS, SERVERS, Project, assemble, install
from benchmarks.navigation.answers import Found
from benchmarks.navigation.cn import Cn
from benchmarks.navigation.projects import FetchError

_HEAD = (
    "| application | symbols | of | definition % | refs precision % | refs recall % | wrong but complete | partial % |"
)


class Tally:
    """Of the members, or of the other symbols, of one application."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.counts: Counter[str] = Counter()
        self.deviations: list[dict[str, Any]] = []

    def add(self, truth: Truth, found: Found) -> None:
        right = found.references & truth.references
        more = found.references - truth.references - truth.also
        is_right = found.definition == truth.definition and right == truth.references and not more
        # What stands in MDX is to be told as a doubt, whatever it is.
        is_open = not found.complete and not (found.undecided and all(".mdx:" in one for one in found.undecided))
        self.counts.update(
            {
                "asked": 1,
                "defined": found.definition == truth.definition,
                "told": len(right) + len(more),
                "true": len(truth.references),
                "right": len(right),
                "wrong": bool(found.complete) and not is_right,
                "partial": is_open,
            }
        )
        if not is_right or not found.complete:
            less = truth.references - found.references
            own = {
                "cn": found.definition,
                "complete": found.complete,
                "reason": found.error,
                "more": sorted(more),
                "less": sorted(less),
            }
            self.deviations.append(
                {**asdict(truth), "references": len(truth.references), "also": len(truth.also), **own}
            )

    def row(self) -> str:
        count = self.counts
        cells = (
            self.title,
            count["asked"],
            _share(count["defined"], count["asked"]),
            _share(count["right"], count["told"]),
            _share(count["right"], count["true"]),
            f"{count['wrong']} of {count['asked']}",
            _share(count["partial"], count["asked"]),
        )
        return f"| {' | '.join(map(str, cells))} |"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}" if whole else "–"


def measure(project: Project, work: Path, seed: int, count: int) -> list[Tally]:
    """Raises FetchError."""
    root = assemble(project, work)
    oracle = Oracle(root, install(work / "servers", SERVERS), project.ending)
    try:
        truths = list(oracle.symbols(seed, count))
    finally:
        oracle.close()
    tallies = {member: Tally(f"{project.name} | {'members' if member else 'names'}") for member in (False, True)}
    cn = Cn(root)
    try:
        if truths:
            cn.cold({"query": truths[0].place})
        for truth in truths:
            tallies[truth.is_member].add(truth, cn.find({}, truth.place))
    finally:
        cn.close()
    return list(tallies.values())


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.components")
    parser.add_argument("--projects", nargs="+", choices=[one.name for one in PROJECTS])
    parser.add_argument("--symbols", type=int, default=20, help="members, and as many other symbols, of each")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "cn-components")
    parser.add_argument("--json", type=Path, help="where every deviation is written")
    arguments = parser.parse_args()
    print(f"{_HEAD}\n|---|---|--:|--:|--:|--:|--:|--:|")
    deviations: dict[str, list[dict[str, Any]]] = {}
    for project in PROJECTS:
        if arguments.projects and project.name not in arguments.projects:
            continue
        try:
            for tally in measure(project, arguments.work.resolve(), arguments.seed, arguments.symbols):
                print(tally.row(), flush=True)
                deviations[tally.title] = tally.deviations
        except FetchError as error:
            sys.exit(str(error))
        if arguments.json:
            arguments.json.write_text(json.dumps(deviations, indent=2), "utf-8")


if __name__ == "__main__":
    main()
