"""How long an agent's call waits for `cn hook`, and what it adds: 50 greps of zod, as agents write them.

    python -m benchmarks.hooks [--work FOLDER] [--cn PROGRAM] [--rounds N]

Each is given to the hook as Claude Code gives it, a process of its own, with a daemon that runs. Counted are the calls
that were blocked or failed (another exit code than 0, anything on stderr, an answer that is no JSON), those that were
answered, the milliseconds from the start of the process to its end, the processor's milliseconds of the hook and of the
daemon with its servers, which a busy machine does not lengthen, and the tokens (o200k_base) of what was added.
The bars: none failed, 300 ms at the 95th percentile, 400 tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import time
from pathlib import Path

import psutil

from benchmarks.agents import clients
from benchmarks.agents.__main__ import _tokens
from benchmarks.latency import workspaces
from benchmarks.latency.daemon import cn, stop

NAMES = (
    "toJSONSchema", "ZodString", "ZodError", "flattenError", "mergeDefs", "finalizeIssue", "getErrorMap",
    "ZodObject", "parseAsync", "safeParse", "prettifyError", "treeifyError", "ZodType", "ZodIssueCode", "setErrorMap",
    "globalRegistry",
    "clone", "normalizeParams", "ZodOptional", "ZodUnion", "ZodNumber", "JSONSchemaGenerator", "extend", "escapeRegex",
    "jsonStringifyReplacer",
)  # fmt: skip
FORMS = (
    'grep -rn "{0}" src',
    'grep -rnE "{0}|{1}" src --include="*.ts"',
    "rg -n '\\b{0}\\b' src",
    "rg '{0}\\(' -g '*.ts' | head -30",
    "grep -rn 'class {0}' src; grep -rn '{1}' src",
    "rg -n 'export (function|const|class) {0}'",
    "rg '{0}|{1}|{2}' -t ts",
    "find src -name '*.ts' | xargs grep -ln {0}",
    "git grep -n {0} -- '*.ts'",
    "cd src && grep -rnw {0} v4 2>/dev/null",
)


def commands() -> list[str]:
    return [
        FORMS[number % len(FORMS)].format(*(NAMES[(number + step) % len(NAMES)] for step in (0, 7, 12)))
        for number in range(50)
    ]


def main() -> None:
    options = _options()
    work = options.work.resolve()
    root = workspaces.package("zod", "5", work)
    program = options.cn or cn()
    waited: list[float] = []
    worked: list[float] = []
    served: list[float] = []
    added: list[str] = []
    failed = 0
    try:
        # As an agent's session: the start of it, some work with cn, then the searches.
        subprocess.run([program, "find", "ZodString"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        for command in commands() * options.rounds:
            begun, busy, serving = time.perf_counter(), _worked_ms(), _served_ms(root)
            done = subprocess.run(
                [program, "hook"], cwd=root, input=_event(command, root), capture_output=True, check=False
            )
            waited.append((time.perf_counter() - begun) * 1000)
            worked.append(_worked_ms() - busy)
            served.append(_served_ms(root) - serving)
            try:
                text = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""
            except (ValueError, KeyError):
                failed += 1
                continue
            failed += bool(done.returncode or done.stderr)
            added += [text] if text else []
    finally:
        stop(root)
    tokens = _tokens(added, _tokenizer(work))
    whole = sum("there may be more uses" not in text for text in added)
    print(
        f"{len(waited)} searches · {failed} blocked or failed · {len(added)} answered, {whole} of them with every use"
    )
    print(f"waited: median {statistics.median(waited):.0f} ms, p95 {_p95(waited):.0f} ms, most {max(waited):.0f} ms")
    print(f"processor: the hook median {statistics.median(worked):.0f} ms, p95 {_p95(worked):.0f} ms")
    print(f"processor: the daemon {statistics.mean(served):.0f} ms a search, p95 {_p95(served):.0f} ms")
    if tokens:
        print(f"added: median {statistics.median(tokens):.0f} tokens, most {max(tokens)}")


def _worked_ms() -> float:
    """Processor time of the programs that were waited for: the hooks."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def _served_ms(root: Path) -> float:
    """Processor time of the daemon and its servers so far."""
    daemon = psutil.Process(json.loads((root / ".cn-daemon.json").read_text())["pid"])
    tree = [daemon, *daemon.children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in tree) * 1000


def _event(command: str, root: Path) -> bytes:
    event = {
        "session_id": "0", "cwd": str(root), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_response": {"stdout": "x" * 20_000, "stderr": ""},
    }  # fmt: skip
    return json.dumps(event).encode()


def _tokenizer(work: Path) -> Path:
    folder = work / "tokenizer"
    if not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}')
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-fund", clients.TOKENIZER], cwd=folder, check=True)
    return folder


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn-benchmarks"
    parser.add_argument("--work", type=Path, default=cache, help="where packages are kept")
    parser.add_argument("--cn", help="the cn to measure; default: this checkout's")
    parser.add_argument("--rounds", type=int, default=1, help="how often the 50 searches are made")
    return parser.parse_args()


if __name__ == "__main__":
    main()
