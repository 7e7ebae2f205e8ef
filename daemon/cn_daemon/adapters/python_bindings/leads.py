"""Where an occurrence of a name leads: to what a module of the workspace declares at its top, or to a module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cn_daemon.adapters.python_bindings.modules import Meant, Modules
from cn_daemon.adapters.python_bindings.occurrences import (
    MODULE,
    Analysis,
    Binding,
    Chain,
    Imported,
    Loaded,
    Mention,
    Value,
)
from cn_daemon.adapters.python_bindings.texts import Texts
from cn_daemon.domain.python_modules import ENDINGS

COMPUTED = "its module makes its names when it runs"
LOADED = "its module is chosen when the program runs"
ESCAPED = "its module is handed on as a value"
# An `__all__` that is more than the strings in it.
_LISTING = re.compile(r"\.__all__\b|\b__all__\b[^=\n]*=(?!\s*[\[(]\s*(?:[\])'\"#]|$))", re.M)
# So far a name is followed from module to module.
_HOPS = 40


class Target(NamedTuple):
    """What a module declares at its top; the module itself by the name "". What may be anything has no path."""

    path: str
    name: str


class Leads(NamedTuple):
    """Where an occurrence leads. doubt: why `maybe` may be meant as well."""

    sure: frozenset[Target] = frozenset()
    maybe: frozenset[Target] = frozenset()
    doubt: str = ""

    def __or__(self, other: Leads) -> Leads:
        return Leads(self.sure | other.sure, self.maybe | other.maybe, self.doubt or other.doubt)

    def open(self, doubt: str) -> Leads:
        """The same, with all of it in doubt."""
        return Leads(frozenset(), self.sure | self.maybe, doubt) if doubt else self


_NOTHING = Leads()
ANYTHING = Target("", "")


class Resolution:
    """As of one state of the workspace's files."""

    def __init__(self, texts: Texts, modules: Modules) -> None:
        self.texts = texts
        self._modules = modules

    def leads(self, path: str, name: str, mention: Mention) -> Leads:
        if mention.role == "path":
            assert mention.imported is not None
            return self._by_path(path, mention.imported)
        if mention.imported is not None:
            return self._imported(path, mention.imported, _HOPS)
        if mention.role == "attribute":
            return self._attribute(path, mention.receiver, name)
        if mention.binds and mention.owner is not None:
            return Leads(frozenset({Target(path, name)})) if mention.owner == MODULE else _NOTHING
        return self._name(path, name, mention, _HOPS)

    def _name(self, path: str, name: str, mention: Mention, hops: int) -> Leads:
        if mention.owner is None:
            return self._by_stars(path, name, hops)
        found = self.texts.analysis(path, name)[1]
        bound = found.bindings.get(mention.owner, []) if found is not None else []
        return self._bound(path, name, bound, hops, module=mention.owner == MODULE)

    def _bound(self, path: str, name: str, bound: Sequence[Binding], hops: int, *, module: bool) -> Leads:
        leads = _NOTHING
        for one in bound:
            if one.imported is not None:
                leads |= self._imported(path, one.imported, hops)
            elif module:
                leads |= Leads(frozenset({Target(path, name)}))
        return leads

    def _imported(self, path: str, imported: Imported, hops: int) -> Leads:
        meant = self._meant(path, imported)
        if imported.name is None:
            return _modules_at(meant.paths).open(meant.doubt)
        return self._in_modules(meant, imported.name, hops, path)

    def _by_path(self, path: str, imported: Imported) -> Leads:
        """By the path that a string spells: of modules, and of what is in them."""
        parts = imported.module.split(".")
        for last in range(len(parts), 0, -1):
            meant = self._meant(path, Imported(0, ".".join(parts[:last])))
            if meant.paths:
                break
        else:
            return _NOTHING
        if meant.doubt:
            return _NOTHING  # a word and a dot are no import
        leads = _modules_at(meant.paths)
        for name in (*parts[last:], *([imported.name] if imported.name else ())):
            leads = self._of_modules(leads, name, _HOPS)
        return leads

    def _meant(self, path: str, imported: Imported) -> Meant:
        return self._modules.meant(path, imported.level, imported.module)

    def _in_modules(self, meant: Meant, name: str, hops: int, importer: str) -> Leads:
        leads = _NOTHING
        for module in meant.paths:
            # What a package takes of itself is a module in it.
            inner = self._modules.part(module, name).paths if module == importer else ()
            leads |= _modules_at(inner) if inner else self._in_module(module, name, hops)
        return leads.open(meant.doubt)

    def _of_modules(self, leads: Leads, name: str, hops: int) -> Leads:
        """What the modules among some targets have by a name."""
        found = _NOTHING
        for one in leads.sure:
            if one != ANYTHING and not one.name:
                found |= self._in_module(one.path, name, hops)
        for one in leads.maybe:
            if one == ANYTHING:
                found |= Leads(maybe=frozenset({ANYTHING}), doubt=leads.doubt)
            elif not one.name:
                found |= self._in_module(one.path, name, hops).open(leads.doubt)
        return found

    def _in_module(self, module: str, name: str, hops: int) -> Leads:
        """What a module has by a name: what it binds, what it takes from others, a module in it."""
        if not hops:
            return _NOTHING
        if module.endswith(ENDINGS):
            file, found = self.texts.analysis(module, name)
            bound = found.bindings.get(MODULE, []) if found is not None else []
            if bound:
                return self._bound(module, name, bound, hops - 1, module=True)
            leads = self._by_stars(module, name, hops - 1)
            if leads != _NOTHING:
                return leads
        else:
            file = None
        if inner := self._modules.part(module, name).paths:
            return _modules_at(inner)
        if file is not None and file.dynamic:
            return Leads(maybe=frozenset({ANYTHING}), doubt=COMPUTED)
        return _NOTHING

    def _by_stars(self, path: str, name: str, hops: int) -> Leads:
        file = self.texts.file(path)
        leads = _NOTHING
        for star in file.stars or ():
            for module in self._meant(path, star).paths if hops else ():
                if module.endswith(ENDINGS) and self._gives(module, name):
                    leads |= self._in_module(module, name, hops - 1).open(self._meant(path, star).doubt)
        return leads

    def _gives(self, module: str, name: str) -> bool:
        """Whether `from module import *` gives a name, as far as it has it."""
        if not name.startswith("_"):
            listed = self.texts.analysis(module, "__all__")[1]
            if listed is None or not listed.bindings.get(MODULE):
                return True
        found = self.texts.analysis(module, name)[1]
        spelled = found is not None and any(one.quoted and one.role == "name" for one in found.mentions)
        return spelled or (not name.startswith("_") and self._lists_others(module))

    def _lists_others(self, module: str) -> bool:
        """Whether a module's `__all__` is more than the strings in it."""
        syntax = self.texts.syntax(module)
        return syntax is None or _LISTING.search(syntax.text) is not None

    # Attributes

    def _attribute(self, path: str, receiver: Value, name: str) -> Leads:
        return self._of_modules(self._value(path, receiver, _HOPS), name, _HOPS)

    def _value(self, path: str, value: Value, hops: int) -> Leads:
        """The modules that a value may be, with what else it leads to."""
        if isinstance(value, Loaded):
            if not value.dotted:
                return Leads(maybe=frozenset({ANYTHING}), doubt=LOADED)
            leads = self._by_path(path, Imported(0, value.dotted))
        elif isinstance(value, Chain) and hops:
            found = self.texts.analysis(path, value.base)[1]
            mention = found.at(value.start) if found is not None else None
            if found is None or mention is None:
                return _NOTHING
            leads = self._base(path, value, mention, found, hops)
        else:
            return Leads(maybe=frozenset({ANYTHING}), doubt=ESCAPED)
        for attribute in value.attributes:
            before, leads = leads, self._of_modules(leads, attribute, hops - 1)
            if leads == _NOTHING and any(one.name for one in before.sure | before.maybe):
                return Leads(maybe=frozenset({ANYTHING}), doubt=ESCAPED)  # a member of something
            leads = self._followed(leads, hops)
        return leads

    def _base(self, path: str, value: Chain, mention: Mention, found: Analysis, hops: int) -> Leads:
        """What the first name of a chain may be: a module, or what it is given."""
        if mention.imported is not None:
            return self._imported(path, mention.imported, hops)
        if mention.owner is None:
            return self._by_stars(path, value.base, hops)
        leads = _NOTHING
        for one in found.bindings.get(mention.owner, []):
            if one.imported is not None:
                leads |= self._imported(path, one.imported, hops)
            elif one.given:
                leads |= self._value(path, one.value, hops - 1)
        return self._followed(leads, hops)

    def _followed(self, leads: Leads, hops: int) -> Leads:
        """With what the variables among the targets are given."""
        further = _NOTHING
        for one in leads.sure | leads.maybe:
            found = self.texts.analysis(one.path, one.name)[1] if one.name and hops else None
            for bound in found.bindings.get(MODULE, []) if found is not None else ():
                if bound.imported is None and bound.given:
                    further |= self._value(one.path, bound.value, hops - 1).open(leads.doubt)
        return leads | further


def _modules_at(paths: Iterable[str]) -> Leads:
    return Leads(frozenset(Target(one, "") for one in paths))
