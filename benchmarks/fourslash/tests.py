"""The tests as TypeScript's team writes them, and what their baselines say."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

SOURCES = "internal/fourslash/tests"
BASELINES = "testdata/baselines/reference/{}fourslash/findAllReferences"
# Tests that edit their files: a baseline is of what they have become.
_EDITS = re.compile(r"\bf\.(?:Insert|Replace|Backspace|DeleteAtCaret|Paste|EditFile)\w*\(")
_CONTENT = re.compile(r"const content = (.*?)\n\t\w+, done :?= ", re.DOTALL)
_LITERAL = re.compile(r'`([^`]*)`|"((?:[^"\\]|\\.)*)"')
_OPTION = re.compile(r"^// ?@(\w+): ?(.*)$", re.IGNORECASE)
_MARK = re.compile(r"/\*[\w$]*\*/|\[\||\|\]|\{\|.*?\|\}", re.DOTALL)
_SECTION = "// === findAllReferences ==="
_FILE = re.compile(r"// === (/.*) ===$")
_SKIPPED = re.compile(r"// --- \(line: (\d+)\) skipped ---$")
_ASKED = "/*FIND ALL REFS*/"
_RANGE = re.compile(re.escape(_ASKED) + r"|\[\||\|\]")
_NAME = re.compile(r"#?[\w$]+$")
# Words at which nobody asks for a name.
_KEYWORDS = set(
    "abstract async await class const constructor continue default enum export extends function implements import "
    "in interface keyof let module namespace new override private protected public readonly return satisfies static "
    "super switch this throw try type typeof unique var void while yield declare get set as from "
    "number string boolean any unknown never object symbol bigint undefined".split()
)


# What a line imports: the name of a module behind it.
_IMPORTS = re.compile(
    r"\b(?:import|export|require)\b.*?(?:\bfrom\b|\bimport\b|\brequire\b)\s*\(?\s*([\"'])(?P<module>[^\"']+)\1"
)
# Two names of one thing: `import A = B.C`, `exports.a = a`.
_ALIAS = re.compile(
    r"\bimport (?P<one>\w+) = (?:\w+\.)*(?P<other>\w+)\b(?!\()|\bexports\.(?P<key>\w+) = (?P<value>\w+)\b"
)
_PATTERN = re.compile(r"(?:\b(?:const|let|var)\s*|[(,]\s*|^\s*)[\[{][^=]*\Z")
_DECLARING = re.compile(r"(?:\b(?:get|set|function)\s+|^\s*)\Z")


class Place(NamedTuple):
    """line and character count from 1."""

    path: str
    line: int
    character: int


@dataclass
class Section:
    """A question and its answer."""

    asked: Place
    places: set[Place]
    is_name: bool


@dataclass
class Test:
    name: str
    files: dict[str, str]
    links: dict[str, str]
    options: dict[str, Any]
    sections: list[Section] = field(default_factory=list)

    def name_at(self, place: Place) -> Place:
        """A quoted name begins at its bracket: the compiler tells the text of it, an outline the whole."""
        lines = self.files.get(place.path, "").split("\n")
        before = lines[place.line - 1][: place.character - 1] if place.line <= len(lines) else ""
        return place._replace(character=len(re.sub(r"\[?[\"'`]?$", "", before)) + 1)

    def elsewhere(self, section: Section, candidates: Collection[Place]) -> set[Place]:
        """What the compiler tells of candidates at other places."""
        others = (one.places for one in self.sections if one is not section and one.places.intersection(candidates))
        return set[Place]().union(*others)

    def is_quoted(self, place: Place) -> bool:
        return self._from(place)[:1] in tuple("\"'`")

    def is_default(self, place: Place) -> bool:
        """Whether it is the word, which is no name to ask for."""
        return re.match(r"default\b", self._from(place)) is not None

    def _from(self, place: Place) -> str:
        return self._line(place)[place.character - 1 :]

    def _before(self, place: Place) -> str:
        return self._line(place)[: place.character - 1]

    def _line(self, place: Place) -> str:
        lines = self.files.get(place.path, "").split("\n")
        return lines[place.line - 1] if place.line <= len(lines) else ""

    def is_taken(self, place: Place) -> bool:
        """Whether a pattern takes the name there, and declares it as a variable: `{ a } = b`."""
        after = re.match(r"[\w$]+\s*(?:[,}]|=(?!>))", self._from(place))
        before = self._before(place)
        return bool(after and re.search(r"[{,]\s*\Z", before) and _PATTERN.search(before) and not self.import_of(place))

    def is_member(self, place: Place) -> bool:
        """Whether it declares a member, or is the key of one: no use of a variable."""
        after = re.match(r"[\w$]+\s*(?:\?\s*)?([:(]|\Z)", self._from(place))
        return bool(after and (after[1] == ":" or _DECLARING.search(self._before(place))))

    def is_apart(self, place: Place, asked: Place) -> bool:
        """Whether it declares something in another project than that of a place."""
        homes = [
            {folder for folder in PurePosixPath(one.path).parents if f"{folder}/tsconfig.json" in self.files}
            for one in (place, asked)
        ]
        declares = re.search(r"\b(?:interface|class|enum|namespace|function|type)\s+\Z", self._before(place))
        return bool(declares) and homes[0] != homes[1]

    def is_exported(self, place: Place) -> bool:
        """Whether it only names what a script exports: `exports.a = …`."""
        assigned = re.match(r"[\w$]+\s*=(?!=)", self._from(place))
        return bool(assigned and re.search(r"\bexports\.\Z", self._before(place)))

    def import_of(self, place: Place) -> tuple[str, ...] | None:
        """What the import there is one of: the module and the name that it exports, "*" for all of it; for another name
        of something in the file, its line."""
        line, start = self._line(place), place.character - 1
        if alias := _ALIAS.search(line):
            names = [alias.start(group) for group in ("one", "other", "key", "value") if alias[group]]
            return (place.path, str(place.line)) if start in names else None
        found = _IMPORTS.search(line)
        if found is None or start >= found.end() or not re.match(r"[\w$]", line[start:]):
            return None
        within = re.search(r"\{[^{}]*\Z", line[:start])
        if within is None:
            return found["module"], "*"
        name = re.search(r"([\w$]+)\s*(?:\bas\b|:)\s*\Z", line[:start])
        return found["module"], name[1] if name else re.match(r"[\w$]+", line[start:])[0]  # type: ignore[index]

    def names_at(self, places: Iterable[Place]) -> set[Place]:
        return set(map(self.name_at, places))

    def allowed(self, section: Section, told: Collection[Place], declarations: Collection[Place]) -> set[Place]:
        """What else may be told than the answer at a place has. The compiler keeps the value, the type and the
        namespace of a name apart, and ends at an import: what it tells at another place of the symbol counts as well,
        and so do declarations at which it was not asked. told: the answer; declarations: those that are said to be the
        symbol's; where there are none, each place of the answer may be."""
        marks = {self.name_at(one.asked) for one in self.sections}
        imports = {self.import_of(place) for place in (*self.names_at(section.places), *declarations)} - {None}
        same = {place for place in told if self.import_of(place) in imports}
        own = set(declarations or told)
        united = [
            one
            for one in self.sections
            if section.asked in one.places or self.name_at(one.asked) in own or self.names_at(one.places) & same
        ]
        return self.names_at(section.places.union(*(one.places for one in united))) | same | (own - marks)


def read(root: Path) -> Iterator[Test]:
    """root: a clone of typescript-go. Tests with several commands are told by the baseline of this one."""
    for baseline in sorted(path for part in ("", "submodule/") for path in (root / BASELINES.format(part)).iterdir()):
        if not baseline.name.endswith(".baseline.jsonc"):
            continue
        name = baseline.name.removesuffix(".baseline.jsonc")
        sources = list((root / SOURCES).glob(f"*/{name}_test.go")) or [root / SOURCES / f"{name}_test.go"]
        source = sources[0].read_text("utf-8") if sources[0].is_file() else ""
        content = _CONTENT.search(source)
        if content is None or _EDITS.search(source):
            continue
        test = _parse(name, "".join(_literal(*pair) for pair in _LITERAL.findall(content[1])))
        test.sections = [one for one in map(_section, baseline.read_text("utf-8").split(_SECTION)[1:]) if one]
        yield test


def _literal(raw: str, quoted: str) -> str:
    return raw or json.loads(f'"{quoted}"')


def _parse(name: str, content: str) -> Test:
    test = Test(name, {}, {}, {})
    path, lines = f"/{name}.ts", list[str]()

    def end() -> None:
        if any(line.strip() for line in lines):
            test.files[path] = _MARK.sub("", "\n".join(_chomped(lines)))

    for line in content.split("\n"):
        option = _OPTION.match(line.lstrip() if line.lstrip().startswith("// @") else line)
        if option is None:
            lines.append(line)
            continue
        key, value = option[1].lower(), option[2].strip()
        if key == "filename":
            end()
            path, lines = str(PurePosixPath("/") / value), []
        elif key in ("link", "symlink"):
            link, _, target = value.partition(" -> ")
            test.links[target or value] = link if target else path
        elif not test.files and not lines:
            test.options[option[1]] = value
    end()
    return test


def _chomped(lines: list[str]) -> list[str]:
    """Old tests indent all of their text by a space."""
    return lines if any(line and line[0] != " " for line in lines) else [line[1:] for line in lines]


def _section(text: str) -> Section | None:
    """A section of a baseline: files, with lines left out, ranges between brackets."""
    asked: Place | None = None
    spans: list[tuple[Place, int, str]] = []
    path, line = "", 1
    for row in text.split("\n"):
        if header := _FILE.match(row):
            path, line = header[1], 1
        elif skipped := _SKIPPED.match(row):
            line = int(skipped[1]) + 1
        elif row.startswith("//") and path:
            plain, open_at = "", list[int]()
            body, at = row[3:], 0
            for mark in _RANGE.finditer(body):
                plain += body[at : mark.start()]
                at = mark.end()
                if mark[0] == _ASKED:
                    asked = Place(path, line, len(plain) + 1)
                elif mark[0] == "[|":
                    open_at.append(len(plain))
                elif open_at:
                    first = open_at.pop()
                    spans.append((Place(path, line, first + 1), len(plain) - first, plain[first:]))
            line += 1
    if asked is None:
        return None
    # The word of `export default a` is none of its uses here.
    shown = (place for place, _, text in spans if text != "default" or place == asked)
    places = {place for place in shown if "/node_modules/" not in place.path}
    own = [
        text
        for place, length, text in spans
        if place[:2] == asked[:2] and place.character <= asked.character < place.character + length
    ]
    is_name = any(_NAME.match(text) and text not in _KEYWORDS for text in own) and "/node_modules/" not in asked.path
    return Section(asked, places, is_name)
