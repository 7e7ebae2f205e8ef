"""Which installed packages only an older compiler's resolution finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.native.unfound import is_old, unfound


@pytest.mark.parametrize(
    ("manifest", "lost"),
    [
        ({"types": "i.d.ts"}, False),
        ({"types": "i.d.ts", "exports": "./i.js"}, False),
        ({"types": "i.d.ts", "exports": {"types": "./i.d.ts", "default": "./x.js"}}, False),
        ({"types": "i.d.ts", "exports": {".": {"import": {"default": "./i.js"}}}}, False),
        ({"types": "i.d.ts", "exports": {".": {"node": {"require": "./i.js"}}}}, True),
        ({"types": "i.d.ts", "exports": {".": {"import": "./x.mjs"}}}, True),
        ({"types": "i.d.ts", "exports": {"./part": "./i.js"}}, True),
        ({"main": "i.js", "exports": {".": ["./x.js"]}}, True),
        ({"main": "x.js", "exports": {".": "./x.js"}}, False),
    ],
)
def test_types_outside_the_exports(tmp_path: Path, manifest: dict[str, Any], lost: bool) -> None:
    place = tmp_path / "node_modules/old"
    place.mkdir(parents=True)
    (place / "i.d.ts").write_text("export {};\n")
    (place / "package.json").write_text(json.dumps(manifest))
    (tmp_path / "package.json").write_text('{"devDependencies": {"old": "1", "absent": "1"}}')
    (tmp_path / "deep").mkdir()
    assert unfound(f"{tmp_path}/deep") == ({"old"} if lost else set())


def test_by_which_options_packages_were_looked_for_so() -> None:
    assert [is_old(one) for one in ({"moduleResolution": "Node"}, {"module": "CommonJS"})] == [True, True]
    assert not any(map(is_old, ({}, {"module": "nodenext"}, {"module": "commonjs", "moduleResolution": "bundler"})))
