"""What a user may type for a symbol or a place, and the ids that answers carry."""

from __future__ import annotations

import re
from typing import NamedTuple

from cn_daemon.domain.source.text import Position

PREFIX = "ref::"

# No file has a line of more than nine digits, and Python reads no number of more than 4300.
_ID = re.compile(r"(?P<path>.+?)::(?P<line>\d{1,9})(?:::(?P<character>\d{1,9}))?$", re.DOTALL)
# An outline spells a symbol's place with the line that it ends on: `12:5-20`.
_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d{1,9})(?::(?P<character>\d{1,9})(?:-\d{1,9})?)?$", re.DOTALL)
# A `#` between two names; the one of a private name (`User.#name`) stands at its start.
_HASH = r"(?<=[^.#])#"
# What stands before the first `#` that follows a file's ending is a path; a later one begins a private name.
_IN_FILE = re.compile(r"(?P<path>.+?\.[A-Za-z]+)#(?P<name>.+)$", re.DOTALL)
# Possessive: with two ways to read a word, `a.a.a…!` is read in 2ⁿ ways before it is no name.
_WORD = r"#?+[\w$]*+"
_NAME = re.compile(rf"{_WORD}(?>(?:(?:\.|::|#){_WORD})*)$")
# What is no identifier: `A["b-c"]`, `A.[Symbol.iterator]`, `"b-c"`, `b-c`.
_SPELLED = re.compile(
    rf"(?P<outer>{_WORD}(?>(?:(?:\.|::|#){_WORD})*))"
    r"(?:\[?(?P<quote>['\"])(?P<quoted>[^'\"]+)(?P=quote)\]?|(?P<computed>\[[^\[\]'\"]+\]))$"
    r"|(?P<dashed>[\w$]++(?:-[\w$]++)+)$"
)
# As PHP writes it: `App\Models\User`, `\App\User::name`.
_NAMESPACED = re.compile(r"\\?\w++(?>(?:\\\w++)+)(?:::\w++)?$|\\\w++$")
# A member's number may have a point in it: `A.1.5`.
_NUMBERED = re.compile(r"(?:(?P<outer>.*)(?:\.|::|#))?(?P<number>\d*\.\d+\w*)$", re.DOTALL)


# What stands around a name where it is declared or called.
_BEFORE = re.compile(
    r"(?>(?:@|(?:export|default|declare|abstract|async|static|public|private|protected|readonly|override|final|pub|virtual|"
    r"new|await|return)\s+)+)"
)
# The next word is what they declare, whatever follows.
_DECLARING = re.compile(
    r"(?>(?:(?:class|interface|function\*?|const|let|var|type|enum|namespace|module|def|fn|struct|trait|impl|mod|"
    r"func(?:\s*\([^()]*\))?)\s+)+)"
)
_BEHIND = re.compile(r"(?>(?:<[^()]*>)?)\s*+(?>(?:\([^()]*\)?+)?)(?>(?:\[\])*)\s*+[;:{,?!]?+$")
# A declared name ends there.
_DECLARED = re.compile(
    rf"(?P<name>{_WORD}(?>(?:(?:\.|::|#){_WORD})*))(?=\s*+(?:[(<{{=:;,]|$|(?:extends|implements|for)\b))"
)
_TAG = re.compile(r"</?+\s*+([\w$.]++)\s*+/?+>$")
# What may stand before the sign between two names: `a?.b`, `a!.b`, `vector<int>::size`.
_JOINT = re.compile(r"(?:<[^<>()]*+>|[?!])(?=\.|::)")
# Lines of a file, also as GitHub spells them.
_PASSAGE = re.compile(r"(?P<path>.+?)(?::|#L)(?P<first>\d{1,9})-L?(?P<last>\d{1,9})$", re.DOTALL)
# The object that its own class calls so.
_OWN = ("this", "self")
# A longer line is no name: it is searched from each of its characters on.
_LONGEST_LINE = 400


class Place(NamedTuple):
    """A file and a position in it. `character` 0 means that only the line was given."""

    path: str
    line: int
    character: int

    @property
    def position(self) -> Position:
        return Position(self.line, self.character)


class Passage(NamedTuple):
    """Lines of a file, 1-based, both of them in it."""

    path: str
    first: int
    last: int


class Name(NamedTuple):
    """A symbol by name: `containers` outermost first, `path` when the query named a file."""

    name: str
    containers: tuple[str, ...] = ()
    path: str | None = None


def split_number(wanted: Name) -> Name | None:
    """What else `A.1.5` may be: the 5 of A's 1."""
    outer, point, inner = wanted.name.partition(".")
    if point and outer.isdecimal() and inner.isdecimal():
        return Name(inner, (*wanted.containers, outer), wanted.path)
    return None


def make(path: str, position: Position) -> str:
    """`ref::<path>::<line>::<character>`"""
    return f"{in_file(path)}{position.line}::{position.character}"


def in_file(path: str) -> str:
    """What the ids of all places in a file begin with; `<line>::<character>` follows."""
    return f"{PREFIX}{path}::"


def undressed(query: str) -> str:
    """The name alone of what was copied from code or prose: `` `compose()` ``, `class Hono {`, `new Hono()`, `a?.b`."""
    bare = query.strip().strip("`").strip()
    if len(bare) > _LONGEST_LINE:
        return bare
    if tag := _TAG.match(bare):
        return tag[1]
    if found := _BEFORE.match(bare):
        bare = bare[found.end() :]
    if (declaring := _DECLARING.match(bare)) and (declared := _DECLARED.match(bare, declaring.end())):
        return declared["name"]
    return _BEHIND.sub("", _JOINT.sub("", bare).replace("->", "."), count=1)


def passage(query: str) -> Passage | None:
    """The lines of a file that `path:200-220` names; None for what spells anything else."""
    bare = query.strip().strip("`").removeprefix(PREFIX)
    found = None if _PLACE.match(bare) else _PASSAGE.match(bare)
    if found is None or not ("/" in found["path"] or "." in found["path"]):
        return None
    first, last = int(found["first"]), int(found["last"])
    return Passage(found["path"], min(first, last), max(first, last))


def parse(query: str) -> Place | Name | None:
    """The place or the name that `query` spells, or None when it spells neither.

    Ids are read from the right, so that a path may hold `::`. `<path>#A.b`, `<path>:A.b` and `<path>::A.b` name a
    symbol in a file; what stands before the separator is a path when it holds a slash or a dot. A name that is no
    identifier is quoted or stands in brackets, as in code: `A["b-c"]`, `A.[Symbol.iterator]`.
    """
    query = query.strip()
    if _NAMESPACED.match(query):
        query = query.replace("\\", ".").replace("::", ".").lstrip(".")
    bare = query.removeprefix(PREFIX)
    for pattern in (_ID, _PLACE):
        match = pattern.match(bare)
        if match:
            return Place(match["path"], int(match["line"]), int(match["character"] or 0))
    match = _IN_FILE.match(bare)
    if match and (_NAME.match(match["name"]) or _SPELLED.match(match["name"])):
        return _name(match["name"], match["path"])
    for separator in ("::", ":"):
        path, found, rest = bare.rpartition(separator)
        if found and rest and ("/" in path or "." in path) and _NAME.match(rest):
            return _name(rest, path)
    return _name(bare, None) if bare and (_NAME.match(bare) or _SPELLED.match(bare)) else None


def _name(text: str, path: str | None) -> Name | None:
    spelled = _SPELLED.match(text)
    if spelled is not None:
        outer = _name(spelled["outer"] or "", None)
        name = spelled["quoted"] or spelled["computed"] or spelled["dashed"]
        return Name(name, (*outer.containers, outer.name) if outer else (), path)
    numbered = _NUMBERED.match(text)
    if numbered is not None:
        outer = _name(numbered["outer"] or "", None)
        return Name(numbered["number"], (*outer.containers, outer.name) if outer else (), path)
    parts = [part for part in re.split(rf"\.|::|{_HASH}", text) if part]
    parts = parts[1:] if parts[1:] and parts[0] in _OWN else parts
    return Name(parts[-1], tuple(parts[:-1]), path) if parts else None
