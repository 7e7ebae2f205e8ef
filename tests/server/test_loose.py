"""How often the program of what no tsconfig lists is built (what is told of it: tests/cases/loose.test)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.roll import FILE as ROLL
from tests.server.desk import Desk

pytestmark = pytest.mark.server


LAX = '{"compilerOptions": {"strict": false, "target": "es2022", "types": []}, "include": ["src"]}'


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
