"""What is exported without the word, in `declare module "a"` and in declaration files, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "module": "nodenext"}, "include": ["src"]}',
    "src/shim.d.ts": """
        declare module "plain" {
          class Socket { constructor(size: number); end(): void }
          function ring(): Socket;
          const kept: number;
        }
        declare module "node:plain" { export * from "plain"; }
        """,
    "src/types.d.ts": "interface Options { size: number }\nexport function open(options: Options): void;\n",
    "src/use.ts": """
        import * as net from "plain";
        import { Socket, ring } from "plain";
        import { Socket as Other } from "node:plain";
        import type { Options } from "./types";
        class A extends net.Socket {}
        class B extends Socket {}
        /** Like {@link Socket}. */
        class C extends Other {}
        export const options: Options = { size: 1 };
        export const made = [new net.Socket(1), ring(), new A(1), new B(1), new C(1)];
        export { kept as held } from "plain";
        """,
    "src/links.ts": "export class Link {}\nexport interface Row { id: 1 }\n",
    "src/client.ts": """
        import { Link, Row } from "./links.js";
        export class Client { link?: Link }
        export declare namespace Client { export { Link, type Row as Line } }
        """,
    "src/of_client.ts": """
        import { Client as Made } from "./client.js";
        export type { Made };
        export type Both = [Made.Link, Made.Line];
        """,
    "src/again.ts": 'import { held } from "./use.js";\nexport const twice = held + held;\n',
    "src/whole.d.ts": "declare namespace Whole { class Part {} }\nexport = Whole;\n",
    "src/handed.mts": "export { Part } from './whole.js';\n",
    "src/parts.mts": """
        import Whole, { Part } from "./whole.js";
        import { Part as Piece } from "./whole.js";
        export const parts = [new Part(), new Piece(), new Whole.Part()];
        """,
    "src/log.d.ts": "export interface Log { level: 1 }\n",
    "src/app.d.ts": """
        import { Log } from "./log.js";
        declare namespace app {
          export type { Log };
        }
        declare function app(): Log;
        export = app;
        """,
    "src/of_app.mts": """
        import app, { Log } from "./app.js";
        export const log: Log = app();
        export const second: app.Log = log;
        """,
    "src/all.d.ts": "declare namespace all { const one: 1; }\ndeclare function all(): void;\nexport = all;\n",
    "src/of_all.mts": 'import all from "./all.js";\nexport default all\n',
    "src/run.cts": "export default function run() {}\nexport const second = 2;\n",
    "src/of_run.mts": 'import made from "./run.cjs";\nmade.default();\n',
    "src/reply.ts": "export interface Reply { one: 1 }\nexport const reply: Reply[] = [];\n",
    "src/entry.ts": 'import { Reply } from "./reply.js";\nexport { Reply };\n',
    "src/adds.ts": 'declare module "./entry.js" {\n  interface Reply { two: 2 }\n}\nexport {};\n',
    "src/takes.ts": 'import { Reply } from "./entry.js";\nexport const two = (one: Reply) => one.two;\n',
    # Another one of that name.
    "src/other.ts": 'import { made } from "./use.js";\nclass Socket {}\nexport const other = [made, Socket];\n',
}
USES = {
    "Socket": [2, 3, 3, 5, 6, 7, 8, 10],
    "": [],
    "ring": [2, 10],
    "kept": [11, 11],
    "Options": [4, 9],
}
REPLIED = ["src/entry.ts:1", "src/entry.ts:2", "src/reply.ts:2", "src/takes.ts:1", "src/takes.ts:2"]


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "name", "besides"),
    [
        ("src/shim.d.ts:2:9", "Socket", ["src/shim.d.ts:3"]),
        ("src/shim.d.ts:3:12", "ring", []),
        ("src/shim.d.ts:4:9", "kept", ["src/again.ts:1", "src/again.ts:2", "src/again.ts:2"]),
        ("src/types.d.ts:1:11", "Options", ["src/types.d.ts:2"]),
        *((at, "", REPLIED) for at in ("src/reply.ts:1:18", "src/adds.ts:2:13")),
        (
            "src/log.d.ts:1:18",
            "",
            [*(f"src/app.d.ts:{line}" for line in (1, 3, 5)), *(f"src/of_app.mts:{line}" for line in (1, 2, 3))],
        ),
        ("src/links.ts:1:14", "", [*(f"src/client.ts:{line}" for line in (1, 2, 3)), "src/of_client.ts:3"]),
        ("src/links.ts:2:18", "", [*(f"src/client.ts:{line}" for line in (1, 3, 3)), "src/of_client.ts:3"]),
        ("src/whole.d.ts:1:33", "", ["src/handed.mts:1", *(f"src/parts.mts:{line}" for line in (1, 2, 2, 3, 3, 3))]),
    ],
)
def test_uses_in_other_files_were_lost(desk: Desk, at: str, name: str, besides: list[str], server: str) -> None:
    answer = desk.find(at, server=server)
    assert (place(answer.definition), answer.completeness.status) == (at, "complete")
    assert places(answer.references or []) == sorted([*besides, *(f"src/use.ts:{line}" for line in USES[name])])


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_module_was_taken_for_its_default(desk: Desk, server: str) -> None:
    assert place(desk.find("src/of_run.mts:2:1", server=server).definition) == "src/run.cts:1:1"
    assert place(desk.find("src/of_run.mts:2:6", server=server).definition) == "src/run.cts:1:25"


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_the_word_default_is_no_use(desk: Desk, server: str) -> None:
    answer = desk.find("src/all.d.ts:2:18", limit=0, server=server)
    told = sorted(str(place(ref)) for ref in answer.references or [])
    assert told == ["src/all.d.ts:3:10", "src/of_all.mts:1:8", "src/of_all.mts:2:16"]
