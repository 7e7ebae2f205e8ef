"""What the user vouches for by `cn trust`: a root's settings files, the programs they name, and its own TypeScript.

A cloned repository must not choose what cn runs, so keys that name a program, a URL or a folder outside count in a
root's own files only after the user said so once; the TypeScript in its node_modules likewise. The record, a file for
each root, holds a hash of everything that was vouched for: what differs from it by a byte is not trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cn_shared.execution import Territory
from cn_shared.folders import base, read_only, state_folder

FILES = (".cn.json", ".ai-command-tool.json")
_LARGEST_BYTES = 1 << 20
# What Node.js, Deno and Python go on to from the name of a module that is not there, or of a folder.
_COMPLETED = (
    ".js", ".mjs", ".cjs", ".json", ".node", ".ts", ".mts", ".cts", ".py", "/index.js", "/index.mjs", "/index.cjs",
    "/index.json", "/index.node", "/package.json", "/__main__.py",
)  # fmt: skip

# What tells whether a file is still the same: change time, modification time, size and inode.
Facts = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Record:
    """files: of the settings files, name → hash. programs: of what they name in the workspace, path → hash.
    typescript: the digest of its own TypeScript, "" when there was none. servers: of the MCP servers that it names for
    agents' clients, key → hash of the entry and of the files
    of the workspace that its command line may lead to."""

    files: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    typescript: str = ""
    servers: Mapping[str, str] = field(default_factory=dict)

    def changes(self, now: Record) -> list[str]:
        """Which of the settings files, and of the programs, are not as they were."""
        before, after = {**self.files, **self.programs}, {**now.files, **now.programs}
        lost = self.programs.keys() - now.programs.keys()
        return sorted({name for name, known in after.items() if before.get(name) != known} | lost)


def read(root: Path) -> Record | None:
    """None when nothing was vouched for."""
    name, kept = place(root), read_only("XDG_STATE_HOME", ".local/state")
    if kept and not os.path.lexists(name):
        name = os.path.join(kept, "trust", os.path.basename(name))
    try:
        descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(descriptor)
            if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
                return None
            found = json.loads(file.read(_LARGEST_BYTES))
        files, programs, typescript = dict(found["files"]), dict(found["programs"]), str(found["typescript"])
        return Record(files, programs, typescript, dict(found.get("servers", {})))  # earlier versions wrote none
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(root: Path, record: Record) -> None:
    """Raises OSError."""
    path = state_folder() / "trust" / Path(place(root)).name
    path.parent.mkdir(mode=0o700, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump({"root": str(root), **asdict(record)}, file)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def revoke(root: Path) -> Record | None:
    """What had been vouched for. Raises OSError."""
    record = read(root)
    Path(place(root)).unlink(missing_ok=True)
    return record


def place(root: Path) -> str:
    """Where the record is kept. Not created by asking: a home that cannot be written to must not keep the daemon from
    starting."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()
    return os.path.join(base("XDG_STATE_HOME", ".local/state"), "trust", f"{name}.json")


def candidates(root: Path, words: Iterable[str]) -> list[str]:
    """The places in the workspace that the words of a command line may lead to, also behind a `=`: whether or not there
    is anything now. Of a folder with a package of npm's, what it runs is among them."""
    territory, found = Territory(root), set[str]()
    for word in words:
        for part in (word, word.partition("=")[2]):
            if not part or part.startswith("-") or "\0" in part:
                continue
            path = root / os.path.expanduser(part)
            found.update(f"{path}{ending}" for ending in _COMPLETED)
            for folder in (path, path.parent, path.parent.parent):
                if (folder / "package.json").is_file() and (folder / "lib" / "tsserver.js").is_file():
                    found.update(map(str, (folder / "lib").iterdir()), {str(folder / "package.json")})
            found.add(str(path))
    return sorted(path for path in found if territory.holds(path))


def anchored(root: Path, word: str) -> str:
    """A word of a command line, or what stands behind its `=`, as the absolute path in the root that it names, whatever
    folder the command runs in; a word that names none as it is."""
    head, equals, part = word.rpartition("=") if word.startswith("-") else ("", "", word)
    if not part or os.path.isabs(part) or part.startswith("-") or "\0" in part:
        return word
    relative = part.startswith(("./", "../")) or os.path.lexists(root / part)
    return f"{head}{equals}{os.path.normpath(root / part)}" if relative else word


def facts_of(path: str) -> Facts | None:
    """None when nothing is there."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return None
    return facts.st_ctime_ns, facts.st_mtime_ns, facts.st_size, facts.st_ino


def hashes(paths: Iterable[str]) -> dict[str, str]:
    """Of those that are files. One that cannot be read has a hash that nothing has."""
    found = {}
    for path in paths:
        if os.path.isfile(path):
            try:
                with open(path, "rb") as file:
                    found[path] = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError:
                found[path] = "unreadable"
    return found


def content_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
