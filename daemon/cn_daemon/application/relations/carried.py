"""Classes that implement what only a compiler can follow: a conditional type, a mapped one, what `typeof` takes.
Whether one of them inherits from a type, the server tells by its members: it knows which of them implement which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cn_daemon.application.ports import Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.mentions import source
from cn_daemon.application.relations.trees import Key, key_of
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.mentions.parts import (
    JOINED,
    MEMBER,
    VALUE,
    Implementing,
    Parts,
    declares_class,
    implementing,
    made_of,
    members_of,
)
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.text import Document

# So many names are followed for one class.
_FOLLOWED = 200


class Carrying(NamedTuple):
    """A class that may inherit from a type."""

    document: Document
    told: Implementing


class Above(NamedTuple):
    """The type that is asked about. root: it inherits from nothing."""

    name: str
    members: Sequence[Declaration]
    root: bool


class Carried:
    """For one question."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._parts: dict[str, list[Parts]] = {}
        self._reached: dict[Parts, frozenset[str]] = {}
        self._used: dict[Key, set[Key]] = {}

    def below(self, above: Above) -> Iterator[Carrying]:
        """Those that may inherit from the type, by the names that what they implement is made of."""
        question = self._question
        paths = question.holding(["implements"])
        if above.members:
            paths &= question.holding(one.name for one in above.members)
        for path in sorted(paths):
            document = question.documents.try_get(path) if form_of(path) is None else None
            for one in document.once(implementing) if document is not None else ():
                if document is not None and not self._reach(one.parts).isdisjoint((above.name, VALUE)):
                    yield Carrying(document, one)

    async def inherits(self, declaration: Declaration, one: Carrying, above: Above) -> bool | None:
        """Whether the class implements members of the type; None where nothing tells. Its project is loaded."""
        own = {child.name: child for child in declaration.children if not child.static}
        asked = [(member, own[member.name]) for member in above.members if member.name in own]
        sure = False
        for member, child in asked:
            if key_of(child) in await self._told(member, root=above.root):
                return True
            # Servers tell no field without a value for what implements one.
            sure = above.root or child.kind != "Property"
            if sure:
                break
        reached = self._reach(one.told.parts)
        required = [member.name for member in above.members if not self._is_optional(member)]
        named, holds = above.name in reached, one.told.extends or own.keys() >= set(required)
        if asked and sure:
            return None if holds and ((named and JOINED in reached) or VALUE in reached) else False
        return None if named and holds else False

    async def _told(self, member: Declaration, *, root: bool) -> set[Key]:
        """Where the server knows a member to be implemented. root: it overrides none, whose uses would be told too."""
        key = key_of(member)
        if key not in self._used:
            server, sites = self._question.server, [Site(member.path, member.position)]
            ask = server.references if root else server.implementations
            self._used[key] = {(hit.path, hit.span.start) for hit in await ask(sites, self._question.deadline)}
        return self._used[key]

    def _is_optional(self, member: Declaration) -> bool:
        text = source(self._question.documents.get(member.path))
        return text.text.startswith("?", text.offset(member.name_span.end))

    def _reach(self, parts: Parts) -> frozenset[str]:
        """What may be inherited from by what a compiler makes of it."""
        if parts not in self._reached:
            ahead = [(name, False) for name in parts.plain] + [(name, True) for name in parts.carried]
            seen = set(ahead)
            while ahead and len(seen) < _FOLLOWED:
                name, carried = ahead.pop()
                for one in self._made_of(name):
                    fresh = {(each, carried) for each in one.plain} | {(each, True) for each in one.carried}
                    ahead += fresh - seen
                    seen |= fresh
            self._reached[parts] = frozenset(name for name, carried in seen if carried)
        return self._reached[parts]

    def _made_of(self, name: str) -> list[Parts]:
        if name not in self._parts:
            self._parts[name] = self._read(name)
        return self._parts[name]

    def _read(self, name: str) -> list[Parts]:
        word = name.removeprefix(VALUE).removesuffix(MEMBER)
        found = map(self._question.documents.try_get, sorted(self._question.holding([word])) if word else ())
        documents = [one for one in found if one is not None and form_of(one.path) is None]
        if name.endswith(MEMBER):
            return [members_of(one, word) for one in documents]
        if word == name:
            return [each for one in documents for each in made_of(one, name)]
        # The type of a value that is no class may be any.
        taken = word if any(declares_class(one, word) for one in documents) else VALUE
        return [Parts(frozenset(), frozenset([taken]))]
