"""Both servers give the same answers: TypeScript's own compiled one and the one of TypeScript ≤ 6.

Every row of every outline, every symbol's definition and references, and the block of every identifier are asked of
both, over the example workspace and over one with the shapes on which the servers tell different things. What may
differ is in `TOLERATED`, each with its reason; an entry that no longer differs fails, too.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared.errors import CnError
from tests.conftest import ROOT
from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

SERVERS = ("typescript", "native")
# (file, question) -> why the answers may differ.
TOLERATED = {
    ("src/arrow.ts", "inspect"): "the native server lists nothing of what an arrow exported by default declares",
}
SHAPES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "ESNext", "moduleResolution": "Bundler", '
    '"target": "ES2022", "jsx": "preserve", "experimentalDecorators": true, "types": [], "allowJs": true, '
    '"lib": ["es2022", "dom"]}, "include": ["src"]}',
    "src/defaults.ts": """
        export default {
          suites: [1, 2],
          nested: { deep: true },
          run() {
            return this.suites;
          },
        };
        """,
    "src/unnamed.ts": """
        export default function () {
          return 1;
        }
        """,
    "src/arrow.ts": """
        export default () => {
          const local = 1;
          return local;
        };
        """,
    "src/named.ts": "const value = 1;\nexport default value;\n",
    "src/one-line.ts": "let line; export { line }; function away() {} export{away as elsewhere};\n",
    "src/other-line.ts": 'line;import { line, elsewhere } from "./one-line";elsewhere();\n',
    "src/called.ts": """
        export class Called {
          [Symbol.for("inspect")](depth: number): { depth: number } {
            return { depth };
          }
          static async *[Symbol.for("made")]() {}
          [Symbol.iterator]() {}
        }
        """,
    "src/again.ts": """
        declare module "./called" { interface Called { first: 1 } }
        declare module './called' { interface Called { second: 2 } }
        """,
    "src/parts.ts": """
        interface Parts { on: { change: number }; held: number }
        declare const parts: Parts;
        const { on: { change } } = parts;
        export function part(one = change) {
          const { on: { change: other } } = parts;
          return one + other;
        }
        """,
    "src/bindings.ts": """
        const source = { a: 1, c: [2], more: 3 };
        export const { a: renamed, c: [first], ...rest } = source;
        export const whole = { ...source, renamed, "quoted-key": first };
        """,
    "src/assigned.tsx": """
        export function Card(options: { title: string }): { html: string } {
          return { html: options.title };
        }

        Card.displayName = "Card";

        const registry: Record<string, () => void> = {};
        registry.go = function () {
          Card({ title: "go" });
        };
        let handler = () => {};
        export function replace() {
          handler = () => {
            registry.go();
          };
          return handler;
        }
        """,
    "src/types.ts": """
        const key: unique symbol = Symbol();
        export type Shape<T = { hidden: 1 }> = { kind: "a"; [key]?: T } | { kind: "b"; make: Array<{ inner: T }> };
        export interface Callable {
          (): void;
          new (): Callable;
          [index: string]: unknown;
          ["quoted"]: number;
          12: string;
        }
        export const arrow = (): { gone: 1 } => ({ gone: 1 });
        export function returns(): { also: 1 } {
          return { also: arrow().gone };
        }
        """,
    "src/members.ts": """
        function mark(target: object, name: string) {}
        export class Members {
          static count = 0;
          #secret = 1;
          handler = () => {
            const inside = this.#secret;
            return inside;
          };
          table = { one: 1, two() {} };
          constructor(readonly given: number) {}
          @mark
          get secret(): number {
            return this.#secret;
          }
          set secret(value: number) {
            this.#secret = value;
          }
          *[Symbol.iterator]() {}
        }
        """,
    "src/callbacks.ts": """
        declare function suite(name: string, body: () => void): void;
        suite("outer", () => {
          function helper() {
            return 1;
          }
          suite("inner", () => {
            helper();
          });
        });
        """,
    "src/spaces.ts": """
        export namespace Outer.Inner {
          export const within = 1;
        }
        export import Short = Outer.Inner;
        declare global {
          interface Window {
            shown: typeof Short.within;
          }
        }
        declare module "other" {
          export const told: number;
        }
        """,
    "src/over.ts": """
        export function over(a: string): string;
        export function over(a: number): number;
        export function over(a: unknown): unknown {
          return a;
        }
        export { over as again };
        over(1);
        over("");
        """,
    "src/keyed.ts": """
        export const key: unique symbol = Symbol();
        export interface Keyed {
          [key](a: string): void;
          [key](a: number): void;
          [Symbol.iterator](): Iterator<number>;
          [Symbol.iterator](a: number): Iterator<number>;
        }
        export class Chest {
          static [key](a: string): void;
          static [key](a: number): void;
          static [key](a: unknown): void {}
        }
        """,
    "src/quoted.ts": r"""
        export const table = {
          [-1]: "a",
          [0]: "b",
          ["q"]: 1,
          7: "d",
          '"': 3,
          "it's": 3, 'its\'': 4, "a\u0041": 5, 'd"e': 7,
        };
        export interface Quoted { [0]: string; 'f"g': 1; "a\u0042": 5 }
        export enum Letters { 'j"k' = 1 }
        export class Numbered { 'm"n' = 1; [3] = 4; 0x10 = 5; 1e3() {} 1.5 = 6; 2.5() {} }
        """,
    "src/documented.ts": """
        export interface Result { urls: string[] }

        /**
         * @typedef {Object} Result
         * @property {Array<string>} urls Which.
         */

        /** @callback Told */
        """,
    "src/canvas.ts": """
        export namespace canvas {
          let context: unknown;
          try {
            const element = document.createElement("canvas");
            const { width, height } = element;
            context = [element, width, height];
            function inner() {}
          } catch {
            inner();
          }
          export const shown = {
            context,
          };
          export function show() {
            return shown;
          }
        }
        export type Tags = HTMLElementTagNameMap & { "": HTMLDivElement; none: 1 };
        """,
    "src/prototype.ts": """
        export class View {
          table = { shown: 1 };
          go = () => {
            const shown = 1;
            return shown;
          };
          /** Words. */
          declare shown: (by: number) => boolean
          declare readonly plain: number;
          /** The usual one. */
          static readonly usual: View;
          static other: View;
        }
        View.usual = new View();
        View.other = View.usual;
        View.prototype.shown = function (by: number) {
          return by > 0;
        };
        export class Part extends View {
          own = 1;
        }
        Part.prototype.shown = () => false;
        """,
    "src/old.cjs": """
        function Old() {
          this.made = 1;
        }
        Old.prototype.go = function () {
          return this.made;
        };
        exports.Old = Old;
        """,
}


@pytest.fixture(scope="module", params=["example", "shapes"])
def workspace(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("both").resolve() / "work"
    if request.param == "example":
        shutil.copytree(ROOT / "examples" / "shop", root)
    desk = Desk(root)
    if request.param == "shapes":
        desk.write(SHAPES)
    yield desk
    assert desk.close() == []


def files(desk: Desk) -> list[str]:
    found = (file for file in desk.root.rglob("*") if re.fullmatch(r"\.(?:[cm]?[jt]sx?)", file.suffix))
    return sorted(str(file.relative_to(desk.root)) for file in found)


def rows(desk: Desk, path: str, server: str) -> list[Any]:
    return list(desk.run(desk.ask("map", file_path=path, server=server)).symbols)


def different(desk: Desk, path: str, questions: list[str], ask: str) -> list[str]:
    """The questions that the servers answer differently, each with both answers."""
    found = []
    for question in questions:
        told = [answer(desk, ask, question, server) for server in SERVERS]
        if told[0] != told[1]:
            found.append(f"{question}: {told[0]} | {told[1]}")
    if (path, ask) in TOLERATED:
        assert found, f"{path} no longer differs: take {ask} out of TOLERATED"
        return []
    return found


def answer(desk: Desk, ask: str, question: str, server: str) -> object:
    try:
        if ask == "inspect":
            shown = desk.inspect(question, server=server).result
            return shown.range, shown.kind, shown.name
        found = desk.find(question, limit=0, server=server)
    except CnError as error:
        return error.code
    definition = place(found.definition) if found.definition else None
    merged = places(found.declarations or [])
    return definition, merged, places(found.references or []), found.completeness.status


def test_outlines(workspace: Desk) -> None:
    wrong = []
    for path in files(workspace):
        compiled, native = (rows(workspace, path, server) for server in SERVERS)
        if (path, "map") in TOLERATED:
            assert compiled != native, f"{path} no longer differs: take map out of TOLERATED"
            continue
        wrong += [(path, server, row) for server, row in _only_one(compiled, native)]
    assert not wrong, "\n".join(map(str, wrong))


def _only_one(compiled: list[Any], native: list[Any]) -> Iterator[tuple[str, Any]]:
    yield from (("typescript", row) for row in compiled if row not in native)
    yield from (("native", row) for row in native if row not in compiled)
    if sorted(compiled, key=repr) == sorted(native, key=repr) and compiled != native:
        yield "both", "the order"


def test_definitions_and_references(workspace: Desk) -> None:
    wrong = []
    for path in files(workspace):
        wrong += different(workspace, path, [row.id for row in rows(workspace, path, "typescript")], "find")
    assert not wrong, "\n".join(map(str, wrong))


def test_blocks(workspace: Desk, pytestconfig: pytest.Config) -> None:
    """At each word; in a run of every day at one of five."""
    wrong = []
    for path in files(workspace):
        text = (workspace.root / path).read_text(encoding="utf-8")
        questions = [
            f"{path}:{number}:{match.start() + 1}"
            for number, line in enumerate(text.split("\n"), 1)
            for match in re.finditer(r"[A-Za-z_$][\w$]*", line)
        ]
        every = pytestconfig.getoption("long") or (path, "inspect") in TOLERATED
        wrong += different(workspace, path, questions[:: 1 if every else 5], "inspect")
    assert not wrong, "\n".join(map(str, wrong))
