"""JavaScript by both servers: what modules export and scripts require, and whose member `this` names there."""

from __future__ import annotations

import pytest

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
    "tables.cjs": """
        const { Table } = require('./loader.js');
        exports.Table = exports['a-table'] = exports.table = Table;
        """,
    "main.cjs": "var tables = require('./tables.cjs');\nexports.tables = tables;\n",
    "of_main.cjs": """
        var tables = require('./main.cjs').tables;
        var Table = tables.Table;
        new tables.table();
        var { Table: Own } = tables;
        """,
    "proto.cjs": "var proto = module.exports = {};\nproto.put = function put() {};\n",
    "make.cjs": """
        var proto = require('./proto.cjs');
        exports = module.exports = make;
        function make() {}
        exports.application = proto;
        """,
    "of_make.cjs": "var make = require('./make.cjs');\nmake.application.put();\n",
    "source.cjs": "class Source {\n  finalize() {}\n}\nmodule.exports = { Source };\n",
    "of_source.cjs": """
        const { Source } = require('./source.cjs');
        /** @typedef {Object} Slots
         * @property {Source|null} last The last one. */
        /**
         * @param {Source} one
         * @param {Slots} slots
         */
        function end(one, slots, any) {
          one.finalize();
          any.finalize();
          slots.last?.finalize();
          const { finalize } = one;
        }
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
    "command.cjs": """
        class Command {}
        function make() {
          return {};
        }
        exports.Command = Command;
        exports.program = new Command();
        exports.made = make();
        """,
    "whole_command.cjs": """
        const { Command } = require('./command.cjs');
        exports.Command = Command;
        exports.program = new Command();
        """,
    "of_command.mjs": """
        import { program, made } from './command.cjs';
        import whole from './whole_command.cjs';
        export const { program: second, Command } = whole;
        program.parse(made);
        """,
    "assigned.cjs": """
        function first() {}
        function second() {}
        Object.assign(module.exports, { first, other: second }, require('./loader_table.cjs'));
        Object.assign({}, { first: second });
        """,
    "loader_table.cjs": "function third() {}\nmodule.exports = { third };\n",
    "of_assigned.cjs": """
        const { first, third } = require('./assigned.cjs');
        first();
        require('./assigned.cjs').other();
        third();
        """,
    "all_of_helpers.cjs": """
        var __importStar = (module) => module;
        const all = __importStar(require('./helpers.cjs'));
        all.take;
        const direct = require('./helpers.cjs');
        direct.take;
        import('./helpers.cjs').then(async () => {
          const later = await import('./helpers.cjs');
          later.take;
        });
        """,
    "self.cjs": "const self = module.exports;\nself.tail = function () {};\nexports.head = () => exports.tail();\n",
    "of_self.cjs": "const all = require('./self.cjs');\nall.tail();\n",
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
    "helpers.cjs": "exports.defer = function later() {};\n",
    "of_helpers.cjs": """
        const helpers = require('./helpers.cjs');
        var defer = helpers.defer;
        soon(defer);
        soon(helpers.defer);
        const { plain } = require('./kinds.cjs'), all = require('./kinds.cjs');
        all.plain;
        """,
    "plain_coder.cjs": "class Coder {}\nmodule.exports = { Coder };\n",
    "coder.cjs": "class Coder {}\nmodule.exports = { Coder };\n",
    "of_coder.cjs": """
        const coder = require('./coder.cjs');
        const plain = require('./plain_coder.cjs');
        const make = (kind) => new (kind === 'plain' ? plain : coder).Coder(kind);
        const one = (coder || plain).Coder, other = keep(coder).Coder;
        """,
    "kinds.cjs": "const kinds = { plain: 'p' };\nmodule.exports = { plain: kinds.plain };\n",
    "pool.cjs": """
        class Client {}
        let chosen = Client;
        function Pool(Client) { this.make = () => new Client(); }
        module.exports = new Pool(chosen);
        """,
    "of_pool.mjs": "import pool from './pool.cjs';\n// Of what was chosen.\npool.make();\n",
}


@pytest.fixture(scope="module")
def required(desk: Desk) -> Desk:
    desk.write(FILES)
    return desk


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
        pytest.param(
            "Source.finalize",
            ["of_source.cjs:11", "of_source.cjs:12", "of_source.cjs:9"],
            id="of a class that comments name",
        ),
        pytest.param(
            "command.cjs:1:7",
            [
                "command.cjs:5",
                "command.cjs:6",
                "of_command.mjs:3",
                "whole_command.cjs:1",
                "whole_command.cjs:2",
                "whole_command.cjs:3",
            ],
            id="a class, and not what another export makes of it",
        ),
        pytest.param(
            "assigned.cjs:1:10",
            ["assigned.cjs:3", "of_assigned.cjs:1", "of_assigned.cjs:2"],
            id="what Object.assign adds to what a module exports",
        ),
        pytest.param(
            "assigned.cjs:2:10",
            ["assigned.cjs:3", "assigned.cjs:4", "of_assigned.cjs:3"],
            id="and by another name",
        ),
        pytest.param(
            "loader_table.cjs:1:10",
            ["loader_table.cjs:2", "of_assigned.cjs:1", "of_assigned.cjs:4"],
            id="and all of another module",
        ),
        pytest.param("self.cjs:2:6", ["of_self.cjs:2", "self.cjs:3"], id="a member of what the exports are called"),
        pytest.param("command.cjs:2:10", ["command.cjs:7"], id="a function, and not what another export makes by it"),
        pytest.param("rule.cjs:3:3", ["types/index.d.ts:2"], id="the member of a type that overrides a library's"),
        pytest.param(
            "coder.cjs:1:7", ["coder.cjs:2", "of_coder.cjs:3", "of_coder.cjs:4"], id="of one module or another"
        ),
        pytest.param("pool.cjs:2:5", ["pool.cjs:4"], id="an argument of what makes the module"),
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
        pytest.param("of_helpers.cjs:3:6", "of_helpers.cjs:2:5", id="a variable that has a part of a module"),
        pytest.param("of_helpers.cjs:4:14", "helpers.cjs:1:9", id="a function that has a name of its own besides"),
        pytest.param("all_of_helpers.cjs:3:1", "all_of_helpers.cjs:2:7", id="a variable that a helper gives a module"),
        pytest.param("all_of_helpers.cjs:5:1", "helpers.cjs:1:1", id="what is required by itself"),
        pytest.param("all_of_helpers.cjs:8:3", "all_of_helpers.cjs:7:9", id="a variable that a module is awaited for"),
        pytest.param("of_helpers.cjs:6:5", "kinds.cjs:2:20", id="an export that has the value of a member"),
    ],
)
def test_what_is_required_leads_to_it(required: Desk, server: str, use: str, declared: str) -> None:
    assert place(required.find(use, server=server).definition) == declared


def test_what_is_taken_of_a_part_is_told_or_in_doubt(required: Desk, server: str) -> None:
    found = required.find("proto.put", limit=0, server=server)
    assert places(found.references or []) == ["of_make.cjs:2"] or found.completeness.reason == (
        "the language server does not tell what is taken of application in of_make.cjs:2"
    )


MINGLED = {
    "lib/pool.js": """
        class Pool { static create() { return new Pool(); } }
        Pool.prototype.release = function () {};
        module.exports = Pool;
        module.exports.Pool = Pool;
        module.exports.createPool = () => Pool.create();
        """,
    "lib/index.js": """
        const Pool = require('./pool');
        const { createPool } = Pool;
        module.exports = { Pool, createPool };
        """,
    "lib/more.mjs": "import { Pool } from './pool.js';\nexport class More extends Pool {}\n",
}


def test_uses_of_what_is_exported_whole_beside_parts_came_with_the_second_question(own_desk: Desk, server: str) -> None:
    own_desk.write(MINGLED)
    for _ in ("cold", "warm"):
        answer = own_desk.find("lib/pool.js#Pool", limit=0, server=server)
        assert answer.completeness.status == "complete"
        assert places(answer.references or []) == [
            "lib/index.js:1", "lib/index.js:2", "lib/index.js:3", "lib/more.mjs:1", "lib/more.mjs:2",
            *(f"lib/pool.js:{line}" for line in range(1, 6)),
        ]  # fmt: skip


def test_members_behind_what_is_exported_beside_the_whole_were_lost_natively_in_silence(
    own_desk: Desk, server: str
) -> None:
    use = """
        const { createPool } = require("./pool");
        const pool = createPool();
        pool.acquire();
        createPool().size;
        """
    library = """
        class Pool { acquire() {} get size() { return 1; } other() {} }
        module.exports = Pool;
        module.exports.createPool = () => new Pool();
        """
    own_desk.write({"pool.js": library, "use.js": use, "apart.js": "exports.f = (pool) => pool.other();\n"})
    for name, uses in {"acquire": ["use.js:3"], "size": ["use.js:4"], "other": []}.items():
        answer = own_desk.find(f"Pool.{name}", limit=0, server=server)
        if server == "native" and uses:
            assert "createPool" in (answer.completeness.reason or "")
        else:
            assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


TYPED = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "module": "commonjs"}, "include": ["src"]}',
    "src/globals.d.ts": "declare var exports: any;\ndeclare var require: (path: string) => any;\n",
    "src/ready.ts": """
        export function ready() {
          return () => exports.close();
        }
        function shut() {}
        export { shut as close };
        export const apart = (exports: { ready(): void }) => exports.ready();
        """,
    "src/part.ts": "export default class Part {}\nclass Store {}\nexport const store = new Store();\n",
    "src/index.ts": 'export * from "./ready";\nexport { default as Part } from "./part";\n',
    "src/of_index.ts": """
        import whole = require(".");
        whole.ready();
        export const { ready, close: end } = require("./ready");
        export const one: any = require("./index");
        new one.Part();
        """,
    # In no tsconfig, and as tests load a module anew.
    "test/all.ts": """
        declare const require: any, before: any, test: any;
        let all: any;
        before(() => (all = require("../src")));
        test(() => all.ready());
        test(() => {
          const all = require("../src/part");
          new all.default(all.store);
        });
        test((all: { ready(): void }) => all.ready());
        const Own = require("../src/part").default;
        """,
}


@pytest.mark.parametrize("name", ["Made", "made"])
def test_uses_of_a_variable_of_typescript_were_told_as_those_of_what_it_takes_of_a_script(
    own_desk: Desk, server: str, name: str
) -> None:
    own_desk.write(
        {
            "tsconfig.json": TYPED["tsconfig.json"],
            "src/globals.d.ts": TYPED["src/globals.d.ts"],
            "src/made.js": "class Made {}\nfunction made() {}\nmodule.exports = { Made, made };\n",
            "src/use.ts": f"""
                const {name} = require("./made").{name};
                const {{ {name}: other }} = require("./made");
                export const all = [{name}, other];
                """,
        }
    )
    answer = own_desk.find(f"src/made.js#{name}", limit=0, server=server)
    assert (answer.completeness.status, places(answer.references or [])) == (
        "complete", ["src/made.js:3", "src/use.ts:1", "src/use.ts:2"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("target", "uses"),
    [
        ("src/ready.ts#ready", ["src/of_index.ts:2", "src/of_index.ts:3", "test/all.ts:4"]),
        ("shut", ["src/of_index.ts:3", "src/ready.ts:2", "src/ready.ts:5", "src/ready.ts:5"]),
        (
            "Part",
            ["src/index.ts:2", "src/index.ts:2", "src/of_index.ts:5", "test/all.ts:10", "test/all.ts:7"],
        ),
        ("Store", ["src/part.ts:3"]),
        ("store", ["test/all.ts:7"]),
    ],
)
def test_what_typescript_takes_of_exports_and_by_require_is_any_to_servers(
    own_desk: Desk, server: str, target: str, uses: list[str]
) -> None:
    own_desk.write(TYPED)
    answer = own_desk.find(target, limit=0, server=server)
    assert (answer.completeness.status, places(answer.references or [])) == ("complete", uses)


def test_what_a_module_calls_require_itself_was_no_call(own_desk: Desk, server: str) -> None:
    """There it is a constant as any other; the line that takes a script by it was an import alone."""
    own_desk.write(
        {
            "table.cjs": "exports.rows = [];\n",
            "serve.mjs": """
                import { createRequire } from "node:module";
                const require = createRequire(import.meta.url);
                const rows = require("./table.cjs").rows;
                export const load = (name) => require(name);
                """,
        }
    )
    found = own_desk.run(own_desk.ask("callers", query="serve.mjs#require", server=server))
    lines = {one.symbol.name: [use.line for use in one.uses] for one in found.callers}
    assert lines == {"serve.mjs": [3], "load": [4]}


def test_what_a_pattern_takes_of_a_required_module_had_the_uses_of_all_who_take_it(own_desk: Desk, server: str) -> None:
    """To servers its variable is the member as well; what another file makes of that is none of its uses."""
    own_desk.write(
        {
            "signs.js": 'const hooked = Symbol.for("hooks");\nmodule.exports = { hooked };\n',
            "levels.js": """
                const { hooked } = require("./signs");
                exports.level = function () { return this[hooked]; };
                """,
            "main.js": """
                const signs = require("./signs");
                const { hooked } = signs;
                exports.hooked = hooked;
                exports.made = { [hooked]: 1 };
                """,
            "user.js": """
                const main = require("./main");
                console.log(main.hooked);
                """,
        }
    )
    answer = own_desk.find("main.js#hooked", limit=0, server=server)
    told = places(answer.references or [])
    assert answer.completeness.status == "complete"
    assert [one for one in told if not one.startswith("signs.js")] == [
        "levels.js:1",
        "main.js:3",
        "main.js:4",
        "user.js:2",
    ]
    answer = own_desk.find("signs.js#hooked", limit=0, server=server)
    assert {"levels.js:2", "main.js:2"} <= {*places(answer.references or [])}
