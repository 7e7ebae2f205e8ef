"""Files of other formats that hold TypeScript or JavaScript, which the language servers do not read. A script without
an ending is one of them."""

from __future__ import annotations

import os
import re

from cn_daemon.domain.source.text import Document

ENDINGS = frozenset({".vue", ".svelte", ".astro", ".mdx", ".html", ".htm"})
# Programs that run JavaScript, as a script names one in its first line.
RUNTIMES = r"\b(?:node|nodejs|bun|deno|tsx|ts-node)\b"
_DECLARING = r"\b(?:const|let|var|function|class|type|interface|enum)\s+"


def is_embedding(path: str) -> bool:
    """Whether a file is of such a format, or may be a script without an ending."""
    return os.path.splitext(path)[1] in ENDINGS or is_bare(path)


def is_bare(path: str) -> bool:
    """Whether the name of a file has no ending: it may be a script, and its first line tells."""
    return "." not in os.path.basename(path)


def declares(document: Document, name: str) -> bool:
    """Whether the text may declare the name in a script."""
    return re.search(rf"{_DECLARING}{re.escape(name)}(?![\w$])", document.text) is not None
