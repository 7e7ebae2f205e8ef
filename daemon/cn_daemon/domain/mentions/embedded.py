"""Files of other formats that hold TypeScript or JavaScript, which the language servers do not read: what in them may
use a name. A script without an ending is one of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from cn_daemon.domain.source.components import is_component

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
# What is taken of a module as a whole stands behind a dot, or in a pattern.
_WHOLE = re.compile(
    r"\bimport\s*\*\s*as\b[^;'\"]*?\bfrom\s*['\"](?P<module>[^'\"\n]+)['\"]"
    r"|\b(?:import|require)\s*\(\s*['\"](?P<taken>[^'\"\n]+)['\"]\s*\)"
)
_DECLARING = r"\b(?:const|let|var|function|class|type|interface|enum)\s+"
_WORD = re.compile(r"[\w$]+")


class Wanted(NamedTuple):
    """names: the symbol's own and those that exports give it. member: whether it is taken of something. everywhere:
    whether tools may bring it into a file that does not import it. bare: whether no file needs to import it. inside:
    whether a specifier may lead to the symbol. default: whether one may lead to the module that exports it as its
    default."""

    names: Collection[str]
    member: bool
    everywhere: bool
    bare: bool
    inside: Callable[[str], bool]
    default: Callable[[str], bool]


def is_embedding(path: str) -> bool:
    """Whether a file is of such a format, or may be a script without an ending."""
    return os.path.splitext(path)[1] in ENDINGS or is_bare(path)


def is_bare(path: str) -> bool:
    """Whether the name of a file has no ending: it may be a script, and its first line tells."""
    return "." not in os.path.basename(path)


def may_use(text: str, path: str, wanted: Wanted) -> list[int]:
    """The lines, 1-based, of mentions that may be uses. It errs towards yes, but for prose and other modules' names."""
    shown = path.endswith(".mdx")
    # Tools bring names into components, and no others.
    everywhere = wanted.everywhere and is_component(path)
    code = _code(text, path)
    imports = [(match, set(_WORD.findall(match["clause"]))) for match in _IMPORT.finditer(code)]
    if wanted.member:
        # A page that imports nothing of the workspace has no value of its types.
        found = [] if shown and not any(wanted.inside(one["module"]) for one, _ in imports) else _members(code, wanted)
    else:
        found = [
            one.start()
            for one, names in imports
            if (wanted.inside(one["module"]) and not names.isdisjoint(wanted.names))
            or (wanted.default(one["module"]) and (one["clause"][:1] != "{" or "default" in names))
        ]
        wholes = (one["module"] or one["taken"] for one in _WHOLE.finditer(code))
        if not wanted.bare and any(wanted.inside(one) and os.path.splitext(one)[1] not in ENDINGS for one in wholes):
            found += _members(code, wanted)
        brought = sorted(name for name in wanted.names if not any(name in names for _, names in imports))
        if (everywhere or wanted.bare) and not shown and not found:
            named = _named if wanted.bare else _called
            found = [start for name in brought for start in named(code, name)]
    return sorted({code.count("\n", 0, start) + 1 for start in found})


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


def _members(code: str, wanted: Wanted) -> list[int]:
    any_name = "|".join(map(re.escape, wanted.names))
    taken = rf"\.\s*#?(?:{any_name})(?![\w$])|\[\s*(['\"])(?:{any_name})\1\s*\]|[{{,]\s*(?:{any_name})\s*(?=[,}}:=])"
    return [match.start() for match in re.finditer(taken, code)]


def _called(code: str, name: str) -> Iterator[int]:
    return _named(code, name, r"(?:NAME\s*\(|(?<=<)NAME(?![\w$]))")


def _named(code: str, name: str, pattern: str = r"NAME(?![\w$]|\s*:)") -> Iterator[int]:
    word = re.escape(name)
    if re.search(rf"{_DECLARING}{word}(?![\w$])", code):
        return
    for match in re.finditer(r"(?<![\w$.])" + pattern.replace("NAME", word), code):
        yield match.start()


def _unless_bound(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) > 1 else " "


def _blanked(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: _blank(match[0]), text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
