"""Mentions of a symbol as answers tell them: what each does with it, and which declaration holds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cn_daemon.application.locations import by_file
from cn_daemon.application.ports import Hit, Usage
from cn_daemon.application.question import Question
from cn_daemon.domain import ids
from cn_daemon.domain.declarations.outline import Declaration, Enclosing, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import DeadlineError
from cn_shared.relations import Role, Use

_FUNCTIONS = frozenset({"Function", "Method", "Constructor"})
# What a type can use is no call of it, but handing one of these on is as good as calling it.
_HANDED_ON = _FUNCTIONS | {"Property", "Accessor", "Constant", "Variable"}


class Mention(NamedTuple):
    """within: the innermost declaration that an outline lists and that holds the hit; None at the top of a file.
    is_part: only the type of what is named is used, or a member of it."""

    hit: Hit
    role: Role
    within: Declaration | None
    is_part: bool = False


class Mentions:
    """For one question."""

    def __init__(self, question: Question) -> None:
        self._question = question
        # Why some are not known to be what they are reported as, or nothing.
        self.doubt = ""

    async def of(self, hits: Sequence[Hit]) -> list[Mention]:
        """The same hits, in the same order. Files that have gone are left out."""
        documents = {hit.path: self._question.documents.try_get(hit.path) for hit in hits}
        present = [document for document in documents.values() if document is not None]
        try:
            outlines = await self._question.server.outlines(present, self._question.deadline)
        except DeadlineError:
            self.doubt = "time ran out before it was known which declarations hold the uses"
            outlines = {document.path: [] for document in present}
        declared = {path: _declared(outline) for path, outline in outlines.items()}
        around = {path: Enclosing(outline, local=False) for path, outline in outlines.items()}
        usages = await self._usages([hit for hit in hits if documents[hit.path] is not None])
        return [
            Mention(
                hit,
                _role(self._question.documents.get(hit.path), hit, usage, declared[hit.path]),
                holder(around[hit.path], hit.span.start),
                usage.is_part,
            )
            for hit in hits
            if (usage := usages.get(hit)) is not None
        ]

    async def _usages(self, hits: Sequence[Hit]) -> dict[Hit, Usage]:
        files = by_file(hits)
        mentions = [(self._question.documents.get(path), [hit.span for hit in here]) for path, here in files.items()]
        try:
            answered = await self._question.server.usages(mentions, self._question.deadline)
        except DeadlineError:
            self.doubt = "time ran out before it was known what each use does"
            return {hit: Usage("use") for hit in hits}
        ordered = [hit for here in files.values() for hit in here]
        return dict(zip(ordered, [one for usages in answered for one in usages], strict=True))

    def calling(self, symbol: Symbol, mentions: Iterable[Mention]) -> list[Mention]:
        """Those that call the symbol, or hand it on."""
        is_passed, is_function = symbol.main.kind in _HANDED_ON, symbol.main.kind in _FUNCTIONS
        return [
            one
            for one in mentions
            if one.role == "call" or (is_passed and one.role == "use" and not (is_function and one.is_part))
        ]

    def use(self, mention: Mention) -> Use:
        path, position = mention.hit.path, mention.hit.span.start
        document = self._question.documents.try_get(path)
        return Use(
            ids.make(self._question.locations.relative(path), position),
            position.line,
            mention.role,
            document.preview(position.line) if document else "",
            qualified(mention.within) if mention.within else None,
        )

    def ordered(self, hits: Iterable[Hit]) -> list[Hit]:
        """Production before tests before declaration files, then by path and place."""
        return self._question.locations.ordered(hits)


def holder(around: Enclosing, place: Position) -> Declaration | None:
    """The innermost declaration around a place, of those that are not local to a body.

    What is local may stand beside what it is in: the native server lists the keys in `extends f({ … })` so.
    """
    return next(reversed(around.of(place)), None)


def qualified(declaration: Declaration) -> str:
    return ".".join((*declaration.containers, declaration.name))


def source(document: Document) -> SourceText:
    return document.once(_source)


def quoted_name_span(text: SourceText, span: Span) -> Span:
    """With the quotes of a key, within which the servers begin its name: declarations begin at them."""
    start, end = text.offset(span.start), text.offset(span.end)
    quote = text.text[start - 1 : start]
    return text.span(start - 1, end + 1) if quote in ("'", '"') and text.text.startswith(quote, end) else span


def _source(document: Document) -> SourceText:
    return SourceText(document)


def _declared(outline: Sequence[Declaration]) -> set[Position]:
    """Where something is declared. `{ save }` declares a key, but passes the symbol on as well."""
    return {one.position for one in flatten(outline) if one.span != one.name_span}


def _role(document: Document, hit: Hit, usage: Usage, declared: set[Position]) -> Role:
    if usage.role == "import":
        return "import"
    return "declare" if quoted_name_span(source(document), hit.span).start in declared else usage.role
