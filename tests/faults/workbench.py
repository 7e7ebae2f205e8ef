"""Real processes: `cn` as the user runs it, and the daemon it starts."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

import cn_client
import cn_daemon
import cn_shared
from cn_shared import folders, process, state


class Workbench:
    """One workspace with user folders of its own, and every daemon that was seen in it. servers: whether these start
    language servers, as soon as they run themselves; else one that ends at once stands in."""

    def __init__(self, folder: Path, *, servers: bool = False) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        (self.root / ".cn.json").write_text("{}")
        self.environment = dict(os.environ)
        for name in ("cache", "state", "config", "runtime"):
            (folder / name).mkdir(mode=0o700)
            variable = "XDG_RUNTIME_DIR" if name == "runtime" else f"XDG_{name.upper()}_HOME"
            self.environment[variable] = str(folder / name)
        # The language server is installed once for all of them, not by every daemon that starts here.
        self.environment["CN_CACHE_DIRECTORY"] = folders.base("XDG_CACHE_HOME", ".cache")
        if not servers:
            self.environment["CN_SERVER_COMMAND"] = '["true"]'
        self.seen: dict[tuple[int, str], None] = {}

    def add_command(self) -> None:
        self.command_file.parent.mkdir(parents=True)
        self.command_file.write_text("Deploy.\n")

    def patch(self, folder: Path, code: str, module: str = "argparse") -> None:
        """Have what is started here run `code` when it imports that module. PYTHONPATH decides nothing, unless cn
        itself lies there: so it does here."""
        folder.mkdir()
        again = f"\nimport sys\nsys.path.remove({str(folder)!r})\ndel sys.modules[{module!r}]\nimport {module}\n"
        (folder / f"{module}.py").write_text(code + again)
        packages = {str(Path(str(one.__file__)).parents[1]) for one in (cn_client, cn_daemon, cn_shared)}
        self.environment["PYTHONPATH"] = os.pathsep.join([str(folder), *packages])

    @property
    def command_file(self) -> Path:
        return self.root / ".claude" / "commands" / "deploy.md"

    def commands(self, **settings: Any) -> list[str]:
        """What `cn commands` answers, rightly and without a word beside it."""
        done = self.cn("commands", "--json", **settings)
        assert (done.returncode, done.stderr) == (0, ""), (done.returncode, done.stderr)
        return [row["name"] for row in json.loads(done.stdout)["commands"]]

    @property
    def state_file(self) -> Path:
        return self.root / state.NAME

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-P", "-m", "cn_client", *arguments]

    def spawn(self, *arguments: str, **settings: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments),
            **{
                "cwd": self.root,
                "env": self.environment,
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE,
                "stderr": subprocess.PIPE,
                "text": True,
                **settings,
            },
        )

    def cn(self, *arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
        with self.spawn(*arguments, **settings) as child:
            out, err = child.communicate(timeout=60)
        self.note()
        return subprocess.CompletedProcess(arguments, child.returncode, out, err)

    def status(self) -> dict[str, Any]:
        done = self.cn("status", "--json")
        assert done.returncode == 0, done.stderr
        document: dict[str, Any] = json.loads(done.stdout)
        return document

    def start(self) -> state.State:
        done = self.cn("start")
        assert done.returncode == 0, done.stderr
        return self.state()

    def state(self) -> state.State:
        found = self.note()
        assert found is not None
        return found

    def rewrite(self, **changes: object) -> None:
        """Change the daemon's state file, under the seal of this bench's user."""
        found = self.state()
        with pytest.MonkeyPatch.context() as patch:
            for name in ("HOME", "XDG_STATE_HOME"):
                patch.setenv(name, self.environment[name])
            state.publish(state.State({**found.document, **changes}))

    def note(self) -> state.State | None:
        found = state.read(str(self.state_file))
        if found:
            self.seen[found.pid, found.process_start] = None
        return found

    def alive(self) -> list[int]:
        return [pid for pid, start in self.seen if process.alive(pid, start)]

    def family(self) -> list[psutil.Process]:
        """Every process with the user folders of this bench, zombies of its daemons included."""
        found: dict[int, psutil.Process] = {}
        for one in psutil.process_iter():
            try:
                if one.environ().get("XDG_STATE_HOME") == self.environment["XDG_STATE_HOME"]:
                    found |= {each.pid: each for each in (one, *one.children(recursive=True))}
            except psutil.Error:
                continue
        return list(found.values())

    def close(self) -> None:
        self.note()
        for pid, start in self.seen:
            with contextlib.suppress(ProcessLookupError):
                if process.alive(pid, start):
                    os.kill(pid, signal.SIGCONT)
            process.end_group(pid, start, 5.0)


def error_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one error on stderr, in its JSON shape."""
    document: dict[str, dict[str, Any]] = json.loads(done.stderr)
    return document["error"]
