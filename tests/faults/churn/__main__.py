"""The command: tell each change and each difference, and end with 1 when there was one."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.navigation.projects import PROJECTS, assemble, compiler, install

from cn_daemon.adapters.language_servers.provisioning import provision
from cn_daemon.settings import Settings
from tests.faults.churn import monorepo
from tests.faults.churn.builds import BUILDS
from tests.faults.churn.drive import Churn, Plan
from tests.faults.churn.odd import ODD
from tests.faults.churn.setup import SETUP
from tests.faults.churn.shrink import shrink
from tests.faults.churn.sources import SOURCES

OURS = "ours"
CHANGES = {"sources": SOURCES, "odd": ODD, "builds": BUILDS, "setup": SETUP}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.churn", description=__doc__)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--typescript", choices=("5", "7"), default="5", help="7 answers natively")
    parser.add_argument(
        "--project",
        choices=(OURS, *(one.name for one in PROJECTS if one.package)),
        default=OURS,
        help="a monorepo of ours, or a pinned package of benchmarks.navigation",
    )
    parser.add_argument(
        "--folder", type=Path, help="a copy of this workspace instead, with what is installed in it and its TypeScript"
    )
    parser.add_argument("--changes", nargs="+", choices=CHANGES, help="of these kinds alone")
    parser.add_argument("--asked", type=int, default=6, help="questions per step")
    parser.add_argument("--take", type=int, nargs="+", help="these steps alone, by their numbers")
    parser.add_argument(
        "--shrink", action="store_true", help="end at the first difference, and find the steps it needs"
    )
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache/cn-benchmarks", help="keeps what is fetched")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cn-churn.")).resolve()
    try:
        return _run(options, _plan(options, folder), folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(options: argparse.Namespace, plan: Plan, folder: Path) -> int:
    (folder / "first").mkdir()
    count = 0
    for difference in Churn(plan, folder / "first", _tell).run(options.take or range(options.steps)):
        count += 1
        print(difference, flush=True)
        if options.shrink:
            steps, left = shrink(plan, difference, folder)
            print(f"needs the steps {' '.join(map(str, steps))}\n{left}")
            break
    where = options.folder or f"{options.project}, TypeScript {options.typescript}"
    print(f"seed {plan.seed}, {where}: {count} differences")
    return 1 if count else 0


def _plan(options: argparse.Namespace, folder: Path) -> Plan:
    ours = options.project == OURS and options.folder is None
    kinds = options.changes or (CHANGES if ours else ("sources", "odd"))
    tools = asyncio.run(provision(folder, Settings(typescript_source="bundled"), _tell))

    def lay(root: Path) -> None:
        if options.folder is not None:
            _copy(options.folder, root)
        elif ours:
            monorepo.lay(root)
            install(compiler(options.typescript), root, options.work)
        else:
            project = next(one for one in PROJECTS if one.name == options.project)
            assemble(project, options.typescript, options.work, root)
            (root / ".gitignore").write_text("node_modules\n")

    return Plan(
        lay,
        [change for kind in kinds for change in CHANGES[kind]],
        Settings(),
        (str(tools.node), str(tools.tsserver.with_name("tsc.js"))),
        options.seed,
        monorepo.QUERIES if ours else (),
        options.asked,
    )


def _copy(folder: Path, root: Path) -> None:
    """No change writes into what is installed: that is linked, where it can be."""

    def put(source: str, to: str) -> None:
        try:
            (os.link if "/node_modules/" in source else shutil.copy2)(source, to)
        except OSError:
            shutil.copy2(source, to)

    unwanted = shutil.ignore_patterns(".git", ".cn*")
    shutil.copytree(folder, root, symlinks=True, ignore=unwanted, copy_function=put, dirs_exist_ok=True)
    with (root / ".gitignore").open("a") as ignored:
        ignored.write("\nnode_modules\n")


def _tell(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
