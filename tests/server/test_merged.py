"""What several files declare together: no declaration of it is told as a use, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, place, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "types": [], "target": "ES2022"}, "include": ["src"]}',
    "src/one.ts": """
        declare global {
          interface SymbolConstructor { readonly seen: symbol }
          namespace Shared { interface Options { size: number } }
        }
        export const one = Symbol.seen;
        """,
    "src/two.ts": """
        declare global {
          interface SymbolConstructor { readonly seen: symbol }
          namespace Shared { interface Options { size: number } }
        }
        export const two: Shared.Options = { size: 1 };
        """,
    "src/type.ts": "export type Field = { size: number };\n",
    "src/value.ts": """
        import type { Field } from "./type";
        const Field: Field = { size: 1 };
        export const size = Field.size;
        """,
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
@pytest.mark.parametrize(
    ("at", "uses"),
    [
        ("2:42", ["src/one.ts:5"]),
        ("3:42", ["src/two.ts:5"]),
        ("3:32", ["src/two.ts:5"]),
        ("3:13", ["src/two.ts:5"]),
    ],
)
@pytest.mark.parametrize("path", ["src/one.ts", "src/two.ts"])
def test_another_files_declaration_was_told_as_a_use(
    desk: Desk, path: str, at: str, uses: list[str], server: str
) -> None:
    answer = desk.find(f"{path}:{at}", server=server)
    assert (place(answer.definition), answer.completeness.status) == (f"{path}:{at}", "complete")
    assert places(answer.references or []) == uses


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_imports_a_type_was_told_as_a_use_of_the_value_of_its_name(desk: Desk, server: str) -> None:
    answer = desk.find("src/value.ts:2:7", server=server)
    assert places(answer.references or []) == ["src/type.ts:1", "src/value.ts:2", "src/value.ts:3"]
