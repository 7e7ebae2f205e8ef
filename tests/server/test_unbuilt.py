"""Packages of a workspace that are not built: what imports them uses their sources, in answers that are complete.

What is told of names and members there is in tests/cases/unbuilt.test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import Desk, place

pytestmark = [pytest.mark.server, pytest.mark.slow]
TYPED = {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}}
NEXT = {"module": "nodenext"}
BUNDLED = {"module": "esnext", "moduleResolution": "bundler"}
WAYS: dict[str, tuple[dict[str, object], dict[str, str]]] = {
    "typed": ({"exports": TYPED}, BUNDLED),
    "script": ({"exports": "./dist/index.js", "type": "module"}, NEXT),
    "main": (
        {"main": "dist/index.js", "types": "dist/index.d.ts"},
        {"module": "esnext", "moduleResolution": "bundler"},
    ),
    "module": ({"main": "dist/index.js", "types": "dist/index.d.ts", "type": "module"}, NEXT),
    "folder": ({"main": "dist/"}, BUNDLED),
    "stem": ({"main": "./dist/index", "types": "./dist"}, BUNDLED),
}


@pytest.fixture(params=["typescript", "native"])
def desk(request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path: Path) -> Iterator[Desk]:
    """Of each test alone: with the packages of all, a server that is told of one more looks at every import anew."""
    desk = Desk(tmp_path.resolve() / "work", Settings(server=request.param))
    yield desk
    assert desk.close() == []


def monorepo(desk: Desk, name: str, way: str, *, installed: bool = True) -> None:
    """Two packages below a folder; the second one imports the first one."""
    manifest, options = WAYS[way]
    told = {"types": [], "strict": True, "skipLibCheck": True, **options}
    for one in "ab":
        desk.write(
            {
                f"{name}/{one}/package.json": json.dumps({"name": f"@{name}/{one}", **manifest}),
                f"{name}/{one}/tsconfig.json": json.dumps({"compilerOptions": told, "include": ["src"]}),
            }
        )
    desk.write(
        {
            f"{name}/a/src/user.ts": f"export class User{name} {{\n  grow() {{}}\n}}\nexport default User{name};\n",
            f"{name}/a/src/index.ts": 'export * from "./user.js";\nexport { default } from "./user.js";\n',
            f"{name}/b/src/use.ts": f"""
                import Default, {{ User{name} }} from "@{name}/a";
                new User{name}().grow();
                new Default().grow();
                """,
        }
    )
    if installed:
        folder = desk.root / name / "b/node_modules" / f"@{name}"
        folder.mkdir(parents=True)
        (folder / "a").symlink_to("../../../a")


def grown(name: str, *lines: int) -> list[str]:
    return [f"{name}/b/src/use.ts:{line}" for line in lines]


def test_what_is_told_of_the_file_itself(desk: Desk) -> None:
    """It is open with another text: neither its outline nor a block may be of that."""
    monorepo(desk, "own", "script")
    text = (desk.root / "own/b/src/use.ts").read_text() + 'import whole = require("@own/a");\nexport class Last {}\n'
    desk.write({"own/b/src/use.ts": text})
    assert desk.uses("Userown.grow") == grown("own", 2, 3)
    assert place(desk.find("Last").definition) == "own/b/src/use.ts:5:14"
    assert desk.inspect("own/b/src/use.ts:5:14").result.code == "export class Last {}"


def test_what_is_taken_in_a_callback_by_the_type_of_what_is_to_be_built(desk: Desk) -> None:
    """As tests take what they mock. The servers look there in functions that have a name."""
    desk.write(
        {
            "package.json": '{"name": "parts", "type": "module", "main": "dist/index.js", "types": "dist/index.d.ts"}',
            "tsconfig.json": '{"compilerOptions": {"module": "nodenext", "outDir": "dist"}, "include": ["src"]}',
            "src/index.ts": 'export * from "./part.js";\n',
            "src/part.ts": "export function part() {}\n",
            "test/part.ts": """
                declare function test(run: (load: () => Promise<unknown>) => void): void;
                test(async (load) => {
                  const { part } = (await load()) as typeof import("../dist/index.js");
                });
                test(async (load) => {
                  const { part } = (await load()) as typeof import("../dist/part.js");
                });
                test((load) => {
                  const { part } = load() as any;
                });
                """,
        }
    )
    assert desk.uses("src/part.ts#part") == ["test/part.ts:3", "test/part.ts:6"]
