"""`cn`: a daemon of its own per workspace, asked over HTTP as the client asks; cold and whole-process times by `cn`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from benchmarks.navigation.answers import Found, Told, split

DEADLINE_S = 120
_PLACE = "{filePath}:{line}:{character}".format_map


def _is_top_level(symbol: dict[str, Any]) -> bool:
    return symbol["kind"] == "Module" and str(symbol["filePath"]).rpartition("/")[2] == symbol.get("name")


def _declaration(symbol: dict[str, Any]) -> str:
    """As the oracle spells who calls."""
    return symbol["filePath"] if _is_top_level(symbol) else "{filePath}:{line} {name}".format_map(symbol)


def _within(symbol: dict[str, Any]) -> str:
    """As refs spells who holds a mention."""
    if _is_top_level(symbol):
        return ""
    return ".".join(filter(None, (symbol.get("container"), symbol["name"])))


class Cn:
    """server: `auto` (the workspace's own TypeScript decides), `typescript` or `native`."""

    has_blocks = True

    def __init__(self, root: Path, server: str = "auto") -> None:
        self.name = "cn"
        self._root = root
        self._server = server
        self._command = [sys.executable, "-m", "cn_client", "--root", str(root)]
        script = Path(sys.executable).with_name("cn")
        if script.is_file():
            self._command = [str(script), "--root", str(root)]
        self._connection: HTTPConnection | None = None
        self._headers: dict[str, str] = {}

    def cold(self, symbol: dict[str, Any]) -> Found:
        self.close()
        started = time.perf_counter()
        told = self._run("find", symbol["query"], "--json", "--limit", "0", "--server", self._server)
        found = self._found(told.stdout, told.stderr)
        found.total_ms = (time.perf_counter() - started) * 1000
        state = json.loads((self._root / ".cn-daemon.json").read_text("utf-8"))
        self._connection = HTTPConnection("127.0.0.1", state["port"], timeout=DEADLINE_S)
        self._headers = {"Authorization": f"Bearer {state['token']}", "Content-Type": "application/json"}
        return found

    def find(self, symbol: dict[str, Any], query: str) -> Found:
        started = time.perf_counter()
        body, timing = self._post("/find", query=query, limit=0)
        total_ms = (time.perf_counter() - started) * 1000
        found = self._found(body)
        found.total_ms = total_ms
        found.own_ms = float(timing.partition("dur=")[2].split(",")[0] or 0)
        return found

    def outline(self, path: str) -> list[tuple[str, int]] | None:
        told = json.loads(self._post("/map", filePath=path)[0])
        return [(row["name"], row["line"]) for row in told.get("symbols", [])]

    def block(self, place: str) -> list[int] | None:
        path, line, character = split(place)
        told = json.loads(self._post("/inspect", targetId=f"ref::{path}::{line}::{character}")[0])
        shown = told.get("result", {}).get("range")
        return [shown["startLine"], shown["endLine"]] if shown else None

    def callers(self, query: str) -> Told:
        """A row that shows three uses and hides others is looked up in refs: the hidden ones may be calls."""
        told, answer = self._relation("/callers", query, limit=0)
        calling: set[tuple[str, str]] | None = None
        for row in answer.get("callers", []):
            known = any(use["role"] == "call" for use in row["uses"])
            if not known and row["total"] > len(row["uses"]):
                calling = self._calling(query) if calling is None else calling
                known = (row["symbol"]["filePath"], _within(row["symbol"])) in calling
            if known:
                told.items.add(_declaration(row["symbol"]))
        return told

    def _calling(self, query: str) -> set[tuple[str, str]]:
        _, answer = self._relation("/refs", query, limit=0)
        return {
            (file["filePath"], use.get("within") or "")
            for file in answer.get("files", [])
            for use in file["uses"]
            if use["role"] == "call"
        }

    def implementations(self, query: str) -> Told:
        told, answer = self._relation("/impls", query)
        told.items = {_PLACE(one) for one in answer.get("implementations", [])}
        return told

    def process_ms(self, symbol: dict[str, Any]) -> float | None:
        if self._connection is not None:
            # The daemon closes a connection on which it is asked nothing for long: the next question opens one.
            self._connection.close()
        started = time.perf_counter()
        self._run("find", symbol["query"], "--json", "--server", self._server)
        return (time.perf_counter() - started) * 1000

    def answering(self) -> str:
        servers: list[dict[str, Any]] = json.loads(self._run("status", "--json").stdout)["languageServers"]
        running = [one for one in servers if one.get("pid")]
        return " and ".join(f"{one.get('typescript') or one.get('version', 'names')}, {one['name']}" for one in running)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._run("stop")

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*self._command, *arguments], capture_output=True, check=False, timeout=DEADLINE_S)

    def _post(self, path: str, **parameters: object) -> tuple[bytes, str]:
        assert self._connection is not None
        body = json.dumps({**parameters, "server": self._server})
        self._connection.request("POST", path, body, self._headers)
        answer = self._connection.getresponse()
        return answer.read(), answer.headers.get("Server-Timing", "")

    def _relation(self, path: str, query: str, **parameters: object) -> tuple[Told, dict[str, Any]]:
        """What it says of itself, and the answer that holds its items."""
        answer: dict[str, Any] = json.loads(self._post(path, query=query, **parameters)[0])
        if "error" in answer:
            return Told(error=str(answer["error"].get("message"))), {}
        status = answer["completeness"]
        return Told(complete=status["status"] == "complete", error=str(status.get("reason") or "")), answer

    def _found(self, body: bytes, errors: bytes = b"") -> Found:
        told = json.loads(body or errors or b'{"error": {"message": "nothing was said"}}')
        if "error" in told:
            return Found(error=str(told["error"].get("message")), bytes=len(body))
        undecided = told["completeness"].get("undecided") or {"total": 0, "places": []}
        places = {_PLACE(one) for one in undecided["places"]}
        return Found(
            _PLACE(told["definition"]) if told["definition"] else None,
            {_PLACE(one) for one in told["references"]},
            told["completeness"]["status"] == "complete",
            bytes=len(body),
            error=str(told["completeness"].get("reason") or told.get("hint") or ""),
            undecided=places if len(places) == undecided["total"] else set(),
        )
