"""`grep -w`: what an agent without a tool does. Only lines are known; the definition is the first hit that looks so."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.navigation.answers import Found

_DECLARES = re.compile(r"\b(?:class|interface|type|enum|function|def|const|let|var|namespace|get|set)\s+$")


class Grep:
    has_blocks = False

    def __init__(self, root: Path) -> None:
        self.name = "grep -w"
        self._root = root

    def cold(self, symbol: dict[str, Any]) -> Found:
        return self.find(symbol, symbol["query"])

    def find(self, symbol: dict[str, Any], query: str) -> Found:
        name = symbol["name"].lstrip("#")
        endings = [f"--include=*.{one}" for one in ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "py")]
        command = ["grep", "-rnwF", *endings, "--exclude-dir=node_modules", "--", name, "."]
        started = time.perf_counter()
        told = subprocess.run(command, cwd=self._root, capture_output=True, check=False)
        total_ms = (time.perf_counter() - started) * 1000
        hits = []
        for row in told.stdout.decode("utf-8", "replace").splitlines():
            path, line, text = row.removeprefix("./").split(":", 2)
            hits.append((f"{path}:{line}:0", text))
        declaring = [place for place, text in hits if _declares(text, name)]
        definition = (declaring or [place for place, _ in hits] or [None])[0]
        references = {place for place, _ in hits if place != definition}
        return Found(definition, references, None, total_ms, None, len(told.stdout), by_line=True)

    def outline(self, path: str) -> list[tuple[str, int]] | None:
        return None

    def block(self, place: str) -> list[int] | None:
        return None

    def callers(self, query: str) -> None:
        return None

    def implementations(self, query: str) -> None:
        return None

    def process_ms(self, symbol: dict[str, Any]) -> float | None:
        return self.find(symbol, symbol["query"]).total_ms

    def answering(self) -> str:
        return ""

    def close(self) -> None:
        pass


def _declares(text: str, name: str) -> bool:
    before, found, after = text.partition(name)
    if not found:
        return False
    return bool(_DECLARES.search(before)) or (not before.strip() and re.match(r"\s*[?!]?\s*[:(<=]", after) is not None)
