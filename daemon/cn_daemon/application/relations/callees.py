"""What the code of a symbol calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.mentions import Mention, Mentions, source
from cn_daemon.application.relations.trees import Key, key_of
from cn_daemon.domain.declarations.component_blocks import is_whole
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.usage import calls, origin_at, unnamed_calls
from cn_daemon.domain.source.text import Span
from cn_shared.relations import Callee
from cn_shared.wire import LocationRef

# Calls of one declaration that are looked up.
CALLS = 2_000
# How many variables may hand on what is called.
ORIGINS = 3
VALUES = ("Constant", "Variable")


class Callees:
    """For one question."""

    def __init__(self, question: Question) -> None:
        self._question = question

    async def of(self, symbol: Symbol) -> tuple[list[Callee], list[str], str]:
        """What is called, what could not be told, and why the answer is not whole ("" when it is)."""
        question = self._question
        found: dict[Key, tuple[Symbol, list[Mention]]] = {}
        unknown: dict[str, None] = {}
        spans = [(one.path, one.span) for one in symbol.declarations]
        sites = [site for one in symbol.declarations for site in self._sites(one)]
        defined = await question.resolver.symbols.all_defined([Site(one.path, one.span.start) for one in sites[:CALLS]])
        for hit, symbols in zip(sites[:CALLS], defined, strict=True):
            targets = await self._meant(symbols, spans)
            name = question.documents.get(hit.path).at(hit.span)
            if not targets and name != "async":  # `async (…) =>` has the form of a call
                unknown[name] = None
            for target in targets[:1]:
                if not _holds(spans, target.main):
                    found.setdefault(key_of(target.main), (target, []))[1].append(Mention(hit, "call", None))
        for one in symbol.declarations:
            unknown |= dict.fromkeys(self._unnamed(one))
        told = Mentions(question)
        callees = [
            Callee(self._told(target.main, mentions[0].hit), [told.use(one) for one in mentions])
            for target, mentions in found.values()
        ]
        callees.sort(key=lambda callee: bool(callee.symbol.external))
        reason = f"only the first {CALLS} of {len(sites)} calls were looked up" if len(sites) > CALLS else ""
        if any(is_whole(question.documents.get(one.path), one) for one in symbol.declarations):
            reason = reason or f"calls in the template of {symbol.main.name} are not looked up"
        return callees, list(unknown), reason

    async def _meant(self, targets: list[Symbol], spans: Sequence[tuple[str, Span]]) -> list[Symbol]:
        """What is called, through the variables of the symbol's own code that are given it."""
        for _ in range(ORIGINS):
            if not targets or not _holds(spans, targets[0].main) or targets[0].main.kind not in VALUES:
                break
            # Of a pattern the servers tell the variable, and what it takes.
            given = [target for target in targets if not _holds(spans, target.main)]
            given = given or await self._given(targets[0].main)
            if not given:
                break
            targets = given
        return targets

    async def _given(self, variable: Declaration) -> list[Symbol]:
        """What `const variable = name` is another name of."""
        text = source(self._question.documents.get(variable.path))
        origin = origin_at(text.text, *(text.offset(place) for place in variable.name_span))
        if origin is None:
            return []
        (symbols,) = await self._question.resolver.symbols.all_defined([Site(variable.path, text.position(origin))])
        return symbols

    def _unnamed(self, declaration: Declaration) -> Iterable[str]:
        text = source(self._question.documents.get(declaration.path))
        if text.form is not None:
            return ()
        first, last = text.offset(declaration.span.start), text.offset(declaration.span.end)
        return unnamed_calls(text.text, first, last, jsx=text.jsx)

    def _told(self, target: Declaration, hit: Hit) -> LocationRef:
        """The target, by the name that it is called by where it has none of its own (`new (…): Error`)."""
        place = self._question.locations.declaration(target)
        if target.name.lstrip("#").isidentifier():
            return place
        return replace(place, name=self._question.documents.get(hit.path).at(hit.span), container=None)

    def _sites(self, declaration: Declaration) -> Iterable[Hit]:
        text = source(self._question.documents.get(declaration.path))
        first, last = text.offset(declaration.span.start), text.offset(declaration.span.end)
        for start, end in calls(text.text, first, last, jsx=text.jsx, form=text.form):
            span = text.span(start, end)
            if span.start != declaration.position:
                yield Hit(declaration.path, span)


def _holds(spans: Sequence[tuple[str, Span]], declaration: Declaration) -> bool:
    return any(declaration.path == path and span.encloses(declaration.span) for path, span in spans)
