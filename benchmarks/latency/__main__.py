"""What a warm call of `cn` costs, beside other programs' starts, in one alternating run.

    python -m benchmarks.latency [--root WORKSPACE] [--calls 200] [--json FILE]

Each round asks one more name, and starts every program once, so that a change of the machine's speed meets all of
them alike. `client` is a whole `cn` process less the daemon's own time for the same question (`Server-Timing`), which
is asked right before. Ratios are of medians. Without --root a copy of `examples/shop` is asked.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

ENDINGS = (".ts", ".tsx", ".mts", ".js", ".jsx")
NAMES = 60


class Daemon:
    """The warm daemon of a workspace, asked without a client."""

    def __init__(self, root: Path) -> None:
        self.root = root
        subprocess.run([cn(), "start"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        state = json.loads((root / ".cn-daemon.json").read_text())
        self.port = state["port"]
        self.authorization = "Bearer " + state["token"]

    def get(self, path: str) -> tuple[float, bytes]:
        """The daemon's own time in ms, and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", path, headers={"Authorization": self.authorization})
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return float((reply.getheader("Server-Timing") or "=0").rpartition("=")[2]), body

    def curl(self, path: str) -> list[str]:
        return ["curl", "-s", "-H", f"Authorization: {self.authorization}", f"http://127.0.0.1:{self.port}{path}"]


def cn() -> str:
    return str(Path(sys.executable).with_name("cn"))


def questions(daemon: Daemon) -> list[tuple[str, list[str], str, str]]:
    """(verb, words of the command, the same as a path, name) for at least NAMES different names."""
    files = sorted(
        path.relative_to(daemon.root).as_posix()
        for path in daemon.root.rglob("*")
        if path.suffix in ENDINGS and "node_modules" not in path.parts
    )
    asked = []
    for file in files:
        _, body = daemon.get(f"/map?filePath={quote(file)}")
        for row in json.loads(body).get("symbols", []):
            asked.append(("find", ["find", row["name"]], f"/find?query={quote(row['name'])}", row["name"]))
            asked.append(("inspect", ["inspect", row["id"]], f"/inspect?targetId={quote(row['id'])}", row["name"]))
        asked.append(("map", ["map", file], f"/map?filePath={quote(file)}", file))
        if len({name for verb, _, _, name in asked if verb == "find"}) >= NAMES:
            break
    return asked


def timed(command: list[str], cwd: Path) -> float:
    """Milliseconds of a whole process."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - start) * 1000


def measure(daemon: Daemon, calls: int) -> dict[str, list[float]]:
    asked = questions(daemon)
    for _, _, path, _ in asked:
        daemon.get(path)
    programs: dict[str, Callable[[str, str], list[str]]] = {
        "python -c pass": lambda path, name: [sys.executable, "-c", "pass"],
        "node -e 0": lambda path, name: ["node", "-e", "0"],
        "curl, same request": lambda path, name: daemon.curl(path),
        "rg -nw NAME": lambda path, name: ["rg", "-nw", "--", name, "."],
    }
    present = {title: line for title, line in programs.items() if shutil.which(line("", "")[0])}
    times: dict[str, list[float]] = {}
    for verb, words, path, name in itertools.islice(itertools.cycle(asked), calls):
        for title, line in present.items():
            times.setdefault(title, []).append(timed(line(path, name), daemon.root))
        daemon_ms, _ = daemon.get(path)
        whole_ms = timed([cn(), *words], daemon.root)
        times.setdefault(f"cn {verb}, whole process", []).append(whole_ms)
        times.setdefault(f"daemon, {verb}", []).append(daemon_ms)
        times.setdefault("client", []).append(whole_ms - daemon_ms)
    return times


def table(times: dict[str, list[float]]) -> Iterator[str]:
    medians = {title: statistics.median(rows) for title, rows in times.items()}
    yield f"{'ms':28}{'p50':>8}{'p90':>8}{'p99':>8}{'calls':>7}"
    for title, rows in times.items():
        cuts = statistics.quantiles(rows, n=100, method="inclusive")
        yield f"{title:28}{cuts[49]:8.1f}{cuts[89]:8.1f}{cuts[98]:8.1f}{len(rows):7}"
    for other in ("node -e 0", "python -c pass"):
        if other in medians:
            yield f"client / {other}: {medians['client'] / medians[other]:.2f}"


@contextmanager
def workspace(root: Path | None) -> Iterator[Path]:
    if root is not None:
        yield root.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        example = Path(__file__).parents[2] / "examples" / "shop"
        yield Path(shutil.copytree(example, Path(folder, "shop"))).resolve()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency")
    parser.add_argument("--root", type=Path)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    # Without compiled modules every start would compile them again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with workspace(options.root) as root:
        try:
            times = measure(Daemon(root), options.calls)
        finally:
            subprocess.run([cn(), "stop"], cwd=root, check=False, stdout=subprocess.DEVNULL)
    print("\n".join(table(times)))
    if options.json:
        options.json.write_text(json.dumps(times))


if __name__ == "__main__":
    main()
