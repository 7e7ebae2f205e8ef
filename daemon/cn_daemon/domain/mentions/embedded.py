"""Files of other formats that hold TypeScript or JavaScript, which the language servers do not read: what in them may
use a name. A script without an ending is one of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from cn_daemon.domain.source.text import occurrences

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
_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|/\*[\s\S]*?(?:\*/|\Z)|(?:^|(?<=\s))//[^\n]*", re.MULTILINE)
# What Markdown shows as code is none of the file's.
_SHOWN = re.compile(r"^(?P<fence>[ \t]*(?:`{3,}|~{3,}))[\s\S]*?(?:^(?P=fence)|\Z)|`[^`\n]*`", re.MULTILINE)
# Of a sheet of styles only `v-bind(…)` is code, and the keys of a binding of classes are their names.
_STYLE = re.compile(r"<style\b[\s\S]*?(?:</style\s*>|\Z)")
_BOUND = re.compile(r"v-bind\([^)\n]*\)|[^\n]")
_CLASSES = re.compile(r"(?:v-bind)?:(?:class|style)\s*=\s*(?P<quote>['\"])[\s\S]*?(?P=quote)")
_KEY = re.compile(r"(?<=[{,])\s*[\w$]+(?=\s*:)")
_IMPORT = re.compile(
    r"\bimport\s+(?:type\s+)?(?P<clause>[^;'\"]*?)\s*\bfrom\s*(?P<quote>['\"])(?P<module>[^'\"\n]+)(?P=quote)"
)
# What a component is given; a tag ends within so many characters.
_TAG = re.compile(r"<[A-Z][\w.]*\s[^<]*\Z")
_FAR = 1000
_DECLARING = r"\b(?:const|let|var|function|class|type|interface|enum)\s+"


def is_embedding(path: str) -> bool:
    """Whether a file is of such a format, or may be a script without an ending."""
    return os.path.splitext(path)[1] in ENDINGS or is_bare(path)


def is_bare(path: str) -> bool:
    """Whether the name of a file has no ending: it may be a script, and its first line tells."""
    return "." not in os.path.basename(path)


def may_take(text: str, path: str, name: str, inside: Callable[[str], bool]) -> list[int]:
    """The lines, 1-based, where a member of that name may be taken of a value. It errs towards yes, but for prose, and
    for Markdown that imports nothing of the workspace. inside: whether a specifier may lead into that."""
    code = _code(text, path)
    if path.endswith(".mdx") and not any(inside(match["module"]) for match in _IMPORT.finditer(code)):
        return []
    word = re.escape(name)
    taken = rf"\.\s*#?{word}(?![\w$])|\[\s*(['\"]){word}\1\s*\]|[{{,]\s*{word}\s*(?=[,}}:=])"
    starts = [match.start() for match in re.finditer(taken, code)]
    if path.endswith(".mdx"):
        starts += [start for start in occurrences(code, name) if _TAG.search(code, max(0, start - _FAR), start)]
    return sorted({code.count("\n", 0, start) + 1 for start in starts})


def declares(text: str, path: str, name: str) -> bool:
    """Whether a script in the text declares the name."""
    word = re.escape(name)
    return re.search(rf"{_DECLARING}{word}(?![\w$])", _code(text, path)) is not None


def _code(text: str, path: str) -> str:
    if path.endswith(_PAGES):
        text = _scripts(text)
    elif is_bare(path) and not _SHEBANG.match(text):
        return ""
    code = _blanked(_blanked(text, _SHOWN) if path.endswith(".mdx") else text, _COMMENT)
    code = _STYLE.sub(lambda match: _BOUND.sub(_unless_bound, match[0]), code)
    return _CLASSES.sub(lambda match: _blanked(match[0], _KEY), code)


def _scripts(page: str) -> str:
    """What of a page is code; all else is blank."""
    parts, last = [], 0
    for match in _SCRIPTS.finditer(page):
        start, end = match.span("body" if match["body"] is not None else "handler")
        parts += [_blank(page[last:start]), page[start:end]]
        last = end
    return "".join([*parts, _blank(page[last:])])


def _unless_bound(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) > 1 else " "


def _blanked(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: _blank(match[0]), text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
