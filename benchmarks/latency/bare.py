"""The language servers without `cn`: started, told of one file, asked at the right place at once.

That is the best that anybody could do who knew beforehand where the symbol is declared and which file loads its
project. typescript-language-server is asked by tsserver's own request to the semantic server, since its LSP
request answers from a part of the project while that loads.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.pipes import Pipes

LANGUAGE = "typescript"
Site = tuple[Path, int, int]


class Bare:
    """native: TypeScript 7, which is a language server itself. Sites are (path, line, character), 1-based."""

    def __init__(self, root: Path, *, native: bool, command: Sequence[str], options: dict[str, Any]) -> None:
        self._native = native
        self._pipes = Pipes(command, root)
        self._opened: set[Path] = set()
        text = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
        parameters = {
            "processId": None,
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            "capabilities": {"textDocument": text, "workspace": {"configuration": True}},
            "initializationOptions": options,
        }
        self._pipes.request("initialize", parameters)
        self._pipes.notify("initialized", {})

    def open(self, path: Path) -> None:
        if path in self._opened:
            return
        self._opened.add(path)
        if self._native:
            document = {"uri": path.as_uri(), "languageId": LANGUAGE, "version": 1, "text": path.read_text("utf-8")}
            self._pipes.notify("textDocument/didOpen", {"textDocument": document})
        else:
            # Not the notification: typescript-language-server would ask for the file's errors, and be busy with them.
            file = {"file": str(path), "fileContent": path.read_text("utf-8"), "scriptKindName": "TS"}
            self._raw("updateOpen", {"openFiles": [file], "changedFiles": [], "closedFiles": []})

    def references(self, sites: Sequence[Site]) -> int:
        """How many places the server names, declarations among them."""
        found: set[tuple[str, int, int]] = set()
        for path, line, character in sites:
            if self._native:
                at = {"line": line - 1, "character": character - 1}
                context = {"includeDeclaration": True}
                asked = {"textDocument": {"uri": path.as_uri()}, "position": at, "context": context}
                rows = self._pipes.request("textDocument/references", asked) or []
                starts = [(row["uri"], row["range"]["start"]) for row in rows]
                found.update((uri, start["line"], start["character"]) for uri, start in starts)
            else:
                rows = self._raw("references", {"file": str(path), "line": line, "offset": character})["body"]["refs"]
                found.update((row["file"], row["start"]["line"], row["start"]["offset"]) for row in rows)
        return len(found)

    def outline(self, path: Path) -> None:
        if self._native:
            self._pipes.request("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
        else:
            self._raw("navtree", {"file": str(path)})

    def _raw(self, command: str, arguments: dict[str, Any]) -> Any:
        """The reply of tsserver, of the one that knows the whole project."""
        asked = [command, arguments, {"executionTarget": 0}]
        return self._pipes.request(
            "workspace/executeCommand", {"command": "typescript.tsserverRequest", "arguments": asked}
        )

    def close(self) -> None:
        self._pipes.close()


class Starter:
    """Starts the server that a workspace's own TypeScript decides on. What must be found or installed first is."""

    def __init__(self, root: Path, typescript: str) -> None:
        from cn_daemon.adapters.language_servers.provisioning import provision
        from cn_daemon.settings import Settings

        self._root = root
        self.native = typescript == "7"
        if self.native:
            (program,) = root.glob("node_modules/@typescript/*/lib/tsc")
            self._command = [str(program), "--lsp", "--stdio"]
            self._options: dict[str, Any] = {}
        else:
            found = asyncio.run(provision(root, Settings(), lambda line: print(line, file=sys.stderr)))
            self._command = [str(found.node), str(found.server), "--stdio"]
            self._options = {"tsserver": {"path": str(found.tsserver)}, "disableAutomaticTypingAcquisition": True}

    def start(self) -> Bare:
        return Bare(self._root, native=self.native, command=self._command, options=self._options)


def sites(root: Path, found: dict[str, Any]) -> list[Site]:
    """The declarations that an answer of `find` names."""
    places = [found["definition"], *found.get("declarations", [])]
    return [(root / place["filePath"], place["line"], place["character"]) for place in places]
