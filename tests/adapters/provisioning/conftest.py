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

from cn_daemon.adapters.language_servers.provisioning import (
    NativeToolchain,
    Toolchain,
    provision,
    provision_native,
)
from cn_daemon.adapters.language_servers.provisioning.packages import platform_package
from cn_daemon.settings import Settings

# npm's part in it: what the package.json asks for appears beside it. --prefix would lose the machine's own npmrc.
FAKE_NPM = """
case " $* " in *" --prefix"*) exit 9;; esac
put() {
  mkdir -p "node_modules/$1/lib"
  echo "{\\"name\\": \\"$1\\", \\"version\\": \\"$2\\"}" > "node_modules/$1/package.json"
  echo registry > "node_modules/$1/lib/$3"
}
version=$(sed -n 's/.*"typescript": *"\\([^"]*\\)".*/\\1/p' package.json | tail -n 1)
echo "run $version" >> "{log}"
case "$(cat package.json)" in *language-server*) put typescript-language-server 5.3.0 cli.mjs;; esac
put typescript "$version" tsserver.js
case "$version" in [1-6].*) ;; *) put "{platform}" "$version" tsc;; esac
"""


class Machine:
    """Programs on PATH, a workspace, and what provisioning said while it worked."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.root = folder / "code" / "workspace"
        self.cache = folder / "cache"
        self.npm_log = folder / "npm.log"
        self.said: list[str] = []
        for made in (self.bin, self.root):
            made.mkdir(parents=True)

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
            self.bin / "npm", text.replace("{log}", str(self.npm_log)).replace("{platform}", platform_package())
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

    def native(self, **values: Any) -> NativeToolchain:
        return asyncio.run(provision_native(self.root, self.settings(**values), self.said.append, environ=self.environ))

    def npm_runs(self) -> int:
        return self.npm_log.read_text().count("run") if self.npm_log.exists() else 0


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with Node.js 20 and npm; GIT_* of a surrounding hook is out of the way."""
    machine = Machine(tmp_path.resolve())
    machine.node("20.11.1")
    machine.npm()
    return machine
