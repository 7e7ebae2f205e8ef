"""What both TypeScript servers count as source, and what they keep of it."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Sequence

from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document

# Endings and tsserver's names of what is in such files.
ENDINGS = {
    ".ts": "TS",
    ".mts": "TS",
    ".cts": "TS",
    ".tsx": "TSX",
    ".js": "JS",
    ".mjs": "JS",
    ".cjs": "JS",
    ".jsx": "JSX",
}
JSX_ENDINGS = (".tsx", ".jsx", ".js", ".mjs", ".cjs")
OUTLINES_KEPT = 4000
_CONFIGURATION = re.compile(r"(^|/)([^/]*(ts|js)config[^/]*\.json|package\.json|node_modules)$")


def indexed(name: str) -> bool:
    """Whether a file of that name is source, whose words matter."""
    return os.path.splitext(name)[1] in ENDINGS


def script_kind(path: str) -> str:
    """TS, TSX, JS or JSX."""
    return ENDINGS.get(os.path.splitext(path)[1], "TS")


def is_installation(path: str) -> bool:
    """Whether a change of it means that packages were installed or removed."""
    return path.endswith("/node_modules")


def is_configuration(path: str) -> bool:
    """Whether that file decides which files belong to which project."""
    return _CONFIGURATION.search(path) is not None


class Outlines:
    """The outlines of the texts that were asked about last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, list[Declaration]]] = OrderedDict()

    def known(self, documents: Sequence[Document]) -> tuple[dict[str, list[Declaration]], list[Document]]:
        """Those of `documents` that are kept for just this text, and the documents that are left."""
        answers: dict[str, list[Declaration]] = {}
        wanted = []
        for document in documents:
            kept = self._kept.get(document.path)
            if kept is not None and kept[0] == document.text:
                self._kept.move_to_end(document.path)
                answers[document.path] = kept[1]
            else:
                wanted.append(document)
        return answers, wanted

    def keep(self, document: Document, outline: list[Declaration]) -> list[Declaration]:
        self._kept[document.path] = (document.text, outline)
        while len(self._kept) > OUTLINES_KEPT:
            self._kept.popitem(last=False)
        return outline
