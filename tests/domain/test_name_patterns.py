"""What spells a pattern of names, and which names fit it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.name_patterns import read


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        ("*Router", ["Router", "UserRouter"]),
        ("Router*", ["Router", "Routers"]),
        ("`*Router`", ["Router", "UserRouter"]),
        ("/get.*Path/", ["getPath", "getThePath", "forgetPath"]),
        ("/^GETP/i", ["getPath"]),
        ("Router|getPath", ["Router", "getPath"]),
        ("Router, getPath", ["Router", "getPath"]),
    ],
)
def test_names_that_fit(query: str, fitting: list[str]) -> None:
    names = ["Router", "Routers", "UserRouter", "getPath", "getThePath", "forgetPath"]
    pattern = read(query)
    assert pattern is not None
    assert [name for name in names if re.search(pattern.name, name)] == fitting


@pytest.mark.parametrize(
    ("query", "containers", "path"),
    [
        ("User.get*", ("User",), None),
        ("a.User::get*", ("a", "User"), None),
        ("src/a.ts:*Router", (), "src/a.ts"),
        ("src/a.ts#User.get*", ("User",), "src/a.ts"),
    ],
)
def test_where_they_are_looked_for(query: str, containers: tuple[str, ...], path: str | None) -> None:
    pattern = read(query)
    assert pattern is not None
    assert (pattern.containers, pattern.path) == (containers, path)


@pytest.mark.parametrize(
    "query", ["User", "User.rename", "src/a.ts", "src/**/*.ts", "a b", "*.ts", "//", "/etc/passwd", "a,", "", "*" * 300]
)
def test_what_is_no_pattern(query: str) -> None:
    assert read(query) is None


@given(st.text(alphabet="aB*?/.:#|, \\()[]$_i", max_size=60))
def test_any_text_can_be_asked(query: str) -> None:
    read(query)
