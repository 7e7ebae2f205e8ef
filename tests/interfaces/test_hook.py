"""What the daemon adds to an agent's search: exact, in time, in at most 400 tokens, or nothing."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from cn_daemon.application.ports import Answer, Call
from cn_daemon.interfaces.hook import worded
from cn_daemon.interfaces.tokens import estimated
from cn_shared.errors import NotFoundError
from cn_shared.wire import Completeness, FindAnswer, LocationRef
from tests.client.test_grepping import COMMANDS, NOTHING
from tests.fakes.door import Door
from tests.fakes.services import FOUND, MAPPED, USER
from tests.interfaces.test_http import door, error_of

__all__ = ["door"]

DEADLINE = {"Cn-Deadline": "30"}
DENSE = "const{a,b:[c,,d]}=f?.(g??{})!;[...d].map(x=>({...x}))"


def hooked(door: Door, **tool: Any) -> str:
    reply = door.ask("POST", "/hook", json=tool, headers=DEADLINE)
    assert (reply.status_code, reply.headers["cn-exit"]) == (200, "0")
    return reply.text


def used(times: int, code: str = "", **changes: Any) -> FindAnswer:
    places = [LocationRef(f"ref::src/a.ts::{n}::7", "src/a.ts", n, 7, "Class", code) for n in range(1, times + 1)]
    return replace(FOUND, references=places, total=times, **changes)


def test_a_symbol_that_is_searched_for_is_answered_whole(door: Door) -> None:
    assert hooked(door, command='grep -rn "class User" src') == (
        "cn, exactly:\n"
        "Class User src/user.ts:3:14\n"
        "  export class User {\n"
        "src/app.ts\n"
        '  1:10 import { User } from "./user";\n'
        '  4:17 const user = new User("Ann");\n'
        "test/user.ts\n"
        "  2:9 expect(User).toBeDefined();\n"
        "complete · 3 references in 2 files\n"
        "other symbols:\n"
        "  Interface User ref::src/old.ts::1::18"
    )
    asked = {"query": "User", "limit": 30}
    assert door.services.find.asked == [{**asked, "mode": "definition"}, {**asked, "mode": "both"}]


def test_several_names_share_what_is_added(door: Door) -> None:
    door.services.find.answer = used(10, DENSE)
    added = hooked(door, command='rg "User|Admin.User|MemoryStore"')
    assert [asked["query"] for asked in door.services.find.asked][:3] == ["User", "Admin.User", "MemoryStore"]
    assert added.count("Class User src/user.ts:3:14") == 2, "and none of what is no MemoryStore"
    assert estimated(added) <= 400


def test_code_is_left_out_before_places_are(door: Door) -> None:
    door.services.find.answer = used(25, DENSE)
    added = hooked(door, pattern="User")
    assert added.splitlines()[3:5] == ["src/a.ts", "  1:7"]
    assert added.endswith("  25:7\ncomplete · 25 references in 1 file")


def test_no_more_than_400_tokens_are_added(door: Door) -> None:
    door.services.find.answer = used(90, DENSE)
    added = hooked(door, pattern="User")
    assert 300 < estimated(added) <= 400
    assert added.endswith(":7\nall 90 references: cn --text find User")


def test_what_a_limit_leaves_out_is_counted(door: Door) -> None:
    door.services.find.answer = replace(used(2), total=77, next="2")
    assert hooked(door, pattern="User").endswith("complete · 2 of 77 references in 1 file\n"
                                                 "other symbols:\n  Interface User ref::src/old.ts::1::18\n"
                                                 "all 77 references: cn --text find User")  # fmt: skip


def test_what_has_no_room_is_left_out() -> None:
    assert worded(used(1, definition=replace(USER, file_path="x9Q" * 400)), "User", 100) == ""
    shown = worded(used(90), "User", 40)
    assert estimated(shown) <= 40
    assert shown.splitlines()[-1] == "all 90 references: cn --text find User"


def test_what_is_not_certain_is_a_pointer(door: Door) -> None:
    completeness = Completeness("partial", 0, 1, 0, "time ran out")
    door.services.find.answer = replace(FOUND, completeness=completeness, references=[], candidates=[])
    assert hooked(door, pattern="User") == (
        "cn, exactly:\n"
        "Class User src/user.ts:3:14\n"
        "  export class User {\n"
        "there may be more uses: cn --text find User"
    )  # fmt: skip


@pytest.mark.parametrize(
    "answer", [MAPPED, replace(FOUND, definition=None, references=[]), NotFoundError("not_found", "No such file.")]
)
def test_what_is_no_symbol_is_not_answered(door: Door, answer: Any) -> None:
    door.services.find.answer = answer
    assert hooked(door, pattern="User") == ""


@pytest.mark.parametrize("command", NOTHING)
def test_what_looks_for_no_symbol_asks_nothing(door: Door, command: str) -> None:
    assert hooked(door, command=command) == ""
    assert door.services.find.asked == []


@pytest.mark.parametrize("command", COMMANDS)
def test_fifty_greps_as_agents_write_them(door: Door, command: str) -> None:
    door.services.find.answer = replace(FOUND, definition=None, references=[])
    hooked(door, command=command)
    assert [asked["query"] for asked in door.services.find.asked] == COMMANDS[command]


def test_what_is_late_is_left_out_and_asked_no_longer(door: Door) -> None:
    door.services.find.delay_s = 60

    async def late() -> None:
        reply = await door.asked("POST", "/hook", json={"pattern": "User"}, headers={"Cn-Deadline": "0.05"})
        assert (reply.status_code, reply.text) == (200, "")
        await asyncio.wait_for(door.services.find.cancelled.wait(), 30)

    asyncio.run(late())


def test_the_definition_stands_where_the_uses_are_late(door: Door) -> None:
    handlers = dict(door.services.handlers)

    async def find(call: Call, **parameters: Any) -> Answer:
        if parameters["mode"] == "definition":
            return replace(FOUND, references=None)
        await asyncio.Event().wait()
        raise AssertionError

    door.services.handlers = {**handlers, "find": find}
    reply = door.ask("POST", "/hook", json={"pattern": "User"}, headers={"Cn-Deadline": "0.5"})
    assert reply.text.endswith("\n  export class User {\nthere may be more uses: cn --text find User")


def test_names_have_time_enough_to_decide(door: Door) -> None:
    """A tenth of a second was divided among them and a language server, which loaded a project for every search."""
    door.ask("POST", "/hook", json={"pattern": "User"}, headers={"Cn-Deadline": "0.1"})
    assert all(call.deadline > time.monotonic() + 30 for call in door.services.find.calls)


def test_a_defect_is_told_as_one(door: Door) -> None:
    door.services.find.answer = ZeroDivisionError()
    assert door.ask("POST", "/hook", json={"pattern": "User"}, headers=DEADLINE).status_code == 500


def test_what_is_no_tool_is_refused(door: Door) -> None:
    assert error_of(door.ask("POST", "/hook", json={"command": 5}))["code"] == "bad_request"
    assert error_of(door.ask("POST", "/hook", json={"tool_response": "x"}))["code"] == "bad_request"
