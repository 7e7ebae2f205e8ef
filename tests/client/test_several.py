"""cn find A B C: each is answered, and the exit code is that of the one that went worst."""

from __future__ import annotations

import pytest

from cn_client import several
from cn_client.invocation import Invocation, read
from cn_shared.errors import NotFoundError


def asked(line: list[str], codes: dict[str, int]) -> tuple[list[Invocation], int]:
    """What is carried out, and the exit code. codes: by the query; 9 is an error."""
    calls: list[Invocation] = []

    def carry(call: Invocation) -> int:
        calls.append(call)
        code = codes.get(str(call.parameters["query"]), 0)
        if code == 9:
            raise NotFoundError("symbol_not_found", "There is none.")
        return code

    call = read(line)
    assert call is not None
    return calls, several.run(call, carry)


def test_each_is_asked_with_the_same_options(capfd: pytest.CaptureFixture[str]) -> None:
    calls, code = asked(["--root", "/w", "find", "A", "B", "--limit", "3", "C", "--text", "--budget", "9"], {})
    assert [call.parameters for call in calls] == [{"query": name, "limit": 3} for name in "ABC"]
    assert {(call.root, call.format, call.budget) for call in calls} == {("/w", "text", 9)}
    assert not any(call.others for call in calls)
    assert code == 0
    assert capfd.readouterr().out == "# A\n# B\n# C\n"


def test_documents_stand_alone(capfd: pytest.CaptureFixture[str]) -> None:
    asked(["find", "A", "B", "--json"], {})
    assert capfd.readouterr().out == ""


def test_one_that_fails_does_not_keep_the_others_from_being_asked(capfd: pytest.CaptureFixture[str]) -> None:
    calls, code = asked(["find", "A", "B", "C", "--text"], {"A": 3, "B": 9})
    assert len(calls) == 3
    assert code == 3
    assert "There is none." in capfd.readouterr().err


@pytest.mark.parametrize(("words", "query"), [(["class", "User"], "class User"), (["new", "User"], "new User")])
def test_a_declaration_in_two_words_is_one_question(words: list[str], query: str) -> None:
    calls, _ = asked(["find", *words], {})
    assert [call.parameters["query"] for call in calls] == [query]
