"""A tsconfig that extends what is not there may read no files that its own import, on both servers."""

from __future__ import annotations

import pytest

from tests.server.desk import Desk, places

pytestmark = pytest.mark.server

FILES = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "jsx": "preserve", "types": []}, "include": ["src"]}',
    "src/tsconfig.json": """
        {"files": [], "references": [{"path": "./tsconfig.build.json"}, {"path": "./tsconfig.shown.json"}]}
        """,
    "src/tsconfig.build.json": """
        {"compilerOptions": {"composite": true, "jsx": "preserve", "types": []}, "exclude": ["*.shown.tsx"]}
        """,
    "src/tsconfig.shown.json": """
        {"extends": "../../lost/tsconfig.json", "compilerOptions": {"composite": true, "types": []},
         "include": ["*.shown.tsx"]}
        """,
    "src/drawer.tsx": "export enum Size { Small, Large }\nexport function near() { return Size.Small; }\n",
    "src/uses.ts": 'import { Size, near } from "./drawer";\nexport const used = [Size.Large, near()];\n',
    "src/drawer.shown.tsx": 'import { Size } from "./drawer";\nexport const shown = [Size.Small, Size.Large];\n',
    "src/other.shown.tsx": "export const other = { Large: 1, near: 2 };\n",
}


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> None:
    desk.write(FILES)


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_its_files_import_is_told(desk: Desk, server: str) -> None:
    answer = desk.find("Size", limit=0, server=server)
    assert answer.completeness.status == "complete"
    shown = [one for one in places(answer.references or []) if "shown" in one]
    assert shown == ["src/drawer.shown.tsx:1", "src/drawer.shown.tsx:2", "src/drawer.shown.tsx:2"]


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_member_that_they_may_use_is_in_doubt(desk: Desk, server: str) -> None:
    answer = desk.find("Size.Large", limit=0, server=server)
    assert "src/uses.ts:2" in places(answer.references or [])
    if "src/drawer.shown.tsx:2" not in places(answer.references or []):
        assert answer.completeness.reason == (
            "in src/drawer.shown.tsx:2 at least files are not found: the tsconfig extends what is not there"
        )


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_what_they_do_not_import_is_not(desk: Desk, server: str) -> None:
    assert desk.find("near", limit=0, server=server).completeness.status == "complete"
