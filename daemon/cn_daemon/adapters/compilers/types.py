"""What types decide: every mention of a member's name, answered by `daemon/cn_compiler/types/worker.mjs`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from cn_daemon.adapters.compilers.bindings import Bindings, Bound, Place, place_of
from cn_daemon.adapters.compilers.worker import Index, Program, Worker
from cn_daemon.adapters.language_servers.tsserver.shapes import KINDS
from cn_daemon.application.ports import (
    DECORATORS,
    Definition,
    Doubt,
    Heritage,
    Hit,
    NamedSymbol,
    Site,
    Step,
    TemplateFiles,
    site_of,
)
from cn_daemon.domain.source.reading import COMPILED, SCRIPTS
from cn_daemon.domain.source.text import BEGINNING
from cn_shared.errors import LanguageServerError

WORKER = Path(str(files("cn_compiler"))) / "types" / "worker.mjs"
# Programs of 3,800 files take 1 GB.
HEAP_MB = 1500
# The part of the time that is left in which programs are asked: the answer is written in the rest.
_SHARE = 0.9


class Types(Worker):
    """Those of one workspace. `refresh` of the index is the caller's."""

    def __init__(
        self,
        root: Path,
        index: Index,
        program: Callable[[bool], Awaitable[Program]],
        log_file: Path,
        environment: Mapping[str, str],
        old: Callable[[], bool],
    ) -> None:
        """old: whether the workspace's TypeScript is older than 6, whose defaults are others."""
        super().__init__("types", WORKER, HEAP_MB, root, index, program, log_file, environment)
        self._old = old

    @contextmanager
    def _opening(self, program: Program) -> Iterator[tuple[dict[str, Any], Sequence[int]]]:
        with super()._opening(program) as (opening, descriptors):
            yield {**opening, "old": self._old()}, descriptors

    async def ask(self, method: str, question: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        """question, answer: as of a method of `worker.mjs`. Raises LanguageServerError."""

        async def ask() -> dict[str, Any]:
            left = max(0.0, deadline - asyncio.get_running_loop().time())
            found: dict[str, Any] = await self._ask(method, {**question, "ms": round(left * _SHARE * 1000)})
            return found

        return await self._in_turn(ask, deadline)


class CompiledTypes:
    """The port `Types`. The bindings tell which files may use a symbol. The index is refreshed by who asks."""

    def __init__(self, root: Path, bindings: Bindings, types: Types) -> None:
        self._root = root
        self._bindings = bindings
        self._types = types

    async def members(self, name: str, declared: Sequence[Site], deadline: float) -> NamedSymbol:
        places = list(map(self._bindings.place, declared))
        words = await self._words(places, deadline) if name.startswith("[") else [name]
        goal = await self._bindings.using(self._paths(declared), words[0], deadline, words, places)
        return await self._mentions("member", {**goal, "names": words, "declared": places}, deadline)

    async def _words(self, places: Sequence[Mapping[str, Any]], deadline: float) -> list[str]:
        """By which a member goes whose name is worked out: `[KIND]`. Raises LanguageServerError where there is none."""
        ambient = await self._bindings.ambient(deadline)
        words = (await self._types.ask("words", {"places": places, "ambient": ambient}, deadline))["words"]
        if not words:
            raise LanguageServerError("types_failed", "the name of the member is worked out when the program runs")
        return list(words)

    async def names(self, name: str, declared: Sequence[Site], deadline: float) -> NamedSymbol:
        at = self._bindings.place(declared[0])
        found = await self._bindings.at(declared[0], deadline)
        if found and all(one.scope == "member" for one in found):
            # A key of an object, or `this.a` of a function.
            return await self.members(name, declared, deadline)
        symbols = [one for one in found if any(at.items() <= _bare(place).items() for place in one.definitions)]
        if len(symbols) != 1 or symbols[0].scope not in ("module", "local", "shared"):
            return NamedSymbol(False, (), (), ())
        (bound,) = symbols
        homes = {one.path for one in bound.definitions}
        if bound.scope == "shared" or not homes.issubset(self._paths(declared)):
            # Programs may differ over what declares it, or adds to it.
            return await self._by_types_alone(bound, declared, deadline)
        return await self._decided(bound, deadline)

    async def _by_types_alone(self, bound: Bound, declared: Sequence[Site], deadline: float) -> NamedSymbol:
        """A symbol of which types decide every mention."""
        goal = await self._using(bound, deadline)
        doubted = list(filter(_is_for_types, bound.doubts))
        files = {one.path for one in (*bound.references, *bound.definitions, *doubted)}
        question = {
            **goal,
            "names": bound.names,
            "declared": list(map(self._bindings.place, declared)),
            # What another program declares by the same name is another symbol.
            "apart": sorted({one.path for one in bound.definitions if one.held}),
            "doubted": list(map(_bare, doubted)),
            "named": list(map(_bare, bound.references)),
            "files": sorted({*goal["files"], *files}),
        }
        typed = await self._mentions("whole", question, deadline)
        others = [self._doubt(one) for one in bound.doubts if not _is_for_types(one)]
        named = [Doubt(self._bindings.hit(one), NAMED) for one in bound.references if not one.path.endswith(COMPILED)]
        # What is in one program with the declaration names tell as well.
        sure = [self._bindings.hit(one) for one in bound.references if not one.held]
        # What projects add to a module, each of them declares for itself.
        is_global = bound.key.startswith("global#")
        further = [self._bindings.hit(one) for one in bound.definitions if is_global and not one.held]
        return self._united([typed, NamedSymbol(True, further, sure, [*others, *named])])

    async def _decided(self, bound: Bound, deadline: float) -> NamedSymbol:
        """A symbol of which types decide what names leave open."""
        definitions, references = self._bindings.hits(bound.definitions), self._bindings.hits(bound.references)
        # Types tell what declarations say, and not of which script they say it.
        script = any(one.path.endswith(SCRIPTS) for one in bound.definitions)
        doubted = [one for one in bound.doubts if _is_for_types(one) and not (script and one.reason == BUILT)]
        # A tool may import a name for a file that types find no declaration of.
        others = [self._doubt(one) for one in bound.doubts if one not in doubted or one.reason == UNDECLARED]
        named = NamedSymbol(True, definitions, references, others)
        # Other components know by its name what an instance is given: of Svelte, and a model of Vue.
        endings = (".svelte", ".vue") if MODEL in bound.names else ".svelte"
        given = bound.scope == "module" and any(one.path.endswith(endings) for one in bound.definitions)
        if not doubted and not given:
            return named
        # What leaves its name goes wherever the types of its module go; all else is decided where it stands.
        goal = await self._using(bound, deadline)
        files = {one.path for one in doubted}
        question = {
            **goal,
            "names": bound.names,
            "declared": list(map(_bare, bound.definitions)),
            "doubted": list(map(_bare, doubted)),
            "files": sorted({*goal["files"], *files} if given or any(one.held for one in doubted) else files),
        }
        return self._united([named, await self._mentions("whole" if given else "name", question, deadline)])

    async def _using(self, bound: Bound, deadline: float) -> dict[str, list[str]]:
        """As of `Bindings.using`, by any of its names."""
        paths = list(dict.fromkeys(one.path for one in bound.definitions))
        all_ = [await self._bindings.using(paths, name, deadline) for name in bound.names or [bound.name]]
        return {part: list(dict.fromkeys(path for one in all_ for path in one[part])) for part in all_[0]}

    async def _mentions(self, kind: str, question: Mapping[str, Any], deadline: float) -> NamedSymbol:
        parameters = {"kind": kind, "doubted": [], "named": [], **question}
        return self._symbol(await self._types.ask("mentions", parameters, deadline))

    async def constructions(self, declared: Sequence[Site], holder: Site, deadline: float) -> NamedSymbol:
        named = [await self.names("", [holder], deadline)]
        heirs = {holder}
        while True:
            paths = {self._bindings.relative(hit.path) for one in named for hit in _all(one)}
            goal = await self._bindings.using(self._paths(declared), "constructor", deadline)
            question = {**goal, "declared": list(map(self._bindings.place, declared)), "files": sorted(paths)}
            found = await self._types.ask("constructions", question, deadline)
            further = {site_of(self._bindings.hit(place_of(one))) for one in found["heirs"]} - heirs
            if not further:
                break
            heirs |= further
            named += [await self.names("", [site], deadline) for site in sorted(further)]
        uses = self._bindings.hits(map(place_of, found["uses"]))
        doubts = [*(doubt for one in named for doubt in one.doubts), *map(self._unread, found["unread"])]
        return NamedSymbol(True, [], uses, doubts)

    async def templates(
        self, name: str, declared: Sequence[Site], among: TemplateFiles, deadline: float
    ) -> NamedSymbol:
        places = list(map(self._bindings.place, declared))
        paths = {part: list(map(self._bindings.relative, some)) for part, some in among._asdict().items()}
        question = {**paths, "name": name, "declared": places}
        answer = await self._types.ask("templates", question, deadline)
        if not answer["isMentioned"]:
            return NamedSymbol(True, (), (), ())
        reached = await self._bindings.using(self._paths(declared), name, deadline, DECORATORS, places)
        goal = await self._bindings.using(self._paths(declared), name, deadline, places=places)
        question = {**question, **goal, "reached": reached["files"]}
        return self._symbol(await self._types.ask("templates", question, deadline))

    async def embedded(self, name: str, deadline: float) -> list[Hit]:
        return self._bindings.hits(await self._bindings.embedded(name, deadline))

    def _symbol(self, found: Mapping[str, Any]) -> NamedSymbol:
        """Of an answer to `mentions`."""
        hits: dict[str, list[Hit]] = {"use": [], "definition": []}
        doubts = list(map(self._unread, found["unread"]))
        for one in found["mentions"]:
            place = place_of(one)
            if one["kind"] == "doubt":
                doubts.append(self._doubt(place))
            else:
                hits[one["kind"]].append(self._bindings.hit(place))
        return NamedSymbol(True, hits["definition"], hits["use"], doubts)

    def _united(self, all_: Sequence[NamedSymbol]) -> NamedSymbol:
        """What is sure of any is sure; of a place that is known there is no doubt."""
        definitions = {hit[:2]: hit for one in all_ for hit in one.definitions}
        uses = {hit[:2]: hit for one in all_ for hit in one.uses if hit[:2] not in definitions}
        starts = {(path, span.start) for path, span in (*definitions, *uses)}
        doubts = [doubt for one in all_ for doubt in one.doubts if (doubt.hit.path, doubt.hit.span.start) not in starts]
        decided = bool(all_) and all(one.decided for one in all_)
        return NamedSymbol(decided, list(definitions.values()), list(uses.values()), doubts)

    def _unread(self, path: str) -> Doubt:
        return Doubt(Hit(f"{self._root}/{path}", BEGINNING), UNREAD)

    def _paths(self, declared: Sequence[Site]) -> list[str]:
        return list(dict.fromkeys(map(self._bindings.relative, (site.path for site in declared))))

    async def definitions(self, sites: Sequence[Site], deadline: float, member: str = "") -> list[list[Definition]]:
        places = list(map(self._bindings.place, sites))
        goal = {"places": places, "member": member, "ambient": await self._bindings.ambient(deadline)}
        found = await self._types.ask("definitions", goal, deadline)
        return [list(map(self._definition, one)) for one in found["definitions"]]

    def _definition(self, one: Mapping[str, Any]) -> Definition:
        hit = self._bindings.hit(place_of(one))._replace(definition=True)
        return Definition(hit, KINDS.get(one["kind"], ""))

    async def heritage(
        self, name: str, declared: Sequence[Site], mentioned: Collection[str], deadline: float
    ) -> Heritage:
        using = await self._bindings.using(self._paths(declared), name, deadline, _INHERITING)
        files = list(dict.fromkeys([*using["files"], *map(self._bindings.relative, mentioned)]))
        question = {**using, "files": files, "declared": list(map(self._bindings.place, declared))}
        found = await self._types.ask("heritage", question, deadline)
        return Heritage(
            [site_of(self._bindings.hit(place_of(one))) for one in found["goals"]],
            list(map(self._step, found["below"])),
            list(map(self._step, found["above"])),
            [*(self._doubt(place_of(one)) for one in found["doubts"]), *map(self._unread, found["unread"])],
        )

    async def objects(
        self, name: str, declared: Sequence[Site], member: str | None, mentioned: Collection[str], deadline: float
    ) -> tuple[Sequence[Hit], Sequence[Doubt]]:
        using = await self._bindings.using(self._paths(declared), member or name, deadline)
        files = using["files"] if member is not None else list(map(self._bindings.relative, mentioned))
        question = {**using, "files": files, "name": member, "declared": list(map(self._bindings.place, declared))}
        found = await self._types.ask("objects", question, deadline)
        return self._bindings.hits(map(place_of, found["objects"])), list(map(self._unread, found["unread"]))

    def _step(self, one: Mapping[str, Any]) -> Step:
        child, parent = (self._bindings.hit(place_of(one[side])) for side in ("child", "parent"))
        return Step(child, parent, one["relation"], one["isRenamed"], one["kind"])

    def _doubt(self, place: Place) -> Doubt:
        return Doubt(self._bindings.hit(place), place.reason)


UNREAD = "a file that was not read"
# The prop of a component of Vue for which a model without a name stands.
MODEL = "modelValue"
# As `references.mjs` tells it.
BUILT = "declarations that may stand for the sources"
UNDECLARED = "a name that nothing declares: it may be registered, or imported for the file"
# So ends what `references.mjs` tells of a key that reads a module: types may know no more than that it is a string.
COMPUTED_KEY = "is read by a computed key"
NAMED = "a component that names it, and that types do not know to"
# One of these stands where something inherits.
_INHERITING = ("extends", "implements", "augments")


def _all(one: NamedSymbol) -> list[Hit]:
    return [*one.definitions, *one.uses, *(doubt.hit for doubt in one.doubts)]


def _is_for_types(doubt: Place) -> bool:
    """Whether types may decide what names doubt."""
    return doubt.path.endswith(COMPILED) and not doubt.reason.endswith(COMPUTED_KEY)


def _bare(place: Place) -> dict[str, Any]:
    """As the process reads it."""
    at = {"file": place.path, "line": place.line, "character": place.character}
    return {**at, "reason": place.reason, "held": place.held}
