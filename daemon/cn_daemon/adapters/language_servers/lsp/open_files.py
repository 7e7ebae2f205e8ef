"""What a server is notified of files in plain LSP: the texts of those that are open, and which others changed on
disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cn_daemon.adapters.language_servers.lsp.shapes import identifier
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_daemon.application.ports import Changes

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

_CREATED, _CHANGED, _DELETED = 1, 2, 3


class OpenFiles:
    """The files that the running process has open, each with the version of its text."""

    def __init__(self, supervisor: Supervisor, language: Callable[[str], str]) -> None:
        """language: the languageId of a file."""
        self._supervisor = supervisor
        self._language = language
        self._versions: dict[str, int] = {}
        supervisor.forgets.append(self._versions.clear)

    def give(self, path: str, text: str) -> None:
        """Open a file, or bring an open one to this text. Where nothing runs the next request tells of it."""
        session = self._supervisor.current
        if session is None:
            return
        version = self._versions.get(path, 0) + 1
        uri = Path(path).as_uri()
        if version == 1:
            item = {"uri": uri, "languageId": self._language(path), "version": 1, "text": text}
            session.notify("textDocument/didOpen", {"textDocument": item})
        else:
            change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
            session.notify("textDocument/didChange", change)
        self._versions[path] = version

    def take(self, path: str) -> None:
        """Close a file, if it is open."""
        session = self._supervisor.current
        if self._versions.pop(path, 0) and session is not None:
            session.notify("textDocument/didClose", {"textDocument": identifier(path)})


def tell(session: PyglsSession, changes: Changes) -> None:
    """What is created anew is sent as created alone."""
    kinds = {
        _CREATED: changes.created,
        _CHANGED: changes.changed - changes.created,
        _DELETED: changes.deleted,
    }
    events = [{"uri": Path(path).as_uri(), "type": kind} for kind, paths in kinds.items() for path in sorted(paths)]
    if events:
        session.notify("workspace/didChangeWatchedFiles", {"changes": events})
