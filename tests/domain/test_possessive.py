"""Python 3.11.2, which Debian 12 has, reads `(?:…)*+` wrongly (CPython gh-106052, mended in 3.11.5)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cn_client
import cn_daemon
import cn_shared

_OF_A_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")


@pytest.mark.parametrize("package", [cn_client, cn_daemon, cn_shared])
def test_no_group_is_repeated_possessively(package: object) -> None:
    """`(?>(?:…)*)` says the same, and every Python reads it."""
    (folder,) = package.__path__  # type: ignore[attr-defined]
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in Path(folder).rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if _OF_A_GROUP.search(line)
    ]
    assert found == []
