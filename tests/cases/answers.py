"""What a server answers, as the lines of a case file have it, and whether they are the expected ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cn_shared.errors import CnError
from cn_shared.relations import Relative
from cn_shared.wire import LocationRef
from tests.cases.case import OTHERS, PATH, CaseError, Question
from tests.server.desk import Desk

_VERDICT = ("complete", "partial:", "error:")
_OPTIONAL = ("definition", "no definition", "declaration", "candidate", "no candidate", "documentation")
_MORE = "..."
# On a quiet machine a question takes a second; none fails since others keep the processor busy.
_PATIENCE_S = 300


class Folder:
    """The folder of one case in the workspace of many: in questions and answers its paths are told without it."""

    def __init__(self, desk: Desk, folder: str, server: str) -> None:
        self._desk = desk
        self._prefix = folder
        self._server = server

    def answer(self, question: Question) -> list[str]:
        if question.verb not in _VERBS:
            raise CaseError(f"line {question.line}: {question.verb} is none of {', '.join(_VERBS)}")
        render, parameters = _VERBS[question.verb]
        server = "auto" if self._server in OTHERS or self._server == "typescript" else self._server
        asked = {_ASKED.get(question.verb, "query"): self._outer(question), "server": server, **parameters}
        verb = "find" if question.verb in ("definition", "places") else question.verb
        try:
            answer = self._desk.run(self._desk.ask(verb, _PATIENCE_S, **asked))
        except CnError as error:
            return [self._inner(f"error: {error.message}")]
        if verb == "find":
            _check_one_or_the_other(answer)
        return [self._inner(line) for line in [*render(answer), *_verdict(answer)]]

    def _outer(self, question: Question) -> str | list[str]:
        if question.verb == "diagnostics":
            return [self._prefix + path for path in question.query.split()]
        path = question.verb == "map" or PATH.match(question.query)
        return self._prefix + question.query if path else question.query

    def _inner(self, line: str) -> str:
        if not self._prefix:
            return line
        return re.sub(rf"(?<![@\w./-]){re.escape(self._prefix)}", "", line)


def _at(ref: LocationRef) -> str:
    if ref.file_path.startswith("/"):
        return f"external {ref.file_path.rpartition('/')[2]}"
    return f"{ref.file_path}:{ref.line}:{ref.character}"


def _named(ref: LocationRef) -> str:
    return f"{_at(ref)} {ref.kind} {'.'.join(filter(None, (ref.container, ref.name)))}".rstrip()


def _find(answer: Any) -> list[str]:
    definition = [f"definition {_named(answer.definition)}" if answer.definition else "no definition"]
    declarations = [f"declaration {_named(one)}" for one in answer.declarations or ()]
    candidates = [f"candidate {_named(one)}" for one in answer.candidates] or ["no candidate"]
    return [*definition, *declarations, *map(_at, answer.references or ()), *candidates]


def _check_one_or_the_other(answer: Any) -> None:
    """A place is a use, or may be one: not both."""
    undecided = answer.completeness.undecided
    doubted = {_at(one) for one in undecided.places} if undecided else set()
    if both := sorted(doubted.intersection(map(_at, answer.references or ()))):
        raise CaseError(f"told as uses and as doubts: {', '.join(both)}")


def _places(answer: Any) -> list[str]:
    every = [answer.definition, *(answer.declarations or ()), *(answer.references or ())]
    return sorted({_at(one) for one in every if one})


def _callers(answer: Any) -> list[str]:
    return [f"{one.symbol.file_path}:{use.line} {_name(one.symbol)}" for one in answer.callers for use in one.uses]


def _callees(answer: Any) -> list[str]:
    unresolved = [f"unresolved {one}" for one in answer.unresolved or ()]
    return [*(f"{use.line} {_name(one.symbol)}" for one in answer.callees for use in one.uses), *unresolved]


def _refs(answer: Any) -> list[str]:
    return [f"{file.file_path}:{use.line} {use.role} {use.within or ''}" for file in answer.files for use in file.uses]


def _types(answer: Any) -> list[str]:
    return [*_relatives("super", answer.supertypes), *_relatives("sub", answer.subtypes)]


def _relatives(way: str, rows: Sequence[Relative]) -> Iterator[str]:
    for one in rows:
        yield f"{way} {one.relation} {one.symbol.name}"
        yield from _relatives(f"{way} {one.symbol.name}", one.further)


def _hover(answer: Any) -> list[str]:
    texts = {"signature": answer.signature, "documentation": answer.documentation}
    return [f"{key} {' '.join(text.split())}" for key, text in texts.items() if text]


def _inspect(answer: Any) -> list[str]:
    shown = answer.result
    return [f"{shown.range.start_line}-{shown.range.end_line} {shown.kind or ''} {shown.name or ''}".rstrip()]


def _name(symbol: Any) -> str:
    return ".".join(filter(None, (symbol.container, symbol.name)))


def _map(answer: Any) -> list[str]:
    return [f"{row.line} {row.kind} {_name(row)}" for row in answer.symbols]


def _diagnostics(answer: Any) -> list[str]:
    return [f"{row.file_path}:{row.line}:{row.character} {row.code}" for row in answer.diagnostics]


def _verdict(answer: Any) -> list[str]:
    told = getattr(answer, "completeness", None)
    if told is None:
        return []
    return ["complete" if told.status == "complete" else f"partial: {told.reason}"]


_VERBS: dict[str, tuple[Callable[[Any], Sequence[str]], dict[str, Any]]] = {
    "find": (_find, {"limit": 0}),
    "places": (_places, {"limit": 0}),
    "definition": (_find, {"mode": "definition"}),
    "callers": (_callers, {"limit": 0}),
    "callees": (_callees, {}),
    "impls": (lambda answer: [_named(one) for one in answer.implementations], {}),
    "map": (_map, {}),
    "refs": (_refs, {"limit": 0}),
    "types": (_types, {}),
    "hover": (_hover, {}),
    "inspect": (_inspect, {}),
    "diagnostics": (_diagnostics, {}),
}
_ASKED = {"map": "file_path", "inspect": "target_id", "diagnostics": "files"}


def agree(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Lines in any order, each as long as it is expected to be; a verdict's reason is a pattern. Definitions and
    candidates count where one is expected; `...` stands for any further references."""
    optional = {word for word in _OPTIONAL if not any(line.startswith(word) for line in expected)}
    left = [line for line in actual if not line.startswith(tuple(optional or {"\0"}))]
    for line in sorted((one for one in expected if one != _MORE), key=len, reverse=True):
        found = next((one for one in left if _agrees(line, one)), None)
        if found is None:
            return False
        left.remove(found)
    return not left or (_MORE in expected and not any(line.startswith(_VERDICT) for line in left))


def _agrees(expected: str, actual: str) -> bool:
    if expected.startswith(("partial:", "error:")):
        word, _, reason = expected.partition(":")
        return actual.startswith(f"{word}:") and re.search(reason.strip(), actual) is not None
    return actual == expected or re.match(re.escape(expected) + r"[: ]", actual) is not None
