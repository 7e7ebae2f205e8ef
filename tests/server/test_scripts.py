"""Scripts that are minified, or that assign one member again and again (all others: tests/cases/scripts.test)."""

from __future__ import annotations

from typing import Any

import pytest

from cn_daemon.adapters.language_servers.session import PyglsSession
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


@pytest.fixture(scope="module")
def scripts(desk: Desk) -> Desk:
    desk.write(FILES)
    return desk


def test_a_minified_script_is_known_by_its_uses(scripts: Desk, server: str) -> None:
    answer = scripts.find("packed")
    assert answer.definition is not None
    assert answer.definition.file_path == "packed.js"
    assert {"unpacks.js:1", "unpacks.js:2"} <= set(places(answer.references or []))
    assert scripts.find("packed.js:packed").definition == answer.definition
    lonely = scripts.find("lonely")
    assert lonely.definition is None
    assert lonely.completeness.reason == "packed.js holds the name; it is minified, and not looked into"
    assert scripts.find("packed.lonely").completeness == lonely.completeness


def test_of_what_a_script_assigns_again_and_again_each_was_asked_about(
    scripts: Desk, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts.find("often", server=server)
    requests: list[str] = []
    asked = PyglsSession.request

    async def request(session: PyglsSession, method: str, params: Any, **named: Any) -> Any:
        requests.append(f"{method} {params.get('arguments')}")
        return await asked(session, method, params, **named)

    monkeypatch.setattr(PyglsSession, "request", request)
    found = scripts.find("often", limit=0, server=server)
    assert places(found.references or []) == ["of_often.js:1"]
    assert found.completeness.status == "complete"
    assert sum("references" in one for one in requests) < 12
