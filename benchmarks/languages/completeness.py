"""How many of cn's answers in Python are complete.

`python -m benchmarks.languages.completeness [--symbols N] [--project NAME] [--unchecked] [--doubts]`

Of each project so many names of modules and so many members are asked for, chosen by chance from what `cn map` lists of
its sources; what the language calls by itself (`__eq__`) is left out. Two servers that cn does not use, zuban and
basedpyright, check each complete answer, and each other: what both tell and cn does not is counted as passed over, what
cn alone tells as told alone; what one of them tells is printed, to be looked at. `--doubts` prints every place that an
answer leaves open.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.languages.__main__ import CACHE, Server, programs
from benchmarks.languages.oracle import Place
from benchmarks.languages.projects import FURTHER, PROJECTS, Project, fetch, files
from cn_client.sdk import Client
from cn_shared.wire import FindAnswer, SymbolRow

CHECKED = ("zuban", "basedpyright")


class Tally:
    """Of the names, or of the members, of one project."""

    def __init__(self) -> None:
        self.asked = self.partial = self.places = self.told = self.passed_over = self.alone = 0

    def add(self, answer: FindAnswer) -> None:
        self.asked += 1
        self.told += answer.total
        undecided = answer.completeness.undecided
        if answer.completeness.status == "partial":
            self.partial += 1
            self.places += undecided.total if undecided else 0

    def row(self, title: str) -> str:
        share = self.partial / max(1, self.asked)
        cells = (title, self.asked, self.told, self.partial, f"{share:.1%}", self.places, self.passed_over, self.alone)
        return f"| {' | '.join(map(str, cells))} |"


def symbols(cn: Client, root: Path, sources: Sequence[str]) -> Iterator[SymbolRow]:
    for folder in sources:
        for path in files(root / folder):
            for row in cn.map(path.relative_to(root).as_posix()).symbols:
                if not row.name.startswith("__"):
                    yield row


async def told(
    servers: Sequence[Server], root: Path, files: dict[Path, str], row: SymbolRow
) -> list[set[tuple[str, int]]]:
    """By each of the servers files and lines."""
    _, path, line, character = row.id.split("::")
    place = Place(root / path, int(line) - 1, int(character) - 1)
    found: list[set[tuple[str, int]]] = []
    for server in servers:
        server.open({one for one, text in files.items() if row.name in text})
        places = await server.places("textDocument/references", place, context={"includeDeclaration": False})
        found.append({(one.path.relative_to(root).as_posix(), one.line + 1) for one in places if one.path in files})
    return found


async def measure(project: Project, number: int, cache: Path, servers: Sequence[str], *, doubts: bool) -> None:
    root = fetch(project, cache)
    texts = {path: path.read_text("utf-8", "replace") for path in files(root)}
    tallies = {"names": Tally(), "members": Tally()}
    reasons: Counter[str] = Counter()
    with Client(root) as cn:
        found = list(symbols(cn, root, project.sources[:1]))
        running = [await Server.start(name, programs(cache, CHECKED), root, cache / f"{name}.log") for name in servers]
        try:
            for kind, tally in tallies.items():
                alike = [row for row in found if (row.container is None) == (kind == "names")]
                for row in random.Random(7).sample(alike, min(number, len(alike))):
                    answer = cn.find(row.id, limit=0)
                    tally.add(answer)
                    if answer.completeness.status == "partial":
                        reasons[
                            f"{kind}: {(answer.completeness.reason or '').partition(': ')[2].partition(' (')[0]}"
                        ] += 1
                        if doubts:
                            _print(row, answer)
                    elif running:
                        uses = {(one.file_path, one.line) for one in answer.references or []}
                        _compare(row, tally, uses, await told(running, root, texts, row))
        finally:
            for server in running:
                await server.stop()
            cn.stop()
    for kind, tally in tallies.items():
        print(tally.row(f"{project.name} {project.version}, {kind}"), flush=True)
    for reason, count in reasons.most_common():
        print(f"  {count} × {reason}")


def _compare(row: SymbolRow, tally: Tally, uses: set[tuple[str, int]], told: Sequence[set[tuple[str, int]]]) -> None:
    declared = {(row.id.split("::")[1], row.line)}
    every, any_of = set.intersection(*told), set.union(*told)
    tally.passed_over += len(every - uses - declared)
    tally.alone += len(uses - any_of)
    further = {
        "passed over": every - uses - declared,
        "told by one of the two": any_of - every - uses - declared,
        "told alone": uses - any_of,
    }
    for title, places in further.items():
        for path, line in sorted(places):
            print(f"  {title}: {row.container or ''}.{row.name} {path}:{line}")


def _print(row: SymbolRow, answer: FindAnswer) -> None:
    undecided = answer.completeness.undecided
    print(f"  {row.container or ''}.{row.name} {row.kind}: {answer.completeness.reason}")
    for one in undecided.places if undecided else ():
        print(f"    {one.file_path}:{one.line}:{one.character} {one.preview}")
        for line in one.also or ():
            print(f"    {one.file_path}:{line}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.languages.completeness")
    parser.add_argument("--symbols", type=int, default=60)
    parser.add_argument("--project", choices=[one.name for one in (*PROJECTS, *FURTHER)], action="append")
    parser.add_argument("--unchecked", action="store_true", help="ask no other servers")
    parser.add_argument("--doubts", action="store_true")
    parser.add_argument("--cache", type=Path, default=CACHE)
    arguments = parser.parse_args()
    cache = arguments.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    servers = () if arguments.unchecked else CHECKED
    print(
        "| project | asked | uses | partial | share | places left open | passed over | told alone |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|"
    )
    for project in (*PROJECTS, *FURTHER):
        if not arguments.project or project.name in arguments.project:
            asyncio.run(measure(project, arguments.symbols, cache, servers, doubts=arguments.doubts))


if __name__ == "__main__":
    main()
