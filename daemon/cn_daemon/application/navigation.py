"""The navigation verbs: map, find, inspect."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from cn_daemon.application.documents import Documents
from cn_daemon.application.explained import explained, explaining
from cn_daemon.application.ports import Call, Coverage, Hit, LanguageServer
from cn_daemon.application.question import MARGIN_S, Question, WorkspaceSession, parse_cursor, parse_query
from cn_daemon.application.symbols.pointing import check_place
from cn_daemon.application.symbols.resolve import Resolution
from cn_daemon.domain import ids
from cn_daemon.domain.declarations import blocks, plain_blocks
from cn_daemon.domain.declarations.component_blocks import component_block, is_component_declaration
from cn_daemon.domain.declarations.heads import head_at
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.signatures import signature
from cn_daemon.domain.declarations.symbols import aside
from cn_daemon.domain.ids import Name, Passage, Place
from cn_daemon.domain.source.comments import documentation
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, Lines, Position, Span, character_at
from cn_shared.errors import DeadlineError, LanguageServerError
from cn_shared.wire import (
    CodeContext,
    FindAnswer,
    InspectAnswer,
    LineRange,
    LocationRef,
    MapAnswer,
    SymbolRow,
)

CANDIDATES = 20
# Of a name that is inspected.
RIVALS = 5
# The kind of what nothing declares.
_UNKNOWN = "Variable"
# Of the files that hold a word which is no symbol.
NAMED = 3


class Navigation:
    """The use cases, over the workspace's files, its words and its language servers."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._workspace = session.workspace
        self._words = session.words
        self._session = session

    async def map(
        self, call: Call, file_path: str, limit: int = 0, cursor: str | None = None, server: str = "auto"
    ) -> MapAnswer:
        """The outline of a file (spec §3.2 A). Raises what `Workspace.resolve` and `read_text` raise."""
        first = parse_cursor(cursor)
        path = str(self._workspace.resolve(file_path, call.cwd))
        answering = self._session.server(path, server)

        async def answer() -> MapAnswer:
            document = Documents(self._workspace).get(path)
            outline = (await answering.outlines([document], call.deadline - MARGIN_S))[path]
            relative = self._workspace.relative(Path(path))
            rows = [row(relative, one) for one in flatten(outline) if not one.local]
            last = first + limit if limit else len(rows)
            more = str(last) if last < len(rows) else None
            return MapAnswer(relative, rows[first:last], len(rows) if first or more else None, more)

        return await self._session.retry_on_restart(answer)

    async def find(
        self,
        call: Call,
        query: str,
        mode: str = "both",
        limit: int = 200,
        cursor: str | None = None,
        server: str = "auto",
        explain: bool = False,
    ) -> FindAnswer:
        """Definition and references of a symbol (spec §3.2 B, §4.3)."""
        first = parse_cursor(cursor)
        with explaining() if explain else nullcontext():
            found = await self._session.retry_on_restart(lambda: self._find(call, query, mode, limit, first, server))
            return replace(found, explained=explained())

    async def inspect(
        self, call: Call, target_id: str, expand: str = "block", lines: int = 5, server: str = "auto"
    ) -> InspectAnswer:
        """The code of a symbol or around a place (spec §3.2 C, §4.4), or some lines."""
        if (passage := ids.passage(target_id)) is not None:
            return await self._session.retry_on_restart(lambda: self._lines(call, passage))
        return await self._session.retry_on_restart(lambda: self._inspect(call, target_id, expand, lines, server))

    async def _lines(self, call: Call, passage: Passage) -> InspectAnswer:
        document = Documents(self._workspace).get(str(self._workspace.resolve(passage.path, call.cwd)))
        check_place(document, Place(passage.path, passage.first, 0))
        last = min(passage.last, len(document.lines))
        return InspectAnswer(await self._context(call, document, Lines(passage.first, last), None))

    async def _find(self, call: Call, query: str, mode: str, limit: int, first: int, server: str) -> FindAnswer:
        wanted = parse_query(query)
        try:
            question, found = await self._session.resolved(call, wanted, server)
        except DeadlineError as error:
            late = self._session.late(call, wanted, error)
            return FindAnswer(
                late.completeness,
                0,
                late.declared[1:][:CANDIDATES],
                next(iter(late.declared), None),
                references=None if mode == "definition" else [],
                hint=error.hint or None,
            )
        locations = question.locations
        if found.symbol is None:
            return await self._nothing(wanted, found, question, query, mode, limit)
        main, *merged = (locations.declaration(one) for one in found.symbol.declarations)
        candidates, more = locations.rivals(found.candidates, limit and CANDIDATES, query)
        hint = f"Declarations in other languages may be missing: {question.unasked}" if question.unasked else None
        if mode == "definition":
            paths, coverage = {found.symbol.main.path}, Coverage()
            completeness = coverage.verdict(len(paths), found.doubt)
            return FindAnswer(completeness, 0, candidates, main, merged or None, hint=hint, more_candidates=more)
        uses = await question.references.uses(found.symbol, found.site)
        merged += locations.references(uses.declared, main.kind)
        ordered = locations.ordered(uses.hits)
        last = len(ordered) if limit == 0 else first + limit
        undecided = locations.undecided(uses.undecided, main.kind, limit)
        untyped = main.container is not None and found.symbol.main.path.endswith(SCRIPTS)
        if untyped or (uses.completeness.status == "partial" and not ordered):
            all_hits = [*ordered, *(uses.undecided.hits if uses.undecided else ())]
            hint = hint or self._mentioned(found.symbol.main, {hit.path for hit in all_hits})
        return FindAnswer(
            replace(uses.completeness.doubted(found.doubt), undecided=undecided),
            len(ordered),
            candidates,
            main,
            merged or None,
            locations.references(ordered[first:last], main.kind),
            next=str(last) if last < len(ordered) else None,
            hint=hint,
            more_candidates=more,
        )

    def _mentioned(self, declared: Declaration, known: Collection[str]) -> str | None:
        """Where uses may be that no server can tell: advice for a symbol of which none is known, and for a member in
        JavaScript, where most values have no type. known: the files of which the answer tells."""
        others = len({*self._words.files_with(declared.name)}.difference(known, (declared.path,)))
        if not others:
            return None
        word = rf"{'[.]' if declared.containers else chr(92) + 'b'}{re.escape(declared.name)}\b"
        files = "1 other file holds" if others == 1 else f"{others} other files hold"
        return f"{files} the word {declared.name}, not counted as uses: cn grep {shlex.quote(word)} shows the lines."

    async def _nothing(
        self, wanted: Name | Place, found: Resolution, question: Question, query: str, mode: str, limit: int
    ) -> FindAnswer:
        candidates, more = question.locations.rivals(found.candidates, limit and CANDIDATES, query)
        hits: list[Hit] = []
        if isinstance(wanted, Place):
            if found.site is not None and found.doubt and mode != "definition":
                hits = question.locations.ordered(await question.references.undeclared(found.site))
            files, suggestions = 1, []
            hint = "" if found.doubt else f"No symbol stands at {wanted.path}:{wanted.line}:{wanted.character}."
        else:
            holding = sorted(map(self._session.relative, self._words.files_with(wanted.name)), key=aside)
            suggestions = [] if candidates else self._words.similar(wanted.name)
            hint = _why_nothing(wanted, holding, bool(candidates), suggestions)
            files = len(holding)
        return FindAnswer(
            Coverage().verdict(files, found.doubt or question.unasked),
            len(hits),
            candidates,
            references=None if mode == "definition" else question.locations.references(hits[: limit or None], _UNKNOWN),
            hint=hint or None,
            suggestions=suggestions or None,
            more_candidates=more,
        )

    async def _inspect(self, call: Call, query: str, expand: str, lines: int, server: str) -> InspectAnswer:
        wanted = parse_query(query)
        deadline = call.deadline - MARGIN_S
        documents = Documents(self._workspace)
        declared: Declaration | None = None
        overloads: list[Declaration] = []
        rivals: list[LocationRef] = []
        completeness = more = None
        if isinstance(wanted, Name):
            question, found = await self._session.resolved(call, wanted, server)
            documents = question.documents
            if found.symbol is None:
                raise self._session.unknown(wanted, found.doubt)
            rivals, more = question.locations.rivals(found.candidates, RIVALS, query)
            completeness = Coverage().verdict(1, found.doubt) if found.doubt else None
            declared = found.symbol.main
            overloads = [one for one in found.symbol.declarations if one.kind in ("Function", "Method")]
            path, place = declared.path, Place(declared.path, *declared.position)
        else:
            path, place = str(self._workspace.resolve(wanted.path, call.cwd)), wanted
        document = documents.get(path)
        check_place(document, place)
        if expand == "surround":
            last = len(document.lines)
            shown = Lines(max(1, place.line - lines), min(last, place.line + lines))
        elif (form := form_of(path)) is not None:
            answering = self._session.server(path, server)
            shown, declared = await _plain_block(answering, document, form, declared, place.position, deadline)
        else:
            answering = self._session.server(path, server)
            outline = (await answering.outlines([document], deadline))[path]
            declared = declared or head_at(outline, place.position, document)
            if is_component(path) and (
                part := component_block(document, declared, place.line, by_name=isinstance(wanted, Name))
            ):
                shown, declared = part, declared if isinstance(wanted, Name) else None
            elif declared is not None:
                shown = blocks.together(document, declared, overloads)
            else:
                position = place.position if place.character else place.position._replace(character=1)
                around = await answering.around(document, position, deadline)
                shown, declared = blocks.enclosing_block(document, outline, position, around)
        shown_code = await self._context(call, document, shown, declared)
        return InspectAnswer(shown_code, completeness, candidates=rivals or None, more_candidates=more)

    async def _names(self, document: Document, shown: Lines, deadline: float) -> list[str]:
        """The identifiers of some lines, in order, each once; none where nobody tells them."""
        if not self._session.answers_for(document.path, "auto"):
            return []
        last = document.line(shown.last)
        span = Span(Position(shown.first, 1), Position(shown.last, character_at(last, len(last))))
        try:
            found = await self._session.server(document.path, "auto").identifiers(document, span, deadline)
        except (DeadlineError, LanguageServerError):
            return []
        form = form_of(document.path)
        names = dict.fromkeys(document.at(one).lstrip("#") for one in found)
        return [name for name in names if form is None or name not in form.known]

    async def _context(self, call: Call, document: Document, shown: Lines, declared: Declaration | None) -> CodeContext:
        code = "\n".join(document.line(number) for number in range(shown.first, shown.last + 1))
        relative = self._workspace.relative(Path(document.path))
        names = await self._names(document, shown, call.deadline - MARGIN_S)
        fields: dict[str, str | None] = {}
        if declared is not None:
            fields = {
                "id": ids.make(relative, declared.position),
                "name": ".".join((*declared.containers, declared.name)),
                "kind": declared.kind,
                **_described(document, declared),
            }
        own = declared.name if declared else None
        external = True if os.path.isabs(relative) or "node_modules/" in relative else None
        return CodeContext(
            relative,
            LineRange(shown.first, shown.last),
            code,
            [name for name in names if name != own],
            external=external,
            **fields,
        )


async def _plain_block(
    server: LanguageServer,
    document: Document,
    form: Form,
    declared: Declaration | None,
    place: Position,
    deadline: float,
) -> tuple[Lines, Declaration | None]:
    """The block of a declaration, or around a place, in a language other than TypeScript."""
    outline = (await server.outlines([document], deadline))[document.path]
    declared = declared or head_at(outline, place, document)
    if declared is not None:
        return plain_blocks.block_lines(document, form, declared), declared
    position = place if place.character else place._replace(character=1)
    folds = (await server.around(document, position, deadline)).folds
    around = [Lines(fold.span.start.line, fold.span.end.line) for fold in folds if fold.kind == "code"]
    return plain_blocks.enclosing_block(document, form, outline, position, blocks.WHOLE_LINES, around)


def _described(document: Document, declared: Declaration) -> dict[str, str | None]:
    source, form = document.once(SourceText), form_of(document.path)
    if is_component_declaration(document, declared):
        return {}
    if form is None:
        comment = documentation(document, declared.span.start.line)
        return {"signature": signature(source, declared), "documentation": comment or None}
    comment = plain_blocks.documentation(source, form, declared)
    return {"signature": plain_blocks.signature(source, form, declared), "documentation": comment or None}


def row(relative: str, one: Declaration) -> SymbolRow:
    """A declaration as outlines list it."""
    line, last = one.position.line, one.span.end.line
    return SymbolRow(
        one.name,
        one.kind,
        line,
        ids.make(relative, one.position),
        last if last != line else None,
        one.container,
    )


def _why_nothing(wanted: Name, holding: list[str], others: bool, suggestions: list[str]) -> str:
    name = ".".join((*wanted.containers, wanted.name))
    if others:
        return f"{name} is not declared; the candidates are declared elsewhere under that name."
    if holding:
        files = "1 file holds" if len(holding) == 1 else f"{len(holding)} files hold"
        named = ", ".join(holding[:NAMED]) + (", …" if len(holding) > NAMED else "")
        return (
            f"{files} the word {wanted.name} ({named}), but nothing of that name is declared or imported: "
            f"cn grep {shlex.quote(re.escape(wanted.name))} shows the lines."
        )
    near = f" Near names: {', '.join(suggestions)}." if suggestions else ""
    return f"No source file holds the word {wanted.name} (installed and git-ignored files are not searched).{near}"
