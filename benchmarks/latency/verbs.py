"""What one call of a newer verb takes to read, beside the calls and the bytes that answer the same without `cn`.

Without `cn` is rg at its best, as in `tokens`: whole words in sources, 20 lines around a call to see what it is in, all
names of a level in one call, no file read in vain, nothing read to tell apart symbols of one name. Answers are held
against the compiler where it can tell them; a wrong one ends the benchmark.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.latency import workspaces
from benchmarks.latency.daemon import Daemon
from benchmarks.latency.measuring import Bar, Part
from benchmarks.latency.tokens import AROUND, DECLARATION, READ_LINES, WrongAnswerError, read, spelled
from benchmarks.navigation.projects import HERE, library

# What tokenizers make of code and of JSON, on average.
PER_TOKEN = 4
CHANGED = ("finalizeIssue", "flattenError", "mergeDefs")
RENAMED = "mergeDefs"


class Shell:
    """What an agent runs without `cn`: how many calls, and the bytes that they print."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.calls = 0
        self.bytes = 0

    def run(self, *command: str) -> str:
        told = subprocess.run(command, cwd=self.root, check=False, stdout=subprocess.PIPE).stdout
        self.calls += 1
        self.bytes += len(told)
        return told.decode("utf-8", "replace")

    def rg(self, *arguments: str) -> str:
        return self.run("rg", "-n", "--no-heading", "--sort", "path", "-t", "ts", *arguments, "src")

    def calls_of(self, name: str) -> None:
        self.rg("-C", str(AROUND), rf"\b{re.escape(name)}\(")

    def declaration(self, name: str) -> str:
        """The file that declares it."""
        found = self.rg(DECLARATION.format(re.escape(name)))
        return found.partition(":")[0]

    def read(self, path: str) -> None:
        self.calls += 1
        self.bytes += read(self.root / path, READ_LINES)


class Task(NamedTuple):
    """without: does the same by `Shell`, given cn's answer. check: raises WrongAnswerError; None: nobody can."""

    question: str
    verb: str
    asked: dict[str, Any]
    without: Callable[[Shell, Any], None]
    check: Callable[[Any, dict[str, Any], Path], None] | None


def measure(work: Path) -> Part:
    head = ("", "cn calls", "text", "≈ tokens", "JSON", "calls without", "bytes without", "text / without", "checked")
    part = Part("Verbs: one call, and what it replaces", head)
    root = workspaces.package("zod", "5", work)
    _committed(root)
    # Tests need a package that is not there: of their complaints there would be hundreds.
    daemon = Daemon(root)
    try:
        for task in TASKS:
            _measured(part, daemon, task, lambda answer: _truth(root, work, _names(answer, root)))
        _edit(root)
        _measured(part, daemon, CHANGES, lambda _: _truth(root, work, CHANGED))
        _rename(root)
        _measured(part, daemon, COMPLAINTS, lambda _: {})
    finally:
        daemon.close()
    asked, text, document, calls, size = (sum(row[column] for row in part.raw.values()) for column in range(5))
    _add(part, "all", asked, text, document, calls, size, "")
    part.bars = [Bar("text / bytes without", text / size, 1 / 5), Bar("calls / calls without", asked / calls, 1 / 3)]
    return part


def _measured(part: Part, daemon: Daemon, task: Task, truth: Callable[[Any], dict[str, Any]]) -> None:
    _, text = daemon.get(task.verb, "text/plain", **task.asked)
    _, document = daemon.get(task.verb, **task.asked)
    answer = json.loads(document)
    if "error" in answer or answer.get("completeness", {}).get("status") == "partial":
        raise WrongAnswerError(f"{task.question}: {document.decode()[:300]}")
    if task.check is not None:
        task.check(answer, truth(answer), daemon.root)
    shell = Shell(daemon.root)
    task.without(shell, answer)
    told = "compiler" if task.check is not None else "–"
    _add(part, f"{task.question}: `{_typed(task)}`", 1, len(text), len(document), shell.calls, shell.bytes, told)


def _add(part: Part, title: str, asked: int, text: int, document: int, calls: int, size: int, checked: str) -> None:
    tokens = -(-text // PER_TOKEN)
    part.rows.append((title, asked, text, tokens, document, calls, size, f"1/{size / text:.1f}", checked))
    part.raw[title] = (asked, text, document, calls, size)


def _typed(task: Task) -> str:
    words = [str(value) for key, value in task.asked.items() if key not in ("depth", "limit", "parts")]
    words += [f"--{key} {task.asked[key]}" for key in ("depth", "limit") if key in task.asked]
    words += ["--with all"] if "parts" in task.asked else []
    return " ".join(["cn", task.verb, *words])


def _committed(root: Path) -> None:
    """Under git, without tests: these need a package that is not there, and have hundreds of complaints."""
    (root / ".gitignore").write_text("node_modules\n.cn*\n")
    for folder in sorted(root.glob("src/**/tests")):
        shutil.rmtree(folder)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=root, check=True)


def _edit(root: Path) -> None:
    """A comment in the body of three functions: no line moves."""
    for path in root.glob("src/v4/core/*.ts"):
        text = path.read_text("utf-8")
        for name in CHANGED:
            text = re.sub(rf"(export function {name}\b[^;]*?\{{\n[^\n]*)\n", r"\1 // changed\n", text, count=1)
        path.write_text(text, "utf-8")


def _rename(root: Path) -> None:
    path = root / "src/v4/core/util.ts"
    text = path.read_text("utf-8")
    path.write_text(text.replace(f"export function {RENAMED}(", f"export function {RENAMED}2("), "utf-8")


# Without cn


def _mentions(shell: Shell, answer: Any) -> None:
    shell.rg("-C", str(AROUND), rf"\b{answer['definition']['name']}\b")


def _two_levels(shell: Shell, answer: Any) -> None:
    shell.calls_of(answer["definition"]["name"])
    for name in dict.fromkeys(caller["symbol"]["name"] for caller in answer["callers"]):
        shell.calls_of(name)


def _called(shell: Shell, answer: Any) -> None:
    shell.read(shell.declaration(answer["definition"]["name"]))
    for callee in answer["callees"]:
        if not callee["symbol"].get("external"):
            shell.declaration(callee["symbol"]["name"])


def _heirs(shell: Shell, answer: Any) -> None:
    level = [answer["definition"]["name"]]
    known = set(level)
    while level:
        names = "|".join(map(re.escape, level))
        found = shell.rg(rf"\b(class|interface) [^{{]*\b(extends|implements)\b[^{{]*\b({names})\b")
        level = [name for name in re.findall(r"\b(?:class|interface) ([\w$]+)", found) if name not in known]
        known.update(level)


def _types(shell: Shell, answer: Any) -> None:
    shell.declaration(answer["definition"]["name"])
    _heirs(shell, answer)


def _signature(shell: Shell, answer: Any) -> None:
    shell.read(shell.declaration(answer["definition"]["name"]))


def _workspace(shell: Shell, answer: Any) -> None:
    shell.run("rg", "--files", "-t", "ts", "src")
    shell.run("sh", "-c", "rg --files -t ts src | xargs wc -l")
    shell.run("cat", "package.json", "tsconfig.json")
    shell.rg(r"^import |^export .* from ")


def _portrait(shell: Shell, answer: Any) -> None:
    name = answer["result"]["name"]
    shell.read(shell.declaration(name))
    shell.calls_of(name)
    shell.rg(rf"\b(extends|implements)\b[^{{]*\b{name}\b")


def _diff(shell: Shell, answer: Any) -> None:
    shell.run("git", "diff")
    for name in CHANGED:
        shell.rg(rf"\b{name}\b")


def _compile(shell: Shell, answer: Any) -> None:
    shell.run("node", "node_modules/typescript/lib/tsc.js", "--noEmit", "--pretty", "false")


# Whether it is right


def _same(asked: str, told: Iterable[object], right: Iterable[object]) -> None:
    odd = set(told) ^ set(right)
    if odd:
        raise WrongAnswerError(f"{asked}: {sorted(map(str, odd))[:5]}")


def _symbol(truth: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    at = spelled(place)
    found = next((one for one in truth["symbols"] if at in one["declarations"]), None)
    if found is None:
        raise WrongAnswerError(f"nothing is declared at {at}")
    return dict(found)


def _right_refs(answer: Any, truth: dict[str, Any], root: Path) -> None:
    told = [use["id"].removeprefix("ref::").replace("::", ":") for file in answer["files"] for use in file["uses"]]
    _same("refs", told, _symbol(truth, answer["definition"])["references"])


def _right_callers(answer: Any, truth: dict[str, Any], root: Path) -> None:
    """Of each level: the declarations that hold a call. Top levels of files have no further callers."""
    _right_level("callers", answer["definition"], answer["callers"], truth)
    for caller in answer["callers"]:
        if caller["symbol"]["kind"] != "Module" and not caller.get("repeated"):
            _right_level("callers of callers", caller["symbol"], caller.get("callers") or [], truth)


def _right_level(asked: str, of: dict[str, Any], told: list[dict[str, Any]], truth: dict[str, Any]) -> None:
    at = spelled(of)
    right = next(one for one in truth["callers"] if one["at"] == at)["callers"]
    calling = [one["symbol"] for one in told if any(use["role"] == "call" for use in one["uses"])]
    _same(f"{asked}, {of['name']}", (_holder(one) for one in calling), right)


def _holder(symbol: dict[str, Any]) -> str:
    return symbol["filePath"] if symbol["kind"] == "Module" else "{filePath}:{line} {name}".format_map(symbol)


def _right_callees(answer: Any, truth: dict[str, Any], root: Path) -> None:
    """Whatever calls by that name stand in the block, for all that the workspace declares."""
    path = answer["definition"]["filePath"]
    first, last = _symbol(truth, answer["definition"])["block"]
    right = set()
    for symbol in truth["callers"]:
        for places in symbol["callers"].values():
            for place in places:
                where, line, _ = place.rsplit(":", 2)
                if where == path and first <= int(line) <= last and symbol["at"] != spelled(answer["definition"]):
                    right.add((symbol["at"], int(line)))
    told = {
        (spelled(one["symbol"]), use["line"])
        for one in answer["callees"]
        if not one["symbol"].get("external")
        for use in one["uses"]
    }
    _same("callees", told, right)


def _right_heirs(answer: Any, truth: dict[str, Any], root: Path) -> None:
    at = spelled(answer["definition"])
    right = next(one for one in truth["types"] if one["at"] == at)["implementations"]
    told = answer["implementations"] if "implementations" in answer else [one["symbol"] for one in _below(answer)]
    _same("types", (spelled(one) for one in told if one["kind"] == "Class"), right)


def _below(answer: Any) -> Iterator[dict[str, Any]]:
    waiting = list(answer["subtypes"])
    while waiting:
        one = waiting.pop()
        waiting += one.get("further", [])
        yield one


def _right_sizes(answer: Any, truth: dict[str, Any], root: Path) -> None:
    files = list(root.glob("src/**/*.ts"))
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    _same("overview", [(answer["files"], answer["lines"])], [(len(files), lines)])


def _right_portrait(answer: Any, truth: dict[str, Any], root: Path) -> None:
    path, line, character = answer["result"]["id"].removeprefix("ref::").rsplit("::", 2)
    symbol = _symbol(truth, {"filePath": path, "line": line, "character": character})
    shown = answer["result"]["range"]
    # The oracle's block is one declaration's; overloads are shown together.
    if not (shown["startLine"] <= symbol["block"][0] and symbol["block"][1] <= shown["endLine"]):
        raise WrongAnswerError(f"inspect: {shown} is not around {symbol['block']}")
    callers = next(one for one in truth["callers"] if one["at"] == symbol["at"])["callers"]
    _same("inspect --with callers", map(_holder, answer["callers"]), callers)


def _right_changes(answer: Any, truth: dict[str, Any], root: Path) -> None:
    symbols = [one for file in answer["files"] for one in file["symbols"]]
    right = {(one["name"], "changed", len(one["references"])) for one in truth["symbols"] if "v4/core" in one["path"]}
    _same("changed", {(one["symbol"]["name"], one["change"], one["total"]) for one in symbols}, right)


def _right_complaints(answer: Any, truth: dict[str, Any], root: Path) -> None:
    printed = Shell(root)
    text = printed.run("node", "node_modules/typescript/lib/tsc.js", "--noEmit", "--pretty", "false")
    right = re.findall(r"^(\S[^(\n]*)\((\d+),(\d+)\): error TS", text, re.M)
    told = [one for one in answer["diagnostics"] if one["severity"] == "error"]
    # Their codes differ where only one of the two suggests a name (TS2304, TS2552).
    _same("diagnostics", [(one["filePath"], str(one["line"]), str(one["character"])) for one in told], right)


def _names(answer: Any, root: Path) -> list[str]:
    """Whom the compiler must be asked about."""
    names = [answer["definition"]["name"] if "definition" in answer else answer.get("result", {}).get("name", "-")]
    names += [caller["symbol"]["name"] for caller in answer.get("callers", []) if "symbol" in caller]
    if "callees" in answer:
        text = (root / answer["definition"]["filePath"]).read_text("utf-8")
        names += sorted(set(re.findall(r"([\w$]+)\(", text)))
    return names


def _truth(root: Path, work: Path, names: Iterable[str]) -> dict[str, Any]:
    command = ["node", "--max-old-space-size=4096", HERE / "oracle" / "main.mjs", library(work), root, "1", "9999", "0"]
    told = subprocess.run([*map(str, command), ",".join(names), "9999", "9999"], check=True, stdout=subprocess.PIPE)
    document: dict[str, Any] = json.loads(told.stdout)
    return document


TASKS = (
    Task("who mentions it, in what", "refs", {"query": "finalizeIssue"}, _mentions, _right_refs),
    Task("who calls it, and them", "callers", {"query": "finalizeIssue", "depth": 2}, _two_levels, _right_callers),
    Task("what does it call", "callees", {"query": "prettifyError"}, _called, _right_callees),
    Task("who implements it", "impls", {"query": "src/v3/types.ts#ZodType"}, _heirs, _right_heirs),
    Task("what is above and below", "types", {"query": "$ZodError", "depth": 9}, _types, None),
    Task("of which type is it", "hover", {"query": "src/v4/core/parse.ts#safeParseAsync"}, _signature, None),
    Task("what is all this", "overview", {"limit": 15}, _workspace, _right_sizes),
    Task("all about it", "inspect", {"targetId": "flattenError", "parts": "all"}, _portrait, _right_portrait),
)
CHANGES = Task("what did I change, who uses it", "changed", {}, _diff, _right_changes)
COMPLAINTS = Task("what breaks", "diagnostics", {"limit": 0}, _compile, _right_complaints)
