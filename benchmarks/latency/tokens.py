"""What an agent reads to answer ten questions about a package: bytes of `cn` as text, as piped JSON, of rg and read.

Every answer of `cn` is held against the TypeScript compiler (the oracle of `benchmarks.navigation`); one that is wrong
ends the benchmark. rg is given its best: sources only, whole words, no second look, no file read in vain, nothing read
to tell apart symbols of one name. Reading is done as agents' tools do it: the file that the definition is in, at most
2,000 lines of it, each with its number; a file that is asked about, whole. To see which function a call is in, rg shows
20 lines around it.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.latency import workspaces
from benchmarks.latency.daemon import Daemon
from benchmarks.latency.measuring import Bar, Part
from benchmarks.navigation.projects import HERE, library

TEXT, JSON = 1 / 5, 1 / 3
READ_LINES = 2000
AROUND = 20
# (question, verb, its parameter, what is asked about)
QUESTIONS = (
    ("where is it defined and used", "find", "query", "toJSONSchema"),
    ("where is it defined and used", "find", "query", "$ZodRegistry"),
    ("where is it defined and used", "find", "query", "ZodEffects"),
    ("what does it do", "inspect", "targetId", "flattenError"),
    ("what does it do", "inspect", "targetId", "mergeDefs"),
    ("what does it do", "inspect", "targetId", "ZodError"),
    ("what is in this file", "map", "filePath", "src/v4/core/util.ts"),
    ("what is in this file", "map", "filePath", "src/v4/core/checks.ts"),
    ("who calls it", "callers", "query", "finalizeIssue"),
    ("who calls it", "callers", "query", "getErrorMap"),
)
DECLARATION = r"\b(class|function|const|interface|type|enum) {}(?:[^\w$]|$)"


class WrongAnswerError(Exception):
    """An answer is not what the compiler says."""


def measure(work: Path) -> Part:
    root = workspaces.package("zod", "5", work)
    truth = _truth(root, work)
    head = ("", "cn text", "cn JSON", "rg + read", "of it rg", "text", "JSON")
    part = Part("Tokens: bytes that answer a question", head)
    daemon = Daemon(root)
    try:
        for question, verb, parameter, asked in QUESTIONS:
            _, text = daemon.get(verb, "text/plain", **{parameter: asked})
            _, document = daemon.get(verb, **{parameter: asked})
            path = CHECKS[verb](json.loads(document), truth, asked, root)
            found, read = _searched(root, verb, asked, root / path)
            _add(part, f"{question}: {asked}", len(text), len(document), found + read, found)
    finally:
        daemon.close()
    sums = [sum(row[column] for row in part.raw.values()) for column in range(4)]
    _add(part, "all ten", *sums)
    part.bars = [Bar("text / rg + read", sums[0] / sums[2], TEXT), Bar("JSON / rg + read", sums[1] / sums[2], JSON)]
    return part


def _add(part: Part, title: str, text: int, document: int, searched: int, found: int) -> None:
    shares = [f"1/{searched / one:.1f}" for one in (text, document)]
    part.rows.append((title, text, document, searched, found, *shares))
    part.raw[title] = (text, document, searched, found)


def _searched(root: Path, verb: str, asked: str, defined: Path) -> tuple[int, int]:
    """Bytes that rg prints, and bytes that are read: of the file that is asked about, or the symbol's."""
    word = re.escape(asked)
    if verb == "map":
        return 0, read(defined)
    if verb == "callers":
        return len(_rg(root, "-C", str(AROUND), rf"\b{word}\(")), 0
    found = _rg(root, DECLARATION.format(word)) if verb == "inspect" else _rg(root, rf"(?:^|[^\w$]){word}(?:[^\w$]|$)")
    return len(found), read(defined, READ_LINES)


def _rg(root: Path, *arguments: str) -> bytes:
    command = ["rg", "-n", "--no-heading", "--sort", "path", "-t", "ts", *arguments, "src"]
    return subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout


def read(path: Path, limit: int | None = None) -> int:
    """Bytes of a file's lines, at most `limit` of them, with their numbers."""
    lines = path.read_bytes().splitlines(keepends=True)[:limit]
    return sum(len(line) + len(str(number)) + 1 for number, line in enumerate(lines, 1))


def _symbol(truth: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    """The compiler's facts about the symbol that is declared at a place of an answer."""
    at = spelled(place)
    for symbol in truth["symbols"]:
        if at in symbol["declarations"]:
            return dict(symbol)
    raise WrongAnswerError(f"nothing is declared at {at}")


def spelled(place: dict[str, Any]) -> str:
    return "{filePath}:{line}:{character}".format_map(place)


def _agree(asked: str, told: Iterable[object], right: Iterable[object]) -> None:
    odd = set(told) ^ set(right)
    if odd:
        raise WrongAnswerError(f"{asked}: {sorted(map(str, odd))[:5]}")


def _find(answer: dict[str, Any], truth: dict[str, Any], asked: str, root: Path) -> str:
    references = _symbol(truth, answer["definition"])["references"]
    _agree(asked, map(spelled, answer["references"]), references)
    return str(answer["definition"]["filePath"])


def _inspect(answer: dict[str, Any], truth: dict[str, Any], asked: str, root: Path) -> str:
    path, line, character = answer["result"]["id"].removeprefix("ref::").rsplit("::", 2)
    symbol = _symbol(truth, {"filePath": path, "line": line, "character": character})
    shown = answer["result"]["range"]
    first = symbol["block"][0]
    # The oracle's block is one declaration's; overloads are shown together.
    if not (shown["startLine"] <= first and symbol["block"][1] <= shown["endLine"]):
        raise WrongAnswerError(f"{asked}: {shown} is not around {symbol['block']}")
    return str(path)


def _map(answer: dict[str, Any], truth: dict[str, Any], asked: str, root: Path) -> str:
    rows = [tuple(row) for row in truth["outlines"][asked]]
    _agree(asked, ((row["name"], row["line"]) for row in answer["symbols"]), rows)
    return asked


def _callers(answer: dict[str, Any], truth: dict[str, Any], asked: str, root: Path) -> str:
    """The compiler tells all uses; those that an opening parenthesis follows are calls."""
    calls = set()
    for place in _symbol(truth, answer["definition"])["references"]:
        path, line, character = place.rsplit(":", 2)
        text = (root / path).read_text("utf-8").split("\n")[int(line) - 1]
        if text[int(character) - 1 + len(asked) :].lstrip().startswith("("):
            calls.add((path, int(line)))
    told = {(one["symbol"]["filePath"], use["line"]) for one in answer["callers"] for use in one["uses"]}
    _agree(asked, told, calls)
    return str(answer["definition"]["filePath"])


# Each ends in WrongAnswerError, or tells the file that holds what was asked about.
CHECKS: dict[str, Callable[[dict[str, Any], dict[str, Any], str, Path], str]] = {
    "find": _find,
    "inspect": _inspect,
    "map": _map,
    "callers": _callers,
}


def _truth(root: Path, work: Path) -> dict[str, Any]:
    names = ",".join(asked for _, verb, _, asked in QUESTIONS if verb != "map")
    command = ["node", "--max-old-space-size=4096", HERE / "oracle" / "main.mjs", library(work), root, "1", "9999", "0"]
    told = subprocess.run([*map(str, command), names], check=True, stdout=subprocess.PIPE)
    document: dict[str, Any] = json.loads(told.stdout)
    return document
