"""The changes, one after the other: after each, a daemon that has seen them all is asked, and one that starts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from cn_daemon.settings import Settings
from cn_shared.errors import CnError
from tests.faults.churn.ground import Change, Ground
from tests.server.desk import Desk, place

Answer = dict[str, Any]
Workspace = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """lay: writes the workspace. queries: what is asked; none: what its files declare. asked: how many a step."""

    lay: Workspace
    changes: Sequence[Change]
    settings: Settings
    compile: tuple[str, ...]
    seed: int
    queries: Sequence[str] = ()
    asked: int = 6


@dataclass(frozen=True, slots=True)
class Difference:
    """warm: of the daemon that saw the changes. again: whether it keeps to that. cold: of the one that starts."""

    step: int
    change: str
    query: str
    warm: Answer
    cold: Answer
    again: bool

    def __str__(self) -> str:
        again = "" if self.again else ", another one when asked again"
        told = [f"step {self.step}, {self.change}: {self.query}{again}"]
        return "\n  ".join([*told, f"warm {json.dumps(self.warm)}", f"cold {json.dumps(self.cold)}"])


@dataclass(slots=True)
class Churn:
    """One trial in an empty folder."""

    plan: Plan
    folder: Path
    tell: Callable[[str], None]
    ground: Ground = field(init=False)
    queries: Sequence[str] = field(init=False)
    warm: Desk = field(init=False)

    def run(self, steps: Sequence[int], only: str = "") -> Iterator[Difference]:
        """Carry out the steps, each by its number. only: ask this alone, and compare after the last step."""
        plan = self.plan
        self._begin()
        try:
            for step in steps:
                self.ground.step, self.ground.random = step, Random(f"{plan.seed}-{step}")
                change = self.ground.random.choice(plan.changes)
                told = change(self.ground)
                if told is None:
                    continue
                asked = [only] if only else self._asked()
                answers = {query: ask(self.warm, query) for query in asked}
                if only and step != steps[-1]:
                    continue
                found = self._compare(f"{change.__name__}: {told}", answers)
                self.tell(f"{step} {change.__name__}: {told}{' DIFFERS' if found else ''}")
                yield from found
                if found:
                    self._restart()
        finally:
            self.warm.close()

    def _begin(self) -> None:
        plan, root = self.plan, self.folder / "work"
        root.mkdir()
        (self.folder / "away").mkdir()
        plan.lay(root)
        self.ground = Ground(root, self.folder / "away", plan.compile, Random(plan.seed))
        self.ground.begin()
        with self._desk() as desk:
            self.queries = plan.queries or declared(desk, self.ground)
        self._restart(first=True)

    def _restart(self, first: bool = False) -> None:
        """What has gone astray is not asked any more."""
        if not first:
            self.warm.close()
        self.warm = Desk(self.ground.root, self.plan.settings)
        for query in self.queries[:8]:
            ask(self.warm, query)

    def _asked(self) -> list[str]:
        random = self.ground.random
        chosen = random.sample(self.queries, min(self.plan.asked, len(self.queries)))
        return [*chosen, f"map {self.ground.source()}"]

    def _compare(self, change: str, answers: dict[str, Answer]) -> list[Difference]:
        with self._desk() as cold:
            right = {query: ask(cold, query) for query in answers}
        return [
            Difference(self.ground.step, change, query, answer, right[query], ask(self.warm, query) == answer)
            for query, answer in answers.items()
            if answer != right[query]
        ]

    @contextmanager
    def _desk(self) -> Iterator[Desk]:
        desk = Desk(self.ground.root, self.plan.settings)
        try:
            yield desk
        finally:
            desk.close()


def ask(desk: Desk, query: str) -> Answer:
    """What must be the same, of a find or of a map."""
    try:
        if query.startswith("map "):
            return {"rows": desk.rows(query[4:])}
        found = desk.find(query, limit=0)
    except CnError as error:
        return {"error": f"{error.code}: {error}"}
    return {
        "status": found.completeness.status,
        "reason": found.completeness.reason,
        "definition": place(found.definition),
        "references": sorted(filter(None, map(place, found.references or []))),
    }


def declared(desk: Desk, ground: Ground, most: int = 60) -> list[str]:
    """Of some files: what they declare, and one place where it is used."""
    found: list[str] = []
    paths = ground.sources()
    for path in ground.random.sample(paths, min(most // 2, len(paths))):
        names = [".".join(filter(None, (row.container, row.name))) for row in desk.map(path).symbols]
        names = [name for name in names if all(map(str.isidentifier, name.split(".")))]
        for name in ground.random.sample(names, min(2, len(names))):
            query = f"{path}#{name}"
            found.append(query)
            uses = desk.find(query, limit=0).references or []
            found += [str(place(use)) for use in ground.random.sample(uses, min(1, len(uses)))]
    return sorted(ground.random.sample(found, min(most, len(found))))
