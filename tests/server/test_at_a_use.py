"""Asked at a use: what the place means, on both servers, and every declaration that it can mean."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "ES2022"}, "include": ["src"]}',
    "src/given.ts": """
        export interface Options { size: number; go?(by: number): number; readonly label: string }
        export function take(options: Options): Options { return options; }
        take({
          size: 1,
          go(by) { return by; },
          get label() { return ""; },
        });
        export function made(): Options {
          return { size: 2, get label() { return ""; } };
        }
        export function loose() {
          class Local { go() { return 1; } }
          return { go() { return new Local().go(); } };
        }
        """,
    "src/union.ts": """
        export class Table { keys() { return [""]; } }
        export class Bag { keys() { return 1; } }
        export function each(one: Table | Bag, table: Table) {
          one.keys();
          one?.keys();
          table.keys();
        }
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "definition"),
    [
        ("4:3", "1:28"),
        ("5:3", "1:42"),
        ("6:7", "1:76"),
        ("9:12", "1:28"),
        ("9:25", "1:76"),
        ("12:17", "12:17"),
        ("13:12", "13:12"),
        ("13:38", "12:17"),
    ],
)
def test_a_key_of_an_object_that_is_passed_on_is_its_types(desk: Desk, at: str, definition: str, server: str) -> None:
    """Whether it is written as a property, a method or an accessor."""
    answer = desk.find(f"src/given.ts:{at}", server=server)
    assert place(answer.definition) == f"src/given.ts:{definition}"
    assert answer.completeness.status == "complete"


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize("at", ["4:7", "5:8"])
def test_a_unions_member_is_that_of_each_part(desk: Desk, at: str, server: str) -> None:
    """Which of them a server names for a call is an accident; the others are told beside it."""
    answer = desk.find(f"src/union.ts:{at}", server=server)
    assert answer.definition is not None
    assert places([answer.definition, *answer.candidates]) == ["src/union.ts:1", "src/union.ts:2"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_class_own_member_is_no_unions(desk: Desk, server: str) -> None:
    answer = desk.find("src/union.ts:6:9", server=server)
    assert (place(answer.definition), answer.candidates) == ("src/union.ts:1:22", [])
