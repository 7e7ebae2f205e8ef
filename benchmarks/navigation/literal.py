"""The specification's algorithm to the letter: workspace/symbol, the first hit, then definition and references there;
the smallest folding range; the outline as it comes.

typescript-language-server is driven plainly over its pipes, by requests one after the other. Two kindnesses, without
which it answers next to nothing: the file of the first hit is opened before it is asked about, and the workspace's
first source is opened at the start.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from benchmarks.navigation.answers import Found, files, split
from benchmarks.pipes import Pipes


class Literal:
    """command: how typescript-language-server is started. tsserver: the one of the workspace."""

    has_blocks = True

    def __init__(self, root: Path, command: list[str], tsserver: Path) -> None:
        self.name = "literal"
        self._root = root
        self._command = command
        self._tsserver = tsserver
        self._pipes: Pipes | None = None
        self._opened: set[str] = set()

    def cold(self, symbol: dict[str, Any]) -> Found:
        self.close()
        started = time.perf_counter()
        self._pipes = Pipes(self._command, self._root)
        self._request(
            "initialize",
            {
                "processId": None,
                "rootUri": self._root.as_uri(),
                "capabilities": {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}},
                "initializationOptions": {
                    "tsserver": {"path": str(self._tsserver)},
                    "disableAutomaticTypingAcquisition": True,
                },
            },
        )
        self._pipes.notify("initialized", {})
        self._open(files(self._root)[0].as_uri())
        found = self.find(symbol, symbol["query"])
        found.total_ms = (time.perf_counter() - started) * 1000
        return found

    def find(self, symbol: dict[str, Any], query: str) -> Found:
        assert self._pipes is not None
        before = self._pipes.received
        started = time.perf_counter()
        hits = self._request("workspace/symbol", {"query": symbol["name"].lstrip("#")}) or []
        found = Found()
        if hits:
            uri, position = hits[0]["location"]["uri"], hits[0]["location"]["range"]["start"]
            self._open(uri)
            at = {"textDocument": {"uri": uri}, "position": position}
            definitions = self._request("textDocument/definition", at) or []
            references = self._request("textDocument/references", {**at, "context": {"includeDeclaration": False}})
            found.definition = self._place(definitions[0]) if definitions else None
            found.references = {self._place(one) for one in references or []}
        found.total_ms = found.own_ms = (time.perf_counter() - started) * 1000
        found.bytes = self._pipes.received - before
        return found

    def outline(self, path: str) -> list[tuple[str, int]] | None:
        uri = (self._root / path).as_uri()
        self._open(uri)
        rows: list[tuple[str, int]] = []

        def flatten(items: list[dict[str, Any]]) -> None:
            for item in items:
                rows.append((item["name"], item["selectionRange"]["start"]["line"] + 1))
                flatten(item.get("children") or [])

        flatten(self._request("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) or [])
        return rows

    def block(self, place: str) -> list[int] | None:
        path, line, _ = split(place)
        uri = (self._root / path).as_uri()
        self._open(uri)
        folds = self._request("textDocument/foldingRange", {"textDocument": {"uri": uri}}) or []
        around = [(one["startLine"] + 1, one["endLine"] + 1) for one in folds]
        holding = [one for one in around if one[0] <= line <= one[1]]
        return list(min(holding, key=lambda one: one[1] - one[0])) if holding else None

    def callers(self, query: str) -> None:
        return None

    def implementations(self, query: str) -> None:
        return None

    def process_ms(self, symbol: dict[str, Any]) -> float | None:
        return None

    def answering(self) -> str:
        package = json.loads((self._tsserver.parent.parent / "package.json").read_text("utf-8"))
        return f"{package['version']}, typescript-language-server"

    def close(self) -> None:
        if self._pipes is not None:
            self._pipes.close()
            self._pipes = None
            self._opened.clear()

    def _open(self, uri: str) -> None:
        path = Path(unquote(urlparse(uri).path))
        if uri in self._opened or not path.is_file():
            return
        self._opened.add(uri)
        languages = {".tsx": "typescriptreact", ".jsx": "javascriptreact", ".js": "javascript", ".mjs": "javascript"}
        document = {
            "uri": uri,
            "languageId": languages.get(path.suffix, "typescript"),
            "version": 1,
            "text": path.read_text("utf-8", "replace"),
        }
        assert self._pipes is not None
        self._pipes.notify("textDocument/didOpen", {"textDocument": document})

    def _place(self, location: dict[str, Any]) -> str:
        path = Path(unquote(urlparse(location.get("uri") or location["targetUri"]).path))
        start = (location.get("range") or location["targetSelectionRange"])["start"]
        relative = path.relative_to(self._root) if path.is_relative_to(self._root) else path
        return f"{relative}:{start['line'] + 1}:{start['character'] + 1}"

    def _request(self, method: str, parameters: object) -> Any:
        assert self._pipes is not None
        return self._pipes.request(method, parameters)
