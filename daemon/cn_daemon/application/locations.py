"""From places in files to the locations of the wire."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from cn_daemon.application.ports import Hit, Workspace
from cn_daemon.domain import ids
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document, Position
from cn_shared.errors import CnError
from cn_shared.wire import LocationRef


class Documents:
    """The texts that one question reads: each file once, so that all parts of the answer are of one moment."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._read: OrderedDict[str, Document] = OrderedDict()

    def get(self, path: str) -> Document:
        """Raises what `Workspace.read_text` raises."""
        document = self._read.get(path)
        if document is None:
            document = self._read[path] = Document(path, self._workspace.read_text(Path(path)))
        return document

    def try_get(self, path: str) -> Document | None:
        """None for a file that has gone or cannot be read."""
        try:
            return self.get(path)
        except CnError:
            return None


class Locations:
    """Spells places for answers."""

    def __init__(self, workspace: Workspace, documents: Documents) -> None:
        self._workspace = workspace
        self._documents = documents

    def of(
        self,
        path: str,
        position: Position,
        kind: str,
        *,
        name: str | None = None,
        container: str | None = None,
    ) -> LocationRef:
        relative = self._workspace.relative(Path(path))
        document = self._documents.try_get(path)
        return LocationRef(
            id=ids.make(relative, position),
            file_path=relative,
            line=position.line,
            character=position.character,
            kind=kind,
            preview=document.preview(position.line) if document else "",
            name=name,
            container=container,
            external=True if self.is_external(path) else None,
        )

    def declaration(self, declaration: Declaration) -> LocationRef:
        return self.of(
            declaration.path,
            declaration.position,
            declaration.kind,
            name=declaration.name,
            container=declaration.container,
        )

    def reference(self, hit: Hit, kind: str) -> LocationRef:
        return self.of(hit.path, hit.span.start, kind)

    def is_external(self, path: str) -> bool:
        """Outside the workspace, or a package's file inside it."""
        return "/node_modules/" in path or not path.startswith(str(self._workspace.root) + "/")
