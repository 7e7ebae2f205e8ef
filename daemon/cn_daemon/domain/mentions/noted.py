"""What comments name: types (`@param {A} b`), parameters, and what they import; all specifiers of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter

from cn_daemon.domain.mentions.taking import WHOLE, Take
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.specifiers import added
from cn_daemon.domain.source.specifiers import imported as in_code
from cn_daemon.domain.source.text import Document, Span

_TYPED = re.compile(
    r"@(?:type|param|arg|argument|returns?|typedef|property|prop|template|extends|augments|implements|satisfies|this"
    r"|enum|throws|exception|yields?)\s*\{"
)
# What stands for a parameter that is left out: `@template {A} [B=C]`.
_DEFAULT = re.compile(r"@template\b[^@\n]*?\[\s*[\w$]+\s*=")
# The types that need no braces.
_BARE = re.compile(r"@(?:type|this|enum)[ \t]+\Z")
_BRACES = re.compile(r"[{}\[\]]")
# A comment in a type of several lines, and no address in a quoted one.
_REMARK = re.compile(r"(?<!:)//")
_IMPORT = re.compile(r"@import\s+(?P<names>[^'\"@]*?)\bfrom\s*(?P<quote>['\"])(?P<module>[^'\"\n]+)(?P=quote)")
_NAMES = re.compile(r"(?P<member>[\w$]+)(?:\s+as\s+(?P<local>[\w$]+))?")
_PARAMETER = re.compile(r"@(?:param|arg|argument)\b")
# On the line of its name, unless nothing does.
_BEFORE_PARAMETER = ("}", "@param", "@arg", "@argument")
# White space of a comment: a line of it begins with a star.
_SPACE = re.compile(r"(?:(?<=\n)[ \t]*\*|\s)*")
# Its parameters may be members as well.
_OF_CONSTRUCTOR = re.compile(r"\*/\s*(?:(?:public|protected|private)\s+)?constructor\b")
_OF_MODULE = re.compile(
    r"import\s*\(\s*(?P<quote>['\"])(?P<module>[^'\"\n]+)(?P=quote)\s*(?:,\s*\{[^()]*)?\)\s*"
    r"(?:\.\s*|\[\s*['\"])(?P<name>[\w$]+)"
)
# How far before a name a comment may begin. One that holds a name many times is not read from its beginning for each.
_REACH = 10_000
# And how long a tag may be.
_LONGEST = 40


def is_noted(text: str, place: int) -> bool:
    """Whether a type in a comment is read there."""
    start = text.rfind("/**", max(0, place - _REACH), place)
    if start < 0 or text.find("*/", start + 3, place) >= 0:
        return False
    if _BARE.search(text, max(start, place - _LONGEST), place):
        return True
    openings = [tag.end() for tags in (_TYPED, _DEFAULT) for tag in tags.finditer(text, start, place)]
    opening = max(openings, default=0)
    if not opening or _REMARK.search(text, max(opening, text.rfind("\n", opening, place)), place):
        return False
    return not _behind_braces(text, opening, place)


def noted(text: str, name: str) -> Iterator[int]:
    """Where types in comments name something that is not a member, nor the name of one or of a parameter."""
    return (at for at in mentioned(text, name) if is_noted(text, at))


def mentioned(text: str, name: str) -> Iterator[int]:
    """The same in the code as well."""
    for found in re.finditer(rf"(?<![\w$.'\"-]){re.escape(name)}(?![\w$'\"-]|\s*\??:)", text):
        yield found.start()


def is_parameter(document: Document, span: Span) -> bool:
    """Whether a comment names a parameter there. TypeScript up to 5.9 takes the name for whatever is called so where
    the comment speaks of what the parameter has, too: `@param {Object} a`, `@param {string} a.b`."""
    if not document.once(_names_parameters):
        return False
    before = document.line(span.start.line)[: document.index(span.start)].rstrip(" \t*[")
    if before and not before.endswith(_BEFORE_PARAMETER):
        return False
    source = document.once(SourceText)
    if not _follows_tag(source.text, source.offset(span.start)):
        return False
    end = source.text.find("*/", source.offset(span.end))
    return end < 0 or not _OF_CONSTRUCTOR.match(source.text, end)


def _names_parameters(document: Document) -> bool:
    return _PARAMETER.search(document.text) is not None


def _follows_tag(text: str, place: int) -> bool:
    """Whether the tag of a parameter stands before it, with a type between them or none."""
    start = text.rfind("/**", max(0, place - _REACH), place)
    if start < 0 or text.find("*/", start + 3, place) >= 0:
        return False
    at = max((tag.end() for tag in _PARAMETER.finditer(text, start, place)), default=0)
    if not at:
        return False
    at = _behind_space(text, at, place)
    if text.startswith("{", at):
        behind = _behind_braces(text, at + 1, place)
        if not behind:
            return False
        at = _behind_space(text, behind, place)
    if text.startswith("[", at):
        at = _behind_space(text, at + 1, place)
    return at == place


def _behind_space(text: str, start: int, end: int) -> int:
    found = _SPACE.match(text, start, end)
    return found.end() if found else start


def _behind_braces(text: str, start: int, end: int) -> int:
    """Behind the brace that closes the one before; 0 when none does."""
    depth = 1
    for brace in _BRACES.finditer(text, start, end):
        depth += 1 if brace[0] in "{[" else -1
        if depth == 0:
            return brace.end()
    return 0


def of_modules(document: Document) -> list[Take]:
    """What types name of modules as they stand, `import("a").b`; those of scripts in their comments."""
    return document.once(_of_modules)


def _of_modules(document: Document) -> list[Take]:
    if not _OF_MODULE.search(document.text):
        return []
    text = document.once(SourceText).text
    script = document.path.endswith(SCRIPTS)
    return [
        Take(one.start("module"), one["module"], one["name"], one.start("name"))
        for one in _OF_MODULE.finditer(text)
        if not script or is_noted(text, one.start())
    ]


def specifiers(document: Document) -> list[tuple[str, int]]:
    """Every specifier of an import with its offset, in order, and of a `declare module` that adds to a module; those of
    a script also in its comments."""
    return document.once(_specifiers)


def _specifiers(document: Document) -> list[tuple[str, int]]:
    found = in_code(document)
    if document.path.endswith(SCRIPTS):
        more = [(one.specifier, one.module) for one in (*of_modules(document), *imported(document))]
    else:
        more = added(document)
    return sorted({*found, *more}, key=itemgetter(1)) if more else found


def imported(document: Document) -> list[Take]:
    """What the comments import: `@import a, { b as c } from "d"`."""
    return document.once(_imported)


def _imported(document: Document) -> list[Take]:
    text = "\n".join(document.lines)
    found = []
    for line in _IMPORT.finditer(text) if "@import" in text else ():
        inner = text.find("{", line.start(), line.end("names"))
        for name in _NAMES.finditer(text, line.start("names"), line.end("names")):
            member = name["member"] if 0 <= inner < name.start() else WHOLE
            local = "local" if name["local"] else "member"
            place = name.start("member")
            found.append(
                Take(line.start("module"), line["module"], member, place, name.start(local), name[local], imported=True)
            )
    return found
