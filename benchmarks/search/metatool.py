"""python -m benchmarks.search.metatool: which of 199 tools a question means, by `cn`, BM25 and a sentence model.

Y. Huang et al., MetaTool Benchmark, ICLR 2024 (MIT): 20,614 questions, each with its tool, which is a name and a
sentence.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

from benchmarks.search.material import Material
from benchmarks.search.quality import call, document, services

REPOSITORY, COMMIT = "https://github.com/HowieHwong/MetaTool", "35e81bb7576826e980c80fed8f8c0a2b4a1e6fbb"
FILES = ("dataset/plugin_des.json", "dataset/data/all_clean_data.csv")
LOOKED_AT = 5
Tops = list[list[str]]


def fetched(folder: Path) -> Path:
    """A clone of the pinned commit."""
    for words in (["init", "-q"], ["fetch", "-q", "--depth=1", REPOSITORY, COMMIT], ["checkout", "-q", "FETCH_HEAD"]):
        subprocess.run(["git", "-C", folder, *words], check=True)
    return folder


async def by_cn(tools: dict[str, str], questions: list[str], ranking: str, work: Path) -> Tops:
    folder = work / "Commands"
    folder.mkdir(exist_ok=True)
    for name, told in tools.items():
        (folder / f"{name}.md").write_text(f"---\ndescription: {json.dumps(told)}\n---\n")
    behind = services(work / "root", Material(folder, work, None, {}, []), work)
    await behind.handlers["reload"](call())
    found = [
        [
            row["name"]
            for row in document(
                await behind.handlers["search"](
                    call(), query=question, ranking=ranking, source="markdown", top=LOOKED_AT
                )
            )
        ]
        for question in questions
    ]
    await behind.close()
    return found


def by_sentences(tools: dict[str, str], questions: list[str], python: str) -> Tops:
    given = {"texts": [f"{name}: {told}" for name, told in tools.items()], "queries": questions}
    script = Path(__file__).with_name("sentences.py")
    done = subprocess.run([python, script], input=json.dumps(given), capture_output=True, text=True, check=True)
    names = list(tools)
    return [[names[at] for at in row] for row in json.loads(done.stdout.splitlines()[-1])]


def line(name: str, tops: Tops, wanted: list[str]) -> str:
    shares = (sum(tool in top[:k] for top, tool in zip(tops, wanted, strict=True)) / len(wanted) for k in (1, 3, 5))
    return f"| {name} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search.metatool")
    parser.add_argument("--folder", type=Path, help="a clone that is there")
    parser.add_argument("--rows", type=int, default=1000, help="drawn by a seed; 0 is all")
    parser.add_argument("--model", metavar="PYTHON", help="one that has the sentence model: see sentences.py")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cn-metatool-") as name:
        work = Path(name)
        os.environ["HOME"] = str(work / "home")
        for below in ("home", "clone"):
            (work / below).mkdir()
        tools_file, rows_file = ((chosen.folder or fetched(work / "clone")) / file for file in FILES)
        tools: dict[str, str] = json.loads(tools_file.read_text(encoding="utf-8"))
        with rows_file.open(encoding="utf-8", newline="") as file:
            rows = [(row["Query"], row["Tool"]) for row in csv.DictReader(file)]
        rows = random.Random(1).sample(rows, chosen.rows) if chosen.rows else rows
        questions, wanted = [question for question, _ in rows], [tool for _, tool in rows]
        print(f"{len(rows)} questions, {len(tools)} tools\n\n| | success@1 | @3 | @5 |\n|---|---|---|---|", flush=True)
        for ranking in ("best", "bm25", "cosine"):
            print(line(ranking, asyncio.run(by_cn(tools, questions, ranking, work)), wanted), flush=True)
        if chosen.model:
            print(line("sentence model", by_sentences(tools, questions, chosen.model), wanted))


if __name__ == "__main__":
    main()
