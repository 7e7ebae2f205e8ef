"""The command line of Climpt, argument by argument."""

from __future__ import annotations

from typing import Any

import pytest

from cn_daemon.domain.libraries import climpt_line
from cn_daemon.domain.libraries.refusal import RefusalError


def test_the_command_line_of_the_specification() -> None:
    options = climpt_line.from_object(
        {"edition": "detailed", "adaptation": "custom", "file": "input.md", "destination": "output.md"}
    )
    line = [*climpt_line.DEFAULT_COMMAND, *climpt_line.arguments("climpt", "git", "group-commit", "changes", options)]
    assert line == [
        "deno",
        "run",
        "--allow-read",
        "--allow-write",
        "--allow-env",
        "--allow-run",
        "--allow-net",
        "--no-config",
        "jsr:@aidevtool/climpt@1.13.27",
        "--config=git",
        "group-commit",
        "changes",
        "-e=detailed",
        "-a=custom",
        "-f=input.md",
        "-d=output.md",
    ]


def test_another_agent_stands_before_c1() -> None:
    assert climpt_line.arguments("inspector", "code", "a", "", []) == ["--config=inspector-code", "a"]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, []),
        ({"edition": None, "verbose": False}, []),
        ({"version": True}, ["--version"]),
        ({"e": "x"}, ["-e=x"]),
        ({"-e": "x", "--edition": "y"}, ["-e=x", "-e=y"]),
        ({"uv-name": "a b"}, ["--uv-name=a b"]),
        ({"uv": {"name": "x", "n": 3}}, ["--uv-name=x", "--uv-n=3"]),
        ({"edition": ["a", "b"]}, ["-e=a", "-e=b"]),
        ({"edition": "--config=evil; rm $(x)"}, ["-e=--config=evil; rm $(x)"]),
    ],
)
def test_options_by_name(options: dict[str, Any], line: list[str]) -> None:
    assert climpt_line.from_object(options) == line


@pytest.mark.parametrize("options", [{"": "x"}, {"a b": 1}, {"x=y": 1}, {"9": 1}, {"edition": {"a": 1}}, {"é": "x"}])
def test_what_is_no_option(options: dict[str, Any]) -> None:
    with pytest.raises(RefusalError):
        climpt_line.from_object(options)


@pytest.mark.parametrize("word", ["--config=other", "--config", "-c=other", "-f=a\0b"])
def test_an_option_cannot_choose_another_command(word: str) -> None:
    with pytest.raises(RefusalError):
        climpt_line.verify(["-e=x", word])


@pytest.mark.parametrize("word", ["git", "group-commit", "v1.2", "日本語", "a_b"])
def test_identifiers(word: str) -> None:
    climpt_line.check(c1=word, c2=word, c3=word)


@pytest.mark.parametrize(
    "word",
    ["-x", "--allow-all", "", ".", "..", "../x", "a/b", "a\\b", "a b", "a..b", "a;b", "$(x)", "a\nb", "a\0", "a="],
)
def test_what_is_no_identifier(word: str) -> None:
    with pytest.raises(RefusalError) as refused:
        climpt_line.check(c1="git", c2=word)
    assert refused.value.data == {"parameter": "c2"}


def test_only_c3_may_be_empty() -> None:
    climpt_line.check(c1="git", c2="x", c3="")


def test_the_files_that_options_name() -> None:
    line = ["-f=a.md", "--from=b.md", "--file=c.md", "-f", "d.md", "-f=-", "-d=e.md", "-f"]
    assert climpt_line.files(line) == ["a.md", "b.md", "c.md", "d.md"]
