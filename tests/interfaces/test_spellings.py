"""What callers write for the names of parameters, and questions in parts."""

from __future__ import annotations

from typing import Any

import pytest

from cn_daemon.interfaces import spellings
from cn_daemon.interfaces.spellings import plain, respelled, several, spelled
from cn_shared.errors import InputError
from cn_shared.verbs import VERBS
from tests.fakes.door import Door


@pytest.mark.parametrize(
    ("verb", "given", "asked"),
    [
        ("find", {"symbol": "User"}, {"query": "User"}),
        ("find", {"function": "compose"}, {"query": "compose"}),
        ("find", {"query": {"symbol": "User", "file": "a.ts"}, "limit": 3}, {"query": "a.ts:User", "limit": 3}),
        ("inspect", {"targetId": {"path": "a.ts", "line": 3}}, {"targetId": "a.ts:3"}),
        ("find", {"symbol_name": "User", "max_results": 3}, {"query": "User", "limit": 3}),
        ("find", {"query": "User", "path": "src/user.ts"}, {"query": "src/user.ts:User"}),
        ("find", {"symbol": "User", "file": "src/user.ts"}, {"query": "src/user.ts:User"}),
        ("find", {"symbol": "`User.rename()`", "file": "src/user.ts"}, {"query": "src/user.ts:User.rename"}),
        ("find", {"symbol": "class User {", "file": "src/user.ts"}, {"query": "src/user.ts:User"}),
        ("find", {"symbol": "*Router", "file": "src/user.ts"}, {"query": "src/user.ts:*Router"}),
        ("find", {"symbol": "User", "path": "src"}, {"query": "src/:User"}),
        ("find", {"file": "src/user.ts", "line": 3, "column": 14}, {"query": "src/user.ts:3:14"}),
        ("find", {"file_path": "src/user.ts", "lineNumber": "3"}, {"query": "src/user.ts:3"}),
        ("find", {"uri": "file:///w/src/user.ts", "line": 3, "character": 4.0}, {"query": "/w/src/user.ts:3:4"}),
        # The place says more than the name at it.
        ("find", {"symbol": "User", "file": "a.ts", "line": 3, "column": 14}, {"query": "a.ts:3:14"}),
        ("find", {"symbol": "User", "file": "a.ts", "line": 3}, {"query": "a.ts:User"}),
        # What names its own file keeps it.
        ("find", {"query": "src/a.ts:User", "path": "src"}, {"query": "src/a.ts:User"}),
        ("find", {"query": "ref::a.ts::1::2", "path": "a.ts"}, {"query": "ref::a.ts::1::2"}),
        ("find", {"path": "src/user.ts"}, {"query": "src/user.ts"}),
        ("find", {"query": None, "path": "src/user.ts"}, {"query": "src/user.ts"}),
        ("inspect", {"query": "User"}, {"targetId": "User"}),
        ("inspect", {"symbol": "User", "file": "a.ts"}, {"targetId": "a.ts:User"}),
        ("inspect", {"path": "a.ts", "start_line": 3, "end_line": 9}, {"targetId": "a.ts:3-9"}),
        ("callers", {"function_name": "save", "filePath": "a.ts"}, {"query": "a.ts:save"}),
        ("map", {"file": "a.ts"}, {"filePath": "a.ts"}),
        ("grep", {"query": "x", "path": "src", "-i": True, "head_limit": 5},
         {"pattern": "x", "folder": "src", "ignoreCase": True, "limit": 5}),
        ("overview", {"path": "src"}, {"folder": "src"}),
        ("diagnostics", {"paths": ["a.ts"]}, {"files": ["a.ts"]}),
        ("find", {"nothing": 1}, {"nothing": 1}),
    ],
)  # fmt: skip
def test_what_is_meant(verb: str, given: dict[str, Any], asked: dict[str, Any]) -> None:
    told = respelled(verb, given)
    key = "targetId" if verb == "inspect" else "query"
    assert {plain(name): value for name, value in told.items()} == {plain(name): value for name, value in asked.items()}
    assert key not in asked or told[key] == asked[key]


@pytest.mark.parametrize(
    "given", [{"path": 5}, {"path": "a.ts", "line": "x"}, {"path": "a.ts", "line": True}, {"path": "a.ts", "symbol": 5}]
)
def test_parts_that_make_no_question_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        respelled("find", given)


def test_several_questions() -> None:
    assert several("find", {"query": "A"}) is None
    assert several("map", {"queries": ["A"]}) is None
    assert several("find", {"queries": ["A", "B"], "limit": 5}) == [
        {"query": "A", "limit": 5},
        {"query": "B", "limit": 5},
    ]
    assert several("find", {"symbols": ["A"]}) == [{"query": "A"}]
    assert several("find", {"query": ["A"]}) == [{"query": "A"}]
    assert several("inspect", {"ids": ["A"]}) == [{"targetId": "A"}]
    assert several("find", {"queries": [{"symbol": "A", "file": "a.ts"}]}) == [{"symbol": "A", "file": "a.ts"}]
    assert several("find", {"queries": [5, None]}) == [{"query": 5}, {"query": None}]
    for wrong in ([], ["A"] * (spellings.MOST + 1)):
        with pytest.raises(InputError):
            several("find", {"queries": wrong})


def test_no_spelling_is_another_parameter_of_its_verb_by_name() -> None:
    """It would never be read."""
    for verb in VERBS:
        own = {plain(item.name) for item in verb.parameters}
        for item in verb.parameters:
            for other in spelled(item.name, verb.name):
                assert plain(other) not in own - {plain(item.name)} or other in ("mode", "kind"), (verb.name, other)


def test_http_reads_them_as_well() -> None:
    door = Door()
    assert door.ask("POST", "/find", json={"symbol": "User", "file": "a.ts"}).status_code == 200
    assert door.ask("GET", "/find?file=a.ts&line=3&column=4").status_code == 200
    assert door.ask("POST", "/inspect", json={"query": "User"}).status_code == 200
    assert [asked["query"] for asked in door.services.find.asked] == ["a.ts:User", "a.ts:3:4"]
    assert door.services.inspect.asked[0]["target_id"] == "User"
    assert door.ask("POST", "/find", json={"zzz": "User"}).status_code == 400
    assert door.ask("POST", "/find", json=["User"]).status_code == 400
    assert door.ask("POST", "/find", json={"symbol": 5}).status_code == 400
