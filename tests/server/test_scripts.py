"""JavaScript by both servers: what imports and declares in it, found by name, and shown whole."""

from __future__ import annotations

from typing import Any

import pytest

from cn_daemon.adapters.language_servers.session import PyglsSession
from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "often.js": "exports.often = function () {};\n" * 40,
    "of_often.js": "require('./often').often();\n",
    "lib.js": """
        exports.one = 1;
        exports.two = { deep: 2 };
        """,
    "required.js": """
        const fs = require('fs');
        const { one, two: renamed, ...rest } = require('./lib');
        const { two: { deep } } = require('./lib');
        const part = require('./lib').two;
        let both = require('./lib'), beside = 5;
        const called = require('./lib')();
        const either = require('./lib') || 1;
        /** @type {any} */
        const typed = require('./lib');
        export const handed = require('./lib');
        """,
    "required.ts": "declare const require: any;\nconst lib = require('./lib');\n",
    "typed.ts": """
        type Called = (value: string) => string[];
        /**
         * Which has no name.
         * @typedef {Called}
         * @param {string} value
         */
        export const called: Called = (value) => [value];
        """,
    "app.js": """
        var app = exports = module.exports = {};
        app.init = function init() {
          var inner = 1;
          return inner;
        };
        app.get = app.post = () => 1;

        function View() {}
        View.prototype.draw = function () {};
        View.kinds = ['a'];
        View.prototype = { late() {}, size: 1 };
        var request = Object.create(View.prototype);
        request.header = function () {};
        request.count = 1;
        window.not = 3;
        exports.View = exports["a-view"] = View;
        exports.first = exports.second = function () {};
        exports.table = { key: 1 };
        exports.Deep = class Named { dive() {} };
        exports.gone = void 0;
        /*
        exports.comment = 1
        */
        const text = `
        exports.text = 1
        `;
        """,
    "tool.js": "const tool = {};\ntool.start = function () {};\nmodule.exports = tool;\n",
    "main.js": "const tool = require('./tool');\ntool.start();\ntool.start();\n",
    "whole.js": "module.exports = function whole() {};\n",
    "types.js": """
        /** @typedef {{ x: number }} Point */
        /**
         * Two of them.
         * @typedef {Object} Pair
         * @property {Point} a
         */
        /** @callback Listener */

        /** @param {Pair} pair */
        export function draw(pair) {
          /** @typedef {string} Local */
          return pair.a.x;
        }
        /** @callback module:deep/types~called */
        """,
    "blocks.js": """
        /** @jsx h */

        // Far from what follows.
        describe(() => {
          one();
          two();
        });

        const Store = class {
          constructor() {
            this.rows = [];
          }
          add() {}
        };

        // This comment is a long one, so that the last of its lines, which looks as if an expression went on behind it,
        // stands far from where it begins; it goes on for a while, and for another while, until nobody can remember,
        // let alone a window of a few hundred characters, that it is a comment at all; which it nevertheless is: and
        // more declarative:

        function format() {}

        run(() => {
          const {
            inner,
          } = Store;
        });
        const {
          outer,
        } = Store;

        Store.prototype.show = function show() {
          // a comment of the call
          one(1, function done() {
            two();
          });
          two();
        };

        Store.prototype.put =
        Store.prototype.keep = function keep() {
          one();
          two();
        };

        Store.prototype.read = function read(done) {
          done = done || function (error) {
            one(error);
          };
          two(done);
        };
        """,
    "alias.js": """
        exports.aliased = aliased;
        exports.other = renamed;
        module.exports.whole = whole;
        function aliased() {}
        function renamed() {}
        function whole() {}
        """,
    "object.js": "function keyed() {}\nfunction valued() {}\nmodule.exports = { keyed, given: valued };\n",
    "default.js": "function sole() {}\nmodule.exports = sole;\nmodule.exports.beside_it = function () {};\n",
    "both.js": "exports = module.exports = { etag: 1 };\nexports.wetag = function () {};\n",
    "self.js": """
        var self = exports = module.exports = {};
        self.outer = function () { this.inner(); self.inner(); };
        self.inner = function () {};
        self.deep = function () { list.forEach(() => this.handled()); };
        self.handled = function () {};
        """,
    "takes.js": """
        const alias = require('./alias'), object = require('./object');
        alias.aliased(); alias.aliased();
        alias.aliased();
        alias.aliased();
        alias.other();
        alias.whole();
        object.keyed();
        object.given();
        const any = require('./default');
        any();
        any.beside_it();
        const both = require('./both');
        both.wetag();
        require('./both').wetag();
        const self = require('./self');
        self.outer();
        """,
    "takes_parts.js": """
        const { aliased } = require('./alias');
        aliased();
        const { aliased: called } = require('./alias');
        called();
        const alias = require('./alias');
        const { whole } = alias;
        whole();
        const part = require('./alias').other;
        part();
        """,
    "takes_none.js": "const alias = require('./part');\nalias.aliased();\nother.whole();\nfunction keyed() {}\n",
    "part.js": "exports.aliased = function () {};\n",
    "imports.mjs": "import * as alias from './alias.js';\nalias.aliased();\n",
    "packed.js": "function packed(b){return kept(b,c(d))};exports.packed=packed;"
    + "".join(f"function p{n}(b){{return kept(b,c(d))}};exports.p{n}=p{n};" for n in range(900))
    + "exports.lonely=1",
    "unpacks.js": "const { packed } = require('./packed');\npacked(packed);\n",
    "barrel/index.js": "'use strict';\nmodule.exports = require('./maker');\n",
    "barrel/maker.js": """
        exports = module.exports = createMaker;
        exports.part = require('./part');
        exports.quoted = function () {};
        function createMaker() {}
        """,
    "barrel/part.js": "module.exports = part;\nfunction part() {}\n",
    "barrel/test/uses.js": """
        var make = require('..');
        make();
        make.part();
        const { ["part"]: piece, quoted = 1 } = require('../');
        piece(quoted);
        """,
    "barrel/test/made.js": "var app = module.exports = require('..')();\napp.part;\n",
    "barrel/test/of_made.js": "const app = require('./made');\napp();\n",
    "barrel/spread.js": "module.exports = { ...require('./maker'), own: 1 };\n",
    "barrel/of_spread.js": "const all = require('./spread');\nall.quoted();\n(function (all) { all.quoted(); })();\n",
    "literal.js": """
        module.exports = {
          get kind() { return 1; },
          set kind(value) { this.kind = value; list.forEach(() => this.kind++); },
          inner: { set kind(value) { this.kind = 2; } },
          other() { return this.kind; },
        };
        """,
    "classes.js": """
        export class Sized {
          constructor() { this.size = 1; this.grow = this.grow.bind(this); list.map(function () { this.size = 3; }); }
          get size() { return 1; }
          set size(value) { }
          grow() { return this.size; }
          static grown() { return this.grow() + this.size; }
        }
        new Sized().size = 2;
        """,
    "typed_class.js": """
        /** @type {Bound} */
        class Bound {
          constructor() { this.go = this.go.bind(this); }
          go() {}
        }
        """,
    "values.js": """
        const inner = {};
        const classes = 1;
        exports.Plain = class { reach() { return 1; } static of() {} };
        inner.Heir = class extends Map {
          constructor() { super(); }
          get first() { return this.reach; }
        };
        module.exports.Other = inner.Other = class { go() {} };
        exports.kinds = classes;
        """,
    "nested.js": """
        var nested = module.exports = {};
        nested.first = function () {
          return list.map(function () { return this.second(); });
        };
        nested.second = function () {};
        """,
}


@pytest.fixture(scope="module")
def scripts(desk: Desk) -> Desk:
    desk.write(FILES)
    return desk


def rows(desk: Desk, path: str, server: str) -> list[str]:
    symbols = desk.run(desk.ask("map", file_path=path, server=server)).symbols
    return [f"{row.line} {row.kind} {'.'.join(filter(None, (row.container, row.name)))}" for row in symbols]


def test_what_is_required_is_imported(scripts: Desk, server: str) -> None:
    assert rows(scripts, "required.js", server) == [
        "3 Constant deep",
        "5 Variable beside",
        "6 Constant called",
        "7 Constant either",
        "9 Constant typed",
        "10 Constant handed",
    ]
    assert rows(scripts, "required.ts", server) == ["1 Constant require", "2 Constant lib"]


def test_assignments_declare(scripts: Desk, server: str) -> None:
    assert rows(scripts, "app.js", server) == [
        "1 Variable app",
        "2 Method app.init",
        "6 Method app.get",
        "6 Method app.post",
        "8 Function View",
        "9 Method View.draw",
        "10 Property View.kinds",
        "11 Method View.late",
        "11 Property View.size",
        "12 Variable request",
        "13 Method request.header",
        "17 Function first",
        "17 Function second",
        "18 Constant table",
        "18 Property table.key",
        "19 Class Deep",
        "19 Method Deep.dive",
        "24 Constant text",
    ]
    assert rows(scripts, "whole.js", server) == ["1 Function whole"]


def test_a_member_that_was_assigned_is_found_by_name(scripts: Desk, server: str) -> None:
    found = scripts.find("tool.start", server=server)
    assert place(found.definition) == "tool.js:2:6"
    assert places(found.references or []) == ["main.js:2", "main.js:3"]
    assert found.completeness.status == "complete"


def test_types_in_comments_are_declared(scripts: Desk, server: str) -> None:
    assert rows(scripts, "types.js", server) == [
        "1 TypeAlias Point",
        "4 TypeAlias Pair",
        "7 TypeAlias Listener",
        "10 Function draw",
    ]
    found = scripts.find("Pair", server=server)
    assert place(found.definition) == "types.js:4:22"
    assert places(found.references or []) == ["types.js:9"]
    shown = scripts.inspect("types.js:4:22", server=server).result
    assert (shown.range.start_line, shown.range.end_line) == (2, 6)


def test_a_type_that_a_comment_declares_in_a_namespace_was_no_row(desk: Desk, server: str) -> None:
    desk.write(
        {
            "jsconfig.json": "{}",
            "spaced.js": """
                import { a } from "./other.js";
                /**
                 * @typedef {import("./other.js").Told} deep.er.Told
                 * @typedef {{ a: number }} deep.er.Own
                 */

                /** @param {deep.er.Told} told */
                export function tell(told) {
                  return /** @type {Array<deep.er.Own>} */ ([told, a]);
                }
                /** @typedef {deep.er.Own} Alone */
                """,
            "other.js": """
                /** @typedef {{ a: number }} Told */
                /** @type {Told} */
                export const a = { a: 1 };
                """,
        }
    )
    rows = desk.run(desk.ask("map", file_path="spaced.js", server=server)).symbols
    assert [(row.line, row.kind, row.name) for row in rows][:2] == [(3, "TypeAlias", "Told"), (4, "TypeAlias", "Own")]

    def told(query: str) -> list[str]:
        answer = desk.find(query, server=server)
        assert answer.completeness.status == "complete"
        return sorted(places(answer.references or ()))

    assert told("spaced.js:3:49") == ["spaced.js:7"]
    assert told("spaced.js:4:37") == ["spaced.js:11", "spaced.js:9"]
    assert told("other.js#Told") == ["other.js:2", "spaced.js:3"]
    assert told("Alone") == []


def test_uses_in_other_files_of_a_type_that_a_script_declares_in_a_namespace_for_all_were_lost(
    own_desk: Desk, server: str
) -> None:
    own_desk.write(
        {
            "spaced.js": """
                /**
                 * @typedef {{ a: number }} deep.er.Told
                 * @typedef {{ b: number }} deep.er.Own
                 */

                /** @param {deep.er.Told} told */
                function tell(told) {
                  return /** @type {Array<deep.er.Own>} */ ([told]);
                }
                """,
            "other.js": """
                /** @type {deep.er.Told} */
                const b = { a: 1 };
                const c = "deep.er.Told";
                """,
            "typed.ts": "const e: deep.er.Told = { a: 1 }; // deep.er.Told\n",
            "module.mjs": """
                /** @typedef {{ c: number }} deep.er.Own */
                /** @type {deep.er.Own} */
                export const d = { c: 1 };
                """,
        }
    )
    for _ in ("cold", "warm"):
        for at, uses in (
            ("spaced.js:2:37", ["other.js:1", "spaced.js:6", "typed.ts:1"]),
            ("other.js:1:20", ["other.js:1", "spaced.js:6", "typed.ts:1"]),
            ("spaced.js:3:37", ["spaced.js:8"]),
            ("module.mjs:1:38", ["module.mjs:2"]),
        ):
            answer = own_desk.find(at, limit=0, server=server)
            told = (answer.completeness.status, sorted(places(answer.references or ())))
            assert (at, told) == (at, ("complete", uses))


def test_a_namespace_that_comments_alone_declare_was_told_with_some_of_its_uses_as_if_with_all(
    own_desk: Desk, server: str
) -> None:
    own_desk.write(
        {
            "spaced.js": """
                /** @typedef {{ a: number }} deep.er.Told */
                /** @typedef {{ b: number }} deep.er.Own */
                /** @type {deep.er.Told} */
                const told = { a: 1 };
                """
        }
    )
    answer = own_desk.find("spaced.js:3:17", server=server)
    assert answer.completeness.status == "partial"
    assert "er, a namespace that a comment declares (spaced.js:1)" in str(answer.completeness.reason)
    assert own_desk.find("told", server=server).completeness.status == "complete"


def test_types_of_one_name_that_comments_declare_in_several_namespaces_were_one(desk: Desk, server: str) -> None:
    desk.write(
        {
            "jsconfig.json": "{}",
            "twins.js": """
                /** @typedef {{ one: number }} one.Twin */
                /** @typedef {{ two: number }} two.Twin */
                /** @typedef {{ three: number }} Twin */

                /**
                 * @param {one.Twin} first
                 * @param {two.Twin} second
                 */
                export function twin(first, second) {
                  /** @type {Twin} */
                  const third = { three: 1 };
                  return [first.one, second.two, third.three];
                }
                /** @type {two.Twin} */
                export const more = { two: 2 };
                """,
        }
    )
    for declared, uses in (
        ("1:36", ["twins.js:6"]),
        ("2:36", ["twins.js:14", "twins.js:7"]),
        ("3:34", ["twins.js:10"]),
    ):
        named = [f"{use}:16" for use in uses] if declared != "3:34" else ["twins.js:10:14"]
        for at in (f"twins.js:{declared}", *named):
            answer = desk.find(at, server=server)
            told = (answer.completeness.status, sorted(places(answer.references or ())))
            assert (at, place(answer.definition), told) == (at, f"twins.js:{declared}", ("complete", uses))


def test_a_type_in_a_comment_of_typescript_is_none(scripts: Desk, server: str) -> None:
    assert rows(scripts, "typed.ts", server) == ["1 TypeAlias Called", "7 Constant called"]


def test_the_members_of_a_class_that_is_a_value_are_rows(scripts: Desk, server: str) -> None:
    assert rows(scripts, "blocks.js", server) == [
        "9 Constant Store",
        "10 Constructor Store.constructor",
        "13 Method Store.add",
        "32 Method Store.show",
        "40 Method Store.put",
        "41 Method Store.keep",
        "46 Method Store.read",
        "21 Function format",
        "29 Constant outer",
    ]


def test_so_are_those_of_a_class_without_a_name_that_is_assigned(scripts: Desk, server: str) -> None:
    assert rows(scripts, "values.js", server) == [
        "1 Constant inner",
        "4 Property inner.Heir",
        "5 Constructor inner.Heir.constructor",
        "6 Accessor inner.Heir.first",
        "8 Property inner.Other",
        "2 Constant classes",
        "3 Class Plain",
        "3 Method Plain.reach",
        "3 Method Plain.of",
        "8 Class Other",
        "8 Method Other.go",
        "9 Constant kinds",
    ]


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        # Not with the comment that stands far above it, nor with that of the call around it.
        pytest.param("blocks.js:5:3", (3, 7), id="a statement"),
        pytest.param("blocks.js:35:5", (34, 36), id="a function in a call"),
        pytest.param("blocks.js:37:3", (32, 38), id="a member that was assigned"),
        pytest.param("blocks.js:43:3", (40, 44), id="two members in a chain"),
        pytest.param("blocks.js:48:5", (46, 51), id="an operand that is assigned"),
    ],
)
def test_blocks(scripts: Desk, server: str, target: str, lines: tuple[int, int]) -> None:
    shown = scripts.inspect(target, server=server).result
    assert (shown.range.start_line, shown.range.end_line) == lines


@pytest.mark.parametrize(
    ("target", "uses"),
    [
        pytest.param(
            "alias.js:4:10",
            [
                *("alias.js:1", "imports.mjs:2", "takes.js:2", "takes.js:2", "takes.js:3", "takes.js:4"),
                *("takes_parts.js:1", "takes_parts.js:2", "takes_parts.js:3", "takes_parts.js:3", "takes_parts.js:4"),
            ],
            id="exports.a = a",
        ),
        pytest.param(
            "alias.js:5:10",
            ["alias.js:2", "takes.js:5", "takes_parts.js:8", "takes_parts.js:8", "takes_parts.js:9"],
            id="exports.b = a",
        ),
        pytest.param(
            "alias.js:6:10",
            ["alias.js:3", "takes.js:6", "takes_parts.js:6"],
            id="module.exports.a = a",
        ),
        pytest.param("object.js:1:10", ["object.js:3", "takes.js:7"], id="module.exports = { a }"),
        pytest.param("object.js:2:10", ["object.js:3", "takes.js:8"], id="module.exports = { b: a }"),
        pytest.param(
            "default.js:1:10", ["default.js:2", "takes.js:10", "takes.js:11", "takes.js:9"], id="module.exports = a"
        ),
        pytest.param("default.js:3:16", ["takes.js:11"], id="module.exports.a = function"),
        pytest.param("both.js:2:9", ["takes.js:13", "takes.js:14"], id="exports = module.exports = {}"),
        pytest.param("self.js:2:6", ["takes.js:16"], id="a member of what is exported"),
        pytest.param("self.js:3:6", ["self.js:2", "self.js:2"], id="by this"),
        pytest.param("self.js:5:6", ["self.js:4"], id="by this in an arrow function"),
        pytest.param(
            "barrel/maker.js:4:10",
            [
                *("barrel/maker.js:1", "barrel/test/uses.js:1"),
                *("barrel/test/uses.js:2", "barrel/test/uses.js:3"),
            ],
            id="module.exports = require(a)",
        ),
        pytest.param(
            "barrel/part.js:2:10",
            [
                *("barrel/part.js:1", "barrel/test/uses.js:3"),
                *("barrel/test/uses.js:4", "barrel/test/uses.js:4", "barrel/test/uses.js:5"),
            ],
            id="exports.a = require(b)",
        ),
        pytest.param(
            "barrel/maker.js:3:9",
            ["barrel/of_spread.js:2", "barrel/test/uses.js:4", "barrel/test/uses.js:5"],
            id="what a module spreads",
        ),
        pytest.param("literal.js:2:7", ["literal.js:3", "literal.js:3", "literal.js:5"], id="this.a = in a literal"),
        pytest.param(
            "classes.js:4:7", ["classes.js:2", "classes.js:5", "classes.js:8"], id="this.a = above an accessor"
        ),
        pytest.param("classes.js:5:3", ["classes.js:2", "classes.js:2"], id="this.a = above a method"),
        pytest.param(
            "typed_class.js:4:3", ["typed_class.js:3", "typed_class.js:3"], id="in a class with a type in its comment"
        ),
    ],
)
def test_uses_of_what_a_script_exports(scripts: Desk, server: str, target: str, uses: list[str]) -> None:
    found = scripts.find(target, limit=0, server=server)
    assert places(found.references or []) == uses
    assert found.completeness.status == "complete"


@pytest.mark.parametrize(
    ("use", "declared"),
    [
        pytest.param("takes.js:4:7", "alias.js:4:10", id="exports.a = a"),
        pytest.param("takes.js:7:8", "object.js:1:10", id="module.exports = { a }"),
        pytest.param("takes_parts.js:8:7", "alias.js:5:10", id="a part that was required"),
        pytest.param("barrel/test/uses.js:2:1", "barrel/maker.js:4:10", id="module.exports = require(a)"),
        pytest.param("self.js:2:33", "self.js:3:6", id="this"),
        pytest.param("literal.js:3:26", "literal.js:2:7", id="this in a literal"),
        pytest.param("classes.js:8:13", "classes.js:3:7", id="an accessor"),
        pytest.param("classes.js:2:24", "classes.js:3:7", id="this.a = above an accessor"),
        pytest.param("barrel/of_spread.js:2:5", "barrel/maker.js:3:9", id="what a module spreads"),
    ],
)
def test_what_is_taken_of_a_script_leads_to_it(scripts: Desk, server: str, use: str, declared: str) -> None:
    assert place(scripts.find(use, server=server).definition) == declared


def test_this_that_may_be_another_makes_the_answer_partial(scripts: Desk) -> None:
    found = scripts.find("nested.js:5:8", limit=0, server="native")
    assert found.references == []
    assert found.completeness.status == "partial"
    assert found.completeness.reason == "`this` may be nested in nested.js:3, where the name is used"


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
