"""Places as answers spell them."""

from __future__ import annotations

import pytest

from cn_daemon.application.documents import Documents
from cn_daemon.application.locations import Locations
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Position, Span
from tests.fakes.navigation import FakeWorkspace, path_of


@pytest.mark.parametrize(
    ("kind", "text", "preview"),
    [
        (
            "Function",
            "export function far(\n  first: A,\n  second: B,\n): C {}\n",
            "export function far(first: A, second: B): C",
        ),
        ("Class", "export class far<\n  T,\n> extends Base<T> {}\n", "export class far<T> extends Base<T>"),
        ("TypeAlias", "export type far =\n  | A\n  | B;\n", "export type far = | A | B"),
        ("Constant", "export const far = {\n  a: 1,\n};\n", "export const far = {"),
        ("Function", "export function far(a: A): B {\n}\n", "export function far(a: A): B {"),
        ("Function", f"function far(\n  {'a: A, ' * 30}\n) {{}}\n", f"function far({'a: A, ' * 30}"[:100].rstrip()),
    ],
)
def test_the_preview_of_a_declaration_broke_off_in_the_midst_of_its_head(kind: str, text: str, preview: str) -> None:
    workspace = FakeWorkspace({"src/far.ts": text})
    character = text.index("far") + 1
    name = Span(Position(1, character), Position(1, character + 3))
    lines = text.splitlines()
    whole = Span(Position(1, 1), Position(len(lines), len(lines[-1]) + 1))
    head = text.rpartition("{")[0] if kind in ("Function", "Class") else text.rstrip("\n")
    head_end = Position(head.count("\n") + 1, len(head.rpartition("\n")[2]) + 1)
    declared = Declaration(path_of("src/far.ts"), "far", kind, name, whole, head_end=head_end)
    assert Locations(workspace, Documents(workspace)).declaration(declared).preview == preview
