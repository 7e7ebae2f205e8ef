"""Which files could use a symbol, by the names that exports give it and by how modules may be imported."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.exports import exported_names, exports_default
from cn_daemon.application.ports import Hit, LanguageServer, Words, reads, stem_of
from cn_daemon.application.uses.commonjs import Exported
from cn_daemon.domain.source.reading import SCRIPTS

_FOLDER = re.compile(r"['\"](?:\.{1,2}/)*\.{1,2}/?['\"]")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*$|\$[\w$]*$")


class Candidates:
    """Of the server's languages, for one question."""

    def __init__(self, words: Words, server: LanguageServer, documents: Documents) -> None:
        self._words = words
        self._server = server
        self._documents = documents

    def holding(self, name: str) -> set[str]:
        """Files that hold it as a word."""
        return self._read(self._words.files_with(name))

    def takers(self, exported: Iterable[Exported]) -> set[str]:
        """Files that could take one of these."""
        found: set[str] = set()
        handing = set(self._words.files_with("exports"))
        for module, name in exported:
            importers = self.importers(module) if module.endswith(SCRIPTS) else set()
            # Some of those hand on all that the module exports, without a name.
            found.update([*self._words.files_with(name), *(importers & handing)] if name else importers)
        return self._read(found)

    def further(self, hits: Iterable[Hit], known: set[str]) -> set[str]:
        """Files that could use the symbol under a name that an export gave it; `known` grows by those names."""
        found: set[str] = set()
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path) if "/node_modules/" not in path else None
            if document is None or "export" not in document.text:
                continue
            exported = document.once(exported_names)
            spans = (hit.span for hit in here if hit.span.start.line == hit.span.end.line) if exported else ()
            for word in {document.at(span) for span in spans} - known:
                if _IDENTIFIER.match(word) and word in exported:
                    known.add(word)
                    found.update(self._words.files_with(word))
            if exports_default(document, known):
                found.update(self.importers(path))
        return self._read(found)

    def importers(self, path: str) -> set[str]:
        """Files that could import the module `path` by its name: a default import chooses its own."""
        stem, folder = stem_of(path), os.path.dirname(path)
        found: set[str] = set()
        if stem == "index":
            stem = os.path.basename(folder)
            found.update(one for one in self.holding("index") if one.startswith(f"{folder}/"))
        for name in {stem, *self.specifiers(path)}:
            found |= self.naming(name)
        return found | self._below(path)

    def specifiers(self, path: str) -> set[str]:
        """What else the module `path` may be imported by."""
        return self._words.packages().specifiers(path)

    def naming(self, specifier: str) -> set[str]:
        """Files that hold the words of a specifier."""
        words = [word for word in re.split(r"[^\w$]+", specifier) if word]
        return set.intersection(*(set(self._words.files_with(word)) for word in words)) if words else set()

    def _below(self, path: str) -> set[str]:
        """Scripts that could require the module `path` by its folder (`..`), which holds no word."""
        packages = self._words.packages()
        folders = {os.path.dirname(path)} if stem_of(path) == "index" else set()
        folders.update(packages.folders[name] for name in packages.specifiers(path) & packages.folders.keys())
        if not folders or not path.endswith(SCRIPTS):
            return set()
        below = (one for one in self._words.files_with("require") if any(one.startswith(f"{up}/") for up in folders))
        documents = map(self._documents.try_get, below)
        return {one.path for one in documents if one is not None and _FOLDER.search(one.text)}

    def _read(self, paths: Iterable[str]) -> set[str]:
        return {path for path in paths if reads(self._server, path)}
