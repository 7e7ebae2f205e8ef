"""Whatever stands in identifiers and options, the command that runs is the one that was named."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.application.libraries.climpt import Climpt
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries import climpt_line
from cn_daemon.domain.libraries.commands import ClimptCall, Command
from cn_daemon.domain.libraries.refusal import RefusalError
from cn_daemon.settings import Settings
from cn_shared.errors import CnError, ForbiddenError
from tests.fakes.execution import FakeRunner

HOSTILE = [
    *(
        "--config=evil",
        "-c=evil",
        "-cevil",
        "--config",
        "-c",
        "--",
        "-",
        "",
        "a\nb",
        "a\0b",
        "$(id)",
        "`id`",
        ";id",
        "|id",
    ),
    *("&&", ">x", "*", "~", "-e=x", "--allow-all", "../..", "é", "\u202e", "-f=../secret", "-f/etc/passwd"),
]
WORD = st.sampled_from(HOSTILE) | st.text(max_size=8)


def run(options: list[str], runner: FakeRunner) -> None:
    command = Command("climpt:climpt/git/find/bugs", "git find bugs", "climpt", "climpt",
                      climpt=ClimptCall("climpt", "git", "find", "bugs", None, None))  # fmt: skip
    call = Call(None, time.monotonic() + 5)
    asyncio.run(Climpt(runner, Settings).run(call, command, options, "", dry_run=False))


@given(options=st.lists(WORD, max_size=4))
def test_options_choose_no_other_command(options: list[str]) -> None:
    runner = FakeRunner()
    try:
        run(options, runner)
    except (CnError, RefusalError):
        assert not runner.ran
        return
    argv = runner.ran[0]["argv"]
    fixed = list(climpt_line.DEFAULT_COMMAND)
    assert argv[1 : len(fixed)] == fixed[1:]
    assert argv[len(fixed) :] == ["--config=git", "find", "bugs", *options]
    assert not any(word.startswith(("--config", "-c")) and not word.startswith("--config-") for word in options)


@given(names=st.lists(WORD, min_size=4, max_size=4))
def test_identifiers_are_words_or_refused(names: list[str]) -> None:
    try:
        climpt_line.check(agent=names[0], c1=names[1], c2=names[2], c3=names[3])
    except RefusalError:
        return
    for name in names:
        assert not name.startswith(("-", "/", "."))
        assert not set(name) & set("\0\n/\\;|&$`<> ")


@pytest.mark.parametrize(
    "word", ["-f=../secret", "-f/etc/passwd", "-f../secret", "--file=/etc/passwd", "--from=link/secret"]
)
def test_an_input_file_outside_is_refused_however_it_is_joined(tmp_path: Path, word: str) -> None:
    root = tmp_path.resolve() / "root"
    root.mkdir()
    (root / "link").symlink_to(root.parent)
    folders = ReadableFolders(root, list)
    (name,) = climpt_line.files([word])
    with pytest.raises(ForbiddenError):
        folders.check(name, root)
