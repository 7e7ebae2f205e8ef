"""The texts of the workspace's files, for one question and between questions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from cn_daemon.application.ports import Words, Workspace
from cn_daemon.domain.source.text import Document
from cn_shared.errors import CnError, InputError

CHARACTERS_KEPT = 48_000_000


class Texts:
    """Documents kept between questions, each as long as its file has the stamp that it was read under.

    A stamp is as of the last barrier (`Words.refresh`), so a question that asks here must have passed one.
    """

    def __init__(self, workspace: Workspace, words: Words) -> None:
        self._workspace = workspace
        self._words = words
        self._kept: OrderedDict[str, tuple[object, Document]] = OrderedDict()
        self._characters = 0
        self._settled: dict[object, dict[Any, Any]] = {}

    def settled(self) -> dict[object, dict[Any, Any]]:
        """What was found out of all files together, as of the last barrier: another one once any of them has changed,
        so that a question which began before then adds nothing to it."""
        if any(self._words.changes_since("what is settled")):
            self._settled = {}
        return self._settled

    def get(self, path: str) -> Document:
        """Raises what `Workspace.read_text` raises."""
        stamp = self._words.stamp(path)
        kept = self._kept.get(path)
        if kept is not None and stamp is not None and kept[0] == stamp:
            self._workspace.hard.checked(self._workspace.relative(Path(path)), kept[1].text)
            self._kept.move_to_end(path)
            return kept[1]
        document = Document(path, self._workspace.read_text(Path(path)))
        if stamp is not None:
            self._keep(path, stamp, document)
        return document

    def _keep(self, path: str, stamp: object, document: Document) -> None:
        before = self._kept.pop(path, None)
        self._characters += len(document.text) - (len(before[1].text) if before else 0)
        self._kept[path] = (stamp, document)
        while self._characters > CHARACTERS_KEPT and len(self._kept) > 1:
            _, (_, oldest) = self._kept.popitem(last=False)
            self._characters -= len(oldest.text)


class Documents:
    """The texts that one question reads: each file once, so that all parts of the answer are of one moment.

    texts: where to look first; None for a question that passed no barrier.
    """

    def __init__(self, workspace: Workspace, texts: Texts | None = None) -> None:
        self._workspace = workspace
        self._texts = texts
        self._settled = texts.settled() if texts is not None else {}
        self._read: dict[str, Document] = {}
        self._replaced: dict[str, Document] = {}

    def settled(self, under: Hashable) -> dict[Any, Any]:
        """What is found out of all files together, kept until one changes. under: what else it depends on."""
        return self._settled.setdefault(under, {})

    def get(self, path: str) -> Document:
        """Raises what `Workspace.read_text` raises."""
        document = self._read.get(path)
        if document is None:
            if self._texts is not None:
                document = self._texts.get(path)
            else:
                document = Document(path, self._workspace.read_text(Path(path)))
            self._read[path] = document
        return document

    def lenient(self, path: str) -> Document:
        """What is no UTF-8 is replaced, as compilers do it. Raises what else `Workspace.read_text` raises."""
        document = self._replaced.get(path)
        if document is not None:
            return document
        try:
            return self.get(path)
        except InputError as error:
            if error.code != "invalid_utf8":
                raise
        text = self._workspace.read_text(Path(path), leniently=True)
        document = self._replaced[path] = Document(path, text)
        return document

    def try_get(self, path: str) -> Document | None:
        """As `lenient`; None for a file that has gone or cannot be read."""
        try:
            return self.lenient(path)
        except CnError:
            return None

    def led_to(self, path: str) -> Document | None:
        """As `try_get`, of a file that a language server named, which may be a library's."""
        return self.try_get(path) if not self._workspace.allow(Path(path)) else None

    def place(self, path: str, line: int | None = None) -> str:
        """As reasons name it: of the many files that are called index.ts, one can be looked at."""
        relative = self._workspace.relative(Path(path))
        return relative if line is None else f"{relative}:{line}"
