"""Markdown command libraries: `commands_directory`, `.claude/commands`, `.cursor/commands`.

A command's name is its file's, without `.md`; a subfolder is part of it (`git/commit.md` → git/commit). The nearest
folder comes first: workspace, user, shared libraries.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cn_daemon.adapters.command_sources.marks import mark_of
from cn_daemon.adapters.file_tree import Stamp
from cn_daemon.adapters.markdown_text import read_markdown
from cn_daemon.adapters.patient_files import inside, read_text, tell
from cn_daemon.adapters.watched_folder import WatchedFolder
from cn_daemon.application.libraries.library_ports import Freshness, Refresh
from cn_daemon.domain.libraries.commands import Command, CommandText
from cn_daemon.domain.libraries.plain_values import plain

OWN_FOLDERS = (".claude/commands", ".cursor/commands")
_BODY_CHARACTERS = 200_000
_KEYWORDS = ("keywords", "tags", "aliases", "alias")
_KEYWORDS_MOST = 20


class Place(NamedTuple):
    """origin: workspace, user or library. configured: its absence is worth a warning."""

    folder: Path
    origin: str
    configured: bool = False


def places(root: Path, home: Path, configured: Path | None) -> tuple[list[Place], list[str]]:
    """The folders to read, nearest first, and warnings. A link out of the workspace is not followed."""
    found: list[Place] = []
    warnings: list[str] = []
    for name in OWN_FOLDERS:
        folder = Path(os.path.realpath(root / name))
        if inside(str(folder), root):
            found.append(Place(folder, "workspace"))
        else:
            warnings.append(
                f"{name} leads out of the workspace and is not read. Name it as commands_directory instead."
            )
    found += [Place(Path(os.path.realpath(home / name)), "user") for name in OWN_FOLDERS]
    if configured is not None:
        folder = Path(os.path.realpath(configured))
        found.append(Place(folder, "workspace" if inside(str(folder), root) else "library", configured=True))
    unique = {str(place.folder): place for place in reversed(found)}
    return [place for place in found if unique.pop(str(place.folder), None) is not None], warnings


def is_command(name: str) -> bool:
    """Whether a file of that name is a command."""
    return name.lower().endswith(".md") and not name.startswith(".")


class MarkdownReader:
    """A `Reader`; a unit is a file."""

    name = "markdown"

    def __init__(
        self, folders: Sequence[Place], warnings: Sequence[str], ttl_s: float, within: Sequence[Path] = ()
    ) -> None:
        self._places = [
            (place, WatchedFolder(place.folder, is_command, steady=place.configured, ttl_s=ttl_s, within=within))
            for place in folders
        ]
        self._standing = list(warnings)
        self._broken: dict[str, str] = {}
        self._resumed: dict[str, str] = {}

    def resume(self, marks: Mapping[str, str]) -> None:
        self._resumed = dict(marks)

    def read(self, *, everything: bool) -> Refresh:
        files: dict[str, list[CommandText]] = {}
        marks: dict[str, str] = {}
        stale: list[str] = []
        warnings = list(self._standing)
        order: list[str] = []
        kept: dict[str, str] = {}
        for place, watched in self._places:
            look = watched.look(everything=everything)
            warnings += [_not_followed(path) for path in watched.refused()]
            if look.stale:
                stale.append(look.stale)
            elif place.configured and watched.missing:
                away = {path: mark for path, mark in self._resumed.items() if inside(path, place.folder)}
                if away:  # an earlier daemon knew it
                    kept |= away
                    stale.append(f"{place.folder}: it is not there")
                else:
                    warnings.append(f"commands_directory: there is no folder {place.folder}.")
            for path in watched.files if everything and not look.stale else look.changed:
                now = mark_of(watched.files.get(path), place.origin, str(place.folder))
                if everything or now == "" or self._resumed.pop(path, None) != now:
                    files[path] = self._read(path, watched.files.get(path), place)
                    marks[path] = now
            order += sorted(watched.files)
        files |= {path: [] for path in self._resumed.keys() - kept.keys() - set(order)}
        self._resumed = kept
        return Refresh(
            Freshness(stale="; ".join(stale)), files, [*order, *kept], [*warnings, *self._broken.values()], marks=marks
        )

    def text(self, path: str) -> str:
        """The file's text. Raises OSError, also for one that leads out of the folders that may be read."""
        return read_text(path, self._may_read)

    def close(self) -> None:
        for _, watched in self._places:
            watched.close()

    def _may_read(self, real: str) -> bool:
        return any(watched.may_read(real) for _, watched in self._places)

    def _read(self, path: str, mark: Stamp | None, place: Place) -> list[CommandText]:
        self._broken.pop(path, None)
        if mark is None:
            return []
        try:
            text = read_text(path, self._may_read)
            return [command_text(path, text, mark, place)]
        except FileNotFoundError:
            return []
        except Exception as error:  # one file's: the others are read all the same
            self._broken[path] = f"{path}: {tell(error)}."
            return []


def command_text(path: str, text: str, mark: Stamp, place: Place) -> CommandText:
    """One file as a command. mark: its time in ns, size, inode."""
    found = read_markdown(text)
    relative = Path(path).relative_to(place.folder).as_posix()
    name = relative[: -len(".md")]
    command = Command(
        canonical_id=f"md:{name}",
        name=name,
        source="markdown",
        execution_type="prompt",
        description=found.description,
        keywords=_keywords(found.frontmatter),
        path=path,
        origin=place.origin,
        last_modified=mark[0] / 1e9,
        file_size=mark[1],
        frontmatter=plain(found.frontmatter),
    )
    return CommandText(command, "\n".join(found.headings), found.body[:_BODY_CHARACTERS])


def _not_followed(path: str) -> str:
    return f"{path} leads elsewhere and is not followed. Put a copy there, or name its folder as commands_directory."


def _keywords(frontmatter: Any) -> tuple[str, ...]:
    words: list[str] = []
    for key in _KEYWORDS:
        value = frontmatter.get(key)
        if isinstance(value, str):
            words += [word.strip(" []\"'") for word in value.split(",")]
        elif isinstance(value, list):
            words += [str(word) for word in value if isinstance(word, str | int)]
    return tuple(word for word in words if word)[:_KEYWORDS_MOST]
