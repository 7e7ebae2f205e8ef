"""U+2028 and U+2029 end a line for tsserver alone: not for the native server, nor for grep, git and editors."""

from __future__ import annotations

import pytest

from tests.server.desk import TSCONFIG, Desk, place

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": TSCONFIG,
    "a.ts": """
        export const odd = "\u2028😀\u2029";
        /* \x0b\x0c\x85 */ export const made = 1; /*\u2028*/ made; export const more = made;
        export class Cart {
          /** One\u2029two. */
          total = "\u2028" + made;
          sum() {
            return [1].map((one) => {
              return one + this.total.length;
            });
          }
        }
        """,
    "b.ts": 'import { made } from "./a"; /*\u2028*/ export const here = "\u2028" + made;\nmade;\n',
    "wrong.ts": 'const a = "\u2028";\nexport const b: string = 1; /*\u2028*/ export const c: string = 2;\n',
}


@pytest.fixture(scope="module", autouse=True)
def written(desk: Desk) -> None:
    desk.write(FILES)


def found(desk: Desk, query: str, server: str) -> list[str | None]:
    answer = desk.find(query, limit=0, server=server)
    assert str(answer.completeness.reason).startswith("only the language server was asked")
    return [place(answer.definition), *sorted(map(str, map(place, answer.references or ())))]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("made", ["a.ts:2:24", "a.ts:2:40", "a.ts:2:66", "a.ts:5:17", "b.ts:1:10", "b.ts:1:61", "b.ts:2:1"]),
        ("b.ts:1:61", ["a.ts:2:24", "a.ts:2:40", "a.ts:2:66", "a.ts:5:17", "b.ts:1:10", "b.ts:1:61", "b.ts:2:1"]),
        ("Cart.total", ["a.ts:5:3", "a.ts:8:25"]),
        ("a.ts:8:25", ["a.ts:5:3", "a.ts:8:25"]),
    ],
)
def test_places_behind_them_are_as_grep_tells_them(desk: Desk, server: str, query: str, told: list[str]) -> None:
    assert found(desk, query, server) == told


def test_outlines_and_blocks_behind_them(desk: Desk, server: str) -> None:
    rows = desk.run(desk.ask("map", file_path="a.ts", server=server)).symbols
    assert [(row.name, row.line) for row in rows] == [
        ("odd", 1), ("made", 2), ("more", 2), ("Cart", 3), ("total", 5), ("sum", 6),
    ]  # fmt: skip
    shown = desk.inspect("a.ts:8:14", server=server).result
    assert (shown.range.start_line, shown.range.end_line) == (6, 10)


def test_what_the_compiler_complains_of_behind_them(desk: Desk) -> None:
    told = desk.run(desk.ask("diagnostics", files=["wrong.ts"])).diagnostics
    assert [(one.line, one.character) for one in told] == [(2, 14), (2, 48)]
