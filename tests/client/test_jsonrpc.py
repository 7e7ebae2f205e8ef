"""What `cn mcp` says to the daemon."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cn_client.jsonrpc import greeting


@pytest.mark.parametrize(("folder", "told"), [("work/src", "work/src"), ("work", "work"), ("home", ""), ("work2", "")])
def test_commands_run_at_the_root_where_the_client_started_us_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, told: str
) -> None:
    tmp_path = tmp_path.resolve()
    for name in ("work/src", "work2", "home"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)
    said = json.loads(greeting("secret", str(tmp_path / "work"), {"tools": ["all"]}))
    assert said["cwd"] == (str(tmp_path / told) if told else "")
    assert (said["token"], said["options"]) == ("secret", {"tools": ["all"]})
