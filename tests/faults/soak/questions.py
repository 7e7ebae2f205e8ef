"""The kinds of question, each a row: how one is made, and what is wrong with an answer to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.faults.soak.world import PACKAGES, REGISTRY, Snapshot, Symbol, prompt


@dataclass(frozen=True, slots=True)
class Question:
    """files: what the right answer depends on; None: on every file. wrong: says what is, or nothing."""

    verb: str
    arguments: dict[str, Any]
    line: list[str]
    files: Callable[[Snapshot], set[str] | None]
    wrong: Callable[[Any], str]


def ask(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    """A question about the workspace as it was then. gone: names that were declared once."""
    make = random.choices([row[0] for row in KINDS], [row[1] for row in KINDS])[0]
    return make(truth, random, gone)


def _symbol(truth: Snapshot, random: Random) -> Symbol:
    return truth.symbols[random.choice(sorted(truth.symbols))]


def _find(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    symbol = _symbol(truth, random)
    place = f"{symbol.path}:{symbol.line}:{symbol.character}"
    query = random.choice(
        [symbol.query, symbol.query, f"{symbol.path}#{symbol.query}", f"ref::{place.replace(':', '::')}"]
    )

    def wrong(answer: Any) -> str:
        definition = answer["definition"]
        found = definition and f"{definition['filePath']}:{definition['line']}:{definition['character']}"
        if found != place or definition["kind"] != symbol.kind:
            return f"the definition is {place}, not {found}"
        uses = {f"{row['filePath']}:{row['line']}:{row['character']}" for row in answer["references"]}
        if uses != symbol.uses or answer["total"] != len(uses):
            return f"missing {sorted(symbol.uses - uses)}, not uses {sorted(uses - symbol.uses)}"
        return ""

    return Question(
        "find",
        {"query": query, "limit": 0},
        ["find", query, "--limit", "0"],
        lambda now: now.files_of(symbol.name) | {symbol.path},
        wrong,
    )


def _refs(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    symbol = _symbol(truth, random)

    def wrong(answer: Any) -> str:
        rows = [
            (use["id"].removeprefix("ref::").replace("::", ":"), use["role"])
            for file in answer["files"]
            for use in file["uses"]
        ]
        told, called = {place for place, _ in rows}, {place for place, role in rows if role == "call"}
        if told != symbol.uses or answer["total"] != len(told):
            return f"missing {sorted(symbol.uses - told)}, not uses {sorted(told - symbol.uses)}"
        return "" if called == symbol.called else f"called at {sorted(symbol.called)}, not {sorted(called)}"

    return _about(symbol, "refs", ["--limit", "0"], {"limit": 0}, wrong)


def _callers(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    # Who reads a property is told as well, and calls nothing.
    symbol = truth.symbols[random.choice([name for name in sorted(truth.symbols) if not name.startswith("size")])]
    callers = {truth.symbols[name].place for name in symbol.callers}

    def wrong(answer: Any) -> str:
        told = {_place(row["symbol"]) for row in answer["callers"]}
        calls = sum(row["total"] for row in answer["callers"])
        if told != callers or answer["total"] != len(callers):
            return f"missing {sorted(callers - told)}, no callers {sorted(told - callers)}"
        return "" if calls == len(symbol.called) else f"{len(symbol.called)} calls, not {calls}"

    return _about(symbol, "callers", ["--limit", "0"], {"limit": 0}, wrong)


def _callees(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    symbol = truth.symbols[random.choice([name for name in sorted(truth.symbols) if name.startswith(("grow", "turn"))])]
    callees = {truth.symbols[name].place for name in symbol.callees}

    def wrong(answer: Any) -> str:
        told = {_place(row["symbol"]) for row in answer["callees"]}
        return "" if told == callees else f"missing {sorted(callees - told)}, not called {sorted(told - callees)}"

    return Question("callees", {"query": symbol.query}, ["callees", symbol.query], lambda now: None, wrong)


def _about(
    symbol: Symbol, verb: str, flags: list[str], parameters: dict[str, Any], wrong: Callable[[Any], str]
) -> Question:
    return Question(
        verb,
        {"query": symbol.query, **parameters},
        [verb, symbol.query, *flags],
        lambda now: now.files_of(symbol.name) | {symbol.path},
        wrong,
    )


def _place(row: Any) -> str:
    return f"{row['filePath']}:{row['line']}:{row['character']}"


def _overview(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    """How many files each package holds."""
    package = random.choice(PACKAGES)
    files = len([path for path in truth.files if path.startswith(package + "/src/")])

    def wrong(answer: Any) -> str:
        told = {row["path"]: row["files"] for row in answer["folders"]}
        return "" if told.get(f"{package}/src") == files else f"{package}/src has {files} files: {told}"

    return Question("overview", {"folder": package}, ["overview", package], lambda now: None, wrong)


def _find_gone(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    named = [name for name in gone if name not in truth.symbols]
    name = random.choice(named) if named else "never1v1"
    return Question(
        "find",
        {"query": name, "limit": 0},
        ["find", name, "--limit", "0"],
        lambda now: None,
        lambda answer: "" if answer["definition"] is None and not answer["references"] else "it is no more",
    )


def _map(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    path = _symbol(truth, random).path
    rows = truth.outline(path)

    def wrong(answer: Any) -> str:
        told = [
            (row["line"], row["kind"], f"{row['container']}.{row['name']}" if row.get("container") else row["name"])
            for row in answer["symbols"]
        ]
        return "" if told == rows else f"{path} declares {rows}, not {told}"

    return Question("map", {"filePath": path}, ["map", path], lambda now: {path}, wrong)


def _inspect(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    symbol = _symbol(truth, random)
    target = f"{symbol.path}#{symbol.query}"
    code = truth.code(symbol)

    def wrong(answer: Any) -> str:
        told = answer["result"]["code"]
        return "" if told == code else f"the code is {code!r}, not {told!r}"

    return Question("inspect", {"targetId": target}, ["inspect", target], lambda now: {symbol.path}, wrong)


def _prompt(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    name, version = random.choice(sorted(truth.prompts.items()))
    path = f".claude/commands/{name}.md"
    verb = random.choice(["search", "get", "invoke"])
    if verb == "search":
        wanted = f"Version {version} of {name}"
        return Question(
            "search",
            {"query": name},
            ["search", name],
            lambda now: {path},
            lambda answer: "" if answer and answer[0]["summary"] == wanted else f"the first is {wanted}: {answer[:1]}",
        )
    text = prompt(name, version)
    if verb == "get":
        return Question(
            "get",
            {"command_id": f"md:{name}"},
            ["get", f"md:{name}"],
            lambda now: {path},
            lambda answer: "" if answer["content"] == text else f"it says {text!r}: {answer}",
        )
    rendered = text.split("---\n", 2)[2].replace("$ARGUMENTS", "both hands")
    return Question(
        "invoke",
        {"command_id": f"md:{name}", "more": ["both", "hands"]},
        ["invoke", f"md:{name}", "--", "both", "hands"],
        lambda now: {path},
        lambda answer: "" if answer["content"] == rendered else f"it says {rendered!r}: {answer}",
    )


def _climpt(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    (c1, c2, c3), version = random.choice(sorted(truth.registry.items()))
    if random.random() < 0.5:
        said = f"--config={c1} {c2} {c3}\n"
        return Question(
            "execute",
            {"c1": c1, "c2": c2, "c3": c3},
            ["execute", c1, c2, c3],
            lambda now: {REGISTRY},
            lambda answer: "" if answer == said else f"it prints {said!r}: {answer!r}",
        )
    described = f"Version {version} of {c1} {c2} {c3}"
    return Question(
        "describe",
        {"c1": c1, "c2": c2, "c3": c3},
        ["describe", c1, c2, c3],
        lambda now: {REGISTRY},
        lambda answer: "" if [row["description"] for row in answer] == [described] else f"{described}: {answer}",
    )


def _commands(truth: Snapshot, random: Random, gone: list[str]) -> Question:
    ids = {f"md:{name}" for name in truth.prompts}
    ids |= {f"climpt:climpt/{'/'.join(identifiers)}" for identifiers in truth.registry}

    def wrong(answer: Any) -> str:
        told = {row["canonical_id"] for row in answer["commands"]}
        return "" if told == ids and answer["total"] == len(ids) else f"they differ in {told ^ ids}"

    return Question("commands", {"page_size": 1000}, ["commands", "--page-size", "1000"], _libraries, wrong)


def _libraries(now: Snapshot) -> set[str]:
    return {path for path in now.files if path.startswith(".")}


KINDS = (
    (_find, 30), (_find_gone, 8), (_map, 12), (_inspect, 12), (_prompt, 10), (_climpt, 8), (_commands, 4),
    (_refs, 10), (_callers, 10), (_callees, 6), (_overview, 3),
)  # fmt: skip
