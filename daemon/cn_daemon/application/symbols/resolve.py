"""From what a user typed to the symbol that is meant."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cn_daemon.application.by_names import ByNames
from cn_daemon.application.context import Context
from cn_daemon.application.declared import Declared, symbol_of
from cn_daemon.application.ports import Site, Types, Workspace
from cn_daemon.application.symbols.pointing import (
    check_place,
    first_identifier,
    identifier_at,
    is_given,
    mention,
    written,
)
from cn_daemon.application.symbols.symbols_at import BySurroundings, SymbolsAt
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.declarations.symbols import DECLARED, MEMBER, Symbol, group, is_listed, is_test, rank
from cn_daemon.domain.ids import Name, Place, split_number
from cn_daemon.domain.source.components import component_name, is_component, name_start
from cn_daemon.domain.source.forms import form_of, parents
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, occurrences

# How far up the classes a member is looked for that the named one inherits.
ANCESTRY = 6
# Files in which a name that nothing declares is looked up.
LOOKED_AT = 1000
# Files in which it is looked up what `a.b` means there.
WRITTEN = 10
# Those in which it is looked up what they import by a name.
IMPORTERS = 3
# What a module exports as its default: by its name, or else the word stands for it.
_DEFAULT = re.compile(r"^export\s+(?P<word>default)\b(?:\s+(?P<name>[\w$]+)[ \t]*(?:;|$))?", re.MULTILINE)
_STORE = re.compile(r"\$\w")


class Resolution(NamedTuple):
    """symbol: the one that is meant, None when nothing is found. candidates: the others, best first.

    site: where the question was asked, when that was a place. doubt: why another one may be meant, or nothing.
    """

    symbol: Symbol | None
    candidates: list[Symbol]
    site: Site | None = None
    doubt: str = ""


class Resolver:
    """For one question: shares its documents."""

    def __init__(
        self,
        workspace: Workspace,
        context: Context,
        names: ByNames,
        types: Types | None,
        by_surroundings: BySurroundings,
    ) -> None:
        """types: what tells declarations; None where the language server does."""
        self._workspace = workspace
        self._names = names
        self._context = context
        self._words, self._server, self._documents, self._deadline = context
        self.declared = Declared(context)
        self._types = types
        self._by_surroundings = by_surroundings

    @cached_property
    def symbols(self) -> SymbolsAt:
        return SymbolsAt(self._workspace, self._context, self._types, self._by_surroundings)

    async def name(self, wanted: Name, cwd: Path | None, depth: int = 0) -> Resolution:
        """The symbols of that name, ranked."""
        found = await self._named(wanted, cwd, depth)
        if found.symbol is None and (other := split_number(wanted)) is not None:
            found = await self._named(other, cwd, depth)
        if found.symbol is None and "prototype" in wanted.containers:
            # Of a class the prototype has its members.
            outer = tuple(one for one in wanted.containers if one != "prototype")
            found = await self._named(wanted._replace(containers=outer), cwd, depth)
        return found._replace(doubt=found.doubt or self.declared.unreadable())

    async def _named(self, wanted: Name, cwd: Path | None, depth: int) -> Resolution:
        within = str(self._workspace.resolve(wanted.path, cwd)) if wanted.path else None
        declarations = await self.declared.by_name(wanted.name, within)
        matching = [one for one in declarations if _contained(one, wanted.containers)]
        # Inline namespaces need not be named.
        matching = matching or [one for one in declarations if _within(one, wanted.containers)]
        symbols = await self.declared.with_emitted(group(matching))
        symbols = await self.ranked(symbols, wanted.name, alone=not within and not wanted.containers)
        if within:
            # In a file the name is exact: `a.ts#Fail` is no `Cause.Fail` while there is a `Fail`.
            symbols.sort(key=lambda symbol: len(symbol.main.containers) > len(wanted.containers))
        if symbols:
            # Where a component goes by its name, names tell.
            alone = within or wanted.containers or is_component(symbols[0].main.path)
            others = [] if alone else await self._elsewhere(wanted.name, symbols)
            return Resolution(symbols[0], [*symbols[1:], *others])
        if within and wanted.name == "default" and not wanted.containers:
            exported = await self._default(within)
            if exported:
                return Resolution(exported[0], exported[1:])
        if wanted.containers and depth < ANCESTRY:
            inherited = await self._inherited(wanted, cwd, depth)
            if inherited.symbol:
                return inherited
        if wanted.containers and depth == 0:
            reached = await self._written((*wanted.containers, wanted.name), within)
            if reached.symbol:
                return reached
        if wanted.containers or within:
            # Members of that name elsewhere are what the user may have meant.
            everywhere = declarations if not within else await self.declared.by_name(wanted.name, None)
            doubt = "" if within else self.declared.unseen(wanted.name)
            others = await self.ranked(group(everywhere), wanted.name)
            return Resolution(None, others, doubt=doubt)
        return await self._used(wanted.name)

    async def _default(self, path: str) -> list[Symbol]:
        """What the module exports as its default under another name, or none."""
        document = self._documents.try_get(path)
        default = _DEFAULT.search(document.once(SourceText).text) if document else None
        if document is None or default is None:
            return []
        site = Site(path, document.once(SourceText).position(default.start("name" if default["name"] else "word")))
        return await self._symbols_at(site)

    async def place(self, wanted: Place, cwd: Path | None) -> Resolution:
        """The symbol that stands at a place."""
        path = str(self._workspace.resolve(wanted.path, cwd))
        document = self._documents.get(path)
        position = check_place(document, wanted)
        if is_component(path) and position.character > 1:
            source = document.once(SourceText)
            position = source.position(name_start(path, document.text, source.offset(position)))
        outline = (await self._server.outlines([document], self._deadline))[path]
        declared = declaration_at(outline, position)
        stands = declared is not None and (position.character == 0 or declared.name_span.holds(position))
        # A key that exports what it names again is that: `module.exports = { a: b.a }`.
        is_reexport = declared is not None and declared.kind == "Property" and declared.reexport
        if declared is not None and stands and not is_reexport and not is_given(declared, position):
            (symbol,) = await self.declared.with_emitted([symbol_of(declared, outline)])
            site = Site(path, declared.position)
            # The key `{ a }` names the variable a as well.
            others = await self._by_names(site) if declared.kind == "Property" else None
            return Resolution(symbol, [one for one in others or () if one.main != symbol.main], site)
        if position.character == 0:
            position = await first_identifier(self._server, document, wanted.line, self._deadline)
        if path.endswith(".svelte") and _STORE.match(document.line(position.line), document.index(position)):
            # `$count` names the store `count`.
            position = position._replace(character=position.character + 1)
        site = Site(path, position)
        named = await self._by_names(site)
        if named:
            symbols = await self.declared.with_emitted(named)
            return Resolution(symbols[0], symbols[1:], site)
        word = await identifier_at(self._server, document, position, self._deadline)
        if form_of(path) is None and self._names.tells and named is None:
            word = word or "the name"  # a comment may hold it
        symbols = await self.declared.with_emitted(await self.symbols.defined(site))
        symbols = symbols or await self.symbols.surrounded(site)
        # Of what is merged with a library's, the workspace's own part, as when it is asked for by name.
        symbols.sort(key=lambda symbol: form_of(path) is None and not self._words.holds(symbol.main.path))
        if not symbols and declared is not None and stands:
            symbols = [symbol_of(declared, outline)]
        if form_of(path) is not None:
            # Where an object is called, servers name what is called on it as well.
            symbols.sort(key=lambda symbol: symbol.main.name != word)
        return Resolution(symbols[0] if symbols else None, symbols[1:], site, await self._doubt(symbols, word))

    async def _symbols_at(self, site: Site) -> list[Symbol]:
        return await self._by_names(site) or await self.symbols.defined(site)

    async def _by_names(self, site: Site) -> list[Symbol] | None:
        """What stands at a place, where names decide it."""
        symbols: list[Symbol] = []
        hits = await self._names.symbols_at(site)
        for hit in hits or ():
            symbol = await self.symbols.named(hit)
            if symbol is None:
                return None
            if all(symbol.main not in known.declarations for known in symbols):
                symbols.append(symbol)
        return None if hits is None else symbols

    async def _doubt(self, symbols: list[Symbol], word: str) -> str:
        """Why something else than the symbols may be meant by a word, or nothing."""
        if withheld := self.symbols.withheld():
            return withheld
        if not symbols:
            return _undecided_reason(word) if word else ""
        if module := await self._lost_import(symbols[0]):
            return self._lost(symbols[0], module)
        main = symbols[0].main
        document = self._documents.try_get(main.path) if form_of(main.path) is not None else None
        source = document.once(SourceText) if document is not None else None
        if source is None or not source.in_imports(source.offset(main.position)):
            return ""
        return f"the import of {word} leads no further: a stub may hide what it names"

    async def _inherited(self, wanted: Name, cwd: Path | None, depth: int) -> Resolution:
        """A member that the named class or interface has from the ones it extends."""
        *outer, container = wanted.containers
        holders = await self.name(Name(container, tuple(outer), wanted.path), cwd, ANCESTRY)
        if holders.symbol is None:
            return Resolution(None, [])
        found: list[Symbol] = []
        # Of several of one name the first need not be the one that has the member.
        for holder in [holders.symbol, *holders.candidates][:LOOKED_AT]:
            if form_of(holder.main.path) is None:
                members = await self.symbols.members(holder, wanted.name)
                found += [one for one in members if all(one.main != known.main for known in found)]
                continue
            for declaration in holder.declarations:
                for base in self._bases(declaration):
                    inherited = await self.name(Name(wanted.name, (base,)), None, depth + 1)
                    if inherited.symbol:
                        return inherited
        return Resolution(found[0], found[1:]) if found else Resolution(None, [])

    def _bases(self, declaration: Declaration) -> Iterable[str]:
        document = self._documents.get(declaration.path)
        form = form_of(declaration.path)
        if form is None:
            return []
        text = document.once(SourceText)
        first = text.offset(declaration.name_span.end)
        return [text.text[start:end] for start, end in parents(text.text, first, form)]

    async def _written(self, parts: tuple[str, ...], within: str | None) -> Resolution:
        """What code means that writes `a.b` where no `a` declares a `b`: a part of a module, or a member that a
        variable's type has."""
        found: list[Symbol] = []
        sites: list[Site] = []
        lost: Resolution | None = None
        paths = set.intersection(*(set(self.declared.holding(one.lstrip("#"))) for one in parts))
        for path in sorted(paths & {within} if within else paths):
            document = self.declared.read(path)
            site = await written(self._server, document, parts, self._deadline) if document is not None else None
            if site is None:
                continue
            named = await self._by_names(site)
            symbols = named or await self.symbols.defined(site)
            if not symbols and named is None and self._names.tells and form_of(path) is None:
                lost = lost or Resolution(self.symbols.at_word(site), [], site, _undecided_reason(parts[-1]))
            for symbol in symbols:
                if module := await self._lost_import(symbol):
                    lost = lost or Resolution(symbol, [], site, self._lost(symbol, module))
                elif all(symbol.main != known.main for known in found):
                    found.append(symbol)
            sites.append(site)
            if len(sites) == WRITTEN:
                break
        return Resolution(found[0], found[1:], sites[0]) if found else lost or Resolution(None, [])

    async def _used(self, name: str) -> Resolution:
        """A name that nothing in the workspace declares: an alias of an export, or a library's."""
        lost: Resolution | None = None
        components = filter(is_component, self._words.files_with(name))
        if self._names.tells and any(component_name(path) == name for path in components):
            return Resolution(None, [])  # what answers for components knows it
        named = await self._names.naming(name)
        holding = [(site, "") for site in await self._holding(name)] if not named else []
        for site, module in (named or holding)[:LOOKED_AT]:
            symbols = [*filter(None, [self.symbols.at_word(site)])] if module else await self._symbols_at(site)
            if not symbols:
                continue
            module = module or await self._lost_import(symbols[0])
            if not module:
                return Resolution(symbols[0], symbols[1:], site)
            lost = lost or Resolution(symbols[0], symbols[1:], site, self._lost(symbols[0], module))
        if lost is None and len(holding) > LOOKED_AT:
            doubt = f"of {len(holding)} files that hold the word the first {LOOKED_AT} were looked at"
            return Resolution(None, [], doubt=doubt)
        return lost or Resolution(None, [], doubt=self.symbols.withheld() or self.declared.unseen(name))

    async def _holding(self, name: str) -> list[Site]:
        """Where files hold a word first, those before others that import it."""
        holding = filter(None, map(self.declared.read, self.declared.holding(name)))
        likely = sorted(holding, key=lambda document: not _may_import(document, name))
        sites = [await mention(self._server, document, name, self._deadline) for document in likely]
        return [site for site in sites if site is not None]

    async def _elsewhere(self, name: str, known: list[Symbol]) -> list[Symbol]:
        """What the imports of other files mean by a name that its symbols keep to their own: an export may give it to
        something else (`export { default as A } from`)."""
        if any(declaration.exported for symbol in known for declaration in symbol.declarations):
            return []
        own = {one.path for symbol in known for one in symbol.declarations}
        holding = (self.declared.read(path) for path in self.declared.holding(name) if path not in own)
        importing = (document for document in holding if document is not None and _may_import(document, name))
        for document in islice(importing, IMPORTERS):
            site = await mention(self._server, document, name, self._deadline)
            if site is not None and (found := await self._by_names(site)):
                mains = [symbol.main for symbol in known]
                return [one for one in found if self._words.holds(one.main.path) and one.main not in mains]
        return []

    async def _lost_import(self, symbol: Symbol) -> str:
        """The module of an import that stands for its declaration, since it leads nowhere; or nothing."""
        main = symbol.main
        if not main.local or symbol.is_module or form_of(main.path) is not None:
            return ""
        return await self._names.lost(Site(main.path, main.position))

    def _lost(self, symbol: Symbol, module: str) -> str:
        path = os.path.normpath(os.path.join(os.path.dirname(symbol.main.path), module))
        if module.startswith((".", "/")) and not path.startswith(f"{self._workspace.root}/"):
            return f"{module} leads to {path}, outside the workspace: it is not looked into"
        unknown = f"imports of {module} lead nowhere: which of its names are uses is not known"
        return f"{unknown} ({self._context.why_lost(symbol.main.path)})"

    async def ranked(self, symbols: list[Symbol], name: str, *, alone: bool = False) -> list[Symbol]:
        """alone: the name is all that was asked for, so what files call by it is meant as well."""
        symbols = [Symbol(tuple(sorted(one.declarations, key=self._announced))) for one in symbols]
        symbols, imported, packages = await self._imported(symbols, name if alone else "")
        if len(symbols) < 2:
            return symbols
        ranks = {id(symbol): self.rank(symbol, name) for symbol in symbols}
        members = {(one.main.path, one.main.containers) for one in symbols if one.main.kind in MEMBERS}
        scripts: dict[tuple[object, ...], int] = {}
        for one in symbols:
            if one.main.path.endswith(SCRIPTS) and not one.main.local and not is_test(one.main.path):
                held, place = _held(one.main, packages), ranks[id(one)][0]
                scripts[held] = min(scripts.get(held, place), place)

        def key(symbol: Symbol) -> tuple[object, ...]:
            place, far, reexport, depth, announced, *uses = ranks[id(symbol)]
            count = imported[symbol.main.path]
            source = scripts.get(_held(symbol.main, packages)) if symbol.main.path.endswith(DECLARATIONS) else None
            if source is not None and packages.get(symbol.main.path):
                # Of what declarations of its package describe the script is meant.
                place = max(place, source)
            elif count and far == DECLARED:
                # What other declarations by hand describe is imported through them.
                far = 0
            # A namespace beside a class holds types of its member.
            is_beside = symbol.main.kind == "Namespace" and (symbol.main.path, symbol.main.containers) in members
            place = max(place, MEMBER) if is_beside else place
            known = place, is_beside, far, reexport, depth, announced, -count, *uses
            # `name` and `#name` are two members of a class: the one that was asked for comes first.
            other = symbol.main.name.startswith("#") != name.startswith("#")
            return (other, *known, symbol.main.path, symbol.main.position)

        return sorted(symbols, key=key)

    async def _imported(
        self, symbols: list[Symbol], name: str
    ) -> tuple[list[Symbol], Mapping[str, int], Mapping[str, str]]:
        """The symbols, with what has no name of its own and files call so; by how many files they are imported, or what
        holds them is, and the packages with scripts that they are of: both by the paths that declare them."""
        own = [one.main for one in symbols if form_of(one.main.path) is None]
        others = [one.main for one in symbols if form_of(one.main.path) is not None]
        known = [one for one in own if not one.local]
        most, packages = Counter[str](), dict[str, str]()
        if not own or (not name and not others and len({one.path for one in known}) < 2):
            return symbols, most, packages
        for one in others:
            # What imports it is not known of other languages: of theirs, each file that holds the name.
            kind = os.path.splitext(one.path)[1]
            most[one.path] = sum(path.endswith(kind) for path in self._words.files_with(one.name) if path != one.path)
        importing = await self._names.importing([Site(one.path, one.position) for one in known], name)
        for one, (count, package) in zip(known, importing.at, strict=False):
            most[one.path] = max(most[one.path], count)
            packages[one.path] = package
        places = {(one.path, one.position) for symbol in symbols for one in symbol.declarations}
        called: list[Symbol] = []
        for hit, count in importing.called:
            symbol = await self.symbols.named(hit)
            if symbol is not None and (symbol.main.path, symbol.main.position) not in places:
                called.append(symbol)
                most[hit.path] = max(most[hit.path], count)
        return [*symbols, *await self.declared.with_emitted(called)], most, packages

    async def described(self, symbol: Symbol) -> list[Declaration]:
        """Of a symbol of a `.d.ts` the symbols of scripts that it may describe, and of a script's symbol those of a
        `.d.ts` that may describe it: of one package, with one name, in classes of one name."""
        main = symbol.main
        is_described = main.path.endswith(DECLARATIONS)
        if (
            main.local
            or main.reexport
            or any(one.path.endswith(DECLARATIONS) != is_described for one in symbol.declarations)
        ):
            return []
        others = [
            one for one in self.declared.holding(main.name) if one.endswith(SCRIPTS if is_described else DECLARATIONS)
        ]
        if not others or not self._words.holds(main.path):
            return []
        if is_described:
            declared = await self.declared.by_name(main.name, None)
        else:
            declared = [one for path in others for one in await self.declared.by_name(main.name, path)]
        found = [one for one in declared if one.path in others and not (one.local or one.reexport or is_test(one.path))]
        found = [one for one in found if _holder(one) == _holder(main)]
        may = await self._names.describing(
            Site(main.path, main.position), [Site(one.path, one.position) for one in found]
        )
        return [one for one, is_it in zip(found, may, strict=False) if is_it]

    def rank(self, symbol: Symbol, name: str) -> tuple[int, ...]:
        """Sorts the symbol most likely meant first. name: as it was asked for."""
        document = self._documents.try_get(symbol.main.path)
        uses = document.known(_uses, name) if document else 0
        relative = self._workspace.relative(Path(symbol.main.path))
        return rank(symbol, uses, relative, announced=self._announced(symbol.main))

    def _announced(self, declared: Declaration) -> bool:
        """Whether it is a prototype and the like; a member's stands in its class, where the member is documented."""
        form = form_of(declared.path)
        if form is None or form.announced is None or declared.kind == "Method":
            return False
        document = self._documents.try_get(declared.path)
        if document is None:
            return False
        source = document.once(SourceText)
        first, last = source.offset(declared.span.start), source.offset(declared.span.end)
        return form.announced.match(source.text, first, last) is not None


def _uses(document: Document, name: str) -> int:
    return sum(1 for _ in occurrences(document.text, name))


def _undecided_reason(word: str) -> str:
    return f"nothing tells what {word} is there: its type may not be known"


def _may_import(document: Document, name: str) -> bool:
    """Whether an import or a list of exports may hold it."""
    listed = rf"\b(?:import|export)\b[^;'\"`=()]*(?<![\w$]){re.escape(name)}(?![\w$])"
    return name in document.text and re.search(listed, document.text) is not None


def _held(one: Declaration, packages: Mapping[str, str]) -> tuple[object, ...]:
    """The package of a declaration, and what holds it if it is a member."""
    return packages.get(one.path), _holder(one)


def _holder(one: Declaration) -> tuple[str, ...] | None:
    return one.containers[-1:] if one.kind in MEMBERS and not is_listed(one) else None


def _contained(declaration: Declaration, containers: tuple[str, ...]) -> bool:
    return not containers or declaration.containers[-len(containers) :] == containers


def _within(declaration: Declaration, containers: tuple[str, ...]) -> bool:
    """As `_contained`, in another language than TypeScript: namespaces around it that are not named do not matter."""
    if form_of(declaration.path) is None:
        return False
    above = [(part, one.kind) for one in declaration.above() for part in reversed(one.name.split("\\"))]
    for name in reversed(containers):
        while above and above[0][1] == "Namespace" and above[0][0] != name:
            above.pop(0)
        if not above or above.pop(0)[0] != name:
            return False
    return True
