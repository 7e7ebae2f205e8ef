"""docs/verbs.md is what the table of verbs says."""

from __future__ import annotations

from cn_client.cli import build
from tests import golden
from tests.conftest import ROOT
from tests.docs import reference


def test_page_is_that_of_the_table() -> None:
    golden.check("verbs.md", reference.page(), ROOT / "docs")


def test_page_tells_every_command() -> None:
    page = reference.page()
    assert all(f"\n## cn {name}" in page for name in build(lambda call: 0).commands)
