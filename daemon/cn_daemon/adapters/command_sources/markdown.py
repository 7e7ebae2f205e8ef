"""Commands that are files: `commands_directory`, those of the agents' clients (`conventions`), and of their plugins.

A command's name is its file's, without the ending; a subfolder is part of it (`git/commit.md` → git/commit). The
nearest folder comes first: workspace, user, shared libraries.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cn_daemon.adapters import toml_text
from cn_daemon.adapters.command_sources.conventions import CONVENTIONS, PLAIN, TOML, Convention
from cn_daemon.adapters.command_sources.marks import mark_of
from cn_daemon.adapters.command_sources.plugins import InstalledPlugins
from cn_daemon.adapters.file_tree import Stamp
from cn_daemon.adapters.markdown_text import described, read_markdown
from cn_daemon.adapters.patient_files import inside, read_text, tell
from cn_daemon.adapters.watched_folder import WatchedFolder
from cn_daemon.application.libraries.library_ports import Freshness, Refresh
from cn_daemon.domain.libraries.commands import Command, CommandText
from cn_daemon.domain.libraries.plain_values import plain

_BODY_CHARACTERS = 200_000
_KEYWORDS = ("keywords", "tags", "aliases", "alias")
_KEYWORDS_MOST = 20
_PLUGIN_SKILLS = Convention("", "", skills=True)


class Place(NamedTuple):
    """origin: workspace, user or library. configured: its absence is worth a warning."""

    folder: Path
    origin: str
    configured: bool = False
    convention: Convention = PLAIN


def places(root: Path, home: Path, configured: Path | None) -> tuple[list[Place], list[str]]:
    """The folders to read, nearest first, and warnings. A link out of the workspace is not followed."""
    found: list[Place] = []
    warnings: list[str] = []
    for convention in CONVENTIONS:
        name = convention.folder
        folder = Path(os.path.realpath(root / name))
        if inside(str(folder), root):
            found.append(Place(folder, "workspace", convention=convention))
        else:
            warnings.append(
                f"{name} leads out of the workspace and is not read. Name it as commands_directory instead."
            )
    found += [
        Place(Path(os.path.realpath(home / convention.home)), "user", convention=convention)
        for convention in CONVENTIONS
        if convention.home
    ]
    if configured is not None:
        folder = Path(os.path.realpath(configured))
        found.append(Place(folder, "workspace" if inside(str(folder), root) else "library", configured=True))
    unique = {str(place.folder): place for place in reversed(found)}
    return [place for place in found if unique.pop(str(place.folder), None) is not None], warnings


class MarkdownReader:
    """A `Reader`; a unit is a file."""

    name = "markdown"

    def __init__(
        self,
        folders: Sequence[Place],
        warnings: Sequence[str],
        ttl_s: float,
        within: Sequence[Path] = (),
        plugins: InstalledPlugins | None = None,
    ) -> None:
        self._ttl_s = ttl_s
        self._within = within
        self._places = [(place, self._watched(place)) for place in folders]
        self._plugins = plugins
        self._of_plugins: dict[Place, WatchedFolder] = {}
        self._standing = list(warnings)
        self._broken: dict[str, str] = {}
        self._resumed: dict[str, str] = {}
        # Files below another skill's folder: they belong to that skill.
        self._inner: set[str] = set()

    def resume(self, marks: Mapping[str, str]) -> None:
        self._resumed = dict(marks)

    def read(self, *, everything: bool) -> Refresh:
        files = self._follow_plugins()
        marks: dict[str, str] = {}
        stale: list[str] = []
        warnings = list(self._standing)
        order: list[str] = []
        kept: dict[str, str] = {}
        inner: set[str] = set()
        for place, watched in self._folders():
            look = watched.look(everything=everything)
            warnings += [_not_followed(path) for path in watched.refused() if not self._is_read_elsewhere(path)]
            if look.stale:
                stale.append(look.stale)
            elif place.configured and watched.missing:
                away = {path: mark for path, mark in self._resumed.items() if inside(path, place.folder)}
                if away:  # an earlier daemon knew it
                    kept |= away
                    stale.append(f"{place.folder}: it is not there")
                else:
                    stale.append(f"commands_directory: there is no folder {place.folder}")
            belonging = _inner(watched.files) if place.convention.skills else set()
            inner |= belonging
            changed = set(watched.files) if everything and not look.stale else look.changed
            for path in sorted(changed | (belonging ^ self._inner.intersection(watched.files))):
                now = mark_of(watched.files.get(path), place.origin, str(place.folder))
                if path in belonging:
                    files[path] = []
                elif everything or now == "" or self._resumed.pop(path, None) != now:
                    files[path] = self._read(path, watched.files.get(path), place)
                    marks[path] = now
            order += sorted(watched.files.keys() - belonging)
        self._inner = inner
        files |= {path: [] for path in self._resumed.keys() - kept.keys() - set(order)}
        self._resumed = kept
        return Refresh(
            Freshness(stale="; ".join(stale)), files, [*order, *kept], [*warnings, *self._broken.values()], marks=marks
        )

    def text(self, path: str) -> str:
        """The file's text, of TOML its prompt. Raises OSError, also for one that leads out of the folders that may be
        read."""
        text = read_text(path, self._may_read)
        if not path.lower().endswith(TOML):
            return text
        try:
            return _toml(text)[1]
        except (ValueError, RecursionError):
            return text

    def close(self) -> None:
        for _, watched in self._folders():
            watched.close()

    def _watched(self, place: Place) -> WatchedFolder:
        wanted = place.convention.is_command
        return WatchedFolder(place.folder, wanted, steady=place.configured, ttl_s=self._ttl_s, within=self._within)

    def _folders(self) -> list[tuple[Place, WatchedFolder]]:
        return [*self._places, *self._of_plugins.items()]

    def _follow_plugins(self) -> dict[str, list[CommandText]]:
        """The files of plugins that are gone, each without a command."""
        if self._plugins is None:
            return {}
        self._plugins.look()
        known = {str(place.folder) for place, _ in self._places}
        wanted = [place for folder in self._plugins.folders for place in _of_plugin(folder)]
        before = self._of_plugins
        self._of_plugins = {
            place: before.get(place) or self._watched(place) for place in wanted if str(place.folder) not in known
        }
        gone = [watched for place, watched in before.items() if place not in self._of_plugins]
        for watched in gone:
            watched.close()
        return {path: [] for watched in gone for path in watched.files}

    def _is_read_elsewhere(self, link: str) -> bool:
        """Whether what a link leads to is read in its own place: a skill of `.agents` linked into `.claude`."""
        # The folders are real paths: to look at each of them again for each link would take longer than a search.
        real = os.path.realpath(link)
        return any(real.startswith(f"{place.folder}/") for place, _ in self._folders())

    def _may_read(self, real: str) -> bool:
        return any(watched.may_read(real) for _, watched in self._folders())

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
            unfit = isinstance(error, ValueError | RecursionError) and path.lower().endswith(TOML)
            why = f"it is not TOML with a prompt ({error})" if unfit else tell(error)
            self._broken[path] = f"{path}: {why}."
            return []


def command_text(path: str, text: str, mark: Stamp, place: Place) -> CommandText:
    """One file as a command. mark: its time in ns, size, inode. Raises ValueError, RecursionError for bad TOML."""
    frontmatter: Mapping[str, Any] = {}
    if path.lower().endswith(TOML):
        frontmatter, text = _toml(text)
    found = read_markdown(text)
    description = described(frontmatter) or found.description
    frontmatter = frontmatter or found.frontmatter
    name = place.convention.name(Path(path).relative_to(place.folder).as_posix(), frontmatter)
    command = Command(
        canonical_id=f"md:{name}",
        name=name,
        source="markdown",
        execution_type="prompt",
        description=description,
        keywords=_keywords(frontmatter),
        path=path,
        origin=place.origin,
        last_modified=mark[0] / 1e9,
        file_size=mark[1],
        frontmatter=plain(frontmatter),
        hidden=frontmatter.get("is_dependency") is True,
    )
    return CommandText(command, "\n".join(found.headings), found.body[:_BODY_CHARACTERS])


def _toml(text: str) -> tuple[Mapping[str, Any], str]:
    """What a TOML command says of itself, and its prompt. Raises ValueError, RecursionError."""
    document = toml_text.load(text.removeprefix("\ufeff"))
    prompt = document.pop("prompt", None)
    if not isinstance(prompt, str):
        raise ValueError("prompt is not text")
    return document, prompt


def _of_plugin(folder: Path) -> Iterator[Place]:
    yield Place(folder / "commands", "user")
    yield Place(folder / "skills", "user", convention=_PLUGIN_SKILLS)


def _inner(files: Collection[str]) -> set[str]:
    """The skills that lie in another skill's folder: examples, templates."""
    folders = {os.path.dirname(path) for path in files}
    return {path for path in files if any(str(one) in folders for one in Path(path).parent.parents)}


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
