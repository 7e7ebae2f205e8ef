"""The names that a shell completes, from the index to the route."""

from __future__ import annotations

import asyncio
from pathlib import Path

from cn_daemon.adapters.identifier_index import IdentifierIndex
from tests.fakes.door import Door
from tests.interfaces.test_http import door

__all__ = ["door"]


def test_words_that_begin_so_the_commonest_first(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("user User users useful Ünit")
    (tmp_path / "b.ts").write_text("users")
    index = IdentifierIndex(tmp_path, lambda name: name.endswith(".ts"), lambda name: False)
    assert index.starting("us", 9) == []
    asyncio.run(index.refresh())
    assert index.starting("us", 9) == ["users", "useful", "user", "User"]
    assert index.starting("us", 2) == ["users", "useful"]
    assert index.starting("Us", 9)[0] == "User"
    assert index.starting("Ü", 9) == ["Ünit"]
    (tmp_path / "a.ts").unlink()
    asyncio.run(index.refresh())
    assert index.starting("us", 9) == ["users"]
    index.close()


def test_names_are_told(door: Door) -> None:
    assert door.ask("GET", "/names?prefix=Us").json() == {"names": ["User", "User2"]}
    assert door.ask("GET", "/names").json() == {"names": []}
    assert door.ask("GET", "/names?prefix=Us", headers={"Authorization": None}).status_code == 401


def test_what_was_asked_for_last_comes_first(door: Door) -> None:
    for asked in ("Used", "Use", "src/user.ts:3:14", "User.rename"):
        assert door.ask("POST", "/find", json={"query": asked}).status_code == 200
    assert door.ask("POST", "/inspect", json={"targetId": "Used"}).status_code == 200
    assert door.ask("GET", "/names?prefix=Use").json() == {"names": ["Used", "Use", "User", "User2"]}
    assert door.ask("GET", "/names").json() == {"names": ["Used", "Use"]}
    for number in range(40):
        door.ask("POST", "/find", json={"query": f"name{number}"})
    assert door.ask("GET", "/names").json()["names"][-1] == "name10"
