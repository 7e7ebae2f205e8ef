"""Markdown commands, rendered as Cursor and Claude Code would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.libraries.prompts import Pending, dialect_of, joined, render, words

TEMPLATE = """---
description: Fix an issue
---
Fix issue $1 with priority $2: $ARGUMENTS
"""


@pytest.mark.parametrize(
    ("text", "arguments", "content"),
    [
        ("All: $ARGUMENTS.", "a  b", "All: a  b."),
        ("All: $ARGUMENTS.", "", "All: ."),
        ("$1 then $2", "one 'two words'", "one then two words"),
        ("$1 then $3.", "one two", "one then ."),
        ("$ARGUMENTS[0] and $ARGUMENTS[1]", "one two", "one and two"),
        ("costs $200, $1.50 and $2k", "x", "costs $200, $1.50 and $2k\n\nARGUMENTS: x\n"),
        ("SELECT $1", "", "SELECT $1"),
        ("$ARGUMENTSX $HOME", "x", "$ARGUMENTSX $HOME\n\nARGUMENTS: x\n"),
        ("no placeholder", "x y", "no placeholder\n\nARGUMENTS: x y\n"),
        ("no placeholder\n", "", "no placeholder\n"),
    ],
)
def test_claude_fills_in_what_was_typed(text: str, arguments: str, content: str) -> None:
    assert render(text, "claude", arguments).content == content


def test_claude_drops_the_frontmatter() -> None:
    assert render(TEMPLATE, "claude", "7 high").content == "Fix issue 7 with priority high: 7 high\n"
    assert render("---\n---\nx", "claude").content == "x"
    assert render("---\na: b\n---\n\n  x", "claude").content == "  x"
    assert render("\ufeff---\r\na: b\r\n---\r\nx", "claude").content == "x"
    assert render("a\n---\nb: c\n---\n", "claude").content == "a\n---\nb: c\n---\n"


def test_cursor_hands_the_file_over_as_it_is() -> None:
    assert render(TEMPLATE, "cursor").content == TEMPLATE
    assert render(TEMPLATE, "cursor", "7 $1", {"mode": "fast"}).content == TEMPLATE + "\n7 $1\nmode: fast\n"


def test_named_arguments() -> None:
    rendered = render("$mode ${mode} {{ mode }} $other $modes", "claude", "", {"mode": "fast", "left": "over"})
    assert rendered.content == "fast fast fast $other $modes\n\nleft: over\n"


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_value_is_never_read_again(typed: str, value: str) -> None:
    rendered = render("<$ARGUMENTS|$name>", "claude", typed, {"name": value})
    assert rendered.content == f"<{typed}|{value}>"
    assert rendered.pending == []


@pytest.mark.parametrize(
    "value", ["$ARGUMENTS", "$1", "${name}", "{{name}}", "!`rm -rf ~`", "@/etc/passwd", "\\1 \\g<0>"]
)
def test_a_placeholder_in_a_value_stays(value: str) -> None:
    rendered = render("$ARGUMENTS and $name", "claude", value, {"name": value})
    assert rendered.content == f"{value} and {value}"
    assert rendered.pending == []


def test_what_would_be_run_or_read_is_listed_as_its_author_wrote_it() -> None:
    text = "Now: !`git status`\n(!`git log $1`) a!`no` see @src/a.ts, @./b, @~/c.md and @bob; mail a@b.com\n" \
           "```\n@in/code\n```\nand `@types/node`\n"  # fmt: skip
    rendered = render(text, "claude", "main; rm -rf ~")
    assert rendered.pending == [
        Pending("shell", "git status"),
        Pending("shell", "git log $1"),
        Pending("file", "src/a.ts"),
        Pending("file", "./b"),
        Pending("file", "~/c.md"),
    ]
    assert render(text, "cursor").pending == rendered.pending


def test_arguments_that_did_not_come_are_listed() -> None:
    rendered = render("id = $1 or $1 or $2", "claude")
    assert rendered.content == "id = $1 or $1 or $2"
    assert rendered.pending == [Pending("argument", "$1"), Pending("argument", "$2")]


@pytest.mark.parametrize(
    ("path", "text", "dialect"),
    [
        ("/home/a/.claude/commands/x.md", "plain", "claude"),
        ("/home/a/.cursor/commands/x.md", "$ARGUMENTS", "cursor"),
        ("/home/a/.claude/x/.cursor/commands/x.md", "", "cursor"),
        ("/mnt/Commands/x.md", "do it", "cursor"),
        ("/mnt/Commands/x.md", "do $ARGUMENTS", "claude"),
        ("/mnt/Commands/x.md", "do $1", "claude"),
        ("/mnt/Commands/x.md", "costs $100", "cursor"),
    ],
)
def test_whose_command_it_is(path: str, text: str, dialect: str) -> None:
    assert dialect_of(path, text) == dialect


def test_words() -> None:
    assert words("it's one") == ["it's", "one"]
    assert words(joined(["a b", "c"])) == ["a b", "c"]
    assert joined(["a b"]) == "a b"


def test_gemini_fills_in_args_and_lists_what_it_would_run_and_read() -> None:
    rendered = render("Fix {{args}}.\nLog: !{git log -- {{args}}}\nRead @{docs/style.md}.", "gemini", "a; rm b")
    assert rendered.content == "Fix a; rm b.\nLog: !{git log -- 'a; rm b'}\nRead @{docs/style.md}."
    assert rendered.pending == [Pending("shell", "git log -- {{args}}"), Pending("file", "docs/style.md")]
    assert render("---\ndescription: x\n---\nReview.", "gemini", "now").content == "Review.\n\nnow\n"


def test_copilot_fills_in_its_inputs() -> None:
    text = "---\nagent: agent\n---\nA ${input:form:the name} of ${input:fields}, as #file:docs/form.md and ${file}."
    rendered = render(text, "copilot", "", {"form": "Login"})
    assert rendered.content == "A Login of ${input:fields}, as #file:docs/form.md and ${file}."
    assert rendered.pending == [Pending("file", "docs/form.md"), Pending("argument", "fields")]


@pytest.mark.parametrize("text", ["\n---\na: b\n---\nx", "+++\na = 1\n+++\nx", "\ufeff\n---\na: b\n...\nx"])
def test_whatever_counts_as_front_matter_is_dropped(text: str) -> None:
    assert render(text, "claude").content == "x"


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/w/.gemini/commands/a.toml", "gemini"),
        ("/w/.github/prompts/a.prompt.md", "copilot"),
        ("/w/.github/skills/a/SKILL.md", "claude"),
        ("/w/.cursor/skills/a/SKILL.md", "claude"),
        ("/w/.codex/prompts/a.md", "claude"),
        ("/h/.config/opencode/commands/a.md", "claude"),
        ("/w/.clinerules/workflows/a.md", "claude"),
        ("/w/.cursor/commands/a.md", "cursor"),
    ],
)
def test_the_folder_tells_whose_command_it_is(path: str, dialect: str) -> None:
    assert dialect_of(path, "x") == dialect
