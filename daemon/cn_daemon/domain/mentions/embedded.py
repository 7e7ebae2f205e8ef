"""Files of other formats that hold TypeScript or JavaScript, which the language servers do not read: what in them may
use a name. A script without an ending is one of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cn_daemon.domain.source.text import Document, occurrences

_PAGES = (".html", ".htm")
ENDINGS = frozenset({".vue", ".svelte", ".astro", ".mdx", *_PAGES})
# Programs that run JavaScript, as a script names one in its first line.
RUNTIMES = r"\b(?:node|nodejs|bun|deno|tsx|ts-node)\b"
_SHEBANG = re.compile(rf"#!.{{0,99}}{RUNTIMES}")
# Of a page its scripts and handlers are code.
_SCRIPTS = re.compile(
    r"<script\b[^>]{0,2000}>(?P<body>[\s\S]*?)(?:</script\b|\Z)"
    r"|\bon[a-z]{1,99}\s{0,99}=\s{0,99}(?P<handler>\"[^\"]{0,2000}\"|'[^']{0,2000}')",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|/\*[\s\S]*?(?:\*/|\Z)|//(?<!\S//)[^\n]*")
# What Markdown shows as code is none of the file's, nor are the paths that its links lead to.
_SHOWN = re.compile(
    r"^(?P<fence>[ \t]*(?:`{3,}|~{3,}))[\s\S]*?(?:^(?P=fence)|\Z)|`[^`\n]*`|(?<=\])\([^(){}'\"\s]*/[^(){}'\"\s]*\)",
    re.MULTILINE,
)
# A string in code, but for a single word, by which a member may be taken. Behind what no prose has before a quote.
_STRING = re.compile(r"(?<=[\[({,:=?&|+])\s{0,99}\"(?![\w$]+\")(?:\\.|[^\"\\\n])*\"")
_IMPORT = re.compile(r"\b(?:from|import)\s{0,99}(?P<quote>['\"])(?P<module>[^'\"\n]+)(?P=quote)")
# Where a component is given something, strings and shown code apart. A tag ends within so many characters.
_GIVEN = re.compile(r"\s*(?:=|/?>)|\s+[\w@:{]")
_TAG = re.compile(r"<[A-Z][\w.]*\s[^<]*\Z")
_OPENED = re.compile(r"<[A-Z]")
_FAR = 1000
# So much may stand between a name and the signs around it.
_SPACE = 200
_DECLARING = r"\b(?:const|let|var|function|class|type|interface|enum)\s+"


def is_embedding(path: str) -> bool:
    """Whether a file is of such a format, or may be a script without an ending."""
    return os.path.splitext(path)[1] in ENDINGS or is_bare(path)


def is_bare(path: str) -> bool:
    """Whether the name of a file has no ending: it may be a script, and its first line tells."""
    return "." not in os.path.basename(path)


def may_take(document: Document, name: str) -> list[int]:
    """The lines, 1-based, where a member of that name may be taken of a value. It errs towards yes, but for prose."""
    # Most texts hold the name in prose alone: what is code in them need not be told apart.
    if not any(_taken(document.text, document.path, name, _OPENED)):
        return []
    code = document.once(_code)
    return sorted({code.count("\n", 0, start) + 1 for start in _taken(code, document.path, name, _TAG)})


def imported(document: Document) -> frozenset[str]:
    """The specifiers by which a text imports."""
    return frozenset(match["module"] for match in _IMPORT.finditer(document.text))


def _taken(code: str, path: str, name: str, tag: re.Pattern[str]) -> Iterator[int]:
    """tag: what stands before what a component is given."""
    is_mdx = path.endswith(".mdx")
    for start in occurrences(code, name):
        end = start + len(name)
        before, after = code[max(0, start - _SPACE) : start], code[end : end + _SPACE]
        if _is_taken(before, after) or (
            is_mdx and before[-1:].isspace() and _GIVEN.match(after) and tag.search(code, max(0, start - _FAR), start)
        ):
            yield start


def _is_taken(before: str, after: str) -> bool:
    """`a.name`, `a["name"]`, `{ name }`, `{ name: 1 }`, `{ name = 1 }`"""
    if before.removesuffix("#").rstrip().endswith("."):
        return True
    if before[-1:] in ("'", '"'):
        return before[:-1].rstrip().endswith("[") and after[:1] == before[-1] and after[1:].lstrip().startswith("]")
    return before.rstrip().endswith(("{", ",")) and after.lstrip().startswith((",", "}", ":", "="))


def declares(document: Document, name: str) -> bool:
    """Whether a script in the text declares the name."""
    word = re.escape(name)
    return re.search(rf"{_DECLARING}{word}(?![\w$])", document.once(_code)) is not None


def _code(document: Document) -> str:
    text, path = document.text.replace("\r\n", "\n").replace("\r", "\n"), document.path
    if path.endswith(_PAGES):
        text = _scripts(text)
    elif is_bare(path) and not _SHEBANG.match(text):
        return ""
    if path.endswith(".mdx"):
        text = _blanked(_blanked(text, _SHOWN), _STRING)
    return _blanked(text, _COMMENT)


def _scripts(page: str) -> str:
    """What of a page is code; all else is blank."""
    parts, last = [], 0
    for match in _SCRIPTS.finditer(page):
        start, end = match.span("body" if match["body"] is not None else "handler")
        parts += [_blank(page[last:start]), page[start:end]]
        last = end
    return "".join([*parts, _blank(page[last:])])


def _blanked(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: _blank(match[0]), text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
