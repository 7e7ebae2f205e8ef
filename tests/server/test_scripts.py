"""Scripts that are minified, or that assign one member again and again (all others: tests/cases/scripts.test)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.desk import Desk, places

pytestmark = pytest.mark.server

FILES = {
    "often.js": "exports.often = function () {};\n" * 40,
    "of_often.js": "require('./often').often();\n",
    "packed.js": "function packed(b){return kept(b,c(d))};exports.packed=packed;"
    + "".join(f"function p{n}(b){{return kept(b,c(d))}};exports.p{n}=p{n};" for n in range(900))
    + "exports.lonely=1",
    "unpacks.js": "const { packed } = require('./packed');\npacked(packed);\n",
}


def test_a_minified_script_is_known_by_its_uses(tmp_path: Path) -> None:
    scripts = Desk(tmp_path / "work")
    scripts.write(FILES)
    answer = scripts.find("packed")
    assert answer.definition is not None
    assert answer.definition.file_path == "packed.js"
    assert {"unpacks.js:1", "unpacks.js:2"} <= set(places(answer.references or []))
    assert scripts.find("packed.js:packed").definition == answer.definition
    lonely = scripts.find("lonely")
    assert lonely.definition is None
    assert lonely.completeness.reason == "packed.js holds the name; it is minified, and not looked into"
    assert scripts.find("packed.lonely").completeness == lonely.completeness
    assert scripts.close() == []
