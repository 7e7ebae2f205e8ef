"""JavaScript modules by both servers: what a file hands on under another name, as a value, or as a part of one."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "client.mjs": """
        export function open(at) {
          return at;
        }
        open(1);
        export default { open, close() {} };
        """,
    "computed.js": "const told = require(`${__dirname}/told.json`);\nconst plain = require(`./plain.json`);\n",
    "signal.mjs": "export const Signal = { Start: 0 };\n",
    "signal.d.ts": "export declare enum Signal { Start = 0 }\n",
    "of_signal.ts": "import { Signal } from './signal';\nSignal.Start;\n",
    "choice.mjs": "import picked from './picker.mjs';\npicked();\n",
    "picker.mjs": "import chosen from './chosen.mjs';\nexport default typeof window\n  ? window\n  : chosen;\n",
    "chosen.mjs": "function chosen() {}\nexport default chosen;\n",
    "later/lib.js": """
        function make() {}
        make();
        module.exports = make;
        module.exports.default = make;
        module.exports.make = make;
        """,
    "later/take.mjs": """
        const { default: one, make } = await import("./lib.js");
        one();
        make();
        """,
    "later/take.cjs": """
        const { default: one, make } = require("./lib.js");
        one();
        make();
        """,
    "typed.cjs": """
        /** @type {import("./whole.js")} */
        const whole = require("./whole.js");

        /** @type {import("./whole.js")} */
        const { Kind, default: own } = require("./whole.js");
        """,
    "package.json": '{"name": "handed", "main": "whole.js"}',
    "whole.js": """
        /** @typedef {string} Kind */
        const events = require('events');
        module.exports = class Whole extends events {
          static make() {}
        };
        module.exports.extra = 1;
        """,
    "named.js": "module.exports = function named() {};\n",
    "test/of_whole.js": "const Mine = require('..'), other = require('../named');\nnew Mine();\nother();\n",
    "routes.js": """
        const app = module.exports = require('somewhere')();
        app.resource = function (path) {};
        app.resource('users');
        """,
    "noted.js": """
        /**
         * @import Sole from "./sole.js";
         * @import {Held} from "./twins.js";
         */
        /** @param {Sole} one */
        const quoted = (one) => ({ "": one });
        const table = { "": 1, key: 2 };
        const second = quoted;
        export {
          quoted as "in-quotes",
          table as "of-keys",
          second as last,
        };
        """,
    "of_noted.js": "import { last, 'in-quotes' as first } from './noted.js';\nlast();\nfirst();\n",
    "coder.js": """
        class Coder {
          /** @param {function(Coder, string): Coder} f */
          each(f) {}
        }
        const other = { import: 1, "\\xc0": 2 };
        exports.Coder = Coder;
        """,
    "of_coder.js": """
        const { Coder } = require('./coder');
        /**
         * @param {string} name of the Coder: {Coder}
         * @param {{ Coder: number }} keys
         * @returns {Coder}
         */
        function make(name, keys) { return new Coder(); }
        /** @type {import('./coder').Coder} */
        let far;
        /** @type {Space.Coder} */
        let none;
        """,
    "constructor.js": """
        function Hash(entries) {
          this.clear();
        }
        function clearHash() {}
        Hash.prototype.clear = clearHash;
        module.exports = Hash;
        """,
    "event.js": """
        class Event {
          get type() { return 1; }
          static make() {}
        }
        Object.defineProperty(Event.prototype, 'type', { enumerable: true });
        Object.defineProperty(Other.prototype, 'type', { enumerable: true });
        module.exports = { Event };
        """,
    "behind.js": "const one = 1; module.exports = { one, two: { three: 3 } }; // ; module.exports = { four: 4 };\n",
    "indented.js": "  const one = require('./parts')[Symbol()]\n  const two = 2\n  {\n    const three = 3\n  }\n",
    "made.js": """
        function Made() { this.held(); }
        Made.prototype.held = function () {};
        Made.prototype.kept = function () {};
        function Other() { this.kept(); }
        Other.prototype.kept = function () {};
        module.exports = Made;
        """,
    "of_made.js": "const Made = require('./made');\nnew Made().held();\n",
    "typed.js": """
        /** @type {Object<string, string>} */
        const typed = { html: 'a' };
        typed.html;
        module.exports = 1;
        """,
    "parts.js": """
        function mask() {}
        module.exports = { cover: mask };
        if (process.env.NATIVE) {
          module.exports.cover = function () {};
        }
        """,
    "of_parts.js": "const { cover } = require('./parts');\ncover();\n",
    "compiled.js": """
        "use strict";
        exports.numbers = exports.digits = void 0;
        exports.digits = [1];
        exports.numbers = exports.digits.concat(2);
        exports.default = { digits: exports.digits };
        """,
    "source.js": "class Source {}\nmodule.exports = { Source };\n",
    "install.js": """
        const { Source } = require('./source');
        module.exports.Source = Source;
        module.exports.install = function (to) { to.Source = module.exports.Source; };
        """,
    "inter.d.ts": """
        export default Inter;
        declare namespace Inter { type Options = { size: 1 }; const made: number; }
        export namespace Named { type Deep = 1; }
        """,
    "of_inter.ts": """
        let one: import("./inter").default.Options;
        let two: typeof import("./inter").default;
        let deep: import('./inter').Named.Deep;
        let keyed: typeof import("./inter")["Named"];
        """,
    "of_attributes.ts": """
        export type Far = { held: import("./inter", { with: { "resolution-mode": "require" } }).Gone; near: 1 };
        """,
    "note_inter.js": "/** @param {import('./inter').default.Options} one */\nconst take = (one) => one;\n",
    "fault.js": "class Fault {}\nmodule.exports = Fault;\nFault.default = Fault;\n",
    "fault.d.ts": """
        declare namespace Fault { export { Fault_ as default }; }
        declare class Fault_ {}
        declare class Fault extends Fault_ {}
        export = Fault;
        """,
    "of_fault.d.ts": "import Fault from './fault.js';\nexport declare const fault: Fault;\n",
    "faults.d.ts": """
        import Fault from './fault.js';
        declare namespace faults { export { Fault }; }
        export = faults;
        """,
    "of_faults.ts": "import { Fault } from './faults'; // no fault of its\ndeclare let one: Fault;\n",
    "chained.js": """
        var chained = exports = module.exports = {};
        /** @return {chained} for chaining */
        chained.on = function () {};
        """,
    "of_fault.js": "const Fault = require('./fault');\nnew Fault();\n",
    "settled.d.ts": "export interface Options { root?(): void; }\n",
    "of_settled.js": """
        /** @type {import('./settled').Options} */
        const own = globalThis.options;
        const old = own.root;
        own.root = () => old;
        """,
    "switch.js": "switch (1) {\n  case 1:\n  default:\n}\n",
    "value.js": """
        module.exports = class Valued {
          /** @returns {Valued} */
          again() { return new Valued(); }
        };
        /** @typedef {{ one: Valued }} Outer */
        """,
    "called.js": """
        class Struct { get gone() { return 1; } get kept() { return 1; } }
        /** @param {function(Struct):void} f */
        const each = f => f(new Struct());
        /** @param {(one: Struct) => void} f */
        const every = f => f(new Struct());
        module.exports = { Struct, each, every };
        """,
    "of_called.js": """
        const { each, every } = require('./called');
        each(one => { one.gone; });
        every((one) => one.kept);
        """,
    "typed/main.js": """
        const { Log } = require('./log');
        module.exports = function main() { return new Log(); };
        module.exports.Log = Log;
        """,
    "typed/main.d.ts": """
        import { Log } from './types';
        declare namespace main { export { Log } }
        declare function main(): Log;
        export = main;
        """,
    "typed/log.js": "class Log {}\nmodule.exports = { Log };\n",
    "typed/types.d.ts": "export declare class Log { off(): void }\n",
    "typed/use.js": "const main = require('./main');\nnew main.Log();\n",
    "typed/take.js": "const { Log } = require('./main');\nnew Log().off();\n",
    "table.js": "const table = { on() {} };\nmodule.exports = { table };\n",
    "of_table.js": "const { table: { on } } = require('./table');\non();\n",
    "sole.js": "class Sole {}\nexport default Sole;\n",
    "remarked.js": """
        /** @typedef {{ text: string }} Leaf */
        /**
         * @template {Leaf} [Tree=Leaf] A Leaf by itself.
         * @template [Other=Tree | Leaf[]]
         * @typedef {(
         *   Other extends Tree ? // A Leaf of a tree.
         *     Leaf : 'https://a' | Leaf
         * )} Grown
         */
        """,
    "twins.d.ts": "type Twin<T> = T | null;\nexport interface Held { one: Twin<string>; }\n",
    "twins.d.cts": """
        declare namespace twins {
          type Twin<T> = T | null;
          type Other = Twin<1>;
        }
        export = twins;
        """,
}


@pytest.fixture(scope="module")
def modules(desk: Desk) -> Desk:
    desk.write(FILES)
    return desk


@pytest.mark.parametrize(
    ("target", "uses"),
    [
        pytest.param("client.mjs:1:17", ["client.mjs:4", "client.mjs:5"], id="export default { a }"),
        pytest.param(
            "chosen.mjs:1:10",
            [
                *("choice.mjs:1", "choice.mjs:2", "chosen.mjs:2"),
                *("picker.mjs:1", "picker.mjs:4"),
            ],
            id="export default a ? b : c",
        ),
        pytest.param(
            "noted.js:8:7",
            ["noted.js:12", "noted.js:12", "of_noted.js:1", "of_noted.js:2"],
            id="export { a as 'b', c as d }",
        ),
        pytest.param(
            "coder.js:1:7",
            [
                *("coder.js:2", "coder.js:2", "coder.js:6"),
                *("of_coder.js:1", "of_coder.js:5", "of_coder.js:7", "of_coder.js:8"),
            ],
            id="types in comments",
        ),
        pytest.param("Valued", ["value.js:2", "value.js:3"], id="a class that is a value, in a comment behind it"),
        pytest.param("typed.js:2:17", [], id="a key of what has a type of its own"),
        pytest.param("event.js:2:7", ["event.js:5"], id="Object.defineProperty"),
        pytest.param("of_settled.js:4:5", ["of_settled.js:3"], id="a member that something else declares as well"),
        pytest.param("constructor.js:5:16", ["constructor.js:2"], id="this in a constructor"),
        pytest.param("parts.js:1:10", ["of_parts.js:1", "of_parts.js:2", "parts.js:2"], id="a key assigned again"),
        pytest.param("parts.js:2:20", ["of_parts.js:1", "of_parts.js:2", "parts.js:4"], id="the key itself"),
        pytest.param("compiled.js:3:9", ["compiled.js:4", "compiled.js:5"], id="exports.a = void 0"),
        pytest.param("compiled.js:5:21", [], id="exports.a = { b: exports.b }"),
        pytest.param(
            "source.js:1:7",
            ["install.js:1", "install.js:2", "install.js:3", "source.js:2"],
            id="module.exports.a in the module itself",
        ),
        pytest.param(
            "inter.d.ts:2:19",
            ["inter.d.ts:1", "note_inter.js:1", "of_inter.ts:1", "of_inter.ts:2"],
            id="import('a').default",
        ),
        pytest.param("inter.d.ts:3:18", ["of_inter.ts:3", "of_inter.ts:4"], id="import('a').b.c"),
        pytest.param(
            "fault.d.ts:3:15",
            [
                *("fault.d.ts:4", "fault.js:2", "fault.js:3", "fault.js:3", "faults.d.ts:1", "faults.d.ts:2"),
                *("of_fault.d.ts:1", "of_fault.d.ts:2", "of_fault.js:1", "of_fault.js:2"),
            ],
            id="a namespace has another default",
        ),
        pytest.param(
            "Fault_",
            [
                *("fault.d.ts:1", "fault.d.ts:1", "fault.d.ts:3", "faults.d.ts:1", "faults.d.ts:2"),
                *("of_fault.d.ts:1", "of_fault.d.ts:2", "of_faults.ts:1", "of_faults.ts:2"),
            ],
            id="the default of a namespace that is the whole module",
        ),
        pytest.param("chained.js:1:5", ["chained.js:3"], id="a variable is no type"),
        pytest.param("table.js:1:7", ["of_table.js:1", "table.js:2"], id="const { a: { b } } = require"),
        pytest.param("signal.mjs:1:14", [], id="beside declarations that './signal' leads to"),
        pytest.param("of_table.js:1:18", ["of_table.js:2", "table.js:1"], id="{ b } of a pattern in it"),
        pytest.param("Sole", ["noted.js:2", "noted.js:5", "sole.js:2"], id="@import"),
        pytest.param(
            "Leaf",
            ["remarked.js:3", "remarked.js:3", "remarked.js:4", "remarked.js:7", "remarked.js:7"],
            id="@template {A} [B=C], and a comment in a type",
        ),
        pytest.param("Twin", ["twins.d.ts:2"], id="one that stands at the top, and not in a namespace"),
    ],
)
def test_uses_of_what_is_handed_on(modules: Desk, server: str, target: str, uses: list[str]) -> None:
    found = modules.find(target, limit=0, server=server)
    assert places(found.references or []) == uses
    assert found.completeness.status == "complete"


@pytest.mark.parametrize(
    ("use", "declared"),
    [
        pytest.param("test/of_whole.js:2:5", "whole.js:3:24", id="module.exports = class A"),
        pytest.param("test/of_whole.js:3:1", "named.js:1:27", id="module.exports = function a"),
        pytest.param("noted.js:2:12", "sole.js:1:7", id="@import"),
        pytest.param("of_coder.js:5:14", "coder.js:1:7", id="a type in a comment"),
        pytest.param("called.js:2:22", "called.js:1:7", id="function(A): B"),
        pytest.param("event.js:5:42", "event.js:2:7", id="Object.defineProperty"),
        pytest.param("compiled.js:4:29", "compiled.js:3:9", id="exports.a = void 0"),
        pytest.param("switch.js:3:3", "switch.js:1:1", id="a word of the language"),
        pytest.param("routes.js:3:5", "routes.js:2:5", id="a member of what nobody knows"),
    ],
)
def test_what_is_taken_leads_to_its_declaration(modules: Desk, server: str, use: str, declared: str) -> None:
    assert place(modules.find(use, server=server).definition) == declared


def test_rows(modules: Desk, server: str) -> None:
    symbols = modules.run(modules.ask("map", file_path="noted.js", server=server)).symbols
    assert [row.name for row in symbols] == ["quoted", "table", "key", "second"]
    symbols = modules.run(modules.ask("map", file_path="of_attributes.ts", server=server)).symbols
    assert [row.name for row in symbols] == ["Far", "held", "near"]
    symbols = modules.run(modules.ask("map", file_path="behind.js", server=server)).symbols
    assert [row.name for row in symbols] == ["one", "one", "two", "three"]
    symbols = modules.run(modules.ask("map", file_path="of_noted.js", server=server)).symbols
    assert symbols == []
    symbols = modules.run(modules.ask("map", file_path="indented.js", server=server)).symbols
    assert [row.name for row in symbols] == ["two"]
    symbols = modules.run(modules.ask("map", file_path="coder.js", server=server)).symbols
    assert [row.name for row in symbols] == ["Coder", "each", "other", "import", "\\xc0"]
    symbols = modules.run(modules.ask("map", file_path="computed.js", server=server)).symbols
    assert [row.name for row in symbols] == ["told"]
    symbols = modules.run(modules.ask("map", file_path="typed.cjs", server=server)).symbols
    assert [row.name for row in symbols] == ["whole"]


def test_what_a_function_is_given_whose_type_a_server_does_not_read(modules: Desk, server: str) -> None:
    """TypeScript 7 no longer reads `function(A): B`."""
    found = modules.find("Struct.gone", limit=0, server=server)
    if server == "typescript":
        assert places(found.references or []) == ["of_called.js:2"]
        assert found.completeness.status == "complete"
    else:
        assert found.completeness.reason == (
            "the language server does not read the type of the function in of_called.js:2: .gone may be its"
        )
    found = modules.find("Struct.kept", limit=0, server=server)
    assert places(found.references or []) == ["of_called.js:3"]
    assert found.completeness.status == "complete"


def test_what_declarations_beside_a_script_hand_on(modules: Desk, server: str) -> None:
    """To the compiler a script requires them, and to Node.js what they declare."""
    found = modules.find("typed/types.d.ts#Log", limit=0, server=server)
    told = ["typed/main.d.ts:1", "typed/main.d.ts:2", "typed/main.d.ts:3"]
    assert places(found.references or []) == [*told, "typed/take.js:1", "typed/take.js:2", "typed/use.js:2"]
    assert found.completeness.status == "complete"
    found = modules.find("typed/log.js#Log", limit=0, server=server)
    used = {ref for ref in places(found.references or []) if not ref.startswith("typed/main.d.ts")}
    assert used == {
        *("typed/log.js:2", "typed/main.js:1", "typed/main.js:2", "typed/main.js:3"),
        *("typed/take.js:1", "typed/take.js:2", "typed/use.js:2"),
    }


def test_what_is_awaited_of_a_module_makes_a_variable_of_its_own(modules: Desk, server: str) -> None:
    found = modules.find("later/lib.js#make", limit=0, server=server)
    assert [f"{ref.file_path[6:]}:{ref.line}:{ref.character}" for ref in found.references or []] == [
        *("lib.js:2:1", "lib.js:3:18", "lib.js:4:26", "lib.js:5:23"),
        *("take.cjs:1:9", "take.cjs:1:18", "take.cjs:1:23", "take.cjs:2:1", "take.cjs:3:1"),
        *("take.mjs:1:9", "take.mjs:1:23"),
    ]
    assert found.completeness.status == "complete"


def test_what_a_function_makes(modules: Desk, server: str) -> None:
    found = modules.find("made.js:2:16", limit=0, server=server)
    assert places(found.references or []) == ["made.js:1", "of_made.js:2"]
    assert found.completeness.status == "complete"
    # That of another function is none.
    assert modules.find("made.js:3:16", limit=0, server=server).completeness.status == "complete"
