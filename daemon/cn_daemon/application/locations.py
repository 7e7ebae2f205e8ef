"""From places in files to the locations of the wire."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from cn_daemon.application import undecided as application
from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, Workspace
from cn_daemon.domain import ids
from cn_daemon.domain.declarations import plain_blocks
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.declarations.signatures import signature
from cn_daemon.domain.declarations.symbols import Symbol, lateness
from cn_daemon.domain.mentions.receiver import receiver
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, shortened
from cn_shared.wire import LocationRef, Undecided, UndecidedPlace

# A head that its line does not end: in the midst of parameters, type arguments, an alias, a heritage clause.
_GOES_ON = re.compile(r"(?:[(<,|&=]|[(<]\s*[{\[]|\b(?:extends|implements|const|function|class))$")
# What line breaks leave within brackets.
_BROKEN = re.compile(r"(?<=[(<\[]) |,? (?=[)>\]])")
# So many places are listed that no engine has decided, each with further lines.
UNDECIDED = 20


class Locations:
    """Spells places for answers."""

    def __init__(self, workspace: Workspace, documents: Documents) -> None:
        self._workspace = workspace
        self._documents = documents
        self._relative: dict[str, str] = {}
        self._files: dict[str, tuple[str, Document | None, bool | None]] = {}

    def relative(self, path: str) -> str:
        """`path` as answers spell it."""
        spelled = self._relative.get(path)
        if spelled is None:
            spelled = self._relative[path] = self._workspace.relative(Path(path))
        return spelled

    def of(
        self,
        path: str,
        position: Position,
        kind: str,
        *,
        name: str | None = None,
        container: str | None = None,
    ) -> LocationRef:
        relative, document, external = self._file(path)
        return LocationRef(
            id=ids.make(relative, position),
            file_path=relative,
            line=position.line,
            character=position.character,
            kind=kind,
            preview=document.preview(position.line) if document else "",
            name=name,
            container=container,
            external=external,
        )

    def _file(self, path: str) -> tuple[str, Document | None, bool | None]:
        """How the file is spelled, its text, and whether it is external: the same for its thousands of places."""
        known = self._files.get(path)
        if known is None:
            external = True if self.is_external(path) else None
            known = self._files[path] = self.relative(path), self._documents.try_get(path), external
        return known

    def declaration(self, declaration: Declaration) -> LocationRef:
        """Its preview is its head, on one line, when that goes on behind the line of its name."""
        ref = self.of(
            declaration.path,
            declaration.position,
            declaration.kind,
            name=declaration.name,
            container=declaration.container,
        )
        document = self._file(declaration.path)[1]
        if document is None or not _GOES_ON.search(document.line(declaration.position.line).rstrip()):
            return ref
        form, source = form_of(declaration.path), document.once(SourceText)
        head = signature(source, declaration) if form is None else plain_blocks.signature(source, form, declaration)
        exported = "export " if ref.preview.startswith("export ") and not head.startswith("export ") else ""
        return (
            replace(ref, preview=shortened(exported + _BROKEN.sub("", head))) if len(head) > len(ref.preview) else ref
        )

    def rivals(self, candidates: Sequence[Symbol], most: int, query: str) -> tuple[list[LocationRef], str | None]:
        """At most so many candidates (0 is all); how many further ones there are, and what lists them."""
        shown = candidates[:most] if most else candidates
        left = len(candidates) - len(shown)
        more = f"{left} more; cn find {shlex.quote(query)} --mode definition --limit 0 lists all" if left else None
        return [self.declaration(one.main) for one in shown], more

    def references(self, hits: Iterable[Hit], kind: str) -> list[LocationRef]:
        """Each hit as a place of that kind, in the same order."""
        places = []
        for path, here in groupby(hits, key=attrgetter("path")):
            relative, document, external = self._file(path)
            prefix = ids.in_file(relative)
            for _, ((line, character), _), _ in here:
                preview = document.preview(line) if document else ""
                place = f"{prefix}{line}::{character}"
                places.append(LocationRef(place, relative, line, character, kind, preview, None, None, external))
        return places

    def undecided(self, undecided: application.Undecided | None, kind: str, most: int) -> Undecided | None:
        """Those of a member by what has it in a file; at most so many (0 is all) and few, for they may be no uses. None
        where there is none."""
        if undecided is None:
            return None
        receivers: dict[object, list[Hit]] = {}
        for hit in self.ordered(undecided.hits):
            key = (hit.path, self._receiver(hit)) if kind in MEMBERS else hit
            receivers.setdefault(key, []).append(hit)
        shown = list(receivers.values())[: min(most, UNDECIDED) or None]
        first = self.references((hits[0] for hits in shown), kind)
        places = [self._grouped(ref, hits) for ref, hits in zip(first, shown, strict=True)]
        total, values = len(undecided.hits), len(receivers)
        return Undecided(total, places, undecided.unread, values if values < total else None)

    def _receiver(self, hit: Hit) -> str:
        document = self._file(hit.path)[1]
        if document is None:
            return ""
        source = document.once(SourceText)
        return receiver(source.text, source.offset(hit.span.start))

    def _grouped(self, ref: LocationRef, hits: Sequence[Hit]) -> UndecidedPlace:
        lines = list(dict.fromkeys(hit.span.start.line for hit in hits if hit.span.start.line != ref.line))
        return UndecidedPlace(
            ref.id,
            ref.file_path,
            ref.line,
            ref.character,
            ref.kind,
            ref.preview,
            None,
            None,
            ref.external,
            lines or None,
        )

    def ordered(self, hits: Iterable[Hit]) -> list[Hit]:
        """Production before tests before declaration files, then by path and place."""
        groups = by_file(hits)
        relative = {path: self.relative(path) for path in groups}
        paths = sorted(groups, key=lambda path: (lateness(relative[path]), relative[path]))
        return [hit for path in paths for hit in sorted(groups[path], key=attrgetter("span"))]

    def is_external(self, path: str) -> bool:
        """Outside the workspace, or a package's file inside it."""
        return "/node_modules/" in path or not path.startswith(str(self._workspace.root) + "/")


def by_file(hits: Iterable[Hit]) -> dict[str, list[Hit]]:
    """The hits of each file: what is the same for all of them need be asked only once."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.path, []).append(hit)
    return groups
