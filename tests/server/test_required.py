"""JavaScript by both servers: what modules export and scripts require, and whose member `this` names there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "package.json": '{"name": "required", "type": "module"}',
    "loader.js": """
        class Loader {
          /** Looks into a module's exports. */
          load(exports) {}
        }
        class Table {}
        export { Loader, Table };
        """,
    "of_loader.cjs": "const { Loader } = require('./loader.js');\nnew Loader();\n",
    "tables.cjs": "const { Table } = require('./loader.js');\nexports.Table = exports.table = Table;\n",
    "main.cjs": "var tables = require('./tables.cjs');\nexports.tables = tables;\n",
    "of_main.cjs": """
        var tables = require('./main.cjs').tables;
        var Table = tables.Table;
        new tables.table();
        var { Table: Own } = tables;
        """,
    "node_modules/core/index.d.ts": "export interface Definition { create(): void }\n",
    "types/index.d.ts": """
        import type { Definition } from 'core';
        export interface Rule extends Definition { create(): void }
        """,
    "rule.cjs": """
        /** @type {import('./types/index.js').Rule} */
        module.exports = {
          create() {},
        };
        """,
    "node_modules/library/index.js": "exports.json = function json() {};\n",
    "hands.cjs": "var library = require('library');\nexports.json = library.json;\n",
    "of_hands.cjs": "var hands = require('./hands.cjs');\nhands.json();\n",
    "app.cjs": """
        var app = module.exports = {};
        app.set = function (key) {
          return key;
        };
        app.route = function route(path) {
          return path;
        };
        ['get', 'all'].forEach(function (method) {
          app[method] = function (path) {
            this.set(path);
            var route = this.route(path);
            return route;
          };
        });
        """,
}


@pytest.fixture(scope="module")
def required(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("required").resolve() / "work")
    desk.write(FILES)
    yield desk
    assert desk.close() == []


@pytest.fixture(params=["typescript", "native"])
def server(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    ("target", "uses"),
    [
        pytest.param(
            "loader.js:1:7",
            ["loader.js:6", "of_loader.cjs:1", "of_loader.cjs:2"],
            id="a module that speaks of exports",
        ),
        pytest.param(
            "loader.js:5:7",
            ["loader.js:6", "of_main.cjs:2", "of_main.cjs:3", "of_main.cjs:4", "tables.cjs:1", "tables.cjs:2"],
            id="a part of a module that is a part",
        ),
        pytest.param("app.cjs:2:5", ["app.cjs:10"], id="this in a function that a computed member is assigned"),
        pytest.param("rule.cjs:3:3", ["types/index.d.ts:2"], id="the member of a type that overrides a library's"),
    ],
)
def test_uses_of_what_is_required(required: Desk, server: str, target: str, uses: list[str]) -> None:
    found = required.find(target, limit=0, server=server)
    assert found.completeness.status == "complete"
    assert places(found.references or []) == uses


@pytest.mark.parametrize(
    ("use", "declared"),
    [
        pytest.param("app.cjs:10:10", "app.cjs:2:5", id="this in a function that a computed member is assigned"),
        pytest.param("of_hands.cjs:2:7", "hands.cjs:2:9", id="what is handed on of a library"),
    ],
)
def test_what_is_required_leads_to_it(required: Desk, server: str, use: str, declared: str) -> None:
    assert place(required.find(use, server=server).definition) == declared
