"""A language server of a toy language, for the tests: `thing NAME`, indented `part NAME` in it, `NAME.part` and words.

It knows what it is told of open files alone, in plain JSON-RPC. A part of what is no thing by name leads nowhere.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

texts: dict[str, str] = {}


class Word(NamedTuple):
    uri: str
    line: int
    start: int
    name: str
    owner: str
    declares: bool

    def span(self) -> dict[str, Any]:
        ends = (self.start, self.start + len(self.name))
        return dict(zip(("start", "end"), ({"line": self.line, "character": one} for one in ends), strict=True))


def words() -> list[Word]:
    """owner: of a part the thing that has it, as far as it is told."""
    found = []
    for uri, text in texts.items():
        thing = ""
        for at, line in enumerate(text.split("\n")):
            declared = re.match(r"(?P<kind>thing|\s+part) (?P<name>\w+)", line)
            if declared:
                part = declared["kind"] != "thing"
                thing = thing if part else declared["name"]
                found.append(Word(uri, at, declared.start("name"), declared["name"], thing if part else "", True))
                continue
            for one in re.finditer(r"(?:(?P<owner>\w+)\.)?(?P<name>\w+)", line.partition("//")[0]):
                owner = one["owner"] or ""
                found.append(Word(uri, at, one.start("name"), one["name"], owner, False))
                if owner:
                    found.append(Word(uri, at, one.start("owner"), owner, "", False))
    return found


def at(parameters: dict[str, Any]) -> Word | None:
    line, character = parameters["position"]["line"], parameters["position"]["character"]
    uri = parameters["textDocument"]["uri"]
    here = (one for one in words() if (one.uri, one.line) == (uri, line))
    return next((one for one in here if one.start <= character < one.start + len(one.name)), None)


def declared(word: Word | None) -> list[Word]:
    return [one for one in words() if word and one.declares and (one.name, one.owner) == (word.name, word.owner)]


def outline(uri: str) -> list[dict[str, Any]]:
    things: list[dict[str, Any]] = []
    for one in words():
        if one.uri == uri and one.declares:
            row = {"name": one.name, "kind": 6 if one.owner else 5, "range": one.span(), "selectionRange": one.span()}
            (things[-1].setdefault("children", []) if one.owner else things).append(row)
            if one.owner:
                things[-1]["range"]["end"] = one.span()["end"]
    return things


def answer(method: str, parameters: dict[str, Any]) -> Any:
    if method == "initialize":
        given = parameters.get("initializationOptions") or {}
        Path(given["told"]).write_text(given["greeting"]) if "told" in given else None
        provided = ("documentSymbol", "definition", "references")
        return {"capabilities": {"textDocumentSync": 1, **{f"{one}Provider": True for one in provided}}}
    if method == "textDocument/documentSymbol":
        return outline(parameters["textDocument"]["uri"])
    if method == "textDocument/definition":
        return [{"uri": one.uri, "range": one.span()} for one in declared(at(parameters))]
    if method == "textDocument/references":
        target = declared(at(parameters))
        found = [one for one in words() if target and declared(one) == target]
        return [{"uri": one.uri, "range": one.span()} for one in found]
    return None


def serve() -> None:
    while header := sys.stdin.buffer.readline():
        length = int(header.partition(b":")[2])
        while sys.stdin.buffer.readline().strip():
            pass
        message = json.loads(sys.stdin.buffer.read(length))
        method, parameters = message.get("method"), message.get("params") or {}
        if method == "exit":
            return
        document = parameters.get("textDocument", {}) if isinstance(parameters, dict) else {}
        if method == "textDocument/didOpen":
            texts[document["uri"]] = document["text"]
        elif method == "textDocument/didChange":
            texts[document["uri"]] = parameters["contentChanges"][-1]["text"]
        elif method == "textDocument/didClose" and not Path(unquote(urlparse(document["uri"]).path)).exists():
            texts.pop(document["uri"], None)
        if "id" in message and method is not None:
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(method, parameters)}).encode()
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve()
