"""Uses of a member in files of other formats, and in the templates of its class."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Doubt, Hit
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import imported, is_embedding, may_take
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.text import Position, Span, character_at, occurrences, utf16_length

NOT_READ = "a mention in a file whose types are not read"

_TEMPLATE = re.compile(
    r"\btemplateUrl\s*:\s*(?P<quote>['\"`])(?P<path>[^'\"`\n]+)(?P=quote)|\btemplate\s*:\s*`(?P<text>(?:\\.|[^`\\])*)`"
)


# For so long other questions wait.
_SLICE_S = 0.02


class Mentions(NamedTuple):
    """doubts: mentions that may be uses. late: how many files that hold the name there was no time to look into."""

    doubts: list[Doubt]
    late: int


class Unread:
    """For one question: shares its documents."""

    def __init__(self, context: Context) -> None:
        self._words, _, self._documents, self._deadline = context
        self._inside: dict[str, bool] = {}

    async def mentions(self, member: Symbol) -> Mentions:
        name = member.main.name.lstrip("#")
        # What components name, the bindings and types tell.
        embedding = sorted(
            path for path in self._words.files_with(name) if is_embedding(path) and not is_component(path)
        )
        found: list[tuple[str, int]] = []
        since = time.monotonic()
        for read, path in enumerate(embedding):
            if time.monotonic() > self._deadline:
                return Mentions([self._doubt(*place, name) for place in found], len(embedding) - read)
            if time.monotonic() > since + _SLICE_S:
                await asyncio.sleep(0)
                since = time.monotonic()
            found += [(path, line) for line in self._lines(path, name)]
        return Mentions([self._doubt(*place, name) for place in (*found, *self._in_templates(member))], 0)

    def _doubt(self, path: str, line: int, name: str) -> Doubt:
        text = self._documents.get(path).line(line)
        start = Position(line, character_at(text, next(occurrences(text, name), 0)))
        end = start._replace(character=start.character + utf16_length(name))
        return Doubt(Hit(path, Span(start, end)), NOT_READ)

    def _lines(self, path: str, name: str) -> list[int]:
        document = self._documents.try_get(path)
        # Markdown that imports nothing of the workspace has nothing of it.
        if document is None or (path.endswith(".mdx") and not any(map(self._is_inside, document.once(imported)))):
            return []
        return document.known(may_take, name)

    def _is_inside(self, module: str) -> bool:
        """Whether a specifier may lead into the workspace."""
        if module not in self._inside:
            self._inside[module] = self._leads_inside(module)
        return self._inside[module]

    def _leads_inside(self, module: str) -> bool:
        packages = self._words.packages()
        root = "/".join(module.split("/")[: 2 if module.startswith("@") else 1])
        if module.startswith((".", "/", "#", "@/", "~")) or root in packages.folders or packages.is_alias(module):
            return True
        return root not in packages.dependencies and self._words.leads_inside(module)

    def _in_templates(self, member: Symbol) -> list[tuple[str, int]]:
        """Mentions of a member in templates of Angular: of its class, and where it is taken of a value in others."""
        main = member.main
        found = {(path, line) for path, line, _ in self._templates(main.path, main.name)}
        decorated = {path for path in self._words.files_with("Component") if path.endswith(".ts")}
        for path in self._words.files_with(main.name) if decorated else ():
            script = path.removesuffix(".html") + ".ts" if path.endswith(".html") else path
            if script in decorated:
                found |= {(template, line) for template, line, taken in self._templates(script, main.name) if taken}
        return sorted(found)

    def _templates(self, path: str, name: str) -> Iterator[tuple[str, int, bool]]:
        """Each mention of a name in the templates that a script names or holds; and whether it is taken of a value."""
        document = self._documents.try_get(path)
        if document is None or "@Component" not in document.text:
            return
        text = "\n".join(document.lines)
        for match in _TEMPLATE.finditer(text):
            if match["text"] is not None:
                above = text.count("\n", 0, match.start("text")) + 1
                yield from ((path, line + above, taken) for line, taken in _above(match["text"], name))
                continue
            at = os.path.normpath(os.path.join(os.path.dirname(path), match["path"]))
            template = self._documents.try_get(at)
            if template is not None:
                yield from ((at, line + 1, taken) for line, taken in _above("\n".join(template.lines), name))


def _above(text: str, name: str) -> list[tuple[int, bool]]:
    """How many lines stand above each mention, and whether that is taken of a value, or given to a component."""
    word = re.escape(name)
    taken = re.compile(rf"(?<=\.){word}|(?<=[\[(]){word}(?=[\])]{{1,2}}\s*=)|(?<=\s){word}(?=\s*=\s*[\"'])")
    return [(text.count("\n", 0, start), taken.match(text, start) is not None) for start in occurrences(text, name)]
