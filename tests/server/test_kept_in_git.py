"""Repositories that hold sources more than once: other working trees of theirs, and builds that they keep."""

from __future__ import annotations

import subprocess

import pytest

from tests.server.desk import TSCONFIG, Desk, places

pytestmark = pytest.mark.server

PACKAGES = {
    ".gitignore": "node_modules\n",
    "library/package.json": '{"name": "@x/library", "types": "index.ts"}',
    "library/tsconfig.json": TSCONFIG,
    "library/index.ts": "export class Told {}\n",
    "app/tsconfig.json": TSCONFIG,
    "app/use.ts": 'import { Told } from "@x/library";\nnew Told();\n',
}


def git(desk: Desk, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *who, *arguments], cwd=desk.root, check=True, capture_output=True)


def told(desk: Desk, query: str, server: str) -> list[str]:
    answer = desk.find(query, limit=0, server=server)
    assert answer.completeness.status == "complete", answer
    return places(answer.references or [])


def test_uses_in_another_working_tree_were_told_once_it_was_asked_about(own_desk: Desk, server: str) -> None:
    """Every one stands there once more. Its files import the packages that are installed above it."""
    own_desk.write(PACKAGES)
    installed = own_desk.root / "node_modules/@x"
    installed.mkdir(parents=True)
    (installed / "library").symlink_to(own_desk.root / "library")
    git(own_desk, "init", "-q")
    git(own_desk, "add", ".")
    git(own_desk, "commit", "-qm", "first")
    git(own_desk, "worktree", "add", "-q", "tree")
    here = ["app/use.ts:1", "app/use.ts:2"]
    assert told(own_desk, "Told", server) == here
    assert own_desk.run(own_desk.ask("map", file_path="tree/app/use.ts", server=server)).symbols == []
    assert told(own_desk, "Told", server) == here
    assert told(own_desk, "tree/app/use.ts:2:5", server) == [*here, "tree/app/use.ts:1", "tree/app/use.ts:2"]
    assert told(own_desk, "Told", server) == here


def test_what_a_build_wrote_and_is_kept_was_told_by_who_else_imports_it(own_desk: Desk, server: str) -> None:
    own_desk.write(
        {
            "package.json": '{"name": "@x/library", "types": "dist/index.d.ts"}',
            "src/tsconfig.json": TSCONFIG,
            "src/index.ts": 'export * from "./told";\nexport * from "./make";\n',
            "src/told.ts": "export class Told {}\n",
            "src/make.ts": 'import { Told } from "./told";\nexport const make = () => new Told();\n',
            "dist/index.d.ts": 'export * from "./told";\nexport * from "./make";\n',
            "dist/told.d.ts": "export declare class Told {\n}\n",
            "dist/told.js": "export class Told {\n}\n",
            "dist/make.d.ts": 'import { Told } from "./told";\nexport declare const make: () => Told;\n',
            "dist/make.js": 'import { Told } from "./told";\nexport const make = () => new Told();\n',
            "dist/by_hand.js": 'import { Told } from "./told";\nexport const more = new Told();\n',
        }
    )
    made = ["src/make.ts:1", "src/make.ts:2"]
    sources = [one for one in told(own_desk, "src/told.ts#Told", server) if "by_hand" not in one]
    assert sources == made
    own_desk.write({"test/use.ts": 'import { Told } from "../dist/index";\nnew Told();\n'})
    here = ["dist/by_hand.js:1", "dist/by_hand.js:2", *made, "test/use.ts:1", "test/use.ts:2"]
    assert told(own_desk, "src/told.ts#Told", server) == here
    assert "dist/make.js:2" in told(own_desk, "dist/told.d.ts#Told", server)


def test_what_hands_on_a_build_by_hand_was_taken_for_one(own_desk: Desk, server: str) -> None:
    """A script and its declarations in `lib`, called like a source, over what is yet to be built in `dist`."""
    joinery = 'import type { Joint } from "../dist/joinery.mts";\ndeclare const joint: Joint;\n'
    joinery += "declare namespace joint {\n"
    joinery += '  export type { Joint };\n  export var makeJoint: typeof import("../dist/joinery.mts").makeJoint;\n}\n'
    package = '{"name": "joinery", "exports": {".": {"import": {"types": "./dist/joinery.d.mts"}, '
    own_desk.write(
        {
            "package.json": package + '"require": {"types": "./lib/joinery.d.cts", "default": "./lib/joinery.cjs"}}}}',
            "src/tsconfig.json": TSCONFIG,
            "src/joinery.ts": "export interface Joint {}\nexport function makeJoint(): Joint { return {}; }\n",
            "lib/joinery.d.cts": joinery + "export = joint;\n",
            "lib/joinery.cjs": 'const { makeJoint } = require("../dist/joinery.cjs");\n'
            "module.exports = makeJoint();\nmodule.exports.makeJoint = makeJoint;\n",
        }
    )
    declared = ["lib/joinery.d.cts:1", "lib/joinery.d.cts:2", "lib/joinery.d.cts:4"]
    assert told(own_desk, "Joint", server) == [*declared, "src/joinery.ts:2"]
    taken = ["lib/joinery.cjs:1", "lib/joinery.cjs:2", "lib/joinery.cjs:3", "lib/joinery.d.cts:5"]
    assert told(own_desk, "src/joinery.ts#makeJoint", server) == taken
    assert told(own_desk, "lib/joinery.d.cts:5:14", server) == []


def test_copies_that_no_source_stands_behind_were_told_for_one_another(own_desk: Desk, server: str) -> None:
    """What generators write for `import` and for `require`: two modules to the compiler, and to who asks for one."""
    copy = "export namespace Trace {\n  interface Node {\n    of: Trace.Node;\n  }\n}\n"
    copy += "export class Stats {\n  static of(it: Stats): Stats;\n}\n"
    script = "export const $root = {};\nexport const Stats = $root.Stats = (() => {\n"
    script += "  function Stats() {}\n  Stats.of = function (it) { return it; };\n  return Stats;\n})();\n"
    exports = '{"types": {"require": "./made/cjs/trace.d.ts", "default": "./made/esm/trace.d.ts"}}'
    own_desk.write(
        {
            "package.json": '{"workspaces": ["library", "app"]}',
            "library/package.json": f'{{"name": "@x/library", "type": "module", "exports": {exports}}}',
            "library/made/cjs/trace.d.ts": copy,
            "library/made/cjs/trace.js": script.replace("export const Stats = ", "").replace("export ", ""),
            "library/made/esm/trace.d.ts": copy,
            "library/made/esm/trace.js": script,
            "app/tsconfig.json": TSCONFIG,
            "app/use.ts": 'import { Trace } from "@x/library";\nexport let node: Trace.Node;\n',
            "app/other.ts": 'import { Trace } from "@x/library";\nexport let Stats: Trace.Node[];\n',
        }
    )
    installed = own_desk.root / "node_modules/@x"
    installed.mkdir(parents=True)
    (installed / "library").symlink_to(own_desk.root / "library")
    assert told(own_desk, "library/made/esm/trace.d.ts#Trace.Node", server) == [
        "app/other.ts:2",
        "app/use.ts:2",
        "library/made/esm/trace.d.ts:3",
    ]
    assert told(own_desk, "library/made/cjs/trace.d.ts#Trace.Node", server) == ["library/made/cjs/trace.d.ts:3"]
    assert told(own_desk, "library/made/cjs/trace.d.ts#Trace", server) == ["library/made/cjs/trace.d.ts:3"]
    assert not [one for one in told(own_desk, "library/made/esm/trace.d.ts#Stats", server) if "cjs" in one]


def test_uses_by_what_a_build_wrote_were_lost_behind_the_part_of_it_that_is_kept(own_desk: Desk, server: str) -> None:
    """Not installed, and the source that the package begins with is not there: its declarations are what is meant."""
    own_desk.write(
        {
            ".gitignore": "core/dist/shape.d.ts\n",
            "core/package.json": '{"name": "@x/core", "types": "dist/index.d.ts"}',
            "core/tsconfig.json": TSCONFIG.replace("}}", '}, "include": ["src"]}'),
            "core/src/shape.ts": "export class Shape { area = 1 }\n",
            "core/dist/index.d.ts": 'export * from "./shape";\n',
            "core/dist/shape.d.ts": "export declare class Shape { area: number }\n",
            "app/package.json": '{"name": "@x/app"}',
            "app/tsconfig.json": TSCONFIG,
            "app/use.ts": 'import { Shape } from "@x/core";\nnew Shape().area;\n',
        }
    )
    git(own_desk, "init", "-q")
    assert told(own_desk, "Shape.area", server) == ["app/use.ts:2"]
    assert told(own_desk, "Shape", server) == ["app/use.ts:1", "app/use.ts:2"]
