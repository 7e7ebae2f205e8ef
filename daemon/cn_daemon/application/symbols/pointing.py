"""What stands at a place that a question names, and where a name stands: read from the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cn_daemon.application.ports import Site, TellsForm
from cn_daemon.domain.declarations.outline import CONTAINERS, Declaration
from cn_daemon.domain.ids import Place
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span, character_at, occurrences
from cn_shared.errors import InputError, NotFoundError

_WORD = re.compile(r"[\w$]+")


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


async def identifier_at(server: TellsForm, document: Document, position: Position, deadline: float) -> str:
    """The identifier that stands there; nothing in a comment or a string."""
    for span in await server.identifiers(document, Span(position, position), deadline):
        if span.start <= position < span.end:
            return document.at(span)
    return ""


async def first_identifier(server: TellsForm, document: Document, line: int, deadline: float) -> Position:
    text = document.line(line)
    whole_line = Span(Position(line, 1), Position(line, character_at(text, len(text))))
    found = (span.start for span in await server.identifiers(document, whole_line, deadline))
    return next((start for start in found if start.line == line), whole_line.start)


def word_at(document: Document, position: Position) -> str:
    """The word that stands there, also in a comment."""
    index = document.index(position)
    return next(
        (found[0] for found in _WORD.finditer(document.line(position.line)) if found.end() > index >= found.start()), ""
    )


async def mention(server: TellsForm, document: Document, name: str, deadline: float) -> Site | None:
    """The first place where `name` is an identifier, not a word of a comment or a string."""
    return await written(server, document, [name], deadline)


async def written(server: TellsForm, document: Document, parts: Sequence[str], deadline: float) -> Site | None:
    """The first place of the last part in a file that writes `a.b`, not in a comment or a string."""
    source = document.once(SourceText)
    dotted = re.compile(r"\s*[?!]?\.\s*".join(map(re.escape, parts)) + r"(?![\w$])")
    continues = (".", "#") if len(parts) > 1 else ()
    starts = (at for at in occurrences(source.text, parts[0]) if source.text[at - 1 : at] not in continues)
    ends = [match.end() for at in starts if (match := dotted.match(source.text, at))]
    if not ends:
        return None
    # Nothing is read beyond the last of them.
    places = {source.position(end - len(parts[-1])) for end in ends}
    read = Span(min(places), source.position(max(ends)))
    named = (span.start for span in await server.identifiers(document, read, deadline))
    return next((Site(document.path, start) for start in named if start in places), None)
