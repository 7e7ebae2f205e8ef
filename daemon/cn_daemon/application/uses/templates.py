"""Uses of a member in templates of Angular. What stands at the root of an expression is a member of the component; an
attribute gives something to the component whose selector the element has; what is taken of a value only types tell."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Hit
from cn_daemon.application.uses.specifiers import Specifiers
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.decorated import (
    Decorated,
    Heritage,
    Selector,
    decorated,
    heirs,
    heritages,
    imports_by_name,
    selects,
)
from cn_daemon.domain.mentions.templates import Mention, taken, template_of
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

# For so long other questions wait.
_SLICE_S = 0.02
# What makes a member an input or an output, and by another name.
_INPUT = re.compile(r"@(?:Input|Output)\b|\b(?:input|output|model|outputFromObservable)\b")
_LISTED = re.compile(r"\b(?:inputs|outputs)\s*:")
_ALIASED = re.compile(r"@(?:Input|Output)\s*\(\s*['\"`]|\balias\b")


class InTemplates(NamedTuple):
    """uses: what is one. open: what may be. late: how many files there was no time for."""

    uses: list[Hit]
    open: list[Hit]
    late: int


class Templates:
    """For one question: shares its documents."""

    def __init__(self, context: Context, specifiers: Specifiers, member: Symbol) -> None:
        self._words, _, self._documents, self._deadline = context
        self._specifiers = specifiers
        self._member = member.main
        self._name = member.main.name.lstrip("#")
        self._declarations = member.declarations
        self._holders = {one.parent.name for one in member.declarations if one.parent is not None}
        self._above: dict[str, tuple[frozenset[str], bool]] = {}
        self._takers: tuple[list[Selector], list[Selector], bool] | None = None
        self._rivals: dict[Selector, bool] = {}
        self._by_folder: dict[str, list[str]] | None = None

    async def mentions(self) -> InTemplates:
        found = InTemplates([], [], 0)
        if not any(
            path.endswith(".ts") for word in ("Component", "Directive") for path in self._words.files_with(word)
        ):
            return found
        holding = [path for path in self._words.files_with(self._name) if path.endswith((".ts", ".html"))]
        since = time.monotonic()
        for read, path in enumerate(holding):
            if time.monotonic() > self._deadline:
                return found._replace(late=len(holding) - read)
            if time.monotonic() > since + _SLICE_S:
                await asyncio.sleep(0)
                since = time.monotonic()
            document = self._documents.try_get(path)
            if document is None or (
                path.endswith(".ts") and "@Component" not in document.text and "@Directive" not in document.text
            ):
                continue
            for sure, start in self._decided(document):
                hit = Hit(path, document.once(SourceText).span(start, start + len(self._name)))
                (found.uses if sure else found.open).append(hit)
        return found

    def _decided(self, document: Document) -> Iterator[tuple[bool, int]]:
        """Each mention that may be a use, and whether it is one."""
        if document.path.endswith(".html"):
            owners = self._owners(document.path)
            ones = list(document.once(template_of).mentions(self._name)) if owners else []
            told = [(one, script, owner) for script, owner in owners for one in ones]
        else:
            told = [
                (one, document, owner) for owner in document.once(decorated) for one in self._inline(document, owner)
            ]
        verdicts: dict[int, list[bool | None]] = defaultdict(list)
        for one, script, owner in told:
            verdicts[one.start].append(self._verdict(one, script, owner))
        for start, here in sorted(verdicts.items()):
            if any(one is not None for one in here):
                yield all(here), start

    def _inline(self, script: Document, owner: Decorated) -> Iterator[Mention]:
        yield from owner.template.mentions(self._name) if owner.template else ()
        text = script.once(SourceText).text
        for start, end in owner.host:
            yield from taken(text, start, end, self._name, "root")

    def _verdict(self, mention: Mention, script: Document, owner: Decorated) -> bool | None:
        """Whether it is a use; False where it may be, None where it is none."""
        if mention.kind == "given":
            return self._is_given(mention)
        if mention.kind == "taken":
            return False
        if self._is_own(script, owner):
            return mention.kind == "root"
        return False if self._is_kin(owner.name, script, owner.heritage) else None

    def _is_own(self, script: Document, owner: Decorated) -> bool:
        """Whether the member is of that very class."""
        holder = self._member.parent
        at = script.once(SourceText).position(owner.start)
        return holder is not None and self._member.path == script.path and holder.position == at

    def _is_given(self, mention: Mention) -> bool | None:
        """Of what an attribute gives: by its selector what has the member may take it, or what inherits from that."""
        if self._takers is None:
            self._takers = self._taking()
        own, below, unknown = self._takers
        if any(one.takes(mention.tag, mention.attributes) for one in own):
            exact = (one for one in own if one.exact and one.takes(mention.tag, mention.attributes))
            return self._is_input() and any(not self._has_rivals(one) for one in exact)
        return False if unknown or any(one.takes(mention.tag, mention.attributes) for one in below) else None

    def _taking(self) -> tuple[list[Selector], list[Selector], bool]:
        """The selectors of the class that has the member, and those of its heirs; and whether there may be more."""
        own: list[Selector] = []
        below: list[Selector] = []
        unknown = False
        names = list(self._holders)
        for name in names:
            for path in self._words.files_with(name):
                document = self._documents.try_get(path) if path.endswith(".ts") else None
                if document is None:
                    continue
                for one in document.once(decorated):
                    if one.name == name:
                        (own if self._is_own(document, one) else below).extend(one.selectors)
                found, more = document.known(heirs, name)
                names += found - set(names)
                unknown = unknown or more
        return (own if self._is_input() is not None else []), below, unknown

    def _has_rivals(self, selector: Selector) -> bool:
        """Whether another class has that selector as well: who imports which is not read."""
        if selector not in self._rivals:
            asked = selector.tag or next(iter(sorted(selector.attributes)), "")
            words = max(asked.split("-"), key=len)
            ones = [
                (document, one)
                for path in self._words.files_with(words)
                if path.endswith(".ts") and (document := self._documents.try_get(path)) is not None
                if document.known(selects, asked)
                for one in document.once(decorated)
            ]
            named = [one for document, one in ones if not self._is_own(document, one)]
            same = (selector.tag, selector.attributes)
            self._rivals[selector] = any(
                (other.tag, other.attributes) == same for one in named for other in one.selectors
            )
        return self._rivals[selector]

    def _is_input(self) -> bool | None:
        """Whether the member is an input or an output by its own name; False where it may be, None where it is none."""
        source = self._documents.get(self._member.path).once(SourceText)
        declared = [source.cut(one.span) for one in self._declarations if one.path == self._member.path]
        if _LISTED.search(source.text) or any(map(_ALIASED.search, declared)):
            return False
        return True if any(map(_INPUT.search, declared)) else None

    def _is_kin(self, name: str, script: Document, heritage: Heritage) -> bool:
        """Whether a class may have what declares the member above or below itself."""
        above, unknown = self._known(script, heritage, set())
        if unknown or above & self._holders:
            return True
        return any(name in names or more for names, more in map(self._names_above, self._holders))

    def _names_above(self, name: str, seen: set[str] | None = None) -> tuple[frozenset[str], bool]:
        """What is declared by a name may have above itself, in the workspace; and whether that is not known."""
        if name not in self._above:
            seen = seen or set()
            seen.add(name)
            names: set[str] = set()
            unknown = False
            for path in self._words.files_with(name):
                document = self._documents.try_get(path) if path.endswith((".ts", ".tsx")) else None
                for heritage in document.known(heritages, name) if document is not None else ():
                    further, more = (
                        self._known(document, heritage, seen) if document is not None else (frozenset(), False)
                    )
                    names |= further
                    unknown = unknown or more
            self._above[name] = frozenset(names), unknown
        return self._above[name]

    def _known(self, script: Document, heritage: Heritage, seen: set[str]) -> tuple[frozenset[str], bool]:
        names: set[str] = set()
        unknown = heritage.made
        imported = script.once(imports_by_name) if heritage.names else {}
        for name in heritage.names:
            one = imported.get(name)
            if one is not None and not self._specifiers.is_inside(one.module):
                continue
            # By another name than that which it is declared by.
            unknown = unknown or (one is not None and one.own != name)
            names.add(name)
            # What is neither imported nor declared there is a library's, or has no more above itself.
            if name not in seen and (one is not None or script.known(heritages, name)):
                further, more = self._names_above(name, seen)
                names |= further
                unknown = unknown or more
        return frozenset(names), unknown

    def _owners(self, path: str) -> list[tuple[Document, Decorated]]:
        """The components that have a file for their template."""
        if self._by_folder is None:
            self._by_folder = defaultdict(list)
            for script in self._words.files_with("templateUrl"):
                if script.endswith(".ts"):
                    self._by_folder[os.path.dirname(script)].append(script)
        near = self._by_folder.get(os.path.dirname(path), [])
        found = list(self._naming(path, near))
        far = (script for scripts in self._by_folder.values() for script in scripts if script not in near)
        return found or list(self._naming(path, far))

    def _naming(self, path: str, scripts: Iterator[str] | list[str]) -> Iterator[tuple[Document, Decorated]]:
        for script in scripts:
            document = self._documents.try_get(script)
            if document is None or os.path.basename(path) not in document.text:
                continue
            for owner in document.once(decorated):
                if owner.url and os.path.normpath(os.path.join(os.path.dirname(script), owner.url)) == path:
                    yield document, owner
