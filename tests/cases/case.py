"""Case files: small workspaces, questions about them and the right answers, as `README.md` beside this tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

SERVERS = ("typescript", "native")
# What servers answer; all else is answered alike, whichever is chosen.
OF_SERVERS = ("hover", "diagnostics")
# What is asked of the server of another language, of which nobody chooses: of components with bindings.
COMPONENTS = "components"
OTHERS = ("python", "c", "php", "bash", "yaml", COMPONENTS)
_OPTIONS = {"crlf", "bom", "utf-16", "no last line end", "deleted"}
_FILE = re.compile(r"-- (?P<path>\S+)(?: (?P<arrow>->|=>) (?P<other>\S+))?(?: \[(?P<options>[^]]*)\])?")
_MARKS = ("-- ", "> ", "$ ")
_WORD = re.compile(r"[\w$]+")
_AT = re.compile(r"[^:]+:\d+:\d+")
# A query that begins with a path is about that file: `a/b.ts:1:2`, `a/b.ts:Name`, `a/b.ts#Name`.
PATH = re.compile(r"[\w$@./+-]+\.\w+[:#]")
# A place of the symbol, in text: [|a|], of a second one [2|b|2]. {?c?} is what may be one and cannot be decided.
_PLACE = re.compile(r"\[(?P<group>\d?)(?P<silent>!?)\|(?P<name>[^|\n]*)\|(?P=group)\]|\{\?(?P<doubt>[^\n]*?)\?\}")


class CaseError(Exception):
    """A case file that cannot be read; the message begins with its path and line."""


@dataclass(frozen=True, slots=True)
class File:
    """data: None, it is deleted. link: what it links to. old: it was there, and is moved."""

    path: str
    data: bytes | None = None
    link: str | None = None
    old: str | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """What is run in the folder of the case: `tsc` or `git`, and its arguments."""

    line: str


@dataclass(frozen=True, slots=True)
class Question:
    """answer: the lines below the question. line: of the question in the case file, from 1. server: the one that is
    asked, None for each."""

    verb: str
    query: str
    answer: tuple[str, ...]
    line: int
    server: str | None = None


Step = File | Command | Question


@dataclass
class Case:
    """place: path and line of the title. strict: it gets a tsconfig.json when it has none. alone: its files lie at the
    root of a workspace. servers: by which it is asked. why_wrong: why it is answered wrongly today; it must not pass.

    marks: the places of each symbol that is marked in the texts; names: what stands at them; silent: those at which it
    is not asked for.
    """

    title: str
    place: str
    marks: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    doubts: list[str] = field(default_factory=list)
    servers: tuple[str, ...] = ()
    strict: bool = True
    alone: bool = False
    why_wrong: str = ""
    steps: list[Step] = field(default_factory=list)

    @property
    def name(self) -> str:
        return re.sub(r"\W+", "-", self.title).strip("-").lower()

    @property
    def file(self) -> Path:
        return Path(self.place.rpartition(":")[0])

    @property
    def folder(self) -> str:
        """In its workspace, with a slash behind it."""
        return "" if self.alone else f"{self.name}/"

    @property
    def files(self) -> list[File]:
        """What is there before the first question."""
        first = next((at for at, step in enumerate(self.steps) if not isinstance(step, File)), len(self.steps))
        return [step for step in self.steps[:first] if isinstance(step, File)]

    @property
    def later(self) -> list[Step]:
        return self.steps[len(self.files) :]

    @property
    def changes(self) -> bool:
        """Whether its files are others at the end."""
        return any(not isinstance(step, Question) for step in self.later)

    @cached_property
    def queries(self) -> list[str]:
        return [step.query for step in self.steps if isinstance(step, Question)]

    @cached_property
    def asked(self) -> list[set[str]]:
        """The names of each symbol that is asked for, by name or by a mark."""
        return [*map(set, self._by_name), *({name} for name in self.names.values())]

    @property
    def _by_name(self) -> list[list[str]]:
        by_name = [query for query in self.queries if query not in self.names and not _AT.fullmatch(query)]
        return [_WORD.findall(PATH.sub("", query)) for query in by_name]

    @cached_property
    def at(self) -> set[str]:
        """What stands at the places that are asked about, and the members that are asked for by name."""
        files = [step for step in self.steps if isinstance(step, File) and step.data is not None]
        texts = [(file.path, (file.data or b"").decode(errors="replace")) for file in files]
        words = {word for query in self.queries for path, text in texts if (word := _word_at(path, text, query))}
        return words | {names[-1] for names in self._by_name if names}

    @property
    def is_doubtful(self) -> bool:
        """Whether something in it may be a use of what others declare: of an import that leads nowhere, mostly."""
        answers = (step.answer for step in self.steps if isinstance(step, Question))
        return any(line.startswith("partial:") for answer in answers for line in answer)

    def meets(self, other: Case) -> bool:
        """Whether an answer may tell of the files of the other one."""
        return any(names <= other.words for names in self.asked) or (
            other.is_doubtful and self.at & other.words != set()
        )

    @cached_property
    def words(self) -> set[str]:
        text = b"\n".join(step.data or b"" for step in self.steps if isinstance(step, File))
        return set(_WORD.findall(text.decode(errors="replace")))


def _word_at(path: str, text: str, query: str) -> str:
    """The word at a place of a file of that text; nothing where the query is none of its places."""
    if not _AT.fullmatch(query) or not query.startswith(f"{path}:"):
        return ""
    line, character = (int(part) for part in query.rsplit(":", 2)[1:])
    words = _WORD.finditer("".join(text.split("\n")[line - 1 : line]))
    return next((word[0] for word in words if word.start() < character <= word.end() + 1), "")


def read(path: Path) -> list[Case]:
    """The cases of a file. Raises CaseError."""
    lines = _Lines(path)
    cases: list[Case] = []
    while (line := lines.next()) is not None:
        if line.startswith("== "):
            cases.append(_case(line[3:].strip(), lines))
        elif line.strip() and not line.startswith("#"):
            raise lines.error(f"a case begins with '== its title', not with {line!r}")
    titles = [case.title for case in cases]
    for case in cases:
        verbs = {step.verb for step in case.steps if isinstance(step, Question)}
        case.servers = case.servers or (SERVERS if verbs & {*OF_SERVERS} else SERVERS[:1])
        if titles.count(case.title) > 1:
            raise CaseError(f"{case.place}: there is another case of this title")
    return cases


class _Lines:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self._lines = path.read_text("utf-8").splitlines()

    def peek(self) -> str | None:
        return self._lines[self.number] if self.number < len(self._lines) else None

    def next(self) -> str | None:
        line = self.peek()
        self.number += line is not None
        return line

    def block(self) -> Iterator[str]:
        """Up to the next mark. A backslash before a mark keeps it in the text."""
        while (line := self.peek()) is not None and not line.startswith(("== ", *_MARKS)):
            self.next()
            yield line[1:] if line.startswith("\\") else line

    def error(self, words: str) -> CaseError:
        return CaseError(f"{self.path}:{self.number}: {words}")


def _case(title: str, lines: _Lines) -> Case:
    case = Case(title, f"{lines.path}:{lines.number}")
    for line in lines.block():
        _heading(case, line, lines)
    while (line := lines.peek()) is not None and not line.startswith("== "):
        lines.next()
        if line.startswith("> "):
            case.steps.append(_question(line[2:], lines))
        elif line.startswith("$ "):
            case.steps.append(Command(line[2:].strip()))
            if any(rest.strip() for rest in lines.block()):
                raise lines.error("what a command says is not compared")
        else:
            case.steps.append(_file(case, line, lines))
    if not any(isinstance(step, Question) for step in case.steps):
        case.steps += _asked_at_marks(case)
    if not any(isinstance(step, Question) for step in case.steps):
        raise CaseError(f"{case.place}: nothing is asked")
    return case


def _asked_at_marks(case: Case) -> Iterator[Question]:
    """At each place of a symbol the answer is all of its places."""
    line = int(case.place.rpartition(":")[2])
    verdict = "partial:" if case.doubts else "complete"
    for places in case.marks.values():
        for place in places:
            if place not in case.silent:
                yield Question("places", place, (*places, verdict), line)


def _unmarked(case: Case, path: str, text: str) -> str:
    """The text without its marks, which the case then knows."""
    plain = ""
    end = 0
    for mark in _PLACE.finditer(text):
        plain += text[end : mark.start()]
        end = mark.end()
        lines = plain.split("\n")
        place = f"{path}:{len(lines)}:{len(lines[-1].encode('utf-16-le')) // 2 + 1}"
        if mark["doubt"] is not None:
            case.doubts.append(place)
            plain += mark["doubt"]
            continue
        case.marks.setdefault(mark["group"], []).append(place)
        case.names[place] = mark["name"]
        if mark["silent"]:
            case.silent.add(place)
        plain += mark["name"]
    return plain + text[end:]


def _heading(case: Case, line: str, lines: _Lines) -> None:
    key, colon, value = (part.strip() for part in line.partition(":"))
    if not line.strip() or line.startswith("#") or key == "was":
        return
    if key == "servers" and colon:
        case.servers = tuple(value.replace(",", " ").split())
    elif key == "tsconfig" and value == "none":
        case.strict = False
    elif key == "workspace" and value == "its own":
        case.alone = True
    elif key == "wrong today" and value:
        case.why_wrong = value
    else:
        raise lines.error(
            f"neither 'servers:', 'tsconfig: none', 'workspace: its own', 'was:' nor 'wrong today:': {line!r}"
        )
    case.strict = case.strict and not set(case.servers) <= set(OTHERS)
    if unknown := {*case.servers} - {*SERVERS, *OTHERS}:
        raise lines.error(f"there is no server {', '.join(sorted(unknown))}")


def _question(line: str, lines: _Lines) -> Question:
    number = lines.number
    asked = re.fullmatch(rf"(?:({'|'.join(SERVERS)}): )?(\S+) (.+)", line.strip())
    if asked is None:
        raise lines.error(f"a question is a verb and what is asked for, not {line!r}")
    server, verb, query = asked.groups()
    answer = (part.strip() for part in lines.block())
    told = tuple(part for part in answer if part and not part.startswith("#"))
    return Question(verb, query.strip(), told, number, server)


def _file(case: Case, line: str, lines: _Lines) -> File:
    match = _FILE.fullmatch(line.rstrip())
    if match is None:
        raise lines.error(f"not '-- path', '-- link -> target' or '-- old => new': {line!r}")
    path, other = match["path"], match["other"]
    options = {option.strip() for option in (match["options"] or "").split(",") if option.strip()}
    if unknown := options - _OPTIONS:
        raise lines.error(f"unknown: {', '.join(sorted(unknown))}")
    text = _unmarked(case, path, "\n".join(lines.block()).rstrip("\n"))
    if other or "deleted" in options:
        if text.strip():
            raise lines.error(f"{path} has no text here")
        if other:
            return File(path, link=other) if match["arrow"] == "->" else File(other, old=path)
        return File(path)
    text += "\n" if text and "no last line end" not in options else ""
    text = text.replace("\n", "\r\n") if "crlf" in options else text
    encoding = "utf-16" if "utf-16" in options else "utf-8-sig" if "bom" in options else "utf-8"
    return File(path, text.encode(encoding))
