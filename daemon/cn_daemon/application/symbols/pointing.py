"""What stands at a place that a question names, and where a name stands: read from the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from cn_daemon.application.ports import Site
from cn_daemon.domain.declarations.outline import CONTAINERS, Declaration
from cn_daemon.domain.ids import Place
from cn_daemon.domain.source.forms import form_of, mentions, read
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, character_at, occurrences
from cn_daemon.domain.source.tokens import Token, tokens
from cn_shared.errors import InputError, NotFoundError


def check_place(document: Document, place: Place) -> Position:
    """The place, when the file has it. Raises NotFoundError (`no_such_line`), InputError (`no_such_character`)."""
    count = len(document.lines)
    if not 1 <= place.line <= count:
        raise NotFoundError(
            "no_such_line",
            f"{place.path} has {count} lines, not {place.line}.",
            hint=f"`cn map {place.path}` lists what is in it now.",
            lines=count,
        )
    width = character_at(document.line(place.line), len(document.line(place.line)))
    if place.character > width:
        raise InputError(
            "no_such_character",
            f"Line {place.line} of {place.path} has {width - 1} characters, not {place.character}.",
        )
    return place.position


def is_given(declared: Declaration, position: Position) -> bool:
    """Whether what stands there may be declared elsewhere all the same, and the server knows where: a key of an object
    that is passed on (by a parameter's type or, in `{ key }`, by a variable), a function that a member is assigned and
    that the outline calls by the member's name, a name within `[name]`."""
    if declared.name.startswith("["):
        return position > declared.position
    # A class that stands in a body is declared there, with its members.
    within = declared.parent is not None and declared.parent.kind in CONTAINERS
    return declared.local and not within


def identifier_at(document: Document, position: Position) -> str:
    """The identifier that stands there; nothing in a comment or a string."""
    source = document.once(SourceText)
    place = source.offset(position)
    token = next((one for one in _tokens(source) if one.end > place), None)
    if token is None or token.kind != "name" or token.start > place:
        return ""
    return source.text[token.start : token.end]


def first_identifier(document: Document, line: int) -> Position:
    text = document.line(line)
    form = form_of(document.path)
    for token in read(text, form) if form is not None else tokens(text):
        if token.kind == "name":
            return Position(line, character_at(text, token.start))
    return Position(line, 1)


def mention(document: Document, name: str) -> Site | None:
    """The first place where `name` is an identifier, not a word of a comment or a string."""
    source = document.once(SourceText)
    if source.form is not None:
        first = next(mentions(source.text, source.form, name), None)
    else:
        # Behind the last place where it stands nothing needs to be read.
        last = source.text.rfind(name)
        found = takewhile(lambda token: token.start <= last, tokens(source.text, jsx=source.jsx))
        first = next((token.start for token in found if _is_named(source.text, token, name)), None)
    return None if first is None else Site(document.path, source.position(first))


def _is_named(text: str, token: Token, name: str) -> bool:
    return token.kind in ("name", "keyword") and text[token.start : token.end] == name


def written(document: Document, parts: Sequence[str]) -> Site | None:
    """The first place of the last part in a file that writes `a.b`, not in a comment or a string."""
    source = document.once(SourceText)
    dotted = re.compile(r"\s*[?!]?\.\s*".join(map(re.escape, parts)) + r"(?![\w$])")
    starts = (at for at in occurrences(source.text, parts[0]) if source.text[at - 1 : at] not in (".", "#"))
    places = {found.end() - len(parts[-1]) for at in starts if (found := dotted.match(source.text, at))}
    last = max(places, default=-1)
    # Read once, and not beyond the last of them.
    before = takewhile(lambda token: token.start <= last, _tokens(source))
    first = next((token.start for token in before if token.start in places and token.kind == "name"), None)
    return None if first is None else Site(document.path, source.position(first))


def _tokens(source: SourceText) -> Iterator[Token]:
    return tokens(source.text, jsx=source.jsx) if source.form is None else read(source.text, source.form)
