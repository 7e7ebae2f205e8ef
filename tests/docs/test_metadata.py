"""What a distribution says of where it comes from: nothing, unless the build is told the repository's address."""

from __future__ import annotations

import runpy
import sys
import types
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def metadata(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """As hatchling asks for it; it is no dependency of the tests."""
    interface = types.ModuleType("hatchling.metadata.plugin.interface")
    interface.MetadataHookInterface = object  # type: ignore[attr-defined]
    for name in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    hook = runpy.run_path(str(ROOT / "scripts" / "metadata.py"))["CustomMetadataHook"]()
    hook.root = str(ROOT)
    told: dict[str, Any] = {}
    hook.update(told)
    return told


def test_no_address_is_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REPOSITORY_URL", raising=False)
    assert metadata(monkeypatch) == {
        "readme": {"content-type": "text/markdown", "text": (ROOT / "README.md").read_text("utf-8")}
    }


def test_links_of_the_readme_lead_to_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the index a relative one leads nowhere, and the picture is missing."""
    monkeypatch.setenv("REPOSITORY_URL", "https://example.org/ada/cn/")
    told = metadata(monkeypatch)
    assert told["urls"]["Issues"] == "https://example.org/ada/cn/issues"
    text = told["readme"]["text"]
    assert "](https://example.org/ada/cn/raw/HEAD/docs/bytes.svg)" in text
    assert "](https://example.org/ada/cn/blob/HEAD/docs/troubleshooting.md#systems)" in text
    assert "](docs/" not in text
