"""Nothing that is named in a workspace steers the terminal or looks like a row of an answer."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from cn_client import entries, output, progress, registration, shutdown, trusting
from cn_client.connection import Reply
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.domain.libraries import prompts
from cn_daemon.interfaces.replies import json_bytes
from cn_daemon.interfaces.text import error, render
from cn_shared import state
from cn_shared.errors import InputError
from tests.fakes.services import FOUND, INSPECTED, MAPPED, USER

HOSTILE = "a\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\r\b\u202e\u2066\u061c\u200e\u200f\U000e0041b"
FORGED = "a.ts\n  1:1 forged"
STEERING = set("\x1b\x07\x9b\x7f\r\b\u202e\u2066\u061c\u200e\u200f\U000e0041")


def spoilt(text: str) -> list[Answer]:
    place = dataclasses.replace(USER, id=text, file_path=text, preview=text, name=text, container=text)
    row = dataclasses.replace(MAPPED.symbols[0], name=text, container=text, id=text)
    inspected = dataclasses.replace(INSPECTED.result, file_path=text, name=text, related_symbols=[text])
    return [
        dataclasses.replace(MAPPED, file_path=text, symbols=[row]),
        dataclasses.replace(FOUND, definition=place, references=[place], candidates=[place]),
        dataclasses.replace(INSPECTED, result=inspected),
    ]


def documents(text: str) -> list[tuple[str, object]]:
    row = {"canonical_id": text, "summary": text, "match_reason": text, "execution_type": text, "relevance_score": 1}
    return [
        ("search", [row]),
        ("commands", {"commands": [row], "total": 1}),
        ("reports list", [{"path": text, "date": text, "summary": text, "file_size": 1}]),
        ("get", {text: text}),
        ("describe", [{"c1": text, "c2": text, "c3": text, "description": text}]),
    ]


@pytest.mark.parametrize("color", [False, True])
def test_no_name_steers_the_terminal(color: bool) -> None:
    texts = [render(answer, color=color) for answer in spoilt(HOSTILE)]
    texts += [render(PlainAnswer(one), color=color, verb=verb) for verb, one in documents(HOSTILE)]
    texts.append(error(InputError("x", HOSTILE, HOSTILE), color=color))
    for text in texts:
        for code in ("0", "1", "2", "31", "32", "33", "35", "36"):
            text = text.replace(f"\x1b[{code}m", "") if color else text
        assert not STEERING & set(text)
        assert "owned" in text


def test_no_name_looks_like_another_row() -> None:
    for before, after in zip(spoilt("plain"), spoilt(FORGED), strict=True):
        assert len(render(after, color=False).splitlines()) == len(render(before, color=False).splitlines())
    for (verb, before), (_, after) in zip(documents("plain"), documents(FORGED), strict=True):
        plain, forged = (render(PlainAnswer(one), color=False, verb=verb) for one in (before, after))
        assert len(forged.splitlines()) == len(plain.splitlines())


@pytest.mark.parametrize("text", [HOSTILE, FORGED])
def test_no_root_and_no_error_of_the_client_steers_it_or_begins_a_line(text: str) -> None:
    answer = {"stopped": True, "root": text, "pid": 1}
    entry = entries.Entry("claude", "Claude Code", Path(text), "", str, str)
    texts = [
        shutdown._rendered(answer, "text/plain"),
        shutdown._rendered({**answer, "stopped": False}, "text/plain"),
        trusting._rendered({"root": text, "trusted": []}, "text/plain"),
        trusting._rendered({"root": text, "trusted": [text], "allows": []}, "text/plain"),
        trusting._allowed({"file": text, "key": text, "words": [text], "programs": [{"path": text, "hash": ""}]}),
        output.described({"code": "x", "message": text}, False),
        registration.titled(entry),
    ]
    for one in texts:
        assert not STEERING & set(one)
        assert one.count("\n") == one.endswith("\n")


def test_the_json_of_a_terminal_steers_it_neither() -> None:
    sent = json_bytes({HOSTILE: HOSTILE}).decode()
    assert not (STEERING - {"\x7f"}) & set(sent)
    assert json.loads(sent) == {HOSTILE: HOSTILE}


def test_errors_and_progress_steer_it_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    told = output.described(
        {"code": "x", "message": HOSTILE, "hint": HOSTILE, "stderr": HOSTILE, "log": [HOSTILE]}, False
    )
    assert not STEERING & set(told)
    server = {"name": HOSTILE, "state": "loading", "detail": HOSTILE}
    body = json.dumps({"languageServers": [server]}).encode()
    monkeypatch.setattr(progress, "exchange", lambda *_: Reply(200, {}, body))
    described = {"schema": 1, "version": "0", "pid": 1, "processStart": "", "host": "", "port": 1, "token": "f",
                 "root": "", "startedAt": "", "log": "", "environment": ""}  # fmt: skip
    line = progress._line(state.State(described))
    assert "owned" in line
    assert not STEERING & set(line)


def test_what_a_prompt_would_run_is_told_and_not_run(tmp_path: object) -> None:
    text = f"!`touch {tmp_path}/ran` and @/etc/passwd $1 !`$(touch {tmp_path}/ran)`"
    rendered = prompts.render(text, "claude", "'!`touch x`' @/etc/shadow")
    assert [item.kind for item in rendered.pending] == ["shell", "shell", "file"]
    assert not [item for item in rendered.pending if "shadow" in item.text]  # an argument asks for nothing
    assert "root:" not in rendered.content
