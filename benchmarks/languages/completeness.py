"""How right cn's answers in Python are, and how many are complete.

`python -m benchmarks.languages.completeness [--symbols N] [--project NAME] [--unchecked] [--doubts]`

Of each project so many names of modules and so many members are asked for, chosen by chance from what `cn map` lists of
its sources; what the language calls by itself (`__eq__`) is left out. Two servers that cn does not use, zuban and
basedpyright, check each answer, and each other; what syntax trees say beyond doubt (`oracle`) is known besides. What
both tell, or the trees do, must be told: that is recall. What cn tells is right where one of them tells it, too, or
leads from it to the symbol, to a member that the symbol overrides, or that overrides it (`overriding`), or to what a
stub declares by its name; where neither leads anywhere (fixtures of pytest, strings) it is not judged. At three uses
of each symbol the definition is asked for: where both servers name the symbol, cn must. What differs is printed, to be
looked at. `--doubts` prints every place that an answer leaves open.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.languages.__main__ import CACHE, Server, programs
from benchmarks.languages.oracle import Place, truths
from benchmarks.languages.overriding import Overriding
from benchmarks.languages.projects import FURTHER, PROJECTS, Project, fetch, files
from cn_client.sdk import Client
from cn_shared.wire import FindAnswer, LocationRef, SymbolRow, UndecidedPlace

CHECKED = ("zuban", "basedpyright")
_HEAD = (
    "project", "asked", "definition", "uses", "not judged", "precision", "recall", "partial", "share",
    "places left open", "not listed", "wrong but complete",
)  # fmt: skip


class At(NamedTuple):
    """A place, of a project's file by its path there; line and character from 1."""

    path: str
    line: int
    character: int


class Tally:
    """Of the names, or of the members, of one project."""

    def __init__(self) -> None:
        self.asked = self.defined = self.definitions = self.told = self.false = self.unjudged = 0
        self.wanted = self.found = self.partial = self.open = self.unlisted = self.wrong = 0

    def add(self, answer: FindAnswer) -> None:
        self.asked += 1
        self.told += answer.total
        if answer.completeness.status == "partial":
            undecided = answer.completeness.undecided
            self.partial += 1
            self.open += undecided.total if undecided else 0
            self.unlisted += (undecided.receivers or undecided.total) - len(undecided.places) if undecided else 0

    def row(self, title: str, *, checked: bool) -> str:
        share = self.partial / max(1, self.asked)
        judged = self.told - self.unjudged
        right = [
            f"{self.defined / max(1, self.definitions):.1%} of {self.definitions}",
            self.told,
            self.unjudged,
            f"{1 - self.false / max(1, judged):.1%}",
            f"{self.found / max(1, self.wanted):.1%} of {self.wanted}",
        ]
        right = right if checked else ["", self.told, "", "", ""]
        cells = [title, self.asked, *right, self.partial, f"{share:.1%}", self.open, self.unlisted]
        return _cells([*cells, self.wrong if checked else ""])


class Checkers:
    """The two servers of one project. What they told is kept beside the project: nothing of either changes."""

    def __init__(self, root: Path, sources: Sequence[str], cache: Path, texts: Mapping[Path, str]) -> None:
        self._root = root
        self._sources = sources
        self._cache = cache
        self._texts = texts
        self._kept = cache / f"{root.name}.told.json"
        kept = json.loads(self._kept.read_text("utf-8")) if self._kept.is_file() else {}
        self._known: dict[str, list[list[At] | None]] = kept
        self._running: dict[str, Server] = {}

    async def ask(self, method: str, name: str, at: At) -> list[set[At]]:
        """By each of the servers that answers. name: what files hold that may matter."""
        key = f"{method} {at.path}:{at.line}:{at.character}"
        if key not in self._known:
            self._known[key] = [await self._places(one, method, name, at) for one in CHECKED]
        return [{At(*one) for one in each} for each in self._known[key] if each is not None] or [set()]

    def is_named(self, at: At, name: str) -> bool:
        lines = (self._root / at.path).read_text("utf-8", "replace").split("\n")
        return lines[at.line - 1].startswith(name, at.character - 1)

    def is_attribute(self, at: At) -> bool:
        """Whether it is written `self.a`, or `cls.a`."""
        lines = (self._root / at.path).read_text("utf-8", "replace").split("\n")
        return lines[at.line - 1][: at.character - 1].endswith(("self.", "cls."))

    async def _places(self, checker: str, method: str, name: str, at: At) -> list[At] | None:
        if checker not in self._running:
            folder, log = programs(self._cache, CHECKED), self._cache / f"{checker}.log"
            self._running[checker] = await Server.start(checker, folder, self._root, log, self._sources)
        server = self._running[checker]
        server.open({self._root / at.path, *(one for one, text in self._texts.items() if name in text)})
        place = Place(self._root / at.path, at.line - 1, at.character - 1)
        further = {"context": {"includeDeclaration": False}} if method == "textDocument/references" else {}
        found = await server.places(method, place, **further)
        if found is None:
            # It may never do so again: zuban 0.10.2 goes round in circles in what only Windows has.
            await self._running.pop(checker).stop()
            return None
        return sorted(_at(self._root, one) for one in found if one.path in self._texts or not further)

    async def stop(self) -> None:
        for one in self._running.values():
            await one.stop()
        self._kept.write_text(json.dumps(self._known), "utf-8")


def _at(root: Path, place: Place) -> At:
    path = place.path.relative_to(root) if place.path.is_relative_to(root) else place.path
    return At(path.as_posix(), place.line + 1, place.character + 1)


def symbols(cn: Client, root: Path, sources: Sequence[str]) -> Iterator[SymbolRow]:
    for folder in sources:
        for path in files(root / folder):
            for row in cn.map(path.relative_to(root).as_posix()).symbols:
                if not row.name.startswith("__"):
                    yield row


async def measure(project: Project, number: int, cache: Path, *, checked: bool, doubts: bool) -> None:
    root = fetch(project, cache)
    texts = {path: path.read_text("utf-8", "replace") for path in files(root)}
    beyond_doubt = {
        _at(root, one.declared): {_at(root, use) for use in one.uses}
        for one in (truths(root, project.sources, further=True) if checked else ())
    }
    tallies = {"names": Tally(), "members": Tally()}
    reasons: Counter[str] = Counter()
    overriding = Overriding(root)
    checkers = Checkers(root, project.sources, cache, texts)
    with Client(root, deadline_s=120) as cn:
        found = list(symbols(cn, root, project.sources[:1]))
        try:
            for kind, tally in tallies.items():
                alike = [row for row in found if (row.container is None) == (kind == "names")]
                for row in random.Random(7).sample(alike, min(number, len(alike))):
                    answer = cn.find(row.id, limit=0)
                    tally.add(answer)
                    if answer.completeness.status == "partial":
                        reasons[f"{kind}: {_reason(answer)}"] += 1
                        if doubts:
                            _print(row, answer)
                    if checked:
                        check = Check(cn, checkers, overriding, row, answer, tally)
                        await check.uses(_declared(found, row), beyond_doubt)
        finally:
            await checkers.stop()
            cn.stop()
    for kind, tally in tallies.items():
        print(tally.row(f"{project.name} {project.version}, {kind}", checked=checked), flush=True)
    for reason, count in reasons.most_common():
        print(f"  {count} × {reason}")


class Check:
    """Of one answer."""

    def __init__(
        self, cn: Client, checkers: Checkers, overriding: Overriding, row: SymbolRow, answer: FindAnswer, tally: Tally
    ) -> None:
        self._cn = cn
        self._checkers = checkers
        self._overriding = overriding
        self._row = row
        self._answer = answer
        self._tally = tally

    async def uses(self, declared: set[At], beyond_doubt: Mapping[At, set[At]]) -> None:
        """declared: all places of the file where the symbol is declared."""
        at = At(*_split(self._row.id))
        told = [each - declared for each in await self._checkers.ask("textDocument/references", self._row.name, at)]
        certain = beyond_doubt.get(at, set())
        every, any_of = set.intersection(*told) | certain, set.union(*told) | certain
        uses = {At(one.file_path, one.line, one.character) for one in self._answer.references or ()}
        left_open = _left_open(self._answer)
        passed_over = {one for one in every - uses if one[:2] not in left_open}
        alone = {one: await self._leads(one) for one in sorted(uses - any_of)}
        unjudged = {one for one, leads in alone.items() if not leads}
        false = {
            one
            for one, leads in alone.items()
            if leads and not leads & declared and not any(self._is_same(at, each) for each in leads)
        }
        self._tally.wanted += len(every)
        self._tally.found += len(every & uses)
        self._tally.unjudged += len(unjudged)
        self._tally.false += len(false)
        if self._answer.completeness.status == "complete":
            self._tally.wrong += bool(passed_over or false)
        further = {
            "passed over": passed_over,
            "left open, told by both": every - uses - passed_over,
            "told by one of the two": {one for one in any_of - every - uses if one[:2] not in left_open},
            "told, and led elsewhere": false,
            "not judged": unjudged,
        }
        for title, places in further.items():
            for one in sorted(places):
                elsewhere = [":".join(map(str, each)) for each in sorted(alone[one])] if one in false else ""
                self._print(f"{title}: {self._answer.completeness.status} {elsewhere}", one)
        for use in sorted(every)[:3]:
            await self._definition(use, declared)

    def _is_same(self, declared: At, other: At) -> bool:
        """Whether a member overrides, or is overridden; whether a stub declares the name."""
        return self._overriding.are(declared, other) if self._row.container is not None else other.path.endswith(".pyi")

    async def _leads(self, use: At) -> set[At]:
        """Where one of the servers leads from there to something of the symbol's name: where they know no type, they
        may tell what is around it."""
        leads = set.union(*await self._checkers.ask("textDocument/definition", self._row.name, use)) - {use}
        return {one for one in leads if self._checkers.is_named(one, self._row.name)}

    async def _definition(self, use: At, declared: set[At]) -> None:
        """At a use where both servers lead to the symbol; of a union's member it may be that of another part, and what
        a method assigns may be what its class, or one above, declares."""
        every = set.intersection(*await self._checkers.ask("textDocument/definition", self._row.name, use))
        if not declared & every:
            return
        self._tally.definitions += 1
        answer = self._cn.find(":".join(map(str, use)), mode="definition")
        named = [one for one in (answer.definition, *(answer.declarations or ())) if one is not None]
        told = {At(one.file_path, one.line, one.character) for one in named}
        assigned = {one for one in told if self._checkers.is_attribute(one)}
        if (declared | every) & told or any(self._overriding.are(one, other) for one in assigned for other in declared):
            self._tally.defined += 1
        else:
            self._print(f"definition: {[one.id for one in named]}", use)

    def _print(self, title: str, place: At) -> None:
        print(f"  {title}: {_named(self._row)} {self._row.id} {':'.join(map(str, place))}")


def _declared(rows: Sequence[SymbolRow], row: SymbolRow) -> set[At]:
    """Overloads, and what is declared once more, are one symbol."""
    return {
        at
        for one in rows
        if (one.name, one.container) == (row.name, row.container)
        and (at := At(*_split(one.id))).path == _split(row.id)[0]
    }


def _left_open(answer: FindAnswer) -> set[tuple[str, int]]:
    """The files and lines that an answer lists as undecided."""
    undecided = answer.completeness.undecided
    return {(one.file_path, line) for one in (undecided.places if undecided else ()) for line in _lines(one)}


def _lines(place: LocationRef) -> list[int]:
    return [place.line, *((place.also or ()) if isinstance(place, UndecidedPlace) else ())]


def _split(spelled: str) -> tuple[str, int, int]:
    """Of an id."""
    _, path, line, character = spelled.split("::")
    return path, int(line), int(character)


def _named(row: SymbolRow) -> str:
    return f"{row.container or ''}.{row.name}"


def _reason(answer: FindAnswer) -> str:
    return (answer.completeness.reason or "").partition(": ")[2].partition(" (")[0]


def _print(row: SymbolRow, answer: FindAnswer) -> None:
    undecided = answer.completeness.undecided
    print(f"  {_named(row)} {row.kind}: {answer.completeness.reason}")
    for one in undecided.places if undecided else ():
        print(f"    {one.file_path}:{one.line}:{one.character} {one.preview}")
        for line in one.also or ():
            print(f"    {one.file_path}:{line}")


def _cells(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.languages.completeness")
    parser.add_argument("--symbols", type=int, default=60)
    parser.add_argument("--project", choices=[one.name for one in (*PROJECTS, *FURTHER)], action="append")
    parser.add_argument("--unchecked", action="store_true", help="ask no other servers")
    parser.add_argument("--doubts", action="store_true")
    parser.add_argument("--cache", type=Path, default=CACHE)
    arguments = parser.parse_args()
    cache = arguments.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    print(f"{_cells(_HEAD)}\n|---|{'--:|' * (len(_HEAD) - 1)}")
    for project in (*PROJECTS, *FURTHER):
        if not arguments.project or project.name in arguments.project:
            measured = measure(
                project, arguments.symbols, cache, checked=not arguments.unchecked, doubts=arguments.doubts
            )
            asyncio.run(measured)


if __name__ == "__main__":
    main()
