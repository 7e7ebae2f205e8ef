"""Which Python language server is right how often: `python -m benchmarks.languages [--symbols N] [--server NAME]`.

Two projects from PyPI, pinned by version and hash; the truth by `oracle`. Each server is asked as cn asks it: every
file that holds the name is open. Prints one row per server and project.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psutil

from benchmarks.languages.oracle import Place, Truth, truths
from benchmarks.languages.projects import ENVIRONMENT, PROJECTS, Project, fetch
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_shared.errors import CnError

SERVERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "ty": ("ty==0.0.105", ("ty", "server")),
    "zuban": ("zuban==0.10.2", ("zuban", "server")),
    "basedpyright": ("basedpyright==1.40.2", ("basedpyright-langserver", "--stdio")),
    "pyrefly": ("pyrefly==1.4.1", ("pyrefly", "lsp")),
}
ANSWER_S = 15.0
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cn" / "benchmarks" / "languages"
_HEAD = (
    "| server | project | symbols | definitions right | references found | precision | first answer, s "
    "| each, ms | MB |"
)


@dataclass
class Score:
    asked: int = 0
    defined: int = 0
    definitions: int = 0
    wanted: int = 0
    found: int = 0
    wrong: int = 0
    first_s: float = 0.0
    total_s: float = 0.0
    memory_mb: float = 0.0

    def row(self, server: str, project: str) -> str:
        right = self.definitions and self.defined / self.definitions
        recall = self.wanted and self.found / self.wanted
        precision = self.found and self.found / (self.found + self.wrong)
        return (
            f"| {server} | {project} | {self.asked} | {right:.1%} of {self.definitions} "
            f"| {recall:.1%} of {self.wanted} | {precision:.1%} | {self.first_s:.2f} "
            f"| {self.total_s / max(1, self.asked) * 1000:.0f} "
            f"| {self.memory_mb:.0f} |"
        )


def programs(cache: Path, wanted: Sequence[str]) -> Path:
    """A folder with the servers' programs."""
    folder = cache / "servers"
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([folder / "bin/pip", "install", "-q", *(SERVERS[name][0] for name in wanted)], check=True)
    return folder / "bin"


class Server:
    """One running server of one project."""

    def __init__(self, session: PyglsSession, root: Path) -> None:
        self._session = session
        self._root = root
        self._open: set[Path] = set()

    @classmethod
    async def start(cls, name: str, folder: Path, root: Path, log: Path, sources: Sequence[str] = ()) -> Server:
        """sources: the folders of the project that are on its import path; it is told of them and of the environment
        as a user's settings would."""
        program, *arguments = SERVERS[name][1]
        roots = [str(root / one) for one in sources]
        environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(log.parent), "MYPYPATH": ":".join(roots)}
        told: dict[str, object] = {"analysis": {"extraPaths": roots}}
        if (root / ENVIRONMENT).exists():
            environment["VIRTUAL_ENV"] = str(root / ENVIRONMENT)
            told["pythonPath"] = str(root / ENVIRONMENT / "bin/python")
        session = await PyglsSession.spawn(
            name,
            [str(folder / program), *arguments],
            answers={
                "workspace/configuration": lambda params: [
                    told if item.get("section") == "python" else {} for item in params["items"]
                ]
            },
            cwd=root,
            environment=environment,
            log_file=log,
        )
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {"diagnostic": {}, "publishDiagnostics": {}},
        }
        folders = [{"uri": root.as_uri(), "name": root.name}]
        start = {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": folders, "capabilities": capabilities}
        await session.request("initialize", start, timeout_s=ANSWER_S)
        session.notify("initialized", {})
        return cls(session, root)

    def open(self, paths: set[Path]) -> None:
        for path in paths - self._open:
            item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text("utf-8")}
            self._session.notify("textDocument/didOpen", {"textDocument": item})
        self._open |= paths

    async def places(self, method: str, place: Place, **more: Any) -> set[Place] | None:
        """None when it does not answer."""
        position = {"line": place.line, "character": place.character}
        parameters = {"textDocument": {"uri": place.path.as_uri()}, "position": position, **more}
        try:
            answer = await self._session.request(method, parameters, timeout_s=ANSWER_S)
        except CnError as error:
            print(f"{method} {place}: {error.message}", file=sys.stderr)
            return None
        rows = answer if isinstance(answer, list) else [answer] if answer else []
        return {_place(row) for row in rows}

    def memory_mb(self) -> float:
        process = psutil.Process(self._session.process.pid)
        return sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]) / 1e6

    async def stop(self) -> None:
        await self._session.stop()


def _place(row: dict[str, Any]) -> Place:
    uri = row.get("targetUri") or row["uri"]
    start = (row.get("targetSelectionRange") or row["range"])["start"]
    return Place(Path(unquote(urlsplit(uri).path)), start["line"], start["character"])


async def measure(name: str, project: Project, symbols: Sequence[Truth], folder: Path, cache: Path) -> Score:
    root = fetch(project, cache)
    files = {path: path.read_text("utf-8") for path in root.rglob("*.py")}
    score = Score()
    began = time.perf_counter()
    server = await Server.start(name, folder, root, cache / f"{name}.log")
    try:
        for truth in symbols:
            server.open({path for path, text in files.items() if truth.name in text})
            asked = time.perf_counter()
            told = await server.places("textDocument/references", truth.declared, context={"includeDeclaration": True})
            score.total_s += time.perf_counter() - asked
            score.first_s = score.first_s or time.perf_counter() - began
            _count(score, truth, told or set())
            for use in sorted(truth.uses)[:3]:
                score.definitions += 1
                score.defined += truth.declared in (await server.places("textDocument/definition", use) or ())
        score.memory_mb = server.memory_mb()
    finally:
        await server.stop()
    return score


def _count(score: Score, truth: Truth, found: set[Place]) -> None:
    score.asked += 1
    score.wanted += len(truth.uses)
    score.found += len(truth.uses & found)
    texts = {place.path: place.path.read_text("utf-8").split("\n") for place in found}
    for place in found - truth.uses - {truth.declared}:
        # A string in `__all__` and the new name of `import … as` are uses to some and none to others.
        if texts[place.path][place.line].startswith(truth.name, place.character):
            quoted = texts[place.path][place.line][place.character - 1 : place.character]
            score.wrong += quoted not in ("'", '"', "`")


async def run(arguments: argparse.Namespace) -> None:
    cache = Path(arguments.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    names = [arguments.server] if arguments.server else list(SERVERS)
    folder = programs(cache, list(SERVERS))
    print(_HEAD)
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for project in PROJECTS[:2]:
        known = truths(fetch(project, cache), project.sources)
        symbols = random.Random(7).sample(known, min(arguments.symbols, len(known)))
        for name in names:
            score = await measure(name, project, symbols, folder, cache)
            print(score.row(name, f"{project.name} {project.version}"), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.languages")
    parser.add_argument("--symbols", type=int, default=80)
    parser.add_argument("--server", choices=SERVERS)
    parser.add_argument("--cache", default=CACHE)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
