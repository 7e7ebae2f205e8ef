"""The specifiers of imports, by form alone: where they stand, and what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from operator import itemgetter

from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, line_start
from cn_daemon.domain.source.tokens import tokens

# One by one: of a pattern that begins with letters these are looked for, which is many times faster.
_SPECIFIERS = tuple(
    re.compile(word + r"\s*(?:/\*[^*]*\*/\s*)?(?P<quote>['\"`])(?P<name>[^'\"`\n]+)(?P=quote)")
    for word in ("from", "import", r"import\s*\(", r"require\s*\(", r"<reference\s+path\s*=")
)
_QUOTED = tuple(
    re.compile(word + r"\s*(?P<quote>['\"])(?P<name>[^'\"\n]+)(?P=quote)")
    for word in ("from", "import", r"import\s*\(", r"require\s*\(")
)
_ADDS = re.compile(r"declare\s+module\s*(?P<quote>['\"])(?P<name>[^'\"\n]+)(?P=quote)")
# It errs towards none.
_MODULE = re.compile(r"^(?:import|export)\b", re.MULTILINE)
# How an alias of a folder usually begins, `@/`, `~/`, `#`, `$lib/`, `/src/`, and how the path ends that follows.
_ALIAS = re.compile(r"^[@~#$]+/?|^/|\.[mc]?[jt]sx?$")
# In front of what is a part of a word, or a member: `a.import("b")`.
_PART = re.compile(r"(?:[\w$]|(?<!\.)\.)\Z")
# Modules of the runtimes: a source of that name is another's, unless the project leads there.
NODE = frozenset(
    "assert async_hooks buffer bun child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib".split()
)


def specifiers(document: Document) -> tuple[tuple[str, int], ...]:
    """Each with its offset. What stands behind a `?` is for bundlers."""
    found = (
        (match["name"].partition("?")[0], match.start("name"))
        for pattern in _SPECIFIERS
        for match in _whole(pattern, document.text)
    )
    return tuple((name, at) for name, at in found if name and not name.startswith("/") and ":" not in name)


def imported(document: Document) -> list[tuple[str, int]]:
    """Every specifier with its offset; those of examples in comments are none, those in texts may be."""
    text = document.once(SourceText).text
    return [(name, at) for name, at in document.once(_quoted) if is_code(text, at)]


def added(document: Document) -> list[tuple[str, int]]:
    """What `declare module` adds to, with its offset; in what is no module it declares one."""
    if not _ADDS.search(document.text) or not is_module(document):
        return []
    text = document.once(SourceText).text
    found = ((match["name"], match.start("name")) for match in _ADDS.finditer(text))
    return [(name, at) for name, at in found if is_code(text, at)]


def is_module(document: Document) -> bool:
    return _MODULE.search(document.text) is not None


def by_name(document: Document) -> list[tuple[str, int]]:
    """Every specifier that is no path, with its offset; those of examples in comments and texts are none."""
    found = document.once(_quoted)
    return in_code(document, [(name, at) for name, at in found if not name.startswith((".", "/")) and ":" not in name])


def from_root(document: Document) -> list[tuple[str, int]]:
    """The same of those that bundlers read from a root of theirs: `/src/a`."""
    return in_code(document, [(name, at) for name, at in document.once(_quoted) if re.match(r"/[\w$@]", name)])


def _quoted(document: Document) -> list[tuple[str, int]]:
    return quoted(document.once(SourceText).text)


def quoted(text: str) -> list[tuple[str, int]]:
    """Each specifier between plain quotes in a text, in order, with its offset."""
    found = (match for pattern in _QUOTED for match in _whole(pattern, text))
    return sorted(((match["name"], match.start("name")) for match in found), key=itemgetter(1))


def _whole(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return (one for one in pattern.finditer(text) if not _PART.search(text, max(0, one.start() - 2), one.start()))


def in_code(document: Document, found: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those of these specifiers that are no parts of examples."""
    if not found:
        return []
    code = document.once(_in_code)
    return [(name, at) for name, at in found if at in code]


def _in_code(document: Document) -> frozenset[int]:
    # Imports stand at the top: the rest of the text need not be read.
    source = document.once(SourceText)
    last = max((at for _, at in document.once(_quoted)), default=0)
    read = takewhile(lambda token: token.start < last, tokens(source.text, jsx=source.jsx))
    return frozenset(token.start + 1 for token in read if token.kind == "string")


def is_code(text: str, offset: int) -> bool:
    """Whether a specifier is a string of its own, and no part of an example, as its line tells."""
    before = text[line_start(text, offset) : offset - 1].lstrip()
    return not before.startswith(("*", "//", "/*")) and not any(before.count(quote) % 2 for quote in "'\"`")


def aliased(specifier: str) -> str:
    """How a source's path may end, without its ending, to which a bundler's alias leads: `lib/a` of `@/lib/a.ts`."""
    return _ALIAS.sub("", specifier)


def package_of(specifier: str) -> str:
    """`@a/b` of `@a/b/c`, `a` of `a/b`, `/a` of `/a/b`."""
    parts = specifier.split("/")
    if not parts[0] and len(parts) > 1:
        return f"/{parts[1]}"
    return "/".join(parts[:2]) if specifier.startswith("@") and len(parts) > 1 else parts[0]
