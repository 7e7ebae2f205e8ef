"""The fast path reads a command line exactly as click does, or leaves it to click."""

from __future__ import annotations

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cn_client import cli
from cn_client.invocation import Invocation, read
from cn_shared.errors import CnError
from cn_shared.verbs import VERBS

FLAGS = sorted(
    {flag for row in VERBS for parameter in row.parameters for flag in (parameter.flag, parameter.short) if flag}
)
VALUES = ["User", "", "-", "--", "5", "0", "-1", "+5", " 5", "5_0", "٥", "1000001", "1e3", ".5", "5.", "0.0", "inf",
          "both", "BOTH", "definition", "block", "surround", "json", "text", "yaml", "a=b", "ref::a.ts::1::2",
          "/w", "--json", "-x", "ü", "\udcff"]  # fmt: skip
COMMON = ["--json", "--text", "--envelope", "--format", "--root", "--deadline"]
WORDS = st.one_of(
    st.sampled_from([word for row in VERBS for word in row.name.split()]),
    st.sampled_from(FLAGS + COMMON),
    st.sampled_from(VALUES),
    st.builds(lambda flag, value: f"{flag}={value}", st.sampled_from(FLAGS + COMMON), st.sampled_from(VALUES)),
    st.text(max_size=4),
)


def plain(verb: str) -> st.SearchStrategy[list[str]]:
    """Mostly right lines of a verb, so that the fast path has something to do."""
    row = next(row for row in VERBS if row.name == verb)
    options = [parameter for parameter in row.parameters if parameter.flag]
    flags = st.sampled_from([["--json"], ["--text"], ["--envelope"], *[[item.flag] for item in options]])
    piece = st.one_of(
        *[
            st.sampled_from([*parameter.choices, "7", "x"]).map(lambda value, flag=flag: [flag, value])
            for parameter in options
            for flag in (parameter.flag, parameter.short or parameter.flag)
        ],
        flags,
        st.sampled_from([["--format", "json"], ["--root", "/w"], ["--deadline=2.5"]]),
        st.sampled_from([["User"], ["a b"], ["x.ts"]]),
    )
    before = st.sampled_from(
        [[], ["--json"], ["--envelope"], ["--root", "/v"], ["--format", "text"], ["--deadline", "9"]]
    )
    pieces = st.lists(piece, max_size=4).map(lambda parts: [word for part in parts for word in part])
    return st.tuples(before, pieces).map(lambda parts: [*parts[0], *verb.split(), *parts[1]])


LINES = st.one_of(st.lists(WORDS, max_size=6), *[plain(row.name) for row in VERBS])


def by_click(arguments: list[str]) -> Invocation | None:
    kept: list[Invocation] = []

    def keep(call: Invocation) -> int:
        kept.append(call)
        return 0

    try:
        cli.build(keep).main(list(arguments), "cn", standalone_mode=False, obj={})
    except (click.ClickException, click.exceptions.Exit, CnError):
        return None
    return kept[0] if kept else None


def fields(call: Invocation) -> tuple[object, ...]:
    kinds = {name: type(value) for name, value in call.parameters.items()}
    return call.verb.name, call.parameters, kinds, call.others, call.root, call.format, call.deadline_s


@given(LINES)
@example(["find", "User", "--json", "--text"])
@example(["--json", "find", "User", "--text"])
@example(["find", "User", "--limit", "5", "--limit=6"])
@example(["execute", "git", "-e", "x", "--edition", "y"])
@example(["execute", "git", "-e=x", "--arg", "a=b", "--arg=c=d", "--dry-run"])
@example(["execute", "git", "--", "-x", "--", "y"])
@example(["execute", "git", "--"])
@example(["find", "git", "--", "y"])
@example(["reports", "search", "--envelope", "x"])
@example(["--envelope", "search", "x"])
@example(["--envelope", "find", "x"])
@example(["--envelope", "reports", "search", "x", "y z"])
@example(["--envelope", "search", "x", "--text"])
@example(["search", "x", "--json", "--envelope"])
@example(["find", "--mode", "find", "find"])
@example(["find", "A", "--mode", "definition", "B", "C"])
@example(["find", "A", ""])
def test_fast_path_and_click_read_alike(line: list[str]) -> None:
    fast = read(line)
    if fast is not None:
        slow = by_click(line)
        assert slow is not None, line
        assert fields(fast) == fields(slow)


@pytest.mark.parametrize("row", VERBS, ids=lambda row: row.name)
def test_every_example_of_a_verb_is_fast_and_reads_alike(row: object) -> None:
    import shlex

    for line in row.examples:  # type: ignore[attr-defined]
        words = shlex.split(line)[1:]
        fast, slow = read(words), by_click(words)
        assert fast is not None
        assert slow is not None
        assert fields(fast) == fields(slow)


def test_common_options_stand_on_either_side() -> None:
    for line in (["--root", "/w", "--json", "find", "User"], ["find", "User", "--root", "/w", "--json"]):
        call = read(line)
        assert call is not None
        assert (call.root, call.format) == ("/w", "json")


def test_what_stands_after_the_verb_counts() -> None:
    call = read(["--root", "/a", "--json", "find", "User", "--root", "/b", "--text"])
    assert call is not None
    assert (call.root, call.format) == ("/b", "text")


@pytest.mark.parametrize(
    "line",
    [[], ["--help"], ["find"], ["map", "a", "b"], ["find", "--", "-x"], ["fnd", "x"], ["find", "x", "-h"]],
)
def test_the_rest_is_left_to_click(line: list[str]) -> None:
    assert read(line) is None
