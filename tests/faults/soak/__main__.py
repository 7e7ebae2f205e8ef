"""The command: run the soak, tell what was seen, end with 1 when anything was wrong, hung or left behind."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.soak.drive import NotInstalledError, Rates, Soak
from tests.faults.soak.edits import Workspace
from tests.faults.soak.leaks import Sample, left_behind, sample, settle
from tests.faults.workbench import Workbench

# Beyond this the daemon, or its servers, have grown while they answered the last quarter.
_MEMORY_MB, _SERVERS_MB, _DESCRIPTORS = 16.0, 200.0, 4


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", choices=("typescript", "native"), default="typescript")
    parser.add_argument("--modules", type=int, default=30)
    parser.add_argument("--edits", type=float, default=Rates.edit, help="per call")
    parser.add_argument("--kills", type=float, default=Rates.kill, help="per call")
    parser.add_argument("--freezes", type=float, default=Rates.freeze, help="per call")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    options = parser.parse_args()
    rates = Rates(edit=options.edits, kill=options.kills, freeze=options.freezes)
    folder = Path(tempfile.mkdtemp(prefix="cn-soak.")).resolve()
    try:
        figures = soak(folder, options.calls, options.seed, options.server, modules=options.modules, rates=rates)
    except NotInstalledError as error:
        print(f"No language server could be installed. {error}", file=sys.stderr)
        return 1
    told = json.dumps(figures, indent=2)
    print(told)
    if options.json:
        options.json.write_text(told + "\n")
    if figures["faults"]:
        print(f"The workspace and the logs are in {folder}.", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    return 0


def soak(
    folder: Path, calls: int, seed: int, server: str, *, modules: int = 30, rates: Rates | None = None
) -> dict[str, Any]:
    """Run it below an empty `folder`. `faults` of the figures: what must not be, in words. Raises NotInstalledError."""
    began = time.monotonic()
    rates = rates or Rates()
    bench = _bench(folder, server)
    one = Soak(bench, Workspace(bench.root, Random(seed), modules), seed, _tell)
    samples: list[Sample] = []
    try:
        one.run(calls - calls // 4, rates)
        # The last quarter without kills of the daemon: what grows must be seen in one life of it.
        steady = replace(rates, kill=rates.kill / 2, freeze=0, daemon=False, odd=False)
        settle(bench)
        for share in (calls // 8, calls // 4 - calls // 8):
            one.run(share, steady)
            one.run(20, Rates(edit=0, kill=0, freeze=0, client_killed=0))
            samples.append(sample(bench))
        stopped = bench.cn("stop")
    finally:
        bench.close()
    tally = one.tally
    left = left_behind(bench)
    tally.faults += [f"left behind: {what}" for what in left] + _grown(*samples)
    if stopped.returncode:
        tally.faults.append(f"cn stop: {stopped.stderr}")
    return {
        "server": server,
        "seed": seed,
        "calls": sum(tally.verbs.values()),
        "seconds": round(time.monotonic() - began, 1),
        "verbs": dict(tally.verbs.most_common()),
        "outcomes": dict(tally.outcomes.most_common()),
        "refusals": tally.refusals,
        "kills": dict(one.killer.counts.most_common()),
        "edits": dict(tally.edits.most_common()),
        "daemon": [sample.document() for sample in samples],
        "faults": tally.faults,
    }


def _bench(folder: Path, server: str) -> Workbench:
    bench = Workbench(folder, servers=True)
    (folder / "tmp").mkdir()
    bench.environment |= {
        "TMPDIR": str(folder / "tmp"),
        "CN_SERVER": server,
        # A program of which it is known what it prints.
        "CN_CLIMPT_COMMAND": json.dumps([shutil.which("echo")]),
    }
    return bench


def _grown(before: Sample, after: Sample) -> list[str]:
    found = []
    if after.memory_mb - before.memory_mb > _MEMORY_MB:
        found.append(f"memory grew from {before.memory_mb} to {after.memory_mb} MB")
    # One that was started in between takes what it takes.
    if after.servers == before.servers and after.servers_mb - before.servers_mb > _SERVERS_MB:
        found.append(f"memory of the servers grew from {before.servers_mb} to {after.servers_mb} MB")
    if after.descriptors - before.descriptors > _DESCRIPTORS:
        found.append(f"descriptors grew from {before.descriptors} to {after.descriptors}")
    if after.zombies or after.servers > 1:
        found.append(f"{after.zombies} zombies, {after.servers} language servers")
    return found


def _tell(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
