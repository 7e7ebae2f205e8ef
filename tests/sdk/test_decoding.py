"""What `document` writes, `decode` reads."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cn_client.connection import Reply
from cn_client.sdk.asking import answer
from cn_client.sdk.decoding import decode
from cn_shared import relations, surveys, wire
from cn_shared.errors import InputError, InternalError
from cn_shared.wire import FindAnswer, document
from tests.fakes.services import INSPECTED, MAPPED, SURVEYED

ANSWERS = [
    kind
    for module in (wire, relations, surveys)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__ and hasattr(kind, "outcome")
]
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=4),
    int: st.integers(),
    bool: st.booleans(),
    float: st.floats(allow_nan=False, allow_infinity=False),
}


def values(kind: Any, depth: int) -> st.SearchStrategy[Any]:
    """Any value of an annotation; below `depth` lists are empty."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        assert isinstance(kind, type)
        return st.builds(kind, **{item.name: values(hints[item.name], depth) for item in fields(kind)})
    if get_origin(kind) in (Union, UnionType):
        return st.one_of(st.none() if item is NoneType else values(item, depth) for item in get_args(kind))
    if get_origin(kind) is list:
        return st.lists(values(get_args(kind)[0], depth - 1), max_size=2) if depth else st.just([])
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    return _PLAIN[kind]


def test_all_answers_are_tried() -> None:
    assert len(ANSWERS) >= 12


@pytest.mark.parametrize("kind", ANSWERS, ids=lambda kind: kind.__name__)
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_decoding_reverses_document(kind: type[Any], data: st.DataObject) -> None:
    answer = data.draw(values(kind, 3))
    assert decode(kind, json.loads(json.dumps(document(answer)))) == answer


def test_keys_and_words_of_a_later_daemon_are_no_error() -> None:
    given = {"status": "guessed", "projectsLoaded": 1, "projectsTotal": 2, "files": 3, "mood": "good"}
    assert decode(wire.Completeness, given) == wire.Completeness("guessed", 1, 2, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given",
    [
        {},
        [],
        None,
        {"startLine": "1", "endLine": 2},
        {"startLine": True, "endLine": 2},
        {"startLine": None, "endLine": 2},
    ],
)
def test_what_is_no_answer_is_an_error(given: object) -> None:
    with pytest.raises(InternalError) as caught:
        decode(wire.LineRange, given)
    assert caught.value.code == "bad_reply"


@pytest.mark.parametrize("other", [MAPPED, SURVEYED["overview"], INSPECTED])
def test_what_is_no_symbol_is_asked_for_with_another_method(other: Any) -> None:
    """The daemon answers a file where a symbol is wanted by its map."""
    reply = Reply(200, {"cn-exit": "0"}, json.dumps(document(other)).encode())
    with pytest.raises(InputError) as caught:
        answer(reply, FindAnswer)
    assert caught.value.code == "other_answer"
    assert answer(reply, type(other)) == other
