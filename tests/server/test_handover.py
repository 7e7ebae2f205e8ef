"""A workspace of TypeScript 7 whose tsconfig has options that only an older one reads."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain, provision_native
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.settings import Settings
from tests.server.desk import Desk, place

pytestmark = pytest.mark.server

LEGACY = {
    "baseUrl": '"baseUrl": "src", "ignoreDeprecations": "6.0"',
    "moduleResolution": '"moduleResolution": "classic"',
    "module": '"module": "amd"',
}


def tsconfig(options: str = "") -> str:
    common = '"strict": true, "types": [], "skipLibCheck": true'
    return f'{{"compilerOptions": {{{", ".join(filter(None, (common, options)))}}}, "include": ["src"]}}'


FILES = {
    ".cn.json": "{}",
    "package.json": '{"name": "legacy"}',
    # Its program is nowhere, so the pinned one of that generation answers.
    "node_modules/typescript/package.json": '{"name": "typescript", "version": "7.0.2"}',
    "src/lib/tool.ts": "export class Tool {}\n",
    "src/page/deep/use.ts": 'import { Tool } from "lib/tool";\nnew Tool();\n',
    "src/near.ts": 'import { Tool } from "./lib/tool";\nnew Tool();\n',
}
NEAR = ["src/near.ts:1", "src/near.ts:2"]
ALL = [*NEAR, "src/page/deep/use.ts:1", "src/page/deep/use.ts:2"]


@pytest.fixture(scope="module")
def desk(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Its tsconfig changes from test to test; both servers go on running."""
    desk = Desk(tmp_path_factory.mktemp("legacy").resolve() / "work", Settings(bindings="off"))
    desk.write(FILES)
    yield desk
    assert desk.close() == []


@pytest.mark.parametrize("option", LEGACY)
def test_what_the_native_server_no_longer_reads_is_found(desk: Desk, option: str) -> None:
    desk.write({"tsconfig.json": tsconfig(LEGACY[option])})
    assert desk.uses("Tool") == ALL
    assert place(desk.find("src/page/deep/use.ts:2:5").definition) == "src/lib/tool.ts:1:14"
    status = desk.services.language_servers()[0]
    assert status.name == "typescript-language-server"
    assert f"tsconfig.json sets {option}, which TypeScript 7 no longer reads" in str(status.detail)


def test_the_native_server_answers_once_the_tsconfig_is_new(desk: Desk) -> None:
    desk.write({"tsconfig.json": tsconfig(LEGACY["baseUrl"])})
    assert desk.uses("Tool") == ALL
    desk.write({"tsconfig.json": tsconfig('"paths": {"lib/*": ["./src/lib/*"]}')})
    assert desk.uses("Tool") == ALL
    assert desk.services.language_servers()[0].name == "typescript-native"


def test_a_tsconfig_without_files_hands_nothing_over(desk: Desk) -> None:
    desk.write({"tsconfig.json": tsconfig(), "old/tsconfig.json": '{"compilerOptions": {"baseUrl": "."}, "files": []}'})
    desk.find("Tool")
    assert desk.services.language_servers()[0].name == "typescript-native"


def test_forced_native_it_says_what_is_missing(desk: Desk) -> None:
    desk.write({"tsconfig.json": tsconfig(LEGACY["baseUrl"])})
    answer = desk.find("Tool", server="native")
    assert answer.completeness.status == "partial"
    assert "sets baseUrl" in str(answer.completeness.reason)


def test_the_native_server_ends_when_it_is_asked_to(desk: Desk) -> None:
    """It refused params of null, and was killed each time."""

    async def ended() -> int:
        toolchain = await provision_native(desk.root, Settings(), print)
        where = {"cwd": desk.root, "environment": os.environ, "log_file": desk.root.with_name("native.log")}
        command = [str(toolchain.program), "--lsp", "--stdio"]
        session = await PyglsSession.spawn("native", command, answers={}, **where)
        await session.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, timeout_s=60)
        session.notify("initialized", {})
        await session.stop(grace_s=20)
        return session.ended.result()

    assert desk.run(ended()) >= 0, "a signal ended it"


# Of `exports` TypeScript 7 takes the conditions "import", "require", "types" and "default" alone.
OLD = {
    "node_modules/oldorm/package.json": """
        {"name": "oldorm", "types": "./index.d.ts", "exports": {".": {"node": {"require": "./index.js"}}}}
        """,
    "node_modules/oldorm/index.d.ts": "export declare function first<T>(of: { new (): T }): T;\n",
    "package.json": '{"name": "legacy", "dependencies": {"oldorm": "1"}}',
    "src/entity.ts": "export class Entity { title = 1; kept() { return this.title; } }\n",
    "src/ask.ts": """
        import { first } from "oldorm";
        import { Entity } from "./entity";
        export const title = first(Entity).title;
        """,
}


def test_a_package_that_only_the_old_resolution_finds(own_desk: Desk) -> None:
    desk = own_desk
    desk.write({**FILES, **OLD, "tsconfig.json": tsconfig('"module": "commonjs", "moduleResolution": "node"')})
    desk.find("Entity.title")
    assert "without which oldorm is not found" in str(desk.services.language_servers()[0].detail)
    # Nothing is set: TypeScript 6 does not find it either.
    desk.write({"tsconfig.json": tsconfig('"module": "commonjs"')})
    desk.find("Entity.title")
    assert desk.services.language_servers()[0].name == "typescript-native"
