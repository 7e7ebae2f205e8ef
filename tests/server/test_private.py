"""Private members by both servers, which look for their uses in the class alone."""

from __future__ import annotations

import pytest

from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": TSCONFIG.replace("{", '{"include": ["typed"], ', 1),
    "typed/box.ts": """
        export class Box {
          private kept = 1;
          private static made = 2;
          constructor(private readonly given = 3) {}
          private open() { return this.kept; }
        }
        """,
    "typed/box.test.ts": """
        import { Box } from "./box";
        const box = new Box();
        box["kept"];
        box["open"]();
        Box["made"];
        box["given"];
        // @ts-expect-error
        box.kept;
        class Other {
          private kept = 2;
          copy(one: Other) { return one["kept"]; }
        }
        """,
    "socket.js": """
        class Socket {
          constructor() {
            /** @private */
            this._state = 0;
          }
          /**
           * Tells that it is closed.
           * @private
           */
          emitClose() {}
        }
        /** @param {Socket} one */
        function end(one) {
          one.emitClose();
          const { emitClose } = one;
          one._state;
        }
        module.exports = { Socket };
        """,
    "of_socket.js": """
        const { Socket } = require('./socket');
        new Socket().emitClose();
        new Map().emitClose();
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("target", "uses"),
    [
        ("typed/box.ts#Box.kept", ["typed/box.test.ts:3", "typed/box.test.ts:8", "typed/box.ts:5"]),
        ("Box.open", ["typed/box.test.ts:4"]),
        ("Box.made", ["typed/box.test.ts:5"]),
        ("Box.given", ["typed/box.test.ts:6"]),
        ("Socket.emitClose", ["of_socket.js:2", "socket.js:14", "socket.js:15"]),
        pytest.param("socket.js:4:10", ["socket.js:16"], id="what a constructor assigns"),
    ],
)
def test_uses_outside_of_the_class(desk: Desk, server: str, target: str, uses: list[str]) -> None:
    found = desk.find(target, limit=0, server=server)
    assert found.completeness.status == "complete"
    assert {f"{one.file_path}:{one.line}" for one in found.references or []} == set(uses)
