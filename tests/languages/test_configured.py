"""A language that the setting `language_servers` names: the same questions, and the same doubts."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon import settings
from cn_daemon.adapters.checkup import projects, toolchain
from cn_daemon.adapters.language_servers.languages import configured
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.languages import toy_server
from tests.server.desk import Desk

pytestmark = pytest.mark.server
TOY: dict[str, list[str]] = {
    "command": [sys.executable, str(Path(toy_server.__file__))],
    "endings": [".toy"],
    "reading": [str(Path(toy_server.__file__).parent), sys.prefix, sys.base_prefix],
}
FILES = {
    "order.toy": "thing Order\n    part total\nthing Other\n    part total\n",
    "use.toy": "Order\nOrder.total\nOther.total\n",
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path.resolve() / "work", Settings(language_servers={"toy": TOY}))
    desk.write(FILES)
    yield desk
    assert desk.close() == []


def test_map_and_find_answer_by_the_server_that_the_setting_names(desk: Desk) -> None:
    assert [one.name for one in desk.run(desk.ask("map", file_path="order.toy")).symbols] == [
        "Order",
        "total",
        "Other",
        "total",
    ]
    assert desk.uses("Order") == ["use.toy:1", "use.toy:2"]
    desk.write({"use.toy": "Order.total\nOrder\nOrder\n"})
    assert desk.uses("Order") == ["use.toy:1", "use.toy:2", "use.toy:3"]


def test_what_the_server_does_not_know_and_what_may_be_above_are_doubts(desk: Desk) -> None:
    answer = desk.find("Order.total")
    assert [one.line for one in answer.references or ()] == [2]
    assert "it leads to another total, which the symbol may override" in (answer.completeness.reason or "")
    desk.write({"use.toy": "Order.total\nunknown.total\n"})
    answer = desk.find("Order.total")
    assert [one.line for one in answer.references or ()] == [1]
    assert "the language server does not say what it is (use.toy:2)" in (answer.completeness.reason or "")


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path.resolve() / "work", Settings(language_servers={"toy": {**TOY, "command": ["no-such-server"]}}))
    desk.write(FILES)
    with pytest.raises(LanguageServerError, match="toy: cn needs no-such-server, which is not on PATH"):
        desk.find("Order")
    assert desk.close() == []


def test_doctor_says_which_server_answers_and_which_is_missing(tmp_path: Path) -> None:
    (tmp_path / "order.toy").write_text(FILES["order.toy"])

    async def found(command: list[str]) -> tuple[str, str]:
        files = await projects.listed(tmp_path, configured({"toy": {**TOY, "command": command}}))
        (told,) = await toolchain.languages(files.others, tmp_path, os.environ, Cache(tmp_path / "cache"))
        return told.state, told.message

    assert asyncio.run(found(TOY["command"])) == ("ok", f"{sys.executable}, {sys.executable}")
    assert asyncio.run(found(["no-such-server"])) == ("warn", "toy: cn needs no-such-server, which is not on PATH")


def test_the_setting_counts_for_a_daemon_that_runs(tmp_path: Path) -> None:
    desk = Desk(tmp_path.resolve() / "work")
    desk.write({**FILES, "a.py": "def one(): ...\n"})
    assert desk.uses("one") == []
    desk.run(desk.services.reconfigure(Settings(language_servers={"toy": TOY}), {}))
    assert desk.uses("Order") == ["use.toy:1", "use.toy:2"]
    assert desk.close() == []


def test_a_server_that_is_installed_while_the_daemon_runs_is_found_on_the_callers_path(tmp_path: Path) -> None:
    setting = Settings(language_servers={"toy": {**TOY, "command": ["toy-server"]}})
    desk = Desk(tmp_path.resolve() / "work", setting)
    desk.write(FILES)
    with pytest.raises(LanguageServerError, match="toy-server, which is not on PATH"):
        desk.find("Order")
    program = tmp_path.resolve() / "bin" / "toy-server"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec {' '.join(TOY['command'])}\n")
    program.chmod(0o755)
    desk.run(desk.services.reconfigure(setting, {"PATH": f"{program.parent}:{os.environ['PATH']}"}))
    assert desk.uses("Order") == ["use.toy:1", "use.toy:2"]
    assert desk.close() == []


def test_a_clone_names_no_server_before_it_is_trusted(tmp_path: Path) -> None:
    (tmp_path / ".cn.json").write_text(json.dumps({"language_servers": {"toy": TOY}}))
    told = settings.load(tmp_path, {}, tmp_path / "none.json")
    assert told.language_servers == {}
    assert any(
        "language_servers is ignored, because a cloned repository may not choose" in one for one in told.warnings
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"command": ["a"]},
        {"command": [], "endings": [".a"]},
        {"command": ["a"], "endings": ["a"]},
        {"command": ["a"], "endings": [".ts"]},
        {"command": ["a"], "endings": [".a"], "argument": 1},
        {"command": "a", "endings": [".a"]},
        "a",
    ],
)
def test_what_is_no_server_is_said(wrong: object, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"language_servers": {"toy": wrong}}))
    with pytest.raises(settings.InputError, match="an object of language servers, each with command and endings"):
        settings.load(tmp_path / "work", {}, file)
