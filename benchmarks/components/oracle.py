"""The truth: what the framework's own language server tells of a place, by its definition and its references."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from benchmarks.pipes import Pipes

_SERVERS = {
    ".vue": ("@vue/language-server/bin/vue-language-server.js", {"vue": {"hybridMode": False}}),
    ".svelte": ("svelte-language-server/bin/server.js", {}),
    ".astro": ("@astrojs/language-server/bin/nodeServer.js", {}),
}
# The files of which a server tells.
_ASKED = {".vue": (".vue", ".ts"), ".svelte": (".svelte",), ".astro": (".astro",)}
_WORD = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*")
_SCRIPT = re.compile(r"<script\b[^>]*>[\s\S]*?</script\s*>|\A\s*---\r?\n[\s\S]*?^---", re.MULTILINE)
_HIDDEN = re.compile(r"<style\b[\s\S]*?</style\s*>|<!--[\s\S]*?-->|//[^\n]*|/\*[\s\S]*?\*/")
_MEMBER = re.compile(r"\.\s*$")
_SIGNATURE = re.compile(r"^(?:(?!\b(?:const|let|var|function|class|interface|type|enum)\b).)*$")
# In a template an element, an attribute or an event declares nothing, whatever the server says.
_ATTRIBUTE = re.compile(r"[<@:#]$")
# It is a module to `cn`, and to a server what one file calls it.
_NAMESPACE = re.compile(r"\bimport\s+\*\s+as\s+$")
# A method or an accessor of an object: to a server the member of the expected type, to `cn` one of its own.
_OWN = re.compile(r"^\s*(?:(?:get|set|async)\s+)?\*?$")
_BODY = re.compile(r"^[\w$]+\s*\([^()]*\)\s*(?::[^{}]*)?\{")
# A member of a type.
_DECLARED = re.compile(r"^\s*(?:readonly\s+)?[\w$]+\??:[^,]*;\s*$")
# Of a directive the server tells the component that it stands at.
_DIRECTIVE = re.compile(r"v-[a-z]")
# What a pattern takes may be asked for as the member or as the variable.
_PATTERN = re.compile(r"[{,]\s*$")
_DECLARED_PATTERN = re.compile(r"\b(?:const|let|var)\s*\{[^{};]*$")
_PARAMETER = re.compile(r"^[\w$]*\s*[,}][^<>;]*?\)\s*=>")
# The same in `v-for`, in the props of a slot and in `{#each}`.
_TEMPLATE_PATTERN = re.compile(
    r"(?:\bv-for=[\"'](?:(?!\s(?:in|of)\s)[^\"'])*|(?:\bv-slot|#)[\w:.-]*=[\"'][^\"']*|\{#each\b[^{}]*\bas\s[^{}]*)[{,]\s*$"
)
# The default of a prop of Vue: the server leads there, `cn` to the prop.
_DEFAULTS = re.compile(r"\bwithDefaults\s*\(\s*defineProps\b[\s\S]*?\(\s*\)\s*,\s*\{(?:(?!\n\s*\}\s*,?\s*\))[\s\S])*$")
# The server reads no key of `<template v-for>`.
_UNREAD_KEY = re.compile(r"<template\b(?=[^<>]*\sv-for=)[^<>]*\s:key=\"([^\"]*)")
_SPECIFIER = re.compile(r"\b(?:from|import)\s*\(?\s*['\"][^'\"]*$")
_IMPORT = re.compile(r"\b(?:import|export)\b[^;'\"]*$")


@dataclass
class Truth:
    """place: "path:line:character" that is asked at; places: the definition's and those of the uses.

    also: what the server tells besides when it is asked where that is declared, as the property of the type that an
    object is expected to be; and members of other parts of a union, which declare and use nothing.
    """

    place: str
    name: str
    definition: str
    references: set[str] = field(default_factory=set)
    also: set[str] = field(default_factory=set)
    is_member: bool = False
    in_template: bool = False


class Oracle:
    def __init__(self, root: Path, modules: Path, ending: str) -> None:
        """modules: the folder that has the servers."""
        program, options = _SERVERS[ending]
        self._root = root
        self._ending = ending
        self._opened: set[Path] = set()
        self._server = Pipes(["node", str(modules / program), "--stdio"], root)
        self._server.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
                "capabilities": {},
                "initializationOptions": {"typescript": {"tsdk": str(modules / "typescript/lib")}, **options},
            },
        )
        self._server.notify("initialized", {})

    def close(self) -> None:
        self._server.close()

    def symbols(self, seed: int, count: int) -> Iterator[Truth]:
        """So many members and so many other symbols, found at random places of components: as many in templates as in
        scripts."""
        left = {(member, template): count // 2 for member in (True, False) for template in (True, False)}
        seen: set[str] = set()
        for path, start, in_template in self._places(random.Random(seed)):
            if not any(left.values()):
                return
            if not any(left[member, in_template] for member in (True, False)):
                continue
            truth = self._truth(path, start, in_template)
            if truth is None or truth.definition in seen or not left[truth.is_member, in_template]:
                continue
            seen.add(truth.definition)
            left[truth.is_member, in_template] -= 1
            yield truth

    def _places(self, chance: random.Random) -> Iterator[tuple[Path, int, bool]]:
        """Words of components, in templates and in scripts by turns."""
        places: tuple[list[tuple[Path, int]], list[tuple[Path, int]]] = ([], [])
        for path in sorted(self._root.rglob(f"*{self._ending}")):
            if not self._is_own(path):
                continue
            text = path.read_text("utf-8")
            hidden = [one.span() for one in _HIDDEN.finditer(text)]
            scripts = [one.span() for one in _SCRIPT.finditer(text)]
            for word in _WORD.finditer(text):
                if not _within(word.start(), hidden):
                    places[_within(word.start(), scripts)].append((path, word.start()))
        for one in places:
            chance.shuffle(one)
        for template, script in zip(*places, strict=False):
            yield *template, True
            yield *script, False

    def _truth(self, path: Path, start: int, in_template: bool) -> Truth | None:
        text = path.read_text("utf-8")
        before, after = text[:start], text[start:]
        if _PATTERN.search(before) and (_PARAMETER.match(after) if in_template else not _IMPORT.search(before)):
            return None
        if in_template and _TEMPLATE_PATTERN.search(before[-1000:]):
            return None
        if _SPECIFIER.search(before) or (in_template and _DIRECTIVE.match(after)):
            return None  # the server tells the names that it is imported by, or the specifiers
        line = text.count("\n", 0, start)
        place = self._place(path, line, _units(text[text.rfind("\n", 0, start) + 1 : start]))
        found = list(self._told("textDocument/definition", place))
        if len(found) != 1 or not self._is_own(found[0][0]):
            return None
        definition = self._shown(*found[0])
        uses = self._uses(place)
        if definition not in uses and not definition.endswith(f"{self._ending}:1:1"):
            return None  # it lies behind another one
        if _NAMESPACE.search(self._before(definition)):
            return None
        if not in_template and _OWN.match(before[before.rfind("\n") + 1 :]) and _BODY.match(after):
            return None
        if uses == {definition} or self._is_markup(definition) or self._is_taken(definition):
            return None
        if definition.endswith(".astro:1:1"):
            return None  # the server tells the uses of one import
        word = _WORD.match(text, start)
        assert word is not None
        own = self._shown(path, line, place["position"]["character"])
        member = any(_MEMBER.search(self._before(one)) for one in uses) or (
            not in_template and bool(_SIGNATURE.match(self._before(definition)))
        )
        also = self._uses(self._place(*found[0])) if found[0][0].suffix in _ASKED[self._ending] else set()
        for default in self._defaults(definition):
            uses |= self._uses(default)
        uses -= {definition}
        members = {one for one in uses if _DECLARED.match(self._line(one))}
        also |= members | set(self._unread(path, word[0]))
        return Truth(own, word[0], definition, uses - members, also, member, in_template)

    def _defaults(self, definition: str) -> Iterator[dict[str, Any]]:
        """Where a prop of Vue has its default: another symbol to the server, to which `props.a` of scripts leads."""
        shown, line, _ = definition.rsplit(":", 2)
        path = self._root / shown
        text = path.read_text("utf-8") if path.suffix == ".vue" else ""
        prop = _WORD.match(self._line(definition)[len(self._before(definition)) :])
        if prop is None or "withDefaults" not in text:
            return
        for key in re.finditer(rf"(?<![\w$.]){re.escape(prop[0])}(?=\s*:)", text):
            before = text[: key.start()]
            if before.count("\n") >= int(line) and _DEFAULTS.search(before):
                yield self._place(path, before.count("\n"), _units(before[before.rfind("\n") + 1 :]))

    def _unread(self, path: Path, name: str) -> Iterator[str]:
        """Where a template mentions a name that the server does not look at."""
        text = path.read_text("utf-8")
        for key in _UNREAD_KEY.finditer(text) if path.suffix == ".vue" else ():
            for word in _WORD.finditer(text, key.start(1), key.end(1)):
                if word[0] == name:
                    before = text[: word.start()]
                    yield self._shown(path, before.count("\n"), _units(before[before.rfind("\n") + 1 :]))

    def _uses(self, place: dict[str, Any]) -> set[str]:
        told = self._told("textDocument/references", place, context={"includeDeclaration": True})
        shown = {self._shown(*one) for one in told if self._is_own(one[0])}
        # Of a slot of Vue the server tells the whole element as well that fills it.
        return {one for one in shown if not self._line(one)[len(self._before(one)) :].startswith("<")}

    def _is_markup(self, place: str) -> bool:
        """Whether a place of a component is an element, an attribute or an event."""
        path, line, _ = place.rsplit(":", 2)
        text = (self._root / path).read_text("utf-8") if path.endswith(self._ending) else ""
        start = sum(len(one) + 1 for one in text.split("\n")[: int(line) - 1]) + len(self._before(place))
        if not text or start == 0 or any(one.start() <= start < one.end() for one in _SCRIPT.finditer(text)):
            return False
        return bool(_ATTRIBUTE.search(text[:start])) or bool(re.match(r"[\w$-]*\s*=[\"'{]", text[start:]))

    def _is_taken(self, place: str) -> bool:
        """Whether a pattern takes a name there, as what a component of Svelte is given, or it is a prop's default."""
        path, line, _ = place.rsplit(":", 2)
        lines = (self._root / path).read_text("utf-8").split("\n")[: int(line) - 1]
        before = "\n".join([*lines, self._before(place)])
        taken = bool(_PATTERN.search(before)) and bool(_DECLARED_PATTERN.search(before))
        return taken or bool(_DEFAULTS.search(before))

    def _line(self, place: str) -> str:
        path, line, _ = place.rsplit(":", 2)
        return (self._root / path).read_text("utf-8").split("\n")[int(line) - 1]

    def _before(self, place: str) -> str:
        return self._line(place)[: int(place.rsplit(":", 2)[2]) - 1]

    def _told(self, method: str, place: dict[str, Any], **more: object) -> Iterable[tuple[Path, int, int]]:
        for one in self._server.request(method, {**place, **more}) or ():
            start = (one.get("targetSelectionRange") or one["range"])["start"]
            path = Path(unquote(urlparse(one.get("targetUri") or one["uri"]).path))
            yield path, start["line"], start["character"]

    def _place(self, path: Path, line: int, character: int) -> dict[str, Any]:
        uri = path.as_uri()
        if path not in self._opened:
            self._opened.add(path)
            language = "typescript" if path.suffix == ".ts" else path.suffix[1:]
            document = {"uri": uri, "languageId": language, "version": 1, "text": path.read_text("utf-8")}
            self._server.notify("textDocument/didOpen", {"textDocument": document})
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    def _is_own(self, path: Path) -> bool:
        """Neither a dependency's nor what a tool writes: `.nuxt`, `.svelte-kit`, `.astro`."""
        parts = path.relative_to(self._root).parts if path.is_relative_to(self._root) else ("node_modules",)
        return not any(one == "node_modules" or one.startswith(".") for one in parts)

    def _shown(self, path: Path, line: int, character: int) -> str:
        return f"{path.relative_to(self._root)}:{line + 1}:{character + 1}"


def _within(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
