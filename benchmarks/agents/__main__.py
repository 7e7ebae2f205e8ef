"""What real clients show their model of `cn`, counted in tokens, with a model that does as it is told.

    python -m benchmarks.agents [--work FOLDER] [--client NAME]... [--cn PROGRAM] [--json FILE]

Ten fixed questions about zod and one for the status are asked by each client: installed from npm, told of `cn mcp` as
its users tell it, with a mock of its model's API on the loopback. Counted is what arrives there: the definitions of the
tools, each answer. Tokens are those of o200k_base. Beside them: the same questions by `cn --text` and `cn --json`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.agents import clients
from benchmarks.agents.model import Model, Question
from benchmarks.latency import workspaces
from benchmarks.latency.daemon import cn
from benchmarks.latency.tokens import QUESTIONS

TOOLS = {"map": "map_file"}
LIMITS = {"find": "50", "callers": "40", "map": "150"}  # of the tools
_COUNT = """
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => countTokens(text))));
"""


def questions() -> list[Question]:
    """As an agent asks them: by the tool of that name, or by `find` with its relation where there is none."""
    asked: list[Question] = []
    for _, verb, parameter, about in QUESTIONS:
        tool = TOOLS.get(verb, verb)
        asked.append(((tool, {parameter: about}), ("find", {"query": about, "relation": verb})))
    return [*asked, [("status", {})]]


def main() -> None:
    options = _options()
    work = options.work.resolve()
    root = workspaces.package("zod", "5", work)
    folder = clients.install(work)
    program = options.cn or cn()
    rows: dict[str, Any] = {}
    try:
        subprocess.run([program, "start"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        for shape in ("text", "json"):
            answers = [_typed(program, shape, verb, about, root) for _, verb, _, about in QUESTIONS]
            answers.append(_typed(program, shape, "status", None, root))
            rows[f"cn --{shape}"] = _row([], answers, folder)
        for client in clients.CLIENTS:
            if not options.client or client.name in options.client:
                rows[client.name] = _asked(client, folder, root, served(program, root), work)
                _print(client.name, rows[client.name])
    finally:
        subprocess.run([program, "stop"], cwd=root, check=False, stdout=subprocess.DEVNULL)
    print()
    for name, row in rows.items():
        _print(name, row)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


def served(program: str, root: Path) -> list[str]:
    """The server's command line. The client has a home of its own; the server the user's, whose daemon it is."""
    own = {name: os.environ[name] for name in os.environ if name == "HOME" or name.startswith("XDG_")}
    unset = [word for name in ("CONFIG", "DATA", "STATE") for word in ("-u", f"XDG_{name}_HOME")]
    return ["env", *unset, *(f"{name}={value}" for name, value in own.items()), program, "mcp", "--root", str(root)]


def _asked(client: clients.Client, folder: Path, root: Path, server: list[str], work: Path) -> Any:
    model = Model(questions())
    with tempfile.TemporaryDirectory(dir=work, ignore_cleanup_errors=True) as home:
        try:
            said = clients.run(client, folder, Path(home), root, server, model.url)
        except subprocess.TimeoutExpired:
            said = "it did not end in time"
        finally:
            model.close()
    if len(model.results) < len(model.questions):
        failed = f"{len(model.results)} of {len(model.questions)} answers: {said[-600:]}"
        return {"failed": failed, "deferred": model.deferred}
    definitions = [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in model.tools.values()]
    return {**_row(definitions, model.results, folder), "deferred": model.deferred or model.searched}


def _row(definitions: Sequence[str], answers: Sequence[str], folder: Path) -> dict[str, Any]:
    counts = _tokens([*definitions, *answers], folder)
    tools, told = counts[: len(definitions)], counts[len(definitions) :]
    return {"tools": len(tools), "list": sum(tools), "answers": told[:-1], "status": told[-1]}


def _tokens(texts: Sequence[str], folder: Path) -> list[int]:
    counter = folder / "count.mjs"
    counter.write_text(_COUNT)
    done = subprocess.run(["node", str(counter)], input=json.dumps(texts), capture_output=True, text=True, check=True)
    counts: list[int] = json.loads(done.stdout)
    return counts


def _typed(program: str, shape: str, verb: str, about: str | None, root: Path) -> str:
    words = [program, f"--{shape}", verb, *([about] if about else [])]
    if limit := LIMITS.get(verb):
        words += ["--limit", limit]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, check=False).stdout


def _print(name: str, row: dict[str, Any]) -> None:
    if "failed" in row:
        print(f"{name:>10}  {row['failed']}", flush=True)
        return
    told = row["answers"]
    tools = f"{row['tools']:3} tools {row['list']:6} tokens" if row["tools"] else ""
    deferred = " · after a search for tools" if row.get("deferred") else ""
    answers = f"ten answers {sum(told):6}, median {statistics.median(told):6.0f} · status {row['status']:5}"
    print(f"{name:>10}  {tools:23} · {answers}{deferred}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn-benchmarks"
    parser.add_argument("--work", type=Path, default=cache, help="where packages and clients are kept")
    parser.add_argument("--client", action="append", help="only this client; may be repeated")
    parser.add_argument("--cn", help="the cn to measure; default: this checkout's")
    parser.add_argument("--json", type=Path, help="write the figures there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
