"""What a language server did not tell: mentions of a name that gave no hit, looked at one by one.

The server is asked where each further mention leads: to the symbol (a use that it missed), to something else, or
nowhere. What leads nowhere, most often a member of
something whose type is not known, may be a use, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Doubt, Hit, Site
from cn_daemon.application.uses.class_hierarchy import ClassHierarchy, Member
from cn_daemon.application.uses.homonyms import Homonyms
from cn_daemon.application.uses.overrides import OverrideHierarchy
from cn_daemon.domain.declarations.outline import MEMBERS, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import is_bare
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.mentions.usage import is_call
from cn_daemon.domain.python_modules import ENDINGS, SAME_NAME, module_stem
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import form_of, left_out, mentions, parents, read
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span, line_start

# What before a name, on its line, may give it a type.
_TYPED = re.compile(r"(?!.*\b(?:return|else|case|throw|await|yield|and|or|not|in|is|if|do|go|defer)$).*[\w*&>\])]$")


# Each is one request, of a millisecond or so. Beyond them the answer says that it is partial.
CHECKS = 1000
_ATTRIBUTE = re.compile(r"(?<!\.\.)\.[\s\\]*\Z")
# How far before a name it is looked what is around it.
_NEAR = 200
_SPELLED = "a string spells it"
_DYNAMIC = "it leads to another one, and the script takes in files whose path is not known"
_BARE = "a script without an ending is not read"
_COPY = "it leads to an installed copy of the module"


class Doubts:
    """For one question: shares its documents. names: the symbol's own and those that imports give it. classes: of the
    symbol's class."""

    def __init__(
        self,
        symbol: Symbol,
        hierarchy: OverrideHierarchy,
        context: Context,
        classes: ClassHierarchy,
        homonyms: Homonyms | None = None,
    ) -> None:
        # What C++ defines outside of its class is listed with the name of that class.
        bare = symbol.main.name.rpartition("::")[2]
        self.names = {module_stem(symbol.main.path) if symbol.is_module else bare}
        self._hierarchy = hierarchy
        self.classes = classes
        self._homonyms = homonyms
        # Why a mention is a doubt, where that is not the language's usual reason.
        self._causes: dict[Hit, str] = {}
        self._words, self._server, self._documents, self._deadline = context
        self._declared: set[tuple[str, Position]] = {(one.path, one.position) for one in symbol.declarations}
        self._seen = set(self._declared)
        self._beside: dict[Site, bool] = {}
        self._lost: list[Hit] = []
        self._checks = 0
        self._left = 0
        self._symbol = symbol

    def renamed(self, hits: Iterable[Hit]) -> set[str]:
        """The names, not known before, that imports give the symbol at these hits; `names` grows by them."""
        found = set()
        for hit in hits:
            document = self._documents.try_get(hit.path)
            source = document.once(SourceText) if document is not None else None
            if source is None or source.form is None or source.form.renamed is None:
                continue
            start, end = source.offset(hit.span.start), source.offset(hit.span.end)
            renaming = source.form.renamed.match(source.text, end) if source.in_imports(start) else None
            if renaming is not None:
                # The new name where it is given is no use.
                self._seen.add((hit.path, source.position(renaming.start("name"))))
                found.add(renaming["name"])
        found -= self.names
        self.names |= found
        return found

    async def missed(self, names: Collection[str], paths: Iterable[str], known: Iterable[Hit]) -> list[Hit]:
        """The uses under `names` in the files `paths` that are not among the `known` ones. Raises what
        `LanguageServer.definitions` raises."""
        self._seen |= {(hit.path, hit.span.start) for hit in known}
        missed = []
        for path in sorted(paths):
            for name in sorted(names):
                document = self._documents.try_get(path)
                self._lost += _keyed(document, name) if self._keyed else ()
                for hit in _named(document, name):
                    if (hit.path, hit.span.start) not in self._seen and not self._is_bare(hit):
                        self._seen.add((hit.path, hit.span.start))
                        missed += [hit] if await self._leads_here(hit) else []
                for hit in _spelled(document, name):
                    if (hit.path, hit.span.start) not in self._seen:
                        self.doubt(hit, _SPELLED)
        return missed

    def _is_bare(self, hit: Hit) -> bool:
        """Whether a name stands alone outside of the bodies of classes: in Python no member is meant by that. None of a
        key of a dictionary is by an attribute."""
        if self._symbol.main.parent is None or self._homonyms is None or self._symbol.main.local:
            return False
        document = self._documents.get(hit.path)
        source = document.once(SourceText)
        start = source.offset(hit.span.start)
        if _ATTRIBUTE.search(source.text, max(0, start - _NEAR), start):
            return self._keyed
        return document.once(PythonTypes).is_variable(start)

    async def holders(self, site: Site) -> set[tuple[str, Position]]:
        """Where what stands at a place is declared: a module at the beginning of its file. Raises as `missed`."""
        (targets,) = await self._server.definitions([site], self._deadline)
        found = {(hit.path, hit.span.start) for hit in targets}
        further = [part for hit in targets if (part := self._part(hit, "")) != Site(hit.path, hit.span.start)]
        for leads in await self._server.definitions(further, self._deadline):
            found.update((hit.path, hit.span.start) for hit in leads)
        return found

    def doubt(self, hit: Hit, cause: str) -> None:
        """It may be a use."""
        if hit not in self._causes:
            self._causes[hit] = cause
            self._lost.append(hit)

    def in_scripts(self) -> None:
        """Scripts without an ending are not read."""
        form = form_of(self._symbol.main.path)
        if form is None or form.shebang is None or self._symbol.main.local:
            return
        for name in self.names:
            for path in filter(is_bare, self._words.files_with(name)):
                document = self._documents.try_get(path)
                if document is not None and form.shebang.match(document.text):
                    source = document.once(SourceText)
                    for start in mentions(source.text, form, name):
                        self.doubt(Hit(path, source.span(start, start + len(name))), _BARE)

    @property
    def open(self) -> list[Hit]:
        """The places that may be uses."""
        return list(self._lost)

    def drop(self, hits: Collection[Hit]) -> None:
        """They are in doubt no more."""
        self._lost = [hit for hit in self._lost if hit not in hits]

    async def settle(self, leads: Mapping[Hit, list[Hit]], *, only_uses: bool = False) -> list[Hit]:
        """Of the doubts those that are uses, by where each leads; what leads elsewhere is none, or stays a doubt
        (only_uses). Raises as `missed`."""
        found = []
        for hit, targets in leads.items():
            word = self._documents.get(hit.path).at(hit.span)
            if any([await self._is_it(target, word) for target in targets]):
                found.append(hit)
        self.drop(found if only_uses else leads)
        return found

    async def decided(self, doubts: Iterable[Doubt]) -> list[Hit]:
        """Of what names leave open the uses, by the server; what it leaves open too is a doubt. Raises as `missed`."""
        found = []
        for hit, reason in doubts:
            if reason == SAME_NAME:
                self.doubt(hit, reason)
                continue
            if self._checks >= CHECKS:
                self._left += 1
                continue
            self._checks += 1
            (targets,) = await self._server.definitions([Site(hit.path, hit.span.start)], self._deadline)
            word = self._documents.get(hit.path).at(hit.span)
            if any([await self._is_it(target, word) for target in targets]):
                found.append(hit)
            elif self._homonyms is not None and any(self._homonyms.is_copy(target.path) for target in targets):
                self.doubt(hit, _COPY)
            elif not any(self._is_other(target, hit, word) for target in targets):
                self.doubt(hit, reason)
        return found

    def _is_other(self, target: Hit, hit: Hit, word: str) -> bool:
        """Whether something else is declared there by that name, or anything outside of the workspace."""
        if (target.path, target.span.start) == (hit.path, hit.span.start):
            return False  # a server may take what it cannot read for a declaration
        document = self._documents.try_get(target.path) if self._words.holds(target.path) else None
        return document is None or document.at(target.span) == word

    async def _leads_here(self, hit: Hit) -> bool:
        if self._checks >= CHECKS:
            self._left += 1
            return False
        self._checks += 1
        (targets,) = await self._server.definitions([Site(hit.path, hit.span.start)], self._deadline)
        lost = await self._is_misread(hit, targets) if targets else not self._is_argument(hit)
        if lost:
            self._lost.append(hit)
        document = self._documents.try_get(hit.path)
        word = document.at(hit.span) if document is not None else ""
        found = any([await self._is_it(target, word) for target in targets])
        found = found or any(map(self._is_assigned, targets))
        if not found and not lost and self._is_astray(hit, targets, word):
            self._lost.append(hit)
        if not found and document is not None and _is_dynamic(document, targets):
            self.doubt(hit, _DYNAMIC)
        if not found and self._is_open(hit, targets, word):
            self.doubt(hit, f"it leads to another {word}, which the symbol may override")
        giving = any(self._giving(self._named(target, word)) for target in targets if not found)
        if giving and not self.classes.is_known:
            self.doubt(hit, f"it leads to another {word}, whose class may inherit from the symbol's")
        if not found and self._homonyms is not None:
            self._by_another_name(hit, targets, self._homonyms)
        return found

    def _is_assigned(self, target: Hit) -> bool:
        """Whether the variable is given a value there once more."""
        main, form = self._symbol.main, form_of(self._symbol.main.path)
        if form is None or form.scoped is None or main.kind != "Variable" or target.path != main.path:
            return False
        document = self._documents.get(main.path)
        lines = (document.line(one.line)[: document.index(one)] for one in (main.position, target.span.start))
        return not any(map(form.scoped.search, lines))

    def _is_astray(self, hit: Hit, targets: list[Hit], word: str) -> bool:
        """Whether it leads to nothing of its name, where it would unless the code around it is not understood."""
        form = form_of(hit.path)
        if form is None or not form.exact or not targets:
            return False
        return not any(target.path == hit.path and target.span == hit.span for target in targets) and not any(
            self._is_other(target, hit, word) for target in targets
        )

    def _is_open(self, hit: Hit, targets: list[Hit], word: str) -> bool:
        """Whether it leads to a member that the symbol may override: what is above its type is not read."""
        form = form_of(self._symbol.main.path)
        if form is None or not form.loose or self._symbol.main.kind not in MEMBERS:
            return False
        others = [one for one in targets if (one.path, one.span.start) != (hit.path, hit.span.start)]
        return any(self._words.holds(one.path) and self._documents.get(one.path).at(one.span) == word for one in others)

    def _is_argument(self, hit: Hit) -> bool:
        """Whether an argument is named there, and the symbol can have no value by one: it is a function, or what
        methods give an object."""
        document = self._documents.try_get(hit.path)
        source = document.once(SourceText) if document is not None else None
        if source is None or source.form is None or source.form.argument is None or self._may_be_given:
            return False
        start, end = source.offset(hit.span.start), source.offset(hit.span.end)
        before, behind = source.form.argument
        is_named = behind.match(source.text, end) is not None
        return is_named and before.search(source.text, max(0, start - _NEAR), start) is not None

    @cached_property
    def _may_be_given(self) -> bool:
        """Whether a call may give the symbol a value by its name."""
        main, source = self._symbol.main, self._source()
        if main.kind in ("Function", "Method"):
            return False
        given = source.form.given if source is not None and source.form is not None else None
        if source is None or given is None:
            return True
        start = source.offset(main.position)
        if main.path.endswith(ENDINGS):
            constant = not self._hierarchy.open and source.document.once(PythonTypes).is_constant(start)
            if (constant and not self.classes.is_filled) or self.classes.plain:
                return False
        return given.search(source.text, max(0, start - _NEAR), start) is None

    def _by_another_name(self, hit: Hit, targets: list[Hit], homonyms: Homonyms) -> None:
        """A server may take a module for another one of its name."""
        if any(homonyms.is_copy(target.path) for target in targets):
            self.doubt(hit, _COPY)
            return
        led = {target.path for target in targets}.intersection(homonyms.others)
        if led - {hit.path} and not all(homonyms.is_sure(hit.path, one) for one in led):
            self.doubt(hit, SAME_NAME)

    async def _is_misread(self, hit: Hit, targets: list[Hit]) -> bool:
        """Whether a call is mistaken for a declaration, as in a text with a mistake or in C without the header."""
        if any((target.path, target.span.start) != (hit.path, hit.span.start) for target in targets):
            return False
        document = self._documents.get(hit.path)
        source = document.once(SourceText)
        start, end = source.offset(hit.span.start), source.offset(hit.span.end)
        before = source.text[line_start(source.text, start) : start].rstrip()
        if source.form is None or _TYPED.search(before) or not is_call(source.text, start, end, source.form):
            return False
        outline = (await self._server.outlines([document], self._deadline))[hit.path]
        return all(one.position != hit.span.start for one in flatten(outline))

    async def _is_it(self, target: Hit, word: str) -> bool:
        """Whether the symbol, or one of its override hierarchy, is declared there: from where it is defined servers
        lead to where it is declared."""
        site = self._part(target, word)
        named = self._named(target, word)
        if await self._declares(target) or await self._declares(named) or self._is_given_inside(named):
            return True
        if site not in self._beside:
            (leads,) = await self._server.definitions([site], self._deadline)
            self._beside[site] = any([await self._declares(hit) for hit in leads])
        return self._beside[site]

    def _named(self, target: Hit, word: str) -> Hit:
        """The part of a target that the word names."""
        return target._replace(span=Span(self._part(target, word).position, target.span.end))

    def _part(self, target: Hit, word: str) -> Site:
        """Where the name begins that is meant of what a server leads to, the last one unless it is the word: a module
        that an import of `a.b` has brought may be answered as the whole of that."""
        document = self._documents.try_get(target.path) if target.span.start.line == target.span.end.line else None
        parts = document.at(target.span).split(".") if document is not None else [""]
        before = parts[: parts.index(word) if word in parts else -1]
        start = target.span.start
        return Site(target.path, Position(start.line, start.character + sum(len(part) + 1 for part in before)))

    async def _declares(self, target: Hit) -> bool:
        return (target.path, target.span.start) in self._declared or await self._hierarchy.holds(target)

    def _is_given_inside(self, target: Hit) -> bool:
        """Whether a class that inherits from the symbol's declares the symbol once more there."""
        kind = self._giving(target)
        return kind is not None and self.classes.is_inside(kind)

    def _giving(self, target: Hit) -> Hit | None:
        """In Python the class, one that inherits, which declares a member of the symbol's name there, in its body or by
        what a method assigns: to servers that is another one than its parent's."""
        document = self._documents.try_get(target.path) if target.path.endswith(ENDINGS) else None
        if document is None or self._symbol.main.parent is None:
            return None
        types, start = document.once(PythonTypes), document.once(SourceText).offset(target.span.start)
        around = types.around(start) if start in types.declared(self._symbol.main.name) else None
        return Member(document, around).hit if around is not None and around.bases else None

    @property
    def reason(self) -> str:
        """Why there may be more uses, or nothing."""
        name = " or ".join(sorted(self.names))
        if self._left:
            return f"{self._checks + self._left} further mentions of {name}; the first {CHECKS} were looked at"
        reason = self._lost_mentions(name) or self._unnamed()
        # What the server has to say of itself is said only where it left something open.
        trouble = self._server.status().detail if reason else None
        return f"{reason}; {self._server.name}: {trouble}" if trouble else reason

    def _lost_mentions(self, name: str) -> str:
        if not self._lost:
            return ""
        first = self._documents.place(self._lost[0].path, self._lost[0].span.start.line)
        mentioned = "a mention" if len(self._lost) == 1 else f"{len(self._lost)} mentions"
        return f"{mentioned} of {name} may be a use as well: {self._cause()} ({first})"

    @cached_property
    def _keyed(self) -> bool:
        """Whether the symbol is a member that is accessed by a string."""
        source, form = self._source(), form_of(self._symbol.main.path)
        return bool(form and form.keyed and form.keyed in self._parents(source, form))

    def _unnamed(self) -> str:
        main, form = self._symbol.main, form_of(self._symbol.main.path)
        if form is None or form.unnamed is None or main.kind not in MEMBERS or not form.unnamed.fullmatch(main.name):
            return ""
        if form.implementing and not self._parents(self._source(), form):
            return ""
        return unnamed(main.name)

    def _source(self) -> SourceText | None:
        document = self._documents.try_get(self._symbol.main.path)
        return document.once(SourceText) if document is not None else None

    def _parents(self, source: SourceText | None, form: Form) -> list[str]:
        """The types that the symbol's own type names as its parents."""
        above = self._symbol.main.parent
        if source is None or above is None:
            return []
        return [source.text[start:end] for start, end in parents(source.text, source.offset(above.name_span.end), form)]

    def _cause(self) -> str:
        """Why the first mention that leads nowhere may do so."""
        if self._lost[0] in self._causes:
            return self._causes[self._lost[0]]
        document = self._documents.try_get(self._lost[0].path) if self._lost else None
        form = form_of(document.path) if document is not None else None
        if document is None or form is None:
            return ""
        without = left_out(document.text, form)
        return f"{form.unknown}, or {without} leaves its file out" if without else form.unknown


def unnamed(name: str) -> str:
    """Why a member that operators and statements call has more uses than are listed."""
    return f"{name} is also called where it is not named: by an operator, the language, or its type's own name"


def _named(document: Document | None, name: str) -> Iterable[Hit]:
    form = form_of(document.path) if document is not None else None
    if document is None or form is None or name not in document.text:
        return
    source = document.once(SourceText)
    for start in mentions(source.text, form, name):
        yield Hit(document.path, source.span(start, start + len(name)))


def _is_dynamic(document: Document, targets: list[Hit]) -> bool:
    """Whether what leads to another file may lead to a further one, which is not known."""
    form = form_of(document.path)
    if form is None or form.dynamic is None or all(target.path == document.path for target in targets):
        return False
    return form.dynamic.search(document.text) is not None


def _spelled(document: Document | None, name: str) -> list[Hit]:
    """The strings that may name it."""
    form = form_of(document.path) if document is not None else None
    if document is None or form is None or not form.quoted or name not in document.text:
        return []
    source = document.once(SourceText)
    spelled = re.compile(form.quoted.replace("{name}", re.escape(name)))
    found = (spelled.match(source.text, start) for kind, start, _ in read(source.text, form) if kind == "string")
    return [Hit(document.path, source.span(*one.span("name"))) for one in found if one]


def _keyed(document: Document | None, name: str) -> Iterable[Hit]:
    """Where a string spells the name."""
    if document is None:
        return
    source = document.once(SourceText)
    for found in re.finditer(rf"(?P<quote>['\"])(?P<name>{re.escape(name)})(?P=quote)", source.text):
        yield Hit(document.path, source.span(*found.span("name")))
