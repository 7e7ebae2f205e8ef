"""Members that a prototype is given by a call (`Object.assign`, `util.inherits`), and what else the native server
does not know of what scripts make: the text tells who takes them."""

from __future__ import annotations

import pytest

from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": TSCONFIG.replace("{", '{"include": ["typed"], ', 1),
    "base.js": """
        function Base() { this.reset(); }
        Base.prototype.climb = function () {};
        Base.prototype.reset = function () {};
        module.exports = Base;
        """,
    "heirs.js": """
        const util = require('util');
        const Parent = require('./base');
        const Base = Parent;
        function Left() { Parent.call(this); }
        util.inherits(Left, Parent);
        Left.prototype.turn = function () {
          [1].forEach(() => this.climb());
        };
        function Right() {}
        Right.prototype = Object.create(Parent.prototype, {});
        Right.prototype.turn = function () { this.climb(); };
        function Own() {}
        Object.setPrototypeOf(Own.prototype, Parent.prototype);
        Own.prototype.climb = function () {};
        function Apart() {}
        Apart.prototype.turn = function () { this.climb(); };
        module.exports = { Left, Right, Own, Apart };
        """,
    "main.js": """
        const { Left, Right, Own, Apart } = require('./heirs');
        const Base = require('./base');
        const left = new Left();
        left.climb();
        new Right().climb();
        new Own().climb();
        new Apart().climb();
        Base.climb();
        new Map().climb();
        """,
    "kite.js": """
        function Kite() { this.soar(); }
        Object.assign(Kite.prototype, {
          soar() {},
          dive: function () { this.soar(); },
        }, require('events').prototype);
        class Drone {
          go() { this.hover(); }
        }
        Object.assign(Drone.prototype, { hover() {} });
        class Toy extends Drone {}
        Kite.prototype.more = function () { this.dive(); };
        module.exports = { Kite, Drone, Toy };
        """,
    "fly.js": """
        const { Kite, Drone, Toy } = require('./kite');
        const kite = new Kite();
        kite.soar();
        kite.dive();
        new Drone().hover();
        new Toy().hover();
        /** @param {Kite} one */
        function fly(one, two) {
          one.soar();
          two.soar();
        }
        class Flyer {
          constructor(other) {
            this.kite = new Kite();
            other.kite = this.kite;
          }
          go() { this.kite.dive(); }
        }
        """,
    "tank.js": """
        function Tank() { this.pour(); }
        Tank.prototype = {
          pour: function () {},
        };
        module.exports = Tank;
        """,
    "of_tank.js": """
        const Tank = require('./tank');
        const tank = new Tank();
        tank.pour();
        Tank.pour();
        """,
    "pump.js": """
        function Pump() {}
        Pump.prototype.fill = function () {};
        /**
         * @this {Pump}
         */
        function braced() { this.fill(); }
        /** @this Pump */
        function bare() { this.fill(); }
        function none() { this.fill(); }
        module.exports = { Pump, braced, bare, none };
        """,
    "store.js": """
        class Heads { raw() {} keep() {} }
        const kHeads = Symbol('heads');
        const kOther = Symbol('other');
        class Store {
          constructor(given) {
            this[kHeads] = new Heads();
            this[kOther] = given;
            this[kOther].raw();
          }
          go() { this[kHeads].raw(); }
        }
        /** @param {Store} store */
        function out(store) { store[kHeads].keep(); }
        module.exports = { Store, Heads };
        """,
    "rules.js": """
        class Plain {
          go() { return this.rules; }
          other() { return this.none; }
        }
        Plain.prototype.rules = {};
        class Special extends Plain {
          stop() {}
        }
        Special.prototype.rules = { a: 1 };
        new Special().rules;
        module.exports = { Plain, Special };
        """,
    "runner.js": """
        const Runner = (module.exports = function () { this.steps = []; });
        Runner.prototype.step = function () {};
        Runner.prototype.run = function (list) {
          const self = this;
          list.forEach(function () { self.step(); });
          var that = this, count = 1;
          return function () { that.step(count); };
        };
        """,
    "vector.js": """
        function Vector(x) { this.x = x; }
        function double(one) { return one; }
        Vector.prototype = {
          clone: function () { return new Vector(this.x); },
          twice: function () { return double(this.clone())._scale(2); },
          half: function () { return this.clone()._scale(0.5); },
          _scale: function (by) { this.x *= by; return this; },
        };
        """,
    "typed/glider.ts": """
        export class Glider {
          own() { return this.rise(); }
        }
        export interface Glider { rise(): number; sink(): void }
        Object.assign(Glider.prototype, {
          rise() { return 1; },
          sink: () => {},
        });
        """,
    "typed/main.ts": """
        import { Glider } from "./glider";
        new Glider().rise();
        export const sink = (one: Glider, other: any) => one.sink() ?? other.sink();
        export const none = { rise: 1 }.rise;
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("target", "uses"),
    [
        ("Base.climb", ["heirs.js:7", "heirs.js:11", "main.js:4", "main.js:5"]),
        ("Base.reset", ["base.js:1"]),
        ("kite.js:3:3", ["kite.js:1", "kite.js:4", "fly.js:3", "fly.js:9"]),
        ("kite.js:4:3", ["kite.js:11", "fly.js:4", "fly.js:17"]),
        ("kite.js:9:34", ["kite.js:7", "fly.js:5", "fly.js:6"]),
        ("Tank.pour", ["tank.js:1", "of_tank.js:3"]),
        ("Pump.fill", ["pump.js:6", "pump.js:8"]),
        ("Pump", ["pump.js:2", "pump.js:4", "pump.js:7", "pump.js:10"]),
        ("Runner.step", ["runner.js:5", "runner.js:7"]),
        ("Heads.raw", ["store.js:10"]),
        ("Heads.keep", ["store.js:13"]),
        ("typed/glider.ts:6:3", ["typed/glider.ts:2", "typed/main.ts:2"]),
        ("typed/glider.ts:7:3", ["typed/main.ts:3"]),
    ],
)
def test_uses_of_what_a_prototype_is_given(desk: Desk, server: str, target: str, uses: list[str]) -> None:
    found = desk.find(target, limit=0, server=server)
    assert found.completeness.status == "complete", found.completeness
    assert {f"{one.file_path}:{one.line}" for one in found.references or []} == set(uses)


def test_what_a_class_overrides_is_taken_of_its_base(desk: Desk) -> None:
    found = desk.find("Special.rules", limit=0, server="native")
    assert found.completeness.status == "complete", found.completeness
    assert {f"{one.file_path}:{one.line}" for one in found.references or []} == {"rules.js:2", "rules.js:10"}


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_a_server_does_not_know_of_the_keys_of_a_prototype_is_told_or_in_doubt(desk: Desk, server: str) -> None:
    found = desk.find("Vector._scale", limit=0, server=server)
    told = [one.line for one in found.references or []]
    doubt = "the language server does not know what new Vector makes: ._scale in vector.js:5 may be its own"
    assert (told, found.completeness.reason) in (([6], None), ([], doubt))


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_key_of_a_prototype_is_the_caller(desk: Desk, server: str) -> None:
    found = desk.run(desk.ask("callers", query="vector.js:2:10", server=server))
    assert [(one.symbol.container, one.symbol.name) for one in found.callers] == [("Vector", "twice")]
