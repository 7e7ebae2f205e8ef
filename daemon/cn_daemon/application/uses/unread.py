"""Uses of a member in files of other formats, and in the templates of its class."""

from __future__ import annotations

import os
import re

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Words
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import is_embedding, may_take
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.text import occurrences

_TEMPLATE = re.compile(
    r"\btemplateUrl\s*:\s*(?P<quote>['\"`])(?P<path>[^'\"`\n]+)(?P=quote)|\btemplate\s*:\s*`(?P<text>(?:\\.|[^`\\])*)`"
)


class Unread:
    """For one question: shares its documents."""

    def __init__(self, words: Words, documents: Documents) -> None:
        self._words = words
        self._documents = documents

    def reason(self, member: Symbol) -> str:
        """Why there may be more uses, or nothing."""
        name = member.main.name.lstrip("#")
        # What components name, the bindings and types tell.
        holding = (path for path in self._words.files_with(name) if not is_component(path))
        embedding = sorted(filter(is_embedding, holding))
        found = sorted({(path, line) for path in embedding for line in self._lines(path, name)})
        found += self._in_templates(member)
        if not found:
            return ""
        path, line = found[0]
        mentions = "a mention" if len(found) == 1 else f"{len(found)} mentions"
        files = len({path for path, _ in found})
        where = "a file" if files == 1 else f"{files} files"
        return (
            f"{mentions} in {where} whose types are not read may be uses as well ({self._documents.place(path, line)})"
        )

    def _lines(self, path: str, name: str) -> list[int]:
        document = self._documents.try_get(path)
        return may_take("\n".join(document.lines), path, name, self._is_inside) if document else []

    def _is_inside(self, module: str) -> bool:
        """Whether a specifier may lead into the workspace."""
        packages = self._words.packages()
        root = "/".join(module.split("/")[: 2 if module.startswith("@") else 1])
        if module.startswith((".", "/", "#", "@/", "~")) or root in packages.folders or packages.is_alias(module):
            return True
        return root not in packages.dependencies and self._words.leads_inside(module)

    def _in_templates(self, member: Symbol) -> list[tuple[str, int]]:
        """Mentions of a member in the template of its class, beside it or in its file."""
        main = member.main
        document = self._documents.try_get(main.path)
        if document is None or "@Component" not in document.text:
            return []
        text = "\n".join(document.lines)
        found = []
        for match in _TEMPLATE.finditer(text):
            if match["text"] is not None:
                line = text.count("\n", 0, match.start("text")) + 1
                found += [(main.path, line + above) for above in _above(match["text"], main.name)]
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(main.path), match["path"]))
            template = self._documents.try_get(path)
            if template is not None:
                found += [(path, 1 + above) for above in _above("\n".join(template.lines), main.name)]
        return found


def _above(text: str, name: str) -> list[int]:
    """How many lines stand above each mention."""
    return [text.count("\n", 0, start) for start in occurrences(text, name)]
