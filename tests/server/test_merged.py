"""What several files declare together: no declaration of it is told as a use, on both servers.

Further ones: tests/cases/merged.test.
"""

from __future__ import annotations

import pytest

from tests.server.desk import Desk

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "ES2022"}, "include": ["src"]}',
    "src/deep.ts": """
        export namespace Deep { export namespace Part { export interface One { first: 1 } } }
        export namespace Deep {
          export namespace Part {
            export interface Two {
              second: 1;
            }
            export namespace Last { export const inner = 1; }
          }
        }
        export namespace Deep {
          export namespace Part {
            export namespace Last {
              export const other = 1;
            }
          }
        }
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "name", "lines"),
    [
        ("1:72", "Deep.Part.One.first", (1, 1)),
        ("5:7", "Deep.Part.Two.second", (5, 5)),
        ("7:42", "Deep.Part.Last.inner", (7, 7)),
        ("13:20", "Deep.Part.Last.other", (13, 13)),
    ],
)
def test_what_a_second_namespace_in_a_namespace_holds_was_local_to_the_first(
    desk: Desk, at: str, name: str, lines: tuple[int, int], server: str
) -> None:
    shown = desk.inspect(f"src/deep.ts:{at}", server=server).result
    assert (shown.name, (shown.range.start_line, shown.range.end_line)) == (name, lines)
