"""Mentions of a symbol as answers tell them: what each does with it, and which declaration holds it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cn_daemon.application.ports import Hit
from cn_daemon.application.question import Question
from cn_daemon.domain import ids
from cn_daemon.domain.declarations.outline import Declaration, Enclosing, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.usage import is_call, is_method
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import DeadlineError
from cn_shared.relations import Role, Use

_FUNCTIONS = frozenset({"Function", "Method", "Constructor"})
# What a type can use is no call of it, but handing one of these on is as good as calling it.
_HANDED_ON = _FUNCTIONS | {"Property", "Accessor", "Constant", "Variable"}
_TYPE_OF = re.compile(r"\btypeof\s+(?:import\s*\([^()]*\)\s*\.\s*)?(?:[\w$]+\s*\.\s*)*\Z")
# `f.bind(…)` hands f on, `f.call(…)` calls it.
_MEMBER = re.compile(r"\s*!?\s*\??\.(?!\.)\s*(?!(?:bind|call|apply)\b)[\w$#]")
_NEAR = 300


class Mention(NamedTuple):
    """within: the innermost declaration that an outline lists and that holds the hit; None at the top of a file."""

    hit: Hit
    role: Role
    within: Declaration | None


class Mentions:
    """For one question."""

    def __init__(self, question: Question) -> None:
        self._question = question
        # Why some are not known to be what they are told as, or nothing.
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
        mentions = []
        for hit in hits:
            document = documents[hit.path]
            if document is not None:
                role = _role(document, hit, declared[hit.path])
                mentions.append(Mention(hit, role, holder(around[hit.path], hit.span.start)))
        return mentions

    def calling(self, symbol: Symbol, mentions: Iterable[Mention]) -> list[Mention]:
        """Those that call the symbol, or hand it on."""
        handed_on = symbol.main.kind in _HANDED_ON
        return [
            one
            for one in mentions
            if one.role == "call" or (handed_on and one.role == "use" and not self._is_no_value(symbol, one.hit))
        ]

    def _is_no_value(self, symbol: Symbol, hit: Hit) -> bool:
        """Whether only the type of a function is taken (`typeof f`, `typeof a.f`, `typeof import("a").f`), or one of
        its own members (`f.defaults`)."""
        document = self._question.documents.try_get(hit.path) if symbol.main.kind in _FUNCTIONS else None
        if document is None:
            return False
        text = source(document)
        start, end = text.offset(hit.span.start), text.offset(hit.span.end)
        typed = _TYPE_OF.search(text.text, max(0, start - _NEAR), start) is not None
        return typed or _MEMBER.match(text.text, end) is not None

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


def whole_name(text: SourceText, span: Span) -> Span:
    """With the quotes of a key, within which the servers begin its name: declarations begin at them."""
    start, end = text.offset(span.start), text.offset(span.end)
    quote = text.text[start - 1 : start]
    return text.span(start - 1, end + 1) if quote in ("'", '"') and text.text.startswith(quote, end) else span


def _source(document: Document) -> SourceText:
    return SourceText(document)


def _declared(outline: Sequence[Declaration]) -> set[Position]:
    """Where something is declared. `{ save }` declares a key, but hands the symbol on as well."""
    return {one.position for one in flatten(outline) if one.span != one.name_span}


def _role(document: Document, hit: Hit, declared: set[Position]) -> Role:
    text = source(document)
    start, end = text.offset(hit.span.start), text.offset(hit.span.end)
    # What a module calls so itself (`createRequire`) is called there.
    if text.in_imports(start) and not text.text.startswith("require(", start):
        return "import"
    name = whole_name(text, hit.span)
    method = text.form is None and is_method(text.text, text.offset(name.start), text.offset(name.end), jsx=text.jsx)
    if name.start in declared or method:
        return "declare"
    return "call" if is_call(text.text, start, end, jsx=text.jsx, form=text.form) else "use"
