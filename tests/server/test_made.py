"""What functions make (`A.prototype.b = …`): the native server does not know it, and the text tells most of it."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk

pytestmark = pytest.mark.server

FILES = {
    "queue.js": """
        function Queue() {}
        Queue.prototype.push = function (one) {
          var self = this;
          self._add(one);
        };
        Queue.prototype._add = function () {};
        Queue.prototype.shift = function () {};
        Queue.prototype.drop = function () {};
        module.exports = Queue;
        """,
    "async.js": """
        var Queue = require('./queue');
        function Other() {}
        function Async() {
          this._late = new Queue();
          this._either = new Queue();
          var own = new Queue();
          own.push(1);
          new Other().shift();
        }
        Async.prototype.go = function (given) {
          this._late.push(2);
          given.push(3);
        };
        Async.prototype.drain = function (one) {
          this._either = one;
          this._either.drop();
        };
        module.exports = new Async();
        exports._late = exports.other;
        """,
    "main.js": """
        const async = require('./async');
        const Queue = require('./queue');
        async.go();
        new Queue().shift();
        class Sub extends Queue {
          shift() {
            return super.shift();
          }
          more() { this.push(4); }
        }
        Queue.prototype.shift.call(null);
        """,
    "added.js": "module.exports = class {};\nmodule.exports.Extra = class Extra {\n  go() {}\n};\n",
    "of_added.js": """
        const added = require('./added');
        const { Extra } = added;
        new Extra().go();
        const extra = new added.Extra();
        extra.go();
        extra.stop();
        """,
    "spoken.js": """
        const Thing = require('things').Thing;
        Object.defineProperty(Thing.prototype, 'id', {
          get: function () { return this; }
        });
        if (!Object.hasOwn(Thing.prototype, 'valueOf')) {
          Thing.prototype.valueOf = function () {};
        }
        Thing.prototype[Symbol.iterator] = true;
        function Doc() {}
        /** Whether it is new. */
        Doc.prototype.isNew;
        Doc.prototype.go = function (path) { path = ''; };
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("target", "uses"),
    [
        ("Queue.push", ["async.js:11", "async.js:7", "main.js:9"]),
        ("Queue._add", ["queue.js:4"]),
        ("Queue.shift", ["main.js:4", "main.js:6", "main.js:7", "main.js:11"]),
        ("Async.go", ["main.js:3"]),
        ("Extra.go", ["of_added.js:3", "of_added.js:5"]),
    ],
)
def test_uses_of_what_is_made(desk: Desk, server: str, target: str, uses: list[str]) -> None:
    found = desk.find(target, limit=0, server=server)
    assert found.completeness.status == "complete", found.completeness
    assert {f"{one.file_path}:{one.line}" for one in found.references or []} == set(uses)


def test_what_may_be_made_is_a_doubt(desk: Desk) -> None:
    found = desk.find("Queue.drop", limit=0, server="native")
    assert found.completeness.reason == (
        "the language server does not know what new Queue makes: .drop in async.js:16 may be its own"
    )


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_speaks_of_a_prototype_declares_no_class(desk: Desk, server: str) -> None:
    rows = desk.run(desk.ask("map", file_path="spoken.js", server=server)).symbols
    assert [(row.kind, row.name) for row in rows] == [("Function", "Doc"), ("Method", "go")]
