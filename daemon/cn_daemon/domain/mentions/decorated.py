"""Classes of a script that Angular's `@Component` or `@Directive` decorates, and what classes and interfaces extend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.mentions.templates import Template
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span, line_start
from cn_daemon.domain.source.tokens import Token, tokens

_DECORATOR = re.compile(r"@(?:Component|Directive)\s*(?=\()")
_IMPORT = re.compile(
    r"\bimport\s+(?:type\s+)?(?P<names>[^'\";]{1,2000}?)\s*\bfrom\s*(?P<quote>['\"])(?P<module>[^'\"\n]+)(?P=quote)"
)
_NAMED = re.compile(r"(?:\btype\s+)?(?P<own>[\w$]+)(?:\s+as\s+(?P<local>[\w$]+))?")
_PART = re.compile(r"(?P<tag>^[\w-]+)|\[(?P<attribute>[\w-]+)(?:=[^\]]*)?\]")
_CLASS = re.compile(r"\bclass\s+(?P<name>[\w$]+)")
_DECLARED = re.compile(r"\b(?P<kind>class|interface|type)\s+(?P<name>[\w$]+)")
_ALIKE = frozenset({"Partial", "Required", "Readonly", "Pick", "Omit", "Extract", "Exclude", "NonNullable"})
# So much is read of a declaration, for what it extends.
_HEAD = 4000
_CALLED = re.compile(r"\s{0,99}\(")
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


class Heritage(NamedTuple):
    """names: what a class extends and implements, and what its types are given. made: whether a call makes the base."""

    names: tuple[str, ...] = ()
    made: bool = False


class Selector(NamedTuple):
    """tag: "" for any. exact: whether it has no further conditions, as `:not(…)` and `.a` are."""

    tag: str
    attributes: frozenset[str]
    exact: bool

    def takes(self, tag: str, attributes: frozenset[str]) -> bool:
        """Whether an element may be meant."""
        return self.tag in ("", tag) and self.attributes <= attributes


class Decorated(NamedTuple):
    """start: where the class' name stands, an offset. url: of its template. template: the one that is written in the
    script. host: where expressions stand in the decorator, as `(click)` of it."""

    name: str
    start: int
    heritage: Heritage
    url: str
    template: Template | None
    host: tuple[tuple[int, int], ...]
    selectors: tuple[Selector, ...]


class Imported(NamedTuple):
    """own: by which name the module has it, "" for its default and for all of it."""

    own: str
    module: str


def decorated(document: Document) -> list[Decorated]:
    text, found, behind = document.once(SourceText).text, [], 0
    for match in _DECORATOR.finditer(text):
        if match.start() < behind:
            continue
        one, behind = _decorated(text, match)
        found += [one] if one else []
    return found


def selects(document: Document, name: str) -> bool:
    """Whether a selector in a script may hold a tag or an attribute."""
    return re.search(rf"\bselector\s*:[^}}]{{0,300}}?(?<![\w-]){re.escape(name)}(?![\w-])", document.text) is not None


def is_called(document: Document, span: Span) -> bool:
    """Whether what stands there is called in a template."""
    source = document.once(SourceText)
    start, end = source.offset(span.start), source.offset(span.end)
    if not _CALLED.match(source.text, end):
        return False
    inner = [] if document.path.endswith(".html") else document.once(decorated)
    written = [(one.template.start, one.template.end) for one in inner if one.template]
    spans = [*written, *(place for one in inner for place in one.host)]
    return document.path.endswith(".html") or any(first <= start < last for first, last in spans)


def imports_by_name(document: Document) -> dict[str, Imported]:
    """What the names that a script imports stand for."""
    found: dict[str, Imported] = {}
    for match in _IMPORT.finditer(document.text):
        default, brace, named = match["names"].partition("{")
        for word in re.findall(r"[\w$]+", default.replace("* as ", "")):
            found[word] = Imported("", match["module"])
        for one in _NAMED.finditer(named) if brace else ():
            found[one["local"] or one["own"]] = Imported(one["own"] if one["own"] != "default" else "", match["module"])
    return found


def heritages(document: Document, name: str) -> list[Heritage]:
    """Of each class, interface and alias that a script declares by a name."""
    source = document.once(SourceText).text
    declared = re.compile(rf"\b(?P<kind>class|interface|type)\s+(?P<name>{re.escape(name)})(?![\w$])")
    return [heritage for _, heritage in _headed(source, declared)]


def heirs(document: Document, name: str) -> tuple[frozenset[str], bool]:
    """The classes and interfaces of a script that extend or implement what a name means there; and whether more may: it
    goes by another name, or is handed on."""
    source = document.once(SourceText).text
    word = rf"(?<![\w$]){re.escape(name)}(?![\w$])"
    found = {own for own, heritage in _headed(source, _DECLARED) if name in heritage.names}
    renamed = rf"\bdefault\s+(?:abstract\s+)?(?:class\s+)?{word}|{word}\s+as\b|=\s*{word}\s*;"
    return frozenset(found), "hostDirectives" in source or re.search(renamed, source) is not None


def _decorated(text: str, match: re.Match[str]) -> tuple[Decorated | None, int]:
    """With where it was read to."""
    before = text[line_start(text, match.start()) : match.start()]
    if "//" in before or before.lstrip().startswith("*"):
        return None, match.end()
    values: dict[str, list[Token]] = {}
    depth, key, last = 0, "", ""
    for token in tokens(text, match.end()):
        if token.kind == "comment":
            continue
        word = text[token.start : token.end]
        depth += 1 if word in _OPEN else -1 if word in _CLOSE else 0
        if depth == 0:
            return _of_class(text, token.end, values), token.end
        if depth == 2 and word == ",":
            key = ""
        elif depth == 2 and word == ":" and not key:
            key = last.strip("'\"")
            values[key] = []
        elif key:
            values[key].append(token)
        last = word
    return None, len(text)


def _of_class(text: str, place: int, values: dict[str, list[Token]]) -> Decorated | None:
    """place: behind the decorator."""
    declared = _CLASS.search(text, place, place + _HEAD)
    if declared is None:
        return None

    def told(key: str) -> str:
        return "".join(_inner(text, one)[0] for one in values.get(key, ()) if one.kind == "string")

    written = [one for one in values.get("template", ()) if one.kind == "string"]
    template = None
    if written:
        first = written[0].start
        parts, place = [], first
        for one in written:
            inner, start = _inner(text, one)
            parts += [" " * (start - place), re.sub(r"\\(?=[\"'`])", " ", inner)]
            place = start + len(inner)
        template = Template("".join(parts), first)
    host = [(one.start + 1, one.end - 1) for one in _given(text, values.get("host", []))]
    heritage, _ = _heritage(text, declared.end())
    return Decorated(
        declared["name"],
        declared.start("name"),
        heritage,
        told("templateUrl"),
        template,
        tuple(host),
        tuple(_selectors(told("selector"))),
    )


def _inner(text: str, token: Token) -> tuple[str, int]:
    """What stands between the quotes of a string, or of a part of one, and where."""
    word = text[token.start : token.end]
    start = token.start + (1 if word[:1] in ("'", '"', "}") else 0)
    end = token.end - (2 if word.endswith("${") else 1 if word[-1:] in ("'", '"', "`") else 0)
    return text[start : max(start, end)], start


def _given(text: str, host: list[Token]) -> Iterator[Token]:
    """The expressions behind `"(event)":` and `"[property]":`."""
    for key, colon, token in zip(host, host[1:], host[2:], strict=False):
        bound = text[key.start + 1 : key.start + 2] in ("(", "[")
        if token.kind == "string" and bound and text[colon.start : colon.end] == ":":
            yield token


def _selectors(selector: str) -> Iterator[Selector]:
    for one in filter(None, (part.strip() for part in selector.split(","))):
        parts = list(_PART.finditer(one))
        tag = next((part["tag"] for part in parts if part["tag"]), "")
        attributes = frozenset(part["attribute"] for part in parts if part["attribute"])
        yield Selector(tag, attributes, _PART.sub("", one) == "")


def _headed(text: str, declared: re.Pattern[str]) -> Iterator[tuple[str, Heritage]]:
    behind = 0
    for match in declared.finditer(text):
        if match.start() >= behind:
            heritage, behind = _heritage(text, match.end(), alias=match["kind"] == "type")
            yield match["name"], heritage


def _heritage(text: str, place: int, *, alias: bool = False) -> tuple[Heritage, int]:
    """Of what is declared by a name that ends at `place`. Of what a type is given only that counts of which the
    library's types make one with the same members. With where it was read to."""
    end = place
    names: list[str] = []
    around: list[str] = []
    made, begun, last = False, False, ""
    for token in tokens(text, place):
        word, end = text[token.start : token.end], token.end
        if (word == "{" and not around) or word == ";" or token.start > place + _HEAD:
            break
        # What a generic alias makes of its types is not read.
        made = made or (begun and word == "(") or (alias and not begun and word == "<")
        begun = begun or (not around and word in (("=",) if alias else ("extends", "implements")))
        if word == "<":
            around.append(last)
        elif word == ">" and around:
            around.pop()
        elif begun and token.kind == "name" and all(one in _ALIKE for one in around):
            names.append(word)
        last = word
    return Heritage(tuple(names), made), end
