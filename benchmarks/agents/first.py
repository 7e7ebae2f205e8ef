"""From nothing to the first answer in five real clients, as a transcript.

    python -m benchmarks.agents.first [--work FOLDER] [--client NAME]... [--cn PROGRAM]

Each has a new home, with nothing in a cache, and a copy of `examples/shop`. `cn init --client NAME --write` is all that
it is told of `cn`; its question for the approval of a server is answered by the setting that it has for that. Its model
is a mock, which asks one question; what arrives there is shown.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.agents import clients
from benchmarks.agents.__main__ import _options
from benchmarks.agents.model import Model
from benchmarks.latency.daemon import cn

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"
QUESTION = [("find", {"query": "Admin", "limit": 3})]


def main() -> None:
    options = _options()
    work = options.work.resolve()
    folder = clients.install(work)
    os.environ["PATH"] = f"{Path(options.cn or cn()).parent}:{os.environ['PATH']}"
    for client in clients.CLIENTS:
        if not options.client or client.name in options.client:
            with tempfile.TemporaryDirectory(dir=work, ignore_cleanup_errors=True) as place:
                _first(client, folder, Path(place))


def _first(client: clients.Client, folder: Path, place: Path) -> None:
    root, home = place / "shop", place / "home"
    shutil.copytree(SHOP, root, ignore=shutil.ignore_patterns(".cn-daemon.json"))
    home.mkdir()
    model = Model([QUESTION])
    words, variables = client.prepare(home, [], model.url)
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], **variables}
    init = ["cn", "--text", "init", "--client", client.name, "--write"]
    written = subprocess.run(init, cwd=root, env=environ, capture_output=True, text=True, check=False)
    print(f"$ {' '.join(init)}\n{written.stdout}{written.stderr}".replace(str(place), "/home/ada").rstrip())
    if client.name == "claude":
        approved = root / ".claude" / "settings.local.json"
        approved.parent.mkdir(exist_ok=True)
        approved.write_text(json.dumps({"enabledMcpjsonServers": ["cn"]}))
    for kind in (".gemini", ".qwen"):
        (home / kind).mkdir(exist_ok=True)
        (home / kind / "trustedFolders.json").write_text(json.dumps({str(root): "TRUST_FOLDER"}))
    begun = time.monotonic()
    prepared = replace(client, prepare=lambda *_: (words, variables))
    try:
        said = clients.run(prepared, folder, home, root, [], model.url)
    except subprocess.TimeoutExpired:
        said = "it did not end in time"
    finally:
        model.close()
        subprocess.run(["cn", "stop"], cwd=root, env=environ, check=False, capture_output=True)
    print(f"$ {client.name}\n› {json.dumps(QUESTION[0][1])} to find ({time.monotonic() - begun:.0f} s)")
    print("\n".join(model.results) or said[-800:], end="\n\n", flush=True)


if __name__ == "__main__":
    main()
