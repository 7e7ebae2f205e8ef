"""What the code of a symbol calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cn_daemon.application.mentions import Mention, Mentions, source
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.question import Question
from cn_daemon.application.trees import Key, key_of
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.usage import calls
from cn_shared.relations import Callee
from cn_shared.wire import LocationRef

# Calls of one declaration that are looked up.
CALLS = 2_000


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
        for hit in sites[:CALLS]:
            targets = await question.resolver.defined(Site(hit.path, hit.span.start))
            name = question.documents.get(hit.path).at(hit.span)
            if not targets and name != "async":  # `async (…) =>` has the form of a call
                unknown[name] = None
            for target in targets[:1]:
                if not any(target.main.path == path and span.encloses(target.main.span) for path, span in spans):
                    mention = Mention(hit, "call", None)
                    found.setdefault(key_of(target.main), (target, []))[1].append(mention)
        told = Mentions(question)
        callees = [
            Callee(self._told(target.main, mentions[0].hit), [told.use(one) for one in mentions])
            for target, mentions in found.values()
        ]
        callees.sort(key=lambda callee: bool(callee.symbol.external))
        reason = f"only the first {CALLS} of {len(sites)} calls were looked up" if len(sites) > CALLS else ""
        return callees, list(unknown), reason

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
