"""What no tsconfig lists: it is read as editors read it, strictly, and with it the sources that it imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.roll import FILE as ROLL
from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

LAX = '{"compilerOptions": {"strict": false, "target": "es2022", "types": []}, "include": ["src"]}'
FILES = {
    "tsconfig.json": LAX,
    "src/types.ts": "export interface Runtime<T> {\n  start(): T;\n  stop?(): T;\n}\n",
    "src/runtime.ts": """
        import type { Runtime } from "./types";
        export const runtime: Runtime<number> = {
          start(): number { return this.stop(); },
          stop: function (): number { return [1].map((one: number): number => one && this.start())[0]; },
        };
        export const own = {
          get made(): { count: number } { return { count: 1 }; },
          told<T>(one: T): T | undefined { return (one as any) ? this.made as any : undefined; },
          other() { return function () { return this.made; }; },
          arrow: () => this.made,
          inner: { made: 2, told() { return this.made; } },
        };
        export class Kept { kept(): void { own.told(() => { this.kept(); }); } }
        """,
    "scripts/loose.ts": """
        import { own, runtime } from "../src/runtime";
        export const started = [runtime.start(), own];
        """,
}
USES = {
    "src/types.ts#Runtime.stop": ["src/runtime.ts:3", "src/runtime.ts:4"],
    "src/types.ts#Runtime.start": ["scripts/loose.ts:2", "src/runtime.ts:3", "src/runtime.ts:4"],
    "src/runtime.ts#own.made": ["src/runtime.ts:8"],
    "src/runtime.ts#Kept.kept": ["src/runtime.ts:13"],
}


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_this_in_a_literal_whether_or_not_a_loose_file_has_loaded_it(own_desk: Desk, server: str) -> None:
    """Without `noImplicitThis` the compiler does not know it in the project, and does in that of the loose file."""
    own_desk.write(FILES)
    for _ in ("cold", "warm"):
        for query, uses in USES.items():
            answer = own_desk.find(query, limit=0, server=server)
            told = sorted({f"{one.file_path}:{one.line}" for one in answer.references or []})
            assert (query, answer.completeness.status, told) == (query, "complete", uses)
        assert place(own_desk.find("src/runtime.ts:8:63", server=server).definition) == "src/runtime.ts:7:7"
        own_desk.find("started", server=server)


ANY = {
    "tsconfig.json": LAX,
    "src/made.ts": "export class Made { grow() { return 1; } }\nexport const make = () => new Made();\n",
    "src/use.ts": """
        import { make } from "./made";
        let one;
        one = make();
        one.grow();
        let none = null;
        none = make();
        none.grow();
        const some = [];
        some.push(make());
        some[0].grow();
        make.call(null).grow();
        make().grow();
        """,
    "src/between.ts": 'import "./use";\n',
    # The project has it by an import, though it does not list it.
    "apart/held.ts": 'import "../src/use";\n',
    "src/holding.ts": 'import "../apart/held";\n',
    "tests/loose.ts": 'import "../src/between";\n',
    "tests/other.ts": "export const other = 1;\n",
}


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_is_any_in_the_project_and_not_where_a_loose_file_has_loaded_it(own_desk: Desk, server: str) -> None:
    own_desk.write(ANY)
    for _ in ("cold", "warm"):
        answer = own_desk.find("Made.grow", limit=0, server=server)
        told = sorted(one.line for one in answer.references or [])
        assert (answer.completeness.status, told) == ("complete", [4, 7, 10, 11, 12])
        own_desk.find("other", server=server)


IGNORED = {
    ".gitignore": "",
    "package.json": '{"name": "made", "main": "dist/made.js"}',
    "tsconfig.json": LAX,
    "src/made.ts": "export const made = 1;\n",
    "src/own/use.ts": 'import { made } from "../made";\nmade;\n',
    "scripts/loose.ts": 'import { made } from "../src/made";\nmade;\n',
    # By the name of a package that is not built.
    "tools/led.ts": 'import { made } from "made";\nmade;\n',
    # What is expected there is watched though git ignores it.
    "dist/other.js": 'import { made } from "../src/made";\nmade;\n',
}


@pytest.mark.parametrize("path", ["scripts/loose.ts", "tools/led.ts", "dist/other.js", "src/own/use.ts"])
def test_what_git_begins_to_ignore_was_told_further(own_desk: Desk, server: str, path: str) -> None:
    """Only what a project takes in all the same is."""

    def told() -> list[str]:
        answer = own_desk.find("made", limit=0, server=server)
        assert answer.completeness.status == "complete", answer
        return places(answer.references or [])

    own_desk.write({name: text for name, text in IGNORED.items() if name != path})
    without = told()
    own_desk.write({path: IGNORED[path]})
    with_it = sorted([*without, f"{path}:1", f"{path}:2"])
    for ignored in ("", f"/{path}\n", "", f"/{path.rpartition('/')[0]}\n"):
        uses = without if ignored and not path.startswith("src") else with_it
        own_desk.write({".gitignore": ignored})
        assert told() == uses
        own_desk.write({path: "//\n" + IGNORED[path]})
        assert told() == (without if uses == without else sorted([*without, f"{path}:2", f"{path}:3"]))
        own_desk.write({path: IGNORED[path]})
        assert told() == uses


TYPES = {
    "node_modules/@types/works/package.json": '{"name": "@types/works", "version": "1.0.0", "types": "index.d.ts"}',
    "node_modules/@types/works/index.d.ts": """
        declare module "machine" {
          export class Emitter { on(name: string): this; }
          export const shared: Emitter;
        }
        declare var engine: import("machine").Emitter;
        """,
    "node_modules/@types/broken/package.json": "{",
    "node_modules/@types/.hidden/index.d.ts": "declare var hidden: any;",
    "lib/pool.js": """
        const { Emitter } = require("machine");
        class Pool extends Emitter {
          on(name) { return super.on(name); }
        }
        exports.Pool = Pool;
        """,
    "other/queue.js": """
        const { Emitter, shared } = require("machine");
        class Queue extends Emitter {
          on(name) { return super.on(name); }
        }
        shared.on("shared");
        engine.on("global");
        new Map().on("none");
        exports.Queue = Queue;
        """,
}


def test_loose_files_know_the_declarations_of_types(own_desk: Desk, server: str) -> None:
    """From 6 on compilers read of `@types` only what a tsconfig names: what a class in a loose file overrides in a
    library was not known, and its uses by that were left out, complete."""
    own_desk.write(TYPES)
    for _ in ("cold", "warm"):
        answer = own_desk.find("Pool.on", limit=0, server=server)
        assert answer.completeness.status == "complete"
        assert places(answer.references or []) == [
            "lib/pool.js:3", "other/queue.js:3", "other/queue.js:3", "other/queue.js:5", "other/queue.js:6",
        ]  # fmt: skip


# The second of two of one name that do not merge has no uses.
TWICE = {
    "a.ts": """
        enum Color { Red }
        namespace Space { export const one = 1; }
        const fixed = 1;
        class Box { same = 1 }
        const first = [Color.Red, Space.one, fixed, new Box().same];
        """,
    "b.ts": """
        enum Color { Red = 5 }
        namespace Space { export const one = 2; }
        const fixed = 2;
        class Box { same = 2 }
        const second = [Color.Red, Space.one, fixed, new Box().same];
        """,
    "c/c.ts": "const third = [Color.Red, Space.one, fixed, new Box().same];\n",
    "module.ts": 'import "./imported";\nexport const held = 1;\n',
    "imported.ts": "export {};\n",
}
BOTH = ["a.ts:5", "b.ts:5", "c/c.ts:1"]


@pytest.mark.parametrize("first", [(), ("second",), ("third", "second"), ("second", "held", "third")])
def test_which_of_two_globals_was_used_hung_on_the_file_that_an_earlier_question_had_opened(
    own_desk: Desk, first: tuple[str, ...], server: str
) -> None:
    """Loose files are read in the order of their paths, as the native server and a compiler that is given all do."""
    own_desk.write(TWICE)
    for name in first:
        own_desk.find(name, server=server)
    for name in ("fixed", "Color.Red", "Box", "Box.same"):
        for path, uses in (("a.ts", BOTH), ("b.ts", [])):
            answer = own_desk.find(f"{path}#{name}", limit=0, server=server)
            told = (answer.completeness.status, places(answer.references or []))
            assert (path, name, told) == (path, name, ("complete", uses))
    for name in ("Color", "Space"):
        for path in ("a.ts", "b.ts"):
            answer = own_desk.find(f"{path}#{name}", limit=0, server=server)
            assert (answer.completeness.status, places(answer.references or [])) == ("complete", BOTH)


MANY = [f"tests/use{number:02}.ts" for number in range(12)]


def test_the_program_of_loose_files_was_built_anew_for_each(own_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named in a file that is opened first they come in by that one, until they are loose no more."""
    asked: list[list[str]] = []
    update = TsserverLink.update

    async def spied(self: TsserverLink, opened: Sequence[dict[str, str]], *further: Any) -> None:
        asked.append([one["file"] for one in opened])
        await update(self, opened, *further)

    monkeypatch.setattr(TsserverLink, "update", spied)
    own_desk.write({"tsconfig.json": LAX, "src/made.ts": "export class Made {\n  grow() {}\n}\n"})
    own_desk.write(dict.fromkeys(MANY, 'import { Made } from "../src/made";\nnew Made().grow();\n'))
    own_desk.write({"tests/all.ts": "declare function grow(): void;\ngrow();\n", "tests/run.js": "grow();\n"})
    query = "src/made.ts#Made.grow"
    uses = [f"{path}:2" for path in MANY]
    assert own_desk.uses(query) == uses
    (together,) = (files for files in asked if ROLL in files)
    assert together[0] == ROLL
    assert {own_desk.root / path for path in MANY[2:]} <= set(map(Path, together))
    assert own_desk.uses("tests/all.ts#grow") == ["tests/all.ts:2", "tests/run.js:1"]
    (own_desk.root / MANY[3]).unlink()
    assert own_desk.uses(query) == [use for use in uses if MANY[3] not in use]
    own_desk.write({MANY[3]: 'import { Made } from "../src/made";\n\nnew Made().grow();\n'})
    assert own_desk.uses(query) == [use.replace(f"{MANY[3]}:2", f"{MANY[3]}:3") for use in uses]
    own_desk.write({"tests/tsconfig.json": LAX.replace("src", "."), MANY[4]: "export {};\n"})
    own_desk.write({MANY[3]: 'import { Made } from "../src/made";\nnew Made().grow();\n'})
    assert own_desk.uses(query) == [use for use in uses if MANY[4] not in use]
