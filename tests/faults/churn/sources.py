"""Changes that any workspace knows: sources that are edited, renamed and removed, and what git does to them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.faults.churn.ground import Change, Ground

_HEAD = "// head\n"
_EXPORT = re.compile(r"^export (?:abstract )?(?:class|function|const|interface|type|enum) (\w{4,})", re.MULTILINE)


def edit(ground: Ground) -> str:
    """Every line of it moves."""
    path = ground.source()
    _shift(ground, path)
    return path


def format_all(ground: Ground) -> str:
    paths = ground.sources()[:200]
    for path in paths:
        _shift(ground, path)
    return f"{len(paths)} files"


def _shift(ground: Ground, path: str) -> None:
    text = ground.read(path)
    ground.write(path, text.removeprefix(_HEAD) if text.startswith(_HEAD) else _HEAD + text)


def append(ground: Ground) -> str:
    path = ground.source()
    ground.write(path, ground.read(path) + f"\nexport const added{ground.step} = {ground.step};\n")
    return path


def rename_symbol(ground: Ground) -> str | None:
    """What a file exports has another name: there alone, or wherever the name stands."""
    path = ground.source()
    names = _EXPORT.findall(ground.read(path))
    if not names:
        return None
    name = ground.random.choice(names)
    other = name.removesuffix("Anew") if name.endswith("Anew") else name + "Anew"
    paths = ground.random.choice([[path], ground.sources()])
    for one in paths:
        text = ground.read(one)
        renamed = re.sub(rf"\b{name}\b", other, text)
        if renamed != text:
            ground.write(one, renamed)
    return f"{path} {name} -> {other}, {'here' if len(paths) == 1 else 'everywhere'}"


def rename_file(ground: Ground) -> str:
    """Who imports it may follow."""
    path = ground.source()
    stem, ending = os.path.splitext(path)
    to = stem.removesuffix("Moved") + ("" if stem.endswith("Moved") else "Moved") + ending
    if ground.there(to):
        return f"{to} is there"
    ground.move(path, to)
    if ground.random.random() < 0.5:
        return f"{path} -> {to}"
    before, after = (Path(one).stem for one in (path, to))
    for one in ground.sources():
        text = ground.read(one)
        led = re.sub(rf'(from "[^"]*\b){before}((?:\.\w+)?")', rf"\g<1>{after}\g<2>", text)
        if led != text:
            ground.write(one, led)
    return f"{path} -> {to}, and its importers follow"


def remove(ground: Ground) -> str:
    path = ground.source()
    ground.remove(path)
    return path


def bring_back(ground: Ground) -> str | None:
    gone = sorted(filter(None, ground.git("diff", "--name-only", "--diff-filter=D", "base").split("\n")))
    gone = [path for path in gone if not ground.there(path) and ground.at(path).parent.is_dir()]
    if not gone:
        return None
    path = ground.random.choice(gone)
    ground.write(path, ground.git("show", f"base:{path}"))
    return path


def copy(ground: Ground) -> str:
    path = ground.source()
    stem, ending = os.path.splitext(path)
    to = f"{stem}Copy{ending}"
    if ground.there(to):
        ground.remove(to)
        return f"{to} gone"
    ground.write(to, ground.read(path))
    return to


def change_case(ground: Ground) -> str:
    path = ground.source()
    folder, name = os.path.split(path)
    to = os.path.join(folder, name[0].swapcase() + name[1:])
    if not ground.there(to):
        ground.move(path, to)
    return f"{path} -> {to}"


def file_or_folder(ground: Ground) -> str:
    """`thing.ts` becomes `thing/index.ts`, and comes back."""
    path = ground.source()
    stem, ending = os.path.splitext(path)
    folder = os.path.dirname(stem)
    if os.path.basename(stem) == "index" and folder and ground.sources().count(f"{folder}{ending}") == 0:
        ground.move(path, f"{folder}{ending}")
        return f"{path} -> {folder}{ending}"
    if ground.there(f"{stem}/index{ending}"):
        return f"{stem}/index{ending} is there"
    ground.move(path, f"{stem}/index{ending}")
    return f"{path} -> {stem}/index{ending}"


def rename_folder(ground: Ground) -> str | None:
    folder = os.path.dirname(ground.source())
    to = folder.removesuffix("Moved") + ("" if folder.endswith("Moved") else "Moved")
    if not folder or ground.there(to):
        return None
    ground.move(folder, to)
    return f"{folder} -> {to}"


def conflict(ground: Ground) -> str:
    """As a merge leaves it."""
    path = ground.source()
    text = ground.read(path)
    ground.write(path, f"<<<<<<< HEAD\n{text}=======\n{_HEAD}{text}>>>>>>> other\n")
    return path


def same_size(ground: Ground) -> str | None:
    """Of the same time, too: it was saved twice within a tick of the clock."""
    path = ground.source()
    names = [name for name in _EXPORT.findall(ground.read(path)) if name[-1].isalpha()]
    if not names:
        return None
    name, times = ground.random.choice(names), os.stat(ground.at(path))
    other = name[:-1] + name[-1].swapcase()
    ground.write(path, re.sub(rf"\b{name}\b", other, ground.read(path)))
    os.utime(ground.at(path), ns=(times.st_atime_ns, times.st_mtime_ns))
    return f"{path} {name} -> {other}"


def touch_all(ground: Ground) -> str:
    for path in ground.sources():
        os.utime(ground.at(path))
    return "touched"


def come_back(ground: Ground) -> str:
    """The whole workspace."""
    place = ground.away / "root"
    ground.root.rename(place)
    place.rename(ground.root)
    return "away and back"


# git


def commit(ground: Ground) -> str:
    ground.git("add", "-A")
    ground.git("commit", "-qm", f"step {ground.step}", "--allow-empty")
    return "committed"


def branch(ground: Ground) -> str:
    branches = [name.strip("* ") for name in ground.git("branch").splitlines()]
    commit(ground)
    if len(branches) < 3:
        ground.git("checkout", "-qb", f"step{ground.step}")
        return f"step{ground.step} is new"
    name = ground.random.choice(branches)
    ground.git("checkout", "-qf", name)
    return name


def stash(ground: Ground) -> str:
    if not ground.git("stash", "list"):
        ground.git("stash", "-u", "-q")
        return "put away"
    ground.git("checkout", "-qf", ".")
    # What it holds may be in the way of itself: then it stays away.
    popped = subprocess.run(["git", "stash", "pop", "-q"], cwd=ground.root, capture_output=True, check=False)
    if popped.returncode:
        ground.git("reset", "-q", "--hard")
        ground.git("stash", "drop", "-q")
    return "back"


def reset(ground: Ground) -> str:
    ground.git("checkout", "-qf", "main")
    ground.git("reset", "-q", "--hard", "base")
    ground.git("clean", "-qfd")
    return "as it began"


def worktree(ground: Ground) -> str:
    if ground.there("worktree"):
        ground.git("worktree", "remove", "--force", "worktree")
        return "gone"
    ground.git("worktree", "prune")
    ground.git("worktree", "add", "-q", "--detach", "worktree")
    return "there"


SOURCES: tuple[Change, ...] = (
    edit, edit, edit, format_all, append, append, rename_symbol, rename_symbol, rename_symbol, rename_file, rename_file,
    remove, bring_back, bring_back, copy, change_case, file_or_folder, rename_folder, conflict, same_size,
    touch_all, come_back,
    commit, branch, branch, stash, reset, worktree,
)  # fmt: skip
