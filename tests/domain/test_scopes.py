"""Which files a tsconfig lists, by its patterns."""

from __future__ import annotations

import pytest

from cn_daemon.domain.scopes import Scope


@pytest.mark.parametrize(
    ("include", "path", "listed"),
    [
        ("/w", "/w/a/b.ts", True),
        ("/w/src", "/w/src/a.ts", True),
        ("/w/src", "/w/source/a.ts", False),
        ("/w/packages/*/src/**/*.ts", "/w/packages/a/src/b/c.ts", True),
        ("/w/packages/*/src/**/*.ts", "/w/packages/a/src/c.ts", True),
        ("/w/packages/*/src/**/*.ts", "/w/packages/a/b/src/c.ts", False),
        ("/w/**/a?.ts", "/w/b/ab.ts", True),
        ("/w/**/a?.ts", "/w/b/a.ts", False),
    ],
)
def test_a_pattern_lists_files(include: str, path: str, listed: bool) -> None:
    assert Scope([include]).lists(path) is listed


def test_what_is_excluded_is_listed_by_its_own_name_alone() -> None:
    scope = Scope(["/w"], ["/w/out"], ["/w/out/one.ts"])
    assert [scope.lists(f"/w/{path}") for path in ("a.ts", "out/a.ts", "out/one.ts")] == [True, False, True]
    assert not Scope([]).lists("/w/a.ts")
