"""What is done to the workspace meanwhile: edit, create, rename, delete, check out; and what was touched when."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.faults import odd_files
from tests.faults.soak.world import PACKAGES, Module, Snapshot, World

_MODULES = (12, 40)
# Of no package's sources, so that no folder is said to hold another number of files.
ODD = "packages/app/odd/odd.ts"
_GIT = ("git", "-c", "user.name=soak", "-c", "user.email=soak@localhost", "-c", "gc.auto=0")


class Workspace:
    """The world on disk. One edit at a time; questions go on meanwhile, and ask afterwards what was touched."""

    def __init__(self, root: Path, random: Random, modules: int) -> None:
        self.root = root
        self.truth: Snapshot
        self.made = 0
        self._random = random
        self._world = World()
        self._commits: list[tuple[str, World]] = []
        self._lock = threading.Lock()
        # The number of each edit that was begun, with what it touched; `_ended` are those that are over.
        self._touched: list[set[str]] = []
        self._ended = 0
        self._populate(modules)

    def _populate(self, modules: int) -> None:
        world, random = self._world, self._random
        for number in range(modules):
            uses = random.sample(sorted(world.modules), min(number, 3))
            world.add(random.choice(PACKAGES), {one: random.random() < 0.4 for one in uses})
        for number in range(8):
            world.prompts[f"polish-part-{number}"] = 0
            world.registry["soak", f"verb-{number}", "target"] = 0
        self.truth = world.snapshot()
        for path, text in self.truth.files.items():
            self._write(path, text)
        self._git("init", "-q")
        self._commit(world)

    # For the questions

    def moment(self) -> int:
        """What to give to `touched_since` later: the first edit that is not over yet."""
        with self._lock:
            return self._ended

    def touched_since(self, moment: int) -> set[str]:
        """The files that any edit touched since, or may be touching now."""
        with self._lock:
            return set().union(*self._touched[moment:])

    # The edits

    def edit(self, *, odd: bool = True) -> str:
        """Carry one out; returns what it was. For one thread at a time. odd: it may be that of the odd file."""
        world = self._world.copy()
        if self._random.random() < 0.06:
            return self._check_out()
        rows = [row for row in EDITS if odd or row[1] is not _odd]
        name, change, _ = self._random.choices(rows, [row[2] for row in rows])[0]
        change(world, self._random)
        after = world.snapshot()
        with self._announced(after):
            for path in sorted(self.truth.files.keys() - after.files.keys()):
                (self.root / path).unlink()
            for path, text in after.files.items():
                if text != self.truth.files.get(path):
                    self._write(path, text)
            if world.odd != self._world.odd:
                self._put_odd(world.odd, after)
            self._world, self.truth = world, after
        if self._random.random() < 0.1:
            self._commit(world)
        return name

    def _put_odd(self, kind: str, after: Snapshot) -> None:
        """It names everything, and uses nothing."""
        file = self.root / ODD
        file.parent.mkdir(exist_ok=True)
        odd_files.put(kind, file, f"// {' '.join(after.symbols)}\n".encode())

    def _check_out(self) -> str:
        commit, world = self._random.choice(self._commits)
        after = world.snapshot()
        with self._announced(after):
            self._git("checkout", "-q", "-f", commit)
            self._git("clean", "-fdq")
            self._world, self.truth = world.copy(), after
        return "checkout"

    def _announced(self, after: Snapshot) -> _Announced:
        before = self.truth.files
        touched = {path for path in before.keys() | after.files.keys() if before.get(path) != after.files.get(path)}
        return _Announced(self, touched)

    def begin(self, touched: set[str]) -> None:
        with self._lock:
            self._touched.append(touched)

    def end(self) -> None:
        with self._lock:
            self._ended += 1
            self.made += 1

    def _write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if self._random.random() < 0.5:
            file.write_text(text)
        else:  # as editors save
            draft = file.with_name(file.name + ".tmp~")
            draft.write_text(text)
            os.replace(draft, file)

    def _commit(self, world: World) -> None:
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", "soak")
        self._commits = [*self._commits[-19:], (self._git("rev-parse", "HEAD").strip(), world.copy())]

    def _git(self, *arguments: str) -> str:
        done = subprocess.run([*_GIT, *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout


class _Announced:
    def __init__(self, workspace: Workspace, touched: set[str]) -> None:
        self._workspace = workspace
        self._touched = touched

    def __enter__(self) -> None:
        self._workspace.begin(self._touched)

    def __exit__(self, *_: object) -> None:
        self._workspace.end()


def _any(world: World, random: Random) -> Module:
    return world.modules[random.choice(sorted(world.modules))]


def _shift(world: World, random: Random) -> None:
    _any(world, random).above = random.randrange(1, 9)


def _rename_symbols(world: World, random: Random) -> None:
    module = _any(world, random)
    world.numbers += 1
    module.tag = f"{module.number}v{world.numbers}"


def _rename_file(world: World, random: Random) -> None:
    module = _any(world, random)
    world.numbers += 1
    module.stem, module.package = f"m{module.number}r{world.numbers}", random.choice(PACKAGES)


def _create(world: World, random: Random) -> None:
    if len(world.modules) >= _MODULES[1]:
        return _delete(world, random)
    uses = random.sample(sorted(world.modules), 3)
    fresh = world.add(random.choice(PACKAGES), {one: random.random() < 0.4 for one in uses})
    user = _any(world, random)
    if user is not fresh:  # no module imports what it declares itself
        user.uses.setdefault(fresh.number, False)


def _delete(world: World, random: Random) -> None:
    if len(world.modules) <= _MODULES[0]:
        return _create(world, random)
    gone = _any(world, random).number
    del world.modules[gone]
    for module in world.modules.values():
        module.uses.pop(gone, None)


def _use(world: World, random: Random) -> None:
    module, other = _any(world, random), _any(world, random)
    if other.number in module.uses:
        del module.uses[other.number]
    elif other is not module:
        module.uses[other.number] = random.random() < 0.4


def _prompt(world: World, random: Random) -> None:
    world.numbers += 1
    if random.random() < 0.3:
        world.prompts[f"polish-part-{world.numbers}"] = 0
    elif random.random() < 0.4 and len(world.prompts) > 4:
        del world.prompts[random.choice(sorted(world.prompts))]
    else:
        world.prompts[random.choice(sorted(world.prompts))] = world.numbers


def _register(world: World, random: Random) -> None:
    world.numbers += 1
    world.registry[random.choice(sorted(world.registry))] = world.numbers


def _configure(world: World, random: Random) -> None:
    world.numbers += 1
    world.settings[random.choice(PACKAGES)] = world.numbers


def _odd(world: World, random: Random) -> None:
    world.odd = random.choice(sorted(odd_files.KINDS))


Change = Callable[[World, Random], None]
# (name, what it does, how often)
EDITS: tuple[tuple[str, Change, int], ...] = (
    ("shift", _shift, 8),
    ("use", _use, 6),
    ("rename symbols", _rename_symbols, 3),
    ("rename file", _rename_file, 3),
    ("create", _create, 3),
    ("delete", _delete, 3),
    ("prompt", _prompt, 2),
    ("registry", _register, 2),
    ("tsconfig", _configure, 1),
    ("odd file", _odd, 2),
)
