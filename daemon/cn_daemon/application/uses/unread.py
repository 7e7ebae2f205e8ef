"""Uses that no language server can tell: in files of other formats, and in the templates of a class."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, Words, stem_of
from cn_daemon.application.uses.programs import is_global
from cn_daemon.domain.declarations.outline import MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import Wanted, is_embedding, may_use
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import occurrences

# Behind one of a list in braces.
_LISTED = re.compile(r"\s*[,}]")
_TEMPLATE = re.compile(
    r"\btemplateUrl\s*:\s*(?P<quote>['\"`])(?P<path>[^'\"`\n]+)(?P=quote)|\btemplate\s*:\s*`(?P<text>(?:\\.|[^`\\])*)`"
)


class Unread:
    """For one question: shares its documents."""

    def __init__(self, words: Words, documents: Documents) -> None:
        self._words = words
        self._documents = documents

    def reason(
        self,
        symbol: Symbol,
        names: Collection[str],
        importers: Collection[str],
        uses: Iterable[Hit] = (),
        *,
        bound: bool = False,
    ) -> str:
        """Why there may be more uses, or nothing. names: the symbol's own and those that exports give it. importers:
        files that may import its module when that exports it as the default, else none. bound: whether names tell
        what components name."""
        main = symbol.main
        if form_of(main.path) is not None:
            return ""
        holding = {path for name in names for path in self._words.files_with(name)} | set(importers)
        embedding = sorted(path for path in holding if is_embedding(path) and not (bound and is_component(path)))
        wanted = self._wanted(symbol, names, bool(importers)) if embedding else None
        counted = [wanted] if wanted and (main.kind in MEMBERS or not main.local) else []
        if wanted and main.kind not in MEMBERS and any(map(self._is_key, uses)):
            # What a function returns as `{ a }` is taken of it by that name.
            counted.append(wanted._replace(member=True))
        found = sorted({(path, line) for path in embedding for one in counted for line in self._lines(path, one)})
        found += self._in_templates(symbol)
        if not found:
            return ""
        path, line = found[0]
        mentions = "a mention" if len(found) == 1 else f"{len(found)} mentions"
        files = len({path for path, _ in found})
        where = "a file" if files == 1 else f"{files} files"
        return (
            f"{mentions} in {where} that the language server does not read may be uses as well "
            f"({self._documents.place(path, line)})"
        )

    def _is_key(self, hit: Hit) -> bool:
        """Whether it stands in an object literal as `{ a }`."""
        document = self._documents.try_get(hit.path)
        text = document.once(SourceText) if document is not None else None
        start, end = (text.offset(hit.span.start), text.offset(hit.span.end)) if text else (0, 0)
        if document is None or text is None or not _LISTED.match(text.text, end) or text.in_imports(start):
            return False
        script = brackets(document)
        brace = script.opener[script.at(start)]
        return script.text(brace) == "{" and script.text(script.closer.get(brace, 0) + 1) != "="

    def _wanted(self, symbol: Symbol, names: Collection[str], default: bool) -> Wanted:
        packages = self._words.packages()
        stem = stem_of(symbol.main.path)
        if stem == "index":
            stem = os.path.basename(os.path.dirname(symbol.main.path))
        special = packages.specifiers(symbol.main.path)

        def inside(module: str) -> bool:
            root = "/".join(module.split("/")[: 2 if module.startswith("@") else 1])
            if module.startswith((".", "/", "#", "@/", "~")) or root in packages.folders or packages.is_alias(module):
                return True
            return root not in packages.dependencies and self._words.leads_inside(module)

        def leads(module: str) -> bool:
            return default and (stem_of(module) == stem or module in special)

        # What a function makes is taken of it, whose keys are no rows of the outline.
        member = symbol.main.parent is not None or symbol.main.local
        exported = any(one.exported for one in symbol.declarations)
        bare = is_global(symbol, self._documents.try_get(symbol.main.path))
        return Wanted(names, member, exported, bare, inside, leads)

    def _lines(self, path: str, wanted: Wanted) -> list[int]:
        document = self._documents.try_get(path)
        return may_use("\n".join(document.lines), path, wanted) if document else []

    def _in_templates(self, symbol: Symbol) -> list[tuple[str, int]]:
        """Mentions of a member in the template of its class, beside it or in its file."""
        main = symbol.main
        document = self._documents.try_get(main.path)
        if main.kind not in MEMBERS or document is None or "@Component" not in document.text:
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
