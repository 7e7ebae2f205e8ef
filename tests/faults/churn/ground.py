"""The workspace on disk, and how a change reads and writes it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.faults import odd_files

_GIT = ("git", "-c", "user.name=churn", "-c", "user.email=churn@localhost", "-c", "gc.auto=0")


@dataclass(slots=True)
class Ground:
    """root: the workspace. away: a folder beside it. compile: what runs `tsc`. random: that of this step."""

    root: Path
    away: Path
    compile: tuple[str, ...]
    random: Random
    step: int = 0

    def at(self, path: str | Path) -> Path:
        return self.root / path

    def read(self, path: str | Path) -> str:
        return self.at(path).read_text("utf-8", errors="replace")

    def write(self, path: str | Path, text: str) -> None:
        """In place, or as editors save."""
        file = self.at(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        if self.random.random() < 0.5:
            file.write_text(text, "utf-8")
        else:
            draft = file.with_name(file.name + ".tmp~")
            draft.write_text(text, "utf-8")
            draft.replace(file)

    def move(self, path: str | Path, to: str | Path) -> None:
        self.at(to).parent.mkdir(parents=True, exist_ok=True)
        self.at(path).rename(self.at(to))

    def remove(self, path: str | Path) -> None:
        odd_files.remove(self.at(path))

    def there(self, path: str | Path) -> bool:
        """A link that leads nowhere is there too."""
        return os.path.lexists(self.at(path))

    def swing(self, path: str, text: str) -> str:
        """Write the file, or remove it when it is there."""
        if self.there(path):
            self.remove(path)
            return f"{path} gone"
        self.write(path, text)
        return f"{path} there"

    def hide(self, path: str) -> str | None:
        """Put it away, or back, in the place of what has come since."""
        hidden = self.away / path.replace("/", " ")
        if self.there(hidden):
            self.remove(path)
            self.move(hidden, path)
            return f"{path} back"
        if not self.there(path):
            return None
        self.move(path, hidden)
        return f"{path} away"

    def turn(self, path: str, key: str, *values: Any) -> str | None:
        """Give a key of a JSON file another of the values; None takes it out. key: `compilerOptions.paths`."""
        if not self.at(path).is_file():
            return None
        document = json.loads(self.read(path))
        *outer, last = key.split(".")
        inner = document
        for name in outer:
            inner = inner.setdefault(name, {})
        value = self.random.choice([one for one in values if one != inner.get(last)])
        inner[last] = value
        if value is None:
            del inner[last]
        self.write(path, json.dumps(document, indent=2))
        return f"{path} {key}: {json.dumps(value)}"

    def sources(self) -> list[str]:
        """Every TypeScript file but declarations, of what is not installed or built."""
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name not in ("node_modules", "dist", "build", ".git")]
            inner = os.path.relpath(folder, self.root)
            found += [
                os.path.normpath(f"{inner}/{name}")
                for name in files
                if name.endswith((".ts", ".tsx"))
                and not name.endswith(".d.ts")
                and self.at(f"{inner}/{name}").is_file()
            ]
        return sorted(found)

    def source(self) -> str:
        return self.random.choice(self.sources())

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run([*_GIT, *arguments], cwd=self.root, check=check, capture_output=True, text=True)
        return done.stdout

    def begin(self) -> None:
        """Let what stands there be what `base` names."""
        for arguments in (["init", "-qb", "main"], ["add", "-A"], ["commit", "-qm", "base"], ["tag", "base"]):
            self.git(*arguments)


# Says what it did; None: there was nothing to do.
Change = Callable[[Ground], str | None]
