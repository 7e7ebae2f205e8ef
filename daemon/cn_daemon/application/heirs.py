"""What inherits from a type, in one step: by the clauses in which its mentions stand, and through what holds it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

from cn_daemon.application.mentions import Mention, source
from cn_daemon.application.ports import Site
from cn_daemon.application.question import Question
from cn_daemon.application.trees import Grown, key_of
from cn_daemon.domain.forms import form_of
from cn_daemon.domain.heritage import Clause, Relation, clause_at, inherited, made_of
from cn_daemon.domain.holding import holder_at, is_extended, leads_on
from cn_daemon.domain.outline import Declaration, flatten
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Span

_TYPES = ("Interface", "TypeAlias")
# Before the word `class` of one without a name.
_DEFAULT = re.compile(r"\bdefault\s+(?:abstract\s+)?\Z")
_NEAR = 80
_BUILDS = re.compile(r"\bInstanceType\b|\bnew\b|\bprototype\b")


class Heir(NamedTuple):
    """place: of the class itself, where it has no name or another one than what holds it. renamed: it is an alias, and
    no other type."""

    declaration: Declaration
    relation: Relation
    place: Site
    renamed: bool = False


class Heirs(Grown):
    """For one question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        # Whether some class extends a thing of that name.
        self._extended: dict[str, bool] = {}

    async def heirs(self, symbol: Symbol) -> AsyncIterator[Heir]:
        """Those of one step, each once, by path and place."""
        told = {key_of(one) for one in symbol.declarations}
        asked: set[Site] = set()
        waiting = [symbol]
        while waiting:
            asking = waiting.pop()
            # What holds a class is one: also the interface that has its constructor.
            value = asking.main.kind not in _TYPES or asking is not symbol
            for mention in await self._uses(asking):
                heir = await self._heir(mention)
                if heir is None:
                    waiting += [one async for one in self._holding(mention, asked, value=value)]
                elif key_of(heir.declaration) not in told:
                    told.add(key_of(heir.declaration))
                    yield heir

    def clauses(self, declaration: Declaration) -> Iterator[tuple[Relation, Span]]:
        """What a declaration says that it inherits from."""
        text = source(self._question.documents.get(declaration.path))
        for heir in inherited(text.text, text.offset(declaration.name_span.end), declaration.kind, text.form):
            yield heir.relation, text.span(heir.start, heir.end)

    async def _heir(self, mention: Mention) -> Heir | None:
        """What inherits where a mention stands in its clause."""
        hit, within = mention.hit, mention.within
        text = source(self._question.documents.get(hit.path))
        if text.form is not None:
            spans = self.clauses(within) if within is not None else ()
            stands = any(span.start == hit.span.start for _, span in spans)
            return Heir(within, "extends", Site(hit.path, within.position)) if within and stands else None
        clause = clause_at(text.text, text.offset(hit.span.start), script=text.script)
        if clause is None:
            return None
        if clause.call is not None and await self._is_only_held(text, clause.call, mention):
            return None
        place = Site(hit.path, text.position(clause.place))
        return Heir(await self._declared(text, clause, within), clause.relation, place, clause.renamed)

    async def _is_only_held(self, text: SourceText, call: int, mention: Mention) -> bool:
        """Whether what a class calls for its base makes something else, by an interface, of the mentioned one."""
        question, name = self._question, text.document.at(mention.hit.span)
        site = Site(text.document.path, text.position(call))
        told = await question.server.describe(site, question.deadline)
        made, inner = made_of(told.signature if told else "")
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        # Without `typeof` it is of the instances.
        if not made or word.search(re.sub(rf"\btypeof (?:[\w$]+\.)*{re.escape(name)}(?![\w$])", "", inner)):
            return False
        declared = await question.resolver.declared.by_name(made, None)
        kinds = {one.kind for one in declared}
        # An alias may stand for the class and more, and an interface's constructor for its instances.
        if "Interface" not in kinds or not kinds.isdisjoint(("TypeAlias", "Class")):
            return False
        texts = [self._text(one) for one in declared if one.kind == "Interface"]
        return not any(word.search(one) or _BUILDS.search(one) for one in texts)

    def _text(self, declaration: Declaration) -> str:
        text = source(self._question.documents.get(declaration.path))
        return text.text[text.offset(declaration.span.start) : text.offset(declaration.span.end)]

    async def _declared(self, text: SourceText, clause: Clause, within: Declaration | None) -> Declaration:
        """The declaration of that name; one of its own for a class that no outline lists."""
        name = text.span(clause.start, clause.end)
        unnamed = text.text[clause.start : clause.end] == "class"
        default = _DEFAULT.search(text.text, max(0, clause.start - _NEAR), clause.start) if unnamed else None
        start = text.position(default.start()) if default else name.start
        for one in flatten(await self._outline(text.document.path)):
            if one.position == start:
                return one
        word = within.name if unnamed and within else text.document.at(name)
        return Declaration(text.document.path, word, "Class", name, name, local=True)

    def _leads_on(self, symbol: Symbol) -> bool:
        """Whether something may inherit from it, by the texts that hold its name: of most types nothing does."""
        main = symbol.main
        if form_of(main.path) is not None or not main.name.isidentifier() or main.name == "default":
            return True
        texts = (source(one) for one in self._texts(main.name))
        value = main.kind not in _TYPES
        return any(leads_on(one.text, main.name, value=value, script=one.script) for one in texts)

    async def _holding(self, mention: Mention, asked: set[Site], *, value: bool) -> AsyncIterator[Symbol]:
        """What holds the class that is mentioned, as far as some class extends a thing of that name. value: whether the
        mention is a class, and no mere type."""
        text = source(self._question.documents.get(mention.hit.path))
        start, end = text.offset(mention.hit.span.start), text.offset(mention.hit.span.end)
        if mention.role == "import" or text.form or not (held := holder_at(text.text, start, end, value=value)):
            return
        around = None if held.name else mention.within
        if around is not None and around.parent is not None and around.parent.kind in _TYPES:
            around = around.parent
        if not held.name and around is None:
            return
        site = Site(mention.hit.path, around.position if around else text.position(held.start))
        makes = around is not None and around.kind in _TYPES
        if site not in asked and (makes or self._is_extended(around.name if around else held.name)):
            asked.add(site)
            if around is not None:
                yield await self._symbol(around)
                return
            for symbol in (await self._question.resolver.defined(site))[:1]:
                yield symbol

    def _is_extended(self, name: str) -> bool:
        if name not in self._extended:
            self._extended[name] = any(is_extended(one.text, name) for one in self._texts(name))
        return self._extended[name]

    def _texts(self, name: str) -> Iterator[Document]:
        """The texts that hold a word."""
        documents = map(self._question.documents.try_get, sorted(self._question.holding([name.lstrip("#")])))
        return (document for document in documents if document is not None)
