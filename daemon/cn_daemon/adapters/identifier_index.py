"""Which files hold which word, kept in memory and brought up to date before every question."""

from __future__ import annotations

import asyncio
import difflib
import heapq
import itertools
import os
import re
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from cn_daemon.adapters import manifests
from cn_daemon.adapters.file_tree import FileTree
from cn_daemon.adapters.ignored import SKIPPED
from cn_daemon.adapters.language_servers.sources import indexed as is_script
from cn_daemon.adapters.language_servers.sources import is_project
from cn_daemon.adapters.links import Links
from cn_daemon.adapters.python.manifests import NAMES
from cn_daemon.adapters.python.roots import import_roots
from cn_daemon.adapters.unread_texts import KEPT_BYTES, UnreadTexts, is_minified, spells, words_of
from cn_daemon.application.ports import Changes, Packages
from cn_daemon.domain.mentions.embedded import RUNTIMES, is_bare
from cn_daemon.domain.python_modules import ENDINGS as PYTHON
from cn_daemon.domain.source.components import component_name, is_component
from cn_daemon.domain.source.reading import SCRIPTS
from cn_shared.errors import InputError

# How many changes are kept for readers that ask late; one that asks later still gets everything.
_CHANGES_KEPT = 20_000
# So much of what git ignores is looked through for scripts.
_GENERATED = 10_000
# Of texts whose words are put into the index at once: others wait for some milliseconds.
_BATCH_BYTES = 200_000
# So many near words are named.
_SIMILAR = 5
_SCRIPT, _LONGEST_LINE = re.compile(rf"#!.*(?:\bpython|sh\b|{RUNTIMES})".encode()), 200
# As the index has them, in a name that holds other signs (`item:added`).
_INSTALLED = f"{os.sep}node_modules"
_WORDS = re.compile(r"[A-Za-z_$\x80-\U0010ffff][\w$\x80-\U0010ffff]*")


class IdentifierIndex:
    """The port `Words`. `indexed` says by name which files' words count, `watched` which others are only watched."""

    def __init__(
        self,
        root: Path,
        indexed: Callable[[str], bool],
        watched: Callable[[str], bool],
        allowed: Callable[[str], bool] | None = None,
    ) -> None:
        """allowed: whether a tsconfig that others extend may be read where it really lies."""
        self._indexed = indexed
        self._allowed = allowed or (lambda real: real.startswith(self._inside))
        self._inside = f"{root}/"
        self._tree = FileTree(root, lambda name: indexed(name) or watched(name) or name in self._bases)
        self.links = Links(root)
        self._paths: list[str | None] = []
        self._numbers: dict[str, int] = {}
        # A file that changes gets a new number; its old one stays in the lists and counts no more.
        self._words: dict[bytes, list[int]] = {}
        self._unread = UnreadTexts()
        self._minified: set[str] = set()
        # By a name without words, for the texts that there are.
        self._spelled: dict[str, list[str]] = {}
        self._log: deque[tuple[int, str, str]] = deque(maxlen=_CHANGES_KEPT)
        self._sequence = 0
        self._readers: dict[str, int] = {}
        self._lock = asyncio.Lock()
        self._packages: Packages | None = None
        self._projects: list[str] | None = None
        # Of Python: the files that tell of projects, and the folders that imports are read from.
        self._manifests: list[str] | None = None
        self._roots: tuple[str, ...] | None = None
        # What tsconfigs extend: by path, those that do; and the names of these files.
        self._extended: Mapping[str, Collection[str]] = {}
        self._bases: set[str] = set()
        # The files that were there at the last `refresh`: what is new is found by them without a look at all files.
        self._known: set[str] = set()
        self._built = self._anew = False
        # How much git was seen to ignore when it was looked through last.
        self._seen = 0

    @property
    def mode(self) -> str:
        return self._tree.mode

    @property
    def file_count(self) -> int:
        return len(self._numbers)

    async def refresh(self) -> None:
        """Raises InputError (`no_workspace`) at the root of the file system: agents start `cn mcp` there."""
        if self._tree.root == os.sep:
            hint = "Go to a folder of the project, or name it: cn --root FOLDER, or CN_ROOT."
            raise InputError("no_workspace", "/ is the whole file system, and no workspace.", hint)
        async with self._lock:
            if not self._built:
                await asyncio.to_thread(self._look, self._tree.scan)
                self._built = True
                self._log.clear()
            elif self._anew:
                self._anew = False
                await asyncio.to_thread(self._look, self._tree.scan)
            elif self._tree.mode == "inotify":
                self._look(self._tree.drain)
            else:
                await asyncio.to_thread(self._look, self._tree.drain)

    def begin_anew(self) -> None:
        """Look at all files again: others count now."""
        self._anew = True

    def files_with(self, word: str) -> list[str]:
        parts = _WORDS.findall(word)
        if not parts:
            return self._spelling(word)
        if parts != [word]:
            return sorted(set.intersection(*(set(self._holding(part)) for part in parts)))
        return sorted(self._holding(word))

    def _spelling(self, name: str) -> list[str]:
        """No list has numbers and signs: the texts are looked through, once."""
        if name and name not in self._spelled:
            paths = (path for path in sorted(self._numbers) if path not in self._minified)
            texts = ((path, self._unread.get(path) or _bytes(path)) for path in paths)
            self._spelled[name] = [path for path, raw in texts if raw and spells(raw, name)]
        return self._spelled.get(name, [])

    def _holding(self, word: str) -> set[str]:
        raw = word.encode("utf-8", "surrogateescape")
        found = {path for number in self._words.get(raw, ()) if (path := self._paths[number]) is not None}
        if self._unread.texts:
            found.update(self._unread.holding(raw))
        return found

    def minified(self, word: str) -> list[str]:
        raw = word.encode("utf-8", "surrogateescape")
        return [path for path in sorted(self._minified) if raw in words_of(_bytes(path) or b"")]

    def stamp(self, path: str) -> object | None:
        # Two writes within one tick of the kernel's clock have one time: the number distinguishes them.
        mark = self._tree.files.get(path)
        return None if mark is None else (mark, self._numbers.get(path))

    def files(self) -> list[str]:
        return sorted(self._numbers)

    def projects(self) -> list[str]:
        if self._projects is None:
            self._projects = sorted(filter(is_project, self.watched_only()))
        return self._projects

    def watched_only(self) -> list[str]:
        """The files that are watched although their words do not count."""
        return [path for path in self._tree.files if path not in self._numbers and path not in self._tree.beyond]

    def holds(self, path: str) -> bool:
        return path in self._numbers

    def similar(self, word: str) -> list[str]:
        self._read(_words(self._unread.some(KEPT_BYTES)))
        wanted = word.casefold()
        near = sorted(
            text
            for raw in self._words
            if abs(len(raw) - len(word)) <= max(3, len(word) // 2)
            and (text := raw.decode("utf-8", "replace")) != word
            and self.files_with(text)
        )
        same_letters = [text for text in near if text.casefold() == wanted]
        by_fold: dict[str, list[str]] = {}
        for text in near:
            by_fold.setdefault(text.casefold(), []).append(text)
        folds = difflib.get_close_matches(wanted, by_fold, n=_SIMILAR, cutoff=0.7)
        close = [text for fold in folds for text in by_fold[fold]]
        return list(dict.fromkeys([*same_letters, *close]))[:_SIMILAR]

    def all(self) -> list[str]:
        self._read(_words(self._unread.some(KEPT_BYTES)))
        # A thread may be adding to them.
        return [word.decode("utf-8", "replace") for word in list(self._words)]

    def starting(self, prefix: str, limit: int) -> list[str]:
        """The words that begin so, those in most files first; in the same letters before others. For a shell's
        completion: of the files that are known now."""
        self._read(_words(self._unread.some(KEPT_BYTES)))
        start, fold = prefix.encode("utf-8", "surrogateescape"), prefix.casefold()
        found = []
        for word in list(self._words):  # a thread may be adding to them
            same = word.startswith(start)
            if same or word[: len(start)].decode("utf-8", "replace").casefold() == fold:
                files = sum(self._paths[number] is not None for number in self._words.get(word, ()))
                if files:
                    found.append((not same, -files, word.decode("utf-8", "replace")))
        return [word for _, _, word in heapq.nsmallest(limit, found)]

    def packages(self) -> Packages:
        if self._packages is None:
            paths = (path for path in self.watched_only() if manifests.is_manifest(path) or is_project(path))
            self._packages = manifests.packages(paths, self._allowed)
        return self._packages

    def roots(self) -> tuple[str, ...]:
        if self._roots is None:
            sources = (path for path in self._numbers if path.endswith(PYTHON))
            self._roots = import_roots(self._tree.root, sources, self.manifests(), self._allowed)
        return self._roots

    def manifests(self) -> list[str]:
        """The files by which Python's projects tell of themselves, sorted."""
        if self._manifests is None:
            counted = self._tree.files.keys() - self._tree.beyond
            self._manifests = sorted(path for path in counted if os.path.basename(path) in NAMES)
        return self._manifests

    def note(self, reader: str) -> bool:
        """Note changes for a reader from the last `refresh` on. False when there was none yet."""
        if self._built:
            self._readers.setdefault(reader, self._sequence)
        return self._built

    def generated(self) -> set[str]:
        """The scripts that git ignores, and a compiler may read all the same, whose changes were not followed so far:
        they are from now on. Their words do not count."""
        if self._seen == self._tree.appeared:
            return set()
        self._seen = self._tree.appeared
        entries = itertools.islice(_below(self._tree.ignored), _GENERATED)
        return self.follow(filter(is_script, entries))

    def follow(self, paths: Iterable[str]) -> set[str]:
        """The same of these files."""
        return {path for path in paths if self._tree.follow(self.links.real(path))}

    def is_output(self, path: str) -> bool:
        """Whether git ignores it, and it is where a package.json or tsconfig expects what a build writes."""
        return self._tree.is_output(path) and path not in self._numbers

    def ignored(self) -> frozenset[str]:
        """The files and folders that git ignores, but for those of installed packages and the like; a folder stands for
        all below it."""
        return self._tree.ignored

    def copy(self, path: str) -> str:
        return self._tree.copy(path)

    def changes_since(self, reader: str) -> Changes:
        since = self._readers.get(reader)
        self._readers[reader] = self._sequence
        if since is None or since == self._sequence:
            return Changes()
        kinds: dict[str, list[str]] = {}
        for number, path, kind in self._log:
            if number > since:
                kinds.setdefault(path, []).append(kind)
        if self._log and self._log[0][0] > since + 1:
            kinds = {**{path: ["changed"] for path in self._tree.files}, **kinds}
        gone = frozenset(path for path, seen in kinds.items() if seen[-1] == "deleted")
        created = frozenset(path for path, seen in kinds.items() if path not in gone and "created" in seen)
        # The reader knew it and did not learn that it had gone meanwhile: its old text counts no more.
        changed = frozenset(path for path, seen in kinds.items() if path not in gone and seen[0] != "created")
        return Changes(created, changed, gone)

    async def settle(self, idle: Callable[[], Awaitable[None]]) -> None:
        """Put into the index what is still looked through; `idle` is awaited before each piece of it."""
        while self._unread.texts:
            await idle()
            batch = list(self._unread.some(_BATCH_BYTES))
            words = await asyncio.to_thread(_words, batch)
            async with self._lock:
                # What changed meanwhile is in the index already.
                self._read(
                    read for read, (path, raw) in zip(words, batch, strict=True) if self._unread.get(path) is raw
                )

    def close(self) -> None:
        self._tree.close()

    def _read(self, texts: Iterable[tuple[str, set[bytes]]]) -> None:
        for path, found in list(texts):
            if self._unread.drop(path):
                self._index(self._numbers[path], found)

    def _look(self, look: Callable[[], set[str]]) -> None:
        self._apply(look)
        if self._packages is None:
            packages, before = self.packages(), self._extended
            self._extended = {path: bases for path, bases in packages.extended.items() if path.startswith(self._inside)}
            self._bases = set(map(os.path.basename, self._extended))
            for base in before.keys() - self._extended.keys():
                self._log_extending(before[base])
            # What is built decides where the names of packages lead, though git ignores it.
            self._apply(lambda: self._tree.expect(packages.targets) | self._tree.count(self._extended))
            self._packages = packages

    def _apply(self, look: Callable[[], set[str]]) -> None:
        differing = sorted(look())
        if differing:
            self._projects = None
            self._spelled.clear()
            self.links.see(self._tree.links, self._tree.packages)
        for path in differing:
            stands, known = path in self._tree.files, path in self._known
            counts = stands and self._indexed(path) and path not in self._tree.beyond
            # What git ignored until now is new to the sources.
            kept = known and (path in self._numbers or not counts)
            kind = "deleted" if not stands else "changed" if kept else "created"
            (self._known.add if stands else self._known.discard)(path)
            self._sequence += 1
            self._log.append((self._sequence, path, kind))
            self._remove(path)
            self._log_extending(self._extended.get(path, ()))
            # What a tsconfig extends may be a package's, which is installed or removed.
            if manifests.is_manifest(path) or is_project(path) or path in self._extended or path.endswith(_INSTALLED):
                self._packages = None
            if os.path.basename(path) in NAMES:
                self._manifests = self._roots = None
            elif kind != "changed" and path.endswith(PYTHON):
                self._roots = None
            if counts:
                self._add(path)
        if len(self._paths) > 1000 and len(self._paths) > 2 * len(self._numbers):
            self._compact()

    def _log_extending(self, configs: Iterable[str]) -> None:
        """What these tsconfigs extend is another: so are they."""
        for config in filter(self._tree.files.__contains__, configs):
            self._sequence += 1
            self._log.append((self._sequence, config, "changed"))

    def _remove(self, path: str) -> None:
        number = self._numbers.pop(path, None)
        if number is not None:
            self._paths[number] = None
            self._unread.drop(path)
            self._minified.discard(path)

    def _add(self, path: str) -> None:
        raw = None if is_bare(path) and not _is_script(path) else _bytes(path)
        if raw is None:
            return
        if path.endswith(".ipynb"):
            # Ends of lines are spelled in its strings.
            raw = raw.replace(b"\\n", b"\n")
        if is_component(path):
            # Others know it by a name that it need not hold.
            raw += f"\n{component_name(path)}".encode("utf-8", "surrogateescape")
        number = len(self._paths)
        self._paths.append(path)
        self._numbers[path] = number
        if path.endswith(SCRIPTS) and is_minified(raw):
            self._minified.add(path)
        elif self._built or not self._unread.add(path, raw):
            self._index(number, words_of(raw))

    def _index(self, number: int, found: set[bytes]) -> None:
        words = self._words
        for word in found:
            numbers = words.get(word)
            if numbers is None:
                words[word] = [number]
            else:
                numbers.append(number)

    def _compact(self) -> None:
        """Drop the numbers of texts that are no more."""
        fresh = itertools.count()
        renamed = {number: next(fresh) for number, path in enumerate(self._paths) if path is not None}
        self._paths = [path for path in self._paths if path is not None]
        self._numbers = {path: number for number, path in enumerate(self._paths) if path is not None}
        for word, numbers in list(self._words.items()):
            kept = [renamed[number] for number in numbers if number in renamed]
            if kept:
                self._words[word] = kept
            else:
                del self._words[word]


def _is_script(path: str) -> bool:
    """Whether its first line says that Python reads it, or what runs JavaScript."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            return _SCRIPT.match(file.readline(_LONGEST_LINE)) is not None
    except OSError:
        return False


def _below(paths: Iterable[str]) -> Iterator[str]:
    """These files, and what is in these folders."""
    for path in sorted(paths):
        yield path
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(set(folders) - SKIPPED)
            yield from (os.path.join(folder, name) for name in sorted(names))


def _bytes(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None


def _words(texts: Iterable[tuple[str, bytes]]) -> list[tuple[str, set[bytes]]]:
    return [(path, words_of(raw)) for path, raw in texts]
