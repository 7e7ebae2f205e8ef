"""A machine made of scripts: node, npm and pip that say what a test wants, and a cache of its own."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain, provision
from cn_daemon.settings import Settings

# npm's part in it: both pinned packages appear in the folder that --prefix names.
FAKE_NPM = """
echo run >> "{log}"
while [ "$1" != --prefix ]; do shift; done
for package in typescript-language-server/5.3.0/cli.mjs typescript/6.0.3/tsserver.js; do
  name=${{package%%/*}} rest=${{package#*/}}
  mkdir -p "$2/node_modules/$name/lib"
  echo "{{\\"name\\": \\"$name\\", \\"version\\": \\"${{rest%/*}}\\"}}" > "$2/node_modules/$name/package.json"
  : > "$2/node_modules/$name/lib/${{rest#*/}}"
done
"""


class Machine:
    """Programs on PATH, a workspace, and what provisioning said while it worked."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.root = folder / "workspace"
        self.cache = folder / "cache"
        self.npm_log = folder / "npm.log"
        self.said: list[str] = []
        for made in (self.bin, self.root):
            made.mkdir()

    def script(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def node(self, version: str, folder: Path | None = None) -> Path:
        path = (folder or self.bin) / "node"
        return self.script(path, f"echo v{version}; echo {path}")

    def npm(self, text: str = FAKE_NPM) -> Path:
        return self.script(
            self.bin / "npm", text.replace("{log}", str(self.npm_log)).replace("{{", "{").replace("}}", "}")
        )

    def package(self, folder: Path, name: str, version: str, entry: str) -> Path:
        package = folder / "node_modules" / name
        (package / "lib").mkdir(parents=True)
        (package / "package.json").write_text(json.dumps({"name": name, "version": version}))
        (package / "lib" / entry).touch()
        return package

    def typescript(self, version: str, folder: Path | None = None) -> Path:
        return self.package(folder or self.root, "typescript", version, "tsserver.js")

    def server(self, version: str, folder: Path | None = None) -> Path:
        return self.package(folder or self.root, "typescript-language-server", version, "cli.mjs")

    @property
    def environ(self) -> Mapping[str, str]:
        return {**os.environ, "PATH": f"{self.bin}:/usr/bin:/bin"}

    def settings(self, **values: Any) -> Settings:
        return Settings(**{"cache_directory": self.cache, **values})

    async def provision_async(self, environ: Mapping[str, str] | None = None, **values: Any) -> Toolchain:
        return await provision(self.root, self.settings(**values), self.said.append, environ=environ or self.environ)

    def provision(self, environ: Mapping[str, str] | None = None, **values: Any) -> Toolchain:
        return asyncio.run(self.provision_async(environ, **values))

    def npm_runs(self) -> int:
        return self.npm_log.read_text().count("run") if self.npm_log.exists() else 0


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with Node.js 20 and npm; GIT_* of a surrounding hook is out of the way."""
    machine = Machine(tmp_path.resolve())
    machine.node("20.11.1")
    machine.npm()
    return machine
