"""python -m benchmarks.scale: names answered from bindings, on monorepos. See README.md in this folder."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.navigation.projects import FetchError
from cn_daemon.adapters.language_servers.provisioning import provision
from cn_daemon.settings import Settings

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn" / "benchmarks" / "scale"

COMPILER = Path(__file__).parent / "compiler.mjs"
COMPILER_MB = 12_000

# Repository, commit, and the first name.
WORKSPACES = {
    "medusa": ("medusajs/medusa", "59e6747800133e091d20c2c167f600981abc5c0d", "ContainerRegistrationKeys"),
    "payload": ("payloadcms/payload", "db7543c2121f0b672e33436447122b5e09ea4f2b", "APIError"),
    "formbricks": ("formbricks/formbricks", "b66c1dd978af618a0e402bd3343b456bed68594c", "logger"),
}


def fetched(name: str) -> Path:
    """The workspace at its commit, fetched once. Raises FetchError."""
    repository, commit, _ = WORKSPACES[name]
    folder = CACHE / f"{name}-{commit[:12]}"
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=CACHE))
        url = f"https://github.com/{repository}"
        for command in (["init", "-q"], ["fetch", "-q", "--depth=1", url, commit], ["checkout", "-q", "FETCH_HEAD"]):
            if subprocess.run(["git", "-C", scratch, *command], check=False).returncode:
                raise FetchError(f"{url} at {commit} could not be fetched; name a clone: --folder {name}=FOLDER")
        scratch.rename(folder)
    return folder


def beside(command: str, root: Path, name: str) -> float:
    """Processor seconds of another program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [word.format(root=root, name=name) for word in shlex.split(command)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def judged(answers: list[dict[str, Any]], folder: str, programs: list[str]) -> dict[str, Any]:
    """What the compiler says of the same places of a copy with its packages: how many symbols and uses it knows, and
    which answers that are called complete lack a use, or tell one that to it is another symbol's."""
    node, typescript = programs
    command = [node, f"--max-old-space-size={COMPILER_MB}", COMPILER, typescript, folder]
    asked = json.dumps(answers)
    told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, input=asked, text=True).stdout)
    wrong = []
    for answer, truth in zip(answers, told, strict=True):
        missing = set(truth["uses"]) - {*answer["uses"], *answer["declared"]}
        if answer["complete"] and (missing or truth["denied"]):
            wrong.append({"name": answer["name"], "missing": sorted(missing), "denied": truth["denied"]})
    known = [truth for truth in told if truth["projects"]]
    return {"symbols": len(known), "uses": sum(len(truth["uses"]) for truth in known), "wrong": wrong}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("--folder", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--only", choices=WORKSPACES, action="append")
    parser.add_argument("--names", type=int, default=60)
    parser.add_argument("--members", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beside", metavar="COMMAND")
    parser.add_argument("--installed", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    given, installed = (dict(pair.split("=", 1) for pair in pairs) for pairs in (chosen.folder, chosen.installed))
    with tempfile.TemporaryDirectory() as empty:
        tools = asyncio.run(provision(Path(empty).resolve(), Settings(typescript_source="bundled"), print))
    for name in chosen.only or WORKSPACES:
        root = (Path(given[name]) if name in given else fetched(name)).resolve()
        first = WORKSPACES[name][2]
        arguments = [str(root), first, str(chosen.names), str(chosen.seed)]
        programs = [str(tools.node), str(tools.tsserver.parent.parent)]
        command = [sys.executable, "-m", "benchmarks.scale.one", *arguments, *programs]
        with tempfile.TemporaryDirectory() as kept:
            command.append(os.path.join(kept, "facts"))
            # Members once: of their types nothing is kept.
            answer, cached = (_told([*command, str(members)]) for members in (chosen.members, 0))
        answer["cached"] = cached
        if chosen.beside:
            answer["beside_processor_s"] = beside(chosen.beside, root, first)
        if name in installed:
            answer["judged"] = judged(answer["names"]["answers"], installed[name], programs)
        print(json.dumps({name: answer}) if chosen.json else _shown(name, answer))


def _told(command: list[str]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return answer


def _shown(name: str, answer: dict[str, Any]) -> str:
    shown = f"{_run(name, answer)}\n{_run('  with facts cached', answer['cached'])}"
    if told := answer.get("judged"):
        wrong = told["wrong"]
        shown += f"\n  to the compiler {told['symbols']} symbols, {told['uses']} uses: {len(wrong)} wrong but complete"
        shown += "".join(
            f"\n    {one['name']}: missing {one['missing'][:5]}, denied {one['denied'][:5]}" for one in wrong
        )
    return shown


def _run(name: str, answer: dict[str, Any]) -> str:
    first, names, members = answer["first"], answer["names"], answer.get("members")
    other = f" (beside: {answer['beside_processor_s']:.1f} s)" if "beside_processor_s" in answer else ""
    return (
        f"{name}: {first['name']}, {first['uses']} uses, {first['doubts']} doubts: "
        f"{first['processor_s']:.1f} s of processor{other}, {first['wall_s']:.1f} s, {first['memory_mb']:.0f} MB\n"
        f"  {names['asked']} names: {names['complete']} complete, p50 {names['p50_ms']:.0f} ms, "
        f"p95 {names['p95_ms']:.0f} ms, max {names['max_ms']:.0f} ms; "
        f"of processor p50 {names['p50_processor_ms']:.0f} ms, "
        f"p95 {names['p95_processor_ms']:.0f} ms, all {names['processor_s']:.1f} s; "
        f"{names['memory_mb']:.0f} MB\n  {names['reasons']} {names['partial']}" + (_members(members) if members else "")
    )


def _members(members: dict[str, Any]) -> str:
    return (
        f"\n  {members['asked']} members: {members['complete']} complete, p50 {members['p50_ms']:.0f} ms, "
        f"max {members['max_ms']:.0f} ms, {members['memory_mb']:.0f} MB, {members['processor_s']:.1f} s of processor; "
        f"{members['projects_left']} of {members['projects']} projects may use them\n  {members['reasons']}"
    )


if __name__ == "__main__":
    main()
