"""What the code of a symbol calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cn_daemon.application.ports import Calls, Hit, Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.mentions import Mention, Mentions
from cn_daemon.application.relations.trees import Key, key_of
from cn_daemon.domain.declarations.component_blocks import is_component_declaration
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.text import Position, Span
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
        # Where that is named which a variable is another name of.
        self._origins: dict[Site, Position] = {}

    async def of(self, symbol: Symbol) -> tuple[list[Callee], list[str], str]:
        """What is called, what could not be decided, and why the answer is not complete ("" when it is)."""
        question = self._question
        found: dict[Key, tuple[Symbol, list[Mention]]] = {}
        unknown: dict[str, None] = {}
        spans = [(one.path, one.span) for one in symbol.declarations]
        called = {one: await self._calls(one) for one in symbol.declarations}
        sites = [Hit(one.path, name) for one in called for name in called[one].names if name.start != one.position]
        self._origins = {Site(one.path, name): origin for one in called for name, origin in called[one].aliases.items()}
        defined = await question.resolver.symbols.all_defined([Site(one.path, one.span.start) for one in sites[:CALLS]])
        for hit, symbols in zip(sites[:CALLS], defined, strict=True):
            targets = await self._called(symbols, spans)
            name = question.documents.get(hit.path).at(hit.span)
            if not targets and name != "async":  # `async (…) =>` has the form of a call
                unknown[name] = None
            for target in targets[:1]:
                if not _holds(spans, target.main):
                    found.setdefault(key_of(target.main), (target, []))[1].append(Mention(hit, "call", None))
        unknown |= dict.fromkeys(one for calls in called.values() for one in calls.unnamed)
        described = Mentions(question)
        callees = [
            Callee(self._location(target.main, mentions[0].hit), [described.use(one) for one in mentions])
            for target, mentions in found.values()
        ]
        callees.sort(key=lambda callee: bool(callee.symbol.external))
        reason = f"only the first {CALLS} of {len(sites)} calls were looked up" if len(sites) > CALLS else ""
        if any(is_component_declaration(question.documents.get(one.path), one) for one in symbol.declarations):
            reason = reason or f"calls in the template of {symbol.main.name} are not looked up"
        return callees, list(unknown), reason

    async def _called(self, targets: list[Symbol], spans: Sequence[tuple[str, Span]]) -> list[Symbol]:
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
        origin = self._origins.get(Site(variable.path, variable.position))
        if origin is None:
            return []
        (symbols,) = await self._question.resolver.symbols.all_defined([Site(variable.path, origin)])
        return symbols

    async def _calls(self, declaration: Declaration) -> Calls:
        document = self._question.documents.get(declaration.path)
        return await self._question.server.calls(document, declaration.span, self._question.deadline)

    def _location(self, target: Declaration, hit: Hit) -> LocationRef:
        """The target, by the name that it is called by where it has none of its own (`new (…): Error`)."""
        place = self._question.locations.declaration(target)
        if target.name.lstrip("#").isidentifier():
            return place
        return replace(place, name=self._question.documents.get(hit.path).at(hit.span), container=None)


def _holds(spans: Sequence[tuple[str, Span]], declaration: Declaration) -> bool:
    return any(declaration.path == path and span.encloses(declaration.span) for path, span in spans)
