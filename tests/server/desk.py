"""The navigation half in this process, over a real language server: questions go straight to the use cases."""

from __future__ import annotations

import asyncio
import signal
import textwrap
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any

import psutil

from cn_daemon import bootstrap
from cn_daemon.application.ports import Call
from cn_daemon.settings import Settings
from cn_shared.wire import FindAnswer, InspectAnswer, LocationRef, MapAnswer
from tests.processes import in_sessions, outliving

TSCONFIG = '{"compilerOptions": {"strict": true, "skipLibCheck": true, "types": []}}'


class Desk:
    """One workspace with its own event loop. Files are told as `{path: text}`; texts are dedented. A tsconfig whose
    types are `[]` and that names no `lib` has none of the DOM: with it a server takes half as long again."""

    def __init__(self, root: Path, settings: Settings | None = None) -> None:
        self.root = root
        self._alone = settings is not None and settings.bindings == "off"
        root.mkdir(parents=True, exist_ok=True)
        self._loop = asyncio.new_event_loop()
        self.services = bootstrap.Services(root, settings or Settings(), root.with_name(root.name + ".log"))
        self._sessions: set[int] = set()
        # The timer by which its daemon watches what holds up the loop: who is given its signal, and when.
        self._watched = signal.getsignal(signal.SIGVTALRM)
        self._timer = (0.0, 0.0)

    # Files

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_lean(textwrap.dedent(text).lstrip("\n")), encoding="utf-8", newline="")

    def replace(self, path: str, text: str) -> None:
        """As editors save: a new file takes the old one's place."""
        fresh = self.root / (path + ".tmp~")
        fresh.write_text(_lean(text), encoding="utf-8")
        fresh.replace(self.root / path)

    # Questions

    def run(self, question: Coroutine[Any, Any, Any]) -> Any:
        """The daemon's timer runs meanwhile only: a signal that comes while another loop closes fails that one."""
        signal.signal(signal.SIGVTALRM, self._watched)
        signal.setitimer(signal.ITIMER_VIRTUAL, *self._timer)
        try:
            return self._loop.run_until_complete(question)
        finally:
            self._timer = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self._watched = signal.getsignal(signal.SIGVTALRM)

    def call(self, timeout_s: float = 60) -> Call:
        return Call(None, self._loop.time() + timeout_s)

    async def ask(self, verb: str, timeout_s: float = 60, **parameters: Any) -> Any:
        try:
            return await self.services.handlers[verb](self.call(timeout_s), **parameters)
        finally:
            self.note()

    def find(self, query: str, **parameters: Any) -> FindAnswer:
        answer: FindAnswer = self.run(self.ask("find", query=query, **parameters))
        return answer

    def uses(self, query: str) -> list[str]:
        """The references as `path:line`, of an answer that says it is complete, or was had of a server alone."""
        answer = self.find(query, limit=0)
        verdict = answer.completeness
        of_server = self._alone and (verdict.reason or "").startswith("only the language server was asked")
        assert verdict.status == "complete" or of_server, answer
        assert answer.references is not None
        return places(answer.references)

    def map(self, path: str) -> MapAnswer:
        answer: MapAnswer = self.run(self.ask("map", file_path=path))
        return answer

    def rows(self, path: str) -> list[str]:
        """`line kind Container.name` of every symbol."""
        symbols = self.map(path).symbols
        return [f"{row.line} {row.kind} {'.'.join(filter(None, (row.container, row.name)))}" for row in symbols]

    def inspect(self, target: str, **parameters: Any) -> InspectAnswer:
        answer: InspectAnswer = self.run(self.ask("inspect", target_id=target, **parameters))
        return answer

    # Processes

    @property
    def server_pid(self) -> int:
        pid = self.services.language_servers()[0].pid
        assert pid is not None
        return pid

    def opened(self) -> list[str]:
        """The files that TypeScript's server holds open."""
        code = self.services.code.built
        assert code is not None
        server: Any = code.servers.server_for("any.ts")
        while not hasattr(server, "_files"):
            server = server._server
        return [str(Path(path).relative_to(self.root)) for path in sorted(server._files._open)]

    def note(self) -> None:
        """Remember what runs now: `close` tells which of it, and of what it started, has outlived the desk."""
        self._sessions.update(one.pid for one in self.services.language_servers() if one.pid is not None)

    def tsservers(self) -> list[psutil.Process]:
        children = psutil.Process(self.server_pid).children(recursive=True)
        return [child for child in children if any("tsserver" in part for part in child.cmdline())]

    def close(self) -> list[psutil.Process]:
        """What still runs, after everything was asked to end."""
        self.note()
        self.run(self.services.close())
        self.run(self._loop.shutdown_default_executor())
        self._loop.close()
        return outliving(in_sessions(self._sessions), 5)


def _lean(text: str) -> str:
    return text if '"lib"' in text else text.replace('"types": []', '"types": [], "lib": ["es2022"]')


def places(refs: list[LocationRef]) -> list[str]:
    return sorted(f"{ref.file_path}:{ref.line}" for ref in refs)


def place(ref: LocationRef | None) -> str | None:
    return f"{ref.file_path}:{ref.line}:{ref.character}" if ref else None
