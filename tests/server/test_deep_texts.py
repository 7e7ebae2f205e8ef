"""A file that overflows the stack of TypeScript's compiler costs itself: questions about the others are answered."""

from __future__ import annotations

import pytest

from cn_shared.errors import InputError
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

DEEP = {
    "backticks": "`" * 8192,
    "holes": "`${" * 2700,
    "else": "export function never(a: number) { if (a) {}" + " else if (a) {}" * 6000 + "}\n",
    "calls": "export const made = tool" + "()" * 8000 + ";\n",
}
TOOL = {"src/tool.ts": "export function tool() {}\n", "src/use.ts": 'import { tool } from "./tool";\ntool();\n'}


@pytest.fixture
def desk(own_desk: Desk) -> Desk:
    own_desk.write({"tsconfig.json": TSCONFIG, **TOOL})
    return own_desk


@pytest.mark.slow
@pytest.mark.parametrize("form", DEEP)
def test_the_others_are_answered_and_it_is_named(desk: Desk, form: str) -> None:
    desk.write({"src/deep.ts": DEEP[form]})
    for _ in range(2):
        answer = desk.find("tool")
        assert sorted({one.file_path for one in answer.references or ()}) == ["src/use.ts"]
        assert answer.completeness.status == "partial"
        assert "src/deep.ts overflows the stack" in str(answer.completeness.reason)
    assert desk.services.language_servers()[0].restarts <= 1


def test_it_is_read_again_once_it_is_changed(desk: Desk) -> None:
    desk.write({"src/deep.ts": DEEP["holes"]})
    assert desk.find("tool").completeness.status == "partial"
    with pytest.raises(InputError, match="overflows the stack"):
        desk.map("src/deep.ts")
    desk.write({"src/deep.ts": 'import { tool } from "./tool";\nexport const mended = tool;\n'})
    assert sorted({one.rpartition(":")[0] for one in desk.uses("tool")}) == ["src/deep.ts", "src/use.ts"]
    assert [one.name for one in desk.map("src/deep.ts").symbols] == ["mended"]


def test_several_are_found_at_once(desk: Desk) -> None:
    desk.write({f"src/deep{number}.ts": text for number, text in enumerate(DEEP.values())})
    answer = desk.find("tool")
    assert sorted({one.file_path for one in answer.references or ()}) == ["src/use.ts"]
    assert "overflows the stack" in str(answer.completeness.reason)
    assert desk.services.language_servers()[0].restarts == 1
