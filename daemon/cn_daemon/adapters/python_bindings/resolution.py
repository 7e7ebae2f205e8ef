"""Where an occurrence of a name leads: to what a module of the workspace declares at its top, or to a module."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cn_daemon.adapters.python_bindings.mentions import (
    MODULE,
    Analysis,
    Binding,
    Chain,
    Imported,
    Loaded,
    Mention,
    Value,
)
from cn_daemon.adapters.python_bindings.modules import Modules, ResolvedModule
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


class Targets(NamedTuple):
    """Where an occurrence leads. doubt: why those of `maybe` may be targets as well."""

    sure: frozenset[Target] = frozenset()
    maybe: frozenset[Target] = frozenset()
    doubt: str = ""

    def __or__(self, other: Targets) -> Targets:
        return Targets(self.sure | other.sure, self.maybe | other.maybe, self.doubt or other.doubt)

    def open(self, doubt: str) -> Targets:
        """The same, with all of it in doubt."""
        return Targets(frozenset(), self.sure | self.maybe, doubt) if doubt else self


_NOTHING = Targets()
ANYTHING = Target("", "")
_ANYTHING_LOADED = Targets(maybe=frozenset({ANYTHING}), doubt=LOADED)


class Resolution:
    """As of one state of the workspace's files."""

    def __init__(self, texts: Texts, modules: Modules) -> None:
        self.texts = texts
        self._modules = modules

    def targets(self, path: str, name: str, mention: Mention) -> Targets:
        if mention.role == "path":
            assert mention.imported is not None
            if mention.model:
                return self._model(path, name, mention.imported.module)
            return self._by_path(path, mention.imported)
        if mention.imported is not None:
            return self._imported(path, mention.imported, _HOPS)
        if mention.role == "attribute":
            return self._attribute(path, mention.receiver, name)
        if mention.binds and mention.owner is not None:
            return Targets(frozenset({Target(path, name)})) if mention.owner == MODULE else _NOTHING
        return self._name(path, name, mention, _HOPS)

    def _model(self, path: str, name: str, label: str) -> Targets:
        """A class of an application's models: of the same one without a label. Which applications there are, settings
        say when the program runs."""
        own = self._in_module(path, name, _HOPS) if not label else _NOTHING
        folder = os.path.dirname(path)
        app = label or os.path.basename(os.path.dirname(folder) if folder.endswith("/models") else folder)
        modules = self._modules.models(app) if own == _NOTHING else []
        found = own
        for module in modules:
            found |= self._in_module(module, name, _HOPS)
        unsure = LOADED if len(modules) != 1 else ""
        return found.open(unsure if own == _NOTHING else "") if found != _NOTHING else _ANYTHING_LOADED

    def _name(self, path: str, name: str, mention: Mention, hops: int) -> Targets:
        if mention.owner is None:
            return self._by_stars(path, name, hops)
        found = self.texts.analysis(path, name)[1]
        bound = found.bindings.get(mention.owner, []) if found is not None else []
        return self._bound(path, name, bound, hops, module=mention.owner == MODULE)

    def _bound(self, path: str, name: str, bound: Sequence[Binding], hops: int, *, module: bool) -> Targets:
        targets = _NOTHING
        for one in bound:
            if one.imported is not None:
                targets |= self._imported(path, one.imported, hops)
            elif module:
                targets |= Targets(frozenset({Target(path, name)}))
        return targets

    def _imported(self, path: str, imported: Imported, hops: int) -> Targets:
        resolved = self._resolved(path, imported)
        if imported.name is None:
            return _modules_at(resolved.paths).open(resolved.doubt)
        return self._in_modules(resolved, imported.name, hops, path)

    def _by_path(self, path: str, imported: Imported) -> Targets:
        """By the path that a string spells: of modules, and of what is in them."""
        parts = imported.module.split(".")
        for last in range(len(parts), 0, -1):
            resolved = self._resolved(path, Imported(0, ".".join(parts[:last])))
            if resolved.paths:
                break
        else:
            return _NOTHING
        if resolved.doubt:
            return _NOTHING  # a word and a dot are no import
        targets = _modules_at(resolved.paths)
        for name in (*parts[last:], *([imported.name] if imported.name else ())):
            targets = self._of_modules(targets, name, _HOPS)
        return targets

    def _resolved(self, path: str, imported: Imported) -> ResolvedModule:
        return self._modules.resolve(path, imported.level, imported.module)

    def _in_modules(self, resolved: ResolvedModule, name: str, hops: int, importer: str) -> Targets:
        targets = _NOTHING
        for module in resolved.paths:
            # What a package takes of itself is a module in it.
            inner = self._modules.part(module, name).paths if module == importer else ()
            targets |= _modules_at(inner) if inner else self._in_module(module, name, hops)
        return targets.open(resolved.doubt)

    def _of_modules(self, targets: Targets, name: str, hops: int) -> Targets:
        """What the modules among some targets have by a name."""
        found = _NOTHING
        for one in targets.sure:
            if one != ANYTHING and not one.name:
                found |= self._in_module(one.path, name, hops)
        for one in targets.maybe:
            if one == ANYTHING:
                found |= Targets(maybe=frozenset({ANYTHING}), doubt=targets.doubt)
            elif not one.name:
                found |= self._in_module(one.path, name, hops).open(targets.doubt)
        return found

    def _in_module(self, module: str, name: str, hops: int) -> Targets:
        """What a module has by a name: what it binds, what it takes from others, a module in it."""
        if not hops:
            return _NOTHING
        if module.endswith(ENDINGS):
            file, found = self.texts.analysis(module, name)
            bound = found.bindings.get(MODULE, []) if found is not None else []
            if bound:
                return self._bound(module, name, bound, hops - 1, module=True)
            targets = self._by_stars(module, name, hops - 1)
            if targets != _NOTHING:
                return targets
        else:
            file = None
        if inner := self._modules.part(module, name).paths:
            return _modules_at(inner)
        if file is not None and file.dynamic:
            return Targets(maybe=frozenset({ANYTHING}), doubt=COMPUTED)
        return _NOTHING

    def _by_stars(self, path: str, name: str, hops: int) -> Targets:
        file = self.texts.file(path)
        targets = _NOTHING
        for star in file.stars or ():
            for module in self._resolved(path, star).paths if hops else ():
                if module.endswith(ENDINGS) and self._gives(module, name):
                    targets |= self._in_module(module, name, hops - 1).open(self._resolved(path, star).doubt)
        return targets

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

    def _attribute(self, path: str, receiver: Value, name: str) -> Targets:
        return self._of_modules(self._value(path, receiver, _HOPS), name, _HOPS)

    def _value(self, path: str, value: Value, hops: int) -> Targets:
        """The modules that a value may be, with what else it leads to."""
        if isinstance(value, Loaded):
            if not value.dotted:
                return _ANYTHING_LOADED
            targets = self._by_path(path, Imported(0, value.dotted))
        elif isinstance(value, Chain) and hops:
            found = self.texts.analysis(path, value.base)[1]
            mention = found.at(value.start) if found is not None else None
            if found is None or mention is None:
                return _NOTHING
            targets = self._base(path, value, mention, found, hops)
        else:
            return Targets(maybe=frozenset({ANYTHING}), doubt=ESCAPED)
        for attribute in value.attributes:
            before, targets = targets, self._of_modules(targets, attribute, hops - 1)
            if targets == _NOTHING and any(one.name for one in before.sure | before.maybe):
                return Targets(maybe=frozenset({ANYTHING}), doubt=ESCAPED)  # a member of something
            targets = self._followed(targets, hops)
        return targets

    def _base(self, path: str, value: Chain, mention: Mention, found: Analysis, hops: int) -> Targets:
        """What the first name of a chain may be: a module, or what it is given."""
        if mention.imported is not None:
            return self._imported(path, mention.imported, hops)
        if mention.owner is None:
            return self._by_stars(path, value.base, hops)
        targets = _NOTHING
        for one in found.bindings.get(mention.owner, []):
            if one.imported is not None:
                targets |= self._imported(path, one.imported, hops)
            elif one.given:
                targets |= self._value(path, one.value, hops - 1)
        return self._followed(targets, hops)

    def _followed(self, targets: Targets, hops: int) -> Targets:
        """With what the variables among the targets are given."""
        further = _NOTHING
        for one in targets.sure | targets.maybe:
            found = self.texts.analysis(one.path, one.name)[1] if one.name and hops else None
            for bound in found.bindings.get(MODULE, []) if found is not None else ():
                if bound.imported is None and bound.given:
                    further |= self._value(one.path, bound.value, hops - 1).open(targets.doubt)
        return targets | further


def _modules_at(paths: Iterable[str]) -> Targets:
    return Targets(frozenset(Target(one, "") for one in paths))
